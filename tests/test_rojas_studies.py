"""What notebooks 13 to 19 ask the studies: checked against small cases known by hand and other algorithms."""

from fractions import Fraction

import numpy as np
import pytest

from lib import fold, perceptron, pocket, separability
from lib.perceptrons.pocket import fewest
from lib.programs.simplex import simplex
from lib.studies import exercises, interior, linear_programs, pockets, remarks, worst
from lib.studies.chains import reachable
from lib.studies.draws import half_space, in_turn

XOR = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


def test_the_streams_come_in_turn_and_differ():
    first = [rng.integers(10**9) for rng in in_turn(3, 7)]
    assert first == [rng.integers(10**9) for rng in in_turn(3, 7)]
    assert len(set(first)) == 7
    assert list(in_turn(3, 0)) == []


def test_patterns_from_a_half_space_are_separable_and_never_none():
    for rng in in_turn(1, 30):
        Z = half_space(4, 3, rng, most=1)
        assert len(Z)
        assert separability(Z).separable


def test_the_best_vertex_is_where_the_simplex_algorithm_ends():
    for rng in in_turn(2, 20):
        c, A, b = rng.integers(1, 9, 3), rng.integers(1, 9, (3, 3)), rng.integers(5, 30, 3)
        walls, right = np.vstack([A, -np.eye(3, dtype=int)]), np.concatenate([b, np.zeros(3, dtype=int)])
        assert linear_programs.best_vertex(c, walls, right) == pytest.approx(float(simplex(c, A, b).value))
    assert linear_programs.best_vertex(np.array([1, 0]), np.array([[1, 0]]), np.array([1])) == -np.inf


def test_the_steepest_edge_is_taken_by_its_rule_alone():
    cube = linear_programs.klee_minty(4)
    assert linear_programs.follows_the_gradient(cube, "steepest")
    assert not linear_programs.follows_the_gradient(cube, "dantzig")


def test_the_printed_program_and_the_mended_one():
    A, b = np.array([[1], [1]]), np.array([1, 2])
    assert linear_programs.solve(linear_programs.printed_program(A, b)).fun == pytest.approx(1)
    assert linear_programs.solve(linear_programs.phase_one(A, b)).fun == pytest.approx(0)
    assert linear_programs.solve(linear_programs.phase_one(A, np.array([-1, 2]))).fun == pytest.approx(1)
    printed, *right = linear_programs.decided_four_ways(fold([[0], [1]], [0, 1]), True)
    assert (printed, right[0], right[2], right[4]) == (False, True, True, True)


def test_an_inner_point_is_not_on_a_wall():
    Z = np.array([[1, 0], [0, 1]])
    assert linear_programs.is_inner(np.array([1, 1]), Z)
    assert not linear_programs.is_inner(np.array([1, 0]), Z)
    assert all((w @ Z.T == 0).any() for w in linear_programs.weights_to_try(Z, np.random.default_rng(0))[5:])


def test_karmarkars_check_and_canonical_form():
    told = np.array([interior.told_by_the_check(rng, 0.25) for rng in in_turn(4, 30)])
    assert (told[:, 0] == told[:, 1]).all()
    assert 0 < told[:, 1].sum() < 30
    assert all(interior.same_by_canonical_form(rng) for rng in in_turn(4, 5))


def test_the_lines_of_a_transformation_meet_at_a_corner_if_two_entries_agree():
    X = np.array([[1, 1, 2], [1, 2, 3], [5, 1, 2]])
    assert interior.lines(np.array([2, 2, 5]), X) == (0, True)
    assert interior.lines(np.array([3, 2, 1]), X)[0] != 0


def test_a_pocket_meets_an_optimum_and_its_bound_falls():
    states, best = reachable(XOR), fewest(XOR)[0]
    assert pockets.leads(states, best)
    assert not pockets.leads(states, best - 1)
    table = pockets.entered(states, best, 4, (50, 2000))
    assert 0 < table[50] < table[2000] <= 1
    rate = pockets.Rate(4, best, table)
    assert rate.alpha == pytest.approx(np.log(1 / 2) / np.log(3 / 4))
    assert rate.bound(10**12) < rate.bound(10**6) <= 1
    assert rate.bound(10**4, lucky=False) < rate.bound(10**4)


def test_worse_swaps_are_counted_by_decade():
    found = [pocket(XOR, rule="run", max_tests=1000, rng=k) for k in range(40)]
    worse, rate = pockets.worse_swaps(found, 1000)
    assert worse == sum((np.diff(p.swaps[:, 1]) > 0).sum() for p in found) > 0
    assert len(rate) == 3


def test_a_share_is_at_least():
    low = pockets.at_least([0, 50, 100], 100)
    assert low[0] == 0
    assert 0.2 < low[1] < 0.5
    assert 0.8 < low[2] < 1


def test_the_law_of_the_half_space():
    assert exercises.law(2, most=4) == [1, 1, Fraction(3, 4), Fraction(1, 2)]
    assert exercises.mean_and_variance(3) == pytest.approx((6, 6))
    assert (
        exercises.count_signs(np.array([[1, 0], [1, 1], [1, 2], [1, 3]])) == exercises.signs_in_a_half_space(2, 4) == 8
    )


def test_ellipsoids_find_the_optimal_vertex():
    for rng in in_turn(5, 5):
        right, cuts, pivots, ratio = remarks.solve_twice(3, rng)
        assert right
        assert cuts > pivots
        assert ratio > 100


def test_graphs_as_patterns():
    triangle = [(0, 1), (1, 2), (0, 2)]
    assert remarks.largest_separable(remarks.graph_patterns(3, triangle)) == 4
    assert remarks.independent(3, triangle) == 1
    assert remarks.independent(2, []) == 2


def test_the_local_rules_hold_the_standard_ones():
    rule = remarks.symbol_rule(remarks.perceptron_rule)
    assert (remarks.SYMBOLS[remarks.place(rule)] == rule).all()
    mistakes = remarks.train_all_rules(np.random.default_rng(0))
    assert mistakes[remarks.place(rule)] == mistakes.min()
    assert mistakes[remarks.place(0 * rule)] == pytest.approx(0.5, abs=0.3)


def test_the_worst_pair_and_what_a_correction_looks_at():
    T, formula, sharpest, median, none = worst.worst_pair(0.1, 1, 40)
    assert T == formula == 50 <= sharpest
    assert none == 2 < median
    local, batch, falls, greedy = worst.local_or_not(np.random.default_rng(1))
    assert local == [True]
    assert batch == [False]
    assert len(falls) == len(greedy)
    assert greedy.all()
    assert perceptron([[4, 1], [-4, 1]], w0=[9, 0]).picks.tolist()[:3] == [1, 1, 1]
