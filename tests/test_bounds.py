"""Every bound on random integer data, in exact arithmetic where it is exact."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import separable_patterns, separable_runs

from lib import bounds, corrective, families, fold, max_margin, perceptron, replay


@settings(max_examples=200, deadline=None)
@given(separable_runs())
def test_novikoff_and_every_line_of_its_proof(pair):
    run, _ = pair
    best = max_margin(run.patterns).exact()
    assert best.verify(run.patterns)
    assert run.updates <= bounds.ctu.eq10(bounds.ctu.eq9(run.patterns), best.squared)
    for name, line in replay.lecture(run, best.direction).items():
        assert line.held.all(), name


@settings(max_examples=150, deadline=None)
@given(separable_runs(dimensions=(2, 2), most=9, size=9))
def test_half_of_novikoff_in_the_plane(pair):
    run, _ = pair
    limit = bounds.ours.planar(bounds.ctu.eq9(run.patterns), max_margin(run.patterns).exact().squared)
    assert run.updates <= limit


@settings(max_examples=150, deadline=None)
@given(separable_runs(start=True))
def test_any_start(pair):
    run, v = pair
    Z, length = run.patterns, sqrt(v @ v)
    R, delta = sqrt(bounds.ctu.eq9(Z)), min(Z @ v) / length
    K = bounds.rojas.prop8(R, delta, v @ run.w0 / length, sqrt(run.w0 @ run.w0))
    assert run.updates <= K * (1 + 1e-12)
    u = v * -(-bounds.ctu.eq9(Z) // min(Z @ v))
    assert run.updates <= bounds.ours.towards(Z, u, run.w0)
    lines = replay.rojas(run, v)
    for name, line in lines.items():
        holds = line[lines["not negative"].held] if name == "cosine" else line
        assert holds.held.all() or name == "not negative", name


@settings(max_examples=100, deadline=None)
@given(separable_runs())
def test_liang_corrected(pair):
    run, v = pair
    lines = replay.liang(run, v)
    for name, line in lines.items():
        if name == "7":
            assert not line.held.any()
        else:
            assert line.held.all(), name


@settings(max_examples=30, deadline=None)
@given(separable_patterns())
def test_the_sharpest_bound_is_valid_and_below_the_others(pair):
    Z, _ = pair
    sharp, u = bounds.ours.sharpest(Z)
    assert sharp == pytest.approx(bounds.ours.towards(Z.astype(float), u))
    assert sharp <= bounds.ctu.eq10(bounds.ctu.eq9(Z), max_margin(Z).exact().squared) * (1 + 1e-6)
    for order in ("cyclic", "random", "worst"):
        assert perceptron(Z, order=order).updates <= sharp * (1 + 1e-9)


def test_raw_lengths_break_novikoff():
    x = Fraction(1, 10)
    X = np.array([[x], [-x]])
    Z = fold(X, [1, -1])
    squared = max_margin(Z).exact().squared
    assert squared == Fraction(1, 100)
    assert perceptron(Z).updates == 2
    assert bounds.ctu.eq10(bounds.ctu.eq9(X), squared) == 1
    assert bounds.ctu.eq10(bounds.ctu.eq9(Z), squared) == 101


def test_the_printed_cosine_fails_on_one_number():
    run = perceptron([[1]], w0=[-2])
    line = replay.rojas(run, [1])["cosine"]
    assert line.held.tolist() == [False, True]  # the second correction leads to zero
    assert bounds.rojas.cosine(0, 1, 1, -2, 2) == pytest.approx(-1 / sqrt(5))


def test_liangs_seventh_line_on_one_pattern():
    run = perceptron([[1, 1]])
    lines, q = replay.liang(run, [1, 0]), replay.trace(run, [1, 0])
    assert (q.square.tolist(), q.gain.tolist(), q.score.tolist(), q.size.tolist()) == ([0, 2], [1], [0], [2])
    assert (lines["7"].held.tolist(), lines["7'"].held.tolist()) == ([False], [True])


@pytest.mark.parametrize("system", [int, Fraction, float])
def test_a_replay_adds_up_anew_and_believes_no_run(system):
    run = perceptron(np.array([[1, 1], [1, -1], [0, 2]]).astype(object if system is Fraction else system), w0=[0, -3])
    assert replay.trace(run, [3, 1]).W.tolist() == run.trajectory().tolist()
    for change in ({"picks": run.picks[::-1].copy()}, {"w": run.w + 1}, {"picks": run.picks[:-1]}):
        with pytest.raises(ValueError, match="adds a pattern that is right, or ends elsewhere"):
            replay.trace(replace(run, **change), [3, 1])


@settings(max_examples=50, deadline=None)
@given(separable_patterns())
def test_the_weights_recorded_are_those_on_the_way(pair):
    run = perceptron(pair[0], order="random", rng=3)
    W, x = replay.recorded(pair[0], 7, order="random", rng=3)
    assert W.tolist() == run.trajectory()[:8].tolist()
    assert x.tolist() == run.patterns[run.picks[:7]].tolist()
    for name, line in replay.first_steps(W, x).items():
        assert line.held.all() == (" with " not in name) or not len(x), name


@pytest.mark.parametrize("T", [1, 2, 3, 4, 7, 20, 100, 700])
def test_the_walk_attains_the_bound(T):
    Z = families.walk(T)
    assert np.linalg.norm(Z, axis=1) == pytest.approx(1)
    run = perceptron(Z)
    assert run.picks.tolist() == list(range(T))
    assert int(bounds.ctu.eq10(1.0, Z[0, 2] ** 2)) == T


def test_four_integer_patterns_attain_it_in_half_the_orders():
    four = np.array([[0, 1, 1], [0, -1, 1], [-1, -1, 0], [-1, 1, 0]])
    assert bounds.ctu.eq10(2, max_margin(four).exact().squared) == 4
    costs = [perceptron(four[list(order)]).updates for order in permutations(range(4))]
    assert sorted(costs) == [2] * 12 + [4] * 12


@pytest.mark.parametrize("L", range(1, 8))
def test_the_planar_bound_is_attained(L):
    Z = families.bits(L)
    squared = max_margin(Z).exact().squared
    assert bounds.ctu.eq10(bounds.ctu.eq9(Z), squared) == 4**L + 1
    assert perceptron(Z).updates == 4**L // 2 + 1 == int(bounds.ours.planar(bounds.ctu.eq9(Z), squared))


def test_the_best_multiple_of_a_solution_gives_the_explicit_bound():
    rng = np.random.default_rng(0)
    for _ in range(200):
        R, b = rng.uniform(0.5, 5, 2)
        d, a = rng.uniform(0.01, R), rng.uniform(-b, b)
        s = (R**2 + sqrt(R**4 - 4 * d * (a * R**2 - d * b**2))) / (2 * d)
        assert (b**2 - 2 * a * s + s**2) / (2 * d * s - R**2) == pytest.approx(bounds.rojas.prop8(R, d, a, b))


def test_numpys_integers_do_not_wrap():
    big = np.int64(2**62)
    assert bounds.liang.eq24(big, big, big, big) == 1
    assert bounds.liang.eq24_corrected(big, np.int64(2**31), big) == 2**62
    assert bounds.ours.planar(big, big) == Fraction(3, 2)
    assert bounds.ours.batch(big, 4, 1) == 2**64
    assert bounds.ours.capacity(big, Fraction(1, 2**10)) == 2**72 + 1
    assert bounds.ours.corrective([[2**62, 1]], [1, 0], eps=big) == 1 + Fraction(1, 2**124)
    assert bounds.ours.towards([[2**62, 0]], [2**62, 0]) == 1


def test_a_margin_of_zero_is_refused():
    with pytest.raises(ValueError, match="above zero"):
        bounds.ctu.eq10(1, 0)
    with pytest.raises(ValueError, match="above zero"):
        bounds.ours.towards([[1, 0]], [0, 1])
    with pytest.raises(ValueError, match="expected a vector that separates"):
        replay.lecture(perceptron([[1, 0]]), [0, 1])
    with pytest.raises(ValueError, match="starts at zero"):
        replay.lecture(perceptron([[1, 0]], w0=[1, 1]), [1, 0])
    with pytest.raises(ValueError, match="scales its corrections"):
        replay.rojas(corrective([[1, 0]]), [1, 0])
    with pytest.raises(ValueError, match="whole number, 1 or more"):
        families.exponential(0)


def test_a_start_against_the_margin_leaves_no_root_of_a_negative_number():
    Z, w0 = np.array([[4, -2]]), np.array([2, -1])
    unit = Z[0] / np.linalg.norm(Z[0])
    assert bounds.rojas.prop8(np.sqrt(20), Z[0] @ unit, unit @ w0, np.linalg.norm(w0)) >= 0
