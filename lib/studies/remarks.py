"""The remarks of Rojas' section 4.4 (notebook 19): ellipsoids as a solver, graphs as patterns, all local rules."""

from itertools import combinations, product
from math import ceil

import numpy as np

from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.patterns import unit_rows
from lib.perceptrons.perceptron import perceptron
from lib.programs.ellipsoid import ellipsoid, most_updates
from lib.programs.simplex import simplex
from lib.studies.draws import half_space, in_turn

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


def small_problem(rng):
    """Twelve random patterns in two to six dimensions, with small entries."""
    return half_space(12, int(rng.integers(2, 7)), rng, most=9)


def cuts_and_bound(Z):
    """The dimension, the cuts of an ellipsoid run, and 2n(n + 1) ln((1 + γ)/γ)."""
    n = Z.shape[1]
    return n, ellipsoid(Z).updates, most_updates(n, max_margin(unit_rows(Z)).lower)


def solve_twice(n, rng):
    """A random program by ellipsoids and by the simplex algorithm.

    Whether the vertices are equally good, the cuts, the pivots, and the ratio of their multiplications.
    """
    c, A, b = packing(n, 2 * n, rng)
    exact, (found, cuts) = simplex(c, A, b), optimum_by_ellipsoids(c, A, b)
    best = float(exact.value)
    right = found is not None and abs(c @ found - best) < 1e-6 * best
    effort = [multiplications(n, 2 * n, **how) for how in ({"cuts": cuts}, {"pivots": exact.updates})]
    return right, cuts, exact.updates, effort[0] / effort[1]


def corrections_per_cut(n, k, seed, runs):
    """Median corrections of the perceptron per median cuts, on k n random patterns from a half-space."""
    sets = [half_space(k * n, n, rng) for rng in in_turn(seed, runs)]
    return float(np.median([perceptron(Z).updates for Z in sets]) / np.median([ellipsoid(Z).updates for Z in sets]))


def baum(n, k, seed, runs):
    """Median corrections on k n patterns `in_all_directions`."""
    return np.median([perceptron(in_all_directions(n * k, n, rng)).updates for rng in in_turn(seed, runs)])


def least_squares(rng):
    """Whether the least squares weights of a random set beat twenty others, and gradient descent finds them."""
    Z = rng.integers(-3, 4, (8, 3)).astype(float)
    best, w, step = np.linalg.lstsq(Z, np.ones(8), rcond=None)[0], np.zeros(3), 1 / np.linalg.norm(Z, 2) ** 2
    for _ in range(4000):
        w = w - step * Z.T @ (Z @ w - 1)
    others = best + rng.normal(size=(20, 3))
    least, descended, *rest = ((Z @ v - 1) @ (Z @ v - 1) / 8 for v in (best, w, *others))
    return min(rest) >= least and descended - least < 1e-6


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


def graphs_on_four():
    """All graphs on four vertices: pairs of the number of vertices and a list of edges."""
    pairs = list(combinations(range(4), 2))
    return [(4, [e for e, bit in zip(pairs, bits, strict=True) if bit]) for bits in product([0, 1], repeat=6)]


def graph_on_five(rng):
    """A random graph on five vertices."""
    return 5, [e for e in combinations(range(5), 2) if rng.integers(2)]


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


def perceptron_rule(x, target, output):
    """Towards the target, if the answer was wrong."""
    return target * x if target != output else 0


def hebb_rule(x, target, output):
    """Towards the target, whatever the answer was."""
    return target * x


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
