"""The maximum margin, with a rigorous enclosure and, on demand, an exact certificate.

For patterns z_1 … z_p the maximum margin is  m = max over |w| = 1 of min_j z_j · w. If the patterns are separable it
equals the distance of their convex hull from the origin, and the closest point of the hull is the best w (the lecture's
section on Kozinec's algorithm). Its (34) encloses m for any w of the hull:  min_j z_j · w / |w| <= m <= |w|.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.compiled import add, compiled, dot, texts
from lib.margins.enclosure import lowest_score, point_length, rescale
from lib.margins.rational import Rational, as_floats, combination, fractions_of, nearest, readable
from lib.margins.wolfe import SURROUNDED, closest, enter, settle
from lib.numbers import as_matrix, as_room, integers, is_number
from lib.patterns import as_patterns

STOPS = "gap reached", "origin in the hull", "floats can do no more", "out of updates"


@dataclass(frozen=True, eq=False)
class ExactMargin:
    """The squared maximum margin as a Fraction, with all that is needed to check it.

    Attributes
    ----------
    squared : Fraction
        m² if the patterns are separable; 0 if and only if they are not, and `weights` are then Gordan's.
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

        w is in the hull, so m <= |w|; every score is at least |w|², so m >= |w|. A record that is no such certificate,
        whatever is wrong with it, gives False.
        """
        Z = readable(patterns)
        w, squared = fractions_of(self.w), fractions_of([self.squared])
        found = None if Z is None else combination(self.support, self.weights, len(Z))
        if None in (w, squared, found) or len(w) != Z.shape[1]:
            return False
        exact = Rational(Z)
        scale, rows = exact.scale, exact.rows(slice(None))
        support, lam = found
        square = sum(v * v for v in w)
        return bool(
            sum(lam) == 1
            and [scale * v for v in w] == list(np.array(lam).dot(rows[support]))
            and min(rows.dot(np.array(w))) >= scale * square
            and [square] == squared
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
    updates : int
        Rows that entered the support on the way.
    converged : bool
        gap <= tol. Never for patterns that are not separable: there lower <= 0 <= upper.
    stop : str
        "gap reached", "origin in the hull" (of the support, to rounding), "floats can do no more" or "out of updates".
    """

    w: np.ndarray
    lower: float
    upper: float
    support: np.ndarray
    weights: np.ndarray
    updates: int
    converged: bool
    stop: str
    patterns: np.ndarray = field(repr=False)

    @property
    def margin(self):
        return self.lower

    @property
    def gap(self):
        return (self.upper - self.lower) / self.upper

    def exact(self):
        """The squared margin as a Fraction with its certificate; floats count as the rationals they are.

        Wolfe's algorithm goes on from the support in exact arithmetic; from the right support that is one solve.
        """
        support, weights, w = nearest(self.patterns, self.support, self.weights)
        return ExactMargin(sum(v * v for v in w), tuple(support), tuple(weights), tuple(w))


@texts(closest, settle, enter)
def max_margin(patterns, *, tol=1e-9, max_updates=100_000):
    """The hard maximum margin: the point of the hull of the patterns closest to the origin.

    Solves max over |w| = 1 of min_j z_j · w by Wolfe's algorithm on a growing working set.
    Stops at a relative gap of `tol`, after `max_updates`, or when floats can do no more, about 1e-15 R / m for
    patterns of length R: the gap says how far it got. Guarantees lower <= m <= upper (the lecture's (34)) with all
    rounding accounted for, whatever happened on the way; patterns that are not separable give lower <= 0 (and then
    `separability` gives a certificate).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Integers, Fractions or floats; no zero row.
    tol : float
        Relative gap to reach.
    max_updates : int
        Rows that may enter the support on the way.

    Returns
    -------
    MaxMargin

    Examples
    --------
    >>> found = max_margin([[2, 1], [1, 2], [3, 3]])
    >>> found.w, found.exact().squared
    (array([1.5, 1.5]), Fraction(9, 2))
    """
    if not (is_number(tol) and 0 < tol < 1):
        raise ValueError(f"tol is {tol!r}; expected a number between 0 and 1")
    room = as_room(max_updates, least=1)
    Z = as_matrix(patterns, "patterns", finite=False)
    floats = as_floats(Z)
    shift = floats.shift
    if shift > 1000:
        raise ValueError(f"patterns reach 2^{shift}; expected entries within the range of floats, as w is")
    support, weights, w, lower, upper, updates, stop = search.fast(floats.values, floats.size, floats.error, tol, room)
    if lower <= 0:
        as_patterns(Z)  # refuses a row of zeros
    if shift:
        w, lower, upper = np.ldexp(w, shift), rescale(lower, shift, -np.inf), rescale(upper, shift, np.inf)
    converged = upper - lower <= tol * upper
    return MaxMargin(w, lower, upper, support, weights, updates, converged, STOPS[0 if converged else stop or 2], Z)


@compiled
def search(F, size, error, tol, room):
    """Wolfe's algorithm to half the gap; the point of the hull that it ends with, and its enclosure of the margin."""
    support, u, w, made, stop = closest(F, False, 1 - tol / 2, 0.0, room)
    order = np.argsort(support)
    support, weights = support[order], np.maximum(u[order], 0)
    total, square, x = dot(weights, np.ones(len(weights))), dot(w, w), np.zeros(len(w))
    if not 0 < total < np.inf:  # scales too wide for floats
        support, weights, total = support[:1], np.ones(1), 1.0
    weights = weights / total
    if stop != SURROUNDED and 0 < square < np.inf:
        add(w, x, 1 / square)
    else:
        for i in range(len(support)):
            add(F[support[i]], x, weights[i])
    return support, weights, x, lowest_score(F, x, size, error), point_length(F, support, weights, error), made, stop
