"""Corrections measured by the error: Rojas' corrective rule and its γ variant (4.2.3).

A mistake z · w ≤ 0 has the error δ = −z · w. The corrective rule adds (δ + ε) z/‖z‖², which leaves z · w = ε:
the weights are projected on the plane z · u = ε. The γ variant adds γ (δ + ε) z instead.

Ours: why both end. Let z_j · u ≥ ε for all patterns. A correction by c (δ + ε) z changes ‖w − u‖² by
−2c (δ + ε) z · (u − w) + c² (δ + ε)² ‖z‖² ≤ −c (2 − c ‖z‖²) (δ + ε)², because z · (u − w) ≥ ε + δ. With
c = 1/‖z‖² that is at least ε²/R² each time, so T ≤ R² ‖w0 − u‖²/ε². With c = γ_t it is at least
ε² γ_t (2 − γ_t R²): the sum of these terms can never exceed ‖w0 − u‖².
"""

from fractions import Fraction

import numpy as np

from lib.checks import positive
from lib.patterns import as_patterns, as_start, as_vector, exact_number, in_one_system, is_exact


def _factor(score, square, t, eps, gamma):
    """What z is multiplied by in correction t: (δ + ε)/‖z‖², or γ_t (δ + ε) if γ is given."""
    error = eps - score
    if gamma is None:
        return Fraction(error) / Fraction(square) if exact_number(error) else error / square
    return (gamma(t) if callable(gamma) else gamma) * error


def correct(Z, w, order, room, rng, eps, gamma):
    """The plain loop: one row at a time, any number system.

    Returns
    -------
    w, picks, factors, passes, converged
        `converged` is False also if floats have overflowed.
    """
    squares = (Z * Z).sum(axis=1)
    rng = np.random.default_rng(rng)
    picks, factors, passes = [], [], 0
    while True:
        passes += 1
        mark = len(picks)
        for j in _candidates(Z, w, order, rng):
            score = Z[j].dot(w)
            if score > 0:
                continue
            if len(picks) == room or not score > -np.inf:
                return w, picks, factors, passes, False
            c = _factor(score, squares[j], len(picks), eps, gamma)
            w = w + c * Z[j]
            picks.append(int(j))
            factors.append(c)
        if len(picks) == mark:
            return w, picks, factors, passes, True


def _candidates(Z, w, order, rng):
    """The rows to look at in one pass: all for the cyclic order, one mistake or none for the others."""
    if order == "cyclic":
        return range(len(Z))
    scores = [z.dot(w) for z in Z]
    wrong = [j for j, s in enumerate(scores) if not s > 0]
    if not wrong:
        return []
    if order == "worst":
        return [min(wrong, key=scores.__getitem__)]
    return [wrong[0] if order == "restart" else wrong[rng.integers(len(wrong))]]


def corrective_bound(patterns, u, *, w0=None, eps=1):
    """T ≤ R² ‖w0 − su‖²/ε² for the corrective rule, where su is u scaled to min_j z_j · su = ε. Ours.

    From w0 = 0 this is R²/γ² for the best direction, whatever ε is; the perceptron has the same bound.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    u : array_like, shape (n,)
        Any vector that separates; exact arguments give an exact bound.
    """
    u, w0, squares = _target(patterns, u, w0, eps)
    away = w0 - u
    return max(squares) * (away @ away) / (eps * eps)


def damped_total(patterns, u, gammas, *, w0=None, eps=1):
    """Σ_t γ_t (2 − γ_t R²) beside its bound ‖w0 − su‖²/ε², for the γ rule with γ_t R² ≤ 1. Ours.

    A run that has made the corrections 0 … T − 1 has the first number at most equal to the second. So a rule with
    Σ γ_t = ∞ ends, and a constant γ ends within ‖w0 − su‖²/(ε² γ (2 − γR²)) corrections.
    A constant γ may be as large as 0 < γR² < 2.
    """
    u, w0, squares = _target(patterns, u, w0, eps)
    R2, away = max(squares), w0 - u
    return sum(g * (2 - g * R2) for g in gammas), (away @ away) / (eps * eps)


def _target(patterns, u, w0, eps):
    Z = as_patterns(patterns)
    u = as_vector(u, Z.shape[1], "u")
    Z, u, w0 = in_one_system(Z, u, as_start(w0, Z))
    least = min(Z @ u)
    if not least > 0:
        raise ValueError(f"u has min z · u = {least}; expected a vector that separates")
    positive(eps, "eps")
    eps = Fraction(eps) if is_exact(Z) and exact_number(eps) else eps
    return u * (eps / least), w0, (Z * Z).sum(axis=1)
