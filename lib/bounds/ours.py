"""What we add: bounds that the documents do not have. The proofs are in the notebooks named."""

from fractions import Fraction
from math import comb, log, sqrt

import numpy as np

from lib.margins.max_margin import max_margin
from lib.numbers import as_vector, exact_number, in_one_system, is_exact, own, positive, quotient
from lib.patterns import as_patterns, as_start


def planar(radius_squared, margin_squared):
    """T ≤ R²/(2γ²) + 1 from w0 = 0 for patterns in the plane; attained, so the half is sharp (notebook 02)."""
    return quotient(radius_squared, 2 * own(margin_squared)) + 1


def exponential(n):
    """(4^n − 1)/3, the corrections on `families.exponential(n)` in every order (notebook 03)."""
    return (4**n - 1) // 3


def towards(patterns, u, w0=None):
    """T ≤ ‖w0 − u‖²/min_j (2 z_j · u − ‖z_j‖²) for any u that makes the denominator positive; exact (notebook 03)."""
    Z = as_patterns(patterns)
    Z, u, w0 = in_one_system(Z, as_vector(u, Z.shape[1], "u"), as_start(w0, Z))
    fall = min(2 * (Z @ u) - (Z * Z).sum(axis=1))
    positive(fall, "min (2 z · u − ‖z‖²)")
    return quotient((w0 - u) @ (w0 - u), fall)


def sharpest(patterns, w0=None):
    """The least value of `towards` over u, to a relative 1e-6, and the u that gives it.

    Dinkelbach's iteration: for the bound κ so far, the best u is w0 + κ Σ λ_j z_j where λ in the simplex minimises
    ‖w0 + κ Σ λ_j z_j‖² − κ Σ λ_j ‖z_j‖². One more coordinate carries the linear term, so that it is a nearest-point
    problem again. Every κ on the way is a valid bound.
    """
    Z = as_patterns(patterns).astype(np.float64)
    w0 = as_start(w0, Z).astype(np.float64)
    square = (Z * Z).sum(axis=1)
    best = max_margin(Z)
    positive(best.lower, "the margin")
    u = best.w / np.linalg.norm(best.w) * 2 * square.max() / best.lower
    bound = towards(Z, u, w0)
    for _ in range(40):
        shift = 1e3 * (1 + np.sqrt(bound * square.max()))
        near = max_margin(np.column_stack([w0 + bound * Z, shift - bound * square / (2 * shift)]))
        nearer = w0 + bound * (near.weights @ Z[near.support])
        if min(2 * (Z @ nearer) - square) <= 0:
            break
        smaller = towards(Z, nearer, w0)
        if smaller >= bound * (1 - 1e-9):
            break
        bound, u = smaller, nearer
    return bound, u


def corrective(patterns, u, *, w0=None, eps=1):
    """T ≤ R² ‖w0 − su‖²/ε² for the corrective rule, su being u scaled to min_j z_j · su = ε (notebook 12).

    From w0 = 0 this is R²/γ² for the best direction, whatever ε is, as for the perceptron. u is any vector that
    separates; exact arguments give an exact bound.
    """
    away, R2, eps = _target(patterns, u, w0, eps)
    return R2 * (away @ away) / (eps * eps)


def damped(patterns, u, gammas, *, w0=None, eps=1):
    """Σ_t γ_t (2 − γ_t R²) beside its bound ‖w0 − su‖²/ε², for the γ rule with γ_t R² ≤ 1 (notebook 12).

    A run that has made the corrections 0 … T − 1 has the first number at most equal to the second; so a constant γ,
    0 < γR² < 2, ends within ‖w0 − su‖²/(ε² γ (2 − γR²)) corrections.
    """
    away, R2, eps = _target(patterns, u, w0, eps)
    return sum(g * (2 - g * R2) for g in map(own, gammas)), (away @ away) / (eps * eps)


def _target(patterns, u, w0, eps):
    """w0 − su, R² and ε, exact if all arguments are."""
    Z = as_patterns(patterns)
    u = as_vector(u, Z.shape[1], "u")
    Z, u, w0 = in_one_system(Z, u, as_start(w0, Z))
    least = min(Z @ u)
    if not least > 0:
        raise ValueError(f"u has min z · u = {least}; expected a vector that separates")
    positive(eps, "eps")
    eps = Fraction(own(eps)) if is_exact(Z) and exact_number(eps) else float(eps)
    return w0 - u * (eps / least), max((Z * Z).sum(axis=1)), eps


def batch(count, radius_squared, margin_squared):
    """Σ_t |X⁻_t| ≤ L D²/γ² for the batch rule on L patterns, at a constant rate from w = 0 (notebook 22)."""
    return own(count) * quotient(radius_squared, margin_squared)


def diameter_squared(patterns):
    """Δ² = max |z_i − z_j|², exact for exact rows; no point of the hull is farther from a row."""
    (Z,) = in_one_system(as_patterns(patterns, allow_zero=True))
    return max(((Z - z) * (Z - z)).sum(axis=1).max() for z in Z)


def kozinec(radius_squared, margin_squared):
    """T ≤ D²/m² − 1 for Kozinec with ε = 0 from any pattern: Novikoff's number less the start (notebook 26)."""
    return quotient(radius_squared, margin_squared) - 1


def kozinec_any(diameter_squared, margin, eps, first, p):
    """T ≤ 2 (Δ²/ε²) ln(|w0|/m) + min(p − 1, 2 (|w0| − m)/ε) for any violators (notebook 26)."""
    return 2 * diameter_squared / eps**2 * np.log(first / margin) + min(p - 1, 2 * (first - margin) / eps)


def kozinec_worst(diameter_squared, margin, eps):
    """T ≤ 4Δ²/(m ε) + 1 for the worst violators: Frank and Wolfe's rate, with a certified gap (notebook 26)."""
    return 4 * diameter_squared / (margin * eps) + 1


def sauer(N, h):
    """Σ_{i≤h} C(N, i): no class of VC dimension h has more dichotomies on N points."""
    return sum(comb(N, i) for i in range(min(h, N) + 1))


def vc(N, h, eta):
    """1/N + √((N + 1)/N² [ln Σ_{i≤h} C(2N, i) + ln(2/η)]): for 0/1 loss, all strategies at once (notebook 27)."""
    return 1 / N + sqrt((N + 1) / N**2 * (log(sauer(2 * N, h)) + log(2 / eta)))


VC_SAFE = sqrt(1 + log(2)) - 1
"""Where the term of the lecture's (1) is at most this, 0.301, it is at least `vc` (notebook 27)."""


def vc_failure(N, h, t):
    """Pr(sup R − R_emp > t) is at most this: the proof of `vc` with the exact hypergeometric tail (notebook 27).

    2 Σ_{i≤h} C(2N, i) · max over k of Pr(more than k/2 + N (t − 1/N)/2 of k errors fall in the second half).
    """
    if t >= 1:
        return 0.0
    whole, worst = comb(2 * N, N), 0
    for k in range(1, 2 * N + 1):
        # second − first > N t − 1, second + first = k
        least = max(int(np.floor((k + N * t - 1) / 2)) + 1, k - N, 0)
        worst = max(worst, sum(comb(k, i) * comb(2 * N - k, N - i) for i in range(least, min(k, N) + 1)))
    return min(1.0, float(Fraction(2 * sauer(2 * N, h) * worst, whole)))


def simplex_ratio(r):
    """The least R²/m² at which r points can be shattered with margin m inside a ball of radius R (notebook 21).

    r − 1 for even r and (r − 1)(1 − 1/r²) for odd r: 4ab(r − 1)/r² with a = ⌊r/2⌋ and b = ⌈r/2⌉.
    """
    a, b = r // 2, r - r // 2
    return Fraction(4 * a * b * (r - 1), r * r)


def capacity(radius_squared, margin_squared, n=None):
    """The VC dimension of planes with margin m on a ball of radius R in n dimensions, sharp (notebook 21).

    The largest r ≤ n + 1 with R²/m² ≥ `simplex_ratio(r)`.
    """
    ratio = Fraction(own(radius_squared)) / Fraction(own(margin_squared))
    r = int(ratio) + 1  # simplex_ratio(r) rises with r and lies between r − 2 and r − 1
    r += simplex_ratio(r + 1) <= ratio
    return r if n is None else min(r, n + 1)


def worst_first(t, first, rate, radius_squared, length_squared):
    """‖w − u‖² when the margin perceptron, worst first and b = 0, stops after t updates (notebook 42).

    At most λ²R²(1 + t − first) + λ(R²‖u‖² − 1)(1 + 1/2 + … + 1/first), `first` being the updates until ‖w‖ ≥ ‖u‖.
    """
    harmonic = sum(1.0 / k for k in range(1, first + 1))
    spread = float(radius_squared) * float(length_squared) - 1
    return float(rate) ** 2 * float(radius_squared) * (1 + t - first) + float(rate) * spread * harmonic


def average_coefficients(run):
    """c̄_l = (λ · updates by l − c_l)/(λμT), the mean of c over the T presentations of a decayed margin perceptron.

    After whole epochs 0 ≤ μ c̄_l ≤ 1/L: the averages keep (10), the iterates do not (notebook 41).
    """
    if not run.decay or not run.presented:
        raise ValueError("the average needs decay and a presentation; expected a run with both")
    count = np.bincount(run.picks, minlength=len(run.patterns)).astype(run.w.dtype)
    return (run.rate * count - run.coefficients()) / (run.rate * run.decay * run.presented)
