"""Descend to the closest point of the hull of many patterns, a few hundred at a time.

Rows far from the plane do not matter, so Wolfe's algorithm (`corral`) runs on a working set
of some 8n rows; one pass over all scores then finds the worst violators, which join the set.
Coarse levels, every 256th and every 16th row, come first: most of the way is gone on few rows.
"""

import numpy as np

from lib.corral import Corral

STRIDES = (256, 16)
COARSE = 3000
"""A level has at least so many rows, and 20 a column."""
START, NEAR, ADD = 4, 2, 6
"""Rows a column in the first working set, kept of the last one, and added from the violators."""
SMALL = 500
"""So many rows, or 4 a column, are one working set."""
COARSE_TOL = 1e-3


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
        coarse level with the first x whose scores are all positive.

    Yields
    ------
    corral : Corral
        Labels are row numbers of F.
    scores : ndarray
        Of every stride-th row (divided by its length if `unit`).
    stride : int
    """
    p, n = F.shape
    corral = None
    for stride in [s for s in STRIDES if p >= s * max(COARSE, 20 * n)] + [1]:
        V = F[::stride]
        lengths = lengths_of(V) if unit else None
        if corral is None:
            corral, work = _start(F, V, lengths, stride)
        goal = tol if stride == 1 else COARSE_TOL
        gap, best = 1.0, np.inf
        while True:
            rows = F[work] if lengths is None else F[work] / lengths[work // stride, None]
            slack = 0.1 if stride > 1 else 0.03
            corral.settle(rows, work, max(goal / 2, min(slack, slack * gap)), floor)
            scores = V.dot(corral.x)
            if unit:
                scores /= lengths
            yield corral, scores, stride
            square = corral.x.dot(corral.x)
            if corral.vanishes(floor):
                return
            gap = 1 - scores.min() / square
            if gap <= goal or (unit and gap < 1) or square >= best:
                break
            best = square
            work = _next_working_set(corral, work, scores, (1 - goal / 2) * square, stride, n)


def lengths_of(V):
    """Row norms, or the largest entry where squares underflow; 1 for a zero row."""
    lengths = np.sqrt(np.einsum("ij,ij->i", V, V))
    small = np.flatnonzero(lengths < 1e-140)
    if small.size:
        lengths[small] = np.abs(V[small]).max(axis=1)
    lengths[lengths == 0] = 1
    return lengths


def _start(F, V, lengths, stride):
    """The rows with the lowest scores against the mean, and a corral of the lowest."""
    p, n = V.shape
    scores = V.dot(V.mean(axis=0) if lengths is None else (1 / lengths).dot(V) / p)
    if lengths is not None:
        scores /= lengths
    work = np.arange(p) if p <= max(SMALL, 4 * n) else _lowest(scores, START * n)
    first = scores.argmin()
    rows = V[work] if lengths is None else V[work] / lengths[work, None]
    row = V[first] / (1 if lengths is None else lengths[first])
    lift = np.sqrt(np.einsum("ij,ij->", rows, rows) / len(rows))
    return Corral(row, first * stride, lift), work * stride


def _next_working_set(corral, work, scores, level, stride, n):
    """The corral, the nearest rows of the last working set, and the worst violators."""
    near = work[_lowest(scores[work // stride], NEAR * n)]
    worse = np.flatnonzero(scores < level)
    worse = worse[_lowest(scores[worse], ADD * n)]
    return np.unique(np.concatenate([corral.labels, near, worse * stride]))


def _lowest(scores, k):
    return np.arange(len(scores)) if k >= len(scores) else np.argpartition(scores, k)[:k]
