"""What planes can label: counts of dichotomies, simplices, and what the lecture says of linear strategies (21)."""

from fractions import Fraction
from itertools import combinations, product
from math import comb
from types import SimpleNamespace

import numpy as np

from lib.bounds import ctu, ours
from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.patterns import differences, fold, monomials
from lib.perceptrons.perceptron import perceptron
from lib.studies.risk import SEEDS


def cover(N, n):
    """How many of the 2^N labellings of N points in general position planes in n dimensions make."""
    return 2 * sum(comb(N - 1, k) for k in range(n + 1))


def dichotomies(X, *, bias=True):
    """How many labellings of the rows of X a plane separates, through zero without a bias; each with its opposite."""
    labellings = [np.array([1, *rest]) for rest in product((-1, 1), repeat=len(X) - 1)]
    folded = (fold(X, y) if bias else y[:, None] * X for y in labellings)
    return 2 * sum(separability(Z).separable for Z in folded)


def on_a_curve(N, n, rng):
    """N whole-number points (t, t², …, t^n), no n + 2 of them in one plane."""
    t = rng.permutation(np.arange(-6, 7))[:N]
    return np.column_stack([t**k for k in range(1, n + 1)])


def small_sets(each, rng):
    """Sets of n + 2 small whole-number points in n = 1, 2, 3 dimensions, so many of each."""
    for n in (1, 2, 3):
        for _ in range(each):
            yield rng.permutation(np.unique(rng.integers(-2, 3, (40, n)), axis=0))[: n + 2]


def simplex(r):
    """R²/m² of the corners of a regular simplex, m being the least margin of all its splits; a Fraction."""
    X, squares = np.eye(r, dtype=object) - Fraction(1, r), []
    splits = [c for a in range(1, r // 2 + 1) for c in (combinations(range(r), a) if r <= 5 else [range(a)])]
    for chosen in splits:
        y = np.where(np.isin(np.arange(r), list(chosen)), 1, -1)
        squares.append(max_margin(differences(X, y)).exact().squared / 4)
    return (X[0] @ X[0]) / min(squares)


def shattered_sets(sets, seed):
    """Random whole-number sets: r, n, the mean square distance from their mean, and the least squared margin.

    The mean square is at most the R² of any ball around the points. Arrays, an entry a set; margins may be zero.
    """
    rows = []
    for i in range(sets):
        rng, X = np.random.default_rng([seed, 1, i]), None
        n = int(rng.integers(1, 4))
        r = int(rng.integers(2, n + 2))
        while X is None or len(np.unique(X, axis=0)) < r:
            X = rng.integers(-5, 6, (r, n))
        labellings = [(1, *rest) for rest in product((-1, 1), repeat=r - 1) if sum(rest) < r - 1]
        m2 = min(max_margin(differences(X, y)).exact().squared / 4 for y in labellings)
        rows.append((r, n, Fraction(int(((r * X - X.sum(axis=0)) ** 2).sum()), r**3), m2))
    return [np.array(column, dtype=object) for column in zip(*rows, strict=True)]


def within(N, reps, seed, gap=0.1):
    """In how many samples of N coin-toss labels all thresholds, in both directions, are within the gap of their risk.

    Returns the number of such samples, and of all, under five seeds.
    """
    hits = tries = 0
    for k in range(SEEDS):
        rng = np.random.default_rng([seed, 2, N, k])
        x, coins = rng.random((reps, N)), rng.random((reps, N)) < 0.5
        told = np.take_along_axis(coins, x.argsort(axis=1), axis=1)
        steps = np.cumsum(np.pad(2 * told - 1, ((0, 0), (1, 0))), axis=1)
        errors = N - told.sum(axis=1, keepdims=True) + steps  # of "1 if x > θ", between any two examples
        hits, tries = hits + int((abs(errors / N - 0.5).max(axis=1) <= gap).sum()), tries + reps
    return hits, tries


def two_planes(sets, seed):
    """Separable sets with the best plane and one from the perceptron: a namespace of arrays, (best, other) each.

    `margin`, squared; `h`, the capacity of slide 7, mended; `term` of (1) at η = 0.05; `N`, the size of a set.
    """
    found = SimpleNamespace(margin=[], h=[], term=[], N=[])
    for i in range(sets):
        rng = np.random.default_rng([seed, 3, i])
        Z = rng.integers(-4, 5, (10, 3)) + np.array([rng.integers(0, 12), 0, 0])
        Z = Z[Z @ [9, 1, 0] != 0]
        Z = Z * np.sign(Z @ [9, 1, 0])[:, None]
        R2, w = ctu.eq9(Z), perceptron(Z, order="random", rng=rng).w
        margins = max_margin(Z).exact().squared, Fraction(int(min(Z @ w)) ** 2, int(w @ w))
        h = [ctu.hmargin_corrected(R2, m2) for m2 in margins]
        found.margin.append(margins)
        found.h.append(h)
        found.term.append([float(ctu.eq1(len(Z), k, 0.05)) for k in h])
        found.N.append(len(Z))
    return SimpleNamespace(**{name: np.array(column) for name, column in vars(found).items()})


CUBE = np.array(list(product((0, 1), repeat=3)))


def best_labels(sets, seed):
    """Tables on the corners of a cube: are the best labels separable? With independent features, and with any table.

    Sets whose independent table has one label only, or a tie, are drawn anew. Two arrays of bool.
    """
    independent, free = [], []
    for i in range(sets):
        rng, says = np.random.default_rng([seed, 4, i]), np.zeros(8)
        while len(set(says)) < 2:
            chance = rng.integers(1, 10, (2, 3))
            p = np.array([[np.prod(np.where(x, c, 10 - c)) for c in chance] for x in CUBE])
            says = p.argmax(axis=1) if (p[:, 0] != p[:, 1]).all() else np.zeros(8)
        other = rng.integers(1, 10, (8, 2)).argmax(axis=1)
        independent.append(separability(fold(CUBE, says)).separable)
        free.append(len(set(other)) < 2 or separability(fold(CUBE, other)).separable)
    return np.array(independent), np.array(free)


def circles(sets, seed):
    """Points in and around a circle: are they separable as they are, and with all monomials of degree two? Arrays."""
    rows = []
    for i in range(sets):
        X = np.unique(np.random.default_rng([seed, 5, i]).integers(-6, 7, (40, 2)), axis=0)
        y = np.where((X**2).sum(axis=1) < 12, 1, -1)
        rows.append([separability(fold(Z, y)).separable for Z in (X, monomials(X, 2))])
    return np.array(rows).T


def staircase(ratios, law=ours.capacity):
    """A capacity law at many values of R²/m²."""
    return [law(Fraction(q), 1) for q in ratios]
