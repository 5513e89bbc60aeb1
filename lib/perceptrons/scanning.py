"""Rows scored by the block, and still the updates of the plain loop, which scores one row after the other.

A mistake is a row z with z · w ≤ θ. Two float sums of n products differ by at most 2 n u ‖z‖ ‖w‖, however they are
ordered: a score within that distance of θ is computed again as the plain loop does. Exact scores leave no doubt.
"""

from dataclasses import dataclass

import numpy as np

from lib.margins.rational import EPS
from lib.numbers import EXACT

SHORTEST, LONGEST = 32, 4096
"""Rows that are scored at once; their number doubles while no mistake is found."""
GRAM_LIMIT = 1000
"""Up to so many rows all scores are kept and corrected by a row of the Gram matrix."""
SCREEN_AFTER = 16
"""Sweeps before it pays to ask which rows cannot be wrong."""
REFRESH = 256
"""Scores that are kept while w moves are computed anew after so many updates at the latest."""


def fits_float(Z, w, room, goal=0, ahead=0):
    """True if no score can leave the integers that a float64 holds exactly.

    An update has z · w ≤ goal, so ‖w‖² grows by at most 2 goal + R², for separable patterns or not; `ahead` updates
    may be tried and taken back. Cauchy and Schwarz bound every partial sum of every score.
    """
    if object in (Z.dtype, w.dtype):
        return False
    radius, start = (np.linalg.norm(a.astype(np.float64), axis=-1).max() for a in (Z, w))
    longest = np.sqrt(start**2 + room * (radius**2 + 2.0 * max(goal, 0)))
    return abs(goal) < EXACT and (radius * (longest + ahead * radius)) * (1 + 1e-9) < EXACT


class Doubt:
    """How far a score may be from the plain loop's: `of(w)`, and `grow` more after each update."""

    def __init__(self, Z, exact, threshold=0, rate=1):
        radius = 0.0 if exact else float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
        self.unit = 4 * EPS * (Z.shape[1] + REFRESH) * radius
        self.grow = self.unit * radius * rate
        self.least = 0.0 if exact else 4 * EPS * abs(threshold)

    def of(self, w):
        return self.unit * float(np.sqrt(w.dot(w))) + self.least if self.unit else 0.0


def scan(Z, w, picks, room, doubt, *, first=0, stop=None, threshold=0, rate=1, once=False):
    """Correct the mistakes of rows first, first + 1, … in turn, changing w and picks.

    After a mistake the scan goes on behind it; with `once` it ends there.

    Returns
    -------
    int
        `stop`, by default the number of rows; or the row at which there was no room for one more update.
    """
    i, stop, size, tie = first, len(Z) if stop is None else stop, SHORTEST, doubt.of(w)
    while i < stop:
        s = Z[i : min(i + size, stop)].dot(w)
        wrong = s <= threshold + tie
        k = int(wrong.argmax())
        if not wrong[k]:
            i += len(s)
            size = min(LONGEST, 2 * size)
            continue
        i += k
        if not tie or s[k] < threshold - tie or Z[i].dot(w) <= threshold:
            if len(picks) == room:
                return i
            w += Z[i] if rate == 1 else rate * Z[i]
            picks.append(i)
            tie += doubt.grow
            size = max(SHORTEST, min(size, 2 * k))
            if once:
                break
        i += 1
    return stop


def best_first(Z, w, picks, room, choose, *, threshold=0, rate=1):
    """Score all rows before each update and let `choose` pick one; True if none was wrong in the end."""
    while True:
        scores = Z.dot(w)
        j = int(choose(scores))
        if j < 0 or not scores[j] <= threshold:
            return True
        if len(picks) == room:
            return False
        w += rate * Z[j]
        picks.append(j)


def sweeps(Z, w, picks, room, doubt, *, restart=False):
    """Sweep until all rows are right; with `restart` begin again at the top after each correction.

    Returns
    -------
    passes : int
        Sweeps that were begun.
    converged : bool
        False if there was no room for a correction.
    """
    if len(Z) <= GRAM_LIMIT and Z.dtype != object:
        return _gram_scan(Z, w, picks, room, doubt, restart)
    return (_restarts if restart else _passes)(Z, w, picks, room, doubt)


def _gram_scan(Z, w, picks, room, doubt, restart):
    """Keep all scores; after a correction by z_i add row i of the Gram matrix to them."""
    G, s, tie = Z @ Z.T, Z @ w, doubt.of(w)
    p, i, passes, mark = len(Z), 0, 1, 0
    while True:
        if i < p:
            wrong = s[i:] <= tie
            k = int(wrong.argmax())
        if i >= p or not wrong[k]:
            if len(picks) == mark:
                return passes, True
            i, mark, passes = 0, len(picks), passes + 1
            continue
        i += k
        if not tie or s[i] < -tie or Z[i].dot(w) <= 0:
            if len(picks) == room:
                return passes, False
            w += Z[i]
            s += G[i]
            picks.append(i)
            tie += doubt.grow
            if tie and len(picks) % REFRESH == 0:
                s, tie = Z @ w, doubt.of(w)
            if restart:
                i, mark, passes = 0, len(picks), passes + 1
                continue
        i += 1


def _restarts(Z, w, picks, room, doubt):
    passes, before = 0, -1
    while len(picks) > before:
        passes, before = passes + 1, len(picks)
        end = scan(Z, w, picks, room, doubt, once=True)
    return passes, end == len(Z)


def _passes(Z, w, picks, room, doubt):
    """Sweep after sweep until one is clean; many sweeps are worth a screen."""
    p, passes, screen = len(Z), 0, None
    norms = None
    while True:
        passes += 1
        before, i = len(picks), 0
        while i < p and screen is not None:
            i = screen.scan(Z, w, i, picks, room, doubt)
            if i is None:
                return passes, False
            if i < p:
                drift = screen.drift(passes + i / p)
                screen = _Screen.around(Z, w, norms, drift, doubt, passes + i / p)
        if scan(Z, w, picks, room, doubt, first=i) < p:
            return passes, False
        if len(picks) == before:
            return passes, True
        if screen is None and passes >= SCREEN_AFTER and passes.bit_count() == 1 and Z.dtype != object:
            norms = np.sqrt(np.einsum("ij,ij->i", Z, Z)) if norms is None else norms
            away = np.cumsum(Z[picks[before:]], axis=0)
            drift = np.linalg.norm(away, axis=1).max() / 2
            screen = _Screen.around(Z, w, norms, drift, doubt, passes + 1)


@dataclass(frozen=True)
class _Screen:
    """The rows that can be wrong while ‖w − centre‖ ≤ radius: by Cauchy and Schwarz the rest cannot.

    The distance from the centre grows like the square root of the number of sweeps, measured;
    `LIFE` sweeps pass before it reaches the drift of one.
    """

    centre: np.ndarray
    radius: float
    rows: np.ndarray
    block: np.ndarray
    born: float

    LIFE = 2.5

    @classmethod
    def around(cls, Z, w, norms, drift, doubt, now):
        """The radius that should cost least a sweep, or None if none is worth its snapshot."""
        reach = [f * drift for f in (1, 1.5, 2, 3, 4, 6, 8)]
        rounding = 2 * (doubt.of(w) + doubt.unit * reach[-1])
        slack = (Z.dot(w) - rounding) / norms
        snapshots = 2 * len(Z) * drift**2 / cls.LIFE
        cost, radius = min((snapshots / r**2 + np.count_nonzero(slack <= r), r) for r in reach)
        if cost > 0.7 * len(Z):
            return None
        rows = np.flatnonzero(slack <= radius * (1 + 1e-9))
        return cls(w.copy(), radius, rows, np.ascontiguousarray(Z[rows]), now)

    def drift(self, now):
        """The drift of one sweep, judged by how long this screen lasted."""
        return self.radius / np.sqrt(max((now - self.born) / self.LIFE, 0.1))

    def scan(self, Z, w, i, picks, room, doubt):
        """Sweep the screened rows from row i on; the row to go on from, or None without room.

        If w left the ball on the way, only the corrections up to there count.
        """
        start, found = w.copy(), []
        first = int(np.searchsorted(self.rows, i))
        done = scan(self.block, w, found, room - len(picks), doubt, first=first) == len(self.rows)
        found = self.rows[found].tolist()
        path = np.cumsum(np.vstack([start[None], Z[found]]), axis=0)
        outside = np.flatnonzero(np.linalg.norm(path - self.centre, axis=1) > self.radius)
        if not outside.size:
            picks += found
            return len(Z) if done else None
        first = int(outside[0])
        picks += found[:first]
        w[:] = path[first]
        return found[first - 1] + 1 if first else i
