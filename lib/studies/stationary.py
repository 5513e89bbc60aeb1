"""Minima of the MLP's cost (17) and what Theorem 4 says of them: Collobert & Bengio, section 6.

In a cell, where each unit is linear or saturated on each example in a fixed way, (17) is the smooth problem (32) under
the constraints (33). `Cell` is that problem, `settle` walks from cell to cell, and `multipliers` asks for the Lagrange
multipliers of (8) and (34).
"""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from lib.perceptrons.networks import Mlp

TOUCH = 1e-7
"""Activations and margins as near as this to 1 count as equal to it."""


def states(mlp, X):
    """Where each unit stands on each example, shape (L, N): 0 linear (a kink, |z| = 1, too), ±1 saturated."""
    z = mlp.activations(X)
    return np.where(np.abs(z) <= 1 + TOUCH, 0, np.sign(z)).astype(int)


def kinks(mlp, X):
    """The pairs (example, unit) with |z| = 1."""
    return [tuple(map(int, pair)) for pair in np.argwhere(np.abs(np.abs(mlp.activations(X)) - 1) <= TOUCH)]


def least(square, linear, start, constraints, jacobian):
    """SLSQP from the start: least Σ_k square_k p_k²/2 + linear · p over the p where no constraint is negative."""
    from scipy.optimize import minimize

    return minimize(
        lambda p: p @ (square * p) / 2 + linear @ p,
        start,
        jac=lambda p: square * p + linear,
        method="SLSQP",
        constraints={"type": "ineq", "fun": constraints, "jac": jacobian},
        options={"ftol": 1e-16, "maxiter": 400},
    ).x


@dataclass(frozen=True)
class Cell:
    """(32) under (33) and under z ≤ −1, −1 ≤ z ≤ 1 or 1 ≤ z, as `states` says.

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

    def weights(self):
        """What (32) charges: square and linear, with the cost Σ_k square_k p_k²/2 + linear · p of a point p."""
        (L, N), n = self.states.shape, self.X.shape[1]
        sizes = [N, 1, N * n, N, L]
        return np.repeat([self.mu, 0, self.nu, 0, 0], sizes), np.repeat([0, 0, 0, 0, 1 / L], sizes)

    def cost(self, point):
        square, linear = self.weights()
        return point @ (square * point) / 2 + linear @ point

    def constraints(self, point):
        """Numbers that are not negative where (33) and the cell's conditions hold."""
        mlp, xi, S = self.unpack(point), point[-len(self.y) :], self.states
        z = mlp.activations(self.X)
        f = np.where(S == 0, z, S) @ mlp.w + mlp.b
        return np.concatenate([xi, xi - 1 + self.y * f, (1 - z)[S == 0], (1 + z)[S == 0], (S * z - 1)[S != 0]])

    def jacobian(self, point):
        """The derivatives of the constraints, one a row."""
        mlp, S, L = self.unpack(point), self.states, len(self.y)
        z, N = mlp.activations(self.X), mlp.units
        by_v = np.einsum("ij,lk->lijk", np.eye(N), self.X).reshape(L, N, -1)
        by_d = np.broadcast_to(np.eye(N), (L, N, N))
        dz = np.concatenate([np.zeros((L, N, N + 1)), by_v, by_d, np.zeros((L, N, L))], axis=2)
        df = np.einsum("li,lip->lp", (S == 0) * mlp.w, dz)
        df[:, :N], df[:, N] = np.where(S == 0, z, S), 1
        slack, inside, beyond = np.eye(L, len(point), len(point) - L), dz[S == 0], S[S != 0][:, None] * dz[S != 0]
        return np.vstack([slack, slack + self.y[:, None] * df, -inside, inside, beyond])

    def solve(self, mlp):
        """The best network of this cell, begun at one in it."""
        return self.unpack(least(*self.weights(), self.pack(mlp), self.constraints, self.jacobian))


def settle(mlp, X, y, *, mu, nu, rounds=50):
    """Walk down (17) from cell to cell until no cell across a single kink is better.

    The end is stationary in every cell that it touches one flip away; it is not certified to be a local minimum.
    """
    best = Cell(X, y, states(mlp, X), mu, nu).solve(mlp)
    for _ in range(rounds):
        for k, i in kinks(best, X):
            S = states(best, X)
            S[k, i] = np.sign(best.activations(X)[k, i])
            other = Cell(X, y, S, mu, nu).solve(best)
            if other.cost(X, y, mu=mu, nu=nu) < best.cost(X, y, mu=mu, nu=nu) - 1e-10:
                best = Cell(X, y, states(other, X), mu, nu).solve(other)
                break
        else:
            break
    return best


Multipliers = namedtuple("Multipliers", "residual alpha gamma")
"""Multipliers α_l and γ_il = α_l h′(z_il), and the largest violation of (8) and (34) that they leave."""


def multipliers(mlp, X, y, *, mu, nu, printed=False):
    """The α (and γ) that leave the smallest residual in (8) and (34), by linear programming.

    α_l is 1/L where y f < 1, 0 where y f > 1, between them where y f = 1. γ_il is α_l where |z| < 1, 0 where |z| > 1,
    between them where |z| = 1; with `printed`, α_l there as well, which is the document's h′(±1) = 1.
    """
    from scipy.optimize import linprog

    M, c = _kkt_system(mlp, X, y, mu, nu)
    L, N = len(y), mlp.units
    margin, z = y * mlp.decision(X), np.abs(mlp.activations(X)).ravel()
    low, high = np.where(margin < 1 - TOUCH, 1 / L, 0.0), np.where(margin > 1 + TOUCH, 0.0, 1 / L)
    share = (z <= 1 + TOUCH)[:, None] * np.repeat(np.eye(L), N, axis=0)
    tied = np.hstack([-share, np.eye(L * N), np.zeros((L * N, 1))])  # γ less its α, or less zero
    free = (np.abs(z - 1) <= TOUCH) & (not printed)
    one = np.ones((len(c), 1))
    found = linprog(
        np.eye(L + L * N + 1)[-1],
        A_ub=np.vstack([np.hstack([M, -one]), np.hstack([-M, -one]), tied[free]]),
        b_ub=np.concatenate([c, -c, np.zeros(free.sum())]),
        A_eq=tied[~free],
        b_eq=np.zeros((~free).sum()),
        bounds=[*zip(low, high, strict=True), *[(0, 1 / L)] * (L * N), (0, None)],
    ).x[:-1]
    return Multipliers(float(np.abs(M @ found - c).max()), found[:L], found[L:].reshape(L, N))


def _kkt_system(mlp, X, y, mu, nu):
    """M and c such that M (α, γ) − c are the residuals of (8) and (34), those of unit i with their factor w_i."""
    (L, n), N = X.shape, mlp.units
    extended = np.column_stack([X, np.ones(L)])
    upper = np.vstack([(y[:, None] * mlp.hidden(X)).T, y])
    lower = np.einsum("ij,i,l,lk->iklj", np.eye(N), mlp.w, y, extended).reshape(N * (n + 1), L * N)
    M = np.block([[upper, np.zeros((N + 1, L * N))], [np.zeros((N * (n + 1), L)), lower]])
    return M, np.concatenate([mu * mlp.w, [0], np.column_stack([nu * mlp.v, np.zeros(N)]).ravel()])
