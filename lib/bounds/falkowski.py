"""What Falkowski's note promises of the Krauth–Mézard algorithm, printed and corrected, and what we add.

Plain numbers in, plain numbers out; arrays where they make sense. Throughout x = max ‖z_j‖², Δ is the maximum
margin, û its unit vector, γ² = Δ²/x; w0 is the start, s0 = ⟨û, w0⟩ and k0 = w0 − s0 û. Squares are taken where
that keeps rational data rational: with z the point of the hull closest to the origin, Δ² = z · z and
Y_t = Δ⟨û, w_t⟩ = z · w_t are rational, and so is ‖k_t‖² = ‖w_t‖² − Y_t²/Δ².

The theorems rest on one line: z is a convex combination of the patterns, so min_j z_j · w ≤ z · w for every w.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lib.margins.max_margin import max_margin
from lib.numbers import in_one_system, is_exact


@dataclass(frozen=True, eq=False)
class Walk:
    """A run beside the best direction; exact (object arrays) if the run is. Entries t = 0, …, M.

    Attributes
    ----------
    x, margin2 : number
        max ‖z_j‖² and Δ².
    low : ndarray
        min_j z_j · w_t, the score of the next pick.
    along : ndarray
        Y_t = Δ⟨û, w_t⟩; Falkowski's a(t) is Y_t/c.
    square, across : ndarray
        ‖w_t‖² and ‖k_t‖².
    gain : ndarray, shape (M,)
        ⟨z, z_j⟩ of the picks, at least Δ², equal to it for support vectors.
    pull : ndarray, shape (M,)
        ⟨k_t, z_j⟩ of the picks, the left side of (9).
    """

    x: object
    margin2: object
    low: np.ndarray
    along: np.ndarray
    square: np.ndarray
    across: np.ndarray
    gain: np.ndarray
    pull: np.ndarray

    @property
    def rising(self):
        """τ, the first t with a(t) ≥ 0."""
        return int(np.argmax(self.along >= 0))


def best_direction(patterns):
    """z, the point of the hull closest to the origin: exact for exact patterns, floats otherwise."""
    found = max_margin(patterns)
    return found.w if found.patterns.dtype == np.float64 else np.array(found.exact().w, dtype=object)


def walk(run, z=None):
    """Replay a `MinOver` run beside z (by default `best_direction` of its patterns)."""
    z = best_direction(run.patterns) if z is None else np.asarray(z)
    sums, z, Z = in_one_system(run.trajectory(sums=True), z, run.patterns)
    x = Fraction(run.square) if is_exact(Z) else float(run.square)
    W = sums / x
    low = run.lowest().astype(Z.dtype) / x
    margin2, along, square = z @ z, W @ z, (W * W).sum(axis=1)
    gain = Z[run.picks] @ z
    pull = low[:-1] - along[:-1] * gain / margin2
    return Walk(x, margin2, low, along, square, square - along * along / margin2, gain, pull)


def length_squared(M, c, x, start2):
    """(3): ‖w_M‖² ≤ M (2c + 1)/x + ‖w0‖², from any start."""
    return M * (2 * c + 1) / x + start2


def updates_printed(c, x, margin2, start2):
    """(4): M ≤ (x²/Δ²) ((2c + 1)/x + ‖w0‖²); true for starts λ ≥ 0, false by up to one update for others."""
    return x * (2 * c + 1) / margin2 + x * x * start2 / margin2


def updates_root(c, x, margin2, along, across2):
    """(4) mended for any start: the larger root of (Y_0 + γ² M)² ≤ Δ² (M (2c + 1)/x + ‖w0‖²)."""
    B = 2 * c + 1 - 2 * along
    return x / (2 * margin2) * (B + np.sqrt(float(B) ** 2 + 4 * margin2 * across2))


def guarantee(square, M, weight, c, x):
    """A of (5): ‖w_M‖²/(c (M + Λ)/x). The print takes Λ = Σλ; with w0 = Σλ_j z_j it must be xΣλ."""
    return square / (c * (M + weight) / x)


def guarantee_bound(M, c, x, start2):
    """(6): A ≤ (x/c) ((2c + 1)/x + ‖w0‖²/M)."""
    return (2 * c + 1) / c + x * start2 / (c * M)


def across_squared(t, x, start2):
    """(10): ‖k_t‖² ≤ t/x + ‖k0‖² in print; with ‖w0‖² for ‖k0‖² it holds from any start (Lemma 2)."""
    return t / x + start2


def along_before(M, c, x, start2):
    """(11): a(M−1) ≤ (c + √(M − 1 + x‖k0‖²))/c; with ‖w0‖ for any start."""
    return (c + np.sqrt(float(M - 1 + x * start2))) / c


def along_after(M, c, x, margin2, start2):
    """(12): a(M) ≤ the right side of (11) + Δ/(c√x)."""
    return along_before(M, c, x, start2) + np.sqrt(float(margin2) / float(x)) / c


def length_printed(M, c, x, margin2, start2):
    """(13) times Δ: Δ‖w_M‖ ≤ c·(right side of (12)) + Δ√(M/x + ‖k0‖²); with ‖w0‖ for any start."""
    across = np.sqrt(float(margin2) * (float(M) / float(x) + float(start2)))
    return c * along_after(M, c, x, margin2, start2) + across


def crossing(x, margin2, along):
    """t0 = ⌈x σ/Δ⌉, σ = max(0, −s0): a(t) ≥ 0 from t0 on at the latest."""
    return np.ceil(np.maximum(0, -along) * x / margin2)


def length(c, x, margin2, along, across2):
    """Theorem 1 (a), (b): Δ‖w_M‖ from a start with Y_0 = `along` and ‖k0‖² = `across2`. Ours.

    (a) if c > Y_0: c + ½ + √(¼ + (1 − γ²) c + γ² (1 − γ) + H), H = Δ²‖k0‖² or, if Y_0 < 0, Δ²‖w0‖² + γ² t0;
    (b) else: c + ½ + √((Y_0 − c − ½)² + Δ²‖k0‖²).
    """
    g2 = margin2 / x
    far = margin2 * across2
    H = np.where(along < 0, far + along * along + g2 * crossing(x, margin2, along), far)
    below = 0.25 + (1 - g2) * c + g2 * (1 - np.sqrt(g2)) + H
    above = (along - c - 0.5) ** 2 + far
    return c + 0.5 + np.sqrt(np.where(c > along, below, above))


def length_clean(c, start):
    """Theorem 1 (c): Δ‖w_M‖ ≤ c + 1 + √(c + 1) + Δ‖w0‖, `start` being Δ‖w0‖. Ours."""
    return c + 1 + np.sqrt(c + 1) + start


def ratio(c, start=0.0):
    """Δ_c/Δ ≥ c/(c + 1 + √(c + 1) + Δ‖w0‖) from any start. Ours."""
    return c / length_clean(c, start)


def updates(c, x, margin2, along, across2):
    """Theorem 2: M from any start, in the terms of `length`. Ours.

    d = c − Y_0. If Y_0 ≥ 0: (x/Δ²) (d + ½ + √(¼ + Δ²‖k0‖² + (1 − γ²) d)), with d + d² for (1 − γ²) d if d < 0.
    If Y_0 < 0: t0 + (x/Δ²) (c + ½ + √(¼ + (1 − γ²) c + Δ²‖w0‖² + γ² t0)).
    """
    g2, far, d = margin2 / x, margin2 * across2, c - along
    t0 = crossing(x, margin2, along)
    forward = d + 0.5 + np.sqrt(0.25 + far + np.where(d < 0, d + d * d, (1 - g2) * d))
    around = c + 0.5 + np.sqrt(0.25 + (1 - g2) * c + far + along * along + g2 * t0)
    return np.where(along < 0, t0 + around / g2, forward / g2)


def last_stray(x, margin, gap, backward, start):
    """t1 of Theorem 4: no pattern with ⟨û, z_j⟩ ≥ Δ + gap is picked after it. Ours.

    `backward` is σ = max(0, −s0), `start` is ‖w0‖; c does not enter.
    """
    return max(2 * x * backward / margin, 16 * (x / (margin * gap)) ** 2, 4 * x**1.5 * start / (margin * gap))


def cesaro(patterns, support, weights):
    """The limit of the mean of Y_t − min_j z_j · w_t: (Σ μ_j ‖z_j‖² − Δ²)/(2x) if the weights μ are unique. Ours."""
    Z = np.asarray(patterns, dtype=np.float64)
    square = (Z * Z).sum(axis=1)
    point = np.asarray(weights) @ Z[support]
    return (np.asarray(weights) @ square[support] - point @ point) / (2 * square.max())
