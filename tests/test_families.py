"""The exact counts of the worst cases."""

from fractions import Fraction
from math import cos, sin, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import families, perceptron

orders = st.sampled_from(["cyclic", "worst"])


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 30), st.integers(1, 30), st.fractions(0, 1, max_denominator=20), orders)
def test_the_zigzag_is_counted_beforehand(a, b, share, order):
    h = a * share
    if not 0 < h < a:
        return
    run = perceptron([[a, b], [-a, b]], w0=np.array([h, Fraction(0)], dtype=object), order=order)
    assert run.updates == families.zigzag(a, b, h)
    assert run.updates <= families.zigzag(a, b, Fraction(a, 2)) + 1


@pytest.mark.parametrize("phi", [0.2, 0.1, 0.05, 0.02, 0.01])
def test_the_angle_of_the_chapter(phi):
    run = perceptron(families.opposed(phi), w0=[cos(phi) / 2, 0.0])
    assert run.updates == int(1 / (2 * tan(phi) ** 2)) + 1 == families.zigzag(cos(phi), sin(phi), cos(phi) / 2)
    assert abs(2 * run.updates * sin(phi) ** 2 - 1) <= 2 * sin(phi) ** 2


@given(st.integers(1, 50), st.integers(1, 50))
def test_from_zero_two_opposed_vectors_take_two_corrections(a, b):
    if a >= b:
        for order in ("cyclic", "restart", "random", "worst"):
            assert perceptron([[a, b], [-a, b]], order=order).updates == 2


def test_a_far_start_is_pulled_in_by_one_vector_first():
    assert perceptron([[4, 1], [-4, 1]], w0=[9, 0]).picks.tolist() == [1, 1, 1, 0, 1, 0]


def test_a_correction_may_raise_the_error():
    three = np.array([[-2, 1], [2, 1], [1, 0]])
    run = perceptron(three, w0=[1, 0])
    assert [(three @ w <= 0).sum() for w in run.trajectory()] == [1, 2, 1, 1, 1, 0]


@pytest.mark.parametrize("arguments", [(2, 1, 0), (2, 1, 2), (2, 0, 1)])
def test_a_start_outside_is_refused(arguments):
    with pytest.raises(ValueError, match="expected 0 < start < a and b > 0"):
        families.zigzag(*arguments)
