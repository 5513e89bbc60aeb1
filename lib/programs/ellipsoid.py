"""The ellipsoid method for separability: a ball that holds solutions, cut in halves by mistakes.

Solves: find w with z_j · w > 0 for every pattern z_j.
Stops: when the centre of the ellipsoid is such a w, when the ellipsoid is flat, or after `max_updates` cuts.
Guarantees: at most 2n(n + 1) ln((1 + γ)/γ) cuts if unit rows have margin γ, exact arithmetic granted. The
perceptron's bound is 1/γ²: the difference between the logarithm of a number and its square.

Khachiyan's method, of which Rojas' section 4.4 speaks; the proof is in notebook 17.
"""

from dataclasses import dataclass, field
from math import log

import numpy as np

from lib.compiled import compiled, dot, lowest, texts
from lib.margins.separability import separates
from lib.numbers import as_room, positive
from lib.patterns import as_patterns, unit_rows


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """The last centre, the pattern of every cut, and "no mistake left", "out of updates" or "no volume left".

    The last means that the ellipsoid is flat, in floats: the patterns are not separable, or by very little.
    """

    w: np.ndarray
    picks: np.ndarray = field(repr=False)
    stop: str

    @property
    def updates(self):
        return len(self.picks)

    @property
    def converged(self):
        return self.stop == "no mistake left"


@compiled
def cut(rows, w, P, room):
    """Cut {x : (x − w)ᵀP⁻¹(x − w) ≤ 1} through its centre at the worst row, until no row is wrong."""
    n, picks, b = len(w), [], np.empty_like(w)
    grow, shrink = (n**2 / (n**2 - 1), 2 / (n + 1)) if n > 1 else (1 / 4, 0.0)
    j, score = lowest(rows, w)
    while len(picks) == 0 or (score <= 0 and len(picks) < room):
        for k in range(n):
            b[k] = dot(P[k], rows[j])
        width = dot(rows[j], b)
        if not width > 0:
            break
        b /= np.sqrt(width)
        w += b / (n + 1)
        for k in range(n):
            P[k] = grow * (P[k] - shrink * (b[k] * b))  # P stays symmetric to the last bit
        picks.append(j)
        j, score = lowest(rows, w)
    return np.array(picks)


@texts(cut)
def ellipsoid(patterns, *, max_updates=100_000):
    """Run the ellipsoid method from the unit ball, on rows scaled to length one.

    That the last centre separates the patterns themselves is checked exactly.
    """
    Z, room = as_patterns(patterns), as_room(max_updates)
    rows, n = unit_rows(Z), Z.shape[1]
    w, P, picks, stop = np.zeros(n), np.eye(n), [], ""
    while not stop:
        cuts = cut(rows, w, P, room - len(picks)) if len(picks) < room else []
        picks.extend(cuts)
        if separates(Z, w):
            stop = "no mistake left"
        elif not len(cuts):
            stop = "no volume left" if len(picks) < room else "out of updates"
    return Ellipsoid(w, np.array(picks, dtype=np.int64), stop)


def most_updates(n, margin):
    """2n(n + 1) ln((1 + γ)/γ), the most cuts on unit rows of margin γ in n dimensions."""
    return 2 * n * (n + 1) * log((1 + positive(margin, "margin")) / margin)
