"""The simplex algorithm against every vertex, HiGHS and Gordan; the elimination under it against Fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_programs import klee_minty, vertices
from scipy.optimize import linprog
from strategies import integer_patterns

from lib import families, fold, separability
from lib.numbers import pivot, solve
from lib.programs.simplex import RULES, inner_point, simplex

POINTS = [[0, 0], [0, 1], [1, 0], [1, 1]]
AND, XOR = fold(POINTS, [0, 0, 0, 1]), fold(POINTS, [0, 1, 1, 0])
HALF = Fraction(1, 2)
CHVATAL = (
    [10, -57, -9, -24],
    np.array([[HALF, -11 * HALF, -5 * HALF, 9], [HALF, -3 * HALF, -HALF, 1], [1, 0, 0, 0]], dtype=object),
    [0, 0, 1],
)


@st.composite
def small_programs(draw):
    """c, A, b with b ≥ 0, up to three variables and four rows; degenerate and unbounded ones among them."""
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    entry = st.integers(-3, 4)
    A = np.array(draw(st.lists(st.lists(entry, min_size=n, max_size=n), min_size=m, max_size=m)))
    b = draw(st.lists(st.integers(0, 4), min_size=m, max_size=m))
    return draw(st.lists(entry, min_size=n, max_size=n)), A, b


@settings(max_examples=120, deadline=None)
@given(small_programs())
def test_the_optimum_is_the_best_of_all_vertices(program):
    c, A, b = program
    found = simplex(c, A, b, rule="bland")
    corners = vertices(A, b)
    assert {tuple(v) for v in found.vertices} <= corners
    assert found.stop in ("optimal", "unbounded")
    assert (found.stop == "optimal") == (linprog([-v for v in c], A, b).status == 0)
    if found.stop == "optimal":
        assert found.verify(c, A, b)
        assert found.value == max(sum(a * x for a, x in zip(c, v, strict=True)) for v in corners)


@settings(max_examples=120, deadline=None)
@given(small_programs(), st.sampled_from(RULES))
def test_the_function_never_decreases_and_rises_exactly_when_the_vertex_moves(program, rule):
    c, A, b = program
    found = simplex(c, A, b, rule=rule)
    value = found.vertices @ np.array(c, dtype=object)
    moved = (found.vertices[1:] != found.vertices[:-1]).any(axis=1)
    assert (value[1:] >= value[:-1]).all()
    assert ((value[1:] > value[:-1]) == moved).all()


def test_a_pivot_may_stay_where_it_is():
    assert simplex([2, 1], [[1, -1], [0, 1]], [0, 1]).vertices.tolist() == [[0, 0], [0, 0], [1, 1]]


def test_chvatals_program_cycles_with_the_largest_coefficient_only():
    found = {rule: simplex(*CHVATAL, rule=rule) for rule in RULES}
    told = [(f.stop, f.updates, f.value) for f in found.values()]
    assert told == [("cycle", 6, 0), ("optimal", 7, 1), ("optimal", 3, 1)]
    assert not found["dantzig"].verify(*CHVATAL)
    assert found["bland"].verify(*CHVATAL)


@pytest.mark.parametrize("n", range(1, 8))
def test_every_corner_of_klee_and_mintys_cube(n):
    c, A, b = klee_minty(n)
    found = simplex(c, A, b)
    assert found.verify(c, A, b)
    assert (found.updates, found.value) == (2**n - 1, 100 ** (n - 1))
    assert len({tuple(v) for v in found.vertices}) == 2**n
    if n <= 4:
        assert {tuple(v) for v in found.vertices} == vertices(A, b)


def test_the_other_rules_on_the_cube():
    pivots = {rule: [simplex(*klee_minty(n), rule=rule).updates for n in range(1, 9)] for rule in RULES[1:]}
    assert pivots == {"bland": [1, 3, 5, 9, 15, 25, 41, 67], "steepest": [1, 3, 5, 7, 9, 11, 13, 15]}


def test_the_steepest_edge_and_the_largest_coefficient_part():
    cube = klee_minty(3)
    assert simplex(*cube).entering == (0, 1, 3, 2, 0, 4, 3)
    assert simplex(*cube, rule="steepest").entering == (0, 1, 3, 2, 4)


def test_fractions_and_their_multiples_are_one_program():
    c, A, b = CHVATAL
    scaled = simplex(c, 2 * A, [2 * v for v in b], rule="bland")
    plain = simplex(c, A, b, rule="bland")
    assert (scaled.x == plain.x).all()
    assert (2 * scaled.y == plain.y).all()


def test_unbounded_and_out_of_updates():
    assert simplex([1], [[-1]], [0]).stop == "unbounded"
    assert simplex(*klee_minty(3), max_updates=2).stop == "out of updates"


def test_inner_points_of_and_and_xor():
    t, w, weights, _ = inner_point(AND)
    assert (t, w.tolist()) == (Fraction(1, 3), [Fraction(2, 3), Fraction(2, 3), -1])
    assert weights.tolist() == [0, *[Fraction(1, 3)] * 3]
    t, w, weights, _ = inner_point(XOR)
    assert (t, weights.tolist()) == (0, [Fraction(1, 4)] * 4)


@settings(max_examples=60, deadline=None)
@given(integer_patterns())
def test_inner_points_gordan_and_highs_agree(Z):
    t, w, weights, found = inner_point(Z)
    assert found.converged
    assert (t > 0) == separability(Z).separable
    assert min(Z.astype(object) @ w) >= t
    assert max(abs(w)) <= 1
    assert (min(weights) >= 0, sum(weights)) == (True, 1)
    assert sum(abs(weights @ Z)) == t  # the duality of the box and the sum of absolute values
    p, n = Z.shape
    box = [(-1, 1)] * n + [(None, None)]
    highs = linprog([0] * n + [-1], np.hstack([-Z, np.ones((p, 1))]), np.zeros(p), bounds=box)
    assert -highs.fun == pytest.approx(float(t), abs=1e-7)


def test_the_smallest_int64_has_a_negative():
    t, w, _, _ = inner_point(np.array([[-(2**63), 1], [-1, 1]]))
    assert (t, w.tolist()) == (2, [-1, 1])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=5), st.data())
def test_a_gram_matrix_is_solved_or_has_a_kernel(rows, data):
    rows = np.array(rows, dtype=object)
    M = rows @ rows.T
    b = data.draw(st.lists(st.integers(-9, 9), min_size=len(M), max_size=len(M)))
    x, denominator = solve(M, b)
    assert any(x) or not any(b)
    assert (M @ x).tolist() == [denominator * v for v in b]
    if denominator == 0:
        assert any(x)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), min_size=5, max_size=5), min_size=3, max_size=3))
def test_pivots_agree_with_fractions(rows):
    """Gauss and Jordan with Fractions beside it, down the columns; an entry is `last` times theirs."""
    T, F, last = np.array(rows, dtype=object), np.array(rows, dtype=object) * Fraction(1), 1
    for i in range(3):
        if not T[i, i]:
            return
        last = pivot(T, i, i, last)
        row = F[i] / F[i, i]
        F = F - np.multiply.outer(F[:, i], row)
        F[i] = row
        assert (last * F == T).all()


@pytest.mark.parametrize("n", range(1, 8))
def test_the_exponential_family_takes_one_pivot_more_than_dimensions(n):
    t, w, _, found = inner_point(families.exponential(n))
    assert (t, found.updates) == (Fraction(1, 2 ** (n - 1)), n + 1)
    assert w.tolist() == [Fraction(2**i, 2 ** (n - 1)) for i in range(n)]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1], [[1.5]], [1]), {}, "expected integers or Fractions"),
        (([1], [[1]], [-1]), {}, "expected nothing negative"),
        (([1], [[1]], [1, 2]), {}, "b has shape"),
        (([1], [[1]], [1]), {"rule": "best"}, "expected one of dantzig, bland, steepest"),
        (([1], [[1]], [1]), {"max_updates": -1}, "max_updates is -1"),
    ],
)
def test_bad_programs_are_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        simplex(*arguments, **options)
