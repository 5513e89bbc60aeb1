"""Separable or not, with a certificate either way.

Gordan's alternative: either some w has z_j · w > 0 for every pattern, or some weights λ >= 0, Σ λ_j = 1, have
Σ λ_j z_j = 0; never both. The search for either is not trusted: an answer is given only after the checkers below,
which see nothing of the search, accept it.
"""

from dataclasses import dataclass, field

import numpy as np

from lib.compiled import texts
from lib.margins.enclosure import fine_product, length, rescale
from lib.margins.rational import EPS, Rational, as_floats, combination, doubtful, fractions_of, nearest, readable
from lib.margins.wolfe import EXHAUSTED, SOLVED, STALLED, closest, enter, settle
from lib.numbers import as_matrix, as_room, is_exact, is_number
from lib.patterns import as_patterns

CLEAR = 1e-9
"""A w is looked for whose lowest score is this share of those of its support, at least."""
EXACT_COLUMNS = 200
"""Exact data with more columns may stay undecided where floats do not suffice."""


@dataclass(frozen=True, eq=False)
class Separability:
    """What `separability` found.

    Attributes
    ----------
    separable : bool or None
        None: undecided within the tolerance and the updates.
    w : ndarray, shape (n,), or None
        z_j · w > 0 for every pattern. Floats; Python integers where floats do not suffice.
    support : ndarray of int, shape (k,), or None
    weights : ndarray, shape (k,), or None
        Gordan's weights of the rows of the support, nonnegative with sum 1, to rounding (`exact` gives them exactly);
        present if no separating w was found.
    bound : float
        No unit vector has a margin above this: the length of a point of the hull, rounded up.
    """

    separable: bool | None
    w: np.ndarray | None
    support: np.ndarray | None
    weights: np.ndarray | None
    bound: float
    patterns: np.ndarray = field(repr=False)

    def verify(self):
        """True if `separable` is proven by what the record holds, in exact arithmetic; False for any other record.

        True: every z_j · w > 0. False: the weights are nonnegative and give `bound`, and weights near them satisfy
        Σ λ_j z_j = 0 exactly: found as Fractions for integer and Fraction patterns, shown to exist
        (`surrounds_origin`) or found for floats. None: nothing is proven.
        """
        Z = readable(self.patterns)
        if Z is None or not (is_number(self.bound) and self.bound >= 0):
            return False
        if self.separable is True:
            w = fractions_of(self.w)
            return w is not None and len(w) == Z.shape[1] and separates(Z, np.array(w, dtype=object))
        if self.separable is not False or not bounds_margin(Z, self.support, self.weights, self.bound):
            return False
        return balances(Z, *self.exact()) if is_exact(Z) else proves_inseparable(Z, self.support, self.weights)

    def exact(self):
        """Gordan's weights as Fractions: (support, weights), if the patterns are not separable.

        The weights are solved for on the support; should they not balance exactly, Wolfe's algorithm goes on in exact
        arithmetic over all patterns.
        """
        if self.separable is not False:
            raise ValueError("there are no Gordan weights: expected patterns proven not separable")
        support, weights, w = nearest(self.patterns[self.support], range(len(self.support)), self.weights)
        if any(w):
            return nearest(self.patterns, self.support, self.weights)[:2]
        return [int(self.support[i]) for i in support], weights


@texts(closest, settle, enter)
def separability(patterns, *, tol=1e-12, max_updates=100_000):
    """Decide whether some w has z_j · w > 0 for every pattern, with a certificate.

    Descends in the hull of the patterns, scaled to length 1, and stops at the first w with min_j z_j · w > 0 (the mean
    is tried first, so that easy data take one pass) or where the origin is in the hull. Either is then checked by
    `separates` or by `proves_inseparable`; integers and Fractions that withstand both are decided by exact arithmetic.
    Floats are not: None is said, never a guess; and so it is where `max_updates` do not suffice.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Integers, Fractions or floats. A zero row is a certificate by itself.
    tol : float
        A point of the hull shorter than this counts as the origin in the search.
    max_updates : int
        Rows that may enter the support of that point.

    Returns
    -------
    Separability

    Examples
    --------
    >>> separability([[1, 1], [2, -1]]).separable
    True
    >>> found = separability([[1, 1], [-2, 1], [1, -2]])
    >>> found.separable, found.exact()
    (False, ([0, 1, 2], [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]))
    """
    if not (is_number(tol) and 0 < tol < 1):
        raise ValueError(f"tol is {tol!r}; expected a number between 0 and 1")
    room = as_room(max_updates, least=1)
    Z = as_matrix(patterns, "patterns", finite=False)
    floats = as_floats(Z)
    return _try_mean(Z, floats) or _descend(Z, floats, tol, room)


def _try_mean(Z, floats):
    """The answer if the mean separates beyond the doubt of rounding, so that a user's own product says so too."""
    F = floats.values
    p = len(F)
    w = np.full(p, 1 / p).dot(F)
    if doubtful(floats, w)[0].size:
        return None
    bound = np.linalg.norm(w) + 2 * (p + 8) * EPS * floats.size / np.sqrt(p)
    return Separability(True, w, None, None, float(rescale(bound, floats.shift, np.inf)), Z)


def _descend(Z, floats, tol, room):
    support, u, w, _, stop = closest(floats.values, True, CLEAR, tol, room)
    support, weights = _unscaled(floats.values, support, u)
    bound = length(floats, support, weights)
    if stop in (SOLVED, STALLED) and separates(Z, w, floats):
        return Separability(True, w, None, None, bound, Z)
    if stop != EXHAUSTED and proves_inseparable(Z, support, weights):
        return Separability(False, None, support, weights, bound, Z)
    if stop != EXHAUSTED and is_exact(Z) and Z.shape[1] <= EXACT_COLUMNS:
        return _decide_exactly(Z, floats, support, weights)
    return Separability(None, None, support, weights, bound, Z)


def _decide_exactly(Z, floats, support, weights):
    support, weights, w = nearest(Z, support, weights)
    support, weights = np.array(support), np.array(weights, dtype=float)
    bound = length(floats, support, weights)
    if not any(w):
        return Separability(False, None, support, weights, bound, Z)
    top = max(map(abs, w))
    rounded = np.array([float(v / top) for v in w])
    if not separates(Z, rounded):
        rounded = Rational(np.array([w], dtype=object)).rows(0)
    return Separability(True, rounded, None, None, bound, Z)


def _unscaled(F, support, u):
    """The weights of rows of length 1 as weights of the rows themselves, with sum 1; a zero row has them all."""
    order = np.argsort(support)
    support, u = support[order], np.maximum(u[order], 0)
    tops = np.abs(F[support]).max(axis=1)
    if not tops.all() or not 0 < u.max() < np.inf:
        return support[tops == tops.min()][:1], np.ones(1)
    norms = tops * np.linalg.norm(F[support] / tops[:, None], axis=1)
    weights = u / u.max() * (norms.min() / norms)
    return support, weights / weights.sum()


def separates(patterns, w, floats=None):
    """Is every z_j · w > 0? Exact: scores whose sign rounding could change are computed in integers."""
    Z = as_patterns(patterns, allow_zero=True) if floats is None else patterns
    w = as_patterns([w], allow_zero=True)
    index, scores, error = doubtful(floats or as_floats(Z), as_floats(w).values[0])
    if (scores < -error).any():
        return False
    return not index.size or min(Rational(Z[index]).rows(slice(None)).dot(Rational(w).rows(0))) > 0


def bounds_margin(patterns, support, weights, bound):
    """Are the weights nonnegative, not all zero, and is |Σ λ_j z_j| <= bound Σ λ_j? Exact."""
    Z = as_patterns(patterns, allow_zero=True)
    found = combination(support, weights, len(Z))
    if found is None or not (is_number(bound) and bound >= 0):
        return False
    if bound == np.inf:
        return True
    support, lam = found
    exact = Rational(Z[support])
    point = np.array(lam).dot(exact.rows(slice(None)))
    return bool(point.dot(point) <= (fractions_of([bound])[0] * exact.scale * sum(lam)) ** 2)


def balances(patterns, support, weights):
    """Gordan's alternative, exactly: λ >= 0, Σ λ_j = 1, Σ λ_j z_j = 0."""
    Z = as_patterns(patterns, allow_zero=True)
    found = combination(support, weights, len(Z))
    if found is None or sum(found[1]) != 1:
        return False
    return not any(np.array(found[1]).dot(Rational(Z[found[0]]).rows(slice(None))))


def proves_inseparable(patterns, support, weights):
    """Do some weights on the support balance exactly? By floats with a bound if possible, else exactly."""
    rows = patterns[support]
    floats = as_floats(rows)
    if surrounds_origin(floats.values, floats.error):
        return True
    if len(support) > EXACT_COLUMNS:
        return False
    return not any(nearest(rows, range(len(support)), weights)[2])


def surrounds_origin(rows, error=0.0):
    """Is the origin inside the simplex of n + 1 rows, known to a relative error? True is a proof, rounding included.

    With A = (rows; 1)ᵀ and X ≈ A⁻¹, E = |I − AX| < 1 bounds |A⁻¹| <= |X| / (1 − E) in the norm of row sums, so the
    exact solution of A λ = (0, 1) is within |A⁻¹| |A λ − (0, 1)| of the float λ: if that is below min λ, the exact
    weights are positive. Scaling rows changes nothing.
    """
    k, n = rows.shape
    norms = np.linalg.norm(rows, axis=1)
    if k != n + 1 or norms.min() < 1e-140:
        return False
    A = np.vstack([(rows / np.exp2(np.round(np.log2(norms)))[:, None]).T, np.ones(k)])
    try:
        X = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return False
    spread = (np.abs(A).dot(np.abs(X))).sum(axis=1).max()
    E = np.abs(np.eye(k) - A.dot(X)).sum(axis=1).max() + 2 * ((k + 4) * EPS + error) * (1 + spread)
    if not E < 0.5:
        return False
    lam, goal = X[:, -1], np.eye(k)[-1]
    lam = lam - X.dot(fine_product(A, lam) - goal)
    found = fine_product(A, lam)
    slack = 2 * EPS * (np.abs(found) + goal) + 2 * ((k * EPS) ** 2 + error) * np.abs(A).dot(np.abs(lam))
    miss = (np.abs(found - goal) + slack).max()
    return bool(lam.min() > 2 * np.abs(X).sum(axis=1).max() / (1 - E) * miss)
