"""What the proofs promise: one function an inequality.

Plain numbers in, plain numbers out. Squared lengths are taken where that keeps rational data rational:
integers and Fractions then give Fractions. Throughout, R² = max ‖z_j‖² over the folded patterns, γ is a
margin (z_j · u ≥ γ for a unit vector u), T is the number of corrections and w0 the start.
"""

from fractions import Fraction
from math import sqrt

import numpy as np

from lib.checks import positive
from lib.margins.max_margin import max_margin
from lib.patterns import as_patterns, as_start, as_vector, exact_number, in_one_system


def radius_squared(patterns):
    """max ‖z_j‖² over the rows, exact for exact rows: D² of the lecture's (9) if the rows are folded.

    The trap: (9) speaks of the data set, whose points lack the constant 1. On the points ±1/10 the raw
    D²/γ² is 1, yet two corrections are made; the folded D² gives 101.
    """
    (Z,) = in_one_system(as_patterns(patterns, allow_zero=True))
    return max((Z * Z).sum(axis=1))


def novikoff(radius_squared, margin_squared):
    """T ≤ R²/γ² from w0 = 0: the lecture's (10) and (24). Both numbers belong to one folded set."""
    return _quotient(radius_squared, margin_squared)


def planar(radius_squared, margin_squared):
    """T ≤ R²/(2γ²) + 1 from w0 = 0 for patterns in the plane. Ours; attained, so the half is sharp.

    Proof. Turn the plane so that u = (0, 1): every pattern is (x, y) with y ≥ γ and x² ≤ r² = R² − γ². Let w
    be (h_t, v_t) after t corrections; v_t ≥ tγ. A mistake at time t has h_t x_t ≤ −v_t y_t ≤ −tγ². So for
    t ≥ 1 the step x_t is opposite to h_t and |h_t| |x_t| ≥ tγ². Opposite steps keep |h_t| ≤ r: if the sign of
    h stays, |h| falls, and if it changes, |h_(t+1)| < |x_t| ≤ r.
    Let t and t + 1 be the times of the last two corrections, T = t + 2. Of |h_t|, |x_t|, |h_(t+1)| the
    largest is the sum of the others: |x_t| = |h_t| + |h_(t+1)| if the sign changed, |h_t| = |x_t| + |h_(t+1)|
    if not. It is at most r, each summand belongs to a mistake and is at least tγ²/r or (t + 1)γ²/r. Hence
    (2t + 1)γ² ≤ r² = R² − γ², which is T ≤ R²/(2γ²) + 1. ∎
    """
    return _quotient(radius_squared, 2 * margin_squared) + 1


def exponential(n):
    """(4^n − 1)/3, the corrections on `families.exponential(n)` in every order. Ours."""
    return (4**n - 1) // 3


def from_start(radius, margin, along, length):
    """T ≤ K(w0), the explicit bound behind Rojas' Proposition 8, for any start.

    From (4.9) and (4.10), (a + Tδ)² ≤ b² + TR² as long as a + Tδ ≥ 0, and T is at most the larger root.

    Parameters
    ----------
    radius, margin : float
        R, and δ = min z_j · w* for a unit vector w*.
    along, length : float
        a = w* · w0 and b = ‖w0‖.
    """
    positive(margin, "margin")
    R2, a, b, d = radius**2, along, length, margin
    return max(0.0, (R2 - 2 * a * d + sqrt(R2**2 - 4 * a * d * R2 + 4 * d * d * b * b)) / (2 * d * d))


def cosine(t, radius, margin, along, length):
    """The right side of the last inequality in Rojas' proof, (a + (t+1)δ)/√(b² + (t+1)R²).

    Printed as a lower bound of cos ρ. It is one only where it is not negative: dividing a negative lower
    bound by an upper bound does not give a lower bound.
    """
    return (along + (t + 1) * margin) / np.sqrt(length**2 + (t + 1) * radius**2)


def alignment(T, radius, smallest, length):
    """cos θ ≥ √T · ρ/(‖W*‖ R) after T corrections from zero: Liang's Corollary 1 and (23).

    `smallest` is ρ = min y_j W* · X_j and `length` is ‖W*‖, which need not be one.
    """
    return np.sqrt(T) * smallest / (length * radius)


def liang_posterior(radius_squared, smallest, along, square):
    """T ≤ R² (W* · W_T)²/(‖W_T‖² ρ²): Liang's (24) with W^T read as W_T. It needs the run's end."""
    return _quotient(radius_squared * along**2, square * smallest**2)


def liang_prior(radius_squared, smallest, length_squared):
    """T ≤ R² ‖W*‖²/ρ²: what Cauchy and Schwarz make of (24), known before the run."""
    return _quotient(radius_squared * length_squared, smallest**2)


def towards(patterns, u, w0=None):
    """T ≤ ‖w0 − u‖²/min_j (2 z_j · u − ‖z_j‖²) for any u that makes the denominator positive. Ours.

    Proof. On a mistake w · z ≤ 0, so ‖w + z − u‖² ≤ ‖w − u‖² − (2 z · u − ‖z‖²): each correction brings w
    nearer to u by at least the denominator, and a square cannot fall below zero. ∎

    Exact for exact arguments.
    """
    Z = as_patterns(patterns)
    Z, u, w0 = in_one_system(Z, as_vector(u, Z.shape[1], "u"), as_start(w0, Z))
    fall = min(2 * (Z @ u) - (Z * Z).sum(axis=1))
    positive(fall, "min (2 z · u − ‖z‖²)")
    return _quotient((w0 - u) @ (w0 - u), fall)


def sharpest(patterns, w0=None):
    """The least value of `towards` over u, and the u that gives it, to a relative 1e-9. Ours.

    Dinkelbach's iteration: for the bound κ so far, the best u is w0 + κ Σ λ_j z_j where λ in the simplex
    minimises ‖w0 + κ Σ λ_j z_j‖² − κ Σ λ_j ‖z_j‖². The linear term is carried by one more coordinate, so that
    it is a nearest-point problem again. Every κ on the way is a valid bound, evaluated by `towards`.

    Returns
    -------
    bound : float
    u : ndarray, shape (n,)
    """
    Z = as_patterns(patterns).astype(np.float64)
    w0 = as_start(w0, Z).astype(np.float64)
    square = (Z * Z).sum(axis=1)
    best = max_margin(Z)
    positive(best.lower, "the margin")
    unit = best.w / np.linalg.norm(best.w)
    u = unit * 2 * square.max() / best.lower
    bound = towards(Z, u, w0)
    for _ in range(40):
        shift = 1e3 * (1 + np.sqrt(bound * square.max()))
        points = np.column_stack([w0 + bound * Z, shift - bound * square / (2 * shift)])
        near = max_margin(points)
        nearer = w0 + bound * (near.weights @ Z[near.support])
        if min(2 * (Z @ nearer) - square) <= 0:
            break
        smaller = towards(Z, nearer, w0)
        if smaller >= bound * (1 - 1e-9):
            break
        bound, u = smaller, nearer
    return bound, u


def diameter_squared(patterns):
    """Δ² = max |z_i − z_j|², exact for exact rows; no point of the hull is farther from a row."""
    (Z,) = in_one_system(as_patterns(patterns, allow_zero=True))
    return max(((Z - z) * (Z - z)).sum(axis=1).max() for z in Z)


def kozinec_plain(radius_squared, margin_squared):
    """T <= D²/m² − 1 for Kozinec with eps = 0 from any pattern. Ours: Novikoff's number less the start.

    Proof. If z · w <= 0 the next w has |w'|² = (|w|²|z|² − (z·w)²)/|w − z|² and |w − z|² >= |w|² + |z|², so
    1/|w'|² >= 1/|w|² + 1/|z|². Summed up, 1/m² >= 1/|w_T|² >= (T + 1)/D². ∎
    """
    return novikoff(radius_squared, margin_squared) - 1


def kozinec_any(diameter_squared, margin, eps, first, p):
    """T <= 2 (Δ²/ε²) ln(|w0|/m) + min(p − 1, 2 (|w0| − m)/ε) for any violators. Ours.

    Proof. A violator has w · (w − z) > ε|w|. A step inside the segment leaves |w|² − (w · (w − z))²/|w − z|²
    <= |w|² (1 − ε²/Δ²): at most (Δ²/ε²) ln(|w0|²/m²) such steps. A clipped one has w · (w − z) >= |w − z|²,
    that is |z|² <= w · z <= |w|² − ε|w|, so |w'| = |z| <= |w| − ε/2: at most 2(|w0| − m)/ε such steps; and since
    |w| falls, none ends at a pattern where the run has been: at most p − 1. ∎
    """
    ratio = first / margin
    return 2 * diameter_squared / eps**2 * np.log(ratio) + min(p - 1, 2 * (first - margin) / eps)


def kozinec_worst(diameter_squared, margin, eps):
    """T <= 4Δ²/(m ε) + 1 for the worst violators. Ours: Frank and Wolfe's rate, with clipped steps and a certified gap.

    Proof. Let h = |w|² − m² and δ = |w|² − min_j z_j · w. As w* is in the hull, h <= 2 w · (w − w*) <= 2δ. A step
    inside the segment has h' <= h − δ²/Δ², and δ <= Δ²; a clipped one h' = h − 2δ + |w − z|² <= h − δ.
    If h > 2Δ², then δ > Δ², the step is clipped and h' <= h − 2δ + Δ² <= Δ². If h <= 2Δ², either step has
    h' <= h − h²/(4Δ²): so after the first step h <= Δ² and 1/h grows by 1/(4Δ²) each time, h_(1+t) <= 4Δ²/(t + 4).
    While the run goes on δ > ε|w| >= εm =: G. If G > Δ² no step after the first is possible: inside, δ <= Δ²;
    clipped, h would fall below zero. Else each step lowers h by G²/Δ² at least. So T <= 1 + t + 4Δ⁴/((t + 4) G²)
    for every t. With a = 2Δ²/G choose t + 4 = ⌈a⌉ if a > 4, and t = 0 if not: T <= 2a + 1. ∎
    """
    return 4 * diameter_squared / (margin * eps) + 1


def _quotient(a, b):
    """a/b, as a Fraction if both are exact."""
    positive(b, "the denominator")
    return Fraction(a) / Fraction(b) if exact_number(a) and exact_number(b) else a / b
