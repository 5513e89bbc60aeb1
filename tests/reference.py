"""The plain loops that the fast code must agree with, pick for pick."""

import numpy as np


def dot(a, b):
    """Products added one after the other, in any number system."""
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def perceptron(Z, order="cyclic", w0=None, max_updates=1_000_000, rng=0):
    """One row at a time. Returns w, picks, passes, converged."""
    rng = np.random.default_rng(rng)
    w = np.zeros(Z.shape[1], dtype=Z.dtype) if w0 is None else np.array(w0)
    picks, passes = [], 0
    while True:
        passes += 1
        mark = len(picks)
        for j in _mistakes(Z, w, order, rng):
            if order == "cyclic" and not dot(Z[j], w) <= 0:
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
    scores = [dot(z, w) for z in Z]
    wrong = [j for j, score in enumerate(scores) if score <= 0]
    if not wrong:
        return []
    if order == "restart":
        return wrong[:1]
    return [scores.index(min(scores)) if order == "worst" else wrong[rng.integers(len(wrong))]]
