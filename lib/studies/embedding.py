"""Planes in the space of monomials: how often random labels can be separated, and what the capacity costs."""

from itertools import product
from math import comb

import numpy as np

from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.patterns import monomials


def lifted(X, degree, *, unit=1):
    """φ(x) with all monomials up to a degree, the constant first; points are divided by a unit where it is not one."""
    X = np.asarray(X) if unit == 1 else np.asarray(X) / unit
    return np.column_stack([np.ones(len(X), dtype=X.dtype), monomials(X, degree)])


def separable_labels(p, degree, trials, rng):
    """How many of so many random labellings of p random points of a 601 × 601 grid can be separated."""
    hits = 0
    for _ in range(trials):
        signs = rng.choice([-1, 1], p)
        hits += separability(lifted(rng.integers(-300, 301, (p, 2)), degree) * signs[:, None]).separable is True
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
