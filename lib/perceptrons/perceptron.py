"""The perceptron: add a wrong pattern until none is left.

Solves: find w with z_j · w > 0 for every pattern z_j.
Stops: when every pattern is right, or when `max_updates` corrections were made.
Guarantees: integers and Fractions are compared exactly. If the patterns are separable with margin γ and radius R, at
most (R² + 2‖w0‖γ)/γ² corrections are made, in every order (see `bounds.ours.towards`).

The lecture's algorithm of slide 14, Rojas' Algorithm 4.2.1, Liang's PLA.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.compiled import add, compiled, texts
from lib.numbers import as_room, exact_number, integers, is_exact, own, stays_exact, tight
from lib.patterns import as_patterns, as_start
from lib.perceptrons.choosing import ORDERS, as_order, choose, next_wrong, roughly


@dataclass(frozen=True)
class Run:
    """What a perceptron did, complete enough to be replayed.

    Attributes
    ----------
    patterns, w0, w : the patterns, shape (p, n), and the first and the last weights, shape (n,)
    picks : the pattern of every correction, in order, shape (updates,): the certificate of the run
    passes : scans of the patterns that were begun; for "cyclic" the sweeps, a clean one included
    stop : "no mistake left", or, which says nothing about separability, "out of updates" or "overflow" of floats
    factors : what the pattern of each correction was multiplied by, shape (updates,); None if always one
    """

    patterns: np.ndarray = field(repr=False)
    w0: np.ndarray = field(repr=False)
    w: np.ndarray
    picks: np.ndarray = field(repr=False)
    passes: int
    stop: str
    factors: np.ndarray | None = field(default=None, repr=False)

    @property
    def updates(self):
        """The number of corrections, the documents' t* or T."""
        return len(self.picks)

    @property
    def converged(self):
        """True if every pattern was found right by `w`."""
        return self.stop == "no mistake left"

    def trajectory(self):
        """Replay the picks: the weights before, between and after the corrections, shape (updates + 1, n)."""
        moves = self.patterns[self.picks]
        with np.errstate(over="ignore", invalid="ignore"):
            if self.factors is not None:
                moves = self.factors[:, None] * moves
            return np.cumsum(np.vstack([self.w0[None], moves]).astype(self.w.dtype), axis=0)


@compiled
def correct(patterns, rough, w, room, order, rng):
    """The lecture's slide 14: while some pattern is wrong, add it."""
    picks = []
    j = choose(patterns, rough, w, 0, order, rng)
    while j < len(patterns) and len(picks) < room:
        add(patterns[j], w, 1)
        picks.append(j)
        j = choose(patterns, rough, w, j + 1, order, rng)
    return np.array(picks), j


@texts(correct, choose, next_wrong)
def perceptron(patterns, *, order="cyclic", w0=None, max_updates=1_000_000, rng=None):
    """Run the perceptron on folded patterns; a `Run`.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Rows y_j (x_j, 1); integers or Fractions make the run exact.
    order : {"cyclic", "restart", "worst", "random"}
        Which mistake is corrected next: the next one in the sweep; the first from the top; the one of the lowest
        score, the first of them on a tie; one drawn uniformly (as drawing patterns until one is wrong does).
    w0 : array_like, shape (n,), optional
        The start; zero if not given.
    max_updates : int
    rng : int or numpy.random.Generator, optional
        For order "random" alone; the seed 0 if not given, so that a run is repeatable.

    Examples
    --------
    >>> perceptron([[1, 1], [1, -1]]).w
    array([2, 0])
    """
    Z = as_patterns(patterns)
    Z, w0 = exact_or_floats(Z, as_start(w0, Z))
    rng, room = as_order(order, rng), as_room(max_updates)
    rows, w = number_system(Z, w0, room)
    picks, j = correct(rows, roughly(rows), w, room, ORDERS.index(order), rng)
    picks = picks.astype(np.int64)
    if is_exact(Z):
        w = added(Z, w0, picks)
    return Run(Z, w0, w, picks, passes(picks, j, len(Z), order), ending(Z, w, j == len(Z)))


def exact_or_floats(Z, w0, *options):
    """All exact, the options as Python numbers, or else all floats."""
    if is_exact(Z, w0) and all(map(exact_number, options)):
        return Z, w0, *map(own, options)
    return Z.astype(np.float64, copy=False), w0.astype(np.float64), *map(float, options)


def number_system(Z, w0, room):
    """Rows and start for a run of additions; exact ones are scaled to integers, which changes no comparison."""
    if not is_exact(Z, w0):
        return np.ascontiguousarray(Z, dtype=np.float64), w0.astype(np.float64)
    (rows, w), _ = integers(Z, w0)
    return without_loss(rows, w, room)


def without_loss(rows, w, room, goal=0):
    """Integers as floats, if these stay exact in a run that adds rows of scores up to the goal, else Python's."""
    dtype = np.float64 if stays_exact(rows, w, room, goal) else object
    return np.ascontiguousarray(rows, dtype=dtype), w.astype(dtype)


def added(Z, w0, picks):
    """w0 + Σ z_j over the picks, exactly: int64 where it fits."""
    times = np.bincount(picks, minlength=len(Z)).astype(object)
    w = w0.astype(object) + times @ Z.astype(object)
    whole = Z.dtype == w0.dtype == np.int64
    return tight(w) if whole else np.array([Fraction(v) for v in w], dtype=object)


def passes(picks, j, p, order):
    """Sweeps that were begun, for a run that found the picks and then row j wrong, or none (j = p)."""
    if order != "cyclic":
        return len(picks) + 1
    rounds = 1 + int(np.count_nonzero(np.diff(np.append(picks, j)) <= 0))
    return rounds + int(j == p and len(picks) > 0)


def ending(Z, w, clean):
    """Why a run ended that found no mistake left, or stopped before."""
    exact = w.dtype != np.float64
    if clean and (exact or np.isfinite(w).all()):
        return "no mistake left"
    with np.errstate(over="ignore", invalid="ignore"):
        return "out of updates" if exact or np.isfinite(Z @ w).all() else "overflow"
