"""Rows scored by the block, and still the updates of the plain loop, which scores one row after the other.

A mistake is a row z with z · w ≤ θ. Two float sums of n products differ by at most 2 n u ‖z‖ ‖w‖, however they are
ordered: a score within that distance of θ is computed again as the plain loop does. Exact scores leave no doubt.
"""

import numpy as np

from lib.patterns import EXACT
from lib.rational import EPS

SHORTEST, LONGEST = 32, 4096
"""Rows that are scored at once; their number doubles while no mistake is found."""
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
