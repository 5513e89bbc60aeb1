"""Programs for Karmarkar's algorithm (notebook 16), and what is asked of its steps."""

from fractions import Fraction

import numpy as np

from lib.patterns import unit_rows
from lib.programs import karmarkar as km
from lib.studies import linear_programs as lp

PLANE = np.linalg.svd(np.ones((1, 3)))[2][1:]
"""Two unit vectors of the plane of the triangle Σ x_j = 1."""


def flat(x):
    """Points of the triangle in the plane of the paper."""
    return np.asarray(x) @ np.array([[0, 0], [1, 0], [0.5, 3**0.5 / 2]])


def example(n, rows, rng):
    """A random program, A and c, with its solution x: rows + 1 entries are positive, and c is zero there."""
    x = np.where(rng.permutation(n) <= rows, rng.integers(1, 10, n), 0) / 1.0
    plane = np.linalg.qr(np.column_stack([np.ones(n), x]))[0]
    A = rng.normal(size=(rows, n))
    A -= (A @ plane) @ plane.T  # so that the centre and x are feasible
    return A, np.where(x > 0, 0, rng.integers(1, 10, n)), x / x.sum()


def any_example(rng):
    """A random program of four to nine variables."""
    n = int(rng.integers(4, 10))
    return example(n, int(rng.integers(0, n - 3)), rng)


def polygon():
    """Seven half-planes x_j = 1/7 + g_j · v ≥ 0 with Σ g_j = 0: G, the matrix A with Ax = 0 for them, and a corner."""
    angle = 2 * np.pi * np.array([0.02, 0.18, 0.3, 0.47, 0.6, 0.74, 0.9])
    length = np.array([0.34, 0.17, 0.07, 0.06, 0.42, 0.46, 0.32])
    G = np.column_stack([0.35 * np.cos(angle), np.sin(angle)]) * length[:, None]
    G -= G.mean(axis=0)
    A = np.linalg.svd(np.column_stack([G, np.ones(7)]).T)[2][3:]
    return G, A, np.linalg.solve(G[[2, 4]], -np.ones(2) / 7)


def on_spheres(A, n, rng, *, points=20):
    """Points at 0.99 of the inscribed radius around the centre: in all directions with Σ x_j = 1, and with Ax = 0."""
    around = rng.normal(size=(points, n))
    around -= around.mean(axis=1, keepdims=True)
    flat = around - (np.linalg.pinv(A) @ A @ around.T).T
    return [1 / n + 0.99 * km.radius(n) * p / np.linalg.norm(p, axis=1, keepdims=True) for p in (around, flat)]


def feasible_on_spheres(rng):
    """Which points of `on_spheres` of a random program are feasible for Ax ≥ 0, x ≥ 0."""
    n = int(rng.integers(4, 9))
    A = example(n, int(rng.integers(1, n - 2)), rng)[0]
    return [(p @ A.T >= -1e-12).all(axis=1) & (p > 0).all(axis=1) for p in on_spheres(A, n, rng)]


def three_points(rng):
    """A point of the triangle with three different entries, and three others; whole numbers, up to scale."""
    return 1 + rng.permutation(8)[:3], rng.integers(1, 9, (3, 3))


def lines(a, X):
    """The determinant of the three lines x, T(x), and whether those of D⁻¹x and T(x) go through 0; whole numbers."""
    images = X * (a.prod() // a)
    joined = np.cross(X, images).astype(object)
    meet = (joined[0] * np.cross(joined[1], joined[2])).sum()
    T = km.transform(a / a.sum(), X / X.sum(axis=1, keepdims=True))
    return int(meet), bool(np.allclose(np.cross(images, T) / abs(images).max(), 0, atol=1e-12))


def there_and_back(rng):
    """Whether T takes a point to the middle and corners to corners, and whether T⁻¹ and T bring a step back."""
    n = int(rng.integers(4, 8))
    A, c, solution = example(n, n - 3, rng)
    a = 0.5 / n + 0.5 * solution
    middle = np.allclose(km.transform(a, a), 1 / n) and np.allclose(km.transform(a, np.eye(n)), np.eye(n))
    step = 1 / n + 0.9 * km.radius(n) * steepest(A * a, c * a)
    found = [km.restore(a, step), km.transform(a, step)]
    return middle, *(bool(np.allclose(A @ x, 0) and (x > 0).all() and np.isclose(x.sum(), 1)) for x in found)


def values_of_one_point(rng):
    """c · x, c' · y, c' · y/Σ a_j y_j, and the last with D⁻¹c for c' = Dc, of random Fractions; y = T(x)."""
    n = int(rng.integers(4, 10))
    a, x = (np.array([Fraction(int(v)) for v in rng.integers(1, 9, n)]) for _ in range(2))
    a, x, c = a / a.sum(), x / x.sum(), rng.integers(0, 9, n)
    y = km.transform(a, x)
    return c @ x, (c * a) @ y, (c * a) @ y / (a @ y), (c / a) @ y / (a @ y)


def radius_and_largest(rng):
    """The radius of the sphere inscribed in the simplex, and of the largest inside a random region."""
    n = int(rng.integers(4, 10))
    A, _, solution = example(n, int(rng.integers(0, n - 2)), rng)
    return km.radius(n), largest_radius(A, 0.3 / n + 0.7 * solution)


def largest_radius(A, a):
    """The radius of the largest sphere around the centre inside ADy = 0, Σ y_j = 1, y ≥ 0, with D = diag(a).

    Side j is at the distance 1/(n ‖P e_j‖), where P projects on the directions of that plane.
    """
    n = len(a)
    B = np.vstack([A * a, np.ones(n)])
    P = np.eye(n) - np.linalg.pinv(B) @ B
    return (1 / (n * np.linalg.norm(P, axis=0))).min()


def steepest(A, c):
    """The direction in Ax = 0, Σ x_j = 0 along which c · x falls fastest, of length one, by a basis of the plane."""
    B = np.vstack([A, np.ones(len(c))])
    basis = np.linalg.svd(B)[2][np.linalg.matrix_rank(B) :]
    down = -basis.T @ (basis @ c)
    return down / np.linalg.norm(down)


def headings(run, A, c, moves):
    """For each of the first moves the cosines between it and steepest descent: transformed, original, with D⁻¹c."""
    rows = []
    for a, after in zip(run.path[:moves], run.path[1:], strict=False):
        step, plain = km.transform(a, after) - 1 / len(a), after - a
        step, plain = step / np.linalg.norm(step), plain / np.linalg.norm(plain)
        rows.append([step @ steepest(A * a, c * a), plain @ steepest(A, c), step @ steepest(A * a, c / a)])
    return np.array(rows).reshape(-1, 3)


def headings_of_many(generators, alpha, bits):
    """Whether the first moves on random programs are steepest descent: transformed, original, with D⁻¹c."""
    found = []
    for rng in generators:
        A, c, _ = any_example(rng)
        found.append(headings(km.karmarkar(A, c, alpha=alpha, bits=bits), A, c, moves=len(c)))
    return np.concatenate(found).T > 1 - 1e-7


def counted(n, alpha, bits, rng):
    """A run on a random program of n variables."""
    return km.karmarkar(*example(n, n // 3, rng)[:2], alpha=alpha, bits=bits)


def canonical(c, A, b):
    """The form for max c · x, Ax ≤ b, x ≥ 0; if x' is its solution, x is x'[:n]/x'[-2].

    The equations of x, its slack variables, the multipliers and theirs, and equal values; made homogeneous by dividing
    by the sum of all variables and one more; and one artificial variable, which makes the centre feasible.
    """
    m, n = A.shape
    equations = [
        [A, np.eye(m), np.zeros((m, m + n)), -b[:, None]],
        [np.zeros((n, n + m)), A.T, -np.eye(n), -c[:, None]],
        [c, np.zeros(m), -b, np.zeros(n + 1)],
    ]
    M = np.block(equations)
    return np.column_stack([M, -M.sum(axis=1)]), np.eye(2 * (m + n) + 2)[-1]


def nearby_vertex(A, x):
    """The point of Ax = 0, Σ x_j = 1 whose entries are zero where those of x are small."""
    keep, vertex = x > 1e-4, np.zeros(len(x))
    rows, right = np.vstack([A[:, keep], np.ones(keep.sum())]), np.eye(len(A) + 1)[-1]
    vertex[keep] = np.linalg.lstsq(rows, right, rcond=None)[0]
    return vertex


def gives_the_vertex_back(rng):
    """Whether a run on a random program ends near its solution, a vertex, and rounding finds that."""
    n = int(rng.integers(5, 15))
    A, c, solution = example(n, int(rng.integers(1, n - 3)), rng)
    run = km.karmarkar(A, c, alpha=0.9, bits=30)
    return bool(np.allclose(nearby_vertex(A, run.x), solution, atol=1e-9))


def same_by_canonical_form(rng):
    """Whether Karmarkar's algorithm finds HiGHS' optimum of a random bounded program."""
    m, n = rng.integers(2, 5, 2)
    A, b, c = rng.integers(0, 5, (m, n)), rng.integers(1, 9, m), rng.integers(1, 5, n)
    A[0] += 1  # so that the program is bounded
    run = km.karmarkar(*canonical(c, A, b), alpha=0.9, bits=25)
    return bool(abs(c @ run.x[:n] / run.x[-2] + lp.solve({"c": -c, "A_ub": A, "b_ub": b}).fun) < 1e-4)


def told_by_the_check(rng, alpha):
    """Whether the check calls a random program solvable, and whether it is: it may be infeasible or unbounded."""
    m, n = rng.integers(2, 4, 2)
    A, b, c = rng.integers(-3, 5, (m, n)), rng.integers(-3, 6, m), rng.integers(-3, 5, n)
    run = km.karmarkar(*canonical(c, A, b), alpha=alpha, bits=30)
    return run.stop == "small" and run.x[-2] > 1e-5, lp.solve({"c": -c, "A_ub": A, "b_ub": b}).status == 0


def blind(Z, alpha):
    """Gordan's alternative without a look at certificates: the run that minimises s."""
    U = unit_rows(Z)
    return km.karmarkar(np.column_stack([U.T, -U.sum(axis=0)]), np.eye(len(Z) + 1)[-1], alpha=alpha, bits=30)
