"""Early stopping of the margin perceptron: random exact runs, and data like those of Collobert & Bengio's figures."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lib.bounds import collobert as bounds
from lib.patterns import fold
from lib.perceptrons.margin_perceptron import MarginRun, margin_perceptron


class Exact(NamedTuple):
    """A run on random rational points with random labels, separable or not."""

    run: MarginRun
    rate: Fraction
    radius_squared: Fraction


def exact_runs(sets, rng, phi=None, *, max_updates=60):
    """So many runs in fractions, rates from 1/10 to 16; on the features phi(X) if that is given."""
    for _ in range(sets):
        count, dimension = int(rng.integers(2, 8)), int(rng.integers(1, 4))
        X = rng.integers(-3, 4, (count, dimension)) * Fraction(1, int(rng.integers(1, 5)))
        X, y = (X if phi is None else phi(X)), rng.choice([-1, 1], count)
        y[:2] = [1, -1]
        rate = Fraction(int(rng.integers(1, 161)), 10)
        run = margin_perceptron(fold(X, y, keep_contradictions=True), rate, max_updates=max_updates)
        yield Exact(run, rate, max((X * X).sum(axis=1)))


def monomials(X):
    """x, and all products of two coordinates: a Φ of degree two."""
    rows, columns = np.triu_indices(X.shape[1])
    return np.hstack([X, X[:, rows] * X[:, columns]])


def rose(exact):
    """How often the mean hinge loss (21), and the number of scores at most one, rose from a pass to the next."""
    run = exact.run
    whole = len(run.patterns) * np.arange(1, run.presented // len(run.patterns) + 1)
    ends = run.at(whole)
    cost = [bounds.eq21(run.patterns, w) for w in ends]
    wrong = [int((run.patterns @ w <= 1).sum()) for w in ends]
    return tuple(sum(b > a for a, b in pairwise(values)) for values in (cost, wrong))


def regret(exact, v):
    """Both sides of the regret bound for the comparison weights v: the loss gathered, and what it may be."""
    run, rate, R2 = exact
    used = run.patterns[run.picks]
    gathered = sum((1 - z @ w for z, w in zip(used, run.trajectory()[:-1], strict=True)), start=Fraction(0))
    hinge = bounds.slack(used, v).sum() if len(used) else 0
    return gathered, bounds.nonseparable_corrected(v @ v, run.updates, rate, R2, hinge)


def margin(w):
    """The report's ρ = 2/‖w‖, of weights in the last axis, the constant's left out."""
    return 2 / np.linalg.norm(np.asarray(w)[..., :-1], axis=-1)


@dataclass(frozen=True)
class Noisy:
    """Gaussian points whose labels are those of a plane with noise, and a validation set of 5000 like them."""

    patterns: np.ndarray
    validation: np.ndarray
    radius: float

    @classmethod
    def draw(cls, examples, features, rng):
        direction = rng.normal(size=features)
        direction /= np.linalg.norm(direction)
        points = [rng.normal(size=(size, features)) for size in (examples, 5000)]
        labels = [np.where(P @ direction + 0.6 * rng.normal(size=len(P)) > 0, 1, -1) for P in points]
        labels[0][:2] = [1, -1]
        folded = [fold(P, y) for P, y in zip(points, labels, strict=True)]
        return cls(*folded, float(np.linalg.norm(points[0], axis=1).max()))

    def wrong(self, weights):
        """Which validation patterns each of the weights gets wrong, shape (weights, 5000)."""
        return np.asarray(weights) @ self.validation.T <= 0

    def theorem3(self, t, rate):
        """The bound on the margin after t updates."""
        return 2 / rate / np.sqrt(t * (2 / rate + (self.radius + 1) ** 2))


class Control(NamedTuple):
    """Weights along one axis of Figure 2, with their margins and errors."""

    x: np.ndarray
    weights: np.ndarray
    margin: np.ndarray
    wrong: np.ndarray
    bound: np.ndarray

    @property
    def error(self):
        return self.wrong.mean(axis=1)

    @property
    def spread(self):
        """Standard errors between the fewest and the most mistakes, paired."""
        order = np.argsort(self.wrong.sum(axis=1), kind="stable")
        return abs(paired(self.wrong[order[0]], self.wrong[order[-1]]))


def controls(data, rates, updates, rate, times):
    """Both axes of Figure 2: the rate at a fixed number of updates, the number of updates at a fixed rate."""
    by_rate = np.array([margin_perceptron(data.patterns, lam, max_updates=updates).w for lam in rates])
    path = margin_perceptron(data.patterns, rate, max_updates=int(times[-1])).trajectory()
    by_time = path[np.minimum(times, len(path) - 1)]
    axes = ((rates, by_rate, data.theorem3(updates, rates)), (times, by_time, data.theorem3(times, rate)))
    return [Control(x, w, margin(w), data.wrong(w), low) for x, w, low in axes]


def paired(one, other):
    """McNemar: standard errors by which one makes more mistakes than the other on the same examples."""
    more, fewer = np.count_nonzero(one & ~other), np.count_nonzero(other & ~one)
    return (more - fewer) / np.sqrt(max(more + fewer, 1))


def same_margin(data, by_time, by_rate, updates, within=0.1):
    """For each stop of one axis a run of so many updates at the rate that leaves the same margin: the differences.

    The rate is interpolated between those of the other axis; where the margin is not met within this share, or where
    no rate reaches it, there is none. Paired standard errors, positive where the early stop makes more mistakes.
    """
    gaps = []
    for m, wrong in zip(by_time.margin, by_time.wrong, strict=True):
        if by_rate.margin.min() <= m <= by_rate.margin.max():
            rate = np.exp(np.interp(-np.log(m), -np.log(by_rate.margin), np.log(by_rate.x)))
            w = margin_perceptron(data.patterns, float(rate), max_updates=updates).w
            if abs(margin(w) / m - 1) <= within:
                gaps.append(paired(wrong, data.wrong([w])[0]))
    return np.array(gaps)


@dataclass(frozen=True)
class Crosses:
    """Sixty crosses below, sixty circles above, five noisy crosses just below the circles: like Figure 3."""

    cross: np.ndarray
    noise: np.ndarray
    circle: np.ndarray
    fresh: np.ndarray
    """8000 folded patterns without noise."""

    @classmethod
    def draw(cls, rng):
        below = lambda n: rng.normal(size=(n, 2)) * [1.5, 0.5] - [0, 2]  # noqa: E731
        above = lambda n: rng.normal(size=(n, 2)) * [1.5, 0.4] + [0, 2.2]  # noqa: E731
        noise = rng.normal(size=(5, 2)) * [0.6, 0.1] + [0, 1.1]
        fresh = fold(np.vstack([below(4000), above(4000)]), np.repeat([-1, 1], 4000))
        return cls(below(60), noise, above(60), fresh)

    @property
    def patterns(self):
        return fold(np.vstack([self.cross, self.noise, self.circle]), np.repeat([-1, 1], [65, 60]))

    def planes(self, rate, epochs, orders, rng):
        """Weights after so many epochs of the margin perceptron, a row for each order; without epochs the perceptron's
        after one."""
        Z, found = self.patterns, []
        for _ in range(orders):
            turn = Z[rng.permutation(len(Z))]
            options = {"epochs": epochs} if epochs else {"epochs": 1, "threshold": 0}
            found.append(margin_perceptron(turn, rate if epochs else 1.0, **options).w)
        return np.array(found)

    def mistakes(self, planes):
        """The share of fresh patterns that each plane gets wrong."""
        return (self.fresh @ planes.T <= 0).mean(axis=0)

    def fitted(self, planes):
        """How many of the five noisy crosses each plane gets right."""
        return (self.patterns[60:65] @ planes.T > 0).sum(axis=0)


def height(planes):
    """Where the planes stand above the origin, at x = 0."""
    return -planes[:, 2] / planes[:, 1]
