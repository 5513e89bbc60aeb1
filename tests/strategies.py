"""Hypothesis strategies for pattern sets."""

import numpy as np
from hypothesis import strategies as st

from lib import perceptron


@st.composite
def integer_patterns(draw, most=7, dimensions=(1, 4), size=4):
    """A matrix of small integers without zero rows; separable or not."""
    n = draw(st.integers(*dimensions))
    row = st.lists(st.integers(-size, size), min_size=n, max_size=n).filter(any)
    return np.array(draw(st.lists(row, min_size=1, max_size=most)))


@st.composite
def separable_patterns(draw, **options):
    """Integer patterns turned to the side of an integer vector, which is returned with them."""
    Z = draw(integer_patterns(**options))
    v = np.array(draw(st.lists(st.integers(-5, 5), min_size=Z.shape[1], max_size=Z.shape[1]).filter(any)))
    Z = Z[Z @ v != 0]
    Z = Z * np.sign(Z @ v)[:, None] if len(Z) else v[None]
    return Z, v


@st.composite
def separable_runs(draw, start=False, **options):
    """A run to the end in any order, with a vector that separates its patterns."""
    Z, v = draw(separable_patterns(**options))
    n = Z.shape[1]
    w0 = draw(st.lists(st.integers(-20, 20), min_size=n, max_size=n)) if start else None
    order = draw(st.sampled_from(["cyclic", "restart", "random", "worst"]))
    rng = draw(st.integers(0, 99)) if order == "random" else None
    return perceptron(Z, order=order, w0=w0, rng=rng), v
