"""The margin perceptron must do what the plain loop does, and keep what Theorems 1 to 3, corrected, promise."""

from fractions import Fraction as F

import numpy as np
import pytest
import reference_margin_perceptron as reference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC
from strategies import integer_patterns, separable_patterns

from lib import fold, max_margin, perceptron
from lib.bounds import collobert as bounds
from lib.bounds import ours
from lib.perceptrons.margin_perceptron import margin_perceptron

RATES = st.sampled_from([F(1, 50), F(1, 7), F(1, 2), F(3, 5), F(1), F(5, 2), 3, F(16), F(60)])


def assert_same(Z, rate, **options):
    run = margin_perceptron(Z, rate, **options)
    exact = Z.dtype != np.float64 and not isinstance(rate, float)
    picks, times, converged, states = reference.margin_perceptron(Z.astype(object) if exact else Z, rate, **options)
    assert run.picks.tolist() == picks
    assert run.times.tolist() == times
    assert (run.converged, run.presented) == (converged, len(states) - 1)
    assert run.w.tolist() == states[-1].tolist()
    assert run.at(np.arange(len(states))).tolist() == [w.tolist() for w in states]
    return run


def data(rng, kind, most=120):
    p, n = rng.integers(1, most), rng.integers(1, 6)
    Z = rng.normal(size=(p, n)) if kind == "float" else rng.integers(-3, 4, (p, n))
    if rng.random() < 0.5:
        Z = Z * np.where(Z @ rng.integers(1, 5, n) > 0, 1, -1)[:, None]
    if kind == "float ties":
        Z = Z * 0.1
    return Z * F(1, 7) if kind == "fractions" else Z


@pytest.mark.parametrize("order", ["cyclic", "worst"])
@pytest.mark.parametrize(("kind", "rate"), [("integers", F(1, 3)), ("integers", 2), ("fractions", F(1, 2))])
def test_exact_runs_are_the_plain_loop(kind, rate, order):
    rng = np.random.default_rng(1)
    for i in range(12):
        Z = data(rng, kind, 60)
        options = {"w0": [None, np.arange(Z.shape[1]).astype(object)][i % 2], "threshold": int(rng.integers(0, 4))}
        options |= {} if order == "worst" else {"epochs": 3}
        assert_same(Z, rate, order=order, max_updates=int(rng.integers(1, 90)), **options)


@pytest.mark.parametrize("order", ["cyclic", "worst"])
@pytest.mark.parametrize("kind", ["float", "float ties"])
def test_floats_are_the_plain_loop_bit_for_bit(kind, order):
    rng = np.random.default_rng(2)
    for i in range(25):
        options = {} if order == "worst" else {"epochs": 4}
        most = int(rng.integers(1, 90)) if order == "worst" or not i % 3 else 10**6
        assert_same(data(rng, kind), [0.1, 0.3][i % 2], order=order, max_updates=most, **options)


@pytest.mark.parametrize("bias", [True, False])
def test_decayed_floats_are_the_plain_loop_bit_for_bit(bias):
    rng = np.random.default_rng(3)
    for i in range(20):
        most = 10**6 if i % 3 else int(rng.integers(1, 90))
        assert_same(data(rng, "float"), 0.07, decay=0.4, epochs=4, bias=bias, max_updates=most)


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1e-300, 10.0 ** np.array([-170, -80, 0, 80, 150])])
def test_floats_of_all_sizes_are_the_plain_loop(scale):
    rng = np.random.default_rng(4)
    for k in range(10):
        Z = rng.integers(-3, 4, (20, 5)) * 0.1 * scale
        w0 = rng.integers(-3, 4, 5) * [1.0, 1e150, 1e-150][k % 3]
        assert_same(Z, 0.1, epochs=3, threshold=float(k % 2), w0=w0)


@pytest.mark.parametrize("n", [20, 1000])
def test_sums_in_another_order_decide_nothing(n):
    """In the order of the columns 1 + h + h + … is 1, as every h is lost; in another order it may be more."""
    h = 2.0**-53
    Z = np.tile(np.append(1.0, np.full(n - 1, h)), (3, 1))
    assert_same(Z, 2.0**-60, epochs=2, w0=np.ones(n))
    assert margin_perceptron(Z, 2.0**-60, epochs=1, w0=np.ones(n)).updates == 3
    assert margin_perceptron(Z[:, ::-1], 2.0**-60, epochs=1, w0=np.ones(n)).updates == 0


@settings(max_examples=60, deadline=None)
@given(integer_patterns(), RATES, st.sampled_from([0, F(1, 60), F(1, 90)]), st.booleans())
def test_integers_agree_with_the_plain_loop(Z, rate, decay, bias):
    run = assert_same(Z, rate, decay=decay, epochs=3, bias=bias, max_updates=40)
    last = run.at([run.times[-1] + 1])[0] if run.updates else run.w0
    assert run.trajectory()[-1].tolist() == last.tolist()
    kept = run.coefficients() @ Z.astype(object)
    columns = slice(0, -1 if bias and decay else None)
    assert kept[columns].tolist() == run.w[columns].tolist()


def test_entries_beyond_the_floats_stay_exact():
    big = 10**12
    Z = np.array([[big + 1, -big], [-big, big + 1], [1, 1]])
    assert_same(Z, F(1, 3), max_updates=200)
    assert_same(Z.astype(object) * 10**20, F(1, 3), max_updates=200)
    assert margin_perceptron([[1, 1], [1, -1]], 3).w.tolist() == [6, 0]
    assert margin_perceptron([[1]], np.int64(2**62), epochs=4, threshold=2**64).w.tolist() == [2**64]


def test_a_threshold_that_lets_the_scores_leave_the_floats():
    """Three weights grow to 17 R each, so that sums of two products pass 2^53; the last row meets the threshold."""
    rng, R = np.random.default_rng(6), 2**24
    for k in range(10):
        Z = np.diag(R + 1 - 2 * rng.integers(0, 9, 3))
        mixed = R - 2 * rng.integers(0, R // 100, 3) - [0, 1, 1]
        mixed[2] *= -1
        threshold = int(mixed @ (17 * Z.diagonal())) - k % 2
        run = assert_same(np.vstack([np.repeat(Z, 17, axis=0), mixed]), 1, threshold=threshold, epochs=1)
        assert run.updates == 52 - k % 2


def test_threshold_zero_is_the_perceptron():
    rng = np.random.default_rng(5)
    for _ in range(20):
        Z = data(rng, "integers", 40)
        Z = Z[(Z != 0).any(axis=1)]
        if not len(Z):
            continue
        plain = perceptron(Z, max_updates=300)
        run = margin_perceptron(Z, F(2, 7), threshold=0, max_updates=300)
        assert run.picks.tolist() == plain.picks.tolist()
        assert (run.w == plain.w * F(2, 7)).all()
        assert (run.converged, run.stop) == (plain.converged, plain.stop)


@pytest.mark.parametrize("decay", [0, 0.05])
def test_scikit_learn_takes_the_same_steps(decay):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(400, 5))
    y = np.where(X @ rng.normal(size=5) + rng.normal(size=400) > 0, 1, -1)
    options = {"penalty": "l2" if decay else None, "alpha": decay or 0.0001, "eta0": 0.02, "max_iter": 3}
    peer = SGDClassifier(
        loss="hinge", learning_rate="constant", shuffle=False, tol=None, fit_intercept=not decay, **options
    ).fit(X, y)
    run = margin_perceptron(fold(X, y, bias=not decay), 0.02, decay=decay, epochs=3, bias=False)
    theirs = peer.coef_[0] if decay else [*peer.coef_[0], *peer.intercept_]
    assert np.allclose(run.w, theirs, rtol=0, atol=1e-10)


def test_the_worst_pattern_first():
    rng = np.random.default_rng(7)
    Z = np.array([[2, 1], [3, -1], [1, 1], [4, 3]])
    worst = margin_perceptron(Z, F(1, 9), order="worst")
    for j, w in zip(worst.picks, worst.trajectory(), strict=False):
        assert j == int(np.argmin(Z @ w))
        assert (Z @ w)[j] <= 1
    assert (Z @ worst.w > 1).all()
    Z = rng.normal(size=(30, 3))
    assert margin_perceptron(Z, 0.1, order="worst", max_updates=7).updates == 7


def test_weights_at_a_moment_that_never_came():
    run = margin_perceptron([[1]], 1, epochs=2)
    assert run.at([2, 0, 1]).tolist() == [[2], [0], [1]]
    with pytest.raises(ValueError, match="expected numbers from 0 to 2"):
        run.at([3])


def test_why_it_stopped():
    assert margin_perceptron([[1e308]], 10.0).stop == "overflow"
    assert not margin_perceptron([[1e308]], 10.0).converged
    never = np.array([[1], [-1]])
    assert margin_perceptron(never, 1, epochs=4).stop == "out of epochs"
    assert margin_perceptron(never, 1, max_updates=4).stop == "out of updates"
    assert margin_perceptron([[1]], 1).stop == "no mistake left"
    assert margin_perceptron([[1]], 1, epochs=0).w.tolist() == [0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": 0}, "rate is 0; expected a finite number above zero"),
        ({"rate": np.inf}, "rate is inf; expected a finite number"),
        ({"rate": True}, "rate is True; expected a finite number"),
        ({"decay": -1}, "decay is -1; expected a finite number, zero or more"),
        ({"decay": np.nan, "epochs": 1}, "decay is nan"),
        ({"decay": True, "epochs": 1}, "decay is True"),
        ({"threshold": np.inf}, "threshold is inf; expected a finite number"),
        ({"threshold": True}, "threshold is True"),
        ({"decay": 2, "epochs": 1}, "at most one when multiplied by the rate"),
        ({"decay": F(1, 2)}, "expected a number of epochs"),
        ({"epochs": -1}, "expected a whole number"),
        ({"epochs": True}, "expected a whole number"),
        ({"max_updates": 1.5}, "expected a whole number"),
        ({"max_updates": 10**9}, "from 0 to 67108864"),
        ({"order": "best"}, "expected one of"),
        ({"order": "worst", "decay": F(1, 2), "epochs": 1}, "no decay"),
        ({"order": "worst", "epochs": 1}, "no epochs"),
        ({"w0": [np.nan, 0]}, "w0 holds NaN"),
        ({"patterns": [[np.inf, 1]]}, "patterns holds NaN, infinity"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        margin_perceptron(**{"patterns": [[1, 2]], "rate": 1, **options})


def test_integers_do_not_wrap():
    big = 2**40
    assert bounds.slack([[big, 1]], [-big, 1]).tolist() == [big**2]
    assert bounds.eq18([[big, 1]], [-big, 1], F(1, 2)) == F(5, 4) * big**2
    assert bounds.weight_squared(np.array([[big, 1]])).tolist() == [big**2]


# Theorem 1


def test_the_solution_after_one_epoch():
    for c in (F(9, 10), F(999, 1000)):
        rate, decay = 1 / (1 + c), 1 - c**2
        run = margin_perceptron([[1, 1], [1, -1]], rate, decay=decay, epochs=1)
        assert run.w.tolist() == [1, 0]
        assert bounds.theorem1(2, rate * decay) == 1 / (2 * (1 - c)) >= 5


def test_times_of_coefficients():
    for L, x in ((10, 1e-3), (100, 1e-4), (10_000, 1e-7)):
        assert 1 / (L * x) - 1 / L <= bounds.theorem1_corrected(L, x) <= 1 / (L * x)
        assert (1 - x) ** (L * bounds.half_life(L, x)) == pytest.approx(0.5)
        a, n = 0.0, 0
        while a < 1 / L:
            a, n = a * (1 - x) ** L + x, n + 1
        assert bounds.bound_time_corrected(L, x) == n
        assert bounds.bound_time(L, x) < 0
    assert bounds.bound_time_corrected(1, 0.1) == float("inf")
    assert bounds.bound_time_corrected(3, 0.9) == 1


@settings(max_examples=60, deadline=None)
@given(
    integer_patterns(dimensions=(1, 3)), st.sampled_from([F(1, 9), F(1, 2), 2]), st.sampled_from([F(1, 20), F(1, 3)])
)
def test_no_weights_before_their_time(Z, rate, decay):
    run = margin_perceptron(Z, rate, decay=decay, epochs=2, bias=False)
    R2 = max((Z * Z).sum(axis=1))
    for t, w in enumerate(run.at(np.arange(run.presented + 1))):
        assert decay**2 * (w @ w) <= R2 * (1 - (1 - rate * decay) ** t) ** 2


@settings(max_examples=30, deadline=None)
@given(integer_patterns(dimensions=(1, 3), most=5), st.sampled_from([F(1, 9), 2]), st.sampled_from([F(1, 20), F(1, 3)]))
def test_averages_keep_the_bounds(Z, rate, decay):
    run = margin_perceptron(Z, rate, decay=decay, epochs=3)
    states = [np.zeros(len(Z), dtype=object)]
    for t in range(1, run.presented):
        k = run.times < t
        states.append(
            sum(
                (rate * (1 - rate * decay) ** (t - 1 - s) * (np.arange(len(Z)) == j).astype(object))
                for s, j in zip(run.times[k].tolist(), run.picks[k].tolist(), strict=True)
            )
            + 0 * states[0]
        )
    mean = sum(states) / F(run.presented)
    assert mean.tolist() == ours.average_coefficients(run).tolist()
    assert min(mean) >= 0
    assert decay * max(mean) <= F(1, len(Z))


def test_an_average_needs_decay():
    with pytest.raises(ValueError, match="needs decay"):
        ours.average_coefficients(margin_perceptron([[1, 1]], 0.05, epochs=4))


# Theorem 2


def on_a_line(points, labels):
    return fold(np.array([[F(x)] for x in points], dtype=object), labels)


@pytest.mark.parametrize(
    ("points", "labels", "rate", "w", "updates"),
    [
        ([F(3, 4), -F(3, 4)], [1, -1], 16, [24, 0], 2),
        ([0, F(1, 3)], [-1, 1], 10, [F(100, 3), -10], 21),
    ],
)
def test_theorem_2_as_printed_is_false(points, labels, rate, w, updates):
    Z = on_a_line(points, labels)
    run, plane, R2 = margin_perceptron(Z, rate), bounds.free_margin(Z), max(x * x for x in points)
    square = bounds.weight_squared(run.w)
    assert run.converged
    assert (run.w.tolist(), run.updates) == (w, updates)
    assert square > bounds.theorem2(rate, R2, plane.length_squared)
    assert bounds.theorem2_sharper(square, rate, R2, plane)
    assert square <= bounds.theorem2_corrected(rate, R2, plane.length_squared)


def test_the_true_margin_fails_too():
    Z = on_a_line([0, F(1, 3)], [-1, 1])
    run, plane = margin_perceptron(Z, 10), bounds.free_margin(Z)
    true = 2 * min(Z @ run.w) / run.w[0]
    assert true == F(1, 15)
    assert true**2 < 4 / bounds.theorem2(10, F(1, 9), plane.length_squared)


def test_the_correction_is_attained():
    Z = fold([[1, 1], [-1, -1]], [1, -1])
    run, plane = margin_perceptron(Z, 1), bounds.free_margin(Z)
    half = F(2 + 3, 2)
    centre, radius = half**2 * plane.length_squared, half**2 * plane.folded_squared - 2
    square = bounds.weight_squared(run.w)
    assert (square - centre - radius) ** 2 == 4 * centre * radius
    assert bounds.theorem2_sharper(square, 1, 2, plane)
    assert not bounds.theorem2_sharper(square + F(1, 10**9), 1, 2, plane)


@settings(max_examples=40, deadline=None)
@given(integer_patterns(dimensions=(1, 3)), st.integers(-8, 8), st.integers(1, 6), RATES)
def test_theorems_2_and_3_corrected(X, cut, unit, rate):
    y = np.where(2 * X.sum(axis=1) > 2 * cut + 1, 1, -1)
    assume(abs(y.sum()) < len(y))
    Z = fold(X * F(1, unit), y)
    plane, R2 = bounds.free_margin(Z), max((Z[:, :-1] ** 2).sum(axis=1))
    assert min(Z @ np.append(plane.u, plane.a)) == 1
    run = margin_perceptron(Z, rate, max_updates=500)
    assume(run.converged)
    square = bounds.weight_squared(run.w)
    assert run.updates <= bounds.eq26(rate, R2 + 1, plane.folded_squared)
    assert bounds.theorem2_sharper(square, rate, R2, plane)
    assert square <= bounds.theorem2_corrected(rate, R2, plane.length_squared)
    assert (1 + abs(plane.a)) ** 2 <= R2 * plane.length_squared
    share = float(plane.length_squared / square) ** 0.5
    assert share >= bounds.theorem2_share(float(rate), float(R2) ** 0.5, float(R2) ** 0.5) * (1 - 1e-12)
    for t, w in enumerate(run.trajectory()[1:], start=1):
        assert bounds.theorem3(bounds.weight_squared(w), t, rate, R2)
        assert w @ w <= bounds.theorem3_sharper(t, rate, R2) <= bounds.eq24(t, rate, R2 + 1)


def test_theorem_3_can_fail_to_hold():
    assert bounds.theorem3(10, 1, 1, F(4))
    assert bounds.theorem3(11, 1, 1, F(4))
    assert not bounds.theorem3(F(11) + F(1, 10**9), 1, 1, F(4))


@settings(max_examples=60, deadline=None)
@given(separable_patterns(dimensions=(1, 3)), RATES, st.sampled_from(["cyclic", "worst"]))
def test_without_bias(sets, rate, order):
    Z, _ = sets
    best = max_margin(Z).exact()
    run = margin_perceptron(Z, rate, order=order, max_updates=3000)
    assume(run.converged)
    u2, R2 = 1 / best.squared, max((Z * Z).sum(axis=1))
    square = run.w @ run.w
    assert run.updates <= bounds.eq26(rate, R2, u2)
    assert square <= bounds.eq27(rate, R2, u2)
    assert 1 / (2 + rate * R2) <= rate * run.updates / square
    assert (rate * run.updates) ** 2 <= u2 * square
    if order == "worst":
        u = np.array(best.w) / best.squared
        lengths = (run.trajectory() ** 2).sum(axis=1)
        first = int(np.flatnonzero(lengths >= u2)[0])
        gap = float((run.w - u) @ (run.w - u))
        assert gap <= ours.worst_first(run.updates, first, rate, R2, u2) * (1 + 1e-9)


def test_free_margin_is_the_hard_svm():
    rng = np.random.default_rng(8)
    for _ in range(5):
        X = rng.integers(-4, 5, (8, 2))
        v = rng.normal(size=3)
        y = np.where(X @ v[:2] + v[2] > 0, 1, -1)
        if abs(y.sum()) == 8:
            continue
        plane = bounds.free_margin(fold(X, y))
        peer = SVC(kernel="linear", C=1e8, tol=1e-8).fit(X, y)
        assert np.allclose(plane.u.astype(float), peer.coef_[0], atol=1e-5)
        assert float(plane.a) == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_free_margin_refuses():
    with pytest.raises(ValueError, match="both labels"):
        bounds.free_margin([[1, 1], [2, 1]])
    with pytest.raises(ValueError, match="not separable"):
        bounds.free_margin(fold([[0], [1], [2]], [1, -1, 1]))


# The other inequalities


@settings(max_examples=60, deadline=None)
@given(
    integer_patterns(dimensions=(1, 3)), RATES, st.lists(st.integers(-3, 3), min_size=4, max_size=4), st.integers(0, 99)
)
def test_regret(X, rate, v, seed):
    y = np.random.default_rng(seed).choice([-1, 1], len(X))
    Z = fold(X, y, keep_contradictions=True)
    run = margin_perceptron(Z, rate, epochs=4)
    v = np.array(v[: Z.shape[1]])
    scores = (Z[run.picks] * run.trajectory()[:-1]).sum(axis=1)
    hinge = bounds.slack(Z[run.picks], v).sum()
    R2 = max((X * X).sum(axis=1))
    assert (1 - scores).sum() <= bounds.nonseparable_corrected(v @ v, run.updates, rate, R2, hinge)


def test_duality_with_scikit_learn():
    rng = np.random.default_rng(9)
    X = rng.normal(size=(60, 3))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, 1, -1)
    Z = fold(X, y)
    for decay in (0.02, 0.5):
        peer = SVC(kernel="linear", C=1 / (60 * decay), tol=1e-8).fit(X, y)
        alpha = np.zeros(60)
        alpha[peer.support_] = abs(peer.dual_coef_[0]) * decay
        w = np.append(peer.coef_[0], peer.intercept_)
        cost = bounds.eq18(Z, w, decay)
        assert cost == pytest.approx(bounds.eq9_corrected(Z, alpha, decay), abs=1e-7)
        assert abs(cost - bounds.eq9(Z, alpha)) > 1e-3
