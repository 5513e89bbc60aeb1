"""Algorithm 2 and stochastic descent on (17), one example, one unit, one feature at a time, as an oracle.

Plain Python on lists: floats in the order of the document's sums, or any exact numbers.
"""


def h(z):
    return -1 if z < -1 else 1 if z > 1 else z


def activation(v, d, x):
    total = 0
    for a, b in zip(v, x, strict=True):
        total += a * b
    return total + d


def decision(v, d, w, b, x):
    total = 0
    for unit, bias, weight in zip(v, d, w, strict=True):
        total += weight * h(activation(unit, bias, x))
    return total + b


def simple_mlp(X, y, v, d, b, *, rate, beta, epochs, literal=False):
    """Algorithm 2 with the test y f(x) <= β, or with the printed one, y (w · x + b) <= β where w stays zero."""
    v, d, counts = [list(unit) for unit in v], list(d), []
    for _ in range(epochs):
        updates = unit_updates = 0
        for x, label in zip(X, y, strict=True):
            f = b if literal else decision(v, d, [1] * len(d), b, x)
            if label * f <= beta:
                updates += 1
                for i in range(len(d)):
                    if abs(activation(v[i], d[i], x)) <= 1:
                        unit_updates += 1
                        v[i] = [a + rate * label * c for a, c in zip(v[i], x, strict=True)]
                        d[i] += rate * label
                b += rate * label
        counts.append((updates, unit_updates))
    return v, d, b, counts


def hard_tanh_mlp(X, y, v, d, w, b, *, rate, mu, nu, epochs):
    v, d, w, counts = [list(unit) for unit in v], list(d), list(w), []
    for _ in range(epochs):
        updates = unit_updates = 0
        for x, label in zip(X, y, strict=True):
            z = [activation(unit, bias, x) for unit, bias in zip(v, d, strict=True)]
            wrong = label * decision(v, d, w, b, x) <= 1
            for i in range(len(d)):
                before = w[i]
                v[i] = [(1 - rate * nu) * a for a in v[i]]
                w[i] = (1 - rate * mu) * w[i]
                if wrong:
                    w[i] += rate * label * h(z[i])
                    if abs(z[i]) <= 1:
                        unit_updates += 1
                        v[i] = [a + rate * label * before * c for a, c in zip(v[i], x, strict=True)]
                        d[i] += rate * label * before
            if wrong:
                updates += 1
                b += rate * label
        counts.append((updates, unit_updates))
    return v, d, w, b, counts
