"""Exact arithmetic on patterns: integers, Fractions, and floats, which are dyadic rationals.

`nearest` goes on from a good guess with Wolfe's algorithm in integers until the optimality condition holds exactly;
everything else here serves it and the checkers of certificates.
"""

from fractions import Fraction
from math import lcm, sqrt
from typing import NamedTuple

import numpy as np

from lib.numbers import EXACT, is_number, refuse_infinite, solve
from lib.patterns import as_patterns

EPS = np.finfo(float).eps
TINY = np.finfo(float).tiny


class Rational:
    """A matrix read exactly: `rows(i)` are Python integers, `scale` times the rows i of Z (of any number system)."""

    def __init__(self, Z):
        self.Z, self.scale = Z, 1
        if Z.dtype == object:
            self.scale = lcm(*{v.denominator for v in Z.flat})
        elif Z.dtype == np.float64 and Z.any():
            mantissa, exponent = np.frexp(Z[Z != 0])
            digits = np.ldexp(mantissa, 53).astype(np.int64)
            lowest_bit = exponent - 54 + np.frexp((digits & -digits).astype(float))[1]
            self.scale = 2 ** max(0, -int(lowest_bit.min()))

    def rows(self, index):
        """Object array of ints, of the shape of Z[index]."""
        part = self.Z[index].astype(object)
        whole = np.empty(part.size, dtype=object)
        whole[:] = [a * (self.scale // b) for a, b in (v.as_integer_ratio() for v in part.flat)]
        return whole.reshape(part.shape)


class Floats(NamedTuple):
    """Patterns as floats, Z ≈ values · 2^shift, squares of norms far from overflow.

    `values` is Z itself where possible, `error` bounds the relative error of its entries (0, or one rounding), and no
    row of it is longer than `size`.
    """

    values: np.ndarray
    shift: int
    error: float
    size: float


def as_floats(Z):
    """The patterns (int64, float64 or object) as `Floats`."""
    shift, error, kind = 0, 0.0, Z.dtype.kind
    if kind == "O":
        shift = max((v.numerator.bit_length() - v.denominator.bit_length() for v in Z.flat if v), default=0)
        shift = 0 if abs(shift) < 300 else shift
        scale = Fraction(2) ** -shift
        F, error = np.array([float(v * scale) for v in Z.flat]).reshape(Z.shape), EPS
    elif kind == "i":
        F, error = Z.astype(np.float64), 0.0 if max(-int(Z.min()), int(Z.max())) <= EXACT else EPS
    else:
        F = Z
    F = np.ascontiguousarray(F)
    square = float(np.vdot(F, F))
    if not 1e-180 < square < 1e180 and F.any():
        refuse_infinite(F, "patterns", square)
        shift += int(np.frexp(np.abs(F).max())[1])
        F = np.ldexp(F, -shift)
        square = float(np.vdot(F, F))
    return Floats(F, shift, error, sqrt(square) * (1 + 1e-6))


def doubtful(floats, w, level=0.0):
    """Rows whose score z_j · w is not certainly above `level`: their indices, scores and bounds of the scores' errors.

    |fl(z·w) − z·w| <= γ_n |z| |w| in any order of summation; the factor here is more than twice γ_n and so covers
    entries of z and w that are rounded themselves.
    """
    F, n = floats.values, len(w)
    scores = F.dot(w)
    factor = 2 * (n + 4) * (EPS * np.linalg.norm(w) + TINY)
    noise = 2 * EPS * abs(level) + n * TINY
    index = np.flatnonzero(scores <= level + noise + factor * floats.size)
    error = noise + factor * np.linalg.norm(F[index], axis=1)
    below = scores[index] <= level + error
    return index[below], scores[index[below]], error[below]


def readable(patterns):
    """The patterns of a record, or None if they are none."""
    try:
        return as_patterns(patterns, allow_zero=True)
    except (TypeError, ValueError):
        return None


def fractions_of(values):
    """The numbers of a record as a list of Fractions, floats as the rationals they are; None if one is no number."""
    try:
        values = list(values)
        return [Fraction(v) for v in values] if all(map(is_number, values)) else None
    except (TypeError, ValueError, OverflowError):
        return None


def combination(support, weights, p):
    """Indices and Fractions λ >= 0, not all zero, one for each; None if that is not what a record says of p rows."""
    index, lam = fractions_of(support), fractions_of(weights)
    if index is None or lam is None or not len(index) == len(lam) == len(set(index)):
        return None
    if not (lam and min(lam) >= 0 and any(lam) and all(j in range(p) for j in index)):
        return None
    return [int(j) for j in index], lam


def nearest(Z, support, weights):
    """The exact point w of the hull of all rows that is closest to the origin: (support, weights, w).

    Wolfe's algorithm in integers from the given convex combination (any weights >= 0, not all zero); it stops when
    min_j z_j · w >= |w|² holds exactly, after finitely many steps. The weights are positive Fractions with sum 1.
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
            return B, lam, [Fraction(int(v), D * exact.scale) for v in w]
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
    """Solve M u = 1 for the Gram matrix M and scale u to the sum 1: (u, False).

    Where M is singular: (a vector of its kernel, which has the sum 0; True).
    """
    u, denominator = solve(M, np.ones(len(M), dtype=int))
    total = int(sum(u)) if denominator else 1
    return [Fraction(int(v), total) for v in u], not denominator
