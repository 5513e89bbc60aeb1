"""The remarks of Rojas' section 4.4 (notebook 19): ellipsoids as a solver, graphs as patterns, all local rules."""

from itertools import combinations, product
from math import ceil

import numpy as np

from lib.margins.separability import separability
from lib.programs.ellipsoid import ellipsoid, most_updates

THIN = 1e-8
"""A region whose unit rows have a smaller margin is taken for empty."""
SYMBOLS = np.array(list(product([-1, 0, 1], repeat=8))).reshape(-1, 2, 2, 2)
"""All local rules: the change of a weight, by its input (−1, 1), the target (−1, 1) and the output (−1, 1)."""


def packing(n, m, rng):
    """c, A and b of a random program max c · x, Ax ≤ b, x ≥ 0 with positive entries."""
    return rng.integers(1, 20, n), rng.integers(1, 20, (m, n)), rng.integers(20, 99, m)


def strictly_better(c, A, b, value):
    """The patterns that ask for a point inside Ax ≤ b, x ≥ 0 with c · x > value: z · (x, 1) > 0, up to scale."""
    n = A.shape[1]
    rows = [np.column_stack([-A, b]), np.eye(n, n + 1), [[*c, -value]], np.eye(1, n + 1, n)]
    return np.vstack(rows)


def optimum_by_ellipsoids(c, A, b, *, halvings=26):
    """The optimal vertex by halving an interval of values; an ellipsoid run decides each time which half it is.

    Returns the vertex, or None where the last point leaves it open which walls meet there, and the number of cuts.
    """
    n, low, high, cuts, inside = len(c), 0.0, float(sum(c) * max(b)), 0, None
    room = ceil(most_updates(n + 1, THIN))
    for _ in range(halvings):
        middle = (low + high) / 2
        run = ellipsoid(strictly_better(c, A, b, middle), max_updates=room)
        cuts += run.updates
        if run.converged:
            inside, low = run.w[:-1] / run.w[-1], middle
        else:
            high = middle
    walls, right = np.vstack([A, -np.eye(n)]), np.concatenate([b, np.zeros(n)])
    tight = np.argsort((right - walls @ inside) / np.linalg.norm(walls, axis=1))[:n]
    if np.linalg.matrix_rank(walls[tight]) < n:
        return None, cuts
    return np.linalg.solve(walls[tight], right[tight]), cuts


def multiplications(n, m, *, cuts=0, pivots=0):
    """A cut looks at every row and changes a matrix of (n + 1)² numbers twice; a pivot changes the whole tableau."""
    rows = m + n + 2
    return cuts * (rows * (n + 1) + 3 * (n + 1) ** 2) + pivots * (m + 1) * (m + n + 1)


def in_all_directions(p, n, rng):
    """p random unit vectors on one side of a hyperplane that was chosen before."""
    X = rng.normal(size=(p, n))
    X /= np.linalg.norm(X, axis=1)[:, None]
    return X * np.where(X[:, :1] > 0, 1, -1)


def independent(vertices, edges):
    """The size of the largest set of vertices without an edge inside."""
    sizes = (len(s) for k in range(vertices, 0, -1) for s in combinations(range(vertices), k) if not _joined(s, edges))
    return next(sizes, 0)


def _joined(chosen, edges):
    return any({u, v} <= set(chosen) for u, v in edges)


def graph_patterns(vertices, edges):
    """A pattern e_v for every vertex and −(e_u + e_v) for every edge."""
    unit = np.eye(vertices, dtype=int)
    return np.vstack([unit, *(-(unit[u] + unit[v])[None] for u, v in edges)])


def largest_separable(Z):
    """The size of the largest separable subset, by trying the subsets from the large ones down."""
    sizes = range(len(Z), 0, -1)
    return next(k for k in sizes if any(separability(Z[list(s)]).separable for s in combinations(range(len(Z)), k)))


def symbol_rule(change):
    """The local rule change(input, target, output), each −1 or 1, as an entry of `SYMBOLS`."""
    return np.array([[[change(x, t, o) for o in (-1, 1)] for t in (-1, 1)] for x in (-1, 1)])


def place(rule):
    """Where a rule stands among `SYMBOLS`."""
    return int(np.flatnonzero((rule == SYMBOLS).all(axis=(1, 2, 3)))[0])


def train_all_rules(rng, *, n=11, p=22, passes=8):
    """The share of mistakes of every rule after some passes over random examples labelled by random weights ±1."""
    X, teacher = rng.choice([-1, 1], (p, n)), rng.choice([-1, 1], n)
    lit, targets, W = (X > 0).astype(int), (X @ teacher > 0).astype(int), np.zeros((len(SYMBOLS), n))
    for _ in range(passes):
        for x, on, t in zip(X, lit, targets, strict=True):
            high = (W @ x > 0)[:, None]
            W += np.where(high, SYMBOLS[:, on, t, 1], SYMBOLS[:, on, t, 0])
    return ((W @ X.T > 0) != targets).mean(axis=1)
