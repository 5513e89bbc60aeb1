"""The plain Krauth–Mézard loop that the screened one must agree with, pick for pick."""

import numpy as np


def krauth_mezard(Z, c, w0=None, max_updates=100_000):
    """All scores, one dot product a row, the first of the lowest; sums x·w. Returns sums, picks, reached."""
    x = max((Z * Z).sum(axis=1))
    W = np.zeros(Z.shape[1], dtype=Z.dtype) if w0 is None else x * np.asarray(w0)
    picks = []
    while True:
        scores = [z.dot(W) for z in Z]
        j = min(range(len(Z)), key=scores.__getitem__)
        if scores[j] >= c * x or len(picks) == max_updates:
            return W, picks, bool(scores[j] >= c * x)
        W = W + Z[j]
        picks.append(j)
