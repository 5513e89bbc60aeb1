"""The local machines of Theorem 4, and what is said around Algorithm 2, against other means."""

from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.svm import SVC

from lib.perceptrons.networks import random_mlp
from lib.perceptrons.simple_mlp import simple_mlp
from lib.studies import early
from lib.studies.constrained import constraints, objective, random_problem
from lib.studies.local_machines import SMALLEST, SoftMargin, at_rest, local_multipliers, local_svm, off, trained
from lib.studies.simple_networks import dual, two_rates


def test_the_soft_margin_machine_is_that_of_another_library():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 2)), rng.choice([-1, 1], 30)
    v, d = SoftMargin(X, y, np.ones(30), 0.1, 30).solve()
    svc = SVC(kernel="linear", C=1 / (30 * 0.1), tol=1e-10).fit(X, y)
    np.testing.assert_allclose([*v, d], [*svc.coef_[0], svc.intercept_[0]], atol=1e-5)


@pytest.mark.parametrize("name", SMALLEST)
def test_the_multipliers_of_the_smallest_networks(name):
    tiny, rest = SMALLEST[name], at_rest(SMALLEST[name], name)
    found = rest.multipliers()
    assert found.residual < 1e-9
    np.testing.assert_allclose(found.alpha[::2], [float(a) for a in tiny.alpha], atol=1e-9)
    gamma = local_multipliers(rest, 0)
    np.testing.assert_allclose(gamma[0], float(tiny.slope * tiny.alpha[0]), atol=1e-9)


def test_a_unit_without_corners_is_its_machine():
    rest = trained(5, 14, 0.01, 200)
    assert [rest.kinks_of(i) for i in rest.units] == [0, 0]
    assert max(off(local_svm(rest, i), rest, i) for i in rest.units) < 1e-6


def test_the_least_slacks_give_the_cost():
    net, X, y = random_problem(np.random.default_rng(1), examples=6)
    slack = np.maximum(1 - y * net.decision(X), 0)
    assert objective(net, slack, F(1, 3), F(1, 5)) == net.cost(X, y, mu=F(1, 3), nu=F(1, 5))
    assert (constraints(net, X, y, slack) <= 0).all()
    assert (constraints(net, X, y, slack - F(1, 100)) > 0).any()


def test_the_counted_examples_make_the_weights():
    rng = np.random.default_rng(2)
    X, y, start = rng.normal(size=(40, 3)), rng.choice([-1, 1], 40), random_mlp(5, 3, 1)
    found, run = dual(X, y, 0.125, 2, start, 4), simple_mlp(X, y, rate=0.125, beta=2.0, epochs=4, start=start)
    v = start.v + 0.125 * (found.counts * y[:, None]).T @ X
    np.testing.assert_allclose(v, run.last.v, atol=1e-12)
    assert found.counts.sum() == sum(epoch.unit_updates for epoch in run.history)


def test_two_equal_rates_are_one():
    from lib.perceptrons.simple_mlp import hard_tanh_mlp

    rng = np.random.default_rng(4)
    X, y, start = rng.normal(size=(30, 4)), rng.choice([-1.0, 1.0], 30), random_mlp(3, 4, 2, output=True)
    v, d, w = start.v.copy(), start.d.copy(), start.w.copy()
    b = two_rates(X, y, v, d, w, 0.0, 0.1, 0.1)
    run = hard_tanh_mlp(X, y, rate=0.1, epochs=1, start=start).last
    np.testing.assert_allclose(np.r_[v.ravel(), w, b], np.r_[run.v.ravel(), run.w, run.b], atol=1e-12)


def test_paired_mistakes():
    one, other = np.array([True] * 9 + [False] * 16), np.array([False] * 25)
    assert early.paired(one, other) == 3
    assert early.paired(other, one) == -3
    assert early.paired(one, one) == 0
