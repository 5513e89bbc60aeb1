"""The inverse problem of the lifting example: which data could have produced the lecture's (32)?

Solves: find all sets of n points on a lattice gℤ that some perceptron run of exactly T corrections, each point
corrected at least once, leads from w = 0 to the printed weights.
Stops: always; the search is exhaustive within its lattice and its limit.
Guarantees: every set it returns has such a run, and no other set of the kind has.

The labels are not searched: the run ends because f is right everywhere, so y = sign f(x).
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import sqrt

import numpy as np

from lib.files import DATA
from lib.numbers import largest, roomy
from lib.studies.lifting import PRINTED, all_orders, bound, folded, in_floats

CENSUS, COUNTS = DATA / "lifting_census.csv", DATA / "lifting_counts.csv"
"""The rows of `census` for four, five and six points; the numbers of sets by points."""


@dataclass(frozen=True)
class Found:
    """The sets of a search; the points x = spacing · k of each are ascending."""

    k: np.ndarray  # shape (m, n)
    y: np.ndarray  # the labels, shape (m, n)
    counts: np.ndarray  # how often each point is corrected, shape (m, n)
    spacing: Fraction
    candidates: int  # sets that satisfy the three sums, before it was asked whether a run exists

    def __len__(self):
        return len(self.k)

    def points(self, i):
        """Set i as Fractions and labels: (x, y)."""
        return tuple(self.spacing * int(k) for k in self.k[i]), tuple(self.y[i].tolist())


def search(points, updates=9, *, spacing=Fraction(1, 20), limit=None, target=PRINTED, watch=None):
    """All sets of so many points with a run of so many corrections to the target.

    Σ y = 3 of (*) in `lifting` fixes how many corrections are of positive points and how many of negative ones.
    For all ways to share them out the other two sums are met by a join; then a table over all partial counts
    tells whether some sequence of mistakes leads to the full ones.

    Parameters
    ----------
    points, updates : int
    spacing : Fraction or str
        Points are whole multiples of it.
    limit : number, optional
        The largest |x|; if not given, the largest that Σ y x² allows, so that none is missed.
    target : sequence of Fraction
        The weights of (1, x, x² − 1).
    watch : function, optional
        Is told in a line how the search goes on.
    """
    if not 1 <= points <= updates:
        raise ValueError(f"points is {points}, updates {updates}; expected at least one point and an update for each")
    g, target = Fraction(spacing), tuple(Fraction(v) for v in target)
    positive, negative = _lattice(target, g, limit, updates)
    found, candidates = [], 0
    for plus, minus, goal in _splits(points, updates, target, g):
        labels, counts = np.repeat([1, -1], [len(plus), len(minus)]), np.array(plus + minus)
        sets = _fitting(positive, negative, plus, minus, goal)
        kept = sets[_reachable(_lifted(sets, labels, g), counts)]
        found += [sorted(zip(k, labels.tolist(), counts.tolist(), strict=True)) for k in kept.tolist()]
        candidates += len(sets)
        if watch is not None and len(sets):
            watch(f"{points} points, + {plus}, − {minus}: {len(sets)} sets fit the sums, {len(kept)} have a run")
    found.sort(key=lambda row: [k for k, _, _ in row])
    k, y, counts = np.moveaxis(np.array(found, dtype=np.int64).reshape(-1, points, 3), 2, 0)
    return Found(k, y, counts, g, candidates)


def _splits(points, updates, target, g):
    """Counts of the positive points, counts of the negative ones, and Σ y (k, k²) in whole numbers, if they are."""
    sums = (target[1] / g, (target[2] + target[0]) / g**2)
    plus, minus = (updates + target[0]) / 2, (updates - target[0]) / 2
    if any(v.denominator > 1 for v in (*sums, plus, minus)):
        return
    for positive in range(points, -1, -1):
        for a in _partitions(int(plus), positive):
            for b in _partitions(int(minus), points - positive):
                yield a, b, np.array([int(v) for v in sums])


def _lattice(target, g, limit, updates):
    """The whole numbers k within the limit with f(gk) > 0, and those with f(gk) < 0."""
    v0, v1, v2 = target[0] - target[2], target[1], target[2]
    if limit is None:  # the negative points lie between the roots of f, and Σ₊ x² = Σ y x² + Σ₋ x²
        if v2 <= 0 or v1**2 < 4 * v0 * v2:
            raise ValueError("f has no interval below zero; expected a limit for |x|")
        widest = (abs(v1) + sqrt(v1**2 - 4 * v0 * v2)) / (2 * v2)
        square = target[2] + target[0] + (updates - target[0]) / 2 * widest**2
        limit = max(widest, sqrt(max(square, 0))) * (1 + 1e-9)
    reach = int(limit / g)
    if updates * reach**2 >= 2**29:
        raise ValueError(f"spacing is {g}, and {reach} multiples are within the limit; expected a coarser lattice")
    f = {k: v0 + v1 * g * k + v2 * (g * k) ** 2 for k in range(-reach, reach + 1)}
    return np.array([k for k in f if f[k] > 0]), np.array([k for k in f if f[k] < 0])


def _partitions(total, parts):
    """The ways to write total as a sum of so many positive numbers, descending, the largest first."""
    ascending = combinations_with_replacement(range(1, total + 1), parts)
    return sorted((a[::-1] for a in ascending if sum(a) == total), reverse=True)


def _fitting(positive, negative, plus, minus, goal):
    """Sets, one a row, positive points first, with Σ c y (k, k²) = goal; every set once.

    For each choice of the negative points the positive ones are a join of two halves, by a code of the two sums.
    """
    half = len(plus) // 2
    left, a = _choices(positive, plus[:half])
    right, b = _choices(positive, plus[half:])
    below, n = _choices(negative, minus)
    code = np.array([2 * int(abs(a).max(initial=1) + abs(b).max(initial=1) + abs(goal).max()) + 1, 1])
    by_code = np.argsort(b @ code, kind="stable")
    given = (b @ code)[by_code]
    sets = [np.zeros((0, len(plus) + len(minus)), dtype=np.int64)]
    for sums in np.unique(n, axis=0):
        wanted = (goal + sums) @ code - a @ code
        start, stop = (np.searchsorted(given, wanted, side=side) for side in ("left", "right"))
        i = np.repeat(np.arange(len(left)), stop - start)
        j = by_code[np.arange(len(i)) + np.repeat(stop - np.cumsum(stop - start), stop - start)]
        found = np.hstack([left[i], right[j]])
        found = found[_tidy(found, plus)]
        same = below[(n == sums).all(axis=1)] if len(found) else below[:0]
        sets += [np.hstack([found, np.tile(points, (len(found), 1))]) for points in same]
    return np.vstack(sets)


def _choices(points, counts):
    """All tuples of distinct points for these counts, ascending where counts are equal, and their Σ c (k, k²)."""
    grid = np.array(np.meshgrid(*[points] * len(counts), indexing="ij"), dtype=np.int64)
    chosen = grid.reshape(len(counts), -1).T if counts else np.zeros((1, 0), dtype=np.int64)
    chosen = chosen[_tidy(chosen, counts)]
    weights = np.array(counts, dtype=np.int64)
    return chosen, np.column_stack([chosen @ weights, chosen**2 @ weights])


def _tidy(sets, counts):
    """Which rows hold distinct points, ascending where counts are equal."""
    fits = (np.diff(np.sort(sets, axis=1), axis=1) > 0).all(axis=1)
    for j in range(len(counts) - 1):
        if counts[j] == counts[j + 1]:
            fits &= sets[:, j] < sets[:, j + 1]
    return fits


def _lifted(sets, labels, g):
    """Integer multiples of y (1, x, x² − 1), shape (…, 3)."""
    p, q = g.numerator, g.denominator
    k = roomy(sets, (p * (1 + largest(sets)) + q) ** 2 + q * q)
    return labels[:, None] * np.stack([0 * k + q * q, p * q * k, p * p * k**2 - q * q], axis=-1)


def _reachable(sets, counts):
    """For each set of rows, does some sequence of mistakes correct row j counts[j] times?

    A table over all partial counts b: b is reached if b less one correction of j is, and j is wrong there.
    """
    Z = in_floats(sets, counts.sum())
    reached, wrong = {}, {}
    for b in product(*(range(c + 1) for c in counts.tolist())):
        before = [((*b[:j], b[j] - 1, *b[j + 1 :]), j) for j in range(len(b)) if b[j]]
        reached[b] = np.full(len(Z), not before)
        for a, j in before:
            reached[b] |= reached[a] & wrong[a][:, j]
        w = np.einsum("j,mjd->md", np.array(b), Z)
        wrong[b] = np.einsum("mjd,md->mj", Z, w) <= 0
    return reached[tuple(counts.tolist())]


def census(found, updates=9):
    """One row for each set that a fixed order, presented cyclically or from the top again, leads to (32).

    points; labels; cyclic, restart: orders that end there after so many updates; bound0, bound1: D²/γ² with x² and with
    x² − 1; mean0, mean1: corrections, the mean over all orders, cyclic; slower: some order that ends there is slower
    with x² (in its own mode).
    """
    rows = []
    for x, y in map(found.points, range(len(found))):
        runs = {(mode, s): all_orders(folded(x, y, s), order=mode) for mode in ("cyclic", "restart") for s in (0, 1)}
        hits = {}
        for mode in ("cyclic", "restart"):
            T, w, scale = runs[mode, 1]
            hits[mode] = (updates == T) & (w == [v * scale for v in PRINTED]).all(axis=1)
        values = {f"bound{s}": bound(x, y, s) for s in (0, 1)}
        values |= {f"mean{s}": runs["cyclic", s][0].mean() for s in (0, 1)}
        rows.append(
            {"points": " ".join(map(str, x)), "labels": "".join("+" if v > 0 else "-" for v in y)}
            | {mode: int(ends.sum()) for mode, ends in hits.items()}
            | {name: round(float(value), 6) for name, value in values.items()}
            | {"slower": int(any((runs[mode, 0][0] > updates)[ends].any() for mode, ends in hits.items()))}
        )
    return [row for row in rows if row["cyclic"] or row["restart"]]
