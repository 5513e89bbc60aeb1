"""The lecture's batch rule for patterns that may not be separable.

Solves, or tries to: find w with as few mistakes as possible, J(w) = |{z_j : z_j · w ≤ 0}|, the lecture's (25).
The rule of slide 28 adds η_t times the sum of all wrong patterns and keeps the best weights seen. It is
deterministic: from one start it may stand still or walk in a circle for ever and never see an optimum.
One wrong pattern drawn at random instead of the sum reaches an optimum with probability 1 (`chains.hitting_time`).
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.bounds.general import novikoff
from lib.checks import one_of, positive
from lib.patterns import as_patterns, as_vector, exact_number, in_one_system, is_exact

RATES = {
    "constant": lambda t: 1,
    "harmonic": lambda t: Fraction(1, t + 1),
    "square": lambda t: Fraction(1, (t + 1) ** 2),
    "halving": lambda t: Fraction(1, 2**t),
}
"""Rates η_t by name, all of them exact."""


def mistakes(patterns, w):
    """J(w), the number of patterns with z · w ≤ 0: the lecture's (25) with w in place of w^(t)."""
    Z, w = _pair(patterns, w)
    return int(np.count_nonzero(Z.dot(w) <= 0))


def cost(patterns, w):
    """J_p(w) = Σ max(0, −z · w), the lecture's (28). Convex; zero at w = 0, which solves nothing."""
    Z, w = _pair(patterns, w)
    scores = Z.dot(w)
    return -scores[scores <= 0].sum()


def subgradient(patterns, w):
    """Minus the sum of the wrong patterns, the lecture's (29): ∇J_p where no score is zero, always a subgradient."""
    Z, w = _pair(patterns, w)
    return -Z[Z.dot(w) <= 0].sum(axis=0)


def _pair(patterns, w):
    Z = as_patterns(patterns)
    return in_one_system(Z, as_vector(w, Z.shape[1], "w"))


@dataclass(frozen=True)
class Batch:
    """What the batch rule did.

    Attributes
    ----------
    w : ndarray, shape (n,)
        The best weights seen, the lecture's w*.
    mistakes : int
        Its mistakes, the lecture's E.
    found : int
        The step at which w was seen first, the lecture's t_lup.
    path : ndarray, shape (steps + 1, n)
        w^(0), w^(1), …
    wrong : ndarray of int, shape (steps + 1,)
        |X⁻| at each of them.
    stop : str
        "no mistake left"; "stalled": the wrong patterns add up to zero, so that w stays for ever, whatever the
        rates; "cycle": w was there before and the rate is constant; "out of steps".
    period : int
        Of the cycle; 1 for a stall, 0 if neither was seen.
    """

    w: np.ndarray
    mistakes: int
    found: int
    path: np.ndarray = field(repr=False)
    wrong: np.ndarray = field(repr=False)
    stop: str
    period: int

    @property
    def steps(self):
        return len(self.path) - 1

    @property
    def settled(self):
        """True if no later step could change the answer."""
        return self.stop != "out of steps"


def batch(patterns, *, rate="constant", max_steps=10_000):
    """Run the batch rule of slide 28, with t and t_lup counted, which the slide forgets.

    Stops when no mistake is left, when a stall or (constant rate, exact numbers) a cycle proves that nothing new
    can come, or after `max_steps`. Guarantees: at a constant rate on exact patterns one of the first three comes
    in the end, because w stays bounded (`chains.confining_radius` of all sums of patterns).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    rate : str, number or function
        A name of `RATES`, a constant η, or a function of t that gives η_t.
    max_steps : int

    Returns
    -------
    Batch

    Examples
    --------
    >>> batch([[1, 3], [-1, -3]]).stop
    'stalled'
    """
    Z = as_patterns(patterns)
    eta, constant = _rate(rate)
    exact = is_exact(Z) and exact_number(eta(0))
    Z = Z.astype(object if exact else np.float64)
    w = 0 * Z[0]
    path, wrong, seen, stop, period = [], [], {}, "out of steps", 0
    for t in range(max_steps + 1):
        bad = Z.dot(w) <= 0
        path.append(w)
        wrong.append(np.count_nonzero(bad))
        if not wrong[-1]:
            stop = "no mistake left"
            break
        if constant and exact and (first := seen.setdefault(tuple(w), t)) < t:
            stop, period = "cycle", t - first
            break
        step = Z[bad].sum(axis=0)
        if not step.any():
            stop, period = "stalled", 1
            break
        w = w + eta(t) * step
    found = int(np.argmin(wrong))
    return Batch(path[found], int(wrong[found]), found, np.array(path), np.array(wrong), stop, period)


def _rate(rate):
    """The function η_t, and whether it is constant."""
    if callable(rate):
        return rate, False
    if isinstance(rate, str):
        return RATES[one_of(rate, "rate", RATES)], rate == "constant"
    positive(rate, "rate")
    return lambda t: rate, True


def batch_bound(count, radius_squared, margin_squared):
    """Σ_t |X⁻_t| ≤ L D²/γ² for the batch rule at a constant rate from w = 0 on separable patterns. Ours.

    Proof. Let n_t = |X⁻_t| and N = Σ n_t, η = 1. Each step adds at least γ n_t to u · w, so u · w = γN at least
    in the end. Its sum s_t has w · s_t ≤ 0 and ‖s_t‖ ≤ n_t D, so ‖w‖² ≤ D² Σ n_t² ≤ D² L N. Hence
    γ²N² ≤ D² L N. Every step but the last state has n_t ≥ 1: the number of steps is bounded as well. ∎
    """
    return count * novikoff(radius_squared, margin_squared)
