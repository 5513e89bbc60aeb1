"""The corrective rule as Rojas prints it, one row at a time."""

import numpy as np
from reference import _mistakes, dot


def corrective(Z, order="cyclic", w0=None, max_updates=1000, rng=0, eps=1, gamma=None):
    """Rojas' 4.2.3, with δ written out. Returns w, picks, converged."""
    rng = np.random.default_rng(rng)
    w = 0 * Z[0] if w0 is None else np.array(w0)
    picks = []
    while True:
        mark = len(picks)
        for j in _mistakes(Z, w, order, rng):
            delta = -dot(Z[j], w)
            if delta < 0:
                continue
            if len(picks) == max_updates:
                return w, picks, False
            g = None if gamma is None else gamma[min(len(picks), len(gamma) - 1)]
            w = w + ((delta + eps) / dot(Z[j], Z[j]) if g is None else g * (delta + eps)) * Z[j]
            picks.append(int(j))
        if len(picks) == mark:
            return w, picks, True
