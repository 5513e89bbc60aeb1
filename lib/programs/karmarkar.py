"""Karmarkar's projective algorithm, the classic one, with its potential function.

Solves min c · x over the x ≥ 0 with Ax = 0 and Σ x_j = 1, where the centre e/n = (1/n, …, 1/n) is feasible and
the minimum is known to be zero, or not negative (Rojas, section 4.3.3, prints Ax ≥ 0).

One step: with D = diag(a) at the inner point a, the map T(x) = D⁻¹x/Σ(D⁻¹x) takes a to the centre, the simplex to
itself and Ax = 0 to ADx' = 0. There c' = Dc, projected on ADy = 0, Σ y_j = 0, is followed downwards for α times
r = 1/√(n(n − 1)), the radius of the sphere inscribed in the simplex; T⁻¹ brings the point back.

The proofs are in notebook 16.
"""

from dataclasses import dataclass, field
from math import ceil, log, sqrt

import numpy as np

from lib.margins.rational import as_floats
from lib.margins.separability import proves_inseparable, separates
from lib.numbers import as_array, as_numbers, as_room, as_vector, in_one_system, is_number, positive
from lib.patterns import as_patterns, unit_rows


@dataclass(frozen=True, eq=False)
class Karmarkar:
    """What the algorithm did.

    path : the points, inside the simplex, shape (updates + 1, n); x is the last of them.
    values, potentials : c · x and `potential` along the path.
    stop : "small": c · x ≤ 2^−bits c · e/n. "positive": the potential fell by less than `drop`, which proves that
        the minimum is positive. "certificate": `done` was satisfied. "out of updates".
    """

    path: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)
    potentials: np.ndarray = field(repr=False)
    stop: str

    @property
    def x(self):
        return self.path[-1]

    @property
    def updates(self):
        return len(self.path) - 1

    @property
    def converged(self):
        return self.stop != "out of updates"


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
    """Karmarkar's f(x) = Σ_j ln(c · x/x_j), of a point or of one a row."""
    return np.shape(x)[-1] * np.log(x @ c) - np.log(x).sum(axis=-1)


def drop(n, alpha=0.25):
    """How much the potential falls in a step, at least, if the minimum is zero; 5/24 or more for α = 1/4."""
    beta = alpha * sqrt(n / (n - 1))
    return alpha * n / (n - 1) - beta**2 / (2 * (1 - beta)) if beta < 1 else -np.inf


def most_updates(n, bits, alpha=0.25):
    """⌈n · bits · ln 2/drop⌉ steps bring c · x below 2^−bits of its first value, if the minimum is zero."""
    fall = drop(n, alpha)
    if not fall > 0:
        raise ValueError(f"alpha is {alpha}; expected a step whose fall in the potential is proven positive")
    return ceil(n * bits * log(2) / fall)


def direction(A, c, a):
    """The projection of −Dc on {y : ADy = 0, Σ y_j = 0}, D = diag(a), and the multipliers of the rows of A."""
    B = np.vstack([A * a, np.ones(len(a))])
    multipliers = np.linalg.lstsq(B.T, a * c, rcond=None)[0]
    return multipliers @ B - a * c, multipliers[:-1]


def karmarkar(A, c, *, alpha=0.25, bits=30, max_updates=10_000, done=None):
    """Minimise c · x over Ax = 0, Σ x_j = 1, x ≥ 0 from the centre, which must be feasible.

    Stops as the result's `stop` says. Guarantees at most `most_updates(n, bits, alpha)` steps, exact arithmetic
    granted. In floats Ax leaves zero slowly: with 25 to 30 bits it stays near 1e-7 of the entries, with 40 it does not.

    Parameters
    ----------
    A, c : array_like, shapes (m, n) and (n,)
        m may be zero.
    alpha : float
        The share of the inscribed radius that a step takes, between 0 and 1.
    done : callable, optional
        Called with the point and the multipliers of each step; True ends the run.
    """
    room = as_room(max_updates)
    A, _ = in_one_system(as_numbers(as_array(A, "A"), "A"), np.zeros(0))  # as floats
    if A.ndim != 2 or A.shape[1] < 2:
        raise ValueError(f"A has shape {A.shape}; expected a matrix with two columns or more")
    if not (is_number(alpha) and 0 < alpha < 1):
        raise ValueError(f"alpha is {alpha!r}; expected a number between 0 and 1")
    if abs(A.sum(axis=1)).max(initial=0) > 1e-9 * (1 + abs(A).max(initial=0)) * A.shape[1]:
        raise ValueError("Ae is not zero; expected a program whose centre is feasible")
    n = A.shape[1]
    c, _ = in_one_system(as_vector(c, n, "c"), A)
    x, fall, stop = np.full(n, 1 / n), drop(n, alpha), ""
    path, small = [x], positive(c @ x, "c · e/n") * 2.0 ** -positive(bits, "bits")
    while not stop:
        down, multipliers = direction(A, c, x)
        length = np.linalg.norm(down)
        if len(path) > 1 and potential(path[-2], c) - potential(x, c) < fall - 1e-7:
            stop = "positive"
        elif c @ x <= small:
            stop = "small"
        elif done is not None and done(x, multipliers):
            stop = "certificate"
        elif length <= 1e-15 * np.linalg.norm(x * c):
            stop = "positive"
        elif len(path) > room:
            stop = "out of updates"
        else:
            x = restore(x, 1 / n + alpha * radius(n) * down / length)
            path.append(x)
    path = np.array(path)
    return Karmarkar(path, path @ c, potential(path, c), stop)


def alternative(patterns, *, alpha=0.25):
    """Decide Gordan's alternative by Karmarkar's algorithm, with a certificate that is checked exactly.

    Minimises s over λ ≥ 0, s ≥ 0, Σ λ_j + s = 1, Σ λ_j z_j = s Σ z_j, where all equal is feasible. The minimum is
    zero if and only if Gordan's weights exist. If it is not, the multipliers of some step separate. Rows are
    scaled to length one.

    Returns True, False, or None if neither was proven; a w that separates or None; Gordan's weights or None; the run.
    """
    Z = as_patterns(patterns)
    U, lengths = unit_rows(Z), np.maximum(np.linalg.norm(as_floats(Z).values, axis=1), np.finfo(float).tiny)
    A, c = np.column_stack([U.T, -U.sum(axis=0)]), np.eye(len(Z) + 1)[-1]
    found = [None, None, None]

    def certified(x, multipliers):
        if (U @ -multipliers > 0).all() and separates(Z, -multipliers):
            found[:2] = True, -multipliers
        elif x[-1] < 1e-6:
            weights = x[:-1] / lengths
            keep = np.flatnonzero(weights > 1e-6 * weights.max())
            if proves_inseparable(Z, keep, weights[keep] / weights[keep].sum()):
                found[:] = False, None, weights / weights.sum()
        return found[0] is not None

    run = karmarkar(A, c, alpha=alpha, bits=50, done=certified)
    return (*found, run)
