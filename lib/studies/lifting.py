"""The lecture's lifting example, whose data are lost, and the search for them.

Slides 29-40 lift points on a line by x → (x, x² − 1), run the perceptron and print its result:
f(x) = 3 − 1.5 x + 3.12 (x² − 1), (32). From w = 0 the weights are the sum of the corrections, so the points
x with labels y that were corrected, T times in all, satisfy

    Σ y = 3,   Σ y x = −3/2,   Σ y x² = 3.12 + 3 = 153/25.                                           (*)

Everything here is exact. The sets of `SETS` are reconstructions that fit the text; none is known to be the
lecturers' own. Weights are in the lecture's order, (1, x, x² − s).
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np

from lib.bounds import ctu
from lib.margins.max_margin import max_margin
from lib.numbers import integers, one_of, positive
from lib.patterns import fold, lift

PRINTED = (Fraction(3), Fraction(-3, 2), Fraction(78, 25))
"""The weights of (32)."""


@dataclass(frozen=True)
class Points:
    """Labelled points on a line, ascending, with the order in which they were presented.

    Attributes
    ----------
    x : tuple of Fraction
    y : tuple of int
    order : tuple of int
    note : str
    """

    x: tuple
    y: tuple
    order: tuple
    note: str = ""

    def patterns(self, shift=1, order=None):
        """The lifted and folded points in the given order (their own if none is given), shape (p, 3)."""
        rows = folded(self.x, self.y, shift)
        return rows[list(self.order if order is None else order)]


def _points(x, y, order, note):
    return Points(tuple(Fraction(v) for v in x.split()), tuple(1 if s == "+" else -1 for s in y), order, note)


SETS = {
    "L5": _points("-.85 -.5 -.25 .5 2.35", "+++-+", (0, 1, 4, 2, 3), "fits every sentence"),
    "L4": _points("-.65 -.2 .5 2.35", "++-+", (0, 1, 2, 3), "fewest points"),
    "A5": _points("-1.3 -.45 -.1 .25 2", "+++-+", (0, 1, 2, 3, 4), "slower with x² − 1"),
    "Q6": _points("-1.25 -.5 -.25 0 .5 2", "+++--+", (0, 1, 4, 2, 3, 5), "ends at 3.125, printed as 3.12"),
}
"""Reconstructions; each takes nine corrections in its order, presented cyclically, with x² − 1."""


def folded(x, y, shift=0):
    """Rows y (1, x, x² − shift), the lecture's folding (6) of its lifting (30), exact for exact points."""
    return np.roll(fold(lift(np.array(x), shift), np.array(y)), 1, axis=1)


def on_lattice(spacing):
    """Does the parity theorem allow (32) for points that are multiples of `spacing`? Ours.

    Theorem. If points x ∈ gℤ satisfy (*), however often each is corrected, then g = 3/(20 j) for a whole j ≥ 1.
    Proof. Write x = g k. Then Σ y k = −n with n = 3/(2g), and Σ y k² = 153/(25 g²) = 68 n²/25, both whole numbers.
    25 divides 68 n², so n = 5m, and Σ y k² = 68 m² is even. But y k and y k² have the parity of k, so n is even
    as well: n = 10 j and g = 3/(2n). ∎

    >>> [spacing for spacing in ("1/10", "1/4", "3/20", "1/20", "1/100") if on_lattice(Fraction(spacing))]
    ['3/20', '1/20', '1/100']
    """
    return (Fraction(3, 20) / positive(Fraction(spacing), "spacing")).denominator == 1


def bound(x, y, shift):
    """D²/γ² of the lifted points, (10), exact for exact points and shift."""
    Z = folded(x, y, shift)
    return ctu.eq10(ctu.eq9(Z), max_margin(Z).exact().squared)


@dataclass(frozen=True)
class Shear:
    """The parabola of three support points and what a shift does to it; see `shear`."""

    v: tuple
    x: tuple

    def inverse_margin(self, shift):
        """1/γ²(s) = (v0 + s v2)² + v1² + v2²."""
        v0, v1, v2 = self.v
        return (v0 + shift * v2) ** 2 + v1**2 + v2**2

    def radius(self, shift):
        """D²(s) = max_j 1 + x_j² + (x_j² − s)²."""
        return max(1 + x**2 + (x**2 - shift) ** 2 for x in self.x)

    def bound(self, shift):
        """D²(s)/γ²(s)."""
        return self.radius(shift) * self.inverse_margin(shift)

    @property
    def widest(self):
        """The shift of the largest margin, −v0/v2."""
        return -self.v[0] / self.v[2]


def shear(x, y):
    """How the margin and Novikoff's bound depend on the shift, in closed form. Ours.

    Theorem. For every s, 1/γ²(s) = min (v0 + s v2)² + v1² + v2² over the parabolas f = v0 + v1 x + v2 x² with
    y_j f(x_j) ≥ 1. If three points support the margin at s, f is the one parabola with y_j f(x_j) = 1 on them, and
    as long as they do the same f serves.
    Proof. w · (1, x, x² − s) is f(x) for w = (v0 + s v2, v1, v2): the shift is a shear of the weights and leaves f
    alone. The margin is 1/‖w‖ for the shortest w with y_j f(x_j) ≥ 1. ∎

    Returns
    -------
    Shear
        With f taken from the support at s = 1; a ValueError if that is not three points.
    """
    found = max_margin(folded(x, y, 1)).exact()
    if len(found.support) != 3:
        raise ValueError(f"{len(found.support)} points support the margin at shift 1; expected three")
    w = [v / found.squared for v in found.w]
    return Shear((w[0] - w[2], w[1], w[2]), tuple(x))


def race(stack, *, order="cyclic", max_updates=100_000):
    """Run many perceptrons from w = 0 at once, in exact integers.

    Parameters
    ----------
    stack : array_like of int, shape (m, p, n)
        m pattern sets of p rows each, every one in its own order.
    order : {"cyclic", "restart"}
        Go on after a correction, or begin again at the top.
    max_updates : int
        A run that has made so many is cut off.

    Returns
    -------
    updates : ndarray of int, shape (m,)
    w : ndarray of int, shape (m, n)
    converged : ndarray of bool, shape (m,)
    """
    one_of(order, "order", ("cyclic", "restart"))
    Z = np.asarray(stack)
    if Z.ndim != 3 or Z.dtype.kind != "i":
        raise ValueError(f"stack has shape {Z.shape} and dtype {Z.dtype}; expected integers, runs by rows by columns")
    longest = max(int(abs(Z).max()), 1)
    if longest**2 * Z.shape[2] * max_updates >= 2**62:
        raise ValueError("entries are too large for so many updates; expected smaller integers or max_updates")
    m, n = Z.shape[0], Z.shape[2]
    updates, w, converged = np.zeros(m, dtype=np.int64), np.zeros((m, n), dtype=np.int64), np.zeros(m, dtype=bool)
    sweep = _sweep if order == "cyclic" else _restart
    live = np.arange(m)
    while live.size:
        fixed = sweep(Z, w, live)
        updates[live] += fixed
        converged[live[fixed == 0]] = True
        live = live[(fixed > 0) & (updates[live] < max_updates)]
    return updates, w, converged


def _sweep(Z, w, live):
    """One pass over the rows of each live run; the corrections made."""
    fixed, rows, v = np.zeros(len(live), dtype=np.int64), Z[live], w[live]
    for j in range(rows.shape[1]):
        z = rows[:, j]
        wrong = (z * v).sum(axis=1) <= 0
        v[wrong] += z[wrong]
        fixed += wrong
    w[live] = v
    return fixed


def _restart(Z, w, live):
    """Correct the first wrong row of each live run."""
    wrong = np.einsum("mpn,mn->mp", Z[live], w[live]) <= 0
    fixed, first = wrong.any(axis=1), wrong.argmax(axis=1)
    w[live[fixed]] += Z[live[fixed], first[fixed]]
    return fixed.astype(np.int64)


def all_orders(patterns, *, order="cyclic", max_updates=100_000):
    """Run the perceptron in each of the p! orders of exact patterns.

    Returns
    -------
    orders : ndarray of int, shape (p!, p)
    updates : ndarray of int, shape (p!,)
    w : ndarray of Fraction, shape (p!, n)
    """
    Z = np.asarray(patterns)
    (whole,), scale = integers(Z)
    orders = np.array(list(permutations(range(len(Z)))))
    updates, w, converged = race(whole[orders], order=order, max_updates=max_updates)
    if not converged.all():
        raise ValueError(f"a run made {max_updates} corrections without end; expected separable patterns")
    return orders, updates, w.astype(object) * Fraction(1, scale)
