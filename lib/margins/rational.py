"""Exact arithmetic on patterns: integers, Fractions, and floats, which are dyadic rationals.

`nearest` goes on from a good guess with Wolfe's algorithm in integers until the optimality
condition holds exactly; everything else here serves it and the checkers of certificates.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from lib.numbers import EXACT, solve

EPS = np.finfo(float).eps
TINY = np.finfo(float).tiny


class Rational:
    """A matrix read exactly: `rows(i)` are Python integers, `scale` times the rows i of Z.

    Parameters
    ----------
    Z : ndarray, shape (p, n)
        int64, float64 or object (exact).
    """

    def __init__(self, Z):
        self.Z = Z
        self._low = 0
        self.scale = Fraction(1)
        if Z.dtype == object:
            self.scale = Fraction(lcm(*{v.denominator for v in Z.flat}))
        elif Z.dtype == np.float64:
            digits, exponent = _dyadic(Z)
            self._low = int(exponent[digits != 0].min()) if digits.any() else 0
            self.scale = Fraction(2) ** -self._low

    def rows(self, index):
        """Object array of ints, of the shape of Z[index]."""
        part = self.Z[index]
        if part.dtype == np.int64:
            return part.astype(object)
        if part.dtype == object:
            whole = [int(v * self.scale) for v in part.flat]
        else:
            digits, exponent = _dyadic(part)
            shift = np.where(digits == 0, 0, exponent - self._low)
            whole = [int(m) << int(e) for m, e in zip(digits.flat, shift.flat, strict=True)]
        result = np.empty(len(whole), dtype=object)
        result[:] = whole
        return result.reshape(part.shape)


def _dyadic(Z):
    """Odd (or zero) int64 digits and exponents with Z = digits 2^exponent, exactly."""
    mantissa, exponent = np.frexp(Z)
    digits = np.ldexp(mantissa, 53).astype(np.int64)
    trailing = np.frexp((digits & -digits).astype(float))[1] - 1
    trailing = np.where(digits == 0, 0, trailing)
    return digits >> trailing, exponent - 53 + trailing


@dataclass(frozen=True, eq=False)
class Floats:
    """Patterns as floats, Z ≈ values · 2^shift, squares of norms far from overflow.

    Attributes
    ----------
    values : ndarray of float, shape (p, n)
        Z itself where possible.
    shift : int
    error : float
        Bound of the relative error of each entry, 0 or one rounding.
    size : float
        Frobenius norm: no row is longer.
    """

    values: np.ndarray
    shift: int
    error: float
    size: float


def as_floats(Z):
    """The patterns (int64, float64 or object) as `Floats`."""
    shift, error = 0, 0.0
    if Z.dtype == object:
        shift = max((_magnitude(v) for v in Z.flat if v), default=0)
        shift = 0 if abs(shift) < 300 else shift
        scale = Fraction(2) ** -shift
        F, error = np.array([float(v * scale) for v in Z.flat]).reshape(Z.shape), EPS
    elif Z.dtype == np.int64:
        F, error = Z.astype(np.float64), 0.0 if max(-int(Z.min()), int(Z.max())) <= EXACT else EPS
    else:
        F = Z
    square = _square(F)
    if not 1e-180 < square < 1e180 and F.any():
        shift += int(np.frexp(np.abs(F).max())[1])
        F = np.ldexp(F, -shift)
        square = _square(F)
    return Floats(F, shift, error, float(np.sqrt(square)) * (1 + 1e-6))


def _magnitude(v):
    return abs(v.numerator).bit_length() - v.denominator.bit_length()


def _square(F):
    with np.errstate(over="ignore", under="ignore"):
        return np.vdot(F, F)


def doubtful(floats, w, level=0.0, scores=None):
    """Rows whose score z_j · w is not certainly above `level` by the bound of rounding.

    The bound |fl(z·w) − z·w| <= γ_n |z| |w| holds in any order of summation; the factor used
    here is more than twice γ_n and so covers entries of z and w that are rounded themselves.

    Returns
    -------
    index : ndarray of int
    scores : ndarray
        Of the rows of `index` alone, in units of 2^shift.
    error : ndarray
        The bound for each.
    """
    F = floats.values
    n = len(w)
    scores = F.dot(w) if scores is None else scores
    factor = 2 * (n + 4) * (EPS * np.linalg.norm(w) + TINY)
    noise = 2 * EPS * abs(level) + n * TINY
    index = np.flatnonzero(scores <= level + noise + factor * floats.size)
    error = noise + factor * np.linalg.norm(F[index], axis=1)
    below = scores[index] <= level + error
    return index[below], scores[index[below]], error[below]


def nearest(Z, support, weights):
    """The exact point of the hull of all rows that is closest to the origin.

    Wolfe's algorithm in integers from the given convex combination; it stops when
    min_j z_j · w >= |w|² holds exactly, after finitely many steps.

    Parameters
    ----------
    Z : ndarray, shape (p, n)
    support : sequence of int
    weights : sequence of float or Fraction
        Nonnegative, not all zero.

    Returns
    -------
    support : list of int
    weights : list of Fraction
        Positive, with sum 1.
    w : list of Fraction
    """
    exact = Rational(Z)
    floats = as_floats(Z)
    B = [int(j) for j in support]
    total = sum(map(Fraction, weights))
    lam = [Fraction(v) / total for v in weights]
    while True:
        B, lam = _retreat(exact, B, lam)
        D = lcm(*(v.denominator for v in lam))
        w = np.array([int(v * D) for v in lam], dtype=object).dot(exact.rows(B))
        j = _worst(exact, floats, w, D)
        if j is None:
            return B, lam, [Fraction(int(v), D) / exact.scale for v in w]
        B.append(j)
        lam.append(Fraction(0))


def _worst(exact, floats, w, D):
    """The row with the smallest score if that is below |w|², else None; w is D·scale times the point."""
    top = max(abs(v) for v in w)
    if not top:
        return None
    square = w.dot(w)
    direction = np.array([float(Fraction(int(v), int(top))) for v in w])
    level = float(Fraction(int(square), int(top) * D) / exact.scale / Fraction(2) ** floats.shift)
    index, _, _ = doubtful(floats, direction, level)
    if not index.size:
        return None
    scores = exact.rows(index).dot(w) * D
    best = min(range(len(index)), key=scores.__getitem__)
    return int(index[best]) if scores[best] < square else None


def _retreat(exact, B, lam):
    """Minor cycles: to the affine minimiser of a subset that holds it inside."""
    while True:
        keep = [i for i, v in enumerate(lam) if v > 0 or i == len(lam) - 1]
        B, lam = [B[i] for i in keep], [lam[i] for i in keep]
        A = exact.rows(B)
        u, dependent = _affine_minimiser(A.dot(A.T) + 1)
        if not dependent and min(u) >= 0:
            keep = [i for i, v in enumerate(u) if v > 0]
            return [B[i] for i in keep], [u[i] for i in keep]
        step = u if dependent else [b - a for a, b in zip(lam, u, strict=True)]
        length = min(-a / d for a, d in zip(lam, step, strict=True) if d < 0)
        lam = [a + length * d for a, d in zip(lam, step, strict=True)]
        if lam[-1] == 0 and len(lam) > 1:
            B, lam = B[:-1], lam[:-1]


def _affine_minimiser(M):
    """Solve M u = 1 for the Gram matrix M and scale u to the sum 1.

    Returns
    -------
    u : list of Fraction
        The weights; or, if M is singular, a vector of its kernel, which has the sum 0.
    dependent : bool
    """
    u, denominator = solve(M, np.ones(len(M), dtype=int))
    total = int(sum(u)) if denominator else 1
    return [Fraction(int(v), total) for v in u], not denominator
