"""Linear programs about separability, random ones, and what is asked of them; solved by HiGHS (notebooks 15 and 18).

A program is a dict of the arguments of `scipy.optimize.linprog`. Its variables are not negative unless it says so.
"""

from itertools import combinations, pairwise

import numpy as np

from lib.programs.simplex import inner_point, simplex

TINY = 1e-7
"""Optima of HiGHS are compared to this."""


def solve(program, **options):
    """HiGHS' solution of a program."""
    from scipy.optimize import linprog

    return linprog(**{**program, **options})


def same_optimum(one, other):
    """Whether two solutions agree in how they end and, if both are optimal, in the value."""
    return one.status == other.status and (one.status != 0 or abs(one.fun - other.fun) < TINY)


def printed_program(A, b):
    """Rojas' program: min Σ y_i subject to Ax + y = b, x ≥ 0, y ≥ 0; the variables are (x, y)."""
    m, n = np.shape(A)
    return {"c": np.repeat([0, 1], [n, m]), "A_eq": np.hstack([A, np.eye(m)]), "b_eq": b}


def phase_one(A, b):
    """min Σ a_i subject to Ax − a ≤ b, x ≥ 0, a ≥ 0: zero if and only if some x ≥ 0 has Ax ≤ b."""
    m, n = np.shape(A)
    return {"c": np.repeat([0, 1], [n, m]), "A_ub": np.hstack([A, -np.eye(m)]), "b_ub": b}


def inner_program(Z, *, low=-1):
    """max t subject to z_j · w ≥ t, low ≤ w_i ≤ 1, as a minimum; the variables are (w, t)."""
    p, n = Z.shape
    rows, bounds = np.column_stack([-Z, np.ones(p, dtype=int)]), [(low, 1)] * n + [(None, None)]
    return {"c": np.repeat([0, -1], [n, 1]), "A_ub": rows, "b_ub": np.zeros(p), "bounds": bounds}


def violation(Z):
    """min Σ ξ_j subject to z_j · w + ξ_j ≥ 1, ξ ≥ 0; the variables are (w, ξ)."""
    p, n = Z.shape
    rows, bounds = -np.hstack([Z, np.eye(p, dtype=int)]), [(None, None)] * n + [(0, None)] * p
    return {"c": np.repeat([0, 1], [n, p]), "A_ub": rows, "b_ub": -np.ones(p), "bounds": bounds}


def gordan(Z, *, low=0):
    """λ ≥ low with Σ λ_j = 1 and Σ λ_j z_j = 0."""
    rows = np.vstack([Z.T, np.ones(len(Z))])
    bounds = [(low, None)] * len(Z)
    return {"c": np.zeros(len(Z)), "A_eq": rows, "b_eq": np.repeat([0, 1], [Z.shape[1], 1]), "bounds": bounds}


def length_in_bits(rows):
    """The bits of the numbers of an integer matrix, a sign each."""
    return sum(int(abs(v)).bit_length() + 1 for v in np.asarray(rows).ravel())


def pattern_set(rng):
    """Two to eight integer patterns, none zero, in two or three dimensions."""
    Z = rng.integers(-3, 4, (int(rng.integers(2, 9)), int(rng.integers(2, 4))))
    Z = Z[(Z != 0).any(axis=1)]
    return Z if len(Z) > 1 else pattern_set(rng)


def weights_to_try(Z, rng):
    """Five random weight vectors, and five at a right angle to some pattern."""
    random = rng.integers(-9, 10, (5, Z.shape[1]))
    beside = Z[rng.integers(len(Z), size=5)]
    if Z.shape[1] == 2:
        return np.vstack([random, beside[:, ::-1] * [1, -1]])
    return np.vstack([random, np.cross(beside, random)])


def is_inner(w, Z):
    """Whether w is an inner point of {w : z_j · w ≥ 0}: a small step against each pattern stays inside. Integers."""
    return bool((Z @ (1000 * w - Z).T >= 0).all())


def rewritings(rng):
    """A random program with an equation and a box, the same as inequalities alone, and with x = u − v, u, v ≥ 0."""
    A, b, c = rng.integers(-3, 6, (3, 3)), rng.integers(1, 9, 3), rng.integers(-4, 5, 3)
    plain = {"c": c, "A_ub": A[:2], "b_ub": b[:2], "A_eq": A[2:], "b_eq": b[2:], "bounds": [(-5, 5)] * 3}
    walls = np.vstack([A, -A[2:], np.eye(3, dtype=int), -np.eye(3, dtype=int)])
    right = np.concatenate([b, -b[2:], np.full(6, 5)])
    rewritten = {"c": c, "A_ub": walls, "b_ub": right, "bounds": (None, None)}
    return plain, rewritten, {"c": np.concatenate([c, -c]), "A_ub": np.hstack([walls, -walls]), "b_ub": right}


def _random(rng):
    """A and b of a region with four walls in the plane, void or not."""
    return rng.integers(-4, 5, (4, 2)), rng.integers(-4, 5, 4)


def slack_and_start(rng):
    """Whether slack variables leave an optimum alone; so of either sign; whether x = 0, y = b ≥ 0 is feasible."""
    A, b = _random(rng)
    plain, equations = solve({"c": [1, 2], "A_ub": A, "b_ub": b}), printed_program(A, b) | {"c": [1, 2, 0, 0, 0, 0]}
    loose = solve(equations, bounds=[(0, None)] * 2 + [(None, None)] * 4)
    start = solve(printed_program(A, abs(b)), bounds=[(0, 0)] * 2 + [(v, v) for v in abs(b)])
    return same_optimum(plain, solve(equations)), same_optimum(plain, loose), start.status == 0


def void_or_not(rng):
    """Whether the printed program, artificial variables, and these with x of either sign tell a void region."""
    A, b = _random(rng)
    void, told = solve({"c": [0, 0], "A_ub": A, "b_ub": b}).status == 2, solve(printed_program(A, b))
    least = [solve(phase_one(A, b), bounds=[(low, None)] * 2 + [(0, None)] * 4).fun for low in (0, None)]
    return (told.status == 0 and told.fun < 0) == void, *((value > TINY) == void for value in least)


def zero_minimum(rng):
    """Where the printed program has a minimum of zero: whether its x is inside the region; whether on the boundary."""
    A, x = rng.integers(0, 5, (4, 2)), rng.integers(0, 5, 2)
    told = solve(printed_program(A, A @ x))
    room = min(np.append(A @ x - A @ told.x[:2], told.x[:2]))
    return room > TINY, abs(told.fun) < TINY and abs(room) < TINY


def decides_free_region(rng):
    """Whether artificial variables tell a void region also where x may have either sign."""
    A, b = rng.integers(-4, 5, (5, 2)), rng.integers(-6, 4, 5)
    void = solve({"c": [0, 0], "A_ub": A, "b_ub": b}, bounds=(None, None)).status == 2
    return (solve(phase_one(np.hstack([A, -A]), b)).fun > TINY) == void


def decided_four_ways(Z, separable):
    """Whether programs decide separability rightly, with what breaks them; seven of bool.

    The weights of the printed program; max t, exactly; that with w ≥ 0; min Σξ and Gordan; Gordan with λ of either
    sign; the duality of max t, exactly; and with the largest sum in place of the total.
    """
    told = solve(printed_program(np.hstack([-Z, Z]), np.zeros(len(Z)))).x[: 2 * Z.shape[1]]
    t, w, weights, _ = inner_point(Z)
    sums, least = abs(weights @ Z), solve(violation(Z)).fun
    certificates = [solve(gordan(Z, low=low)).status == 0 for low in (0, None)]
    return (
        bool((Z @ np.subtract(*np.split(told, 2)) > TINY).all()) == separable,
        bool((t > 0) == separable and (not separable or min(Z @ w) == t)),
        (-solve(inner_program(Z, low=0)).fun > TINY) == separable,
        (least > TINY) == (not separable) == certificates[0],
        certificates[1] == (not separable),
        bool((t > 0) == separable and sum(weights) == 1 and min(weights) >= 0 and sum(sums) == t),
        bool(max(sums) == t),
    )


def bits_of_inner_program(Z):
    """The bits of all numbers of `inner_program`, its box included."""
    program = inner_program(Z)
    return length_in_bits([*program["A_ub"].ravel().astype(int), *program["c"], *[1] * (2 * Z.shape[1])])


def best_vertex(c, A, b):
    """The largest c · x over the vertices of {x : Ax ≤ b}, by trying every choice of rows; −inf if there is none."""
    best, n = -np.inf, len(c)
    for rows in map(list, combinations(range(len(A)), n)):
        if abs(np.linalg.det(A[rows])) > 0.5:  # of integers
            x = np.linalg.solve(A[rows], b[rows])
            best = max(best, c @ x) if (A @ x <= b + TINY).all() else best
    return best


def optimum_and_best_vertex(rng):
    """Of a random bounded program the optimum by HiGHS and the best vertex by trying: with x ≥ 0, and without."""
    m, n = rng.integers(2, 5, 2)
    A, b = rng.integers(-2, 8, (m, n)), rng.integers(0, 12, m)
    c = rng.integers(0, 4, m) @ A  # so that the program is bounded
    walls, right = np.vstack([A, -np.eye(n, dtype=int)]), np.concatenate([b, np.zeros(n, dtype=int)])
    signed, free = (-solve({"c": -c, "A_ub": A, "b_ub": b}, bounds=low).fun for low in ((0, None), (None, None)))
    return (signed, best_vertex(c, walls, right)), (free, best_vertex(c, A, b))


def degenerate(rng):
    """c, A and b of a small random program, often with more walls through the origin than needed."""
    m, n = rng.integers(2, 6, 2)
    return rng.integers(-2, 6, n), rng.integers(-2, 5, (m, n)), rng.integers(0, 4, m)


def dense(rng):
    """c, A and b of a random program of six positive constraints of six variables."""
    return rng.integers(1, 20, 6), rng.integers(1, 20, (6, 6)), rng.integers(20, 99, 6)


def square(m, rng):
    """c, A and b of a random program with as many constraints as variables."""
    return rng.integers(1, 20, m), rng.integers(1, 20, (m, m)), rng.integers(20, 99, m)


def climbs(problems):
    """For each pivot by two rules: whether c · x rose, whether it rose just where x moved, and so of walks down."""
    rises, meant, down = [], [], []
    for c, A, b in problems:
        for rule in ("dantzig", "bland"):
            for sign, found in ((1, meant), (-1, down)):
                walk = simplex(sign * c, A, b, rule=rule).vertices
                higher = np.diff(walk @ c) > 0
                found.extend(higher == (np.diff(walk, axis=0) != 0).any(axis=1))
                rises.extend(higher if sign > 0 else [])
    return np.array(rises, bool), np.array(meant, bool), np.array(down, bool)


def follows_the_gradient(problem, rule):
    """Whether each pivot takes the edge on which the gradient has the longest projection."""
    c, A, b = map(np.array, problem)
    taken, best = gains(c, A, b, simplex(c, A, b, rule=rule).vertices).T
    return bool((taken > (1 - 1e-9) * best).all())


def gains(c, A, b, vertices):
    """Pairs for each pivot of a simplex run: the gain for a unit of length along the edge taken, and the best there is.

    The edges are computed from the walls that meet in the vertex; pivots at a degenerate vertex are left out.
    """
    n = len(c)
    walls, right = np.vstack([A, -np.eye(n, dtype=int)]), np.concatenate([b, np.zeros(n, dtype=int)])
    pairs = []
    for x, after in pairwise(vertices):
        tight = walls @ x == right
        if tight.sum() == n:
            edges = -np.linalg.inv(walls[tight].astype(float))
            step = (after - x).astype(float)
            pairs.append((c @ step / np.linalg.norm(step), (c @ edges / np.linalg.norm(edges, axis=0)).max()))
    return np.array(pairs).reshape(-1, 2)


def klee_minty(n):
    """c, A, b of Klee and Minty's cube with 2^n vertices, in Chvátal's form and in integers."""
    A = [[2 * 10 ** (i - j) if j < i else int(i == j) for j in range(n)] for i in range(n)]
    return [10 ** (n - 1 - j) for j in range(n)], A, [100**i for i in range(n)]


def bent_corner(vertex, bend=0.2):
    """The corner of a bent unit cube on the same sides as a vertex of Klee and Minty's."""
    x, height = [], 0.0
    for value in vertex:
        height = 1 - bend * height if value > 0 else bend * height
        x.append(height)
    return x


def rotation_symmetric(m, n, rng):
    """max c · x subject to a_i · x ≤ 1, c and the a_i in every direction alike: Borgwardt's model."""
    A, c = rng.normal(size=(m, n)), rng.normal(size=n)
    A /= np.linalg.norm(A, axis=1)[:, None]
    return {"c": c, "A_ub": A, "b_ub": np.ones(m), "bounds": (None, None)}


def average_pivots(m, n, generators):
    """The mean pivots of HiGHS' dual simplex on rotation-symmetric programs that have an optimum."""
    solved = (solve(rotation_symmetric(m, n, rng), method="highs-ds") for rng in generators)
    return float(np.mean([found.nit for found in solved if found.status == 0]))


def time_ratios(rows):
    """Simplex seconds per interior second, the median of the stored rows of a family, columns and rows."""
    ratios = {}
    for row in rows:
        key = row["family"], row["columns"], row["rows"]
        ratios.setdefault(key, []).append(row["simplex_seconds"] / row["interior_seconds"])
    return {key: float(np.median(found)) for key, found in ratios.items()}
