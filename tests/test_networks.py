"""Hard-tanh networks: the compiled runs are the plain loop to the bit, and exactly on exact data; options, stops."""

from fractions import Fraction as F

import numpy as np
import pytest
import reference_networks as reference
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.claims import METRICS
from lib.compiled import Text, show
from lib.files import NOTEBOOKS
from lib.perceptrons.networks import Mlp, random_mlp
from lib.perceptrons.simple_mlp import hard_tanh_mlp, simple_mlp
from tools import notebooks

SCALES = (1.0, 0.1, 30.0, 1e150, 1e-150)


def problem(seed, rows=40, exact=False):
    """Rows of integers or floats, of any scale, half of them with many zeros of both signs; labels; a start."""
    rng = np.random.default_rng(seed)
    L, n, N = int(rng.integers(2, rows)), int(rng.integers(1, 10)), int(rng.integers(1, 12))
    N = 300 if not exact and rng.random() < 0.1 else N
    X = rng.integers(-3, 4, (L, n)) if exact else rng.normal(size=(L, n)) * rng.choice(SCALES)
    if not exact and rng.random() < 0.5:
        X = np.where(rng.random((L, n)) < 0.7, rng.choice([0.0, -0.0], (L, n)), X)
    X[L // 2 :] = X[: L - L // 2]
    y = np.concatenate([[1, -1], rng.choice([-1, 1], L - 2)])
    v, d, w = rng.integers(-2, 3, (N, n)), rng.integers(-2, 3, N), rng.integers(-2, 3, N)
    if not exact:
        v, d, w = v * rng.choice([1.0, 0.3, 1 / np.abs(X).max(initial=1e-200)]), -0.1 * d, w * 0.7
    return X, y, Mlp(v, d, w, 0 if exact else -0.2)


def lists(mlp):
    return mlp.v.tolist(), mlp.d.tolist(), mlp.w.tolist(), mlp.b


def assert_same(run, v, d, b, counts):
    """The oracle's numbers, to the bit but for the sign of zero; a clean run stops early."""
    assert [(e.updates, e.unit_updates) for e in run.history] == counts[: len(run.history)]
    assert not any(map(sum, counts[len(run.history) :]))
    assert (run.last.v.tolist(), run.last.d.tolist(), run.last.b) == (v, d, b)


@given(st.integers(0, 10**9), st.booleans(), st.booleans())
@settings(max_examples=120, deadline=None)
def test_simple_mlp_is_the_loop(seed, literal, exact):
    X, y, start = problem(seed, rows=14 if exact else 40, exact=exact)
    start = Mlp(start.v, start.d, np.ones_like(start.w), start.b)
    options = {"rate": F(1, 3) if exact else 0.0917, "beta": 2 if exact else 1.313, "epochs": 3, "literal": literal}
    run = simple_mlp(X, y, start=start, **options)
    v, d, _, b = lists(start)
    assert_same(run, *reference.simple_mlp(X.tolist(), y.tolist(), v, d, b, **options))
    assert (run.last.w == 1).all()


@given(st.integers(0, 10**9), st.booleans(), st.sampled_from([(0, 0), (F(1, 2), 0), (F(1, 16), F(1, 8)), (0, 8)]))
@settings(max_examples=120, deadline=None)
def test_hard_tanh_mlp_is_the_loop(seed, exact, decays):
    X, y, start = problem(seed, rows=10 if exact else 40, exact=exact)
    mu, nu = decays if exact else map(float, decays)
    options = {"rate": F(1, 8) if exact else 0.125, "mu": mu, "nu": nu, "epochs": 2}
    run = hard_tanh_mlp(X, y, start=start, **options)
    v, d, w, b, counts = reference.hard_tanh_mlp(X.tolist(), y.tolist(), *lists(start), **options)
    assert_same(run, v, d, b, counts)
    assert run.last.w.tolist() == w
    outputs = [reference.decision(v, d, w, b, x) for x in X.tolist()]
    assert run.last.decision(X).tolist() == outputs
    assert run.last.errors(X, y) == sum(not label * f > 0 for label, f in zip(y.tolist(), outputs, strict=True))


def test_the_margin_is_compared_as_the_loop_compares_it():
    """Outputs within a rounding of β: only sums in the loop's order tell on which side."""
    rng, ties = np.random.default_rng(0), 0
    for _ in range(200):
        v, d = rng.uniform(-0.3, 0.3, (90, 3)), rng.uniform(-0.3, 0.3, 90)
        X, start = rng.uniform(-1, 1, (1, 3)), Mlp(v, d, np.ones(90), 0.1)
        f = reference.decision(*lists(start), X[0].tolist())
        for beta in (f, np.nextafter(f, 0), np.nextafter(f, 9)):
            if beta > 0:
                run = simple_mlp(X, [1], rate=0.5, beta=float(beta), epochs=1, start=start)
                assert run.history[0].updates == (f <= beta)
                ties += 1
    assert ties > 200


def test_big_integers_do_not_wrap():
    big = 2**40
    X, y = np.array([[big, 1], [1, -big]]), [1, -1]
    net = Mlp(np.array([[big, 0], [0, big]]), np.array([0, 2**62]), np.array([2**40, 1]), 2**62)
    assert net.activations(X).tolist() == [[2**80, 2**62 + big], [big, 2**62 - 2**80]]
    assert net.decision(X).tolist() == [2**40 + 1 + 2**62, 2**40 - 1 + 2**62]
    assert net.errors(X, y) == 1
    decay = F(3 * (2**80 + 1) + 5 * 2 * 2**80, 2)
    assert net.cost(X, y, mu=3, nu=5) == decay + F(2**40 - 1 + 2**62 + 1, 2)
    start = Mlp(np.zeros((1, 2), np.int64), np.zeros(1, np.int64), np.ones(1, np.int64), 0)
    run = simple_mlp(X, y, rate=np.int64(big), beta=big, epochs=1, start=start)
    v, d, b, counts = reference.simple_mlp(X.tolist(), y, [[0, 0]], [0], 0, rate=big, beta=big, epochs=1)
    assert_same(run, v, d, b, counts)
    assert max(map(abs, v[0])) >= 2**63


@given(st.integers(0, 10**6), st.sampled_from([F(1, 7), F(1, 2), F(3)]))
@settings(max_examples=40, deadline=None)
def test_norms_are_bounded_by_the_updates(seed, rate):
    X, y, start = problem(seed, rows=12, exact=True)
    run = simple_mlp(X, y, rate=rate, beta=2, epochs=2, start=Mlp(start.v, start.d, np.ones_like(start.w), 0))
    R2 = int((X * X).sum(axis=1).max())
    before, after = ((m.v.astype(object) ** 2).sum(axis=1) + m.d.astype(object) ** 2 for m in (start, run.last))
    assert (after <= before + run.updates * rate**2 * (2 / rate + R2 + 1)).all()


@given(st.integers(0, 10**6), st.sampled_from([F(1, 7), F(1, 2), F(3)]))
@settings(max_examples=40, deadline=None)
def test_theorem_3_bounds_the_output_weights(seed, rate):
    X, y, start = problem(seed, rows=12, exact=True)
    start = Mlp(start.v, start.d, np.zeros_like(start.w), 0)
    run = hard_tanh_mlp(X, y, rate=rate, epochs=2, start=start)
    assert run.last.w @ run.last.w + run.last.b**2 <= run.updates * rate**2 * (2 / rate + start.units + 1)


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
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(50, 2)), rng.choice([-1, 1], 50)
    run = simple_mlp(X, y, rate=0.05, units=4, epochs=60, validation=(X, y), patience=3)
    errors = [e.errors for e in run.history]
    assert run.best == 1 + errors.index(min(errors))
    assert run.mlp.errors(X, y) == min(errors)
    assert (run.stop, run.converged) == ("patience", False)
    assert len(errors) == run.best + 3
    solved = simple_mlp(XOR[[0, 1]], [1, -1], rate=0.5, beta=0.5, units=3, epochs=99)
    assert (solved.stop, solved.converged) == ("clean", True)
    assert solved.history[-1].updates == 0
    assert solved.updates == sum(e.updates for e in solved.history) > 0
    decaying = hard_tanh_mlp(XOR[[0, 1]], [1, -1], rate=0.5, mu=0.001, units=3, epochs=30)
    assert (decaying.stop, len(decaying.history)) == ("epochs", 30), "with decay no pass is the last"


def test_a_run_that_leaves_the_floats_says_so():
    start = Mlp(np.zeros((2, 1)), np.zeros(2), np.array([1e300, -1e300]), 0.0)
    run = hard_tanh_mlp([[1e300], [-1e300]], [1, -1], rate=1e10, epochs=5, start=start, validation=([[1.0]], [1]))
    assert run.stop == "overflow"
    assert not run.converged
    assert np.isfinite(run.mlp.v).all()
    far = Mlp(np.array([[1e200, -1e200]]), np.zeros(1), np.ones(1), 0.0)
    unclear = simple_mlp([[1e200, 1e200]], [1], rate=0.1, epochs=3, start=far)  # ∞ − ∞
    assert (unclear.stop, unclear.history[0].updates) == ("overflow", 0)


def test_a_validation_set_of_one_class_keeps_its_class():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.where(X[:, 0] > 0, 2, 1)
    options = {"rate": 0.05, "units": 3, "epochs": 8}
    run = simple_mlp(X, y, validation=(X[y == 1], y[y == 1]), **options)
    assert [e.errors for e in run.history] == [
        int((simple_mlp(X, y, **(options | {"epochs": k})).last.decision(X[y == 1]) >= 0).sum()) for k in range(1, 9)
    ]
    with pytest.raises(ValueError, match=r"3 kind\(s\) of label"):
        simple_mlp(X, y, validation=(X, y + 1), **options)
    with pytest.raises(ValueError, match="other features or labels"):
        simple_mlp(X, np.ones(40), validation=(X, y), **options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": 0}, "rate is 0; expected a finite number above zero"),
        ({"rate": np.inf}, "rate is inf; expected a finite number above zero"),
        ({"beta": np.nan}, "beta is nan; expected a finite number, zero or more"),
        ({"epochs": -1}, "epochs is -1; expected a whole number, 0 or more"),
        ({"epochs": True}, "epochs is True; expected a whole number"),
        ({"units": None}, "both given or both missing"),
        ({"units": 0}, "units is 0; expected a whole number, 1 or more"),
        ({"units": None, "start": random_mlp(2, 5)}, r"start has v, d and w of shapes .*; expected \(N, 2\)"),
        ({"units": None, "start": Mlp(np.ones((2, 2)), np.ones(3), np.ones(2), 0)}, "start has v, d and w of shapes"),
        ({"units": None, "start": random_mlp(2, 2, output=True)}, "expected w = 1 in every unit"),
        ({"units": None, "start": Mlp(np.ones((1, 2)), np.ones(1), np.ones(1), np.nan)}, "the network holds NaN"),
        ({"units": None, "start": random_mlp(2, 2), "rng": 1}, "rng is 1, but nothing is drawn"),
        ({"patience": 3}, "patience is 3, but there is no validation set"),
        ({"patience": 0, "validation": (XOR, XOR_LABELS)}, "patience is 0; expected a whole number, 1 or more"),
        ({"validation": (XOR,)}, "validation is not a pair"),
        ({"validation": (XOR[:, :1], XOR_LABELS)}, "the validation set has other features"),
        ({"X": np.array([[10**400, 1]] * 4, dtype=object)}, "integers beyond floats stand beside floats"),
        ({"X": XOR[0]}, "X has 1 dimension"),
        ({"X": 5}, "X has 0 dimension"),
        ({"validation": 5}, "validation is not a pair"),
        ({"units": None, "start": {}}, "start is {}; expected an Mlp"),
        ({"X": XOR * np.nan}, "X holds NaN"),
    ],
)
def test_bad_input_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        simple_mlp(**({"X": XOR, "y": XOR_LABELS, "rate": 0.1, "epochs": 1, "units": 2} | change))


def test_unknown_options_and_decays_are_refused():
    with pytest.raises(TypeError, match="block"):
        simple_mlp(XOR, XOR_LABELS, rate=0.1, epochs=1, units=2, block=-1)
    for decays, message in (({"mu": -1}, "mu is -1"), ({"nu": np.nan}, "nu is nan"), ({"nu": 11}, "decay is 11")):
        with pytest.raises(ValueError, match=message):
            hard_tanh_mlp(XOR, XOR_LABELS, rate=0.1, epochs=1, units=2, **decays)


def test_without_a_compiler_nothing_is_different(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 5)), rng.choice([-1, 1], 40)

    def runs():
        yield simple_mlp(X, y, rate=0.1, beta=1.3, units=7, epochs=3)
        yield hard_tanh_mlp(X, y, rate=0.1, mu=0.01, nu=0.02, units=7, epochs=3, validation=(X, y))

    fast = list(runs())
    monkeypatch.setattr(Text, "__call__", lambda text, *arguments: text.python(*arguments))
    for a, b in zip(fast, runs(), strict=True):
        assert a.history == b.history
        assert (a.last.v.tobytes(), a.last.w.tobytes(), a.last.b) == (b.last.v.tobytes(), b.last.w.tobytes(), b.last.b)


def test_the_text_can_be_shown(capsys):
    show(simple_mlp)
    assert "def algorithm2(X, y, v, d, w, b, rate, beta):" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "sizes", "limit"), [("45_forest", (100_000, 50_000), 0.088), ("45_connect4", (50_000, 10_000), 0.108)]
)
def test_the_full_runs_are_kept_with_the_published_sizes(name, sizes, limit):
    nb = notebooks.read(NOTEBOOKS / "long" / f"{name}.ipynb")
    outputs = [output for cell in notebooks.code_cells(nb) for output in cell.outputs]
    (numbers,) = [output.data[METRICS] for output in outputs if METRICS in output.get("data", {})]
    assert (numbers["rows"], numbers["test"]) == sizes
    assert numbers["simple_wrong"] <= limit * numbers["test"]
