"""Collobert & Bengio's Theorem 4, taken at its word: the SVM of a hidden layer, and that of each unit.

`SMALLEST` are four minima that are known in fractions, `trained` gives networks that have settled in the plane. For
each the support vector machines that the theorem names are solved by other means, and compared.
"""

from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction as F

import numpy as np

from lib.perceptrons.networks import Mlp, hard_tanh, random_mlp
from lib.perceptrons.simple_mlp import hard_tanh_mlp
from lib.studies.stationary import TOUCH, Cell, kinks, least, multipliers, settle, states

FEW = 1e-6
"""Output weights and multipliers below this are counted as zero."""


@dataclass(frozen=True)
class Tiny:
    """One unit without biases on points ±a, each with the label of its sign; all numbers are fractions."""

    points: tuple
    mu: F
    nu: F
    w: F
    v: F

    @property
    def X(self):
        return np.array([[s * a] for a in self.points for s in (1, -1)], dtype=object)

    @property
    def y(self):
        return np.array([1, -1] * len(self.points))

    @property
    def mlp(self):
        return Mlp(np.array([[self.v]]), np.array([F(0)]), np.array([self.w]), F(0))

    def cost(self, moves=(0, 0, 0, 0)):
        """(17) after the weights v, d, w and b have been moved by so much."""
        dv, dd, dw, db = moves
        net = self.mlp
        moved = Mlp(net.v + dv, net.d + dd, net.w + dw, net.b + db)
        return moved.cost(self.X, self.y, mu=self.mu, nu=self.nu)

    @property
    def alpha(self):
        """The multipliers of the points, a number for each pair ±a, forced by the first line of (8).

        Pairs inside have ξ > 0 and so α = 1/L; the first pair takes the rest of μ w = 2 Σ α h(v a).
        """
        full = F(1, len(self.y))
        first, *inner = (hard_tanh(self.v * a) for a in self.points)
        return [(self.mu * self.w / 2 - full * sum(inner)) / first, *[full for _ in inner]]

    @property
    def slope(self):
        """The derivative of h at the first pair that the first line of (34) asks for, ν v = 2 w Σ α h′ a."""
        return (self.nu * self.v - self.pull(0)) / (2 * self.w * self.alpha[0] * self.points[0])

    def pull(self, slope):
        """w Σ y α h′ x with this derivative at the first pair: what (34) compares with ν v."""
        outer, *inner = (alpha * a for alpha, a in zip(self.alpha, self.points, strict=True))
        return 2 * self.w * (slope * outer + sum(inner))


SMALLEST = {
    "K0": Tiny((F(1),), mu=F(1, 16), nu=F(1), w=F(2), v=F(1, 2)),
    "K1": Tiny((F(1),), mu=F(1, 2), nu=F(1, 4), w=F(1), v=F(1)),
    "K2": Tiny((F(1),), mu=F(2), nu=F(1, 4), w=F(1, 2), v=F(1)),
    "K3": Tiny((F(1), F(1, 2)), mu=F(1, 2), nu=F(1, 4), w=F(1), v=F(1)),
}
"""Four minima of (17): one inside its strip, three on a kink, |v a| = 1."""


@dataclass(frozen=True)
class Rest:
    """A network at rest on its examples, with the multipliers that come closest to (8) and (34)."""

    name: str
    X: np.ndarray
    y: np.ndarray
    mlp: Mlp
    mu: float
    nu: float
    before: float
    """The cost after stochastic descent, before the network was settled."""

    def multipliers(self, printed=False):
        return multipliers(self.mlp, self.X, self.y, mu=self.mu, nu=self.nu, printed=printed)

    @property
    def cost(self):
        return self.mlp.cost(self.X, self.y, mu=self.mu, nu=self.nu)

    @property
    def units(self):
        """The units whose output weight is not zero: the others are free."""
        return [int(i) for i in np.flatnonzero(np.abs(self.mlp.w) > FEW)]

    def kinks_of(self, i):
        """How many examples stand on a kink of unit i."""
        return sum(unit == i for _, unit in kinks(self.mlp, self.X))


def trained(seed, examples, decay, epochs):
    """Two units on a noisy XOR in the plane: stochastic descent on (17), then settled in its cell, as a `Rest`."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(examples, 2))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=examples) > 0, 1, -1)
    y[:2] = [1, -1]
    rough = hard_tanh_mlp(X, y, rate=0.05, units=2, epochs=epochs, rng=seed, mu=decay, nu=decay).mlp
    before = rough.cost(X, y, mu=decay, nu=decay)
    return Rest(f"seed {seed}", X, y, settle(rough, X, y, mu=decay, nu=decay), decay, decay, before)


def at_rest(tiny, name):
    """One of the `SMALLEST` in floats, as a `Rest`."""
    mlp = Mlp(*(np.asarray(part, dtype=float) for part in (tiny.mlp.v, tiny.mlp.d, tiny.mlp.w)), 0.0)
    return Rest(name, tiny.X.astype(float), tiny.y, mlp, float(tiny.mu), float(tiny.nu), float(tiny.cost()))


def repeated(rest, copies):
    """The network on so many copies of its examples: it stays at rest."""
    X, y = np.tile(rest.X, (copies, 1)), np.tile(rest.y, copies)
    return Rest(rest.name, X, y, rest.mlp, rest.mu, rest.nu, rest.before)


def active_gradients(rest):
    """Rank and number of the gradients of the active constraints (33)."""
    cell = Cell(rest.X, rest.y, states(rest.mlp, rest.X), rest.mu, rest.nu)
    point, number = cell.pack(rest.mlp), 2 * len(rest.y)
    active = np.abs(cell.constraints(point)[:number]) <= TOUCH
    return int(np.linalg.matrix_rank(cell.jacobian(point)[:number][active])), int(active.sum())


class SoftMargin(namedtuple("SoftMargin", "X s r decay count")):
    """Least decay/2 ‖v‖² + Σ ξ/count with s_l (v · x_l + d) ≥ r_l − ξ_l and ξ ≥ 0: (4) and (5), with any r for 1."""

    def solve(self):
        """v and d, by sequential quadratic programming; v is NaN if the decay is negative, which has no minimum."""
        m, n = self.X.shape
        if self.decay < 0:
            return np.full(n, np.nan), np.nan
        rows, zero = self.s[:, None] * np.column_stack([self.X, np.ones(m)]), np.zeros((m, n + 1))
        matrix = np.block([[rows, np.eye(m)], [zero, np.eye(m)]])
        right = np.concatenate([self.r, np.zeros(m)])
        square, linear = np.repeat([self.decay, 0, 0], [n, 1, m]), np.repeat([0, 0, 1 / self.count], [n, 1, m])
        start = np.concatenate([np.zeros(n + 1), np.maximum(self.r, 0)])
        end = least(square, linear, start, lambda p: matrix @ p - right, lambda _: matrix)
        return end[:n], float(end[n])


def hidden_svm(rest, decay=None):
    """The SVM (3) in the hidden layer of a network, with its own decay μ or another."""
    L = len(rest.y)
    return SoftMargin(rest.mlp.hidden(rest.X), rest.y, np.ones(L), rest.mu if decay is None else decay, L)


def local_svm(rest, i, *, decay="ν/|w|", labels="sign(w) y", constraints="/|w|", closed=False):
    """The SVM of unit i on the examples in its open strip: as corrected, or with parts of it as printed."""
    w, z, y = rest.mlp.w[i], rest.mlp.activations(rest.X)[:, i], rest.y
    right = 1 - y * (rest.mlp.decision(rest.X) - w * hard_tanh(z))  # 1 − y (b + the other units)
    inside = np.abs(z) <= 1 + TOUCH if closed else np.abs(z) < 1 - TOUCH
    weight = {"ν/|w|": rest.nu / abs(w), "ν/w": rest.nu / w, "ν": rest.nu}[decay]
    side = {"sign(w) y": np.sign(w) * y, "y": y}[labels]
    right = {"/|w|": right / abs(w), "printed": right}[constraints]
    return SoftMargin(rest.X[inside], side[inside], right[inside], weight, len(y))


def as_printed(rest, i):
    """The SVM of unit i with decay, labels, constraints and strip as Theorem 4 prints them."""
    return local_svm(rest, i, decay="ν/w", labels="y", constraints="printed", closed=True)


def off(svm, rest, i):
    """How far the solution of an SVM is from the weights v of unit i; infinite if there is none."""
    distance = np.abs(svm.solve()[0] - rest.mlp.v[i]).max()
    return float(distance) if np.isfinite(distance) else np.inf


def local_multipliers(rest, i):
    """Multipliers of the examples in unit i's own problem, found without those of the output layer, shape (L,).

    Inside the strip they are 1/L below the margin and 0 above; on a kink anything from 0 to 1/L; outside 0. The rest
    is least squares on ν v = w Σ y γ x and Σ y γ = 0.
    """
    from scipy.optimize import lsq_linear

    L, w, z = len(rest.y), rest.mlp.w[i], np.abs(rest.mlp.activations(rest.X)[:, i])
    margin = rest.y * rest.mlp.decision(rest.X)
    low = np.where((margin < 1 - TOUCH) & (z < 1 - TOUCH), 1 / L, 0.0)
    high = np.where((margin > 1 + TOUCH) | (z > 1 + TOUCH), 0.0, 1 / L)
    matrix = w * (rest.y[:, None] * np.column_stack([rest.X, np.ones(L)])).T
    free = high > low
    wanted = np.append(rest.nu * rest.mlp.v[i], 0) - matrix @ low
    gamma = low.copy()
    if free.any():
        gamma[free] += lsq_linear(matrix[:, free], wanted, (0, (high - low)[free]), tol=1e-14).x
    return gamma


def smooth_minimum(h, slope, seed, *, examples=12, units=2, mu=0.05, nu=0.05):
    """A minimum of (17) with a transfer function that has a derivative: hidden layer (L, N), labels, w and b.

    The problem is (32) under (33), in w, b, v, d and ξ, solved from a random start.
    """
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(examples, 2)), rng.choice([-1, 1], examples)
    y[:2] = [1, -1]
    extended, N, L = np.column_stack([X, np.ones(examples)]), units, examples
    start = random_mlp(units, 2, seed, output=True)
    square = np.concatenate([[mu] * N, [0], [nu, nu, 0] * N, [0] * L])
    linear = np.concatenate([np.zeros(4 * N + 1), np.full(L, 1 / L)])

    def parts(p):
        w, b, v = p[:N], p[N], p[N + 1 : 4 * N + 1].reshape(N, 3)
        return w, b, extended @ v.T

    def constraints(p):
        w, b, z = parts(p)
        return np.concatenate([p[-L:], p[-L:] - 1 + y * (h(z) @ w + b)])

    def jacobian(p):
        w, _, z = parts(p)
        by_v = (w * slope(z))[:, :, None] * extended[:, None, :]
        by_f = np.hstack([h(z), np.ones((L, 1)), by_v.reshape(L, -1)])
        return np.block([[np.zeros((L, 4 * N + 1)), np.eye(L)], [y[:, None] * by_f, np.eye(L)]])

    begun = np.concatenate([start.w, [0], np.column_stack([start.v, start.d]).ravel(), np.full(L, 2.0)])
    w, b, z = parts(least(square, linear, begun, constraints, jacobian))
    return h(z), y, w, b, mu
