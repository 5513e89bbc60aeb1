"""The VC inequality and capacity: exact where it can be, against enumeration and scipy's distributions."""

from fractions import Fraction
from itertools import product
from math import comb, e, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from lib import bounds, differences, max_margin

ETAS = (0.01, 0.05, 0.5)


@pytest.mark.parametrize("e", [Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)])
def test_a_wrong_model_is_arbitrarily_bad(e):
    A, B = {0: 1 - e, 1 / e: e}, {1: 1 - e, -1 / e: e}
    a, b = (sum(x * m for x, m in mass.items()) for mass in (A, B))
    assert (a, b) == (1, -e)
    wrong = sum(m for x, m in A.items() if abs(x - a) > abs(x - b)) + sum(
        m for x, m in B.items() if abs(x - b) > abs(x - a)
    )
    assert wrong / 2 == 1 - e


@pytest.mark.parametrize(
    ("h", "sizes"),
    [
        (1, (9, 39, 1327, 5904)),
        (2, (12, 59, 2176, 9915)),
        (10, (34, 207, 8926, 41886)),
        (1001, (2689, 18469, 844354, 4000252)),
    ],
)
def test_where_the_term_becomes_informative(h, sizes):
    for N, below in zip(sizes, (1, 0.5, 0.1, 0.05), strict=True):
        assert bounds.ctu.eq1(N, h, 0.05) < below <= bounds.ctu.eq1(N - 1, h, 0.05)


def test_the_bracket_turns_at_twice_the_sample():
    h = np.arange(1, 40)
    term = bounds.ctu.eq1(10, h, 0.05)
    assert h[np.argmax(term)] == 20
    assert np.isnan(bounds.ctu.eq1(10, 100, 0.05))
    assert np.isnan(bounds.ctu.eq1(1, 10, 0.5))


def test_beyond_twice_the_sample_the_inequality_is_false():
    """57 points, all labellings, certain labels, ten examples: at least 47 points were not seen."""
    assert bounds.ctu.eq1(10, 57, 0.05) < 0.42 < Fraction(47, 57)


def test_a_loss_of_ten_breaks_the_inequality_for_one_strategy():
    least = int(np.ceil(50 - 10 * bounds.ctu.eq1(100, 1, 0.05)))
    assert least == 47
    covered = Fraction(sum(comb(100, i) for i in range(least, 101)), 2**100)
    assert Fraction(3, 4) < covered < Fraction(77, 100) < 1 - Fraction(1, 20)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 60), st.integers(1, 3000), st.floats(1e-9, 0.999))
def test_below_the_safe_number_the_term_is_at_least_the_companion(h, N, eta):
    N = max(N, (h + 1) // 2)
    assert bounds.ours.sauer(2 * N, h) <= (2 * e * N / h) ** h if h * log(2 * e * N / h) < 700 else True
    term = bounds.ctu.eq1(N, h, eta)
    if term <= bounds.ours.VC_SAFE:
        assert bounds.ours.vc(N, h, eta) <= term


@pytest.mark.parametrize("eta", ETAS)
def test_the_exact_tail_closes_every_gap_above_the_safe_number(eta):
    open_cases = 0
    for h in range(1, 8):
        for N in range(max(1, h // 2), 120):
            term = float(bounds.ctu.eq1(N, h, eta))
            if term < 1 and bounds.ours.vc(N, h, eta) > term:
                open_cases += 1
                assert bounds.ours.vc_failure(N, h, term) <= eta
    assert open_cases > 20


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 25), st.integers(1, 6), st.floats(0.1, 0.99))
def test_the_exact_tail_against_scipy_and_serfling(N, h, t):
    tails = [hypergeom.sf(np.floor((k + N * t - 1) / 2), 2 * N, k, N) for k in range(1, 2 * N + 1)]
    ours = bounds.ours.vc_failure(N, h, t)
    assert ours == pytest.approx(min(1.0, 2 * bounds.ours.sauer(2 * N, h) * max(tails)), rel=1e-6)
    if t > 1 / N:
        assert ours <= 2 * bounds.ours.sauer(2 * N, h) * exp(-((N * t - 1) ** 2) / (N + 1)) * (1 + 1e-9)


@pytest.mark.parametrize("r", range(2, 8))
def test_the_simplex_attains_its_law(r):
    X = np.eye(r, dtype=object) - Fraction(1, r)
    assert all(row @ row == 1 - Fraction(1, r) for row in X)
    margins = []
    for a in range(1, r):
        y = np.where(np.arange(r) < a, 1, -1)
        margins.append(max_margin(differences(X, y)).exact().squared / 4)
    ratio = (1 - Fraction(1, r)) / min(margins)
    assert ratio == bounds.ours.simplex_ratio(r)
    assert bounds.ours.capacity(ratio, 1) == r <= bounds.ctu.hmargin_corrected(ratio, 1)
    assert bounds.ours.capacity(ratio - Fraction(1, 10**12), 1) == r - 1
    assert bounds.ours.capacity(ratio, 1, r - 2) == r - 1


def test_the_capacity_is_the_largest_that_the_law_allows():
    for ratio in (Fraction(k, 60) for k in range(1, 600)):
        assert bounds.ours.capacity(ratio, 1) == max(r for r in range(1, 13) if bounds.ours.simplex_ratio(r) <= ratio)


def test_a_triangle_refutes_the_printed_capacity():
    assert bounds.ours.simplex_ratio(3) == Fraction(16, 9)
    assert bounds.ctu.hmargin(16, 9) == Fraction(25, 9) < 3 == bounds.ours.capacity(16, 9)
    assert [r > bounds.ctu.hmargin(bounds.ours.simplex_ratio(r), 1) for r in range(2, 8)] == [False, True] * 3


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3), st.data())
def test_no_shattered_set_beats_the_law(n, data):
    r = data.draw(st.integers(2, n + 1))
    row = st.lists(st.integers(-6, 6), min_size=n, max_size=n)
    X = np.array(data.draw(st.lists(row, min_size=r, max_size=r, unique_by=tuple)))
    splits = [(1, *rest) for rest in product((-1, 1), repeat=r - 1) if sum(rest) < r - 1]
    margin = min(max_margin(differences(X, y)).exact().squared / 4 for y in splits)
    spread = Fraction(int(((r * X - X.sum(axis=0)) ** 2).sum()), r**3)
    assert spread >= bounds.ours.simplex_ratio(r) * margin
    if margin:
        assert r <= bounds.ours.capacity(spread, margin, n) <= bounds.ctu.hmargin_corrected(spread, margin, n)


@settings(max_examples=100, deadline=None)
@given(st.fractions(Fraction(1, 9), 40), st.integers(1, 12))
def test_the_law_implies_the_ceiling(ratio, n):
    assert bounds.ours.capacity(ratio, 1, n) <= bounds.ctu.hmargin_corrected(ratio, 1, n)
    assert bounds.ours.capacity(ratio, 1) <= bounds.ctu.hmargin_corrected(ratio, 1)


def test_sauer():
    assert bounds.ours.sauer(4, 2) == 1 + 4 + 6
    assert bounds.ours.sauer(3, 7) == 8
