"""The perceptron: add a misclassified pattern until none is left.

Solves: find w with z_j · w > 0 for every pattern z_j.
Stops: when every pattern is right, or when `max_updates` corrections were made.
Guarantees: the picks and the weights of the plain loop, in every order and every number
system; on integers and Fractions every comparison is exact. If the patterns are separable
with margin γ and radius R, at most (R² + 2‖w0‖γ)/γ² corrections are made (see `bounds`).

The lecture's algorithm of slide 14, Rojas' Algorithm 4.2.1, Liang's PLA. Rojas' corrective rule and its γ variant
(4.2.3) are steps of another length in the same loop; what they guarantee is in `corrective`.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.checks import one_of, positive, whole_number
from lib.patterns import as_matrix, as_patterns, as_signs, as_start, exact_number, integers, is_exact
from lib.perceptrons.corrective import correct
from lib.perceptrons.scanning import Doubt, best_first, fits_float, sweeps

ORDERS = ("cyclic", "restart", "random", "worst")
STEPS = ("unit", "corrective")


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
        "no mistake left", "out of updates", or "overflow" of float weights; the last two say nothing about
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
        if self.w.dtype == np.float64 and not np.isfinite(self.w).all():
            return "overflow"
        return "no mistake left" if self.converged else "out of updates"

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


def perceptron(
    patterns,
    *,
    order="cyclic",
    w0=None,
    max_updates=1_000_000,
    rng=0,
    step="unit",
    rate=1,
    eps=1,
    gamma=None,
):
    """Run the perceptron on folded patterns.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Rows y_j (x_j, 1); integers or Fractions make the run exact.
    order : {"cyclic", "restart", "random", "worst"}
        Which mistake is corrected next: the next one in the sweep; the first from the top;
        one drawn uniformly (as drawing patterns until one is wrong does); the one of the
        lowest score, the first of them on a tie.
    w0 : array_like, shape (n,), optional
        The start; zero if not given.
    max_updates : int
    rng : int or numpy.random.Generator
        For order "random"; the default seed makes a run repeatable.
    step : {"unit", "corrective"}
        "unit" adds rate · z. "corrective" adds (ε − z · w) z/‖z‖², or γ (ε − z · w) z if `gamma` is given
        (Rojas, 4.2.3); it runs row by row, and in Fractions if all its numbers are exact.
    rate : number
        More than zero. From w0 = 0 it changes the length of w and nothing else.
    eps : number
        Zero or more; zero need not end.
    gamma : number or function of the number of corrections made before, optional
        The learning constant γ_t. γ‖z‖² ≥ 2 may diverge.

    Returns
    -------
    Run

    Examples
    --------
    >>> perceptron([[1, 1], [1, -1]]).w
    array([2, 0])
    >>> perceptron([[1, 1], [1, -1]], step="corrective").w
    array([Fraction(1, 1), Fraction(0, 1)], dtype=object)
    """
    Z = as_patterns(patterns)
    w0 = as_start(w0, Z)
    one_of(order, "order", ORDERS)
    one_of(step, "step", STEPS)
    whole_number(max_updates, "max_updates")
    positive(rate, "rate")
    if not eps >= 0:
        raise ValueError(f"eps is {eps!r}; expected zero or more")
    if step == "corrective":
        return _corrective(Z, w0, order, max_updates, rng, eps, gamma)
    moves = Z if rate == 1 else as_patterns(Z.astype(object) * rate) if _is_exact(Z, w0, rate) else Z * float(rate)
    if not is_exact(moves, w0):
        moves, w0 = moves.astype(np.float64, copy=False), w0.astype(np.float64)
        w, picks, passes, converged = _run(moves, w0, order, max_updates, rng, exact=False)
    else:
        (whole, start), scale = integers(moves, w0)
        if fits_float(whole, start, max_updates):
            whole, start = whole.astype(np.float64), start.astype(np.float64)
        else:
            whole, start = whole.astype(object), start.astype(object)
        w, picks, passes, converged = _run(whole, start, order, max_updates, rng, exact=True)
        w = _unscale(w, scale, fractions=object in (moves.dtype, w0.dtype))
    factors = None
    if rate != 1:
        factors = np.full(len(picks), float(rate) if w.dtype == np.float64 else rate, dtype=w.dtype)
    Z = Z if w.dtype != np.float64 else Z.astype(np.float64, copy=False)
    return Run(Z, w0, w, np.array(picks, dtype=np.int64), passes, converged, order, factors)


def _corrective(Z, w0, order, room, rng, eps, gamma):
    """The corrective rule, in Fractions if every number is exact, else in floats."""
    first = gamma(0) if callable(gamma) else gamma
    exact = _is_exact(Z, w0, eps, *([] if first is None else [first]))
    rows, start = (a.astype(object if exact else np.float64) for a in (Z, w0))
    if exact:
        start = np.array([Fraction(v) for v in start], dtype=object)
    with np.errstate(over="ignore", invalid="ignore"):
        w, picks, factors, passes, converged = correct(rows, start, order, room, rng, eps, gamma)
    factors = np.array(factors, dtype=rows.dtype)
    converged = converged and (exact or bool(np.isfinite(w).all()))
    return Run(rows, start, w, np.array(picks, dtype=np.int64), passes, converged, order, factors)


def _is_exact(Z, w0, *numbers):
    return is_exact(Z, w0) and all(exact_number(v) for v in numbers)


def _unscale(w, scale, fractions):
    """Integer weights as they belong to the unscaled patterns."""
    if fractions:
        return np.array([Fraction(int(v), scale) for v in w], dtype=object)
    return w if w.dtype == object else w.astype(np.int64)


def _run(Z, w0, order, room, rng, exact):
    Z, w, picks = np.ascontiguousarray(Z), w0.copy(), []
    if order in ("cyclic", "restart"):
        passes, converged = sweeps(Z, w, picks, room, Doubt(Z, exact), restart=order == "restart")
    else:
        rng = np.random.default_rng(rng)
        choose = np.argmin if order == "worst" else lambda scores: _draw(np.flatnonzero(scores <= 0), rng)
        converged = best_first(Z, w, picks, room, choose)
        passes = len(picks) + 1
    return w, picks, passes, converged


def _draw(wrong, rng):
    return wrong[rng.integers(len(wrong))] if len(wrong) else -1


def mean_difference(X, y, *, threshold=True):
    """A start: w0 = (μ_P − μ_N, w_(n+1)) for the extended points (x, 1) (Rojas, 4.2.1).

    Rojas' heuristic is the mean of the positive vectors minus that of the negative ones. On extended vectors its last
    component is 1 − 1 = 0: it never sets a threshold (`threshold=False`). The mended one puts the plane in the middle,
    w_(n+1) = −(μ_P − μ_N) · (μ_P + μ_N)/2, and asks which mean is nearer.

    Guarantees (ours): if every point is nearer to the mean of its class than half the distance of the means, the
    mended start separates, and no correction is needed. For then (x − m) · (μ_P − μ_N) > 0 on P, m the middle, by
    Cauchy and Schwarz, and < 0 on N.

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
    X = as_matrix(X, "X")
    sign = as_signs(y, len(X))
    if len(set(sign.tolist())) < 2:
        raise ValueError("y has one class; expected points of both")
    high, low = (_mean(X[sign == s]) for s in (1, -1))
    apart = high - low
    middle = -(apart @ (high + low)) / 2 if threshold else 0 * apart[0]
    return np.append(apart, middle)


def _mean(rows):
    if rows.dtype == np.float64:
        return rows.mean(axis=0)
    return np.array(
        [Fraction(sum(map(int, column)) if rows.dtype != object else sum(column)) / len(rows) for column in rows.T]
    )
