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
from lib.corrective import correct
from lib.patterns import as_patterns, as_start, exact_number, integers, is_exact
from lib.scanning import REFRESH, Doubt, best_first, fits_float, scan

ORDERS = ("cyclic", "restart", "random", "worst")
STEPS = ("unit", "corrective")
GRAM_LIMIT = 1000
"""Up to so many patterns all scores are kept and corrected by a row of the Gram matrix."""
SCREEN_AFTER = 16
"""Passes before it pays to ask which patterns cannot be wrong."""


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
    Z = np.ascontiguousarray(Z)
    w, picks = w0.copy(), []
    doubt = Doubt(Z, exact)
    if order in ("worst", "random"):
        rng = np.random.default_rng(rng)
        choose = np.argmin if order == "worst" else lambda scores: _draw(np.flatnonzero(scores <= 0), rng)
        converged = best_first(Z, w, picks, room, choose)
        passes = len(picks) + 1
    elif len(Z) <= GRAM_LIMIT and Z.dtype != object:
        passes, converged = _gram_scan(Z, w, picks, room, doubt, order == "restart")
    elif order == "restart":
        passes, converged = _restarts(Z, w, picks, room, doubt)
    else:
        passes, converged = _passes(Z, w, picks, room, doubt)
    return w, picks, passes, converged


def _draw(wrong, rng):
    return wrong[rng.integers(len(wrong))] if len(wrong) else -1


def _gram_scan(Z, w, picks, room, doubt, restart):
    """Keep all scores; after a correction by z_i add row i of the Gram matrix to them."""
    G, s, tie = Z @ Z.T, Z @ w, doubt.of(w)
    p, i, passes, mark = len(Z), 0, 1, 0
    while True:
        if i < p:
            wrong = s[i:] <= tie
            k = int(wrong.argmax())
        if i >= p or not wrong[k]:
            if len(picks) == mark:
                return passes, True
            i, mark, passes = 0, len(picks), passes + 1
            continue
        i += k
        if not tie or s[i] < -tie or Z[i].dot(w) <= 0:
            if len(picks) == room:
                return passes, False
            w += Z[i]
            s += G[i]
            picks.append(i)
            tie += doubt.grow
            if tie and len(picks) % REFRESH == 0:
                s, tie = Z @ w, doubt.of(w)
            if restart:
                i, mark, passes = 0, len(picks), passes + 1
                continue
        i += 1


def _restarts(Z, w, picks, room, doubt):
    passes, before = 0, -1
    while len(picks) > before:
        passes, before = passes + 1, len(picks)
        end = scan(Z, w, picks, room, doubt, once=True)
    return passes, end == len(Z)


def _passes(Z, w, picks, room, doubt):
    """Sweep after sweep until one is clean; many sweeps are worth a screen."""
    p, passes, screen = len(Z), 0, None
    norms = None
    while True:
        passes += 1
        before, i = len(picks), 0
        while i < p and screen is not None:
            i = screen.scan(Z, w, i, picks, room, doubt)
            if i is None:
                return passes, False
            if i < p:
                drift = screen.drift(passes + i / p)
                screen = _Screen.around(Z, w, norms, drift, doubt, passes + i / p)
        if scan(Z, w, picks, room, doubt, first=i) < p:
            return passes, False
        if len(picks) == before:
            return passes, True
        if screen is None and passes >= SCREEN_AFTER and passes.bit_count() == 1 and Z.dtype != object:
            norms = np.sqrt(np.einsum("ij,ij->i", Z, Z)) if norms is None else norms
            away = np.cumsum(Z[picks[before:]], axis=0)
            drift = np.linalg.norm(away, axis=1).max() / 2
            screen = _Screen.around(Z, w, norms, drift, doubt, passes + 1)


@dataclass(frozen=True)
class _Screen:
    """The rows that can be wrong while ‖w − centre‖ ≤ radius: by Cauchy and Schwarz the rest cannot.

    The distance from the centre grows like the square root of the number of sweeps, measured;
    `LIFE` sweeps pass before it reaches the drift of one.
    """

    centre: np.ndarray
    radius: float
    rows: np.ndarray
    block: np.ndarray
    born: float

    LIFE = 2.5

    @classmethod
    def around(cls, Z, w, norms, drift, doubt, now):
        """The radius that should cost least a sweep, or None if none is worth its snapshot."""
        reach = [f * drift for f in (1, 1.5, 2, 3, 4, 6, 8)]
        rounding = 2 * (doubt.of(w) + doubt.unit * reach[-1])
        slack = (Z.dot(w) - rounding) / norms
        snapshots = 2 * len(Z) * drift**2 / cls.LIFE
        cost, radius = min((snapshots / r**2 + np.count_nonzero(slack <= r), r) for r in reach)
        if cost > 0.7 * len(Z):
            return None
        rows = np.flatnonzero(slack <= radius * (1 + 1e-9))
        return cls(w.copy(), radius, rows, np.ascontiguousarray(Z[rows]), now)

    def drift(self, now):
        """The drift of one sweep, judged by how long this screen lasted."""
        return self.radius / np.sqrt(max((now - self.born) / self.LIFE, 0.1))

    def scan(self, Z, w, i, picks, room, doubt):
        """Sweep the screened rows from row i on; the row to go on from, or None without room.

        If w left the ball on the way, only the corrections up to there count.
        """
        start, found = w.copy(), []
        first = int(np.searchsorted(self.rows, i))
        done = scan(self.block, w, found, room - len(picks), doubt, first=first) == len(self.rows)
        found = self.rows[found].tolist()
        path = np.cumsum(np.vstack([start[None], Z[found]]), axis=0)
        outside = np.flatnonzero(np.linalg.norm(path - self.centre, axis=1) > self.radius)
        if not outside.size:
            picks += found
            return len(Z) if done else None
        first = int(outside[0])
        picks += found[:first]
        w[:] = path[first]
        return found[first - 1] + 1 if first else i
