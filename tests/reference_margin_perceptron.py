"""The plain loop of the margin perceptron: one pattern after another, products added in the order of the columns."""

import numpy as np
from reference import dot


def margin_perceptron(
    Z, rate, decay=0, epochs=10**9, max_updates=10**6, threshold=1, w0=None, bias=True, order="cyclic"
):
    """Returns picks, times, converged and the weights after 0, 1, … presentations; w is the last of them."""
    w = np.zeros(Z.shape[1], dtype=Z.dtype) if w0 is None else np.array(w0)
    shrink = np.array([1 - rate * decay] * Z.shape[1])
    if bias:
        shrink[-1] = 1
    picks, times, states = [], [], [w]
    for _ in range(epochs):
        mark = len(picks)
        for j in _turn(Z, w, order):
            wrong = dot(Z[j], w) <= threshold
            if wrong and len(picks) == max_updates:
                return picks, times, False, states
            if decay:
                w = shrink * w
            if wrong:
                w = w + rate * Z[j]
                picks.append(int(j))
                times.append(len(states) - 1)
            states.append(w)
        if len(picks) == mark and not decay:
            return picks, times, True, states
    return picks, times, False, states


def _turn(Z, w, order):
    if order == "worst":
        scores = [dot(z, w) for z in Z]
        return [scores.index(min(scores))]
    return range(len(Z))
