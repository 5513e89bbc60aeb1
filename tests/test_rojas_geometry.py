"""What notebooks 10 and 11 prove about errors, angles and steps, on random exact data."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import integer_patterns, separable_patterns, separable_runs

from lib import corrective, families, perceptron, replay, separability
from lib.studies import any_start, clusters, geometry, one_step, starts, surface


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


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_angles_are_ordered_without_rounding(rows):
    a, b, x = np.array(rows)
    if not all(row.any() for row in (a, b, x)) or abs(geometry.angle(a, x) - geometry.angle(b, x)) < 1e-6:
        return
    assert geometry.nearer(a[None], b[None], x[None])[0] == (geometry.angle(b, x) < geometry.angle(a, x))


def test_a_false_valley_is_seen_by_a_walker():
    mistakes = surface.around([[1, 0], [0, 1], [-1, 1], [-1, -1]])
    assert sorted(mistakes.tolist()) == [1, 1, 2, 2, 2, 2, 3, 3]
    assert surface.leads_down(mistakes).sum() == 5  # of eight: both best valleys and the false one lead nowhere
    for Z, _ in geometry.labelled_sets(4, 20, dimensions=2):
        assert surface.leads_down(surface.around(Z)).all()


def test_the_printed_algorithm_changes_nothing_once_all_are_right():
    P, N = np.array([[2, 1], [1, 3]]), np.array([[-1, 1]])
    last, right = any_start.printed_algorithm(P, N, np.array([-3, -3]), 500, np.random.default_rng(0))
    assert 0 < last == right < 500
    assert any_start.printed_algorithm(P, -P, np.array([0, 0]), 20, np.random.default_rng(0))[1] is not None
    assert any_start.printed_algorithm(P, P, np.array([0, 0]), 50, np.random.default_rng(0))[1] is None


def test_every_order_of_the_exponential_family_is_listed():
    assert any_start.all_orders(families.exponential(3)) == {(21, (1, 2, 4))}


def test_a_point_far_out_comes_nearer_and_a_close_one_need_not():
    run = perceptron([[100, 0], [0, 100]], w0=[10, -1])
    closer, nearer, _ = any_start.approach(run, np.array([10, 1]))
    assert (closer.tolist(), nearer.tolist()) == ([False], [True])


def test_both_rules_are_put_beside_each_other():
    plain, by_error = one_step.moves(np.array([3, 1]), np.array([-2, 1]))
    assert [m.tolist() for m in plain] == [[3, 1]] * 3
    assert [(m @ [3, 1]) for m in by_error] == [6, 11, 26]


def test_one_unit_takes_one_cluster():
    rng = np.random.default_rng(5)
    points, cluster = clusters.three_clusters(rng)
    firing = clusters.fires(points, clusters.winner_take_all(points, rng))
    assert len({(c, f) for c, f in zip(cluster.tolist(), firing.tolist(), strict=True)}) == 3


def test_the_start_from_the_means_gets_its_threshold():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, -1, -1, 1])
    assert [str(v) for v in starts.mean_difference(X, y)] == ["2/3", "2/3", "-8/9"]
    assert starts.mean_difference(X, y, threshold=False)[-1] == 0
