"""Data for the margin perceptron: random exact sets, and sets that cost all the margin its bounds let go."""

from fractions import Fraction

import numpy as np

from lib.patterns import fold


def half(K, tightness=1e-3):
    """Patterns without bias that leave the margin perceptron with little more than half of the largest margin. Ours.

    Rows x_i = (1, cot θ_i), θ_i = iπ/(K + 1), i = 1 … K in turn, each repeated until its score exceeds 1. The best w is
    (1, 0). As λ → 0 one pass ends at (1, 0) + c^K (cos δ, sin δ), δ = π/(K + 1), c = cos δ, of squared length
    1 + 2c^(K+1) + c^(2K), and no second update follows.

    Parameters
    ----------
    K : int
        Directions; two or more.
    tightness : float
        λR².

    Returns
    -------
    patterns : ndarray, shape (p, 2)
    rate : float
    """
    if K < 2:
        raise ValueError(f"K is {K}; expected two directions or more")
    rows = np.column_stack([np.ones(K), 1 / np.tan(np.arange(1, K + 1) * np.pi / (K + 1))])
    square = (rows * rows).sum(axis=1)
    rate, w, copies = tightness / square.max(), np.zeros(2), []
    for z, s in zip(rows, square, strict=True):
        copies.append(max(0, int((1 - z @ w) / (rate * s)) + 1))
        w = w + copies[-1] * rate * z
    return np.repeat(rows, copies, axis=0), rate


def half_limit(K):
    """The share ρ/ρ_max that `half(K)` leaves as λ → 0; it falls to 1/2."""
    c = np.cos(np.pi / (K + 1))
    return 1 / np.sqrt(1 + 2 * c ** (K + 1) + c ** (2 * K))


def off_centre(length, offset, rate, widest=10.0):
    """Folded patterns y (x, 1), of best plane u = (ν, 0) and constant a, that cost nearly all of the margin.

    Every pattern is ((1 ∓ a)/ν, c, ±1), so that its score for (u, a) is one. The signs are mixed so that b goes to a; c
    is chosen so that the pattern meets a score of one, with |c| ≤ `widest`. Then ‖w̃‖² grows as slowly as it may, and
    w̃ follows the sphere that the corrected Theorem 2 confines it to, to where ‖w‖ = ‖u‖ + √(‖u‖² + a²). Ours.

    Parameters
    ----------
    length, offset : float
        ν = ‖u‖ and a, with 0 ≤ a ≤ 1 and a ≤ ν(ν + √(ν² + a²)) + a².
    rate : float
        λ, for which the data are made.

    Returns
    -------
    ndarray, shape (p, 3)
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
        z[1] = min(max(need / w[1], -widest), widest) if w[1] else widest
        if z @ w > 1 - 1e-10:
            continue
        w = w + rate * z
        rows.append(z)
    return np.array(rows)


def one_side(rng, size=3):
    """One to six integer patterns of one to three columns on one side of a random plane through the origin."""
    while True:
        Z = rng.integers(-size, size + 1, (int(rng.integers(1, 7)), int(rng.integers(1, 4))))
        side = np.where(Z @ rng.normal(size=Z.shape[1]) > 0, 1, -1)
        Z = (Z * side[:, None])[(Z != 0).any(axis=1)]
        if len(Z):
            return Z


def two_sides(rng, size=3, finest=6):
    """Two to six rational points of both classes on the two sides of a random plane, folded with the constant 1."""
    while True:
        X = rng.integers(-size, size + 1, (int(rng.integers(2, 7)), int(rng.integers(1, 4))))
        y = np.where(X @ rng.normal(size=X.shape[1]) + rng.normal() > 0, 1, -1)
        if abs(y.sum()) < len(y):
            return fold(X * Fraction(1, int(rng.integers(1, finest + 1))), y)
