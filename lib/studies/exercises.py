"""Rojas' four exercises (notebook 17): pictures and their edges, and how many random vectors a half-space holds."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from lib.margins.separability import separability
from lib.patterns import fold

windows = np.lib.stride_tricks.sliding_window_view
PATCHES = np.array(list(product([0, 1], repeat=9)))
"""All 512 patches of 3 × 3 pixels, the centre fifth."""


def picture(index):
    """A handwritten digit of scikit-learn's, five times as large, smoothed over 5 × 5 pixels, in black and white."""
    from sklearn.datasets import load_digits

    large = np.kron(load_digits().images[index].astype(int), np.ones((5, 5), dtype=int))
    return (windows(np.pad(large, 4), (5, 5)).sum(axis=(2, 3)) >= 175).astype(int)


def patches(image):
    """The 3 × 3 patch around each pixel, shape (pixels, 9); outside the picture it is dark."""
    return windows(np.pad(image, 1), (3, 3)).reshape(-1, 9)


def lit_edge(x):
    """Lit pixels with a dark neighbour."""
    return (x[:, 4] == 1) & (x.sum(axis=1) < 9)


def dark_edge(x):
    """Dark pixels with a lit neighbour."""
    return (x[:, 4] == 0) & (x.sum(axis=1) > 0)


def right_with_centre(centre):
    """For every patch and both kinds of edge, whether the mask of `centre` and −1 around it is right."""
    scores = PATCHES @ np.where(np.arange(9) == 4, 2 * centre, -2)  # times two, so that the threshold is whole
    return np.concatenate([(scores > 1) == lit_edge(PATCHES), (-scores > 1) == dark_edge(PATCHES)])


def balances_with_its_negative(patch):
    """Whether a patch, its negative, all dark and all lit, folded, have the sum zero."""
    four = np.array([patch, 1 - patch, 0 * patch, 0 * patch + 1])
    return not fold(four, [1, 1, 0, 0]).sum(axis=0).any()


def signs_in_a_half_space(n, p):
    """2 Σ_{k<n} C(p − 1, k): the choices of signs that put p vectors in general position into a half-space."""
    return 2 * sum(comb(p - 1, k) for k in range(n))


def count_signs(V):
    """The same by trying: for how many signs the vectors ±v_j lie in an open half-space."""
    signs = product([1, -1], repeat=len(V) - 1)
    return 2 * sum(separability(V * np.array([1, *s])[:, None]).separable for s in signs)


def law(n, *, most=None):
    """P(N ≥ p) for p = 1, 2, …, as Fractions: N vectors fit, and no more."""
    return [Fraction(signs_in_a_half_space(n, p), 2**p) for p in range(1, (most or 40 * n) + 1)]


def mean_and_variance(n):
    """E N and Var N of the law, in floats; the tail left out is below 10^−6."""
    tail = law(n)
    mean = sum(tail)
    return float(mean), float(sum((2 * p + 1) * q for p, q in enumerate(tail)) - mean**2)


def fit_into_a_half_space(n, rng):
    """How many of a sequence of random integer vectors lie in one open half-space, counted until one does not."""
    V, p = rng.integers(-1000, 1001, (12 * n + 30, n)), 1
    while separability(V[: p + 1]).separable:
        p += 1
    return p
