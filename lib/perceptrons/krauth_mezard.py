"""Krauth and Mézard's algorithm (MinOver), generalised by Falkowski: add the pattern of the lowest score.

Solves: find w with z_j · w ≥ c for every pattern z_j, and, as c grows, the maximum margin.
Step: w ← w + z_j / x with the j of the lowest score, the first of them on a tie, x = max ‖z_j‖² (Falkowski's (1)).
Stops: when the lowest score is at least c, or when `max_updates` updates were made.
Guarantees: the picks and the sums of the plain loop, on every input. From any start w0, if Δ is the maximum
margin, Δ‖w‖ ≤ c + 1 + √(c + 1) + Δ‖w0‖ at the stop (see `bounds.gap`).

The sums x·w are kept, not w: integers stay integers, and the stop is at the score c·x. The path does not depend
on c, so that one run to the largest c serves every smaller one.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, hypot, inf, sqrt

import numpy as np

from lib.compiled import add, compiled, dot, lowest, texts
from lib.numbers import as_room, integers, is_exact, largest, positives, roomy
from lib.patterns import as_patterns, as_start
from lib.perceptrons.choosing import LEAST, MOST
from lib.perceptrons.perceptron import without_loss
from lib.perceptrons.screening import screened

FEW, FAR = 48, 1e100
"""So few patterns are not screened, nor are runs whose sums may become as long as the second number."""


@dataclass(frozen=True, eq=False)
class MinOver:
    """What the algorithm did, complete enough to be replayed.

    Attributes
    ----------
    patterns, w0 : the patterns, shape (p, n), and the start, shape (n,)
    sums : x·w at the end, in the number system of the patterns, shape (n,)
    picks : the pattern of every update, in order, shape (updates,): the certificate of the run
    c, stops : the levels asked for, ascending, and the numbers of updates M after which the lowest score was at least
        c, or −1 if that was not reached, shape (k,)
    square : x = max ‖z_j‖²
    """

    patterns: np.ndarray = field(repr=False)
    w0: np.ndarray = field(repr=False)
    sums: np.ndarray
    picks: np.ndarray = field(repr=False)
    c: np.ndarray
    stops: np.ndarray
    square: object

    @property
    def updates(self):
        """The number of updates made, Falkowski's M for the largest c."""
        return len(self.picks)

    @property
    def converged(self):
        """True if the largest c was reached."""
        return bool(self.stops[-1] >= 0)

    @property
    def stop(self):
        return "lowest score at least c" if self.converged else "out of updates"

    @property
    def w(self):
        """The last weights; Fractions if the run was exact."""
        return self._weights(self.sums)

    def trajectory(self, *, sums=False):
        """Replay the picks: the weights (or the sums x·w) before, between and after, shape (updates + 1, n).

        Added as the loop does; row `stops[k]` is that of the level `c[k]`.
        """
        start = self.square * self.w0.astype(np.float64 if self.sums.dtype == np.float64 else object)
        path = np.cumsum(np.vstack([start[None], self.patterns[self.picks]]).astype(self.sums.dtype), axis=0)
        return path if sums else self._weights(path)

    def _weights(self, sums):
        return sums / self.square if sums.dtype == np.float64 else sums.astype(object) * (Fraction(1) / self.square)


@compiled
def minover(patterns, w, goals, room):
    """Falkowski's 3.1 for the sums x·w: add the pattern of the lowest score, until that is at least c·x, the goal."""
    picks, stops = [], []
    while True:
        j, score = lowest(patterns, w)
        while len(stops) < len(goals) and score >= goals[len(stops)]:
            stops.append(len(picks))  # for this c the run is over
        if len(stops) == len(goals) or len(picks) == room:
            return np.array(picks), np.array(stops)
        add(patterns[j], w, 1)  # (1), times x
        picks.append(j)


@texts(minover, lowest)
def krauth_mezard(patterns, c, *, w0=None, max_updates=10_000_000):
    """Run the generalised Krauth–Mézard algorithm on folded patterns; a `MinOver`.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Integers or Fractions make the run exact.
    c : number or sequence of numbers
        Positive levels; the run goes to the largest, and notes where it passed the others.
    w0, max_updates
        As for `perceptron`.

    Examples
    --------
    >>> run = krauth_mezard([[1, 0], [0, 1]], [1, 2])
    >>> run.stops, run.sums
    (array([2, 4]), array([2, 2]))
    """
    Z = as_patterns(patterns)
    levels = np.sort(positives(c, "c"))
    w0, room = as_start(w0, Z), as_room(max_updates)
    run = _exact if is_exact(Z, w0) else _floating
    sums, picks, stops, square = run(Z, w0, levels, room)
    stops = np.append(stops, np.full(len(levels) - len(stops), -1)).astype(np.int64)
    return MinOver(Z, w0, sums, picks.astype(np.int64), levels, stops, square)


def _exact(Z, w0, levels, room):
    """Scaled to integers, which changes no comparison."""
    square = max(np.sum(roomy(Z, largest(Z) ** 2 * Z.shape[1]) ** 2, axis=1).tolist())
    (rows, start), scale = integers(Z, square * w0.astype(object))
    goals = [ceil(Fraction(v) * square * scale**2) for v in levels.tolist()]
    rows, w = without_loss(rows, start, room, goals[-1])
    picks, stops = _run(rows, w, np.array(goals, dtype=w.dtype), room)
    if scale == 1 and w.dtype == np.float64:
        return w.astype(np.int64), picks, stops, square
    return np.array([Fraction(int(v), scale) for v in w], dtype=object), picks, stops, Fraction(square)


def _floating(Z, w0, levels, room):
    Z = np.ascontiguousarray(Z, dtype=np.float64)
    square = longest(Z)
    levels = np.array([float(v) if v < 1e308 else inf for v in levels.tolist()])
    with np.errstate(over="ignore", invalid="ignore"):
        w, goals = square * w0.astype(np.float64), square * levels
    return w, *_run(Z, w, goals, room), square


def _run(rows, w, goals, room):
    """The plain text, or the same without looking at every pattern where they are many and of ordinary lengths."""
    if rows.dtype == object:
        return minover(rows, w, goals, room)
    square = longest(rows)
    far = hypot(*w, sqrt(room) * sqrt(2 * float(goals[-1]) + square))  # an update adds at most 2 c·x + x to ‖w‖²
    if not (square > 0 and sqrt(square) * far < inf):
        raise ValueError(
            f"x = max ‖z‖² is {square}, c·x up to {goals[-1]}: scores may leave the range of floats; "
            "expected patterns, c and w0 of ordinary size"
        )
    ordinary = LEAST < sqrt(square) < MOST and far < FAR
    return (screened if ordinary and len(rows) > FEW else minover)(rows, w, goals, room)


@compiled
def longest(rows):
    """x = max ‖z_j‖²."""
    most = dot(rows[0], rows[0])
    for j in range(1, len(rows)):
        most = max(most, dot(rows[j], rows[j]))
    return most
