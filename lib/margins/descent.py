"""Descend to the closest point of the hull of many patterns, a few hundred at a time.

Rows far from the plane do not matter, so Wolfe's algorithm (`corral`) runs on a working set
of some 8n rows; the scores of a level then show the worst violators, which join the set. Coarse
levels come first, every 256th and every 16th row; then, after each pass over all rows, the
sixteenth of them with the lowest scores. So few passes over all rows are needed.
"""

from dataclasses import dataclass

import numpy as np

from lib.margins.corral import Corral

STRIDES = (256, 16)
COARSE = 3000
"""A level has at least so many rows, and 20 a column."""
START, NEAR, ADD = 4, 2, 6
"""Rows a column in the first working set, kept of the last one, and added from the violators."""
SMALL = 500
"""So many rows, or 4 a column, are one working set."""
COARSE_TOL = 0.1
SLACK = 0.5
"""A working set is solved to this share of the gap that the last one had outside."""


@dataclass(frozen=True, eq=False)
class Level:
    """Some of the rows: V is F[labels], and `lengths` divide them if they are to have length 1."""

    V: np.ndarray
    labels: np.ndarray
    lengths: np.ndarray | None
    full: bool

    def scores(self, x):
        scores = self.V.dot(x)
        return scores if self.lengths is None else scores / self.lengths

    def pick(self, index):
        """Labels and (scaled) rows of some of them."""
        rows = self.V[index]
        return self.labels[index], rows if self.lengths is None else rows / self.lengths[index, None]

    def lowest(self, scores, k):
        """The level of about k rows with the lowest scores."""
        sample = scores[:: max(1, len(scores) // 10_000)]
        index = np.flatnonzero(scores <= np.quantile(sample, k / len(scores)))
        lengths = None if self.lengths is None else self.lengths[index]
        return Level(self.V[index], self.labels[index], lengths, False)


def approach(F, tol, floor, *, unit=False):
    """Yield the state after each round, from the first working set to the closest point.

    Ends when min_j z_j · x >= (1 − tol) |x|² over all rows, when |x| <= floor Σ λ_i |z_i|
    (x is zero, for floats), or when no round brings x closer.

    Parameters
    ----------
    F : ndarray of float, shape (p, n)
    tol, floor : float
    unit : bool
        Scale the rows to length 1 (which keeps separability, not the margin), and leave a
        level with the first x whose scores are all positive.

    Yields
    ------
    corral : Corral
        Labels are row numbers of F.
    scores : ndarray
        Of the rows of the level (divided by their lengths if `unit`).
    full : bool
        The level is all rows, in order.
    """
    p, n = F.shape
    least = max(COARSE, 20 * n)
    corral = None
    for stride in [s for s in STRIDES if p >= s * least]:
        level = _every(F, stride, unit)
        if corral is None:
            corral, work = _start(level)
        work = yield from _exhaust(corral, work, level, COARSE_TOL, floor)
        if corral.vanishes(floor):
            return
    level = _every(F, 1, unit)
    if corral is None:
        corral, work = _start(level)
        corral.settle(work[1], work[0], SLACK, floor)
    yield from _confirm(corral, work, level, max(least, p // 16), tol, floor)


def _confirm(corral, work, level, k, tol, floor):
    """Passes over all rows, and between them the rows with the lowest scores."""
    best = np.inf
    while True:
        scores = level.scores(corral.x)
        yield corral, scores, True
        square = corral.x.dot(corral.x)
        if scores.min() >= (1 - tol) * square or square >= best or corral.vanishes(floor):
            return
        best = square
        work = _refresh(work, level, scores, corral.x, tol)
        near = level if len(scores) <= 4 * k else level.lowest(scores, k)
        work = yield from _exhaust(corral, work, near, tol, floor)


def _exhaust(corral, work, level, tol, floor):
    """Rounds on one level, to its closest point; returns the last working set."""
    gap, best = 1.0, np.inf
    while True:
        labels, rows = work
        corral.settle(rows, labels, max(tol / 2, SLACK * min(gap, 1.0)), floor)
        scores = level.scores(corral.x)
        yield corral, scores, level.full
        square = corral.x.dot(corral.x)
        gap = 1 - scores.min() / square if square else 0.0
        done = gap <= tol or (level.lengths is not None and gap < 1)
        if done or square >= best or corral.vanishes(floor):
            return work
        best = square
        work = _refresh(work, level, scores, corral.x, tol)


def _refresh(work, level, scores, x, tol):
    """The nearest rows of the last working set, and the worst violators of the level."""
    labels, rows = work
    n = len(x)
    near = _lowest(rows.dot(x), NEAR * n)
    worse = np.flatnonzero(scores < (1 - tol / 2) * x.dot(x))
    new_labels, new_rows = level.pick(worse[_lowest(scores[worse], ADD * n)])
    labels, index = np.unique(np.concatenate([labels[near], new_labels]), return_index=True)
    return labels, np.concatenate([rows[near], new_rows])[index]


def _start(level):
    """A corral of the row with the lowest score against the mean, and a working set of such rows."""
    p, n = level.V.shape
    share = np.full(p, 1 / p) if level.lengths is None else 1 / (p * level.lengths)
    scores = level.scores(share.dot(level.V))
    index = np.arange(p) if p <= max(SMALL, 4 * n) else _lowest(scores, START * n)
    labels, rows = level.pick(index)
    first = scores[index].argmin()
    lift = np.sqrt(np.einsum("ij,ij->", rows, rows) / len(rows))
    return Corral(rows[first], labels[first], lift), (labels, rows)


def _every(F, stride, unit):
    V = F[::stride]
    labels = np.arange(0, len(F), stride)
    return Level(V, labels, lengths_of(V) if unit else None, stride == 1)


def lengths_of(V):
    """Row norms, or the largest entry where squares underflow; 1 for a zero row."""
    lengths = np.sqrt(np.einsum("ij,ij->i", V, V))
    small = np.flatnonzero(lengths < 1e-140)
    if small.size:
        lengths[small] = np.abs(V[small]).max(axis=1)
    lengths[lengths == 0] = 1
    return lengths


def _lowest(scores, k):
    return np.arange(len(scores)) if k >= len(scores) else np.argpartition(scores, k)[:k]
