"""Algorithm 2 and stochastic descent on (17), one example and one unit at a time, as an oracle."""

import numpy as np


def hard_tanh(z):
    return -1 if z < -1 else 1 if z > 1 else z


def decision(v, d, w, b, x):
    return b + sum(w[i] * hard_tanh(v[i] @ x + d[i]) for i in range(len(d)))


def simple_mlp(X, y, v, d, b, *, rate, beta, epochs, literal=False):
    """Algorithm 2 with the test y f(x) <= β, or with the printed one, y (w · x + b) <= β where w stays zero."""
    v, d, counts = v.copy(), d.copy(), []
    for _ in range(epochs):
        updates = unit_updates = 0
        for x, label in zip(X, y, strict=True):
            f = b if literal else decision(v, d, np.ones(len(d), dtype=int), b, x)
            if label * f <= beta:
                updates += 1
                for i in range(len(d)):
                    if abs(v[i] @ x + d[i]) <= 1:
                        unit_updates += 1
                        v[i] = v[i] + rate * label * x
                        d[i] = d[i] + rate * label
                b = b + rate * label
        counts.append((updates, unit_updates))
    return v, d, b, counts


def hard_tanh_mlp(X, y, v, d, w, b, *, rate, mu, nu, epochs):
    v, d, w = v.copy(), d.copy(), w.copy()
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            z = v @ x + d
            update = label * decision(v, d, w, b, x) <= 1
            w_new, v_new = (1 - rate * mu) * w, (1 - rate * nu) * v
            if update:
                for i in range(len(d)):
                    w_new[i] = w_new[i] + rate * label * hard_tanh(z[i])
                    if abs(z[i]) <= 1:
                        v_new[i] = v_new[i] + rate * label * w[i] * x
                        d[i] = d[i] + rate * label * w[i]
                b = b + rate * label
            v, w = v_new, w_new
    return v, d, w, b
