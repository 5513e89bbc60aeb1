"""The plain loop of the margin perceptron: one pattern after another."""

import numpy as np


def margin_perceptron(Z, rate, decay=0, epochs=10**9, max_updates=10**6, threshold=1, w0=None, bias=True):
    """Returns w, picks, times, converged."""
    w = np.zeros(Z.shape[1], dtype=Z.dtype) if w0 is None else np.array(w0)
    shrink = np.array([1 - rate * decay] * Z.shape[1])
    if bias:
        shrink[-1] = 1
    picks, times = [], []
    for epoch in range(epochs):
        mark = len(picks)
        for j in range(len(Z)):
            wrong = Z[j].dot(w) <= threshold
            if wrong and len(picks) == max_updates:
                return w, picks, times, False
            if decay:
                w = shrink * w
            if wrong:
                w = w + rate * Z[j]
                picks.append(j)
                times.append(epoch * len(Z) + j)
        if len(picks) == mark and not decay:
            return w, picks, times, True
    return w, picks, times, False
