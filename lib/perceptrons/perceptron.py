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
from lib.numbers import exact_number, integers, is_exact, not_negative, one_of, stays_exact, tight, whole_number
from lib.patterns import as_patterns, as_start, two_classes
from lib.perceptrons.choosing import ORDERS, choose, roughly


@dataclass(frozen=True)
class Run:
    """What a perceptron did, complete enough to be replayed.

    Attributes
    ----------
    patterns : ndarray, shape (p, n)
    w0, w : ndarray, shape (n,)
        The first and the last weights.
    picks : ndarray of int, shape (updates,)
        The pattern of every correction, in order: the certificate of the run.
    passes : int
        Scans of the patterns that were begun; for "cyclic" the sweeps, a clean one included.
    converged : bool
        True if every pattern was found right by `w`.
    stop : str
        "no mistake left", "out of updates", or "overflow" of float scores; the last two say nothing about
        separability.
    order : str
    factors : ndarray, shape (updates,), or None
        What the pattern of each correction was multiplied by; None if it was always one.
    """

    patterns: np.ndarray = field(repr=False)
    w0: np.ndarray = field(repr=False)
    w: np.ndarray
    picks: np.ndarray = field(repr=False)
    passes: int
    converged: bool
    order: str
    factors: np.ndarray | None = field(default=None, repr=False)

    @property
    def updates(self):
        """The number of corrections, the documents' t* or T."""
        return len(self.picks)

    @property
    def stop(self):
        if self.converged:
            return "no mistake left"
        with np.errstate(over="ignore", invalid="ignore"):
            finite = self.w.dtype != np.float64 or np.isfinite(self.patterns @ self.w).all()
        return "out of updates" if finite else "overflow"

    def trajectory(self):
        """Replay the picks: the weights before, between and after the corrections.

        Returns
        -------
        ndarray, shape (updates + 1, n)
        """
        moves = self.patterns[self.picks]
        with np.errstate(over="ignore", invalid="ignore"):
            if self.factors is not None:
                moves = self.factors[:, None] * moves
            steps = np.vstack([self.w0[None], moves])
            return np.cumsum(steps.astype(self.w.dtype), axis=0)


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


@texts(correct, choose)
def perceptron(patterns, *, order="cyclic", w0=None, max_updates=1_000_000, rng=None):
    """Run the perceptron on folded patterns.

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

    Returns
    -------
    Run

    Examples
    --------
    >>> perceptron([[1, 1], [1, -1]]).w
    array([2, 0])
    """
    Z = as_patterns(patterns)
    w0 = as_start(w0, Z)
    rng = as_order(order, rng)
    room = as_room(max_updates)
    rows, w = number_system(Z, w0, room)
    picks, j = correct(rows, roughly(rows), w, room, ORDERS.index(order), rng)
    picks = picks.astype(np.int64)
    if is_exact(Z, w0):
        w = added(Z, w0, picks)
    else:
        Z, w0 = Z.astype(np.float64, copy=False), w0.astype(np.float64)
    converged = j == len(Z) and (w.dtype != np.float64 or bool(np.isfinite(w).all()))
    return Run(Z, w0, w, picks, passes(picks, j, len(Z), order), converged, order)


def as_order(order, rng, known=ORDERS, drawn="random"):
    """The generator for the order that draws, else None; an `rng` that would be ignored is refused."""
    one_of(order, "order", known)
    if order == drawn:
        return np.random.default_rng(0 if rng is None else rng)
    if rng is not None:
        raise ValueError(f"rng is given, but order {order} draws nothing; expected rng with order {drawn} alone")
    return None


def as_room(max_updates):
    """A number of updates that int64 holds, which compiled loops count in; no run makes more."""
    return min(whole_number(max_updates, "max_updates"), 2**62)


def as_step(value, name, exact):
    """A factor that a function gave, zero or more, in the number system of the run."""
    not_negative(value, name)
    if exact and not exact_number(value):
        raise ValueError(f"{name} is {value!r}; expected an integer or a Fraction, as the first one is")
    return value if exact else float(value)


def number_system(Z, w0, room, goal=0):
    """Rows and start for a run of additions: floats where they lose nothing, else Python's integers.

    Exact patterns are scaled to integers by their common denominator, which changes no comparison.
    """
    if not is_exact(Z, w0):
        return np.ascontiguousarray(Z, dtype=np.float64), w0.astype(np.float64)
    (whole, start), _ = integers(Z, w0)
    dtype = np.float64 if stays_exact(whole, start, room, goal) else object
    return np.ascontiguousarray(whole, dtype=dtype), start.astype(dtype)


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
    if not len(picks):
        return 1
    rounds = 1 + int(np.count_nonzero(np.diff(picks) <= 0))
    return rounds + int(j == p or j <= picks[-1])


def mean_difference(X, y, *, threshold=True):
    """A start: w0 = (μ_P − μ_N, w_(n+1)) for the extended points (x, 1) (Rojas, 4.2.1).

    On extended vectors the last component of Rojas' difference of the means is 1 − 1 = 0: it never sets a threshold
    (`threshold=False`). The mended one puts the plane in the middle, w_(n+1) = −(μ_P − μ_N) · (μ_P + μ_N)/2. Ours: if
    every point is nearer to the mean of its class than half the distance of the means, the mended start separates.

    Parameters
    ----------
    X : array_like, shape (p, d)
        Integers and Fractions give Fractions.
    y : array_like, shape (p,)
        Two labels, the larger one positive.

    Returns
    -------
    ndarray, shape (d + 1,)

    Examples
    --------
    >>> mean_difference([[0], [4]], [0, 1])
    array([Fraction(4, 1), Fraction(-8, 1)], dtype=object)
    """
    high, low = map(_mean, two_classes(X, y))
    apart = high - low
    middle = -(apart @ (high + low)) / 2 if threshold else 0 * apart[0]
    return np.append(apart, middle)


def _mean(rows):
    if rows.dtype == np.float64:
        return rows.mean(axis=0)
    return rows.astype(object).sum(axis=0) * Fraction(1, len(rows))
