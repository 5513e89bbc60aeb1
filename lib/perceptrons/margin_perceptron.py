"""The margin perceptron: add a pattern whenever its score is at most one.

Solves: stochastic subgradient descent on the hinge loss, with or without weight decay (Collobert and Bengio,
Algorithm 1 and (19)). Without decay it looks for w with z_j · w > θ for every pattern z_j = y_j (x_j, 1).
Stops: without decay when a whole sweep made no update; else when the sweeps or the updates are used up.
Guarantees: the updates of the plain loop, one pattern after another. On integers and Fractions every comparison is
exact; in floats without decay the weights are those of the loop bit for bit, with decay to rounding. Bounds on the
number of updates and on the margin that is reached are in `marginal_bounds`; the dual form is in `marginal_dual`.

How a sweep is made fast is in `marginal_sweeps`.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

import numpy as np

from lib.numbers import as_vector, integers, is_exact, one_of, rate_and_decay, tight, whole_number
from lib.patterns import as_patterns, as_start
from lib.perceptrons.marginal_sweeps import BLOCK, Sweeps, shrinkage
from lib.perceptrons.scanning import fits_float

ORDERS = ("cyclic", "shuffled", "worst")


@dataclass(frozen=True)
class MarginRun:
    """What a margin perceptron did, complete enough to be replayed.

    Attributes
    ----------
    patterns, w0, w, picks : ndarray
        As those of `learning.Run`.
    times : ndarray of int, shape (updates,)
        How many patterns had been presented before it; equal to 0, 1, 2, … in order "worst".
    presented : int
        How many patterns were presented in all.
    epochs : int
        Sweeps that were begun, a clean one included.
    converged : bool
        True if every pattern has a score above the threshold.
    """

    patterns: np.ndarray = field(repr=False)
    w0: np.ndarray = field(repr=False)
    w: np.ndarray
    picks: np.ndarray = field(repr=False)
    times: np.ndarray = field(repr=False)
    presented: int
    epochs: int
    converged: bool
    rate: object
    decay: object
    threshold: object
    bias: bool
    order: str

    @property
    def updates(self):
        """The report's t."""
        return len(self.picks)

    @property
    def stop(self):
        """Why the run ended; "out of …" says nothing about separability."""
        if self.converged:
            return "no mistake left"
        whole = self.presented == self.epochs * len(self.patterns) and self.order != "worst"
        return "out of epochs" if whole else "out of updates"

    def trajectory(self):
        """The weights at the start and right after each update, shape (updates + 1, n)."""
        moves = self.rate * self.patterns[self.picks]
        if self.decay == 0:
            return np.cumsum(np.vstack([self.w0[None], moves]).astype(self.w.dtype), axis=0)
        W = [self.w0.astype(self.w.dtype)]
        for gap, move in zip(np.diff(self.times, prepend=-1).tolist(), moves, strict=True):
            W.append(W[-1] * self._shrink(gap) + move)
        return np.array(W)

    def at(self, presented):
        """The weights after so many patterns were presented.

        Parameters
        ----------
        presented : array_like of int, shape (k,)

        Returns
        -------
        ndarray, shape (k, n)
        """
        presented = np.asarray(presented)
        k = np.searchsorted(self.times, presented)
        W = self.trajectory()[k]
        if self.decay != 0:
            idle = presented - np.concatenate([[0], self.times + 1])[k]
            W = np.array([w * self._shrink(gap) for w, gap in zip(W, idle.tolist(), strict=True)])
        return W

    def coefficients(self):
        """c with w = Σ c_l z_l (+ what is left of w0) in the decayed columns: α_l/μ of the report's (20).

        Returns
        -------
        ndarray, shape (p,)
        """
        c = np.zeros(len(self.patterns), dtype=self.w.dtype)
        for j, t in zip(self.picks.tolist(), self.times.tolist(), strict=True):
            c[j] += self.rate * (1 - self.rate * self.decay) ** (self.presented - 1 - t)
        return c

    def average_coefficients(self):
        """The mean of c over the presentations, taken before each: (λ · updates by l − c_l)/(λμT). Ours.

        Proof. c_l becomes (1 − λμ) c_l, plus λ on an update; sum over the T presentations from c = 0. ∎ After
        whole epochs in order cyclic or shuffled each pattern has at most T/L updates, so 0 ≤ μ c̄_l ≤ 1/L: the
        averages keep the report's bounds (10), which the iterates do not. It needs decay.

        Returns
        -------
        ndarray, shape (p,)
        """
        if not self.decay or not self.presented:
            raise ValueError("the average needs decay and a presentation; expected a run with both")
        count = np.bincount(self.picks, minlength=len(self.patterns)).astype(self.w.dtype)
        return (self.rate * count - self.coefficients()) / (self.rate * self.decay * self.presented)

    def _shrink(self, steps):
        return shrinkage(self.w.shape[0], (1 - self.rate * self.decay) ** steps, self.bias, self.w.dtype)


def margin_perceptron(
    patterns,
    rate,
    *,
    decay=0,
    epochs=None,
    max_updates=1_000_000,
    threshold=1,
    w0=None,
    order="cyclic",
    bias=True,
    rng=0,
):
    """Run the margin perceptron on folded patterns.

    At each presentation w ← (1 − λμ) w, and λ z is added if z · w was at most the threshold before (the report's
    (19); Algorithm 1 if μ = 0).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Rows y_j (x_j, 1); integers or Fractions, with an exact rate and decay, make the run exact.
    rate : number
        λ > 0.
    decay : number
        μ ≥ 0 with λμ ≤ 1. Exact decayed weights are Fractions whose size grows with every presentation.
    epochs : int, optional
        Sweeps at most; needed if there is decay, as such a run never comes to rest.
    max_updates : int
    threshold : number
        θ; the report's is 1, and 0 is the perceptron.
    w0 : array_like, shape (n,), optional
        The start; zero if not given.
    order : {"cyclic", "shuffled", "worst"}
        As they stand; in a new random order each sweep; always the pattern of the lowest score, the first of them on
        a tie (without decay).
    bias : bool
        The last column is the constant's, and the decay leaves its weight alone, as in (18).
    rng : int or numpy.random.Generator
        For order "shuffled".

    Returns
    -------
    MarginRun

    Examples
    --------
    >>> run = margin_perceptron([[1, 1], [1, -1]], Fraction(3, 5))
    >>> run.w.tolist(), run.picks.tolist()
    ([Fraction(6, 5), Fraction(0, 1)], [0, 1])
    """
    Z = as_patterns(patterns, allow_zero=True)
    w0 = as_start(w0, Z)
    _check_options(rate, decay, epochs, max_updates, order)
    room = max_updates if epochs is None or order == "worst" else min(max_updates, epochs * len(Z))
    exact = is_exact(Z, w0, *(as_vector([v], 1, "rate, decay or threshold") for v in (rate, decay, threshold)))
    if not exact:
        Z, w = Z.astype(np.float64, copy=False), w0.astype(np.float64)
        w0 = w.copy()
        rate, decay, threshold = float(rate), float(decay), float(threshold)
        sweeps = Sweeps(Z, rate, threshold, 1 - rate * decay, bias, room, exact=False)
        done = sweeps.run(w, order, epochs, rng)
    elif decay:
        w = np.array([Fraction(v) for v in w0.tolist()], dtype=object)
        sweeps = Sweeps(Z.astype(object), rate, threshold, 1 - Fraction(rate) * decay, bias, room, exact=True)
        done = sweeps.run(w, order, epochs, rng)
    else:
        whole = object not in (Z.dtype, w0.dtype) and all(isinstance(v, (int, np.integer)) for v in (rate, threshold))
        start = np.array([v / Fraction(rate) for v in w0.tolist()], dtype=object)
        (Zi, w), scale = integers(Z, start)
        goal = floor(scale**2 * Fraction(threshold) / Fraction(rate))
        number = np.float64 if fits_float(Zi, w, room, goal, ahead=BLOCK) else object
        w = w.astype(number)
        sweeps = Sweeps(Zi.astype(number), 1, goal, 1, bias, room, exact=True)
        done = sweeps.run(w, order, epochs, rng)
        w = np.array([Fraction(int(v)) * rate / scale for v in w], dtype=object)
        w = tight(w) if whole else w
    return MarginRun(Z, w0, w, *done, rate, decay, threshold, bias, order)


def _check_options(rate, decay, epochs, max_updates, order):
    one_of(order, "order", ORDERS)
    rate_and_decay(rate, decay)
    whole_number(max_updates, "max_updates")
    if epochs is not None:
        whole_number(epochs, "epochs")
    if decay and order == "worst":
        raise ValueError("order worst has no decay; expected cyclic or shuffled")
    if decay and epochs is None:
        raise ValueError("a run with decay never comes to rest; expected a number of epochs")
