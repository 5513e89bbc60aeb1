"""Karmarkar's projective algorithm, the classic one, with its potential function.

Solves min c · x over the x ≥ 0 with Ax = 0 and Σ x_j = 1, where the centre e/n = (1/n, …, 1/n) is feasible and
the minimum is known to be zero, or not negative (Rojas, section 4.3.3, prints Ax ≥ 0).

One step: with D = diag(a) at the inner point a, the map T(x) = D⁻¹x/Σ(D⁻¹x) takes a to the centre, the simplex to
itself and Ax = 0 to ADx' = 0. There c' = Dc, projected on ADy = 0, Σ y_j = 0, is followed downwards for α times
r = 1/√(n(n − 1)), the radius of the sphere inscribed in the simplex; T⁻¹ brings the point back.
"""

from dataclasses import dataclass, field
from math import ceil, log, sqrt

import numpy as np

from lib.margins.rational import as_floats
from lib.margins.separability import proves_inseparable, separates
from lib.patterns import as_patterns


@dataclass(frozen=True, eq=False)
class Karmarkar:
    """What the algorithm did.

    Attributes
    ----------
    x : ndarray, shape (n,)
        The last point, inside the simplex.
    path : ndarray, shape (iterations + 1, n)
    values, potentials : ndarray, shape (iterations + 1,)
        c · x and `potential` along the path.
    stop : str
        "small": c · x ≤ 2^−bits c · e/n. "positive": the potential fell by less than `drop`, which proves that
        the minimum is positive. "certificate": `done` was satisfied. "out of iterations".
    """

    x: np.ndarray
    path: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)
    potentials: np.ndarray = field(repr=False)
    stop: str

    @property
    def iterations(self):
        return len(self.path) - 1


def transform(a, x):
    """T(x) = D⁻¹x / Σ D⁻¹x, D = diag(a): takes a to the centre of the simplex."""
    scaled = np.asarray(x) / a
    return scaled / scaled.sum(axis=-1, keepdims=True)


def restore(a, y):
    """T⁻¹(y) = Dy / Σ Dy."""
    return transform(1 / np.asarray(a), y)


def radius(n):
    """1/√(n(n − 1)): the sphere around the centre that fits into the simplex of n variables."""
    return 1 / sqrt(n * (n - 1))


def potential(x, c):
    """Karmarkar's f(x) = Σ_j ln(c · x/x_j)."""
    return len(x) * log(c @ x) - np.log(x).sum()


def drop(n, alpha=0.25):
    """How much the potential falls in a step, at least, if the minimum is zero.

    Proof. In the transformed simplex a point of value zero is within √((n − 1)/n) = (n − 1) r of the centre, so a
    step of αr in the best direction leaves at most 1 − α/(n − 1) of the value; n times its logarithm is at most
    −αn/(n − 1). With β = nαr = α√(n/(n − 1)) the numbers u_j = n y_j − 1 have Σ u_j = 0 and ‖u‖ = β, so
    −Σ ln(1 + u_j) ≤ β²/(2(1 − β)). The sum of both is the fall. It is at least 5/24 for α = 1/4. ∎
    """
    beta = alpha * sqrt(n / (n - 1))
    return alpha * n / (n - 1) - beta**2 / (2 * (1 - beta)) if beta < 1 else -np.inf


def most_iterations(n, bits, alpha=0.25):
    """Iterations that bring c · x below 2^−bits of its first value: ⌈n · bits · ln 2/drop⌉, if the minimum is zero.

    Proof. −Σ ln x_j is least at the centre, so n ln(c · x) falls by at least as much as the potential. ∎
    """
    fall = drop(n, alpha)
    if not fall > 0:
        raise ValueError(f"alpha is {alpha}; expected a step whose fall in the potential is proven positive")
    return ceil(n * bits * log(2) / fall)


def direction(A, c, a):
    """The projection of −Dc on {y : ADy = 0, Σ y_j = 0}, D = diag(a), and the multipliers of the rows of A."""
    B = np.vstack([A * a, np.ones(len(a))])
    multipliers = np.linalg.lstsq(B.T, a * c, rcond=None)[0]
    return multipliers @ B - a * c, multipliers[:-1]


def karmarkar(A, c, *, alpha=0.25, bits=30, max_iterations=10_000, done=None):
    """Minimise c · x over Ax = 0, Σ x_j = 1, x ≥ 0 from the centre, which must be feasible.

    Stops when c · x is below 2^−bits of its first value; when the potential falls by less than `drop`, which
    proves a positive minimum (asked only if that bound is positive); or when `done` says so. Guarantees at most
    `most_iterations(n, bits, alpha)` iterations, exact arithmetic granted. In floats Ax leaves zero slowly: with
    25 to 30 bits it stays near 1e-7 of the entries, with 40 it does not.

    Parameters
    ----------
    A : array_like, shape (m, n)
        m may be zero.
    c : array_like, shape (n,)
    alpha : float
        The share of the inscribed radius that a step takes, between 0 and 1.
    bits : float
    done : callable, optional
        Called with the point and the multipliers of each step; True ends the run.

    Returns
    -------
    Karmarkar
    """
    A, c = np.asarray(A, dtype=float), np.asarray(c, dtype=float)
    n = len(c)
    _check(A, n, alpha)
    x = np.full(n, 1 / n)
    path, values, potentials = [x], [c @ x], [potential(x, c)]
    fall, stop = drop(n, alpha), "out of iterations"
    for _ in range(max_iterations):
        if values[-1] <= values[0] * 2.0**-bits:
            stop = "small"
            break
        down, multipliers = direction(A, c, x)
        if done is not None and done(x, multipliers):
            stop = "certificate"
            break
        length = np.linalg.norm(down)
        if length <= 1e-15 * np.linalg.norm(x * c):
            stop = "positive"
            break
        x = restore(x, 1 / n + alpha * radius(n) * down / length)
        path.append(x)
        values.append(c @ x)
        potentials.append(potential(x, c))
        if fall > 0 and potentials[-2] - potentials[-1] < fall - 1e-7:
            stop = "positive"
            break
    return Karmarkar(x, np.array(path), np.array(values), np.array(potentials), stop)


def example(n, rows, rng):
    """A random program of the algorithm's form whose solution is known.

    The solution has rows + 1 positive entries, c is zero there and positive elsewhere, and the rows of A are random
    vectors less their parts along the solution and the centre.

    Returns
    -------
    A, c, x : ndarray, shapes (rows, n), (n,), (n,)
    """
    if not 0 <= rows <= n - 3:
        raise ValueError(f"rows is {rows}; expected 0 to {n - 3}, three fewer than the variables")
    x = np.where(rng.permutation(n) <= rows, rng.integers(1, 10, n), 0) / 1.0
    plane = np.linalg.qr(np.column_stack([np.ones(n), x]))[0]
    A = rng.normal(size=(rows, n))
    return A - (A @ plane) @ plane.T, np.where(x > 0, 0, rng.integers(1, 10, n)), x / x.sum()


def canonical(c, A, b):
    """Bring max c · x, Ax ≤ b, x ≥ 0 into the algorithm's form.

    An optimal x and the optimal multipliers y solve Ax + s = b, Aᵀy − v = c, c · x = b · y, all variables ≥ 0: M z = q.
    With z = u/τ this is M u − q τ = 0, Σ u + τ = 1, and one more variable, whose column is minus the sum of all
    others, makes the centre feasible. Its minimum is zero if and only if the program has an optimum.

    Returns
    -------
    A', c' : ndarray, shapes (m + n + 1, k) and (k,), k = 2(m + n) + 2
        For `karmarkar`; x is x'[:n]/x'[-2].
    """
    c, A, b = (np.asarray(a, dtype=float) for a in (c, A, b))
    m, n = A.shape
    M = np.zeros((m + n + 1, 2 * (m + n)))
    M[:m, :n], M[:m, n : n + m] = A, np.eye(m)
    M[m:-1, n + m : n + 2 * m], M[m:-1, n + 2 * m :] = A.T, -np.eye(n)
    M[-1, :n], M[-1, n + m : n + 2 * m] = c, -b
    M = np.column_stack([M, -np.concatenate([b, c, [0]])])
    return np.column_stack([M, -M.sum(axis=1)]), np.eye(2 * (m + n) + 2)[-1]


@dataclass(frozen=True, eq=False)
class Alternative:
    """Separable with w, or not with Gordan's weights; None if neither was proven within the iterations."""

    separable: bool | None
    w: np.ndarray | None
    weights: np.ndarray | None
    run: Karmarkar


def separate(patterns, *, alpha=0.25):
    """Decide separability by Karmarkar's algorithm, with a certificate that is checked exactly.

    Minimises s over λ ≥ 0, s ≥ 0, Σ λ_j + s = 1, Σ λ_j z_j = s Σ z_j, where all equal is feasible. The minimum is
    zero if and only if Gordan's weights exist. If it is not, the multipliers of some step separate. Rows are
    scaled to length one.

    Returns
    -------
    Alternative
    """
    Z = as_patterns(patterns)
    U = as_floats(Z).values
    lengths = np.linalg.norm(U, axis=1)
    U = U / lengths[:, None]
    A, c = np.column_stack([U.T, -U.sum(axis=0)]), np.eye(len(Z) + 1)[-1]
    found = []

    def certified(x, multipliers):
        if (U @ -multipliers > 0).all() and separates(Z, -multipliers):
            found.append((True, -multipliers, None))
        elif x[-1] < 1e-6:
            weights = x[:-1] / lengths
            keep = np.flatnonzero(weights > 1e-6 * weights.max())
            if proves_inseparable(Z, keep, weights[keep] / weights[keep].sum()):
                found.append((False, None, weights / weights.sum()))
        return bool(found)

    run = karmarkar(A, c, alpha=alpha, bits=50, done=certified)
    return Alternative(*(found[0] if found else (None, None, None)), run)


def _check(A, n, alpha):
    if A.ndim != 2 or A.shape[1] != n or n < 2:
        raise ValueError(f"A has shape {A.shape}; expected one column for each of the {n} variables, two or more")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha!r}; expected a number between 0 and 1")
    if abs(A.sum(axis=1)).max(initial=0) > 1e-9 * (1 + abs(A).max(initial=0)) * n:
        raise ValueError("Ae is not zero; expected a program whose centre is feasible")
