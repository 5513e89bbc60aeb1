"""The gap of the literature, closed: the Krauth–Mézard algorithm from any start. Ours; the proofs are in notebook 31.

Throughout x = max ‖z_j‖², Δ is the maximum margin, û its unit vector, γ² = Δ²/x; w0 is the start, s0 = ⟨û, w0⟩ and
k0 = w0 − s0 û. With z the point of the hull closest to the origin, Δ² = z · z and Y_t = Δ⟨û, w_t⟩ = z · w_t are
rational for rational data, and so is ‖k_t‖² = ‖w_t‖² − Y_t²/Δ². Everything rests on one line: z is a convex
combination of the patterns, so min_j z_j · w ≤ z · w for every w.
"""

from collections import namedtuple
from fractions import Fraction

import numpy as np

from lib.margins.max_margin import max_margin
from lib.numbers import in_one_system, is_exact
from lib.numbers.comparisons import at_most

Beside = namedtuple("Beside", "z x margin2 low along square across gain pull rising")
"""A run seen beside the best direction, for t = 0, …, M; exact (object arrays) if the run is.

`z`, `x` and `margin2` are the `best_direction`, max ‖z_j‖² and Δ². `low` is min_j z_j · w_t, the score of the next
pick; `along` is Y_t = Δ⟨û, w_t⟩, so that Falkowski's a(t) is Y_t/c; `square` and `across` are ‖w_t‖² and ‖k_t‖². Of the
picks, `gain` is ⟨z, z_j⟩, at least Δ² and equal to it for support vectors, and `pull` is ⟨k_t, z_j⟩, the left side of
(9). `rising` is τ, the first t with a(t) ≥ 0."""


def best_direction(patterns):
    """z, the point of the hull closest to the origin: exact for exact patterns, floats otherwise."""
    found = max_margin(patterns)
    return found.w if found.patterns.dtype == np.float64 else np.array(found.exact().w, dtype=object)


def beside(run, z=None):
    """Replay a `MinOver` run beside z, by default the `best_direction` of its patterns."""
    z = best_direction(run.patterns) if z is None else np.asarray(z)
    sums, z, Z = in_one_system(run.trajectory(sums=True), z, run.patterns)
    x = Fraction(run.square) if is_exact(Z) else float(run.square)
    W = sums / x
    low = np.append((sums[:-1] * Z[run.picks]).sum(axis=1), min(Z @ sums[-1])) / x
    margin2, along, square = z @ z, W @ z, (W * W).sum(axis=1)
    gain = Z[run.picks] @ z
    pull, across = low[:-1] - along[:-1] * gain / margin2, square - along * along / margin2
    return Beside(z, x, margin2, low, along, square, across, gain, pull, int(np.argmax(along >= 0)))


def invariants(q, c):
    """The lines of the short proof along a run at the level c, exactly: {line: its comparisons}.

    Y_t = ⟨z, w_t⟩, N_t = Δ²‖w_t‖², m_t the lowest score, γ² = Δ²/x. "behind" are the times with Y_t < 0.
    """
    Y, N, g2 = q.along, q.margin2 * q.square, q.margin2 / q.x
    grown, behind = N[0] + Y - Y[0], (Y < 0).astype(bool)
    return {
        "duality": at_most(q.low, Y),
        "step": at_most(np.append(-np.diff(Y), np.diff(Y)), np.repeat([-g2, 1], len(Y) - 1)),
        "always": at_most(N - Y * Y, grown),
        "behind": at_most(N[behind], grown[behind]),
        "late": at_most(np.diff(N), (2 * Fraction(c) + 1) * np.diff(Y)),
    }


def crossing(x, margin2, along):
    """t0 = ⌈x σ/Δ⌉, σ = max(0, −s0): a(t) ≥ 0 from t0 on at the latest."""
    return np.ceil(np.maximum(0, -along) * x / margin2)


def theorem1(c, x, margin2, along, across2):
    """Theorem 1 (a), (b): a bound on Δ‖w_M‖ from a start with Y_0 = `along` and ‖k0‖² = `across2`.

    (a) if c > Y_0: c + ½ + √(¼ + (1 − γ²) c + γ² (1 − γ) + H), H = Δ²‖k0‖² or, if Y_0 < 0, Δ²‖w0‖² + γ² t0;
    (b) else: c + ½ + √((Y_0 − c − ½)² + Δ²‖k0‖²).
    """
    g2 = margin2 / x
    far = margin2 * across2
    H = np.where(along < 0, far + along * along + g2 * crossing(x, margin2, along), far)
    below = 0.25 + (1 - g2) * c + g2 * (1 - np.sqrt(g2)) + H
    above = (along - c - 0.5) ** 2 + far
    return c + 0.5 + np.sqrt(np.where(c > along, below, above))


def theorem1_clean(c, start):
    """Theorem 1 (c): Δ‖w_M‖ ≤ c + 1 + √(c + 1) + Δ‖w0‖, `start` being Δ‖w0‖."""
    return c + 1 + np.sqrt(c + 1) + start


def ratio(c, start=0.0):
    """Δ_c/Δ ≥ c/(c + 1 + √(c + 1) + Δ‖w0‖) from any start."""
    return c / theorem1_clean(c, start)


def theorem2(c, x, margin2, along, across2):
    """Theorem 2: a bound on M from any start, in the terms of `theorem1`.

    d = c − Y_0. If Y_0 ≥ 0: (x/Δ²) (d + ½ + √(¼ + Δ²‖k0‖² + (1 − γ²) d)), with d + d² for (1 − γ²) d if d < 0.
    If Y_0 < 0: t0 + (x/Δ²) (c + ½ + √(¼ + (1 − γ²) c + Δ²‖w0‖² + γ² t0)).
    """
    g2, far, d = margin2 / x, margin2 * across2, c - along
    t0 = crossing(x, margin2, along)
    forward = d + 0.5 + np.sqrt(0.25 + far + np.where(d < 0, d + d * d, (1 - g2) * d))
    around = c + 0.5 + np.sqrt(0.25 + (1 - g2) * c + far + along * along + g2 * t0)
    return np.where(along < 0, t0 + around / g2, forward / g2)


def last_stray(x, margin, gap, backward, start):
    """Theorem 4: no pattern with ⟨û, z_j⟩ ≥ Δ + gap is picked after this many updates, whatever c is (notebook 32).

    `backward` is σ = max(0, −s0), `start` is ‖w0‖.
    """
    return max(2 * x * backward / margin, 16 * (x / (margin * gap)) ** 2, 4 * x**1.5 * start / (margin * gap))


def ball(V, x):
    """Theorem 4: ‖P_L k_t‖ ends below v²/(2ρx) + v/x, for the rows v_j = z_j − z of an affinely independent support.

    v is the longest row, and ρ the distance of the origin from the nearest face of their simplex.
    """
    if len(V) == 1:
        return 0.0
    faces = (np.linalg.lstsq(np.delete(V, i, axis=0), np.ones(len(V) - 1), rcond=None)[0] for i in range(len(V)))
    nearest, longest = min(1 / np.linalg.norm(q) for q in faces), np.linalg.norm(V, axis=1).max()
    return longest**2 / (2 * nearest * x) + longest / x


def cesaro(patterns, support, weights):
    """The limit of the mean of Y_t − min_j z_j · w_t: (Σ μ_j ‖z_j‖² − Δ²)/(2x) if the weights μ are unique."""
    Z = np.asarray(patterns, dtype=np.float64)
    square = (Z * Z).sum(axis=1)
    point = np.asarray(weights) @ Z[support]
    return (np.asarray(weights) @ square[support] - point @ point) / (2 * square.max())
