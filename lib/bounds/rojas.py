"""Rojas' Proposition 8: the perceptron's corrections from any start."""

from math import sqrt

import numpy as np

from lib.numbers import positive


def prop8(radius, margin, along, length):
    """T ≤ K(w0), the explicit bound behind Proposition 8, for any start: the larger root of (a + Tδ)² = b² + TR².

    R is the radius, δ = min z_j · w* the margin of a unit vector w*, a = w* · w0 and b = ‖w0‖, in floats.
    """
    positive(margin, "margin")
    middle = radius**2 - 2 * along * margin
    across = max(0, length**2 - along**2)  # ‖w0‖² less its part along w*, which rounding may make negative
    return max(0.0, (middle + sqrt(middle**2 + 4 * margin**2 * across)) / (2 * margin**2))


def cosine(t, radius, margin, along, length):
    """(a + (t+1)δ)/√(b² + (t+1)R²), in the proof a lower bound of cos ρ; it is one only where it is not negative."""
    return (along + (t + 1) * margin) / np.sqrt(length**2 + (t + 1) * radius**2)
