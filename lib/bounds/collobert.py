"""What Collobert and Bengio promise about the margin perceptron, as printed, corrected and sharpened.

Notation: L examples, rate λ, decay μ; patterns z_j = y_j (x_j, 1); R² = max ‖x_j‖² over the raw points; (u, a) is the
plane of maximal margin, the shortest u with y_j (u · x_j + a) ≥ 1, so that ρ_max = 2/‖u‖; ρ = 2/‖w‖. A lower bound on
ρ/ρ_max is an upper bound on ‖w‖/‖u‖; bounds on lengths are given squared, and sums of roots are compared by squaring.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, log, log1p

import numpy as np

from lib.margins.max_margin import max_margin
from lib.numbers import as_matrix, as_vector, in_one_system, largest, quotient, roomy
from lib.patterns import as_patterns, differences


@dataclass(frozen=True)
class Plane:
    """The plane of maximal margin with a free constant, in Fractions: u of shape (d,), and a."""

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


def free_margin(patterns):
    """The `Plane` of maximal margin through folded patterns y (x, 1), exact.

    With d the point of the hull of all differences x₊ − x₋ that is closest to the origin, u = 2 d/‖d‖² and ρ_max = ‖d‖.
    There are p₊ · p₋ differences, so this is for small sets.
    """
    Z = as_patterns(patterns)
    label = Z[:, -1]
    if not (abs(label) == 1).all() or len(set(label.tolist())) != 2:
        raise ValueError("the last column is not the constant of two classes; expected rows y (x, 1) of both labels")
    X = roomy(Z, largest(Z))[:, :-1] * label[:, None]
    closest = max_margin(differences(X, label)).exact()
    if not closest.squared:
        raise ValueError("the classes are not separable; expected a plane between them")
    u = 2 * np.array(closest.w, dtype=object) / closest.squared
    return Plane(u, Fraction(1 - min(X[label == 1].astype(object) @ u)))


def weight_squared(w):
    """‖w‖² of weights in the last axis, the constant's left out; exact for exact weights."""
    w = np.asarray(w)
    v = roomy(w, w.shape[-1] * largest(w) ** 2)[..., :-1]
    return (v * v).sum(axis=-1)


def slack(patterns, w):
    """ξ_l = |1 − z_l · w|₊, the hinge loss of every pattern, shape (p,): the least slack that (5) allows."""
    Z = as_matrix(patterns, "patterns")
    Z, w = in_one_system(Z, as_vector(w, Z.shape[1], "w"))
    return np.maximum(1 - Z @ w, 0)


def eq18(patterns, w, decay):
    """μ‖w‖²/2 + the mean hinge loss, (3) and (18); the last weight, the constant's, is not in the norm."""
    return decay * quotient(weight_squared(w), 2) + eq21(patterns, w)


def eq21(patterns, w):
    """The mean hinge loss, (21)."""
    losses = slack(patterns, w)
    return quotient(losses.sum(), len(losses))


def eq9(patterns, alpha):
    """Σα − ‖Σ α_l y_l x_l‖²/2, minus the dual cost (9) as printed. It lacks the factor 1/μ."""
    return eq9_corrected(patterns, alpha, 1)


def eq9_corrected(patterns, alpha, decay):
    """Σα − ‖Σ α_l y_l x_l‖²/(2μ): at most the least cost (3) for every feasible α."""
    v = alpha @ np.asarray(patterns)[:, :-1]
    return alpha.sum() - v @ v / (2 * decay)


def half_life(L, product):
    """Epochs in which an unused coefficient falls to one half; the report has log 2/(Lλμ), λμ being `product`."""
    return log(2) * theorem1_corrected(L, product)


def bound_time(L, product):
    """log(Lλμ)/(Lλμ) epochs for a coefficient to rise from 0 to 1/L. Negative where it matters."""
    return log(L * product) / (L * product)


def bound_time_corrected(L, product):
    """Epochs for a coefficient updated once an epoch, at its end, to rise from 0 to 1/L; infinite if L = 1.

    After n epochs it is x (1 − qⁿ)/(1 − q) with x = λμ and q = (1 − x)^L; least n with that at least 1/L.
    """
    q = (1 - product) ** L
    reach = 1 - (1 - q) / (L * product)
    if L == 1:
        return inf
    return ceil(log(reach) / log(q)) if 0 < q < 1 and reach > 0 else 1


def theorem1(L, product):
    """1/(Lλμ) epochs: Theorem 1, as a bound on reaching the solution. False as that."""
    return 1 / (L * product)


def theorem1_corrected(L, product):
    """Epochs in which an unused coefficient falls to 1/e: 1/(−L log(1 − λμ)), between 1/(Lλμ) − 1/L and 1/(Lλμ)."""
    return 1 / (-L * log1p(-product))


def eq24(t, rate, radius_squared):
    """‖w^t‖² ≤ t λ² (2/λ + R²): (24). With bias R² + 1 bounds ‖w‖² + b²."""
    return t * rate * (2 + rate * radius_squared)


def eq26(rate, radius_squared, length_squared):
    """t ≤ ‖u‖² (2/λ + R²): (26). With bias put R² + 1 and ‖u‖² + a²."""
    return length_squared * (quotient(2, rate) + radius_squared)


def eq27(rate, radius_squared, length_squared):
    """‖w‖² ≤ ‖u‖² (2 + λR²)²: (27), for b = 0."""
    return length_squared * (2 + rate * radius_squared) ** 2


def theorem2(rate, radius_squared, length_squared):
    """‖w‖² ≤ ‖u‖² (1 + R²)(2 + λR²)²: Theorem 2 as printed. False."""
    return length_squared * (1 + radius_squared) * (2 + rate * radius_squared) ** 2


def theorem2_corrected(rate, radius_squared, length_squared):
    """‖w‖² ≤ ‖u‖² (1 + R²)(2 + λ(1 + R²))²: what the report's own steps prove."""
    return length_squared * (1 + radius_squared) * (2 + rate * (1 + radius_squared)) ** 2


def theorem2_sharper(square, rate, radius_squared, plane):
    """Whether ‖w‖ ≤ κ‖u‖/2 + √(κ²(‖u‖² + a²)/4 − 2λ), κ = 2 + λ(1 + R²); exact. Ours (notebook 42)."""
    half = quotient(2 + rate * (1 + radius_squared), 2)
    centre, radius = half**2 * plane.length_squared, half**2 * plane.folded_squared - 2 * rate
    excess = square - centre - radius
    return excess <= 0 or excess**2 <= 4 * centre * radius


def theorem2_share(rate, radius, offset):
    """The share ρ/ρ_max that this makes certain: 2/[κ(1 + √(1 + a²/‖u‖²))]; `offset` is |a|/‖u‖, at most R. Ours."""
    return 2 / ((2 + rate * (1 + radius**2)) * (1 + np.sqrt(1 + offset**2)))


def nonseparable_corrected(v_squared, t, rate, radius_squared, hinge):
    """Σ over updates (1 − z · w̃) ≤ ‖ṽ‖²/(2λ) + tλ(R² + 1)/2 + Σ over updates |1 − z · ṽ|₊ for every ṽ, from zero."""
    return quotient(v_squared, 2 * rate) + quotient(t * rate * (radius_squared + 1), 2) + hinge


def theorem3(square, t, rate, radius_squared):
    """Whether ‖w^t‖² ≤ t λ² (2/λ + (R + 1)²), Theorem 3; exact although R is a root."""
    excess = square - eq24(t, rate, radius_squared + 1)
    return excess <= 0 or excess**2 <= 4 * radius_squared * (t * rate**2) ** 2


def theorem3_sharper(t, rate, radius_squared):
    """‖w^t‖² + b² ≤ 2λ(t − 1) + t λ² (R² + 1) for t ≥ 1: the first update starts from zero. Ours (notebook 43)."""
    return eq24(t, rate, radius_squared + 1) - 2 * rate
