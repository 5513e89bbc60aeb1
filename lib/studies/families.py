"""Patterns on which bounds are attained, or missed by a known factor; the proofs are in the notebooks named."""

import numpy as np

from lib.numbers import as_matrix, whole_number


def exponential(n):
    """n integer patterns in R^n that cost exactly (4^n − 1)/3 corrections from w = 0 in every order (notebook 03).

    Row i is i − 1 entries −1, then 1, then zeros; every run ends at w = (1, 2, 4, …). Shape (n, n).
    """
    whole_number(n, "n", least=1)
    return np.eye(n, dtype=np.int64) - np.tril(np.ones((n, n), dtype=np.int64), -1)


def walk(T, slack=1e-6):
    """T unit patterns in R³ that attain Novikoff's bound: T corrections in one cyclic pass, R²/γ² = T (notebook 02).

    Pattern t is (y_t, γ) with Y_t · y_t = −t/T where Y_t = y_0 + … + y_(t−1): each meets a score of zero. In floats
    that is a coin toss, so γ² is 1/(T (1 + slack)), which makes every score negative and leaves ⌊R²/γ²⌋ = T as long as
    T · slack < 1. Shape (T, 3).
    """
    whole_number(T, "T", least=1)
    g2 = 1 / (T * (1 + slack))
    Y, rows = np.zeros(2), []
    for t in range(T):
        length = np.hypot(*Y)
        ahead = Y / length if t else np.array([1.0, 0.0])
        along = -t / (T * length) if t else np.sqrt(1 - g2)
        across = np.sqrt(max(1 - g2 - along**2, 0.0))
        y = along * ahead + across * np.array([-ahead[1], ahead[0]])
        rows.append([*y, np.sqrt(g2)])
        Y += y
    return np.array(rows)


def opposed(phi):
    """Two unit patterns in the plane, almost opposite: (±cos φ, sin φ), margin sin φ (Rojas, Fig. 4.13)."""
    return np.array([[np.cos(phi), np.sin(phi)], [-np.cos(phi), np.sin(phi)]])


def bits(L):
    """Three integer patterns of L bits in the plane that cost exactly 4^L/2 + 1 corrections from w = 0."""
    whole_number(L, "L", least=1)
    return as_matrix([[2 ** (L - 1), 1], [-(2**L), 1], [2**L, 1]], "bits")
