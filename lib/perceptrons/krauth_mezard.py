"""Krauth and Mézard's algorithm (MinOver), generalised by Falkowski: add the pattern of the lowest score.

Solves: find w with z_j · w ≥ c for every pattern z_j, and, as c grows, the maximum margin.
Step: w ← w + z_j / x with the j of the lowest score, the first of them on a tie, x = max ‖z_j‖² (Falkowski's (1)).
Stops: when the lowest score is at least c, or when `max_updates` updates were made.
Guarantees: the picks and the sums of the plain loop, on every input. From any start w0, if Δ is the maximum
margin, Δ‖w‖ ≤ c + 1 + √(c + 1) + Δ‖w0‖ at the stop (see `minover_bounds`).

The sums x·w are kept, not w: integers stay integers, and the stop is at the score c·x. The path does not depend
on c, so that one run to the largest c serves every smaller one.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, lcm, sqrt

import numpy as np

from lib.numbers import EXACT, integers, is_exact, whole_number
from lib.patterns import as_patterns, as_start
from lib.perceptrons.screening import Screened, added


@dataclass(frozen=True, eq=False)
class MinOver:
    """What the algorithm did, complete enough to be replayed.

    Attributes
    ----------
    patterns : ndarray, shape (p, n)
    w0 : ndarray, shape (n,)
        The start.
    sums : ndarray, shape (n,)
        x·w at the end, in the number system of the patterns.
    picks : ndarray of int, shape (updates,)
        The pattern of every update, in order: the certificate of the run.
    c : ndarray, shape (k,)
        The levels asked for, ascending.
    stops : ndarray of int, shape (k,)
        The number of updates M after which the lowest score was at least c; −1 if that was not reached.
    square : number
        x = max ‖z_j‖².
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

    def at(self, c):
        """The weights at the stop of a level c of the run."""
        M = self.stops[list(self.c).index(c)]
        if M < 0:
            raise ValueError(f"c = {c} was not reached in {self.updates} updates; expected one that was")
        if self.sums.dtype == np.float64:
            return self._weights(added(np.vstack([self._start()[None], self._steps(self.picks[:M])]), M))
        counts = np.bincount(self.picks[:M], minlength=len(self.patterns))
        return self._weights(self._start() + counts @ self.patterns.astype(self.sums.dtype))

    def trajectory(self, *, sums=False):
        """Replay the picks: the weights (or the sums x·w) before, between and after the updates.

        Returns
        -------
        ndarray, shape (updates + 1, n)
        """
        path = np.cumsum(np.vstack([self._start()[None], self._steps(self.picks)]), axis=0)
        return path if sums else self._weights(path)

    def lowest(self, path=None):
        """x·min_j z_j · w_t for t = 0, …, updates; the last by a pass over all patterns."""
        path = self.trajectory(sums=True) if path is None else path
        Z = self.patterns.astype(path.dtype)
        return np.append((path[:-1] * Z[self.picks]).sum(axis=1), min(Z @ path[-1]))

    def _start(self):
        return (self.square * self.w0).astype(self.sums.dtype)

    def _steps(self, picks):
        return self.patterns[picks].astype(self.sums.dtype)

    def _weights(self, sums):
        return sums / self.square if sums.dtype == np.float64 else sums.astype(object) * (Fraction(1) / self.square)


def krauth_mezard(patterns, c, *, w0=None, max_updates=10_000_000):
    """Run the generalised Krauth–Mézard algorithm on folded patterns.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Integers or Fractions make the run exact.
    c : number or sequence of numbers
        Positive levels; the run goes to the largest, and notes where it passed the others.
    w0 : array_like, shape (n,), optional
        Any start; zero if not given.
    max_updates : int

    Returns
    -------
    MinOver

    Examples
    --------
    >>> run = krauth_mezard([[1, 0], [0, 1]], [1, 2])
    >>> run.stops, run.sums
    (array([2, 4]), array([2, 2]))
    """
    Z = as_patterns(patterns)
    levels = _levels(c)
    w0 = as_start(w0, Z)
    whole_number(max_updates, "max_updates")
    run = _exact if is_exact(Z, w0) else _floating
    sums, picks, stops, square = run(Z, w0, levels, int(max_updates))
    return MinOver(Z, w0, sums, picks, levels, stops, square)


def _levels(c):
    levels = np.sort(np.atleast_1d(np.asarray(c)))
    if levels.ndim != 1 or not levels.size or not all(0 < v < np.inf for v in levels):
        raise ValueError(f"c is {c!r}; expected positive numbers")
    return levels


def _exact(Z, w0, levels, room):
    """Scale to integers, run in float64 where that is exact, in Python integers otherwise."""
    (whole,), scale = integers(Z)
    x = max(sum(int(v) ** 2 for v in row) for row in whole.tolist())
    start = [Fraction(x, scale) * Fraction(v) for v in w0.tolist()]
    times = lcm(*(v.denominator for v in start))
    start = [int(v * times) for v in start]
    goals = [ceil(Fraction(v) * x * times) for v in levels.tolist()]
    reach = sqrt(x) * sqrt(sum(v * v for v in start) + room * (2 * goals[-1] * times + times**2 * x)) * (1 + 1e-9)
    if reach < EXACT:
        work = Screened(whole.astype(np.float64), np.array(start, dtype=np.float64), times, goals, room, exact=True)
        W, picks, stops = work.go()
        W = [int(v) for v in W]
    else:
        W, picks, stops = _plain(whole.astype(object), np.array(start, dtype=object), times, goals, room)
    if scale * times == 1 and reach < EXACT:
        return np.array(W, dtype=np.int64), picks, stops, x
    return np.array([Fraction(int(v), scale * times) for v in W], dtype=object), picks, stops, Fraction(x, scale**2)


def _floating(Z, w0, levels, room):
    Z, w0 = Z.astype(np.float64, copy=False), w0.astype(np.float64)
    lengths = np.einsum("ij,ij->i", Z, Z)
    longest = Z[lengths >= lengths.max() * (1 - 1e-9)]
    square = float((longest * longest).sum(axis=1).max())
    start = square * w0
    whole = _whole(start) and _whole(Z[0]) and _whole(Z) and _reach(Z, start, square * levels[-1], room) < EXACT
    goals = [square * float(v) for v in levels]
    return *Screened(Z, start, 1, goals, room, exact=whole).go(), square


def _whole(a):
    return bool((a == np.rint(a)).all())


def _reach(Z, start, goal, room):
    x = (Z * Z).sum(axis=1).max()
    return np.sqrt(x) * np.sqrt(start.dot(start) + room * (2 * float(goal) + x)) * (1 + 1e-9)


def _plain(Z, W, times, goals, room):
    """The plain loop, in Python integers of any size."""
    picks, stops, scores = [], [], Z.dot(W)
    while True:
        j = int(scores.argmin())
        while len(stops) < len(goals) and scores[j] >= goals[len(stops)]:
            stops.append(len(picks))
        if len(stops) == len(goals) or len(picks) == room:
            missing = [-1] * (len(goals) - len(stops))
            return W, np.array(picks, dtype=np.int64), np.array(stops + missing)
        W = W + times * Z[j]
        scores = scores + times * Z.dot(Z[j])
        picks.append(j)
