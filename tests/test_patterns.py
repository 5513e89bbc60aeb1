from fractions import Fraction
from math import comb

import numpy as np
import pytest

from lib import fold, lift, monomials, perceptron
from lib.numbers import integers
from lib.patterns import as_patterns

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([1, 2], [1, -1], "1 dimension"),
        (np.zeros((0, 2)), [], "empty"),
        ([[1.0], [np.nan]], [1, -1], "NaN, infinity"),
        ([[1.0], [np.inf]], [1, -1], "NaN, infinity"),
        ([[1], [2]], [1, 2, 3], r"expected \(2,\)"),
        ([[1], [2], [3]], [1, 2, 3], "3 kind"),
        ([[1], [2]], ["a", "a"], "1 kind"),
        ([["a"]], [1], "dtype"),
        ([[1], [2]], [1.0, np.nan], "y holds NaN"),
        ([[3, 1], [5, 5], [3, 1]], [1, 1, -1], "rows 0 and 2 of X are one point in both classes"),
        ([[HALF], [0.5]], [1, -1], "one number system"),
    ],
)
def test_bad_data_are_named(X, y, message):
    with pytest.raises(ValueError, match=message):
        fold(X, y)


def test_folding_multiplies_the_extended_point_by_its_label():
    X, y = np.array([[1, 2], [3, 4]]), np.array([1, -1])
    assert fold(X, y).tolist() == [[1, 2, 1], [-3, -4, -1]]
    assert fold(X, y, bias=False).tolist() == [[1, 2], [-3, -4]]
    assert fold(X, ["no", "yes"]).tolist() == [[-1, -2, -1], [3, 4, 1]]


def test_number_systems_are_kept():
    assert fold([[1], [2]], [1, -1]).dtype == np.int64
    assert fold([[1.5], [2]], [1, -1]).dtype == np.float64
    assert fold(np.array([[HALF], [HALF + 1]]), [1, -1]).tolist() == [[HALF, 1], [-HALF - 1, -1]]
    assert as_patterns([[2**70, 1]]).tolist() == [[2**70, 1]]
    assert as_patterns(np.array([[2**63]], dtype=np.uint64)).tolist() == [[2**63]]


def test_a_zero_pattern_is_refused_and_a_tiny_one_is_not():
    with pytest.raises(ValueError, match="pattern 1 is zero"):
        as_patterns([[1, 0], [0, 0]])
    assert as_patterns([[1e-300, 0.0]]).shape == (1, 2)
    assert as_patterns([[2**32, 2**32]]).shape == (1, 2)  # the sum of squares wraps to zero


def test_contradictions_can_be_kept():
    assert fold([[3], [3]], [1, -1], keep_contradictions=True).tolist() == [[3, 1], [-3, -1]]


def test_common_denominator():
    (a, b), scale = integers(np.array([HALF, Fraction(1, 3)]), np.array([1, 2]))
    assert scale == 6
    assert a.tolist() == [3, 2]
    assert b.tolist() == [6, 12]


def test_lift_and_monomials():
    assert lift([1, 2], shift=1).tolist() == [[1, 0], [2, 3]]
    X = np.random.default_rng(0).integers(-3, 4, (5, 3))
    for degree in (1, 2, 3, 4):
        assert monomials(X, degree).shape == (5, comb(3 + degree, degree) - 1)
    with pytest.raises(ValueError, match="degree is 0"):
        monomials(X, 0)
    with pytest.raises(ValueError, match="one number a point"):
        lift([[1]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "sideways"}, "expected one of cyclic"),
        ({"max_updates": -1}, "0 or more"),
        ({"max_updates": 2.5}, "whole number"),
        ({"w0": [1]}, r"expected \(2,\)"),
        ({"w0": [np.nan, 0]}, "w0 holds NaN"),
    ],
)
def test_bad_options_of_the_perceptron_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        perceptron([[1, 1]], **options)
