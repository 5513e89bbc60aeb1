"""The margin perceptron: add a pattern whenever its score is at most one.

Solves: stochastic subgradient descent on the hinge loss, with or without weight decay (Collobert and Bengio,
Algorithm 1 and (19)). Without decay it looks for w with z_j · w > θ for every pattern z_j = y_j (x_j, 1).
Stops: without decay when a whole sweep made no update; else when the sweeps or the updates are used up.
Guarantees: the updates of the plain loop, one pattern after another. On integers and Fractions every comparison is
exact; in floats without decay the weights are those of the loop bit for bit, with decay to rounding. Bounds on the
number of updates and on the margin that is reached are in `marginal_bounds`.

Speed: a block of B rows is scored by one product. Which rows of it are updates is the solution a of
a_i = [s_i + Σ_(j<i) M_ij a_j ≤ θ] with M_ij = λ z_i · z_j. Iterating this map makes a right on a growing prefix, so
that two equal iterates are the sequential answer; two to four iterations do. Where mistakes are rare, rows are
scanned to the next mistake instead.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

import numpy as np

from lib.patterns import EXACT, _matrix, as_patterns, as_vector, integers, is_exact

ORDERS = ("cyclic", "shuffled", "worst")
BLOCK = 96
"""Rows that are decided together."""
SEGMENT = 64 * BLOCK
"""Rows after which it is asked anew whether mistakes are many or few."""
FEW = 1 / 24
"""Below so many updates a row, rows are scanned to the next mistake."""
CACHE = 2**24
"""Numbers kept for the blocks' Gram matrices (128 MB)."""
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class MarginRun:
    """What a margin perceptron did, complete enough to be replayed.

    Attributes
    ----------
    patterns : ndarray, shape (p, n)
    w0, w : ndarray, shape (n,)
        The first and the last weights.
    picks : ndarray of int, shape (updates,)
        The pattern of every update, in order.
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
        return _shrink(self.w.shape[0], (1 - self.rate * self.decay) ** steps, self.bias, self.w.dtype)


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
    w0 = np.zeros(Z.shape[1], dtype=np.int64) if w0 is None else as_vector(w0, Z.shape[1], "w0")
    _check_options(rate, decay, epochs, max_updates, order)
    room = max_updates if epochs is None or order == "worst" else min(max_updates, epochs * len(Z))
    exact = is_exact(Z, w0, *(as_vector([v], 1, "rate, decay or threshold") for v in (rate, decay, threshold)))
    if not exact:
        Z, w = Z.astype(np.float64, copy=False), w0.astype(np.float64)
        w0 = w.copy()
        rate, decay, threshold = float(rate), float(decay), float(threshold)
        q = 1 - rate * decay
        sweeps = _Sweeps(Z, rate, threshold, q, bias, room, exact=False)
        done = sweeps.run(w, order, epochs, rng)
    elif decay:
        q = 1 - Fraction(rate) * decay
        w = np.array([Fraction(v) for v in w0.tolist()], dtype=object)
        sweeps = _Sweeps(Z.astype(object), rate, threshold, q, bias, room, exact=True)
        done = sweeps.run(w, order, epochs, rng)
    else:
        whole = object not in (Z.dtype, w0.dtype) and all(isinstance(v, (int, np.integer)) for v in (rate, threshold))
        start = np.array([v / Fraction(rate) for v in w0.tolist()], dtype=object)
        (Zi, w), scale = integers(Z, start)
        goal = floor(scale**2 * Fraction(threshold) / Fraction(rate))
        number = np.float64 if _fits_float(Zi, w, goal, room) else object
        w = w.astype(number)
        sweeps = _Sweeps(Zi.astype(number), 1, goal, 1, bias, room, exact=True)
        done = sweeps.run(w, order, epochs, rng)
        w = np.array([Fraction(int(v)) * rate / scale for v in w], dtype=object)
        w = _narrow(w) if whole else w
    return MarginRun(Z, w0, w, *done, rate, decay, threshold, bias, order)


def _check_options(rate, decay, epochs, max_updates, order):
    if order not in ORDERS:
        raise ValueError(f"order is {order!r}; expected one of {', '.join(ORDERS)}")
    if not rate > 0:
        raise ValueError(f"rate is {rate!r}; expected more than zero")
    if not (decay >= 0 and rate * decay <= 1):
        raise ValueError(f"decay is {decay!r}; expected zero or more, and at most one when multiplied by the rate")
    for name, value in (("max_updates", max_updates), ("epochs", epochs)):
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0
        if not whole and not (name == "epochs" and value is None):
            raise ValueError(f"{name} is {value!r}; expected a whole number, zero or more")
    if decay and order == "worst":
        raise ValueError("order worst has no decay; expected cyclic or shuffled")
    if decay and epochs is None:
        raise ValueError("a run with decay never comes to rest; expected a number of epochs")


def _fits_float(Z, w, goal, room):
    """True if no score can leave the integers that a float64 holds exactly.

    An update has z · w ≤ goal, so ‖w‖² grows by at most 2 goal + R²; a wrong iterate of a block adds R at most
    `BLOCK` times. Cauchy and Schwarz bound every partial sum.
    """
    if object in (Z.dtype, w.dtype):
        return False
    radius, start = (np.linalg.norm(a.astype(np.float64), axis=-1).max() for a in (Z, w))
    longest = np.sqrt(start**2 + room * (radius**2 + 2.0 * max(goal, 0)))
    return abs(goal) < EXACT and (radius * (longest + BLOCK * radius)) * (1 + 1e-9) < EXACT


def _narrow(w):
    whole = [int(v) for v in w]
    return np.array(whole, dtype=np.int64 if max(map(abs, whole)) < 2**63 else object)


def _shrink(n, q, bias, dtype):
    """What decay multiplies the weights by."""
    factor = np.full(n, q, dtype=dtype)
    if bias:
        factor[-1] = 1
    return factor


class _Sweeps:
    """The sweeps of one run: patterns, the matrices of its blocks, and the updates found so far."""

    def __init__(self, Z, rate, threshold, q, bias, room, exact):
        self.Z, self.rate, self.threshold, self.room = np.ascontiguousarray(Z), rate, threshold, room
        self.q, self.bias, self.exact = q, bias, exact
        self.shrink = None if q == 1 else _shrink(Z.shape[1], q, bias, Z.dtype)
        self.cache = {}
        if Z.dtype != object:
            self.radius = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
            lower = np.arange(BLOCK)[:, None] - np.arange(BLOCK) - 1.0
            self.lower = np.where(lower < 0, 0.0, rate)
            self.powers = np.where(lower < 0, 0.0, rate * q ** np.maximum(lower, 0))
            self.ages = q ** np.arange(BLOCK + 1.0)
            self.stack = np.empty((BLOCK + 1, Z.shape[1]))

    def run(self, w, order, epochs, rng):
        """Sweep, changing w. Returns picks, times, presented, epochs, converged."""
        if order == "worst":
            return self._worst(w, epochs)
        rng = np.random.default_rng(rng) if order == "shuffled" else None
        p, rows = len(self.Z), self.Z
        picks, times, epoch, room = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0, self.room
        self.keep = rng is None and p * BLOCK <= CACHE and epochs != 1
        self.many = True
        while epochs is None or epoch < epochs:
            if rng is not None:
                turn = rng.permutation(p)
                self.Z = rows[turn]
            found, end = self._sweep(w, room)
            found = np.array(found, dtype=np.int64)
            times.append(epoch * p + found)
            picks.append(found if rng is None else turn[found])
            room -= len(found)
            epoch += 1
            if end < p or (not len(found) and self.shrink is None):
                break
        else:
            end = p
        presented = (epoch - 1) * p + end if epoch else 0
        clean = epoch > 0 and end == p and not len(times[-1]) and self.shrink is None
        return np.concatenate(picks), np.concatenate(times), presented, epoch, bool(clean)

    def _worst(self, w, epochs):
        if epochs is not None:
            raise ValueError("order worst has no epochs; expected max_updates alone")
        picks = []
        while True:
            scores = self.Z.dot(w)
            j = int(scores.argmin())
            done = not scores[j] <= self.threshold
            if done or len(picks) == self.room:
                picks = np.array(picks, dtype=np.int64)
                return picks, np.arange(len(picks)), len(picks), len(picks) + 1, bool(done)
            w += self.rate * self.Z[j]
            picks.append(j)

    def _sweep(self, w, room):
        """One epoch; the rows of its updates, and the row at which there was no room for one more (p if none)."""
        p, found = len(self.Z), []
        if self.Z.dtype == object:
            return found, self._rows(w, 0, p, found, room)
        for i in range(0, p, SEGMENT):
            before, stop = len(found), min(i + SEGMENT, p)
            if self.many or self.shrink is not None:
                end = self._blocks(w, i, stop, found, room)
            else:
                end = self._scan(w, i, stop, found, room)
            if end < stop:
                return found, end
            self.many = len(found) - before > FEW * (stop - i)
        return found, p

    def _rows(self, w, i, stop, found, room):
        """The plain loop; the row it stopped at."""
        Z, rate, threshold, shrink = self.Z, self.rate, self.threshold, self.shrink
        for j in range(i, stop):
            wrong = Z[j].dot(w) <= threshold
            if wrong and len(found) == room:
                return j
            if shrink is not None:
                w *= shrink
            if wrong:
                w += rate * Z[j]
                found.append(j)
        return stop

    def _doubt(self, w):
        """How far a score of a block may be from the plain loop's: below it, the plain loop decides."""
        if self.exact:
            return 0.0
        size = float(np.sqrt(w.dot(w))) + self.rate * BLOCK * self.radius
        return 4 * EPS * ((w.size + BLOCK) * self.radius * size + abs(self.threshold))

    def _scan(self, w, i, stop, found, room):
        """Update by the mistakes in turn, looking ahead in growing blocks; the row it stopped at."""
        Z, threshold, size = self.Z, self.threshold, BLOCK // 2
        tie = self._doubt(w)
        while i < stop:
            s = Z[i : min(i + size, stop)].dot(w)
            wrong = s <= threshold + tie
            k = int(wrong.argmax())
            if not wrong[k]:
                i += len(s)
                size = min(SEGMENT, 2 * size)
                continue
            i += k
            if not tie or s[k] < threshold - tie or Z[i].dot(w) <= threshold:
                if len(found) == room:
                    return i
                w += self.rate * Z[i]
                found.append(i)
                tie = self._doubt(w)
                size = max(BLOCK // 2, min(size, 2 * k))
            i += 1
        return stop

    def _blocks(self, w, first, stop, found, room):
        """Decide blocks of rows at once; the row it stopped at."""
        threshold = self.threshold
        for i in range(first, stop, BLOCK):
            j = min(i + BLOCK, stop)
            s, tie = self._scores(w, i, j), self._doubt(w)
            s -= threshold
            a = s <= 0
            if a.any():
                M = self._influence(i, j)
                while True:
                    r = M.dot(a.astype(np.float64))
                    r += s
                    b = r <= 0
                    if b.tobytes() == a.tobytes():
                        break
                    a = b
                s = r
            k = a.nonzero()[0]
            unsure = tie and np.abs(s).min() <= tie
            if unsure or len(found) + len(k) > room:
                end = self._rows(w, i, j, found, room)
                if end < j:
                    return end
            else:
                self._move(w, i, j, a, k)
                found += (k + i).tolist()
        return stop

    def _scores(self, w, i, j):
        """The scores of rows i to j were none of them an update."""
        if self.shrink is None:
            return self.Z[i:j].dot(w)
        if not self.bias:
            return self.Z[i:j].dot(w) * self.ages[: j - i]
        z = self.Z[i:j]
        return z[:, :-1].dot(w[:-1]) * self.ages[: j - i] + z[:, -1] * w[-1]

    def _influence(self, i, j):
        """M: what an update by one row of the block adds to the scores of the later ones."""
        if i in self.cache:
            return self.cache[i]
        z, m = self.Z[i:j], j - i
        if self.shrink is None:
            M = z.dot(z.T) * self.lower[:m, :m]
        elif not self.bias:
            M = z.dot(z.T) * self.powers[:m, :m]
        else:
            M = z[:, :-1].dot(z[:, :-1].T) * self.powers[:m, :m] + np.outer(z[:, -1], z[:, -1]) * self.lower[:m, :m]
        if self.keep:
            self.cache[i] = M
        return M

    def _move(self, w, i, j, a, k):
        """The updates of the rows i + k, in the order and with the rounding of the plain loop if there is no decay."""
        if self.shrink is None:
            if len(k):
                self._add(w, i + k)
            return
        m, last = j - i, w[-1]
        w *= self.ages[m]
        w += (self.rate * self.ages[:m][::-1] * a).dot(self.Z[i:j])
        if self.bias:
            w[-1] = last + self.rate * self.Z[i + k, -1].sum()

    def _add(self, w, rows):
        """Add the rows times the rate in turn: so numpy sums over the first of two axes, except for a single column."""
        if w.size == 1:
            w[:] = np.concatenate([w[None], self.rate * self.Z[rows]]).cumsum(axis=0)[-1]
            return
        stack = self.stack[: len(rows) + 1]
        stack[0] = w
        self.Z.take(rows, axis=0, out=stack[1:], mode="clip")
        stack[1:] *= self.rate
        np.add.reduce(stack, axis=0, out=w)


@dataclass(frozen=True)
class DualRun:
    """What `dual_perceptron` did.

    Attributes
    ----------
    coefficients : ndarray, shape (p,)
        c with w = Σ c_l y_l Φ(x_l); the report's α is μ c.
    b : number
        The constant.
    picks, times : ndarray of int, shape (updates,)
    converged : bool
    """

    coefficients: np.ndarray
    b: object
    picks: np.ndarray = field(repr=False)
    times: np.ndarray = field(repr=False)
    converged: bool


def dual_perceptron(kernel, y, rate, *, decay=0, epochs=1000, threshold=1, bias=True):
    """The margin perceptron in the dual space: Collobert and Bengio's (20), which needs inner products alone.

    At each presentation c ← (1 − λμ) c, and λ is added to c_l if y_l f(x_l) was at most the threshold before; b as in
    the primal form. With α = μ c this is (20) letter by letter, and it has a meaning for μ = 0 too.

    Parameters
    ----------
    kernel : array_like, shape (p, p)
        Φ(x_k) · Φ(x_l); integers or Fractions make the run exact.
    y : array_like of int, shape (p,)
        Labels −1 and 1.
    rate, decay, threshold : number
    epochs : int
        Sweeps at most; without decay it stops after a clean one.
    bias : bool
        Learn b; else it stays zero.

    Returns
    -------
    DualRun

    Examples
    --------
    >>> dual_perceptron([[1, -1], [-1, 1]], [1, -1], Fraction(3, 5)).coefficients.tolist()
    [Fraction(3, 5), Fraction(3, 5)]
    """
    K = _matrix(kernel, "kernel")
    p = len(K)
    if K.shape != (p, p):
        raise ValueError(f"kernel has shape {K.shape}; expected a square matrix")
    y = as_vector(y, p, "y")
    _check_options(rate, decay, epochs, 0, "cyclic")
    exact = is_exact(K, *(as_vector([v], 1, "rate, decay or threshold") for v in (rate, decay, threshold)))
    number = object if exact else np.float64
    signed = (K * y[:, None] * y[None, :]).astype(number)
    q = 1 - (Fraction(rate) if exact else rate) * decay
    c, s, b = np.full(p, 0 * q, dtype=number), np.full(p, 0 * q, dtype=number), 0
    picks, times, mark = [], [], -1
    for t in range(epochs * p):
        j = t % p
        if j == 0:
            if mark == len(picks) and decay == 0:
                break
            mark = len(picks)
        wrong = s[j] + y[j] * b <= threshold
        c, s = (q * c, q * s) if decay else (c, s)
        if wrong:
            c[j] += rate
            s += rate * signed[:, j]
            b += rate * int(y[j]) if bias else 0
            picks.append(j)
            times.append(t)
    clean = decay == 0 and bool((s + y * b > threshold).all())
    return DualRun(c, b, np.array(picks, dtype=np.int64), np.array(times, dtype=np.int64), clean)
