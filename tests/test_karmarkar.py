"""Karmarkar's algorithm and the ellipsoid method: their bounds on random data, and the counterexamples."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from strategies import integer_patterns, separable_patterns

from lib import families, fold, max_margin, separability
from lib.patterns import unit_rows
from lib.programs import karmarkar as km
from lib.programs.ellipsoid import ellipsoid, most_steps

POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]
seeds = st.integers(0, 10**6)


def draw(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    return n, *km.example(n, int(rng.integers(0, n - 2)), rng)


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from([0.1, 0.25, 0.4]))
def test_the_potential_falls_and_the_iterations_are_bounded(seed, alpha):
    n, A, c, solution = draw(seed)
    assert A @ solution == pytest.approx(0, abs=1e-9)
    assert (c @ solution, abs(A.sum(axis=1)).max(initial=0) < 1e-9) == (0, True)
    run = km.karmarkar(A, c, alpha=alpha, bits=20)
    assert run.stop == "small"
    assert (-np.diff(run.potentials) >= km.drop(n, alpha)).all()
    assert run.iterations <= km.most_iterations(n, 20, alpha)
    assert (run.path > 0).all()
    assert run.path @ A.T == pytest.approx(0, abs=1e-8)
    assert run.path.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_the_promised_fall_is_at_least_five_twenty_fourths(n):
    assert km.drop(n) >= 5 / 24
    assert km.most_iterations(n, 30) <= n * 30 * log(2) * 24 / 5 + 1


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_transformation(seed):
    n, A, _, solution = draw(seed)
    a = 0.5 / n + 0.5 * solution
    assert km.transform(a, a) == pytest.approx(1 / n)
    assert km.transform(a, np.eye(n)) == pytest.approx(np.eye(n))
    assert km.restore(a, km.transform(a, solution)) == pytest.approx(solution)
    assert (A * a) @ km.transform(a, solution) == pytest.approx(0, abs=1e-9)


def test_three_lines_that_do_not_meet():
    X, Y = np.array([[1, 1, 1], [1, 2, 3], [5, 1, 2]]), np.array([[2, 3, 6], [1, 3, 9], [10, 3, 12]])
    for x, y in zip(X, Y, strict=True):
        assert km.transform(np.array([3, 2, 1]) / 6, x / x.sum()) == pytest.approx(y / y.sum())
    assert np.cross(X, Y).tolist() == [[3, -4, 1], [9, -6, 1], [6, -40, 5]]
    assert round(np.linalg.det(np.cross(X, Y))) == -138


def test_the_objective_may_rise_while_the_potential_falls():
    a, c = np.array([8, 1, 1]) / 10, np.array([1, 3, 0])
    down, _ = km.direction(np.zeros((0, 3)), c, a)
    after = km.restore(a, 1 / 3 + km.radius(3) / 4 * down / np.linalg.norm(down))
    assert c @ a == pytest.approx(11 / 10)
    assert c @ after == pytest.approx(74 / 67)
    assert km.potential(a, c) - km.potential(after, c) > km.drop(3)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_any_bounded_program_in_canonical_form(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 5, 2)
    A, b, c = rng.integers(0, 5, (m, n)), rng.integers(1, 9, m), rng.integers(1, 5, n)
    A[0] += 1
    run = km.karmarkar(*km.canonical(c, A, b), alpha=0.9, bits=22)
    assert c @ run.x[:n] / run.x[-2] == pytest.approx(-linprog(-c, A, b).fun, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(integer_patterns())
def test_separability_by_karmarkar(Z):
    found = km.separate(Z)
    assert found.separable == separability(Z).separable
    if found.separable:
        assert (Z @ found.w > 0).all()
    else:
        assert found.weights @ Z == pytest.approx(0, abs=1e-4)
    assert found.run.iterations <= km.most_iterations(len(Z) + 1, 50)


def test_a_short_fall_proves_a_positive_minimum():
    run = km.karmarkar(np.zeros((0, 3)), [1, 2, 3], bits=60)
    assert (run.stop, run.values[-1] > 1) == ("positive", True)
    xor = km.separate(fold(POINTS, [0, 1, 1, 0]))
    assert xor.weights == pytest.approx(1 / 4, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(separable_patterns())
def test_the_ellipsoid_method_keeps_its_bound(pair):
    Z, _ = pair
    cut = ellipsoid(Z)
    assert cut.converged
    assert (Z @ cut.w > 0).all()
    assert cut.steps <= most_steps(Z.shape[1], max_margin(unit_rows(Z)).lower)


def test_a_centre_on_a_wall_is_not_taken_for_a_solution():
    Z = np.array([[0, 2, 3], [0, -3, 2]])  # at right angles: the first centre has the score zero, in floats 6e-17
    cut = ellipsoid(Z)
    assert (Z @ cut.w > 0).all()


def test_ellipsoids_on_the_exponential_family():
    assert [ellipsoid(families.exponential(n)).steps < 2 * n**3 for n in (2, 4, 8)] == [True] * 3
    never = ellipsoid(fold(POINTS, [0, 1, 1, 0]), max_steps=50)
    assert (never.converged, never.steps) == (False, 50)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: km.karmarkar([[1, 0]], [0, 1]), "expected a program whose centre is feasible"),
        (lambda: km.karmarkar([[1, -1, 0]], [0, 1]), "expected one column for each"),
        (lambda: km.karmarkar([[1, -1]], [0, 1], alpha=1), "expected a number between 0 and 1"),
        (lambda: km.most_iterations(3, 10, 0.9), "proven positive"),
        (lambda: km.example(4, 2, np.random.default_rng(0)), "three fewer than the variables"),
        (lambda: most_steps(2, 0), "above zero"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
