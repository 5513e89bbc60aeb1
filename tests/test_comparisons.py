"""Comparisons: what they say entry by entry, how close the sides came, and controls made of them."""

from fractions import Fraction

import numpy as np
import pytest

from lib.numbers.comparisons import at_most, below, equal, joined

HUGE = 3**60


@pytest.mark.parametrize(
    ("compared", "held", "exact", "closeness"),
    [
        (at_most([1, 2], [2, 2]), [True, True], True, {"tightest ratio": 1.0}),
        (at_most([1, 3], 2), [True, False], True, {"tightest ratio": 1.5}),
        (below([1, 2], [2, 2]), [True, False], True, {"tightest ratio": 1.0}),
        (at_most([Fraction(1, 3)], [Fraction(1, 2)]), [True], True, {"tightest ratio": 2 / 3}),
        (at_most(np.array([0.5, 1.0]), [Fraction(1), Fraction(2)]), [True, True], False, {"tightest ratio": 0.5}),
        (at_most([-2], [-1]), [True], True, {}),
        (at_most([], []), [], True, {}),
        (at_most([HUGE], [HUGE + 1]), [True], True, {"tightest ratio": 1.0}),
        (below([HUGE], [HUGE]), [False], True, {"tightest ratio": 1.0}),
        (equal([HUGE, 1], [HUGE, 2]), [True, False], True, {}),
        (equal([1.0, 0.0], [1.0 + 2**-40, 0.0], rtol=1e-9), [True, True], False, {"relative gap at most": 1e-12}),
        (equal([1.0], [1.003], rtol=0.01), [True], False, {"relative gap at most": 0.01}),
        (at_most([1.0 + 2**-40], [1.0], rtol=1e-9), [True], False, {"tightest ratio": 1.0 + 2**-40}),
        (at_most([1.1], [1.0], rtol=1e-9), [False], False, {"tightest ratio": 1.1}),
    ],
)
def test_entries_exactness_and_closeness(compared, held, exact, closeness):
    assert np.asarray(compared).tolist() == compared.held.tolist() == held
    assert len(compared) == len(held)
    assert compared.exact is exact
    assert compared.closeness() == pytest.approx(closeness)


def test_not_a_number_never_holds():
    assert not at_most([np.nan], [1.0], rtol=1e-6).held.any()
    assert not equal([np.nan], [np.nan]).held.any()


def test_a_control_scales_the_larger_side_and_stays_exact():
    line = at_most([9 * HUGE, 10 * HUGE], [10 * HUGE, 11 * HUGE])
    broken = line.scaled("9/10")
    assert broken.exact
    assert broken.held.tolist() == [True, False]
    assert at_most([0.95], [1.0]).scaled("9/10").held.tolist() == [False]


def test_joined_comparisons_keep_their_order_and_kind():
    line = joined([at_most([[1, 2]], [[2, 1]]), at_most([3], [4])])
    assert line.held.tolist() == [True, False, True]
    assert line[line.held].held.all()
    with pytest.raises(ValueError, match="differ in relation"):
        joined([at_most([1], [2]), below([1], [2])])
