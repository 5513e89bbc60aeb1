"""A point of the convex hull of patterns that knows all its scores.

Scores are kept, not computed: a step adds a row of the Gram matrix to all of them.
"""

from array import array
from fractions import Fraction

import numpy as np

from lib.margins.max_margin import FLOOR
from lib.margins.rational import as_floats

CACHE = 2**25
"""So many numbers of the Gram matrix are kept; a row is computed when it is first used."""


class Point:
    """A point w = Σ λ_j z_j of the hull with its square and all its scores, S · c, λ being `weights` · c.

    The common factor c spares a pass over S and λ: shrinking all of them is one multiplication.
    """

    def __init__(self, Z, start, width=1):
        self.Z, self.exact, self.width = Z, Z.dtype == object, width
        self.floats = as_floats(Z)
        F = self.floats.values
        self.F = Z * Fraction(1) if self.exact else F
        self.rows = {}
        self.spare = np.empty_like(self.F[:, 0])
        self.floor = 0 if self.exact else FLOOR**2 * float(np.einsum("ij,ij->i", F, F).max())
        self.shrunk = 0 if self.exact else 1e-9
        self.picks, self.clipped, self.last = array("q"), 0, start
        self.squares, self.lows = ([], []) if self.exact else (array("d"), array("d"))
        self.jump(start)

    def jump(self, j):
        """To the pattern j itself."""
        self.c = Fraction(1) if self.exact else 1.0
        self.S = self.row(j).copy()
        self.weights = [0 * self.c] * len(self.Z)
        self.weights[j] = self.c
        self.square = self.S.item(j)

    def scan(self, wrong, rule, worst):
        """The first violator, from the top or behind the last one."""
        k = self.last + 1 if rule == "cyclic" else 0
        if k < len(wrong):
            k += int(wrong[k:].argmax())
        if k == len(wrong) or not wrong[k]:
            k = int(wrong.argmax())
        self.last = k if wrong[k] else worst
        return self.last

    def refresh(self):
        """In floats, w from the weights and the scores from w."""
        if self.exact:
            return
        lam = np.array(self.weights)
        lam /= lam.sum()
        index = np.flatnonzero(lam)
        w = lam[index].dot(self.F[index])
        self.S, self.square, self.c, self.weights = self.F.dot(w), float(w.dot(w)), 1.0, lam.tolist()

    def row(self, j):
        """Row j of the Gram matrix, kept if there is room."""
        row = self.rows.get(j)
        if row is None:
            row = self.F.dot(self.F[j])
            if (len(self.rows) + 1) * len(row) <= CACHE:
                self.rows[j] = row
        return row

    def vanishes(self):
        return self.square <= self.floor
