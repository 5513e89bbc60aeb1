"""Starts for the perceptron: the difference of the class means (Rojas, 4.2.1), and what it saves."""

from fractions import Fraction

import numpy as np

from lib.margins.separability import separability
from lib.patterns import fold
from lib.perceptrons.perceptron import perceptron


def mean_difference(X, y, threshold=True):
    """The difference of the means of the classes, exactly, and its threshold, which the text leaves zero."""
    high, low = (X[y == k].sum(axis=0) * Fraction(1, int((y == k).sum())) for k in (1, -1))
    return np.append(high - low, -((high - low) @ (high + low)) / 2 if threshold else 0)


def two_clusters(rng, offset, reach, spread):
    """Fifty points in two clusters around offset ± a random centre, in ten dimensions, and their labels."""
    centre, y = rng.integers(-reach, reach + 1, 10) + np.eye(10, dtype=int)[0], rng.permutation([1, -1] * 25)
    return rng.integers(-spread, spread + 1, (50, 10)) + y[:, None] * centre + offset, y


def cost_of_starts(rng, offset, reach=2, spread=3, sets=25):
    """Share of mistakes at the start and corrections after it, for zero and both mean differences; medians, (3, 2).

    Of three times as many sets the separable ones are taken, until there are enough.
    """
    rows = []
    for _ in range(3 * sets):
        X, y = two_clusters(rng, offset, reach, spread)
        Z = fold(X, y, keep_contradictions=True)
        starts = [np.zeros(11), *(mean_difference(X, y, t).astype(float) for t in (False, True))]
        if len(rows) < sets and separability(Z).separable:
            rows.append([[(Z @ s <= 0).mean(), perceptron(Z, w0=s, max_updates=2000).updates] for s in starts])
    return np.median(np.array(rows), axis=0) if rows else np.full((3, 2), np.nan)
