"""Table 1: the standard MLP is plain descent on the cross-entropy; settings are drawn, chosen and kept as promised."""

import json
import math
from fractions import Fraction as F

import numpy as np
import pytest

from lib.compiled import Text
from lib.figures import plt
from lib.perceptrons.networks import Mlp, random_mlp
from lib.perceptrons.standard_mlp import TanhMlp, descend, standard_mlp, tanh
from lib.studies import rivals
from lib.studies.table1 import RANGES, at_edge, beyond, choose, choose_svm, digest, drawn, fit, multiplications, near
from tools.table1 import drawing
from tools.table1.collect import as_json, missing, summary
from tools.table1.protocol import SETS, Budget, Protocol
from tools.table1.store import Memory, OutOfTime, Store, pack, unpack

SMALL = {"train": 400, "validation": 100, "test": 300, "fresh": 500}


def problem(seed, L=30, n=5, N=7):
    rng = np.random.default_rng(seed)
    drawn = random_mlp(N, n, rng, output=True)
    start = TanhMlp(drawn.v, drawn.d, drawn.w, 0.1)
    return rng.normal(size=(L, n)), np.concatenate([[1, -1], rng.choice([-1, 1], L - 2)]), start


def by_numpy(X, y, net, rate, epochs):
    """The descent, from the derivatives of log(1 + exp(−y f)), one example after the other."""
    v, d, w, b = net.v.copy(), net.d.copy(), net.w.copy(), net.b
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            h = np.tanh(v @ x + d)
            df = -label / (1 + np.exp(label * (w @ h + b)))
            dz = df * w * (1 - h * h)
            v, d, w, b = v - rate * np.outer(dz, x), d - rate * dz, w - rate * df * h, b - rate * df
    return v, d, w, b


@pytest.mark.parametrize("seed", range(5))
def test_the_standard_mlp_is_descent_example_by_example(seed):
    X, y, start = problem(seed)
    net = standard_mlp(X, y, rate=0.3, epochs=4, start=start).last
    for ours, theirs in zip((net.v, net.d, net.w, net.b), by_numpy(X, y, start, 0.3, 4), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    z = np.tanh(X @ net.v.T + net.d)
    np.testing.assert_allclose(net.decision(X), z @ net.w + net.b, rtol=0, atol=1e-12)
    np.testing.assert_allclose(net.hidden(X), z, rtol=0, atol=1e-12)
    assert net.errors(X, y) == (y * (z @ net.w + net.b) <= 0).sum()
    other = by_numpy(X[::-1], y[::-1], start, 0.3, 4)[0]
    assert np.abs(net.v - other).max() > 1e-3, "the order matters"


def test_a_step_is_the_derivative_of_the_cost():
    X, y, start = problem(3, L=2)
    rate, e = 1e-3, 1e-5
    one = X[:1], y[:1]
    v, d, w = start.v.T.copy(), start.d.copy(), start.w.copy()
    padded = np.zeros((8, 7))
    padded[:5] = v
    row = np.zeros((1, 8))
    row[:, :5] = one[0]
    b, *_ = descend(row, one[1].astype(float), padded, d, w, start.b, rate)
    moved = np.concatenate([(padded[:5].T - start.v).ravel(), d - start.d, w - start.w, [b - start.b]])
    flat = np.concatenate([start.v.ravel(), start.d, start.w, [start.b]])

    def cost(p):
        return TanhMlp(p[:35].reshape(7, 5), p[35:42], p[42:49], p[49]).cost(*one)

    slope = [(cost(flat + e * unit) - cost(flat - e * unit)) / (2 * e) for unit in np.eye(50)]
    np.testing.assert_allclose(moved, -rate * np.array(slope), rtol=1e-6, atol=1e-12)


def test_the_tangent_is_the_true_one():
    for z in [F(k, 7) for k in range(-139, 139, 13)] + [F(1, 10**9), F(0)]:
        exponential = sum(F(2 * abs(z)) ** k / math.factorial(k) for k in range(200))
        true = (1 if z > 0 else -1) * (exponential - 1) / (exponential + 1)
        assert abs(tanh.python(z) - true) <= F(2, 10**17) * max(1, abs(true)), "the same text on Fractions"
        assert abs(F(float(tanh(float(z)))) - true) <= F(1, 10**15) * abs(true) + F(1, 10**17)
    assert tanh(20.0) == tanh(25.0) == 1 == -tanh(-25.0)


def test_without_a_compiler_nothing_is_different(monkeypatch):
    X, y, start = problem(0)
    options = {"rate": 0.2, "epochs": 3, "start": start, "validation": (X, y)}
    fast = standard_mlp(X, y, **options)
    monkeypatch.setattr(Text, "__call__", lambda text, *arguments: text.python(*arguments))
    slow = standard_mlp(X, y, **options)
    assert fast.history == slow.history
    assert (fast.last.v.tobytes(), fast.last.b) == (slow.last.v.tobytes(), slow.last.b)


def test_starts_of_the_other_kind_are_refused():
    X, y, start = problem(0)
    with pytest.raises(ValueError, match="expected an TanhMlp"):
        standard_mlp(X, y, rate=0.1, epochs=1, start=Mlp(start.v, start.d, start.w, 0.0))


def test_both_networks_stop_early_in_the_same_way():
    X, y, _ = problem(1, L=200)
    for method, setting in (("simple", {"rate": 0.02, "beta": 1.0}), ("standard", {"rate": 0.05})):
        record, decide = fit(method, setting | {"units": 8}, (X, y), (X[:50], -y[:50]), passes=40, patience=3)
        errors = record["errors"]
        assert (record["stop"], len(errors)) == ("patience", record["best"] + 3)
        assert min(errors) == errors[record["best"] - 1] == record["validation"] == (decide(X[:50]) == y[:50]).sum()
        assert record["clock"] == sorted(record["clock"])
        assert len(multiplications(record, 5)) == len(errors)


@pytest.mark.parametrize("method", RANGES)
def test_settings_are_drawn_from_their_ranges(method):
    settings = drawn(method, 40, np.random.default_rng(0))
    assert settings == drawn(method, 40, np.random.default_rng(0))
    assert not any(beyond(method, setting) for setting in settings)
    around = near(method, settings[0], 40, np.random.default_rng(1))
    for name, value in settings[0].items():
        assert all(value / 3.01 <= other[name] <= 3.01 * value for other in around)
    edge = {name: known[-1] for name, known in RANGES[method].items()}
    beside = near(method, edge, 40, np.random.default_rng(1))
    assert any(beyond(method, other) for other in beside)
    assert all(other.get("units", 1000) <= 1000 for other in beside)


def test_a_choice_at_an_edge_or_at_the_last_pass_is_looked_at_again():
    def run(setting, name, long):
        names.append(name)
        return {"setting": setting, "validation": -setting["rate"], "stop": "patience" if long or tame else "epochs"}

    for tame in (True, False):
        names = []
        best = choose("standard", run, np.random.default_rng(1))[0]
        assert best["setting"]["rate"] > 0.1
        rounds = {"draw", "near", "further", "furthest"} | ({"long"} if not tame else set())
        assert {name.split("-")[0] for name in names} == rounds


def test_an_edge_is_one_of_what_was_tried():
    tried = [{"rate": rate, "units": units} for rate, units in ((0.01, 125), (0.02, 250), (0.04, 1000))]
    assert at_edge("standard", tried[0], tried) == at_edge("standard", tried[2], tried) == ["rate"]
    assert at_edge("standard", tried[1], tried) == []
    assert at_edge("standard", {"rate": 0.2, "units": 250}, [*tried, {"rate": 0.3, "units": 1}]) == ["rate"]


def test_the_svm_is_chosen_on_growing_parts():
    sizes = []

    def run(setting, name, rows):
        sizes.append(rows)
        return {"setting": setting, "validation": abs(np.log(setting["C"] / 30)) + abs(np.log(setting["gamma"]))}

    best = choose_svm(run, np.random.default_rng(0), 1000)[0]
    assert sorted(set(sizes)) == [50, 200, 400]
    assert (sizes.count(50), sizes.count(400)) == (10, 2)
    assert 1 < best["setting"]["C"] < 1000


def test_the_svm_says_what_scikit_learn_says():
    from sklearn.svm import SVC

    X, y, _ = problem(5, L=300)
    setting = {"C": 10.0, "gamma": 0.3}
    record, decide = fit("svm", setting, (X[:100], y[:100]), (X[100:200], y[100:200]))
    machine = SVC(**setting).fit(X[:100], y[:100])
    assert (decide(X) == machine.predict(X)).all()
    assert record["validation"] == (machine.predict(X[100:200]) != y[100:200]).sum()


def test_bits_come_back():
    bits = np.random.default_rng(0).random(1001) < 0.1
    assert (unpack(pack(bits), 1001) == bits).all()


TINY = Budget(passes=2, long=4, first=2, around=1, seeds=(1, 2))
CLOCKS = ("clock", "seconds", "process_seconds", "ended")


@pytest.fixture
def few_units(monkeypatch):
    small = {method: known | ({"units": (4, 8)} if "units" in known else {}) for method, known in RANGES.items()}
    monkeypatch.setattr("lib.studies.table1.RANGES", small)


def test_a_killed_protocol_goes_on_where_it_was(tmp_path, few_units, capsys):
    full, first = tmp_path / "full", tmp_path / "first"
    Protocol("forest", Store(full), SMALL, TINY).do("simple")
    with pytest.raises(OutOfTime):
        Protocol("forest", Store(first, until=1), SMALL, TINY).do("simple")
    names = sorted(path.name for path in full.iterdir())
    first.mkdir()
    for name in names[:3]:
        (first / name).write_bytes((full / name).read_bytes())
    Protocol("forest", Store(first), SMALL, TINY).do("simple")
    assert capsys.readouterr().out.count("\n") == 2 * len(names) - 3, "what is there is not made again"
    for name in names:
        a, b = (json.loads((folder / name).read_text()) for folder in (full, first))
        assert {k: v for k, v in a.items() if k not in CLOCKS} == {k: v for k, v in b.items() if k not in CLOCKS}
    assert [json.loads((full / name).read_text())["seed"] for name in names if "seed" in name] == [1, 2]


@pytest.fixture(scope="module")
def tiny():
    with pytest.MonkeyPatch.context() as patch:
        small = {m: known | ({"units": (4, 8)} if "units" in known else {}) for m, known in RANGES.items()}
        patch.setattr("lib.studies.table1.RANGES", small)
        tiny = Protocol("forest", Memory(), SMALL, TINY)
        for step in ("simple", "standard", "svm", "growth"):
            tiny.do(step)
    return tiny


def test_a_summary_counts_what_the_networks_say(tiny):
    found = summary(tiny)
    X, y = tiny.parts["fresh"]
    wrong = {}
    for method in ("simple", "standard", "svm"):
        for seed in TINY.seeds if method != "svm" else (1,):
            train, valid = tiny.parts["train"], tiny.parts["validation"]
            options = {"seed": seed, "passes": TINY.long, "patience": TINY.patience}
            wrong[method, seed] = fit(method, found["settings"][method], train, valid, **options)[1](X) != y
    assert [run["fresh"] for run in found["runs"]["simple"]] == [wrong["simple", seed].sum() for seed in TINY.seeds]
    assert found["pairs"]["fresh"] == {
        rival: [
            [int((wrong["simple", k] & ~wrong[rival, j]).sum()), int((wrong[rival, j] & ~wrong["simple", k]).sum())]
            for k, j in ((1, 1), (2, last))
        ]
        for rival, last in (("standard", 2), ("svm", 1))
    }
    assert [point[0] for point in found["growth"]] == [20, 40, 80, 200, 400]
    shift, half = rivals.difference(found, "standard", "fresh")
    assert shift == pytest.approx(np.mean([rivals.errors(found, m, "fresh").mean() * s for m, s in SIGNS]) * 2)
    assert half > 0
    assert 0 < rivals.factor(found, "svm")[1] <= rivals.factor(found, "svm")[0] <= rivals.factor(found, "svm")[2]
    assert json.loads(as_json(found)) == found
    assert found["lacking"] == ["epochs"]
    assert set(rivals.decisions(found)) == {
        (test, rival) for test in ("test", "fresh") for rival in ("standard", "svm")
    }
    assert rivals.decisions(found | {"lacking": ["svm-all"]}) == {}, "incomplete data decide nothing"


@pytest.mark.parametrize("name", rivals.PUBLISHED)
def test_what_is_stored_is_of_the_protocol(name):
    found = rivals.load(name)
    if found is None:
        pytest.skip("there are no results yet")
    assert found["sizes"] == SETS[name]
    assert found["made_by"]["digest"] == digest(), "another program made them"
    for method, runs in found["runs"].items():
        assert [run["seed"] for run in runs if method != "svm"] == list(Budget().seeds)[: len(runs)]
        assert all(run["setting"] == found["settings"][method] for run in runs)
        assert method == "svm" or all(run["validation"] == run["errors"][run["best"] - 1] for run in runs)
    assert bool(rivals.decisions(found)) == (not set(found["lacking"]) - {"epochs"})


SIGNS = (("simple", -1), ("standard", 1))


def test_the_pictures_show_all_seeds_and_the_published_values(tiny):
    found = summary(tiny)
    fig = drawing.dots({"forest": found})
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["Forest, 300 examples", "Forest, fresh, 500 examples"]
    drawn = {round(float(x), 9) for line in fig.axes[0].lines for x in np.atleast_1d(line.get_xdata())}
    assert drawn >= {8.5, 11.1, 10.5} | {round(float(e), 9) for m in NETWORKS for e in rivals.errors(found, m)}
    assert len(drawing.growing(found).axes[0].lines) == 4
    assert len(drawing.shares(found["runs"]["simple"]).axes[0].lines) == len(TINY.seeds) + 1
    plt.close("all")


NETWORKS = ("simple", "standard")


def test_what_lacks_is_named(tiny):
    assert missing(tiny) == ["epochs"]
    full = Protocol("forest", tiny.store)
    assert missing(full) == [f"{m}-seed-{s}" for m in ("simple", "standard") for s in (3, 4, 5)] + ["epochs"]


@pytest.mark.parametrize(
    ("counts", "p"), [((0, 0), 1), ((0, 1), 1), ((0, 8), 2 / 2**8), ((3, 3), 1), ((1, 9), 22 / 2**10)]
)
def test_mcnemar_is_the_sign_test(counts, p):
    assert rivals.mcnemar(*counts) == rivals.mcnemar(*counts[::-1]) == pytest.approx(p)


def test_a_comparison_is_decided_by_its_weakest_pair():
    assert rivals.decision([(100, 200)] * 5)[0] == "better"
    assert rivals.decision([(200, 100)] * 5)[0] == "worse"
    assert rivals.decision([(100, 200)] * 4 + [(100, 101)])[0] == "as good"
    assert rivals.decision([(100, 200)] * 4 + [(200, 100)])[0] == "as good"
    one = rivals.mcnemar(9, 31)
    assert one < 0.01 / rivals.COMPARISONS < rivals.mcnemar(10, 30), "six times as strict as one test"
    assert [rivals.decision([pair])[0] for pair in ((9, 31), (10, 30))] == ["better", "as good"]


def test_a_true_null_is_rarely_called_better():
    """Equal networks: at 99 % corrected, a difference is found in fewer than 1 of 100 comparisons."""
    rng = np.random.default_rng(0)
    pairs = rng.binomial(500, 0.5, 3000)
    assert sum(rivals.decision([(k, 500 - k)])[0] != "as good" for k in pairs) < 30


def test_intervals_hold_what_they_should():
    rng, inside = np.random.default_rng(0), 0
    for _ in range(2000):
        middle, half = rivals.over_seeds(rng.normal(10, 1, 5))
        inside += abs(middle - 10) <= half
    assert 0.98 <= inside / 2000 <= 0.998


def test_the_growth_is_fitted():
    run = {"seconds": 40.0, "clock": [10.0, 20.0, 40.0], "errors": [90, 70, 60], "validation": 60}
    points = [[n, 3e-8 * n**2.1, 0] for n in (5000, 10000, 20000, 100000)]
    found = {"growth": points, "runs": {"simple": [run]}, "sizes": {"train": 100_000}}
    assert rivals.growth(found) == pytest.approx((2.1, 3e-8))
    rows = rivals.rows_for(found, 134)
    assert 3e-8 * rows**2.1 == pytest.approx(134 * 40 * rows / 100_000)
    assert [rivals.time_to(run, wrong) for wrong in (75, 60, 59)] == [20, 40, np.inf]
