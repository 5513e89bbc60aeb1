"""The exact counts of the worst cases."""

from math import cos, sin, tan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import families, perceptron


@pytest.mark.parametrize("phi", [0.2, 0.1, 0.05, 0.02, 0.01])
def test_the_angle_of_the_chapter(phi):
    run = perceptron(families.opposed(phi), w0=[cos(phi) / 2, 0.0])
    assert run.updates == int(1 / (2 * tan(phi) ** 2)) + 1
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
