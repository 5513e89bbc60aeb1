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
