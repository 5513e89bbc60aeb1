"""Descent to the closest point of the hull: Kozinec's algorithm and its relative MDM.

Both keep a point w = Σ λ_j z_j of the convex hull of the patterns and shorten it. Its length bounds the
maximum margin m from above, its worst score bounds it from below, which is the lecture's (34):
min_j z_j · w / |w| <= m <= |w|. So every run ends with an enclosure of m, whether it got far or not.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

import numpy as np

from lib.margins.hull_points import Point
from lib.margins.max_margin import bracket, enclosure
from lib.numbers import one_of, whole_number
from lib.patterns import as_patterns

RULES = ("first", "cyclic", "worst")
REFRESH = 1000
"""In floats the kept scores are computed anew after so many updates."""


@dataclass(frozen=True, eq=False)
class Descent:
    """What `kozinec` or `mdm` did.

    Attributes
    ----------
    w : ndarray, shape (n,)
        The last point of the hull.
    lower, upper : float
        lower <= m <= upper by (34), rounding included.
    support : ndarray of int, shape (k,)
    weights : ndarray, shape (k,)
        Positive, with sum 1: w = Σ λ_j z_j. Fractions if the patterns are.
    picks : ndarray of int, shape (updates,), or (updates, 2) for `mdm`
        The pattern moved to; for `mdm` also the one moved away from.
    squares, lows : ndarray, shape (updates + 1,)
        |w|² and min_j z_j · w before, between and after the updates; exact if the run is.
    clipped : int
        Updates whose step had to be cut at the end of the segment.
    converged : bool
    stop : str
        "no violator left", "out of updates" or "origin reached" (the patterns are not separable).
    """

    w: np.ndarray
    lower: float
    upper: float
    support: np.ndarray = field(repr=False)
    weights: np.ndarray = field(repr=False)
    picks: np.ndarray = field(repr=False)
    squares: np.ndarray = field(repr=False)
    lows: np.ndarray = field(repr=False)
    clipped: int
    stop: str
    patterns: np.ndarray = field(repr=False)

    @property
    def converged(self):
        return self.stop == "no violator left"

    @property
    def updates(self):
        return len(self.picks)

    @property
    def gap(self):
        """upper − lower, the lecture's ε for this w."""
        return self.upper - self.lower

    def gaps(self):
        """|w| − min_j z_j · w / |w| along the run, in floats, shape (updates + 1,)."""
        squares, lows = self.squares.astype(float), self.lows.astype(float)
        return (squares - lows) / np.sqrt(squares)

    def exact(self):
        """(34) in Fractions: see `bracket`."""
        return bracket(self.patterns, self.support, self.weights)


def kozinec(patterns, *, eps=0, relative=False, rule="worst", start=0, max_updates=1_000_000):
    """Kozinec's algorithm (the lecture's slide 44) and its ε-version (slide 45, mended).

    Solves: find w in the hull of the patterns with z_j · w > 0 for all j (eps = 0), or with
    |w| − min_j z_j · w / |w| <= eps, which makes w an ε-solution of the maximum margin.
    Moves: to the shortest point of the segment from w to a violator z: w ← (1 − κ) w + κ z with
    κ = min(1, w · (w − z) / |w − z|²). A violator has z · w <= 0, or |w| − z · w / |w| > eps.
    Stops: when there is no violator, after `max_updates` moves, or at the origin.
    Guarantees: at most D²/m² − 1 updates if eps = 0; at most 4Δ²/(m eps) + 1 for the worst violator, with Δ
    the diameter of the patterns (see `kozinec_plain`, `kozinec_any`, `kozinec_worst` of `bounds`). Fractions run
    exactly, but their digits double with every update; integers and floats run in floats with a rigorous enclosure.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    eps : number
        Zero asks for separation alone.
    relative : bool
        Measure the gap in units of |w|.
    rule : {"first", "cyclic", "worst"}
        The first violator from the top, the next one in the round, or the one of the lowest score.
    start : int
        The pattern to begin at.
    max_updates : int

    Returns
    -------
    Descent

    Examples
    --------
    >>> kozinec([[2, 0], [1, 1]]).updates, kozinec([[2, 0], [1, 1]], eps=0.1).w
    (0, array([1., 1.]))
    """
    Z = as_patterns(patterns)
    _check(eps, "eps", start, len(Z), max_updates)
    one_of(rule, "rule", RULES)
    point = Point(Z, start)
    violates = _violation(eps, relative, point.exact)
    return _descend(point, max_updates, lambda room: _kozinec(point, violates, rule, room))


def mdm(patterns, *, tol=1e-6, start=0, max_updates=1_000_000):
    """Mitchell, Demyanov and Malozemov: move weight from the best pattern of the support to the worst of all.

    Solves: find w in the hull with |w|² − min_j z_j · w <= tol |w|², an ε-solution for ε = tol |w|.
    Moves: λ_i ← λ_i − t, λ_j ← λ_j + t where j has the lowest score and i the highest of the support;
    t = w · (z_i − z_j) / |z_i − z_j|², at most λ_i. The support shrinks, which Kozinec's cannot.
    Stops: as `kozinec` does. Fractions run exactly, and their digits grow by the same amount every update.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    tol : number
        The relative gap to reach.
    start, max_updates : int

    Returns
    -------
    Descent

    Examples
    --------
    >>> mdm([[0, 4], [-1, 1], [1, 1]]).w
    array([0., 1.])
    """
    Z = as_patterns(patterns)
    _check(tol, "tol", start, len(Z), max_updates)
    point = Point(Z, start, width=2)
    return _descend(point, max_updates, lambda room: _mdm(point, tol, room))


def _descend(point, room, burst):
    """Bursts of updates; in floats all scores are computed anew between them, and before the end."""
    while True:
        made = burst(min(REFRESH, room))
        if made is None:
            return _result(point, True)
        room -= made
        point.refresh()
        if not room or point.vanishes():
            return _result(point, burst(0) is None)


def _check(value, name, start, p, max_updates):
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, np.number)) or not value >= 0:
        raise ValueError(f"{name} is {value!r}; expected a number, zero or more")
    whole_number(start, "start", most=p - 1)
    whole_number(max_updates, "max_updates")


def _violation(eps, relative, exact):
    """Whether a score (or which of an array of scores) violates, given |w|²."""
    if not eps:
        return lambda square, score: score <= 0
    if relative:
        return lambda square, score: square - score > eps * square
    if exact:
        return lambda square, score: (square > score) & ((square - score) ** 2 > eps * eps * square)
    return lambda square, score: square - score > eps * sqrt(square)


def _kozinec(point, violates, rule, room):
    """Up to `room` updates; the number made, or None if there is no violator."""
    for made in range(room + 1):
        S, c, square = point.S, point.c, point.square
        if point.vanishes():
            break
        j = int(S.argmin())
        score = S.item(j) * c
        if not violates(square, score):
            return made or None
        if made == room or c < point.shrunk:
            break
        point.squares.append(square)
        point.lows.append(score)
        if rule != "worst":
            j = point.scan(violates(square, S * c), rule, j)
            score = S.item(j) * c
        row = point.row(j)
        size, fall = row.item(j), square - score
        point.picks.append(j)
        if score >= size:  # the same as κ >= 1: w · z >= |z|²
            point.jump(j)
            point.clipped += 1
            continue
        kappa = fall / (fall - score + size)
        point.c *= 1 - kappa
        point.square -= kappa * fall
        amount = kappa / point.c
        np.add(S, np.multiply(row, amount, point.spare), S)
        point.weights[j] += amount
    return made


def _mdm(point, tol, room):
    """Up to `room` updates; the number made, or None if the gap is small enough."""
    S, weights, spare = point.S, point.weights, point.spare
    support = np.flatnonzero(weights)
    for made in range(room + 1):
        if point.vanishes():
            break
        j = int(S.argmin())
        score = S.item(j)
        if point.square - score <= tol * point.square:
            return made or None
        if made == room:
            break
        point.squares.append(point.square)
        point.lows.append(score)
        i = int(support[S[support].argmax()])
        up, down, whole = point.row(j), point.row(i), weights[i]
        fall = S.item(i) - score
        distance = down.item(i) - 2 * up.item(i) + up.item(j)
        clip = fall >= whole * distance
        t = whole if clip else fall / distance
        point.square -= t * (2 * fall - t * distance)
        np.add(S, np.multiply(np.subtract(up, down, spare), t, spare), S)
        point.picks.extend((j, i))
        point.clipped += clip
        new = not weights[j]
        weights[j] += t
        weights[i] = 0 * t if clip else whole - t
        if clip or new:
            support = np.flatnonzero(weights)
    return made


def _result(point, done):
    point.squares.append(point.square)
    point.lows.append(point.S.min() * point.c)
    stop = "no violator left" if done else "origin reached" if point.vanishes() else "out of updates"
    kind, shift = (object, 0) if point.exact else (float, point.floats.shift)
    lam = np.array(point.weights, dtype=kind) * point.c
    support = np.flatnonzero(lam)
    w = lam[support].dot(point.F[support])
    picks = np.array(point.picks, dtype=np.int64)
    return Descent(
        _scaled(w, shift),
        *enclosure(point.Z, support, lam[support]),
        support,
        lam[support],
        picks if point.width == 1 else picks.reshape(-1, 2),
        _scaled(np.array(point.squares, dtype=kind), 2 * shift),
        _scaled(np.array(point.lows, dtype=kind), 2 * shift),
        point.clipped,
        stop,
        point.Z,
    )


def _scaled(values, shift):
    """values · 2^shift; squares of huge numbers are infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(values, shift) if shift else values
