"""What notebooks 10 and 11 prove about errors, angles and steps, on random exact data."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import integer_patterns, separable_patterns, separable_runs

from lib import corrective, perceptron, replay, separability


@settings(max_examples=150, deadline=None)
@given(separable_patterns(), st.data())
def test_mistakes_never_rise_on_the_line_to_a_solution(problem, data):
    Z, v = problem
    w = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=len(v), max_size=len(v))))
    k = np.arange(61)[:, None]
    mistakes = (((60 - k) * w + k * v) @ Z.T <= 0).sum(axis=1)
    assert (np.diff(mistakes) <= 0).all()
    assert mistakes[-1] == 0


def test_four_inseparable_patterns_have_a_false_valley():
    Z = np.array([[1, 0], [0, 1], [-1, 1], [-1, -1]])
    around = np.array([[2, 1], [1, 2], [-1, 2], [-2, 1], [-2, -1], [-1, -2], [1, -2], [2, -1]])
    assert (around @ Z.T <= 0).sum(axis=1).tolist() == [2, 1, 2, 1, 2, 3, 2, 3]
    assert not separability(Z).separable


@settings(max_examples=150, deadline=None)
@given(separable_runs())
def test_angles_stay_under_the_envelope(found):
    run, v = found
    if run.updates < 2:
        return
    q = replay.trace(run, v)
    n0, n1, t1 = q.square[1:-1], q.square[2:], q.t[1:] + 1
    inner = (q.W[2:] * q.W[1:-1]).sum(axis=1)
    assert ((n0 * n1 - inner**2) * t1**2 * q.margin**2 <= q.radius * q.length * n0 * n1).all()
    assert ((inner >= 0) | ((t1 - 1) ** 2 * q.margin**2 < q.radius * q.length)).all()


@settings(max_examples=150, deadline=None)
@given(integer_patterns(most=2, dimensions=(2, 4)))
def test_additions_that_a_vector_needs(rows):
    w, x = rows[0], rows[-1]
    run = perceptron([x], w0=w)
    assert run.updates == max(0, -(w @ x) // (x @ x) + 1)


def test_and_has_three_sides():
    A = np.array([[0, 0, -1], [-1, 0, -1], [0, -1, -1], [1, 1, 1]])
    sides = [separability(np.vstack([np.delete(A, k, axis=0), -A[k]])).separable for k in range(4)]
    assert sides == [False, True, True, True]
    assert (A[1:].sum(axis=0) == A[0]).all()


def test_a_correction_may_raise_the_error_for_every_epsilon():
    Z = np.array([[-10, 100], [5, -100], [6, -100]])
    assert separability(Z).separable
    for k in (1, 10, 30):
        run = corrective(Z.astype(object) * 10**k, w0=[1, 0], max_updates=1)
        assert (run.patterns @ run.w0 <= 0).sum() == 1
        assert (run.patterns @ run.w <= 0).sum() == 2


def test_figure_4_10():
    run = perceptron([[3, 14], [25, 13], [10, -18]], w0=[-3, -3])
    assert run.picks.tolist() == [0, 2, 0]
    assert run.trajectory().tolist() == [[-3, -3], [0, 11], [10, -7], [13, 7]]
