"""Falkowski's note on the Krauth–Mézard algorithm: its numbered formulas, printed and corrected.

Throughout x = max ‖z_j‖², Δ is the maximum margin, û its unit vector, w0 the start, k0 its part at right angles to û.
Squares are taken where that keeps rational data rational. The printed formulas hold for starts Σ λ_j z_j with λ ≥ 0;
what holds from any start has "corrected" in its name, or stands in `bounds.gap`.
"""

import numpy as np


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
