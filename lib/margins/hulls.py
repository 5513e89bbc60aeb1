"""Descent to the closest point of the hull: Kozinec's algorithm and its relative MDM.

Both keep a point w = Σ λ_j z_j of the convex hull of the patterns and shorten it. Its length bounds the maximum
margin m from above, its lowest score bounds it from below, which is the lecture's (34):
min_j z_j · w / |w| <= m <= |w|. So every run ends with an enclosure of m, whether it got far or not.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.compiled import compiled, dot, texts
from lib.margins.enclosure import bracket, enclosure
from lib.numbers import as_room, fractions, not_negative, one_of, whole_number
from lib.patterns import as_patterns

RULES = ("first", "cyclic", "worst")
_, CYCLIC, WORST = range(3)
ORIGIN = (8 * np.finfo(float).eps) ** 2
"""In floats a point is the origin if its square is this small, times n, where the largest entry is about 1."""
LEAST = np.finfo(float).tiny


@dataclass(frozen=True, eq=False)
class Descent:
    """What `kozinec` or `mdm` did.

    w : the last point of the hull, shape (n,).
    lower, upper : lower <= m <= upper by (34), rounding included.
    support, weights : rows, and positive weights with sum 1: w = Σ λ_j z_j, in floats to rounding.
    picks : the patterns moved to, shape (updates,); for `mdm` also those moved away from, shape (updates, 2).
    squares, lows : |w|² and min_j z_j · w before, between and after the updates; exact if the run is.
    clipped : the updates whose step had to be cut at the end of the segment.
    stop : "no violator left", "out of updates", or "origin reached": w is zero, in floats to rounding, and the
        patterns are not separable, or not by a margin that floats can tell.
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
        """The lecture's ε for this w."""
        return self.upper - self.lower

    def gaps(self):
        """|w| − min_j z_j · w / |w| along the run, in floats."""
        squares, lows = self.squares.astype(float), self.lows.astype(float)
        return (squares - lows) / np.sqrt(squares)

    def exact(self):
        """(34) in Fractions, see `bracket`."""
        return bracket(self.patterns, self.support, self.weights)


@compiled
def score(patterns, w, scores):
    """Fill the scores z_j · w, all rows together: each is the sum that `dot` takes, column after column."""
    scores[:] = patterns[:, 0] * w[0]
    for k in range(1, len(w)):
        for j in range(len(scores)):
            scores[j] += patterns[j, k] * w[k]


@compiled
def find_violator(scores, square, eps, relative, rule, last):
    """The worst violator, the first from the top, or the next behind the last one; len(scores) if there is none.

    Slide 44: z · w <= 0. Slide 45, mended: |w| − z · w / |w| > ε, or ε |w|; squared, it needs no root.
    """
    p, begin = len(scores), 0
    if rule == CYCLIC:
        begin = last + 1
    if rule == WORST:
        begin = scores.argmin()
    allowed = eps * eps * square * (square if relative else 1)
    for j in range(begin, begin + p):
        score, fall = scores[j % p], square - scores[j % p]
        if (eps == 0 and score <= 0) or (eps > 0 and fall > 0 and fall * fall > allowed):
            return j % p
    return p


@compiled
def move_to_violators(patterns, w, weights, eps, relative, rule, j, room, floor):
    """Kozinec, slide 44, with the ε of slide 45: while z violates, go to the shortest point between w and z."""
    scores, clipped = np.empty_like(weights), 0
    picks, squares, lows = [], [], []
    while True:
        score(patterns, w, scores)
        square = dot(w, w)
        squares.append(square)
        lows.append(scores.min())
        j = find_violator(scores, square, eps, relative, rule, j)
        if j == len(patterns) or square <= floor or len(picks) == room:
            break
        z = patterns[j]
        kappa = min(1, (square - scores[j]) / dot(w - z, w - z))  # w · (w − z) / |w − z|², positive in floats too
        w[:] = (1 - kappa) * w + kappa * z
        weights *= 1 - kappa
        weights[j] += kappa
        picks.append(j)
        clipped += kappa == 1
    return np.array(picks), np.array(squares), np.array(lows), clipped, j == len(patterns)


@compiled
def move_weight(patterns, w, weights, tol, room, floor):
    """MDM: move weight from the highest score of the support to the lowest of all, as far as w gets shorter."""
    scores, clipped = np.empty_like(weights), 0
    picks, squares, lows = [], [], []
    while True:
        score(patterns, w, scores)
        square, j = dot(w, w), scores.argmin()
        squares.append(square)
        lows.append(scores[j])
        close = square - scores[j] <= tol * square
        if close or square <= floor or len(lows) > room:
            break
        i = np.where(weights > 0, scores, scores[j]).argmax()
        away = patterns[i] - patterns[j]
        fall, length = scores[i] - scores[j], dot(away, away)
        clip = fall >= weights[i] * length
        step = weights[i] if clip else min(weights[i], fall / length)
        w -= step * away
        weights[i] -= step
        weights[j] += step
        picks.extend((j, i))
        clipped += clip
    return np.array(picks), np.array(squares), np.array(lows), clipped, close


@texts(move_to_violators, find_violator)
def kozinec(patterns, *, eps=0, relative=False, rule="worst", start=0, max_updates=1_000_000):
    """Kozinec's algorithm (the lecture's slide 44) and its ε-version (slide 45, mended).

    Solves: find w in the hull of the patterns with z_j · w > 0 for all j (eps = 0), or with
    |w| − min_j z_j · w / |w| <= eps, which makes w an ε-solution of the maximum margin.
    Stops: when there is no violator, at the origin, or after `max_updates` moves.
    Guarantees: at most D²/m² − 1 updates if eps = 0; at most 4Δ²/(m eps) + 1 for the worst violator, with Δ the
    diameter of the patterns (`kozinec`, `kozinec_any`, `kozinec_worst` of `bounds.ours`). Fractions run exactly, but
    their digits double with every update; integers and floats run in floats, with a rigorous enclosure.

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

    >>> kozinec([[2, 0], [1, 1]]).updates, kozinec([[2, 0], [1, 1]], eps=0.1).w
    (0, array([1., 1.]))
    """
    not_negative(eps, "eps")
    options = bool(relative), RULES.index(one_of(rule, "rule", RULES)), start
    return _descend(move_to_violators, patterns, start, max_updates, eps, options, absolute=not relative)


@texts(move_weight)
def mdm(patterns, *, tol=1e-6, start=0, max_updates=1_000_000):
    """Mitchell, Demyanov and Malozemov: move weight from the best pattern of the support to the worst of all.

    Solves: find w in the hull with |w|² − min_j z_j · w <= tol |w|², an ε-solution for ε = tol |w|. A step may take all
    of a weight, so that the support shrinks, which Kozinec's cannot. All else is as for `kozinec`.

    >>> mdm([[0, 4], [-1, 1], [1, 1]]).w
    array([0., 1.])
    """
    return _descend(move_weight, patterns, start, max_updates, not_negative(tol, "tol"), ())


def _descend(text, patterns, start, max_updates, limit, options, *, absolute=False):
    """Run a text from a vertex: on Fractions, or on floats brought below 1 by a power of two, which changes no bit."""
    Z = as_patterns(patterns)
    start, room = whole_number(start, "start", most=len(Z) - 1), as_room(max_updates)
    if Z.dtype == object:
        rows, shift, limit, floor = fractions(Z), 0, Fraction(limit), 0
    else:
        rows = Z.astype(np.float64)
        shift = int(np.frexp(np.abs(rows).max())[1])
        rows, floor = np.ldexp(rows, -shift), ORIGIN * Z.shape[1]
        limit = max(_scaled(float(limit), -shift if absolute else 0), LEAST) if limit else 0.0
    w, weights = rows[start].copy(), 0 * rows[:, 0]
    weights[start] += 1
    columns = np.asfortranarray(rows)  # `score` reads column after column
    picks, squares, lows, clipped, done = text(columns, w, weights, limit, *options, room, floor)
    stop = "no violator left" if done else "out of updates"
    if squares[-1] <= floor:
        stop = "origin reached"
    w, squares, lows = _scaled(w, shift), _scaled(squares, 2 * shift), _scaled(lows, 2 * shift)
    support = np.flatnonzero(weights)
    lam = weights[support]
    picks = picks.astype(np.int64).reshape((-1, 2) if text is move_weight else -1)
    return Descent(w, *enclosure(Z, support, lam), support, lam, picks, squares, lows, int(clipped), stop, Z)


def _scaled(values, shift):
    """values · 2^shift; squares of huge numbers are infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(values, shift) if shift else values
