"""Hard-tanh networks: blocked runs equal a loop, exactly on exact data; minima, multipliers, and Theorem 4."""

from fractions import Fraction as F

import numpy as np
import pytest
import reference_mixture as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from sklearn.svm import SVC

from lib.claims import METRICS
from lib.files import NOTEBOOKS
from lib.perceptrons.mlp import Mlp, dyadic, hard_tanh, hard_tanh_mlp, random_mlp, simple_mlp
from lib.studies.stationary import Cell, hidden_svm, kinks, local_svm, multipliers, settle, states
from tools import notebooks


def problem(seed, rows=70, exact=False):
    rng = np.random.default_rng(seed)
    L, n, N = int(rng.integers(2, rows)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
    X = rng.integers(-3, 4, (L, n)) if exact else rng.normal(size=(L, n))
    y = np.concatenate([[1, -1], rng.choice([-1, 1], L - 2)])
    v, d, w = rng.integers(-2, 3, (N, n)), rng.integers(-2, 3, N), rng.integers(-2, 3, N)
    return X, y, Mlp(v, d, w, 0) if exact else random_mlp(N, n, seed, output=True)


def with_unit_weights(mlp):
    return Mlp(mlp.v, mlp.d, np.ones_like(mlp.w), mlp.b)


def counts(run):
    return [(e.updates, e.unit_updates) for e in run.history]


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=40, deadline=None)
def test_simple_mlp_is_the_loop(seed, literal):
    X, y, start = problem(seed)
    start = with_unit_weights(start)
    options = {"rate": 0.0917, "beta": 1.313, "epochs": 3, "literal": literal}
    run = simple_mlp(X, y, start=start, **options)
    v, d, b, passes = reference.simple_mlp(X, y, start.v, start.d, start.b, **options)
    assert counts(run) == passes[: len(run.history)]
    np.testing.assert_allclose(run.last.v, v, atol=1e-10)
    np.testing.assert_allclose(np.append(run.last.d, run.last.b), np.append(d, b), atol=1e-10)


@given(st.integers(0, 10**6), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_simple_mlp_is_exactly_the_loop_on_fractions(seed, block):
    X, y, start = problem(seed, rows=14, exact=True)
    start = with_unit_weights(start)
    options = {"rate": F(1, 3), "beta": 2, "epochs": 2}
    run = simple_mlp(X, y, start=start, block=block, **options)
    v, d, b, passes = reference.simple_mlp(X, y, start.v.astype(object), start.d.astype(object), 0, **options)
    assert counts(run) == passes[: len(run.history)]
    assert (run.last.v == v).all()
    assert (run.last.d == d).all()
    assert run.last.b == b


def test_dyadic_numbers_are_exact_whatever_the_block():
    X, y, _ = problem(5, rows=60)
    nets = [
        simple_mlp(dyadic(X, 8), y, rate=3 / 2048, beta=5.0, units=7, epochs=4, block=b).last for b in (1, 8, 32, 64)
    ]
    for net in nets[1:]:
        assert np.array_equal(net.v, nets[0].v)
        assert np.array_equal(net.d, nets[0].d)
        assert net.b == nets[0].b


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_hard_tanh_mlp_is_the_loop(seed):
    X, y, start = problem(seed)
    options = {"rate": 0.0917, "mu": 0.0213, "nu": 0.0341, "epochs": 2}
    net = hard_tanh_mlp(X, y, start=start, **options).last
    v, d, w, b = reference.hard_tanh_mlp(X, y, start.v, start.d, start.w, start.b, **options)
    np.testing.assert_allclose(net.v, v, atol=1e-10)
    np.testing.assert_allclose(np.r_[net.d, net.w, net.b], np.r_[d, w, b], atol=1e-10)


@given(st.integers(0, 10**6), st.integers(1, 9))
@settings(max_examples=25, deadline=None)
def test_hard_tanh_mlp_is_exactly_the_loop_on_fractions(seed, block):
    X, y, start = problem(seed, rows=10, exact=True)
    options = {"rate": F(1, 3), "mu": F(1, 2), "nu": F(1, 5), "epochs": 2}
    net = hard_tanh_mlp(X, y, start=start, block=block, **options).last
    v, d, w, b = reference.hard_tanh_mlp(X, y, *(p.astype(object) for p in (start.v, start.d, start.w)), 0, **options)
    assert (net.v == v).all()
    assert (net.d == d).all()
    assert (net.w == w).all()
    assert net.b == b


@given(st.integers(0, 10**6), st.sampled_from([F(1, 7), F(1, 2), F(3)]))
@settings(max_examples=40, deadline=None)
def test_norms_are_bounded_by_the_updates(seed, rate):
    X, y, start = problem(seed, rows=12, exact=True)
    run = simple_mlp(X, y, rate=rate, beta=2, epochs=2, start=with_unit_weights(start))
    t, R2 = sum(e.updates for e in run.history), int((X * X).sum(axis=1).max())
    before, after = ((m.v.astype(object) ** 2).sum(axis=1) + m.d.astype(object) ** 2 for m in (start, run.last))
    assert (after <= before + t * rate**2 * (2 / rate + R2 + 1)).all()


@given(st.integers(0, 10**6), st.sampled_from([F(1, 7), F(1, 2), F(3)]))
@settings(max_examples=40, deadline=None)
def test_theorem_3_bounds_the_output_weights(seed, rate):
    X, y, start = problem(seed, rows=12, exact=True)
    start = Mlp(start.v, start.d, np.zeros_like(start.w), 0)
    run = hard_tanh_mlp(X, y, rate=rate, epochs=2, start=start)
    t = sum(e.updates for e in run.history)
    assert run.last.w @ run.last.w + run.last.b**2 <= t * rate**2 * (2 / rate + start.units + 1)


XOR = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
XOR_LABELS = XOR.prod(axis=1)


def test_equal_units_stay_equal_for_ever():
    zero = Mlp(np.zeros((4, 2), int), np.zeros(4, int), np.ones(4, int), 0)
    for epochs in range(1, 8):
        net = simple_mlp(XOR, XOR_LABELS, rate=F(1, 4), beta=1, epochs=epochs, start=zero).last
        assert (net.v == net.v[0]).all()
        assert (net.d == net.d[0]).all()
        assert net.errors(XOR, XOR_LABELS) > 0


def test_stopping_and_the_best_epoch():
    X, y, _ = problem(3, rows=60)
    seen = []
    run = simple_mlp(X, y, rate=0.05, units=4, epochs=30, validation=(X, y), patience=3, progress=seen.append)
    errors = [e.errors for e in run.history]
    assert tuple(seen) == run.history
    assert run.best == 1 + errors.index(min(errors))
    assert run.mlp.errors(X, y) == min(errors)
    assert run.stopped == "patience"
    assert len(errors) == run.best + 3
    solved = simple_mlp(XOR[[0, 1]], [1, -1], rate=0.5, beta=0.5, units=3, epochs=99)
    assert solved.stopped == "clean"
    assert solved.history[-1].updates == 0


def test_a_random_order_visits_every_example_once():
    X, y = np.arange(1.0, 41)[:, None], np.r_[1, -np.ones(39)]
    run = simple_mlp(X, y, rate=1e-9, beta=9.0, units=2, epochs=1, order="random", rng=1)
    assert run.history[0].updates == 40


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": 0}, "rate is 0; expected a positive number"),
        ({"units": None}, "both given or both missing"),
        ({"units": 0}, "units is 0; expected a positive integer"),
        ({"units": None, "start": random_mlp(2, 5)}, r"start.v has shape \(2, 5\); expected \(N, 2\)"),
        ({"units": None, "start": random_mlp(2, 2, output=True)}, "expected w = 1 in every unit"),
        ({"order": "worst"}, "order is 'worst'; expected cyclic or random"),
    ],
)
def test_bad_input_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        simple_mlp(XOR, XOR_LABELS, **({"rate": 0.1, "epochs": 1, "units": 2} | change))


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
    options = {"mu": float(mu), "nu": float(nu), "linprog": linprog}
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
    found = multipliers(net, X, y, mu=0.5, nu=0.25, linprog=linprog)
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
    slope = np.array([(cell.cost(point + s) - cell.cost(point - s)) / 2e-6 for s in steps])
    np.testing.assert_allclose(cell.gradient(point), slope, atol=1e-7)
    assert cell.cost(point) == pytest.approx(net.cost(X, y, mu=0.1, nu=0.2))


@pytest.mark.parametrize(("seed", "free"), [(5, 2), (1, 1)])
def test_theorem_4_on_a_settled_network(seed, free):
    X, y = noisy_xor(seed)
    decay = 0.01
    rough = hard_tanh_mlp(X, y, rate=0.05, mu=decay, nu=decay, units=2, epochs=200, rng=seed).mlp
    net = settle(rough, X, y, mu=decay, nu=decay, minimize=minimize)
    assert net.cost(X, y, mu=decay, nu=decay) < rough.cost(X, y, mu=decay, nu=decay)
    assert multipliers(net, X, y, mu=decay, nu=decay, linprog=linprog).residual < 1e-7
    svm = hidden_svm(net, X, y, decay)
    svc = SVC(kernel="linear", C=1 / (14 * decay), tol=1e-5).fit(svm.X, y)
    assert svm.value(net.w, net.b) <= svm.value(svc.coef_[0], svc.intercept_[0]) + 1e-9
    np.testing.assert_allclose(svc.coef_[0], net.w, atol=1e-2)
    units = [i for i in range(2) if not any(unit == i for _, unit in kinks(net, X))]
    assert len(units) == free
    for i in units:
        v, _ = local_svm(net, X, y, i, decay).solve(minimize, np.zeros(2), 0.0)
        np.testing.assert_allclose(v, net.v[i], atol=1e-5)
        printed = local_svm(net, X, y, i, decay, printed=True)
        assert printed.decay < 0 or np.abs(printed.solve(minimize, np.zeros(2), 0.0)[0] - net.v[i]).max() > 0.1


@pytest.mark.parametrize(
    ("name", "sizes", "limit"), [("45_forest", (100_000, 50_000), 0.088), ("45_connect4", (50_000, 10_000), 0.108)]
)
def test_the_full_runs_are_kept_with_the_published_sizes(name, sizes, limit):
    nb = notebooks.read(NOTEBOOKS / "long" / f"{name}.ipynb")
    outputs = [output for cell in notebooks.code_cells(nb) for output in cell.outputs]
    (numbers,) = [output.data[METRICS] for output in outputs if METRICS in output.get("data", {})]
    assert (numbers["rows"], numbers["test"]) == sizes
    assert numbers["simple_wrong"] <= limit * numbers["test"]
