"""Liang's note: the growing alignment, and the bound on the corrections; ρ = min y_j W* · X_j."""

import numpy as np

from lib.numbers import own, quotient


def eq23(T, radius, smallest, length):
    """cos θ ≥ √T · ρ/(‖W*‖ R) after T corrections from zero: Corollary 1. ‖W*‖ need not be one."""
    return np.sqrt(T) * smallest / (length * radius)


def eq24(radius_squared, smallest, along, square):
    """T ≤ R² (W* · W_T)²/(‖W_T‖² ρ²), with W^T read as W_T. It needs the run's end."""
    return quotient(own(radius_squared) * own(along) ** 2, own(square) * own(smallest) ** 2)


def eq24_corrected(radius_squared, smallest, length_squared):
    """T ≤ R² ‖W*‖²/ρ²: what Cauchy and Schwarz make of (24), known before the run."""
    return quotient(own(radius_squared) * own(length_squared), own(smallest) ** 2)
