"""Krauth and Mézard's algorithm on real data, from the weights of pockets and perceptrons: the runs of notebook 33.

All data are standardised and folded into whole thousandths, so that runs are exact. "As they are" means in units of the
data: weights w of whole thousandths are then x·w/10⁶ in the sums x·w_0, rounded.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from lib.bounds import falkowski, gap
from lib.margins.max_margin import MaxMargin, max_margin
from lib.margins.separability import separability
from lib.perceptrons.krauth_mezard import krauth_mezard
from lib.perceptrons.perceptron import perceptron
from lib.perceptrons.pocket import pocket


class Kept(NamedTuple):
    """The patterns of a data set that a pocket has right, shape (p, n), the pocket, and the best margin."""

    Z: np.ndarray
    pocket: object
    best: MaxMargin
    missed: int

    @property
    def square(self):
        """x = max ‖z_j‖²."""
        return int((self.Z * self.Z).sum(axis=1).max())

    @property
    def unit(self):
        """x/Δ², the natural unit of the number of updates."""
        return self.square / self.best.lower**2

    def share(self, w):
        """The margin of weights as a share of the best."""
        return float((self.Z @ w).min() / np.linalg.norm(w.astype(float)) / self.best.lower)

    def shares(self, run):
        """The same at every stop of a run."""
        return [self.share(w) for w in run.trajectory(sums=True)[run.stops].astype(float)]

    def run(self, levels, w=None, *, as_it_is=False):
        """A run from zero, from w/x, or from w as it is."""
        if w is None:
            return krauth_mezard(self.Z, levels)
        sums = self.square * w // 10**6 if as_it_is else w
        return krauth_mezard(self.Z, levels, w0=[Fraction(int(v), self.square) for v in sums])

    def needed(self, run, target, spent=0):
        """Updates until the margin is a target share of the best, with those spent before; nan if it never is."""
        q = gap.beside(run, self.best.w)
        good = (q.low > 0) & (q.low >= target * np.sqrt(q.margin2 * q.square))
        return int(np.argmax(good)) + spent if good.any() else np.nan


def keep(data, tests, *, seed=0):
    """What a pocket has right after so many tests."""
    Z = data.patterns()
    found = pocket(Z, max_tests=tests, rng=seed)
    kept = Z[Z @ found.w > 0]
    return Kept(kept, found, max_margin(kept), len(Z) - len(kept))


def orders(kept, count, rng):
    """The shares of the best margin that a perceptron finds in so many random orders."""
    shuffled = (kept.Z[rng.permutation(len(kept.Z))] for _ in range(count))
    return np.array([kept.share(perceptron(Z).w) for Z in shuffled])


def likeness(data, tests, count=5):
    """Of so many pockets: the cosine of the angle to the weights of maximum margin, and the share of that margin."""
    found = []
    for k in range(count):
        one = keep(data, tests, seed=k)
        w = one.pocket.w
        found.append((w @ one.best.w / (np.linalg.norm(w) * one.best.lower), one.share(w)))
    return np.transpose(found)


def noisy_pockets(count, rng):
    """On noisy classes: whether the pocket, and five vectors of no merit, have a(0) > 0; pockets outside the cone."""
    positive, others, outside = [], [], 0
    for k in range(count):
        n = (5, 20, 40)[k % 3]
        X = np.rint(1000 * rng.normal(size=(60, n))).astype(int)
        y = np.where(X @ rng.normal(size=n) > 0, 1, -1) * np.where(rng.random(60) < 0.15, -1, 1)
        Z = np.column_stack([X, np.full(60, -1000)]) * y[:, None]
        w = pocket(Z, max_tests=1500, rng=k).w
        A = Z[Z @ w > 0]
        z = max_margin(A).w
        positive.append(bool(w @ z > 0))
        others += [bool(v @ z > 0) for v in rng.normal(size=(5, n + 1))]
        outside += int(nnls(A.T, w)[1] > 1e-6 * np.linalg.norm(w))
    return positive, others, outside


def from_perceptron(kept, levels):
    """A perceptron's weights as a start: the condition of the note's 3.1, and (13), along runs as it is and by x."""
    trained = perceptron(kept.Z)
    counts = np.bincount(trained.picks, minlength=len(kept.Z))
    allowed = [bool((counts @ kept.Z == trained.w).all()), bool(counts @ (kept.Z @ kept.best.w) >= 0)]
    runs, lines = [kept.run(levels, trained.w, as_it_is=True), kept.run(levels, trained.w)], []
    for run in runs:
        q = gap.beside(run, kept.best.w)
        allowed.append(bool((q.along[1:] > 0).all()))
        stops = zip(levels, run.stops.tolist(), strict=True)
        lines += [falkowski.limit(q, c, M)["13"] for c, M in stops if M]
    return trained, runs, allowed, lines


def warm(kept, level, target, count, rng):
    """Perceptrons in random orders as starts, by x: all updates to the target, as a multiple of those from zero."""
    from_zero, found = kept.needed(kept.run(level), target), []
    for _ in range(count):
        trained = perceptron(kept.Z[rng.permutation(len(kept.Z))])
        found.append(kept.needed(kept.run(level, trained.w), target, trained.updates) / from_zero)
    return np.array(found)


def cycles(count, rng):
    """Cyclic perceptrons on integer sets that are not separable: the passes until weights come back, nan if never."""
    found = []
    while len(found) < count:
        Z = rng.integers(-2, 3, (6, int(rng.integers(2, 4))))
        if not Z.any(axis=1).all() or separability(Z).separable:
            continue
        seen, w = set(), np.zeros(Z.shape[1], dtype=int)
        while tuple(w) not in seen and len(seen) < 5000:
            seen.add(tuple(w))
            for z in Z:
                w = w + z * (z @ w <= 0)
        found.append(len(seen) if tuple(w) in seen else np.nan)
    return np.array(found)
