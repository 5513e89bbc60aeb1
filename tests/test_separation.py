"""separability: certificates either way, against HiGHS, NNLS and exact arithmetic."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from lib.margins.max_margin import max_margin
from lib.margins.separability import balances, bounds_margin, separability, separates, surrounds_origin


def separable_by_highs(Z):
    """max t with Z w >= t and |w_i| <= 1 is positive; rows of length 1."""
    Z = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    n = Z.shape[1]
    A = np.column_stack([-Z, np.ones(len(Z))])
    bounds = [(-1, 1)] * n + [(None, 1)]
    found = linprog([*[0] * n, -1], A_ub=A, b_ub=np.zeros(len(Z)), bounds=bounds, method="highs")
    return -found.fun > 1e-7


def small_problem(rng):
    n = int(rng.integers(1, 10))
    p = int(rng.integers(1, 4 * n + 2))
    kind = rng.integers(5)
    if kind == 0:
        return rng.choice([-1, 1], size=(p, n))
    if kind == 1:
        Z = rng.integers(-2, 3, size=(p, n))
        Z[~Z.any(axis=1)] = 1
        return Z
    Z = rng.normal(size=(p, n)) + rng.choice([0, 1]) * rng.normal(size=n)
    if kind == 2:
        return Z[rng.integers(0, p, size=2 * p)]
    if kind == 3:
        return Z * 10.0 ** rng.uniform(-6, 6, size=(p, 1))
    return Z


def test_agrees_with_highs_and_is_verified():
    rng = np.random.default_rng(11)
    answers = []
    for _ in range(150):
        Z = small_problem(rng)
        found = separability(Z)
        assert found.separable == separable_by_highs(Z)
        assert found.verify()
        answers.append(found.separable)
    assert 30 < sum(answers) < 120


def test_integer_sets_are_decided_exactly():
    rng = np.random.default_rng(12)
    for _ in range(60):
        n = int(rng.integers(1, 6))
        Z = rng.integers(-2, 3, size=(int(rng.integers(1, 12)), n))
        found = separability(Z)
        zero = not Z.any(axis=1).all()
        assert found.separable == (not zero and max_margin(Z).exact().squared > 0)
        assert found.verify()
        if not found.separable:
            assert balances(Z, *found.exact())


def test_bound_holds_for_every_unit_vector():
    rng = np.random.default_rng(13)
    for shift in (0, 0.5, 2):
        Z = rng.normal(size=(40, 3)) + shift
        found = separability(Z)
        W = rng.normal(size=(2000, 3))
        assert ((Z @ W.T).min(axis=0) / np.linalg.norm(W, axis=1)).max() <= found.bound
        if found.separable:
            assert max_margin(Z).lower <= found.bound


@pytest.mark.parametrize("p", [60_000, 1_000_000])
def test_large_noisy_sets(p):
    Z = np.random.default_rng(14).normal(size=(p, 4))
    found = separability(Z)
    assert found.separable is False
    assert found.bound < 1e-12
    assert found.verify()


def test_large_separable_set_with_a_tiny_margin():
    rng = np.random.default_rng(15)
    d = np.full(4, 0.5)
    Z = rng.normal(size=(60_000, 4))
    Z *= np.where(Z @ d > 0, 1, -1)[:, None]
    found = separability(Z)
    assert found.separable
    assert (Z @ found.w > 0).all()
    assert found.verify()


def test_square_signs_near_twice_the_dimension():
    Z = np.random.default_rng(16).choice([-1, 1], size=(130, 64))
    found = separability(Z)
    assert found.separable is not None
    assert found.verify()


@pytest.mark.parametrize(
    ("Z", "answer"),
    [
        ([[2, 1]], True),
        ([[1, 2], [-1, -2], [5, 5]], False),
        ([[0, 0], [1, 1]], False),
        ([[0.0, 0.0]], False),
        ([[1, 0], [0, 1]] * 4, True),
        ([[1e-200, 2e-200], [3e100, -1e100]], True),
        ([[1, 1], [-1, 1], [0, -1]], False),
        ([[10**400, 1], [-(10**400), 1]], True),
        ([[Fraction(1, 3), 1], [Fraction(-1, 3), -1]], False),
        ([[0.1, 0.2], [-0.1, -0.2]], False),
        ([[3], [-3]], False),
    ],
)
def test_degenerate_sets(Z, answer):
    found = separability(Z)
    assert found.separable is answer
    assert found.verify()


def test_zero_row_is_a_certificate_by_itself():
    found = separability([[1.0, 2.0], [0.0, 0.0], [3.0, 1.0]])
    assert list(found.support) == [1]
    assert list(found.weights) == [1]
    assert found.bound < 1e-300


def thin(eps, number):
    """Two rows that only (−eps, 1)-like directions separate, turned so that floats cannot follow."""
    rows = [[number(3), number(7)], [number(-3), number(-7) + eps]]
    return np.array(rows, dtype=None if number is float else object)


def test_exact_data_with_a_tiny_margin_are_decided():
    Z = thin(Fraction(1, 10**40), Fraction)
    found = separability(Z)
    assert found.separable
    assert found.verify()
    W = found.w
    assert all(
        sum(a * int(b) if isinstance(b, int) else a * Fraction(b) for a, b in zip(z, W, strict=True)) > 0 for z in Z
    )


def undecided():
    """Float rows with a margin near 1e-14: 20 points in a plane through 0, lifted off by a hair."""
    rng = np.random.default_rng(17)
    basis = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    flat = rng.normal(size=(40, 7))
    return np.column_stack([flat, np.full(40, 1e-14)]) @ basis


def test_undecided_is_said():
    found = separability(undecided())
    assert found.separable is None
    assert found.w is None
    assert 0 < found.bound < 1e-12
    assert bounds_margin(found.patterns, found.support, found.weights, found.bound)
    assert not found.verify()


def test_the_same_rows_as_fractions_are_decided():
    Z = np.array([[Fraction(v) for v in row] for row in undecided()], dtype=object)
    found = separability(Z)
    assert found.separable is not None
    assert found.verify()


def test_tampered_answers_are_refused():
    yes = separability([[1, 1], [2, -1]])
    assert not replace(yes, w=-yes.w).verify()
    assert not replace(yes, w=np.array([1.0, -1.0])).verify()
    assert not replace(yes, w=np.array([0.0, 0.0])).verify()
    for Z in (np.array([[1, 1], [-2, 1], [1, -2]]), np.array([[1.0, 1.1], [-2, 1], [1, -2]])):
        no = separability(Z)
        assert no.verify()
        assert not replace(no, weights=np.array([0.5, 0.25, 0.25])).verify()
        assert not replace(no, weights=-no.weights).verify()
        assert not replace(no, weights=np.zeros(3)).verify()
        assert not replace(no, support=np.array([0, 1]), weights=np.array([0.5, 0.5])).verify()
        assert not replace(no, bound=0.0, weights=np.array([0.4, 0.3, 0.3])).verify()
        assert not replace(no, patterns=np.abs(no.patterns)).verify()
        assert not replace(no, separable=None).verify()


def test_separates_is_exact_where_floats_are_not():
    big = 2**53
    assert separates([[big + 1, -big]], [1, 1])
    assert not separates([[big, -big]], [1, 1])
    assert not separates([[big, -big - 1]], [1, 1])
    assert separates(np.array([[0.1, -0.3]]), np.array([3.0, 1.0])) == (3 * Fraction(0.1) > Fraction(0.3))


def test_surrounds_origin_proves_only_what_is_so():
    triangle = np.array([[1.0, 0], [-1, 1], [-1, -1]])
    assert surrounds_origin(triangle)
    assert surrounds_origin(triangle * np.array([[1e9], [1], [1e-9]]))
    assert not surrounds_origin(triangle + np.array([2, 0]))
    assert not surrounds_origin(triangle - np.array([1, 0]))
    assert not surrounds_origin(triangle[:2])
    assert not surrounds_origin(np.array([[1.0, 0], [-1, 0], [2, 0]]))


def test_exact_needs_a_negative_answer():
    with pytest.raises(ValueError, match="no Gordan weights"):
        separability([[1, 1]]).exact()


@pytest.mark.parametrize(
    ("patterns", "options", "message"),
    [
        ([[1.0, np.inf]], {}, "NaN, infinity"),
        ([1, 2], {}, "expected a matrix"),
        (np.empty((3, 0)), {}, "is empty"),
        ([[1, 2]], {"tol": -1}, "tol is -1; expected a number between 0 and 1"),
    ],
)
def test_input_errors(patterns, options, message):
    with pytest.raises(ValueError, match=message):
        separability(patterns, **options)
