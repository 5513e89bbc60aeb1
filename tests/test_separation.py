"""separability: certificates either way, against HiGHS and exact arithmetic."""

from dataclasses import replace
from fractions import Fraction
from math import gcd

import numpy as np
import pytest
from scipy.optimize import linprog

from lib.margins.max_margin import max_margin
from lib.margins.rational import nearest
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


NEARLY_DEPENDENT = [
    *([-1, -2, 1, 1], [-2, 1, -1, 1], [0, -2, -1, -1], [-1, -1, 0, -1], [-1, -2, 2, -1]),
    *([0, -1, 0, 1], [0, 1, 2, -1], [-1, 0, -2, -1], [0, 2, 0, -1]),
]
"""On the way a row is in the span of others but for rounding, which must not be taken for a direction."""


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
        (NEARLY_DEPENDENT, False),
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
    """Float rows of a plane through 0, lifted off by less than their own rounding."""
    rng = np.random.default_rng(17)
    basis = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    flat = rng.normal(size=(40, 7))
    return np.column_stack([flat, np.full(40, 1e-16)]) @ basis


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


def test_out_of_updates_is_undecided():
    rng = np.random.default_rng(18)
    for Z in (rng.normal(size=(300, 40)), rng.integers(-9, 9, size=(300, 40))):
        short, found = separability(Z, max_updates=20), separability(Z, max_updates=10**30)
        assert short.separable is None
        assert not short.verify()
        assert bounds_margin(Z, short.support, short.weights, short.bound)
        assert found.separable is False
        assert found.verify()


def test_many_columns():
    """2.2 n rows of n columns: not separable, and proven so by floats alone."""
    Z = np.random.default_rng(19).normal(size=(660, 300))
    found = separability(Z)
    assert found.separable is False
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


WRONG = {
    "bound": (-1.0, -np.inf, np.nan, None, "0", [1]),
    "support": (None, 3, "012", [0, 1], [0, 1, 1], [0, 1, 3], [0, 1, -1], [0, 1, 2.5], [0, 1, np.nan], [[0], [1], [2]]),
    "weights": (
        None,
        1.0,
        [0.5, 0.5],
        [np.nan] * 3,
        [np.inf] * 3,
        [0.0] * 3,
        ["a"] * 3,
        [None] * 3,
        [True] * 3,
        [-1, 1, 1],
    ),
    "patterns": (None, np.eye(3), np.ones((3, 3)), [[1, 2]], [[np.nan, 1]] * 3, "Z", [[1j, 2]] * 3, np.zeros((0, 2))),
    "separable": (None, True, "yes", 1, 0, np.array([True])),
}


@pytest.mark.parametrize("Z", [[[1, 1], [-2, 1], [1, -2]], [[1.0, 1.1], [-2, 1], [1, -2]]])
@pytest.mark.parametrize("name", WRONG)
def test_forged_records_are_refused_without_an_error(Z, name):
    found = separability(Z)
    assert found.verify() is True
    for value in WRONG[name]:
        assert replace(found, **{name: value}).verify() is False


@pytest.mark.parametrize(
    "w", [None, 1, "ab", [1], [1, 2, 3], [np.nan, 1], [np.inf, 1], [True, False], [[1], [1]], [-1, 1]]
)
def test_forged_directions_are_refused_without_an_error(w):
    found = separability([[1, 1], [2, -1]])
    assert found.verify() is True
    assert replace(found, w=w).verify() is False
    assert replace(found, bound=-1.0).verify() is False


def test_a_bound_is_for_weights_of_any_sum():
    """Small weights make a short sum, not a small bound."""
    Z = np.array([[3, 0], [0, 4]])
    assert bounds_margin(Z, [0, 1], [0.64, 0.36], 2.4 + 1e-9)
    for factor in (0.25, 4):
        assert bounds_margin(Z, [0, 1], [0.64 * factor, 0.36 * factor], 2.4 + 1e-9)
        assert not bounds_margin(Z, [0, 1], [0.64 * factor, 0.36 * factor], 2.4 - 1e-9)
    assert bounds_margin(Z, [0, 1], [1, 1], np.inf)
    assert not bounds_margin(Z, [0, 1], [1, 1], -3.0)


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


def beside_a_triangle(rng):
    """Four whole vectors in space; three have determinant ±1, so that 0 is beside their triangle by some 1e-43."""
    c = [0, 0, 0]
    while gcd(c[0], c[1]) != 1:
        u, v, apex = (rng.integers(-(2**47), 2**47, size=3).astype(object) for _ in range(3))
        c = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    x, side = pow(c[0], -1, abs(c[1])), int(rng.choice([-1, 1]))
    t = np.array([side * x, side * (1 - c[0] * x) // c[1], 0], dtype=object)
    square = (u @ u) * (v @ v) - (u @ v) ** 2
    along_u, along_v = (u @ t) * (v @ v) - (v @ t) * (u @ v), (v @ t) * (u @ u) - (u @ t) * (u @ v)
    return np.array([u, v, t - (along_u // square + 1) * u - (along_v // square + 1) * v, apex]).astype(float)


def test_surrounds_origin_is_not_deceived_by_rounding():
    rng = np.random.default_rng(20)
    outside = 0
    for _ in range(300):
        Z = beside_a_triangle(rng)
        inside = not any(nearest(Z, range(4), np.ones(4))[2])
        outside += not inside
        assert inside or not surrounds_origin(Z)
        assert separability(Z).separable in (None, not inside)
    assert outside > 100


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
        ([[1, 2]], {"tol": "small"}, "tol is 'small'; expected a number"),
        ([[1, 2]], {"max_updates": 0}, "max_updates is 0; expected a whole number, 1 or more"),
        (np.array([[1, 2]], dtype=np.longdouble) * np.longdouble(10) ** 4000, {}, "numbers beyond floats"),
        (np.ma.masked_equal([[1, 2], [3, 4]], 3), {}, "masked in 1 places"),
    ],
)
def test_input_errors(patterns, options, message):
    with pytest.raises(ValueError, match=message):
        separability(patterns, **options)


def test_a_separating_vector_separates_in_floats_too():
    """The mean of these rows has the score 0 on one of them, and more than that by accident of rounding."""
    Z = np.array([[0, 0, -1], [0, 0, -1], [0, -1, -2], [1, 2, 2], [1, 2, -2]])
    assert (Z @ separability(Z).w > 1e-9).all()
