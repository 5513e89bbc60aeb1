"""The lecture's lifting example, whose data are lost, rebuilt.

Slides 29-40 lift points on a line by x → (x, x² − 1), run the perceptron and print its result:
f(x) = 3 − 1.5 x + 3.12 (x² − 1), (32). From w = 0 the weights are the sum of the corrections, so the points
x with labels y that were corrected, T times in all, satisfy

    Σ y = 3,   Σ y x = −3/2,   Σ y x² = 3.12 + 3 = 153/25.                                           (*)

Everything here is exact. Weights are in the lecture's order, (1, x, x² − s). `search` finds all sets that fit.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np

from lib.bounds import ctu
from lib.compiled import compiled
from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.numbers import integers, is_exact, one_of, stays_exact
from lib.patterns import as_patterns, fold, lift, monomials
from lib.perceptrons.choosing import ORDERS
from lib.perceptrons.perceptron import correct, perceptron
from lib.studies.chains import hitting_time

PRINTED = (Fraction(3), Fraction(-3, 2), Fraction(78, 25))
"""The weights of (32)."""
LONGEST = 100_000
"""Corrections after which a run is given up."""


@dataclass(frozen=True)
class Points:
    """Labelled points on a line, ascending, with the order in which they were presented."""

    x: tuple
    y: tuple
    order: tuple
    note: str = ""

    def patterns(self, shift=1):
        """The lifted and folded points in their order, shape (p, 3)."""
        return folded(self.x, self.y, shift)[list(self.order)]


def _points(x, y, order, note):
    return Points(tuple(Fraction(v) for v in x.split()), tuple(1 if s == "+" else -1 for s in y), order, note)


SETS = {
    "L5": _points("-.85 -.5 -.25 .5 2.35", "+++-+", (0, 1, 4, 2, 3), "fits every sentence"),
    "L4": _points("-.65 -.2 .5 2.35", "++-+", (0, 1, 2, 3), "fewest points"),
    "A5": _points("-1.3 -.45 -.1 .25 2", "+++-+", (0, 1, 2, 3, 4), "slower with x² − 1"),
    "Q6": _points("-1.25 -.5 -.25 0 .5 2", "+++--+", (0, 1, 4, 2, 3, 5), "ends at 3.125, printed as 3.12"),
}
"""Reconstructions that fit the text, none known to be the lecturers' own: nine corrections each, cyclically."""


def folded(x, y, shift=0):
    """Rows y (1, x, x² − shift), the lecture's folding (6) of its lifting (30), exact for exact points."""
    return np.roll(fold(lift(np.array(x), shift), np.array(y)), 1, axis=1)


def bound(x, y, shift):
    """D²/γ² of the lifted points, (10), exact for exact points and shift."""
    Z = folded(x, y, shift)
    return ctu.eq10(ctu.eq9(Z), max_margin(Z).exact().squared)


@dataclass(frozen=True)
class Shear:
    """The parabola v0 + v1 x + v2 x² of three support points, and what a shift of the lifting does to it."""

    v: tuple
    x: tuple

    def inverse_margin(self, shift):
        """1/γ²(s)."""
        v0, v1, v2 = self.v
        return (v0 + shift * v2) ** 2 + v1**2 + v2**2

    def radius(self, shift):
        """D²(s)."""
        return max(1 + x**2 + (x**2 - shift) ** 2 for x in self.x)

    def bound(self, shift):
        """D²(s)/γ²(s)."""
        return self.radius(shift) * self.inverse_margin(shift)

    @property
    def widest(self):
        """The shift of the largest margin, −v0/v2."""
        return -self.v[0] / self.v[2]


def shear(x, y):
    """How the margin and Novikoff's bound depend on the shift, as long as the support is that at s = 1: a `Shear`.

    The closed form is proved in notebook 23, for a support of three points.
    """
    found = max_margin(folded(x, y, 1)).exact()
    if len(found.support) != 3:
        raise ValueError(f"{len(found.support)} points support the margin at shift 1; expected three")
    w = [v / found.squared for v in found.w]
    return Shear((w[0] - w[2], w[1], w[2]), tuple(x))


@compiled
def race(patterns, orders, order, room):
    """Run the perceptron from w = 0 in every order of the rows: the corrections (−1 without end) and the weights."""
    updates, w = np.zeros(len(orders), dtype=np.int64), np.zeros((len(orders), patterns.shape[1]))
    for k in range(len(orders)):
        picks, j = correct(patterns[orders[k]], np.empty((0, 0), dtype=np.float32), w[k], room, order, None)
        updates[k] = len(picks) if j == len(patterns) else -1
    return updates, w


def all_orders(patterns, *, order="cyclic"):
    """Run the perceptron in each of the p! orders of exact separable patterns, in the sequence of `permutations`.

    `order` is "cyclic" or "restart": go on after a correction, or begin again at the top. Returns the corrections, the
    last weights in whole numbers, of shapes (p!,) and (p!, n), and the number by which these have been multiplied.
    """
    one_of(order, "order", ("cyclic", "restart"))
    (whole,), scale = integers(as_patterns(patterns))
    orders = np.array(list(permutations(range(len(whole)))))
    updates, w = race(in_floats(whole, LONGEST), orders, ORDERS.index(order), LONGEST)
    if (updates < 0).any():
        raise ValueError(f"a run made {LONGEST} corrections without end; expected separable patterns")
    return updates, w.astype(np.int64), scale


@dataclass(frozen=True)
class Lifted:
    """A reconstruction in one lifting: γ² and D²; corrections in its own order, and in all orders by the way they are
    presented; the mean, a Fraction, when every mistake is drawn by lot."""

    margin: Fraction
    radius: Fraction
    own: int
    orders: dict
    lot: Fraction

    @property
    def bound(self):
        """D²/γ², (10)."""
        return self.radius / self.margin

    @property
    def means(self):
        """The mean corrections: cyclic, restart, by lot."""
        return [counts.mean() for counts in self.orders.values()] + [float(self.lot)]


def lifted(points, shift):
    """All that notebook 23 compares between x² and x² − 1."""
    rows = points.patterns(shift)
    margin, orders = max_margin(rows).exact().squared, ("cyclic", "restart")
    counts = {order: all_orders(rows, order=order)[0] for order in orders}
    return Lifted(margin, ctu.eq9(rows), perceptron(rows).updates, counts, hitting_time(rows, least=0)[0])


def intervals(count, seed):
    """Whether x → (x, x²) separates an interval of seven whole numbers from the rest, in random cases."""
    rng, separated = np.random.default_rng(seed), []
    for _ in range(count):
        x = rng.choice(np.arange(-20, 21), 7, replace=False)
        a, b = np.sort(rng.choice(np.arange(-20, 20), 2, replace=False)) + 0.5
        separated.append(separability(folded(x, np.where((a < x) & (x < b), -1, 1))).separable)
    return separated


def additions(count, seed):
    """Whether the monomials of degree two keep the old coordinates, and what they separated, in random planes."""
    rng, kept = np.random.default_rng(seed), []
    for _ in range(count):
        X, w = rng.integers(-5, 6, (6, 2)), rng.integers(-3, 4, 2)
        more = monomials(X, 2)
        kept.append((more[:, :2] == X).all() and separability(fold(more, np.where(X @ w + 0.5 > 0, 1, -1))).separable)
    return kept


def sheared(shifts, sign=1):
    """The closed form of `Shear` beside exact margins, all reconstructions: equal where the support is that at shift 1,
    larger elsewhere; with sign −1 the shift is turned around in the formula."""
    held = []
    for points in SETS.values():
        form, base = shear(points.x, points.y), set(max_margin(folded(points.x, points.y, 1)).exact().support)
        for s in shifts:
            best, inverse = max_margin(folded(points.x, points.y, s)).exact(), form.inverse_margin(sign * s)
            same = set(best.support) == base
            held.append(inverse == 1 / best.squared if same else inverse > 1 / best.squared)
    return held


def in_floats(rows, updates):
    """Integer rows as floats, if a run of so many corrections from w = 0 stays exact in them."""
    n = rows.shape[-1]
    fits = not rows.size or stays_exact(rows.reshape(-1, n), np.zeros(n, dtype=np.int64), updates)
    if not (fits and is_exact(rows)):
        raise ValueError("entries are too large for exact runs in floats; expected smaller integers")
    return rows.astype(np.float64)
