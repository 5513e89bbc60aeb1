"""What the reductions of Falkowski's section 2 keep, how much planes of monomials can separate, and what that costs."""

from itertools import combinations_with_replacement, product
from math import comb
from typing import NamedTuple

import numpy as np

from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.numbers.comparisons import Compared, at_most
from lib.patterns import fold, monomials


def embed(good, bad, b=1):
    """The note's [x, −1] for the good and [−x, 1] for the bad, with b in the place of 1."""
    ones = np.ones((len(good), 1)), np.ones((len(bad), 1))
    return np.vstack([np.column_stack([good, -b * ones[0]]), np.column_stack([-np.asarray(bad), b * ones[1]])])


def geometric(Z, w):
    """The margin between the classes of the plane that embedded weights w describe."""
    return float(min(Z @ w) / np.linalg.norm(w[:-1]))


def orders(cases, rng):
    """Random small labelled sets and weights, with many ties: what section 2 says of them, a row of three each.

    The relation is a strict partial order; the scores preserve it if and only if a cut-off is between the classes; a
    cut-off separates if and only if all embedded scores are positive.
    """
    found, halves = [], np.arange(-31, 32) / 2
    for _ in range(cases):
        X, w, alpha = rng.integers(-3, 4, (5, 2)), rng.integers(-2, 3, 2), int(rng.integers(-6, 7))
        good = rng.permutation([True, True, False, False, rng.random() < 0.5])
        above, score = good[:, None] & ~good[None, :], X @ w
        strict = not (above.diagonal().any() or (above & above.T).any() or (above.astype(int) @ above).any())
        keeps = all(score[i] > score[j] for i, j in np.argwhere(above))
        cut = ((score[good, None] > halves).all(axis=0) & (score[~good, None] < halves).all(axis=0)).any()
        separates = (score[good] > alpha).all() and (score[~good] < alpha).all()
        embedded = (embed(X[good], X[~good]) @ [*w, alpha] > 0).all()
        found.append((strict, keeps == cut, separates == embedded))
    return np.array(found, dtype=bool)


class Embedded(NamedTuple):
    """For random classes and last columns b: the bound, the margin found, and the best margin, one entry each."""

    bound: list
    found: list
    best: list

    def held(self) -> Compared:
        return at_most(self.bound, self.found, rtol=1e-6)

    def without(self) -> Compared:
        """The control: nothing is lost."""
        return at_most(self.best, self.found, rtol=1e-6)


def embedded(sets, rng, *, wide=10**5):
    """The margins between the classes of planes that are best for embedded vectors, for b = 1 and b = 30."""
    rows = []
    for _ in range(sets):
        X, w = rng.integers(-9, 10, (6, 2)) + rng.integers(-20, 21, 2), rng.integers(-3, 4, 2)
        y = np.where(X @ w > np.median(X @ w), 1, -1)
        far = fold(X, y, keep_contradictions=True) * [1, 1, wide]
        if abs(y.sum()) == len(y) or not separability(far).separable:
            continue
        limit = max_margin(far).w
        m, alpha = geometric(far, limit), -limit[2] * wide / np.linalg.norm(limit[:2])
        for b in (1, 30):
            A = far * [1, 1, b / wide]
            rows.append((m / np.sqrt(1 + (alpha / b) ** 2), geometric(A, max_margin(A).w), m))
    return Embedded(*map(list, zip(*rows, strict=True)))


def counted(n, i):
    """The monomials in n variables of degree i, and of degree at most i, by listing them."""
    of_degree = [len(list(combinations_with_replacement(range(n), k))) for k in range(i + 1)]
    return of_degree[i], sum(of_degree)


def lifted(X, degree, *, unit=1):
    """φ(x) with all monomials up to a degree, the constant first; points are divided by a unit where it is not one."""
    X = np.asarray(X) if unit == 1 else np.asarray(X) / unit
    return np.column_stack([np.ones(len(X), dtype=X.dtype), monomials(X, degree)])


def separable_labels(p, degree, trials, seed, *, seeds=5):
    """How many of so many random labellings of p random points of a 601 × 601 grid separate, for each of five seeds."""
    hits = 0
    for k in range(seeds):
        rng = np.random.default_rng([*seed, k])
        for _ in range(trials):
            points, signs = rng.integers(-300, 301, (p, 2)), rng.choice([-1, 1], p)
            hits += separability(lifted(points, degree) * signs[:, None]).separable is True
    return hits


def cover(p, N):
    """Cover's count: the share of the labellings of p points in general position in N dimensions that separate."""
    return 2 * sum(comb(p - 1, k) for k in range(min(N, p))) / 2**p


def shattered(p, n, degree, rng):
    """The labellings that separate, of p distinct integer points in n dimensions, lifted to full rank."""
    while True:
        A = lifted(rng.integers(-9, 10, (p, n)), degree)
        if len(np.unique(A, axis=0)) == p and np.linalg.matrix_rank(A) == comb(n + degree, degree):
            break
    labels = (np.array(signs) for signs in product([1, -1], repeat=p))
    return sum(separability(A * signs[:, None]).separable is True for signs in labels)


def errors(degrees, points, rng, *, fresh=400, half=100):
    """The errors on fresh points of planes of maximum margin, one for each degree, where a straight line is true."""
    line, grid = rng.normal(size=2), (-half, half + 1)
    while True:
        X, T = rng.integers(*grid, (points, 2)), rng.integers(*grid, (fresh, 2))
        cut = half * rng.normal() / 3
        y, truth = (np.where(P @ line > cut, 1, -1) for P in (X, T))
        if abs(y.sum()) < points:
            break
    found = (max_margin(lifted(X, i, unit=half) * y[:, None]).w for i in degrees)
    return [np.mean((lifted(T, i, unit=half) @ w > 0) != (truth > 0)) for i, w in zip(degrees, found, strict=True)]
