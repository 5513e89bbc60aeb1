"""Networks with one hidden layer of hard-tanh units: what they say, and what every training of one shares.

A network is f(x) = Σ_i w_i h(v_i · x + d_i) + b, with h(z) = z on [−1, 1] and ±1 beyond: Collobert & Bengio's (1) and
(31). Sums run over the features in their order, then over the units in theirs: a network says the same on every
machine, to the last bit. The rules by which one learns are texts of their own, see `simple_mlp`.
"""

from dataclasses import dataclass, field

import numpy as np

from lib.compiled import compiled
from lib.numbers import as_matrix, as_numbers, in_one_system, quotient, whole_number
from lib.patterns import as_signs


def hard_tanh(z):
    """The transfer function (31): z on [−1, 1], −1 below, 1 above."""
    return np.minimum(np.maximum(z, -1), 1)


@compiled
def output(z, w, b):
    """f = Σ_i w_i h(z_i) + b."""
    f = 0
    for i in range(len(w)):
        f += w[i] * min(max(z[i], -1), 1)
    return f + b


@compiled(reassociate=True)
def rough_output(z, w):
    """Σ_i w_i h(z_i) and Σ_i |w_i h(z_i)|, added in any order."""
    f = size = 0
    for i in range(len(w)):
        f += w[i] * min(max(z[i], -1), 1)
        size += abs(w[i] * min(max(z[i], -1), 1))
    return f, size


@compiled
def at_most(z, w, b, y, beta):
    """y f ≤ β; the rough sum tells if the gap is larger than what any order of the additions may change."""
    f, size = rough_output(z, w)
    gap = y * (f + b) - beta
    if abs(gap) * 2**50 > (len(w) + 4) * (size + abs(b) + abs(beta)):
        return gap <= 0
    return y * output(z, w, b) <= beta


@compiled
def look(X, j, last, step, v, d, z):
    """z_i = v_i · x_j + d_i for every unit i, a column of v.

    If an example `last` ≥ 0 has a step still to be made, v_i ← v_i + step_i x_last and d_i ← d_i + step_i come first,
    on the same way through the weights. Four features at a time, many units side by side: each sum keeps its order.
    """
    z[:] = 0
    for k in range(0, X.shape[1], 4):
        p, q, r, s = X[j, k], X[j, k + 1], X[j, k + 2], X[j, k + 3]
        if last >= 0:
            x0, x1, x2, x3 = X[last, k], X[last, k + 1], X[last, k + 2], X[last, k + 3]
            for i in range(len(z)):
                v0 = v[k, i] + step[i] * x0
                v1 = v[k + 1, i] + step[i] * x1
                v2 = v[k + 2, i] + step[i] * x2
                v3 = v[k + 3, i] + step[i] * x3
                v[k, i], v[k + 1, i], v[k + 2, i], v[k + 3, i] = v0, v1, v2, v3
                z[i] = (((z[i] + p * v0) + q * v1) + r * v2) + s * v3
        elif p != 0 or q != 0 or r != 0 or s != 0:  # zeros change no sum
            for i in range(len(z)):
                z[i] = (((z[i] + p * v[k, i]) + q * v[k + 1, i]) + r * v[k + 2, i]) + s * v[k + 3, i]
    for i in range(len(z)):
        d[i] += step[i] if last >= 0 else 0
        z[i] += d[i]


@compiled
def look_at_all(X, v, d, w, b, Z, f):
    """Every output into f, the activations into the rows of Z, from the top again when it is full."""
    for j in range(len(X)):
        look(X, j, -1, d, v, d, Z[j % len(Z)])
        f[j] = output(Z[j % len(Z)], w, b)


@dataclass(frozen=True)
class Mlp:
    """A hard-tanh network with N units: v of shape (N, n), d and w of shape (N,), and b.

    Where weights and inputs are integers or Fractions, its answers are exact.
    """

    v: np.ndarray = field(repr=False)
    d: np.ndarray = field(repr=False)
    w: np.ndarray = field(repr=False)
    b: float

    _look_at_all = look_at_all

    @property
    def units(self):
        return len(self.d)

    def parts(self):
        """The arrays v, d, w and [b], checked."""
        return [as_numbers(np.asarray(part), "the network") for part in (self.v, self.d, self.w, [self.b])]

    def _look(self, X, rows=None):
        """Activations, of all examples or in so many rows that are used in turn, and outputs."""
        X, v, d, w, b = in_one_system(as_matrix(X, "X"), *self.parts())
        v, d = by_columns(v, d)
        Z, f = np.empty((rows or len(X), len(d)), X.dtype), np.empty(len(X), X.dtype)
        self._look_at_all(by_fours(X), v, d, w, b[0], Z, f)
        return Z[:, : self.units], f

    def activations(self, X):
        """z_il = v_i · x_l + d_i, shape (L, N)."""
        return self._look(X)[0]

    def hidden(self, X):
        """Φ(x_l) of (2), shape (L, N)."""
        return hard_tanh(self.activations(X))

    def decision(self, X):
        """f(x_l) of (1), shape (L,)."""
        return self._look(X, rows=1)[1]

    def errors(self, X, y):
        """The number of examples without y f(x) > 0."""
        return int(np.count_nonzero(~(as_signs(y, len(X)) * self.decision(X) > 0)))

    def cost(self, X, y, *, mu=0, nu=0, beta=1):
        """(17), and (36) for mu = nu = 0 and unit output weights."""
        v, _, w, _ = in_one_system(*self.parts())
        loss = np.maximum(beta - as_signs(y, len(X)) * self.decision(X), 0)
        return quotient(mu * (w * w).sum() + nu * (v * v).sum(), 2) + quotient(loss.sum(), len(loss))


def by_fours(X):
    """X for `look`, filled up with features that are zero, to fours."""
    return _filled_up(X, len(X), X.shape[1] + -X.shape[1] % 4)


def by_columns(v, d):
    """v and d for `look`: a column a unit, filled up to fours of features and, for speed, of units to whole vectors."""
    width = len(d)
    if v.dtype != object:
        width += -width % (8 if width < 256 else 32)
    return _filled_up(v.T, v.shape[1] + -v.shape[1] % 4, width), _filled_up(d[None], 1, width)[0]


def _filled_up(a, rows, columns):
    """A copy that begins on a cache line, for speed."""
    room = np.zeros(rows * columns + 8, a.dtype)
    copy = room[-(room.ctypes.data // 8) % 8 :][: rows * columns].reshape(rows, columns)
    copy[: a.shape[0], : a.shape[1]] = a
    return copy


def random_mlp(units, features, rng=0, *, output=False):
    """A start: v and d uniform on ±1/√n, in multiples of 2^−16; w = 1 (or uniform on ±1/√N), b = 0."""
    whole_number(units, "units", least=1)
    rng = np.random.default_rng(rng)
    v = np.round(rng.uniform(-1, 1, (units, features + 1)) / np.sqrt(features) * 2.0**16) / 2.0**16
    w = rng.uniform(-1, 1, units) / np.sqrt(units) if output else np.ones(units)
    return Mlp(v[:, :-1].copy(), v[:, -1].copy(), w, 0.0)
