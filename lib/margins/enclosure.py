"""Floats below and above the maximum margin, with all rounding accounted for: the lecture's (34).

For any w of the hull  min_j z_j · w / |w| <= m <= |w|. Both sides are computed with products in twice the precision
(Ogita, Rump and Oishi, Accurate sum and dot product, 2005, Proposition 5.5), so that what is lost to rounding is some
1e-16 of the margin and 1e-31 of the rows: |fine_dot(a, b) − a · b| <= u |a · b| + γ² |a| |b|, where u = 2^-53 and
γ = nu/(1 − nu), as long as nothing underflows; an underflow loses less than the smallest normal number.
"""

from fractions import Fraction

import numpy as np

from lib.compiled import compiled, dot
from lib.margins.rational import EPS, TINY, Rational, as_floats
from lib.patterns import as_patterns

SPLITTER = 2.0**27 + 1
SHORT = 1e-140
"""The square of a shorter vector might underflow."""
LARGEST = np.finfo(float).max


def enclosure(patterns, support, weights):
    """(34) for w = Σ λ_j z_j / Σ λ_j: floats lower <= m <= upper, with all rounding accounted for."""
    floats = as_floats(as_patterns(patterns, allow_zero=True))
    lam = np.asarray(weights, dtype=float)
    w = lam.dot(floats.values[support])
    lower = lowest_score(floats.values, w, floats.size, floats.error)
    return rescale(lower, floats.shift, -np.inf), length(floats, np.asarray(support), lam)


def bracket(patterns, support, weights):
    """(34) in Fractions: (a, b) with a <= m² <= b for separable patterns.

    Any floats λ >= 0 will do: they are read as the rationals they are and divided by their sum. Then
    b = |w|² and a = (min_j z_j · w)²/|w|², or 0 if some score is not positive.
    """
    exact = Rational(as_patterns(patterns, allow_zero=True))
    Z = exact.rows(slice(None)) * Fraction(1, exact.scale)
    lam = np.array([Fraction(v) for v in weights], dtype=object)
    w = lam.dot(Z[list(support)]) / sum(lam)
    square, low = w.dot(w), min(Z.dot(w))
    return (low * low / square if low > 0 else Fraction(0)), square


def length(floats, support, weights):
    """|Σ λ_j z_j| / Σ λ_j for the given floats λ, rounded up: no unit vector has a larger margin."""
    return rescale(point_length(floats.values, support, weights, floats.error), floats.shift, np.inf)


def rescale(value, shift, direction):
    """value · 2^shift as a float, rounded towards `direction`, finite below."""
    if not shift:
        return value
    with np.errstate(over="ignore", under="ignore"):
        value = np.nextafter(np.ldexp(value, shift), direction)
    return float(min(value, LARGEST) if direction < 0 else value)


@compiled
def lowest_score(F, w, size, error):
    """min_j z_j · w / |w|, rounded down; F is z to a relative error, and no row is longer than `size`."""
    n = len(w)
    norm = np.sqrt(fine_dot(w, w))
    if not norm > SHORT:
        return -2 * size
    rough = (2 * (n + 4) * EPS + 2 * error) * size * norm + n * TINY
    fine = (n * EPS) ** 2 + 2 * error
    low = np.inf
    for j in range(len(F)):
        if dot(F[j], w) - rough <= low:  # only a row that may be the lowest is worth the trouble
            score = fine_dot(F[j], w)
            low = min(low, score - 2 * EPS * abs(score) - fine * row_length(F[j]) * norm - n * TINY)
    return low / norm - 4 * EPS * abs(low / norm) - TINY


@compiled
def point_length(F, support, weights, error):
    """|Σ λ_j z_j| / Σ λ_j, rounded up."""
    k, n = len(support), F.shape[1]
    column, point, size = np.empty(k), np.empty(n), 0.0
    for i in range(n):
        for j in range(k):
            column[j] = F[support[j], i]
        point[i] = fine_dot(column, weights)
    for j in range(k):
        size += weights[j] * row_length(F[support[j]])
    slack = ((k * EPS) ** 2 + 2 * error) * size + (k + n) * n * TINY
    top = max(np.abs(point).max(), TINY)
    length = top * np.sqrt(fine_dot(point / top, point / top))
    return (length + slack) / fine_dot(weights, np.ones(k)) * (1 + 8 * EPS) + TINY


@compiled
def row_length(row):
    """|row|, or more where squares might underflow."""
    square = dot(row, row)
    return np.sqrt(square) if square > SHORT**2 else np.sqrt(len(row)) * np.abs(row).max()


@compiled
def fine_dot(a, b):
    """a · b in twice the precision, then rounded: what products and sums lose is added at the end."""
    total = rest = 0.0
    for k in range(len(a)):
        product = a[k] * b[k]
        high, low = halves(a[k])
        upper, lower = halves(b[k])
        lost = ((high * upper - product) + high * lower + low * upper) + low * lower
        before, total = total, total + product
        taken = total - before
        rest += lost + ((before - (total - taken)) + (product - taken))
    return total + rest


@compiled
def halves(x):
    """x as a sum of two numbers of 26 digits, whose products are exact (Veltkamp)."""
    high = SPLITTER * x
    high -= high - x
    return high, x - high


@compiled
def fine_product(A, b):
    """A b, row by row."""
    product = np.empty(len(A))
    for i in range(len(A)):
        product[i] = fine_dot(A[i], b)
    return product
