"""The plain loops that the fast code must agree with, pick for pick."""

import numpy as np


def perceptron(Z, order="cyclic", w0=None, max_updates=1_000_000, rng=0):
    """One row at a time. Returns w, picks, passes, converged."""
    rng = np.random.default_rng(rng)
    w = np.zeros(Z.shape[1], dtype=Z.dtype) if w0 is None else np.array(w0)
    picks, passes = [], 0
    while True:
        passes += 1
        mark = len(picks)
        for j in _mistakes(Z, w, order, rng):
            if order == "cyclic" and not Z[j].dot(w) <= 0:
                continue
            if len(picks) == max_updates:
                return w, picks, passes, False
            w = w + Z[j]
            picks.append(j)
        if len(picks) == mark:
            return w, picks, passes, True


def _mistakes(Z, w, order, rng):
    """What to look at in one pass: all rows for the cyclic order, one mistake or none for the others."""
    if order == "cyclic":
        return range(len(Z))
    if order == "restart":
        return [next(j for j in range(len(Z)) if Z[j].dot(w) <= 0)] if any(z.dot(w) <= 0 for z in Z) else []
    scores = Z.dot(w)
    wrong = [j for j in range(len(Z)) if scores[j] <= 0]
    if not wrong:
        return []
    return [int(np.argmin(scores)) if order == "worst" else wrong[rng.integers(len(wrong))]]
