"""The sweeps behind notebooks 02, 04, 20, 21 and 27: small cases against plain loops."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from lib import bounds, perceptron
from lib.studies import capacity, liang, novikoff, risk, vc


def held(comparison):
    return np.asarray(comparison).all()


def test_every_line_of_the_lecture_and_of_the_note_holds_and_can_fail():
    many = novikoff.many_runs(200, 5, [2, 3], 2, 7)
    assert (many.updates <= many.bound).all()
    lines = novikoff.lecture_lines(many)
    assert list(lines) == [f"ctu-eq{k}" for k in range(11, 25)]
    _, separable = novikoff.labelled_sets(60, 7, 3, 7)
    lines |= liang.lines(separable, np.ones((60, 3), dtype=int))
    for claim, given in lines.items():
        assert held(given.get("meant", given.get("printed"))), claim
        assert not any(map(held, given.get("control", {}).values())), claim


def test_an_angle_that_opens_is_seen():
    found = liang.alignment([(np.array([[1, 1], [-4, 1]]), np.array([0, 1]))])
    assert found.closer.held.tolist() == [False, True]
    assert found.updates.tolist() == [3]
    assert found.sources.all()
    assert found.ray.held.all()


def test_a_recount_of_the_mistakes_on_the_way():
    Z = np.array([[2, -1], [-1, -1], [2, 1]])
    run = perceptron(Z)
    plain = [sum(1 for z in Z if z @ w <= 0) for w in run.trajectory()]
    assert liang.mistakes_on_the_way(Z, run.picks).tolist() == plain


def test_a_chance_that_is_ruled_out_is_not_the_truth():
    assert liang.at_least(0, 10) == 0
    assert liang.at_least(5, 10) < 0.5 < liang.at_least(10_000, 10_001)
    low, high = vc.interval(50, 100)
    assert low < 0.5 < high
    assert vc.interval(100, 100)[1] == 1


@pytest.mark.parametrize("seed", range(5))
def test_no_strategy_beats_bayes_and_no_excess_its_bound(seed):
    (p, W), *_ = risk.tables(1, seed)
    assert risk.risk(risk.bayes(p, W), p, W) == risk.least_risk(p, W)
    excess, bound = risk.plug_ins(20, seed)
    assert (excess <= bound).all()
    assert excess[-1] == bound[-1] == Fraction(1, 5)
    mean, true = risk.expected_remp(p, W, risk.bayes(p, W))
    assert mean == true


@pytest.mark.parametrize("both", [False, True])
def test_the_largest_deviation_against_a_fine_grid_of_cuts(both):
    rng = np.random.default_rng(3)
    x, flip = rng.random((6, 9)), 0.2
    y = (x > 0.5) ^ (rng.random((6, 9)) < flip)
    cuts = np.linspace(0, 1, 20_001)
    for k, worst in enumerate(vc.deviation(x, y, flip, both=both)):
        wrong = ((x[k] > cuts[:, None]) != y[k]).mean(axis=1)
        true = flip + (1 - 2 * flip) * abs(cuts - 0.5)
        gaps = [true - wrong] + [wrong - true] * both
        assert max(gap.max() for gap in gaps) == pytest.approx(worst, abs=2e-4)


def test_a_single_strategy_by_counting_all_labels():
    N, B, term = 8, 3, 0.7
    plain = sum(B * sum(labels) / N + term + 1e-12 >= B / 2 for labels in product((0, 1), repeat=N))
    assert vc.one_strategy(N, B, term) == Fraction(plain, 2**N)


def test_labellings_on_a_curve_are_covers():
    X = capacity.on_a_curve(5, 2, np.random.default_rng(1))
    assert capacity.dichotomies(X) == capacity.cover(5, 2) == 22
    assert capacity.dichotomies(X[:3], bias=False) < 8
    assert capacity.simplex(3) == bounds.ours.simplex_ratio(3)
