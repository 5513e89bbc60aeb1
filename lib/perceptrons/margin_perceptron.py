"""The margin perceptron: add a pattern whenever its score is at most one.

Solves: stochastic subgradient descent on the hinge loss, with or without weight decay (Collobert and Bengio,
Algorithm 1 and (19)). Without decay it looks for w with z_j · w > θ for every pattern z_j = y_j (x_j, 1).
Stops: without decay when a whole sweep made no update; else when the sweeps or the updates are used up.
Guarantees: integers and Fractions are compared exactly; floats are added in the order of the columns. Bounds on the
updates and on the margin that is reached are in `bounds.collobert`.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

import numpy as np

from lib.compiled import add, compiled, lowest, texts
from lib.numbers import as_matrix, fractions, integers, is_number, one_of, rate_and_decay, tight, whole_number
from lib.patterns import as_start
from lib.perceptrons.choosing import at_most
from lib.perceptrons.perceptron import Run, exact_or_floats, without_loss

MOST, FOREVER = 2**26, 2**62
"""Updates that can be recorded; more sweeps than any run makes."""


@dataclass(frozen=True, kw_only=True)
class MarginRun(Run):
    """What a margin perceptron did: a `Run`, in whose `passes` a sweep of order "worst" is one pattern.

    Attributes
    ----------
    times : how many patterns had been presented before each update, shape (updates,)
    presented : how many patterns were presented in all
    rate, decay, bias : the options of the run
    """

    times: np.ndarray = field(repr=False)
    presented: int
    rate: object
    decay: object
    bias: bool

    def trajectory(self):
        """The weights at the start and right after each update, shape (updates + 1, n)."""
        return self.at(np.append(0, self.times + 1))

    def at(self, presented):
        """The weights after so many presentations each, shape (len(presented), n)."""
        moments, back = np.unique(presented, return_inverse=True)
        if moments.size and not 0 <= moments[0] <= moments[-1] <= self.presented:
            raise ValueError(f"presented is {presented}; expected numbers from 0 to {self.presented}")
        exact = self.w.dtype != np.float64
        Z, w = (self.patterns.astype(object), fractions(self.w0)) if exact else (self.patterns, self.w0.copy())
        W = np.empty((len(moments), len(w)), dtype=w.dtype)
        decayed = len(w) - self.bias if self.decay else 0
        replay(Z, w, self.picks, self.times, self.rate, 1 - self.rate * self.decay, decayed, moments, W)
        return (tight(W) if self.w.dtype == np.int64 else W)[back]

    def coefficients(self):
        """c with w = Σ c_l z_l (+ what is left of w0) in the decayed columns, shape (p,): α_l/μ of (20)."""
        c = np.zeros(len(self.patterns), dtype=self.w.dtype)
        for j, t in zip(self.picks.tolist(), self.times.tolist(), strict=True):
            c[j] += self.rate * (1 - self.rate * self.decay) ** (self.presented - 1 - t)
        return c


@compiled
def descend(patterns, w, rate, keep, decayed, threshold, exact, epochs, picks, times, worst):
    """Collobert and Bengio's (19), keep = 1 − λμ being left of the `decayed` weights; Algorithm 1 if μ = 0."""
    made, t, turn = 0, 0, np.arange(1 if worst else len(patterns))
    for _ in range(epochs):
        before = made
        if worst:
            turn[0] = lowest(patterns, w)[0]
        for j in turn:
            wrong = at_most(patterns[j], w, threshold, exact)  # z · w ≤ θ
            if wrong and made == len(picks):
                return made, t, False
            for k in range(decayed):
                w[k] *= keep  # w ← (1 − λμ) w
            if wrong:
                add(patterns[j], w, rate)  # w ← w + λ z
                picks[made], times[made] = j, t
                made += 1
            t += 1
        if keep == 1 and made == before:
            return made, t, True
    return made, t, False


@compiled
def replay(patterns, w, picks, times, rate, keep, decayed, moments, W):
    """(19) again, its decisions known: the weights at each of these moments, in increasing order."""
    made = t = 0
    for row in range(len(moments)):
        for _ in range(t, moments[row]):
            for k in range(decayed):
                w[k] *= keep
            if made < len(times) and times[made] == t:
                add(patterns[picks[made]], w, rate)
                made += 1
            t += 1
        W[row] = w


@texts(descend)
def margin_perceptron(
    patterns, rate, *, decay=0, epochs=None, max_updates=1_000_000, threshold=1, w0=None, order="cyclic", bias=True
):
    """Run the margin perceptron on folded patterns; a `MarginRun`.

    At each presentation w ← (1 − λμ) w, and λ z is added if z · w was at most θ before: the report's (19).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Rows y_j (x_j, 1); integers or Fractions, with exact numbers for the options, make the run exact.
    rate, decay : number
        λ > 0 and μ ≥ 0 with λμ ≤ 1. Exact decayed weights are Fractions that grow with every presentation.
    epochs : int, optional
        Sweeps at most; needed if there is decay, as such a run never comes to rest.
    threshold : number
        θ; the report's is 1, and 0 is the perceptron.
    w0, max_updates
        As for `perceptron`; 2^26 updates at most, as all of them are recorded.
    order : {"cyclic", "worst"}
        As they stand; always the pattern of the lowest score, the first of them on a tie (without decay and epochs).
    bias : bool
        The last column is the constant's, and the decay leaves its weight alone, as in (18).

    Examples
    --------
    >>> run = margin_perceptron([[1, 1], [1, -1]], Fraction(3, 5))
    >>> run.w.tolist(), run.picks.tolist()
    ([Fraction(6, 5), Fraction(0, 1)], [0, 1])
    """
    Z = as_matrix(patterns, "patterns")
    w0 = as_start(w0, Z)
    _check_options(rate, decay, threshold, epochs, order)
    worst, sweeps = order == "worst", FOREVER if epochs is None else min(epochs, FOREVER)
    sweep = 1 if worst else len(Z)
    room = min(whole_number(max_updates, "max_updates", most=MOST), sweeps * sweep)
    Z, w0, rate, decay, threshold = exact_or_floats(Z, w0, rate, decay, threshold)
    rows, w, step, goal, unit = _number_system(Z, w0, rate, decay, threshold, room)
    picks, times = np.empty((2, room), dtype=np.int64)
    keep, decayed, exact = 1 - step * decay, len(w) - bool(bias) if decay else 0, rows.dtype == object
    made, t, clean = descend(rows, w, step, keep, decayed, goal, exact, sweeps, picks, times, worst)
    picks, times = picks[:made].copy(), times[:made].copy()
    begun, stop = t // sweep + int(not clean and t < sweeps * sweep), "no mistake left"
    if unit is not None:
        w = np.array([int(v) * unit for v in w], dtype=object)
    if Z.dtype == w0.dtype == np.int64 and isinstance(rate, int) and not decay:
        w = tight(w)
    if w.dtype == np.float64 and not np.isfinite(w).all():
        stop = "overflow"
    elif not clean:
        stop = "out of epochs" if t == sweeps * sweep else "out of updates"
    options = {"rate": rate, "decay": decay, "bias": bool(bias)}
    return MarginRun(Z, w0, w, picks, begun, stop, times=times, presented=t, **options)


def _number_system(Z, w0, rate, decay, threshold, room):
    """Rows, start, rate and threshold to run with, and the unit in which the weights are then counted, if any.

    Exact weights without decay are counted in units of the rate and scaled to integers, which changes no comparison.
    """
    if Z.dtype == np.float64:
        return np.ascontiguousarray(Z), w0.copy(), rate, threshold, None
    if decay:
        return Z.astype(object), fractions(w0), rate, threshold, None
    (rows, w), scale = integers(Z, fractions(w0) / rate)
    goal = floor(scale**2 * Fraction(threshold) / rate)
    rows, w = without_loss(rows, w, room, goal)
    return rows, w, *np.array([1, goal], dtype=w.dtype), Fraction(rate) / scale


def _check_options(rate, decay, threshold, epochs, order):
    one_of(order, "order", ("cyclic", "worst"))
    rate_and_decay(rate, decay)
    if not (is_number(threshold) and abs(threshold) < np.inf):
        raise ValueError(f"threshold is {threshold!r}; expected a finite number")
    if epochs is not None:
        whole_number(epochs, "epochs")
    if order == "worst" and (decay or epochs is not None):
        raise ValueError("order worst has no decay and no epochs; expected max_updates alone")
    if decay and epochs is None:
        raise ValueError("a run with decay never comes to rest; expected a number of epochs")
