"""A fixed threshold: who arrives, and who goes round for ever."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.studies.surface import AND, descend, errors

X, y = AND


def lattice(w, rate, theta):
    """The largest c_i < theta that differs from w_i by a multiple of the rate, and those multiples, in integers."""
    c = theta - 1 - (theta - 1 - w) % rate
    return c, (w - c) // rate


@settings(max_examples=80, deadline=None)
@given(
    st.integers(-60, 60),
    st.integers(-60, 60),
    st.integers(1, 40),
    st.integers(1, 25),
    st.sampled_from([None, 3]),
)
def test_and_is_learnt_from_exactly_these_starts(a, b, rate, theta, rng):
    start = np.array([[a, b]])
    c, steps = lattice(start[0], rate, theta)
    assert (c < theta).all()
    assert (c + rate >= theta).all()
    most = 2 * int((steps**2).sum())
    ((path, done),) = descend(X, y, theta, start, rate=rate, max_updates=max(most, 200), rng=rng)
    assert done == (c.sum() >= theta)
    if done:
        assert len(path) - 1 <= most
        assert errors(path[-1], X, y, theta) == 0


@pytest.mark.parametrize(("rate", "all_starts"), [(1, True), (6, True), (7, False), (12, False)])
def test_every_start_arrives_if_and_only_if_the_rate_is_at_most_half_the_threshold(rate, all_starts):
    starts = np.array(list(product(range(-12, 24), repeat=2)))
    assert all(done for _, done in descend(X, y, 12, starts, rate=rate)) == all_starts


def test_the_cycle_from_zero():
    ((path, _),) = descend(X, y, 1, [[0, 0]], max_updates=6)
    assert path.tolist() == [[0, 0], [1, 1], [1, 0], [0, 0], [1, 1], [1, 0], [0, 0]]
    assert not next(descend(X, y, 1, [[0, 0]], max_updates=500, rng=0))[1]


def test_the_share_of_starts_that_arrive():
    """1 − (2η − 1)²/(2η²) for η between 1/2 and 1, in the limit of a fine grid."""
    q = 120
    for rate in (Fraction(2, 3), Fraction(3, 4), Fraction(1)):
        period = int(rate * q)
        starts = np.array(list(product(range(period), repeat=2)))
        share = np.mean([done for _, done in descend(X, y, q, starts, rate=period)])
        assert abs(share - float(1 - (2 * rate - 1) ** 2 / (2 * rate**2))) < 0.02


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="y has shape"):
        next(descend(X, y[:3], 1, [[0, 0]]))
    with pytest.raises(ValueError, match="too large"):
        next(descend(X, y, 1, [[2**60, 0]]))
