"""Families of patterns on which the bounds are attained, or missed by a known factor; and random ones.

The proofs are in the notebooks named.
"""

from fractions import Fraction

import numpy as np

from lib.numbers import as_matrix, whole_number
from lib.patterns import fold


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


def zigzag(a, b, start):
    """The corrections on (a, b) and (−a, b) from w0 = (start, 0), 0 < start < a, known beforehand (notebook 14).

    The least even t with t b² > a · start or the least odd t with t b² > a (a − start), whichever comes first. Exact
    for integers and Fractions.
    """
    if not 0 < start < a or not b > 0:
        raise ValueError(f"a, b, start are {a}, {b}, {start}; expected 0 < start < a and b > 0")
    even, odd = a * start // (b * b) + 1, a * (a - start) // (b * b) + 1
    return int(min(even + even % 2, odd + 1 - odd % 2))


def bits(L):
    """Three integer patterns of L bits in the plane that cost exactly 4^L/2 + 1 corrections from w = 0."""
    whole_number(L, "L", least=1)
    return as_matrix([[2 ** (L - 1), 1], [-(2**L), 1], [2**L, 1]], "bits")


def half(K):
    """Patterns without bias that leave the margin perceptron with little more than half of the margin (notebook 42).

    Rows x_i = (1, cot θ_i), θ_i = iπ/(K + 1), for K ≥ 2 directions in turn, each repeated until its score exceeds 1.

    Returns
    -------
    patterns : ndarray, shape (p, 2)
    rate : float
        λ = 1/(1000 R²).
    """
    whole_number(K, "K", least=2)
    rows = np.column_stack([np.ones(K), 1 / np.tan(np.arange(1, K + 1) * np.pi / (K + 1))])
    square = (rows * rows).sum(axis=1)
    rate, w, copies = 1e-3 / square.max(), np.zeros(2), []
    for z, s in zip(rows, square, strict=True):
        copies.append(max(0, int((1 - z @ w) / (rate * s)) + 1))
        w = w + copies[-1] * rate * z
    return np.repeat(rows, copies, axis=0), rate


def half_limit(K):
    """The share ρ/ρ_max that `half(K)` leaves as λ → 0, 1/√(1 + 2c^(K+1) + c^(2K)); it falls to 1/2."""
    c = np.cos(np.pi / (K + 1))
    return 1 / np.sqrt(1 + 2 * c ** (K + 1) + c ** (2 * K))


def off_centre(length, offset, rate):
    """Folded patterns y (x, 1) that cost the margin perceptron of this rate nearly all of the margin (notebook 42).

    The best plane is u = (ν, 0), ν = length, with the constant a = offset. Every pattern is ((1 ∓ a)/ν, c, ±1), so that
    its score for (u, a) is one. The signs are mixed so that b goes to a; c is chosen so that the pattern meets a score
    of one, with |c| ≤ 10. Then w̃ follows the sphere that the corrected Theorem 2 confines it to. Shape (p, 3).
    """
    nu, a = length, offset
    work = nu * (nu + np.hypot(nu, a)) + a * a
    if not 0 <= a <= min(1, work):
        raise ValueError(f"offset is {a}; expected 0 ≤ a ≤ 1 and a ≤ ν(ν + √(ν² + a²)) + a²")
    w, rows, balance = np.zeros(3), [], 0.0
    for _ in range(int(work / rate)):
        sign = 1.0 if balance <= 0 else -1.0
        balance += sign - a / work
        z = np.array([(1 - sign * a) / nu, 0.0, sign])
        need = 1 - 1e-9 - z @ w
        z[1] = min(max(need / w[1], -10), 10) if w[1] else 10
        if z @ w > 1 - 1e-10:
            continue
        w = w + rate * z
        rows.append(z)
    return np.array(rows)


def one_side(rng):
    """One to six integer patterns of one to three columns on one side of a random plane through the origin."""
    while True:
        Z = rng.integers(-3, 4, (int(rng.integers(1, 7)), int(rng.integers(1, 4))))
        side = np.where(Z @ rng.normal(size=Z.shape[1]) > 0, 1, -1)
        Z = (Z * side[:, None])[(Z != 0).any(axis=1)]
        if len(Z):
            return Z


def two_sides(rng):
    """Two to six rational points of both classes on the two sides of a random plane, folded with the constant 1."""
    while True:
        X = rng.integers(-3, 4, (int(rng.integers(2, 7)), int(rng.integers(1, 4))))
        y = np.where(X @ rng.normal(size=X.shape[1]) + rng.normal() > 0, 1, -1)
        if abs(y.sum()) < len(y):
            return fold(X * Fraction(1, int(rng.integers(1, 7))), y)
