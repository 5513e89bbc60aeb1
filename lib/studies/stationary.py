"""Minima of the MLP's cost (17) and what Theorem 4 says of them: Collobert & Bengio, section 6.

In a cell, where each unit is linear or saturated on each example in a fixed way, (17) is the smooth problem (32) under
the constraints (33). `Cell` is that problem, `settle` walks from cell to cell, `multipliers` asks for the Lagrange
multipliers of (8) and (34), and `SoftMargin` is an SVM with any right-hand sides: the one in the hidden layer, and the
local ones of Theorem 4. Solvers are handed in, for this package needs none: `scipy.optimize.minimize` and `linprog`.
"""

from dataclasses import dataclass

import numpy as np

from lib.perceptrons.mlp import Mlp, hard_tanh

TOUCH = 1e-7
"""Activations and margins as near as this to 1 count as equal to it."""


def states(mlp, X):
    """Where each unit stands on each example, shape (L, N): 0 linear (a kink, |z| = 1, too), ±1 saturated."""
    z = mlp.activations(X)
    return np.where(np.abs(z) <= 1 + TOUCH, 0, np.sign(z)).astype(int)


def kinks(mlp, X):
    """The pairs (example, unit) with |z| = 1."""
    return [tuple(map(int, pair)) for pair in np.argwhere(np.abs(np.abs(mlp.activations(X)) - 1) <= TOUCH)]


@dataclass(frozen=True)
class Cell:
    """(32) under (33) and under z <= −1, −1 <= z <= 1 or 1 <= z, as `states` says.

    A point is the vector of w, b, v (row by row), d and the slacks ξ.
    """

    X: np.ndarray
    y: np.ndarray
    states: np.ndarray
    mu: float
    nu: float

    def pack(self, mlp):
        slack = np.maximum(1 - self.y * mlp.decision(self.X), 0)
        return np.concatenate([mlp.w, [mlp.b], mlp.v.ravel(), mlp.d, slack]).astype(float)

    def unpack(self, point):
        N, n = self.states.shape[1], self.X.shape[1]
        w, b, v, d, _ = np.split(point, np.cumsum([N, 1, N * n, N]))
        return Mlp(v.reshape(N, n), d, w, float(b[0]))

    def cost(self, point):
        mlp = self.unpack(point)
        decay = self.mu * mlp.w @ mlp.w + self.nu * (mlp.v * mlp.v).sum()
        return decay / 2 + point[-len(self.y) :].mean()

    def gradient(self, point):
        mlp, L = self.unpack(point), len(self.y)
        parts = [self.mu * mlp.w, [0], self.nu * mlp.v.ravel(), np.zeros(mlp.units), np.full(L, 1 / L)]
        return np.concatenate(parts)

    def constraints(self, point):
        """Numbers that are not negative where (33) and the cell's conditions hold."""
        mlp, xi, S = self.unpack(point), point[-len(self.y) :], self.states
        z = mlp.activations(self.X)
        f = np.where(S == 0, z, S) @ mlp.w + mlp.b
        sides = [(1 - z)[S == 0], (1 + z)[S == 0], (S * z - 1)[S != 0]]
        return np.concatenate([xi, xi - 1 + self.y * f, *sides])

    def jacobian(self, point):
        mlp, S, L = self.unpack(point), self.states, len(self.y)
        N, n = S.shape[1], self.X.shape[1]
        z, linear = mlp.activations(self.X), (S == 0).astype(float)
        by_z = linear * mlp.w  # ∂f/∂z, shape (L, N)
        f = np.hstack([np.where(S == 0, z, S), np.ones((L, 1)), _spread(by_z, self.X), by_z])
        dz = np.zeros((L, N, N * n + N))
        for i in range(N):
            dz[:, i, i * n : (i + 1) * n], dz[:, i, N * n + i] = self.X, 1
        dz = np.concatenate([np.zeros((L, N, N + 1)), dz, np.zeros((L, N, L))], axis=2)
        slack = np.hstack([np.zeros((L, f.shape[1])), np.eye(L)])
        hinge = np.hstack([self.y[:, None] * f, np.eye(L)])
        inside, beyond = dz[S == 0], S[S != 0][:, None] * dz[S != 0]
        return np.vstack([slack, hinge, -inside, inside, beyond])

    def solve(self, mlp, minimize):
        """The network that `scipy.optimize.minimize` (SLSQP) finds from here, in this cell."""
        end = _slsqp(minimize, self.cost, self.gradient, self.pack(mlp), self.constraints, self.jacobian)
        return self.unpack(end)


def _slsqp(minimize, cost, gradient, start, constraints, jacobian):
    """The point that `scipy.optimize.minimize` finds where no constraint is negative."""
    limits = {"type": "ineq", "fun": constraints, "jac": jacobian}
    options = {"ftol": 1e-16, "maxiter": 400}
    return minimize(cost, start, jac=gradient, method="SLSQP", constraints=limits, options=options).x


def _spread(by_z, X):
    return (by_z[:, :, None] * X[:, None, :]).reshape(len(X), -1)


def settle(mlp, X, y, *, mu, nu, minimize, rounds=50):
    """Walk down (17) from cell to cell until no cell across a single kink is better.

    Solves (32) in the cell of `mlp`, then tries the cells on the other side of each kink. The end is stationary in
    every cell that it touches one flip away; it is not certified to be a local minimum.
    """
    best = Cell(X, y, states(mlp, X), mu, nu).solve(mlp, minimize)
    for _ in range(rounds):
        for k, i in kinks(best, X):
            S = states(best, X)
            S[k, i] = np.sign(best.activations(X)[k, i])
            other = Cell(X, y, S, mu, nu).solve(best, minimize)
            if other.cost(X, y, mu=mu, nu=nu) < best.cost(X, y, mu=mu, nu=nu) - 1e-10:
                best = Cell(X, y, states(other, X), mu, nu).solve(other, minimize)
                break
        else:
            break
    return best


@dataclass(frozen=True)
class Multipliers:
    """The best multipliers at a point.

    Attributes
    ----------
    residual : float
        The largest violation of (8) and (34) that is left; zero at a stationary point.
    alpha : ndarray, shape (L,)
    gamma : ndarray, shape (L, N)
        α_l h′(z_il), with h′ between 0 and 1 at a kink.
    """

    residual: float
    alpha: np.ndarray
    gamma: np.ndarray


def multipliers(mlp, X, y, *, mu, nu, linprog, printed=False):
    """The α (and γ) that leave the smallest residual in (8) and (34), by linear programming.

    α_l is 1/L where y f < 1, 0 where y f > 1, between them where y f = 1. γ_il is α_l where |z| < 1, 0 where |z| > 1,
    between them where |z| = 1; with `printed`, α_l there as well, which is the document's h′(±1) = 1.

    Parameters
    ----------
    linprog : callable
        `scipy.optimize.linprog`.

    Returns
    -------
    Multipliers
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    M, c = kkt_system(mlp, X, y, mu, nu)
    L, N = len(y), mlp.units
    margin, z = y * mlp.decision(X), np.abs(mlp.activations(X))
    low = np.where(margin < 1 - TOUCH, 1 / L, 0.0)
    high = np.where(margin > 1 + TOUCH, 0.0, 1 / L)
    kink, one = np.abs(z - 1) <= TOUCH, np.ones((len(c), 1))
    tied = np.zeros((L * N, L + L * N + 1))
    tied[np.arange(L * N), L + np.arange(L * N)] = 1
    tied[np.arange(L * N), np.repeat(np.arange(L), N)] = -np.where((z <= 1) | kink, 1.0, 0.0).ravel()
    free = kink.ravel() & (not printed)
    answer = linprog(
        np.eye(L + L * N + 1)[-1],
        A_ub=np.vstack([np.hstack([M, -one]), np.hstack([-M, -one]), tied[free]]),
        b_ub=np.concatenate([c, -c, np.zeros(free.sum())]),
        A_eq=tied[~free] if (~free).any() else None,
        b_eq=np.zeros((~free).sum()) if (~free).any() else None,
        bounds=[*zip(low, high, strict=True), *[(0, 1 / L)] * (L * N), (0, None)],
    )
    found = answer.x[:-1]
    return Multipliers(float(np.abs(M @ found - c).max()), found[:L], found[L:].reshape(L, N))


def kkt_system(mlp, X, y, mu, nu):
    """M and c such that M (α, γ) − c are the residuals of (8) and (34): μw, 0, νv and 0 against their sums.

    The lines of unit i carry the factor w_i, as the Lagrangian's derivative does.
    """
    L, N = len(y), mlp.units
    alpha = np.vstack([(y[:, None] * mlp.hidden(X)).T, y])
    lines = []
    for i in range(N):
        part = np.zeros((X.shape[1] + 1, L, N))
        part[:, :, i] = mlp.w[i] * (y[:, None] * np.column_stack([X, np.ones(L)])).T
        lines.append(part.reshape(-1, L * N))
    M = np.block([[alpha, np.zeros((N + 1, L * N))], [np.zeros((N * (X.shape[1] + 1), L)), np.vstack(lines)]])
    c = np.concatenate([mu * mlp.w, [0], np.column_stack([nu * mlp.v, np.zeros(N)]).ravel()])
    return M.astype(float), c.astype(float)


@dataclass(frozen=True)
class SoftMargin:
    """The SVM: minimise decay/2 ‖v‖² + Σξ / count subject to s_l (v · x_l + d) >= r_l − ξ_l and ξ >= 0.

    Problem (4)-(5) with right-hand sides r in place of 1.
    """

    X: np.ndarray
    s: np.ndarray
    r: np.ndarray
    decay: float
    count: int

    def value(self, v, d):
        return self.decay / 2 * (v @ v) + np.maximum(self.r - self.s * (self.X @ v + d), 0).sum() / self.count

    def solve(self, minimize, v, d):
        """(v, d) by `scipy.optimize.minimize` (SLSQP), begun at a guess."""
        n, m = self.X.shape[1], len(self.s)
        rows = self.s[:, None] * np.column_stack([self.X, np.ones(m)])
        matrix = np.block([[rows, np.eye(m)], [np.zeros((m, n + 1)), np.eye(m)]])
        right = np.concatenate([self.r, np.zeros(m)])
        ease = np.full(m, 1 / self.count)
        end = _slsqp(
            minimize,
            lambda p: self.decay / 2 * (p[:n] @ p[:n]) + ease @ p[n + 1 :],
            lambda p: np.concatenate([self.decay * p[:n], [0], ease]),
            np.concatenate([v, [d], np.maximum(self.r - self.s * (self.X @ v + d), 0)]),
            lambda p: matrix @ p - right,
            lambda _: matrix,
        )
        return end[:n], float(end[n])


def hidden_svm(mlp, X, y, mu):
    """The SVM in the hidden layer of a network, Theorem 4's first half: problem (3) for Φ."""
    return SoftMargin(mlp.hidden(X), np.asarray(y, float), np.ones(len(y)), mu, len(y))


def local_svm(mlp, X, y, unit, nu, *, printed=False):
    """The SVM that unit i solves on the examples with |z_il| < 1 (Theorem 4's second half).

    As corrected: decay ν/|w_i|, labels sign(w_i) y_l, right-hand sides [1 − y_l (b + Σ_{k≠i} w_k h_k)] / |w_i|. As
    printed: decay ν/w_i, labels y_l, the same right-hand sides without the division, on |z_il| <= 1.
    """
    y, w, z = np.asarray(y, float), mlp.w[unit], mlp.activations(X)[:, unit]
    rest = 1 - y * (mlp.decision(X) - w * hard_tanh(z))
    inside = np.abs(z) <= 1 + TOUCH if printed else np.abs(z) < 1 - TOUCH
    if printed:
        return SoftMargin(X[inside], y[inside], rest[inside], nu / w, len(y))
    return SoftMargin(X[inside], np.sign(w) * y[inside], rest[inside] / abs(w), nu / abs(w), len(y))
