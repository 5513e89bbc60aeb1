"""Krauth and Mézard's algorithm from starts that the note does not allow: the examples and sweeps of notebook 31."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lib.bounds import falkowski, gap
from lib.margins.max_margin import max_margin
from lib.numbers.comparisons import at_most
from lib.perceptrons.krauth_mezard import krauth_mezard
from lib.perceptrons.perceptron import perceptron
from lib.perceptrons.pocket import pocket

SECOND = "9'", "10", "11", "12", "13"
"""The lines of the note's second part, as `falkowski.limit` names them."""
BEHIND = {
    "(−2, 1)": ([[1, 0], [2, 1]], [-2, 1]),
    "(−250, 0)": ([[5, 2], [5, -2], [11, 3]], [-250, 0]),
    "(−72, 0)": ([[1, 0], [2, 1]], [-72, 0]),
    "(−73, 0)": ([[1, 0], [2, 1]], [-73, 0]),
}
"""Patterns and starts with a(0) < 0; with c = 1 the formulas of the second part fail from some of them."""
CENT = Fraction(1, 100)
FOUR = [[5, 0], [3, 4]], [-12 * CENT, -6 * CENT]
"""Against (4) with c = 1/100."""


def lost():
    """The lines of the second part from the starts `BEHIND`: {start: {line: its comparisons}}."""
    runs = {name: krauth_mezard(Z, 1, w0=w0) for name, (Z, w0) in BEHIND.items()}
    return {name: falkowski.limit(gap.beside(run), Fraction(1), run.updates) for name, run in runs.items()}


def exact_runs(count, rng):
    """The lines of the short proof along exact runs from random starts, and (10) with ‖w_0‖ and as printed."""
    found, printed = [], []
    while len(found) < count:
        n = int(rng.integers(2, 4))
        Z = rng.integers(-3, 4, (4, n)) + 2 * np.eye(n, dtype=int)[0]
        if not Z.any(axis=1).all() or max_margin(Z).lower <= 0.3:
            continue
        q = gap.beside(krauth_mezard(Z, 1, w0=rng.integers(-4, 3, n), max_updates=300))
        t = np.arange(len(q.low))
        corrected = at_most(q.across, falkowski.eq10_corrected(t, q.x, q.square[0]))
        found.append(gap.invariants(q, 1) | {"(10), ‖w_0‖": corrected})
        printed.append({"(10)": at_most(q.across, falkowski.eq10(t, q.x, q.across[0]))})
    return falkowski.gathered(found), falkowski.gathered(printed)["(10)"]


def paths(start, count, rng):
    """Runs from one place (Y_0, Δ‖k_0‖): the points (Y_t, Δ‖k_t‖) of each, t = 0, 1, …

    The problems are planes that push away: (1, 0), which is the best direction, and six patterns far along and across.
    """
    found = []
    for _ in range(count):
        far = np.column_stack([1 + 7 * rng.random(6), 10 * rng.random(6)])
        Z = np.vstack([[1.0, 0.0], far])
        q = gap.beside(krauth_mezard(Z, 12, w0=np.array(start)), np.array([1.0, 0.0]))
        found.append(np.array([q.along, np.sqrt(np.maximum(q.across, 0))]))
    return found


class Noisy(NamedTuple):
    """The patterns of two noisy classes that a pocket has right, its weights, and the best margin; in thousandths."""

    Z: np.ndarray
    pocket: np.ndarray
    best: object
    everything: int

    @property
    def x(self):
        return int((self.Z * self.Z).sum(axis=1).max())

    def shares(self, run):
        """The margin at every stop of a run, as a share of the best."""
        W = run.trajectory(sums=True)[run.stops].astype(float)
        return (W @ self.Z.T).min(axis=1) / np.linalg.norm(W, axis=1) / self.best.lower

    @property
    def unit(self):
        """x/Δ², the natural unit of the number of updates."""
        return self.x / self.best.lower**2


def noisy(rng, *, longest=3000):
    """Two noisy classes whose runs are not long: x/Δ² at most a number."""
    while True:
        X = np.rint(1000 * rng.normal(size=(120, 8))).astype(int)
        y = np.where(X @ rng.normal(size=8) > 0, 1, -1) * np.where(rng.random(120) < 0.05, -1, 1)
        everything = np.column_stack([X, np.full(120, -1000)]) * y[:, None]
        w = pocket(everything, max_tests=20_000, rng=0).w
        Z = everything[everything @ w > 0]
        found = Noisy(Z, w, max_margin(Z), len(everything))
        if found.unit <= longest:
            return found


def eight_starts(data, rng):
    """Eight starts by name, in Fractions; "as it is" means in units of the data, which are whole thousandths."""
    Z, x = data.Z, data.x
    trained, behind = perceptron(Z).w, x * data.best.w / data.best.lower**2
    sums = {
        "zero": 0 * trained,
        "nonnegative": rng.integers(0, 3, len(Z)) @ Z,
        "perceptron / x": trained,
        "pocket / x": data.pocket,
        "perceptron": x * trained // 10**6,
        "pocket": x * data.pocket // 10**6,
        "$-5\\,û/Δ$": np.rint(-5 * behind).astype(int),
        "$-50\\,û/Δ$": np.rint(-50 * behind).astype(int),
    }
    return {name: np.array([Fraction(int(v), x) for v in s], dtype=object) for name, s in sums.items()}


def crossings(count, rng):
    """For random sets and starts with a(0) < 0: t_0, τ, and whether the patterns are unit vectors, shape (3, count)."""
    found = []
    for k in range(count):
        n = int(rng.integers(2, 6))
        Z = np.eye(n, dtype=int) if k % 3 == 0 else rng.integers(1, 30, (3 * n, n))
        best, x = max_margin(Z), int((Z * Z).sum(axis=1).max())
        w0 = -best.w / best.lower**2 * 10 ** rng.uniform(0, 2) + 0.5 * rng.normal(size=n) / x**0.5
        w0 = np.array([Fraction(int(v), x) for v in np.rint(x * w0)])
        q = gap.beside(krauth_mezard(Z, 0.1, w0=w0), best.w)
        found.append((float(gap.crossing(q.x, q.margin2, q.along[0])), q.rising, k % 3 == 0))
    return np.array(found).T
