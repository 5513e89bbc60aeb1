"""The mean-difference start and when it needs no correction."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import fold, perceptron
from lib.perceptrons.perceptron import mean_difference


@st.composite
def two_classes(draw):
    d = draw(st.integers(1, 3))
    rows = st.lists(st.lists(st.integers(-4, 4), min_size=d, max_size=d), min_size=1, max_size=4)
    P, N = np.array(draw(rows)), np.array(draw(rows))
    P[:, 0] += draw(st.integers(0, 30))
    return np.vstack([P, N]), np.array([1] * len(P) + [-1] * len(N))


@settings(max_examples=200, deadline=None)
@given(two_classes())
def test_tight_classes_need_no_correction(data):
    X, y = data
    exact = np.array([[Fraction(int(v)) for v in row] for row in X], dtype=object)
    means = {s: exact[y == s].sum(axis=0) / int((y == s).sum()) for s in (1, -1)}
    apart = ((means[1] - means[-1]) ** 2).sum()
    near = all(4 * ((x - means[s]) ** 2).sum() < apart for x, s in zip(exact, y.tolist(), strict=True))
    w0 = mean_difference(X, y)
    if near:
        assert perceptron(fold(X, y), w0=w0).updates == 0
    printed = mean_difference(X, y, threshold=False)
    assert printed[-1] == 0
    assert (printed[:-1] == w0[:-1]).all()


def test_the_printed_start_has_no_threshold():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    assert mean_difference(X, y, threshold=False).tolist() == [Fraction(2, 3), Fraction(2, 3), 0]
    assert mean_difference(X, y).tolist() == [Fraction(2, 3), Fraction(2, 3), Fraction(-8, 9)]


def test_floats_and_one_class():
    assert mean_difference([[0.0], [4.0]], [-1, 1]).tolist() == [4.0, -8.0]
    with pytest.raises(ValueError, match="one kind of label"):
        mean_difference([[1], [2]], [1, 1])
