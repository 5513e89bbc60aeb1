"""What Collobert and Bengio promise about the margin perceptron: Theorems 1 to 3, as printed and corrected.

Notation: L examples, rate λ, decay μ; patterns z_j = y_j (x_j, 1); R² = max ‖x_j‖² over the raw points; (u, a) is the
plane of maximal margin, the shortest u with y_j (u · x_j + a) ≥ 1, so that ρ_max = 2/‖u‖; ρ = 2/‖w‖. A lower bound on
ρ/ρ_max is an upper bound on ‖w‖/‖u‖. Squared lengths are taken and given where that keeps rational data rational;
an inequality between sums of roots is decided by squaring, without rounding.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log, log1p

import numpy as np

from lib.margins.max_margin import max_margin
from lib.numbers import exact_number
from lib.patterns import as_patterns, differences


@dataclass(frozen=True)
class Plane:
    """The plane of maximal margin with a free constant, exact.

    Attributes
    ----------
    u : ndarray of Fraction, shape (d,)
    a : Fraction
    """

    u: np.ndarray
    a: Fraction

    @property
    def length_squared(self):
        """‖u‖² = 4/ρ_max²."""
        return self.u @ self.u

    @property
    def folded_squared(self):
        """‖u‖² + a²."""
        return self.length_squared + self.a**2

    def verify(self, patterns):
        """True if every pattern has a score of at least one; that no shorter u has is `free_margin`'s certificate."""
        Z = as_patterns(patterns).astype(object)
        return bool((Z[:, :-1] @ self.u + Z[:, -1] * self.a >= 1).all())


def free_margin(patterns):
    """The plane of maximal margin through folded patterns y (x, 1), with a free constant; exact.

    The nearest points of the two hulls differ by the point d of the hull of all differences x₊ − x₋ that is closest to
    the origin; u = 2 d/‖d‖² and ρ_max = ‖d‖. The differences are p₊ · p₋ rows, so this is for small sets.

    Returns
    -------
    Plane

    Examples
    --------
    >>> plane = free_margin([[1, 1], [1, -1]])
    >>> plane.u, plane.a
    (array([Fraction(1, 1)], dtype=object), Fraction(0, 1))
    """
    Z = as_patterns(patterns)
    label = Z[:, -1]
    if not (abs(label) == 1).all() or len(set(label.tolist())) != 2:
        raise ValueError("the last column is not the constant of two classes; expected rows y (x, 1) of both labels")
    X = Z[:, :-1] * label[:, None]
    closest = max_margin(differences(X, label)).exact()
    if not closest.squared:
        raise ValueError("the classes are not separable; expected a plane between them")
    u = 2 * np.array(closest.w, dtype=object) / closest.squared
    return Plane(u, Fraction(1 - min(X[label == 1].astype(object) @ u)))


def updates(rate, radius_squared, length_squared):
    """t ≤ ‖u‖² (2/λ + R²): the report's (26). With bias put R² + 1 and ‖u‖² + a²."""
    return length_squared * (2 / _fraction(rate) + radius_squared)


def length(t, rate, radius_squared):
    """‖w^t‖² ≤ t λ² (2/λ + R²): (24). With bias R² + 1 bounds ‖w‖² + b²; Theorem 3 has (R + 1)²."""
    return t * rate * (2 + rate * radius_squared)


def length_sharper(t, rate, radius_squared):
    """‖w^t‖² ≤ 2λ(t − 1) + t λ² R² for t ≥ 1: the first update starts from zero, so it adds no 2λ."""
    return length(t, rate, radius_squared) - 2 * rate


def theorem3_holds(square, t, rate, radius_squared):
    """Whether ‖w^t‖² ≤ t λ² (2/λ + (R + 1)²), Theorem 3 as printed; exact although R is a root."""
    excess = square - length(t, rate, radius_squared + 1)
    return excess <= 0 or excess**2 <= 4 * radius_squared * (t * rate**2) ** 2


def without_bias(rate, radius_squared, length_squared):
    """‖w‖² ≤ ‖u‖² (2 + λR²)²: (27), for b = 0."""
    return length_squared * (2 + rate * radius_squared) ** 2


def theorem2(rate, radius_squared, length_squared):
    """‖w‖² ≤ ‖u‖² (1 + R²)(2 + λR²)²: Theorem 2 as printed. False."""
    return length_squared * (1 + radius_squared) * (2 + rate * radius_squared) ** 2


def theorem2_simple(rate, radius_squared, length_squared):
    """‖w‖² ≤ ‖u‖² (1 + R²)(2 + λ(1 + R²))²: what the report's own steps prove."""
    return length_squared * (1 + radius_squared) * (2 + rate * (1 + radius_squared)) ** 2


def theorem2_holds(square, rate, radius_squared, plane):
    """Whether ‖w‖ ≤ κ‖u‖/2 + √(κ²(‖u‖² + a²)/4 − 2λ), κ = 2 + λ(1 + R²); exact. Ours.

    Proof. Put ũ = (u, a) and w̃ = (w, b). Each update adds at least λ to ũ · w̃. The first gives ‖w̃‖² ≤ λ²(1 + R²),
    each later one adds at most 2λ + λ²(1 + R²), so ‖w̃‖² ≤ κλt − 2λ ≤ κ ũ · w̃ − 2λ: w̃ lies in the ball around κũ/2
    of squared radius κ²‖ũ‖²/4 − 2λ. Project it on the coordinates of w. ∎
    """
    half = (2 + rate * (1 + radius_squared)) / Fraction(2)
    centre, radius = half**2 * plane.length_squared, half**2 * plane.folded_squared - 2 * rate
    excess = square - centre - radius
    return excess <= 0 or excess**2 <= 4 * centre * radius


def theorem2_share(rate, radius, offset=None):
    """The share ρ/ρ_max that is certain: 2/[κ(1 + √(1 + a²/‖u‖²))]; `offset` is |a|/‖u‖, at most R. Ours."""
    offset = radius if offset is None else offset
    return 2 / ((2 + rate * (1 + radius**2)) * (1 + np.sqrt(1 + offset**2)))


def worst_first(t, first, rate, radius_squared, length_squared):
    """‖w − u‖² when order "worst" stops after t updates, `first` of them until ‖w‖ ≥ ‖u‖; b = 0. Ours.

    At most λ²R²(1 + t − first) + λ(R²‖u‖² − 1) H with H = 1 + 1/2 + … + 1/first; of order λ log(1/λ).

    Proof. Write γ = 1/‖u‖ and n_t = ‖w^t‖. The lowest score is at most γ n_t, so n_(t+1)² ≤ (n_t + λγ)² + λ²(R² − γ²)
    and, by (23), n_t ≥ λγt. Taking the root, n_t ≤ λγt + λ(R² − γ²)/(2γ) H_t. At the first time s with n_s ≥ ‖u‖ one
    has n_s ≤ ‖u‖ + λR and u · w^s ≥ λs, so ‖w^s − u‖² ≤ (n_s − ‖u‖)² + λ(R²‖u‖² − 1) H_s. An update with score at most
    1 adds at most λ²R² to ‖w − u‖², as u · z ≥ 1. At the end all scores exceed 1, so ‖w‖ > ‖u‖ and s exists. ∎
    """
    harmonic = sum(1.0 / k for k in range(1, first + 1))
    spread = float(radius_squared) * float(length_squared) - 1
    return float(rate) ** 2 * float(radius_squared) * (1 + t - first) + float(rate) * spread * harmonic


def epochs_printed(L, product):
    """1/(Lλμ) epochs: Theorem 1, as a bound on reaching the solution. False as that."""
    return 1 / (L * product)


def folding(L, product):
    """Epochs in which an unused coefficient falls to 1/e: 1/(−L log(1 − λμ)), between 1/(Lλμ) − 1/L and 1/(Lλμ)."""
    return 1 / (-L * log1p(-product))


def halving(L, product):
    """Epochs in which an unused coefficient falls to one half; the report has log 2/(Lλμ)."""
    return log(2) * folding(L, product)


def filling_printed(L, product):
    """log(Lλμ)/(Lλμ) epochs for a coefficient to rise from 0 to 1/L. Negative where it matters."""
    return log(L * product) / (L * product)


def filling(L, product):
    """Epochs for a coefficient updated once an epoch, at its end, to rise from 0 to 1/L; infinite if L = 1. Ours.

    After n epochs it is x (1 − qⁿ)/(1 − q) with x = λμ and q = (1 − x)^L; least n with that at least 1/L.
    """
    q = (1 - product) ** L
    reach = 1 - (1 - q) / (L * product)
    if L == 1 or not 0 < q < 1 or reach <= 0:
        return float("inf") if L == 1 else 1
    return ceil(log(reach) / log(q))


def regret(v_squared, t, rate, radius_squared, hinge):
    """Σ over updates (1 − z · w̃) ≤ ‖ṽ‖²/(2λ) + tλ(R² + 1)/2 + Σ over updates |1 − z · ṽ|₊ for every ṽ, from zero.

    Proof (Zinkevich's argument). ‖w̃ + λz − ṽ‖² = ‖w̃ − ṽ‖² − 2λ(z · ṽ − z · w̃) + λ²‖z‖², and
    z · ṽ ≥ 1 − |1 − z · ṽ|₊. Sum over the updates. ∎
    """
    rate = _fraction(rate)
    return v_squared / (2 * rate) + t * rate * (radius_squared + 1) / 2 + hinge


def hinge_losses(patterns, w):
    """|1 − z_j · w|₊ for every pattern, shape (p,)."""
    return np.maximum(1 - np.asarray(patterns) @ w, 0)


def primal_cost(patterns, w, decay, bias=True):
    """μ‖w‖²/2 + the mean hinge loss: (3) and (18); the last weight, the constant's, is not in the norm."""
    v = np.asarray(w)[:-1] if bias else np.asarray(w)
    return decay * (v @ v) / 2 + hinge_losses(patterns, w).mean()


def dual_value(patterns, alpha, decay, *, printed=False):
    """Σα − ‖Σ α_l y_l x_l‖²/(2μ), minus the corrected (9): at most the least cost (3) for every feasible α.

    Printed, (9) lacks the factor 1/μ.
    """
    v = alpha @ np.asarray(patterns)[:, :-1]
    return alpha.sum() - v @ v / (2 if printed else 2 * decay)


def dual_bound(run):
    """A lower bound on the least cost (18), from the averages of a run with decay over whole epochs. Ours.

    μ times `run.average_coefficients()` keeps 0 ≤ α_l ≤ 1/L; scaling the heavier class down makes Σ y_l α_l zero.
    What is left is feasible for the dual problem, so its value cannot exceed the least cost. The last column of the
    patterns must be y.
    """
    if run.presented % len(run.patterns):
        raise ValueError("the run ended within an epoch; expected whole epochs")
    alpha, y = run.decay * run.average_coefficients(), run.patterns[:, -1]
    plus, minus = alpha[y > 0].sum(), alpha[y < 0].sum()
    scale = np.where(y > 0, min(1, minus / plus) if plus else 0, min(1, plus / minus) if minus else 0)
    return dual_value(run.patterns, alpha * scale, run.decay)


def certificate(run):
    """λt/‖w‖² ≤ ρ/ρ_max when a run without bias and from zero has stopped: a share known without knowing ρ_max. Ours.

    Proof. λt ≤ u · w ≤ ‖u‖‖w‖ by (23), and ρ/ρ_max = ‖u‖/‖w‖. ∎ By (24) it is at least 1/(2 + λR²).
    """
    return float(run.rate) * run.updates / float(run.w @ run.w)


def weight_squared(w, bias=True):
    """‖w‖² of the weights, the constant's left out; exact for exact weights."""
    v = np.asarray(w)[..., :-1] if bias else np.asarray(w)
    return (v * v).sum(axis=-1)


def _fraction(value):
    return Fraction(value) if exact_number(value) else value
