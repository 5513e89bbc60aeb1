"""Karmarkar's algorithm and the ellipsoid method: their bounds on random data, and the counterexamples."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import integer_patterns, separable_patterns

from lib import families, fold, max_margin, separability
from lib.patterns import unit_rows
from lib.programs import karmarkar as km
from lib.programs.ellipsoid import ellipsoid, most_updates

POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]
seeds = st.integers(0, 10**6)


def draw(seed):
    """A random program of Karmarkar's form, n, A and c, with its solution x, on which c is zero."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    rows = int(rng.integers(0, n - 2))
    x = np.where(rng.permutation(n) <= rows, rng.integers(1, 10, n), 0) / 1.0
    plane = np.linalg.qr(np.column_stack([np.ones(n), x]))[0]
    A = rng.normal(size=(rows, n))
    return n, A - (A @ plane) @ plane.T, np.where(x > 0, 0, rng.integers(1, 10, n)), x / x.sum()


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from([0.1, 0.25, 0.4]))
def test_the_potential_falls_and_the_iterations_are_bounded(seed, alpha):
    n, A, c, solution = draw(seed)
    assert A @ solution == pytest.approx(0, abs=1e-9)
    assert (c @ solution, abs(A.sum(axis=1)).max(initial=0) < 1e-9) == (0, True)
    run = km.karmarkar(A, c, alpha=alpha, bits=20)
    assert run.stop == "small"
    assert (-np.diff(run.potentials) >= km.drop(n, alpha)).all()
    assert run.updates <= km.most_updates(n, 20, alpha)
    assert (run.path > 0).all()
    assert run.path @ A.T == pytest.approx(0, abs=1e-8)
    assert run.path.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_the_promised_fall_is_at_least_five_twenty_fourths(n):
    assert km.drop(n) >= 5 / 24
    assert km.most_updates(n, 30) <= n * 30 * log(2) * 24 / 5 + 1


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


@settings(max_examples=60, deadline=None)
@given(integer_patterns())
def test_separability_by_karmarkar(Z):
    separable, w, weights, run = km.alternative(Z)
    assert separable == separability(Z).separable
    if separable:
        assert (Z @ w > 0).all()
    else:
        assert weights @ Z == pytest.approx(0, abs=1e-4)
    assert run.updates <= km.most_updates(len(Z) + 1, 50)


def test_a_short_fall_proves_a_positive_minimum():
    run = km.karmarkar(np.zeros((0, 3)), [1, 2, 3], bits=60)
    assert (run.stop, run.values[-1] > 1) == ("positive", True)
    _, _, weights, _ = km.alternative(fold(POINTS, [0, 1, 1, 0]))
    assert weights == pytest.approx(1 / 4, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(separable_patterns())
def test_the_ellipsoid_method_keeps_its_bound(pair):
    Z, _ = pair
    cut = ellipsoid(Z)
    assert cut.converged
    assert min(Z.astype(object) @ [Fraction(v) for v in cut.w]) > 0
    assert cut.updates <= most_updates(Z.shape[1], max_margin(unit_rows(Z)).lower)


def test_a_centre_on_a_wall_is_not_taken_for_a_solution():
    Z = np.array([[0, 2, 3], [0, -3, 2]])  # at right angles: the first centre has the score zero, in floats 6e-17
    assert min(Z.astype(object) @ [Fraction(v) for v in ellipsoid(Z).w]) > 0


def test_the_bound_of_the_ellipsoid_method_in_numbers():
    assert most_updates(3, 1) == pytest.approx(24 * log(2))


def test_a_flat_ellipsoid_ends_the_run():
    cut = ellipsoid([[1, 2], [-1, -2], [3, 1]], max_updates=10**30)
    assert (cut.stop, cut.converged) == ("no volume left", False)
    assert np.isfinite(cut.w).all()


@pytest.mark.parametrize("scale", [1e-300, 1e300, 2**70, Fraction(1, 3**400)])
def test_no_scale_of_a_pattern_matters(scale):
    Z = np.array([[1, 2], [2, 1], [-1, 3]], dtype=float if isinstance(scale, float) else object)
    picks, updates = ellipsoid(Z).picks.tolist(), km.alternative(Z)[3].updates
    Z[0] = Z[0] * scale
    cut, (separable, _, _, run) = ellipsoid(Z), km.alternative(Z)
    assert (cut.stop, cut.picks.tolist()) == ("no mistake left", picks)
    assert (separable, run.updates) == (True, updates)


def test_ellipsoids_on_the_exponential_family():
    assert [ellipsoid(families.exponential(n)).updates < 2 * n**3 for n in (2, 4, 8)] == [True] * 3
    never = ellipsoid(fold(POINTS, [0, 1, 1, 0]), max_updates=50)
    assert (never.converged, never.updates) == (False, 50)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: km.karmarkar([[1, 0]], [0, 1]), "expected a program whose centre is feasible"),
        (lambda: km.karmarkar([[1, -1, 0]], [0, 1]), r"c has shape \(2,\); expected \(3,\)"),
        (lambda: km.karmarkar([1, -1], [0, 1]), "A has shape"),
        (lambda: km.karmarkar([[1, -1]], 5), "c has shape"),
        (lambda: km.karmarkar([[1, -1]], [0, 10**400]), "integers beyond floats"),
        (lambda: km.karmarkar([[1, -1]], [0, 1], alpha=1), "expected a number between 0 and 1"),
        (lambda: km.most_updates(3, 10, 0.9), "proven positive"),
        (lambda: km.karmarkar([[1, -1]], [0, np.nan]), "c holds NaN"),
        (lambda: km.karmarkar([[1, -1]], [0, 0]), "c · e/n is 0.0; expected a finite number above zero"),
        (lambda: km.karmarkar([[1, -1]], [0, 1], bits=np.nan), "bits is nan"),
        (lambda: km.karmarkar([[1, -1]], [0, 1], max_updates=-1), "max_updates is -1"),
        (lambda: ellipsoid([[1]], max_updates=0.5), "max_updates is 0.5"),
        (lambda: most_updates(2, 0), "above zero"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
