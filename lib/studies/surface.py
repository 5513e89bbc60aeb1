"""The error surface of a perceptron whose threshold is fixed: Rojas, 4.1.4 and Figs. 4.4-4.6.

The unit says 1 if w · x ≥ θ. With θ fixed only w is learnt: on a mistake x is added to w, times the rate, or
subtracted. Nothing moves θ, so the convergence theorem does not apply, and the run may go round for ever.
"""

import numpy as np

from lib.compiled import add, compiled, dot
from lib.numbers import EXACT, as_matrix, as_vector, largest, whole_number

AND = (np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1]))
"""The four inputs and what they are to give."""


def outputs(W, X, threshold):
    """What the unit says, 1 if w · x ≥ θ: shape (..., p) for weights of shape (..., n) and points of shape (p, n)."""
    return (np.asarray(W) @ np.asarray(X).T >= threshold).astype(int)


def errors(W, X, y, threshold):
    """E(w), the number of points on which the unit is wrong: shape (...) for weights of shape (..., n)."""
    return (outputs(W, X, threshold) != np.asarray(y)).sum(axis=-1)


@compiled
def descend_once(X, y, threshold, w, rate, room, rng):
    """Correct the first wrong point from the top (or one drawn) while the threshold stays; the path of the weights."""
    path = [w.copy()]
    while True:
        wrong = [j for j in range(len(X)) if (dot(X[j], w) >= threshold) != y[j]]
        if len(wrong) == 0 or len(path) > room:
            return path, len(wrong) == 0
        j = wrong[0] if rng is None else wrong[rng.integers(0, len(wrong))]
        add(X[j], w, rate if y[j] else -rate)
        path.append(w.copy())


def descend(X, y, threshold, starts, *, rate=1, max_updates=1000, rng=None):
    """Correct mistakes from each start while the threshold stays: give the path, (updates + 1, n), and whether it ends.

    Solves: w · x ≥ θ where y is 1 and w · x < θ where it is 0. Stops: when no point is wrong, or after `max_updates`.
    Guarantees nothing in general; notebook 10 says from which starts AND is learnt.

    Parameters
    ----------
    X, y : array_like of int, shapes (p, n) and (p,)
        Points, and 0 or 1 for each.
    threshold, starts, rate
        A number, an array of shape (k, n), a number. Integers are exact: scale all three alike for fractions.
    rng : int or numpy.random.Generator, optional
        Draws the mistake to correct; without it, it is the first from the top.
    """
    X, starts, room = as_matrix(X, "X"), as_matrix(starts, "starts"), whole_number(max_updates, "max_updates")
    y = as_vector(y, len(X), "y").astype(bool)
    if (largest(starts) + room * abs(rate) * largest(X)) * largest(X) * X.shape[1] >= EXACT:
        raise ValueError("starts are too large; expected integers that stay exact")
    rng = None if rng is None else np.random.default_rng(rng)
    X = X.astype(np.float64)
    for w in starts.astype(np.float64):
        path, done = descend_once(X, y, float(threshold), w, float(rate), room, rng)
        yield np.array(path), done


def arrivals(starts, g, step, rng=None):
    """Runs of AND with θ = g and steps of one length, all integers, beside what notebook 10 proves of them.

    Returns four arrays, an entry a start: whether the run arrived, whether c1 + c2 ≥ θ, the corrections, and their
    bound 2 (i² + j²), where w = c + step · (i, j) and c_i is the largest number below θ that steps lead to.
    """
    c = g - 1 - (g - 1 - starts) % step
    bound = 2 * (((starts - c) // step) ** 2).sum(axis=1)
    runs = descend(*AND, g, starts, rate=step, max_updates=int(bound.max()), rng=rng)
    taken, arrived = np.array([(len(path) - 1, done) for path, done in runs]).T
    return arrived == 1, c.sum(axis=1) >= g, taken, bound


def around(patterns):
    """Mistakes on planar integer patterns in each sector of directions between two borders, around the circle."""
    Z = as_matrix(patterns, "patterns").astype(np.int64)
    borders = np.vstack([Z[:, ::-1] * [-1, 1], Z[:, ::-1] * [1, -1]])
    borders //= np.gcd.reduce(borders, axis=1)[:, None]
    borders = np.unique(borders, axis=0)
    borders = borders[np.argsort(np.arctan2(borders[:, 1], borders[:, 0]))]
    following = np.roll(borders, -1, axis=0)
    inside = borders + following if len(borders) > 2 else borders[:, ::-1] * [-1, 1]
    return (inside @ Z.T <= 0).sum(axis=1)


def leads_down(mistakes):
    """Of each sector with mistakes, whether one of its two neighbours has fewer."""
    least = np.minimum(np.roll(mistakes, 1), np.roll(mistakes, -1))
    return (least < mistakes)[mistakes > 0]


def floors():
    """The seven regions of the error of AND at threshold 1, cut to [-0.5, 1.5]², as polygons, and their errors."""
    corners = ["10 01 11", "-- 1- 10 01 -1", "10 +- +1 11", "01 -+ 1+ 11", "11 +1 ++ 1+", "1- +- 10", "-1 01 -+"]
    number = {"-": -0.5, "+": 1.5, "0": 0.0, "1": 1.0}
    found = [np.array([[number[c] for c in name] for name in names.split()]) for names in corners]
    return found, [int(errors(floor.mean(axis=0), *AND, 1)) for floor in found]


def prism(floor, height):
    """The top and the walls of a column over a polygon, as polygons in space."""
    top = np.column_stack([floor, np.full(len(floor), height)])
    pairs = zip(top, np.roll(top, 1, axis=0), strict=True)
    return [top, *(np.array([p, q, q * [1, 1, 0], p * [1, 1, 0]]) for p, q in pairs)]
