"""Rojas' Proposition 8: the perceptron's corrections from any start."""

from math import sqrt

import numpy as np

from lib.numbers import positive


def prop8(radius, margin, along, length):
    """T ≤ K(w0), the explicit bound behind Proposition 8, for any start.

    From (4.9) and (4.10), (a + Tδ)² ≤ b² + TR² as long as a + Tδ ≥ 0, and T is at most the larger root.

    Parameters
    ----------
    radius, margin : float
        R, and δ = min z_j · w* for a unit vector w*.
    along, length : float
        a = w* · w0 and b = ‖w0‖.
    """
    positive(margin, "margin")
    middle = radius**2 - 2 * along * margin
    across = max(0, length**2 - along**2)  # ‖w0‖² less its part along w*, which rounding may make negative
    return max(0.0, (middle + sqrt(middle**2 + 4 * margin**2 * across)) / (2 * margin**2))


def cosine(t, radius, margin, along, length):
    """The right side of the last inequality in the proof, (a + (t+1)δ)/√(b² + (t+1)R²).

    Printed as a lower bound of cos ρ. It is one only where it is not negative: dividing a negative lower
    bound by an upper bound does not give a lower bound.
    """
    return (along + (t + 1) * margin) / np.sqrt(length**2 + (t + 1) * radius**2)
