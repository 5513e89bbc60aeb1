from fractions import Fraction
from math import comb

import numpy as np
import pytest

from lib import differences, fold, lift, monomials, perceptron
from lib.numbers import as_vector, integers, quotient, rate_and_decay, whole_number
from lib.patterns import as_patterns, unit_rows

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
        ([[1, 2], [3]], [1, -1], "X is ragged; expected rows of one length"),
        ([[1], [2]], [[1], [2, 3]], "y is ragged"),
        ([[1], [2]], [1, None], "cannot be ordered"),
        (np.zeros((2, 0)), [1, -1], "empty"),
        (np.ma.array([[1], [2]], mask=[[0], [1]]), [1, -1], "X is masked in 1 places"),
        ([[1], [2]], np.ma.array([1, -1], mask=[0, 1]), "y is masked in 1 places"),
        (np.array([["2026-01-01"], ["2026-01-02"]], dtype="M8[ns]"), [1, -1], "dtype datetime64"),
        (np.array([[1], [2]], dtype="m8[ns]"), [1, -1], "dtype timedelta64"),
        (np.array([[np.timedelta64(1)], [2]], dtype=object), [1, -1], "one number system"),
        (np.array([[np.longdouble("1e4000")], [1]]), [1, -1], "beyond floats"),
        ([[True, 1], [np.array([1]), 2]], [1, -1], "ragged"),
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
    assert as_patterns([[2**32, 0]]).shape == (1, 2)  # the square wraps to zero


@pytest.mark.parametrize(
    "laid",
    [np.array, np.asfortranarray, lambda Z: np.repeat(Z, 2, axis=1)[:, ::2], np.float32, lambda Z: Z.astype(">f8")],
)
def test_floats_are_taken_as_they_lie_if_they_are_finite(laid):
    Z = np.array([[1.0, 2.0], [3.0, 4.0], [1e30, -5.0]])
    assert (as_patterns(laid(Z)) == laid(Z)).all()
    assert as_patterns(Z) is Z
    assert as_patterns(1e170 * Z).dtype == np.float64  # the squares overflow
    for bad in (np.nan, np.inf):
        Z[2, 1] = bad
        with pytest.raises(ValueError, match="patterns holds NaN, infinity"):
            as_patterns(laid(Z), allow_zero=True)


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


WIDE = [
    np.array([[-(2**63)], [2**63 - 1]]),
    np.array([[2**64 - 1], [0]], dtype=np.uint64),
    np.array([[-128], [127]], dtype=np.int8),
    np.array([[np.int64(2**62)], [Fraction(np.int64(2**62), np.int64(3))]], dtype=object),
    [[2**63], [-1]],  # numpy makes floats of this list
    [[1_800_000_000_123_456_789], [1_800_000_000_123_456_790]],  # nanoseconds since 1970
]


@pytest.mark.parametrize("X", WIDE, ids=lambda X: str(np.asarray(X, dtype=object)[0, 0]))
def test_integers_are_widened_never_wrapped(X):
    """Each map against Python's own arithmetic, entry by entry."""
    high, low = (Fraction(int(v.numerator), int(v.denominator)) for v in np.array(X, dtype=object)[:, 0])
    assert fold(X, [-1, 1]).tolist() == [[-high, -1], [low, 1]]
    assert differences(X, [1, -1]).tolist() == [[high - low]]
    assert monomials(X, 3).tolist() == [[v, v**2, v**3] for v in (high, low)]
    x = np.array(X)[:, 0] if isinstance(X, np.ndarray) else [row[0] for row in X]
    for shift in (0, 2**62, -(2**70), HALF, np.int64(2**62), Fraction(np.int64(2**62), np.int64(3))):
        assert lift(x, shift).tolist() == [
            [v, v * v - int(shift.numerator) * Fraction(1, int(shift.denominator))] for v in (high, low)
        ]


def test_a_shift_of_another_kind():
    assert lift([2], Fraction(1, 3)).tolist() == [[2, Fraction(11, 3)]]
    assert lift([0.5], Fraction(1, 4)).tolist() == [[0.5, 0.0]]
    assert lift([2], 0.5).tolist() == [[2.0, 3.5]]
    for shift in (True, "1", None, np.timedelta64(1), [1]):
        with pytest.raises(ValueError, match="expected a number"):
            lift([1], shift)
    for x, shift in (([1], np.nan), ([1], np.inf), ([1e200], 0), ([0.5], 10**400), ([np.longdouble("1e4000")], 0)):
        with pytest.raises(ValueError, match="beyond floats"):
            lift(x, shift)
    with pytest.raises(ValueError, match="masked"):
        lift(np.ma.array([1, 2], mask=[0, 1]))


def test_results_beyond_floats_are_refused():
    with pytest.raises(ValueError, match="matrix of differences holds"):
        differences([[1e308], [-1e308]], [1, -1])
    with pytest.raises(ValueError, match="matrix of monomials holds"):
        monomials([[1e200]], 2)


@pytest.mark.parametrize("scale", [1, 2.0**-1000, 2.0**1000, 10**400, Fraction(1, 10**400), -(2**61)])
def test_unit_rows_on_every_scale(scale):
    rows = unit_rows(np.array([[3, 4], [0, -2]], dtype=object if isinstance(scale, int | Fraction) else float) * scale)
    assert (abs(rows) == [[0.6, 0.8], [0, 1]]).all()
    with pytest.raises(ValueError, match="pattern 0 is zero"):
        unit_rows([[0, 0]])


def test_numbers_stay_what_they_are():
    assert type(quotient(np.int64(2**62), np.int64(3)).numerator) is int
    assert quotient(np.int64(2**62), np.int64(3)) * 4 == Fraction(2**64, 3)
    assert as_vector([np.uint64(2**60 + 1), np.int64(-1)], 2, "v").tolist() == [2**60 + 1, -1]
    for value in (True, 1.0, np.timedelta64(3), HALF):
        with pytest.raises(ValueError, match="whole number"):
            whole_number(value, "n")
    for decay in (np.nan, -1, True, None, 11):
        with pytest.raises(ValueError, match="decay is"):
            rate_and_decay(Fraction(1, 10), decay)


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
