"""The Prague lecture's formulas: risk, capacity (slides 2-9), Novikoff (23-25), the batch rule (26-28), (34)."""

from fractions import Fraction
from math import ceil

import numpy as np

from lib.margins.enclosure import bracket
from lib.numbers import as_vector, in_one_system, quotient
from lib.patterns import as_patterns


def eq1(N, h, eta):
    """The square root of (1): √([h (ln(2N/h) + 1) − ln(η/4)]/N), falling for h > 2N; NaN where it has no root."""
    N, h, eta = np.broadcast_arrays(np.asarray(N, float), np.asarray(h, float), np.asarray(eta, float))
    inside = (h * (np.log(2 * N / h) + 1) - np.log(eta / 4)) / N
    return np.sqrt(np.where(inside < 0, np.nan, inside))[()]


def hmargin(radius_squared, margin_squared):
    """R²/m² + 1, slide 7. Too small: three points with R²/m² = 16/9 are shattered."""
    return quotient(radius_squared, margin_squared) + 1


def hmargin_corrected(radius_squared, margin_squared, n=None):
    """min(⌈R²/m²⌉, n) + 1, slide 7 mended."""
    most = ceil(Fraction(radius_squared) / Fraction(margin_squared))
    return (most if n is None else min(most, n)) + 1


def eq9(patterns):
    """D² = max ‖z_j‖² over the rows, exact for exact rows; (10) needs that of the folded rows, with the constant 1."""
    (Z,) = in_one_system(as_patterns(patterns, allow_zero=True))
    return max((Z * Z).sum(axis=1))


def eq10(radius_squared, margin_squared):
    """T ≤ D²/γ² from w0 = 0, Novikoff's theorem, (10) and (24). Both numbers belong to one folded set."""
    return quotient(radius_squared, margin_squared)


def eq25(patterns, w):
    """J(w), the number of patterns with z · w ≤ 0: (25) with w in place of w^(t)."""
    Z, w = _pair(patterns, w)
    return int(np.count_nonzero(Z.dot(w) <= 0))


def eq28(patterns, w):
    """J_p(w) = Σ max(0, −z · w). Convex; zero at w = 0, which solves nothing."""
    Z, w = _pair(patterns, w)
    scores = Z.dot(w)
    return -scores[scores <= 0].sum()


def eq29(patterns, w):
    """Minus the sum of the wrong patterns: ∇J_p where no score is zero, always a subgradient."""
    Z, w = _pair(patterns, w)
    return -Z[Z.dot(w) <= 0].sum(axis=0)


def eq34(patterns, weights):
    """(34) squared: a ≤ m² ≤ b for the point w = Σ λ_j z_j of the hull, one weight a row, in Fractions.

    b = ‖w‖² and a = (min_j z_j · w)²/‖w‖², or 0 if some score is not positive. `weights` need not have the sum 1.
    """
    return bracket(patterns, range(len(weights)), weights)


def _pair(patterns, w):
    Z = as_patterns(patterns)
    return in_one_system(Z, as_vector(w, Z.shape[1], "w"))
