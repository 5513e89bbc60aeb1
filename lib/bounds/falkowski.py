"""Falkowski's note on the Krauth–Mézard algorithm: its numbered formulas, printed and corrected.

Throughout x = max ‖z_j‖², Δ is the maximum margin, û its unit vector, w0 the start, k0 its part at right angles to û.
Squares are taken where that keeps rational data rational. The printed formulas hold for starts Σ λ_j z_j with λ ≥ 0;
what holds from any start has "corrected" in its name, or stands in `bounds.gap`.
"""

from fractions import Fraction
from math import sqrt

import numpy as np

from lib.numbers.comparisons import at_most, below, equal, joined

ROUNDING = 1e-12
"""The relative tolerance of (12) and (13), whose sides are sums of roots."""


def eq3(M, c, x, start2):
    """(3): ‖w_M‖² ≤ M (2c + 1)/x + ‖w0‖², from any start."""
    return M * (2 * c + 1) / x + start2


def eq4(c, x, margin2, start2):
    """(4): M ≤ (x²/Δ²) ((2c + 1)/x + ‖w0‖²); from other starts it is false, by up to one update."""
    return x * (2 * c + 1) / margin2 + x * x * start2 / margin2


def eq4_corrected(c, x, margin2, along, across2):
    """(4) for any start, of Y_0 = Δ⟨û, w0⟩ and ‖k0‖²: the larger root of (Y_0 + Δ²M/x)² ≤ Δ² (M (2c + 1)/x + ‖w0‖²)."""
    B = 2 * c + 1 - 2 * along
    return x / (2 * margin2) * (B + np.sqrt(float(B) ** 2 + 4 * margin2 * across2))


def eq5(square, M, total, c, x):
    """A of (5): ‖w_M‖²/(c (M + Λ)/x) with Λ = Σ λ_j. The guarantee Δ/A can exceed the maximum margin."""
    return square / (c * (M + total) / x)


def eq5_corrected(square, M, total, c, x):
    """A of (5) with x Σ λ_j for Λ."""
    return eq5(square, M, x * total, c, x)


def eq6(M, c, x, start2):
    """(6): A ≤ (x/c) ((2c + 1)/x + ‖w0‖²/M)."""
    return (2 * c + 1) / c + x * start2 / (c * M)


def eq10(t, x, across2):
    """(10), squared: ‖k_t‖² ≤ t/x + ‖k0‖²."""
    return t / x + across2


def eq10_corrected(t, x, start2):
    """(10) for any start: ‖k_t‖² ≤ t/x + ‖w0‖², Lemma 2 of notebook 31."""
    return t / x + start2


def eq11(M, c, x, across2):
    """(11): a(M−1) ≤ (c + √(M − 1 + x‖k0‖²))/c."""
    return (c + np.sqrt(float(M - 1 + x * across2))) / c


def eq12(M, c, x, margin2, across2):
    """(12): a(M) ≤ the right side of (11) + Δ/(c√x)."""
    return eq11(M, c, x, across2) + np.sqrt(float(margin2) / float(x)) / c


def eq13(M, c, x, margin2, across2):
    """(13) times Δ: Δ‖w_M‖ ≤ c·(right side of (12)) + Δ√(M/x + ‖k0‖²)."""
    across = np.sqrt(float(margin2) * (float(M) / float(x) + float(across2)))
    return c * eq12(M, c, x, margin2, across2) + across


def convergence(Z, lam, run, q, c, M):
    """The lines of 3.2 where a run from Σ λ_j z_j stops at the level c after M updates: their comparisons by number.

    `q` is the run seen beside z (`gap.beside`). A prime marks a line as meant or corrected; "3s" is the step before
    (3), "2=" the equality in (2), "2=0" that with the start left out. Rational data are compared exactly, squared
    where that avoids a root. (6) speaks of at least one update.
    """
    x, m2, c, total = q.x, q.margin2, Fraction(c), sum(lam)
    used, scores = np.bincount(run.picks[:M], minlength=len(Z)).tolist(), Z @ q.z * (c / m2)
    printed, meant, none = (
        sum((m + k * v) * s for m, v, s in zip(used, lam, scores, strict=True)) / x for k in (1, x, 0)
    )
    square, product = q.square[M], c * q.along[M] / m2
    found = {
        "2": at_most([c * (M + total) / x], [printed]),
        "2=": equal([printed], [product]),
        "2'": at_most([c * (M + x * total) / x], [meant]),
        "2='": equal([meant], [product]),
        "2=0": equal([none], [product]),
        "2c": at_most([m2 * square], [q.along[M] ** 2]),
        "2c'": at_most([q.along[M] ** 2], [m2 * square]),
        "3s": at_most(np.diff(q.square[: M + 1]), (2 * c + 1) / x),
        "3": at_most(q.square[: M + 1], eq3(np.arange(M + 1, dtype=object), c, x, q.square[0])),
        "4": at_most([M], [eq4(c, x, m2, q.square[0])]),
        "5": at_most([c, m2 * (M + total) ** 2 / x**2], [q.low[M], square]),
        "5'": at_most([c, m2 * (M + x * total) ** 2 / x**2], [q.low[M], square]),
    }
    if M:
        A = eq5(square, M, total, c, x), eq5_corrected(square, M, total, c, x)
        found["6"] = at_most(A, eq6(M, c, x, q.square[0]))
    return found


def limit(q, c, M):
    """The lines of 3.3 up to the stop at the level c after M ≥ 1 updates, as in `convergence`.

    "9" are all picks, "11s" and "12s" the steps before (11) and (12).
    """
    x, m2, c, across2, before = q.x, q.margin2, Fraction(c), q.across[0], q.along[M - 1]
    length, bound = sqrt(m2 * q.square[M]), eq13(M, float(c), x, m2, across2)
    return {
        "9": below(q.pull[:M], 0),
        "9'": at_most(q.pull[:M], 0),
        "10": at_most(q.across[: M + 1], eq10(np.arange(M + 1, dtype=object), x, across2)),
        "11s": below([before], [c + q.pull[M - 1]]),
        "11s'": below([before], [c - q.pull[M - 1]]),
        "11": at_most([max(before - c, 0) ** 2], [M - 1 + x * across2]),
        "12s": at_most(q.gain[:M] ** 2, m2 * x),
        "12": at_most([float(q.along[M] / c)], [eq12(M, float(c), x, m2, across2)], rtol=ROUNDING),
        "13": at_most([length], [bound], rtol=ROUNDING),
        "14": at_most([c**2, q.low[M] ** 2], [q.low[M] ** 2, m2 * q.square[M]]),
    }


def gathered(stops):
    """Comparisons by line of many stops, joined line by line."""
    names = dict.fromkeys(name for stop in stops for name in stop)
    return {name: joined(stop[name] for stop in stops if name in stop) for name in names}
