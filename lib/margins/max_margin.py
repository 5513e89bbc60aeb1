"""The maximum margin, with a rigorous enclosure and, on demand, an exact certificate.

For patterns z_1 … z_p the maximum margin is  m = max over |w| = 1 of min_j z_j · w. If the
patterns are separable it equals the distance of their convex hull from the origin, and the
closest point of the hull is the best w (the lecture's section on Kozinec's algorithm). Its
(34) encloses m for any w of the hull:  min_j z_j · w / |w| <= m <= |w|.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.margins.descent import approach
from lib.margins.rational import EPS, TINY, Rational, as_floats, nearest
from lib.numbers import integers
from lib.patterns import as_patterns

FLOOR = 8 * EPS
"""A point of the hull this small, relative to the rows it is made of, is zero for floats."""
LARGEST = np.finfo(float).max


@dataclass(frozen=True, eq=False)
class ExactMargin:
    """The squared maximum margin as a Fraction, with all that is needed to check it.

    Attributes
    ----------
    squared : Fraction
        m² if the patterns are separable; 0 if and only if they are not, and `weights` are
        then Gordan's: λ >= 0, Σ λ_j = 1, Σ λ_j z_j = 0.
    support : tuple of int
    weights : tuple of Fraction
        One a row of the support, positive, with sum 1.
    w : tuple of Fraction
        The point Σ λ_j z_j of the hull that is closest to the origin.
    """

    squared: Fraction
    support: tuple
    weights: tuple
    w: tuple

    @property
    def direction(self):
        """w as the smallest vector of integers on its ray, shape (n,)."""
        (whole,), _ = integers(np.array(self.w, dtype=object))
        return whole // np.gcd.reduce(whole) if whole.any() else whole

    def verify(self, patterns):
        """Check in exact arithmetic, without regard to how it was found.

        w is in the hull, so m <= |w|; every score is at least |w|², so m >= |w|.
        """
        exact = Rational(as_patterns(patterns, allow_zero=True))
        scale, Z = exact.scale, exact.rows(slice(None))
        square = sum(v * v for v in self.w)
        return (
            min(self.weights) >= 0
            and sum(self.weights) == 1
            and [scale * v for v in self.w] == list(np.array(self.weights).dot(Z[list(self.support)]))
            and min(Z.dot(np.array(self.w))) >= scale * square
            and square == self.squared
        )


@dataclass(frozen=True, eq=False)
class MaxMargin:
    """What `max_margin` found.

    Attributes
    ----------
    w : ndarray, shape (n,)
        The closest point of the hull to the origin, to rounding.
    margin : float
        The best estimate, the margin that w has for certain: `lower`.
    lower, upper : float
        lower <= m <= upper, rounding included.
    support : ndarray of int, shape (k,)
    weights : ndarray, shape (k,)
        Nonnegative, with sum 1: the point of the hull that is `w` to rounding.
    gap : float
        (upper − lower) / upper.
    iterations : int
        Rows that entered the support on the way.
    converged : bool
        gap <= tol. Never for patterns that are not separable: there lower <= 0 <= upper.
    """

    w: np.ndarray
    lower: float
    upper: float
    support: np.ndarray
    weights: np.ndarray
    iterations: int
    converged: bool
    patterns: np.ndarray = field(repr=False)

    @property
    def margin(self):
        return self.lower

    @property
    def gap(self):
        return (self.upper - self.lower) / self.upper

    def exact(self):
        """The squared margin as a Fraction with its certificate; floats count as the rationals they are.

        Wolfe's algorithm goes on from the support in exact arithmetic until the optimality
        condition min_j z_j · w >= |w|² holds exactly; from the right support that is one solve.
        """
        support, weights, w = nearest(self.patterns, self.support, self.weights)
        return ExactMargin(sum(v * v for v in w), tuple(support), tuple(weights), tuple(w))


def max_margin(patterns, *, tol=1e-9):
    """The hard maximum margin: the point of the hull of the patterns closest to the origin.

    Solves max over |w| = 1 of min_j z_j · w by Wolfe's active sets on a growing working set.
    Stops at a relative gap of `tol`, or when floats can do no more, about 1e-15 R / m for
    patterns of length R: the gap says how far it got. Guarantees lower <= m <= upper (the
    lecture's (34)) with all rounding accounted for, whatever happened on the way; patterns that
    are not separable give lower <= 0 (and then `separability` gives a certificate).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Integers, Fractions or floats; no zero row.
    tol : float
        Relative gap to reach.

    Returns
    -------
    MaxMargin

    Examples
    --------
    >>> found = max_margin([[2, 1], [1, 2], [3, 3]])
    >>> found.w, found.exact().squared
    (array([1.5, 1.5]), Fraction(9, 2))
    """
    if not 0 < tol < 1:
        raise ValueError(f"tol is {tol!r}; expected a number between 0 and 1")
    Z = as_patterns(patterns, allow_zero=True)
    floats = as_floats(Z)
    F, shift = floats.values, floats.shift
    if shift > 1000:
        raise ValueError(f"patterns reach 2^{shift}; expected entries within the range of floats, as w is")
    for corral, scores, full in approach(F, tol / 2, FLOOR):  # noqa: B007
        pass
    if not full:
        scores = F.dot(corral.x)
    if not scores.all():
        as_patterns(Z)
    order = np.argsort(corral.labels)
    support, weights = corral.labels[order], corral.weights[order] / corral.weights.sum()
    lower, upper = _enclosure(floats, scores, corral.x, support, weights)
    converged = upper - lower <= tol * upper
    w = np.ldexp(corral.x, shift)
    return MaxMargin(w, lower, upper, support, weights, corral.steps, converged, Z)


def enclosure(patterns, support, weights):
    """The lecture's (34) for w = Σ λ_j z_j / Σ λ_j: floats lower <= m <= upper, with all rounding accounted for."""
    Z = as_patterns(patterns, allow_zero=True)
    floats = as_floats(Z)
    lam = np.asarray(weights, dtype=float)
    w = lam.dot(floats.values[support])
    return _enclosure(floats, floats.values.dot(w), w, support, lam)


def bracket(patterns, support, weights):
    """The lecture's (34) in Fractions: (a, b) with a <= m² <= b for separable patterns.

    Any floats λ >= 0 will do: they are read as the rationals they are and divided by their sum. Then
    b = |w|² and a = (min_j z_j · w)²/|w|², or 0 if some score is not positive.
    """
    exact = Rational(as_patterns(patterns, allow_zero=True))
    Z = exact.rows(slice(None)) * (1 / exact.scale)
    lam = np.array([Fraction(v) for v in weights], dtype=object)
    w = lam.dot(Z[list(support)]) / sum(lam)
    square, low = w.dot(w), min(Z.dot(w))
    return (low * low / square if low > 0 else Fraction(0)), square


def _enclosure(floats, scores, w, support, weights):
    return rescale(_lower(floats, scores, w), floats.shift, -np.inf), length(floats, support, weights)


def length(floats, support, weights):
    """|Σ λ_j z_j| / Σ λ_j for the given floats λ, rounded up: no unit vector has a larger margin."""
    rows, weights = floats.values[support].astype(np.longdouble), weights.astype(np.longdouble)
    total = weights.sum()
    point = weights.dot(rows) / total
    size = weights.dot(np.sqrt((rows * rows).sum(axis=1))) / total
    rounding = (len(rows) + len(point) + 8) * np.finfo(np.longdouble).eps
    upper = np.sqrt(point.dot(point)) * (1 + rounding) + (rounding + 2 * floats.error) * size + len(point) * TINY
    return rescale(upper, floats.shift, np.inf)


def _lower(floats, scores, w):
    """min_j z_j · w / |w|, rounded down; only rows that may have the minimum are computed with care."""
    F, n = floats.values, len(w)
    norm = np.sqrt(w.dot(w))
    if norm == 0:
        return -2 * floats.size
    coarse = 2 * (n + 4) * EPS * norm
    index = np.flatnonzero(scores <= scores.min() + 2 * coarse * floats.size + n * TINY)
    norms = np.linalg.norm(F[index], axis=1)
    doubt = coarse * norms + n * TINY
    near = scores[index] - doubt <= (scores[index] + doubt).min()
    rows, fine = F[index[near]].astype(np.longdouble), w.astype(np.longdouble)
    rounding = 2 * (n + 4) * np.finfo(np.longdouble).eps
    norm = np.sqrt(fine.dot(fine))
    lowest = ((rows.dot(fine) - n * TINY) / norm - (rounding + 2 * floats.error) * norms[near]).min()
    return lowest - rounding * abs(lowest)


def rescale(value, shift, direction):
    """value · 2^shift as a float, rounded towards `direction`, finite below."""
    with np.errstate(over="ignore", under="ignore"):
        value = np.nextafter(np.ldexp(np.nextafter(np.float64(value), direction), shift), direction)
    return float(min(value, LARGEST) if direction < 0 else value)
