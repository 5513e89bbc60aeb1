"""Minima of the cost (17): their multipliers, and Theorem 4."""

from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.svm import SVC

from lib.perceptrons.networks import Mlp, hard_tanh, random_mlp
from lib.perceptrons.simple_mlp import hard_tanh_mlp
from lib.studies.stationary import Cell, kinks, multipliers, settle, states

ONE, LABELS = np.array([[1.0], [-1.0]]), np.array([1, -1])
EXAMPLES = [  # μ, ν, w, v, α, slope at the activation
    (F(1, 16), F(1), F(2), F(1, 2), F(1, 8), F(1)),
    (F(1, 2), F(1, 4), F(1), F(1), F(1, 4), F(1, 2)),
    (F(2), F(1, 4), F(1, 2), F(1), F(1, 2), F(1, 2)),
]


@pytest.mark.parametrize(("mu", "nu", "w", "v", "alpha", "slope"), EXAMPLES)
def test_the_smallest_minima(mu, nu, w, v, alpha, slope):
    assert mu * w == 2 * alpha * hard_tanh(v)  # (8)
    assert nu * v == 2 * w * slope * alpha  # (34) with the right slope
    net = Mlp(np.array([[float(v)]]), np.zeros(1), np.array([float(w)]), 0.0)
    options = {"mu": float(mu), "nu": float(nu)}
    assert multipliers(net, ONE, LABELS, **options).residual < 1e-9
    printed = multipliers(net, ONE, LABELS, printed=True, **options).residual
    assert (printed < 1e-9) == (slope == 1)
    cost = net.cost(ONE, LABELS, mu=float(mu), nu=float(nu))
    for step in np.random.default_rng(0).normal(size=(300, 4)) * 0.05:
        near = Mlp(net.v + step[0], net.d + step[1], net.w + step[2], step[3])
        assert near.cost(ONE, LABELS, mu=float(mu), nu=float(nu)) >= cost - 1e-15


def test_a_support_vector_on_a_kink_that_its_unit_ignores():
    X, y = np.array([[1.0], [-1.0], [0.5], [-0.5]]), np.array([1, -1, 1, -1])
    net = Mlp(np.ones((1, 1)), np.zeros(1), np.ones(1), 0.0)
    found = multipliers(net, X, y, mu=0.5, nu=0.25)
    np.testing.assert_allclose(found.alpha, [1 / 8, 1 / 8, 1 / 4, 1 / 4], atol=1e-9)
    np.testing.assert_allclose(found.gamma[:, 0], [0, 0, 1 / 4, 1 / 4], atol=1e-9)
    assert found.residual < 1e-9


def noisy_xor(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(14, 2))
    return X, np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=14) > 0, 1, -1)


def test_jacobian_of_a_cell():
    X, y = noisy_xor(0)
    net = random_mlp(2, 2, 1, output=True)
    cell = Cell(X, y, states(net, X), 0.1, 0.2)
    point = cell.pack(net)
    steps = np.eye(len(point)) * 1e-6
    numeric = np.array([(cell.constraints(point + s) - cell.constraints(point - s)) / 2e-6 for s in steps]).T
    np.testing.assert_allclose(cell.jacobian(point), numeric, atol=1e-7)
    assert cell.cost(point) == pytest.approx(net.cost(X, y, mu=0.1, nu=0.2))


@pytest.mark.parametrize(("seed", "free"), [(5, 2), (1, 1)])
def test_theorem_4_on_a_settled_network(seed, free):
    X, y = noisy_xor(seed)
    decay = 0.01
    rough = hard_tanh_mlp(X, y, rate=0.05, mu=decay, nu=decay, units=2, epochs=200, rng=seed).mlp
    net = settle(rough, X, y, mu=decay, nu=decay)
    assert net.cost(X, y, mu=decay, nu=decay) < rough.cost(X, y, mu=decay, nu=decay)
    assert multipliers(net, X, y, mu=decay, nu=decay).residual < 1e-7
    svc = SVC(kernel="linear", C=1 / (14 * decay), tol=1e-5).fit(net.hidden(X), y)
    other = Mlp(net.v, net.d, svc.coef_[0], svc.intercept_[0])
    assert net.cost(X, y, mu=decay, nu=decay) <= other.cost(X, y, mu=decay, nu=decay) + 1e-9
    np.testing.assert_allclose(svc.coef_[0], net.w, atol=1e-2)
    assert sum(not any(unit == i for _, unit in kinks(net, X)) for i in range(2)) == free
