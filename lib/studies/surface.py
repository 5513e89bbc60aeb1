"""The error surface of a perceptron whose threshold is fixed: Rojas, 4.1.4 and Figs. 4.4-4.6.

The unit says 1 if w · x ≥ θ. With θ fixed only w is learnt: on a mistake x is added to w, times the rate, or
subtracted. Nothing moves θ, so the convergence theorem does not apply, and the run may go round for ever.
"""

from dataclasses import dataclass

import numpy as np

from lib.numbers import EXACT, as_matrix, as_vector, one_of

AND = (np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1]))
"""The four inputs and what they are to give."""


def outputs(W, X, threshold):
    """What the unit says, 1 if w · x ≥ θ: shape (..., p) for weights of shape (..., n) and points of shape (p, n)."""
    return (np.asarray(W) @ np.asarray(X).T >= threshold).astype(int)


def errors(W, X, y, threshold):
    """E(w), the number of points on which the unit is wrong: shape (...) for weights of shape (..., n)."""
    return (outputs(W, X, threshold) != np.asarray(y)).sum(axis=-1)


@dataclass(frozen=True)
class Descent:
    """Where many starts have come to; rows belong to starts.

    Attributes
    ----------
    w : ndarray of int or float, shape (k, n)
        The last weights.
    steps : ndarray of int, shape (k,)
        Corrections made.
    solved : ndarray of bool, shape (k,)
        True if no point is wrong.
    """

    w: np.ndarray
    steps: np.ndarray
    solved: np.ndarray


def descend(X, y, threshold, starts, *, rate=1, order="restart", max_steps=1000, rng=0):
    """Correct mistakes from many starts at once while the threshold stays.

    Solves: w · x ≥ θ where y is 1 and w · x < θ where it is 0. Stops: when no point is wrong, or after `max_steps`.
    Guarantees nothing for a general rate. Ours, for AND and θ > 0: a start is solved if and only if c_1 + c_2 ≥ θ,
    where c_i < θ is the largest number that differs from w_i by a multiple of the rate, whatever mistakes are
    picked; so all starts are solved if and only if rate ≤ θ/2.

    Parameters
    ----------
    X : array_like of int, shape (p, n)
    y : array_like of {0, 1}, shape (p,)
    threshold, starts, rate
        A number, an array of shape (k, n), a number. Integers are exact: scale all three alike for fractions.
    order : {"restart", "random"}
        The first mistake from the top, or one drawn uniformly.
    """
    X, W = as_matrix(X, "X"), as_matrix(starts, "starts").copy()
    y = as_vector(y, len(X), "y")
    one_of(order, "order", ("restart", "random"))
    if W.dtype == np.int64 and abs(W).max() + max_steps * abs(X).max() * rate >= EXACT:
        raise ValueError("starts are too large; expected integers that stay exact")
    rng = np.random.default_rng(rng)
    moves = (2 * y - 1)[:, None] * X * rate
    steps, live = np.zeros(len(W), dtype=int), np.arange(len(W))
    W = W.astype(np.result_type(W, moves))
    for _ in range(max_steps + 1):
        wrong = outputs(W[live], X, threshold) != y
        keep = wrong.any(axis=1)
        live, wrong = live[keep], wrong[keep]
        if not live.size or steps[live[0]] == max_steps:
            break
        key = wrong if order == "restart" else wrong * rng.random(wrong.shape)
        W[live] += moves[key.argmax(axis=1)]
        steps[live] += 1
    return Descent(W, steps, errors(W, X, y, threshold) == 0)


def path(X, y, threshold, start, *, rate=1, max_steps=1000):
    """The weights of one descent in order "restart", shape (steps + 1, n)."""
    walk = [np.asarray(start)]
    X, y = np.asarray(X), np.asarray(y)
    for _ in range(max_steps):
        wrong = np.flatnonzero(outputs(walk[-1], X, threshold) != y)
        if not wrong.size:
            break
        j = wrong[0]
        walk.append(walk[-1] + (2 * y[j] - 1) * rate * X[j])
    return np.array(walk)
