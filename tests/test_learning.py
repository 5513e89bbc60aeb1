"""The fast perceptron must do what the plain loop does, pick for pick."""

from fractions import Fraction

import numpy as np
import pytest
import reference
import reference_corrective
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron
from strategies import integer_patterns, separable_patterns

from lib import bounds, corrective, families, max_margin, perceptron
from lib.perceptrons.choosing import ORDERS


def assert_same(Z, order, w0=None, most=1500, seed=0):
    run = perceptron(Z, order=order, w0=w0, max_updates=most, rng=seed if order == "random" else None)
    w, picks, passes, converged = reference.perceptron(Z, order, w0, most, seed)
    assert run.picks.tolist() == [int(j) for j in picks]
    assert (run.passes, run.converged) == (passes, converged)
    assert run.stop == ("no mistake left" if converged else "out of updates")
    assert (run.w == w).all()
    assert (run.trajectory()[-1] == run.w).all()


def random_patterns(rng, kind):
    p, n = rng.integers(1, 40), rng.integers(1, 6)
    Z = rng.normal(size=(p, n)) if kind == "float" else rng.integers(-3, 4, (p, n))
    Z = Z[(Z != 0).any(axis=1)]
    if rng.random() < 0.7:
        s = Z @ rng.integers(1, 5, n)
        Z = Z[s != 0] * np.sign(s[s != 0]).astype(Z.dtype)[:, None]
    if kind == "float ties":
        Z = Z * 0.1
    if kind == "fractions":
        Z = np.array([[Fraction(int(v), 7) for v in row] for row in Z], dtype=object).reshape(Z.shape)
    return np.vstack([Z, Z[::-1]]) if rng.random() < 0.3 else Z


@pytest.mark.parametrize("kind", ["integers", "float", "float ties", "fractions"])
@pytest.mark.parametrize("order", ORDERS)
def test_same_picks_as_the_plain_loop(kind, order):
    rng = np.random.default_rng([len(kind), len(order)])
    for seed in range(12):
        Z = random_patterns(rng, kind)
        if len(Z):
            w0 = rng.integers(-5, 6, Z.shape[1]) if seed % 2 else None
            assert_same(Z, order, w0, most=200 if kind == "fractions" else 800, seed=seed)


def test_many_rows_and_passes_in_single_precision_change_nothing():
    rng = np.random.default_rng(5)
    u = rng.normal(size=8)
    X = rng.normal(size=(1500, 8))
    Z = X * np.sign(X @ u)[:, None]
    Z += 0.0005 * u
    assert_same(Z, "cyclic", most=10**6)
    assert perceptron(Z).passes > 64


@pytest.mark.parametrize("order", ORDERS)
def test_scores_that_single_precision_cannot_tell(order):
    """Scores a billion times smaller than rows and weights: 1e-9 on one side of zero or the other, or zero."""
    rng = np.random.default_rng(6)
    for n in (3, 30):
        w0 = rng.normal(size=n)
        Z = rng.normal(size=(300, n))
        Z -= np.outer(Z @ w0 - 1e-9 * rng.integers(-1, 2, 300), w0) / (w0 @ w0)
        assert_same(Z, order, w0, most=40)


def test_entries_beyond_the_floats_stay_exact():
    big = 10**12
    Z = np.array([[big + 1, -big], [-big, big + 1], [1, 1]])
    assert_same(Z.astype(object), "cyclic", most=500)
    run = perceptron(Z, max_updates=500)
    assert run.picks.tolist() == reference.perceptron(Z.astype(object), max_updates=500)[1]
    assert run.w.tolist() == run.trajectory()[-1].tolist()


@settings(max_examples=150, deadline=None)
@given(integer_patterns(), st.sampled_from(ORDERS), st.integers(0, 9))
def test_integers_agree_with_the_plain_loop(Z, order, seed):
    assert_same(Z, order, most=120, seed=seed)


@pytest.mark.parametrize("size", [(60, 5), (300, 20), (2000, 10)])
def test_scikit_learn_has_the_same_weights(size):
    rng = np.random.default_rng(size)
    X = np.column_stack([rng.normal(size=size), np.ones(size[0])])
    u = rng.normal(size=size[1] + 1)
    y = np.sign(X @ u)
    X += np.outer(y, 0.1 * u / np.linalg.norm(u))
    run = perceptron(X * y[:, None])
    peer = Perceptron(shuffle=False, tol=None, max_iter=run.passes, fit_intercept=False).fit(X, y)
    assert run.converged
    assert (peer.coef_[0] == run.w).all()


@pytest.mark.parametrize("order", ORDERS)
def test_the_exponential_family_costs_the_same_in_every_order(order):
    for n in range(1, 7):
        run = perceptron(families.exponential(n), order=order)
        assert run.updates == (4**n - 1) // 3
        assert run.w.tolist() == [2**i for i in range(n)]


def test_out_of_updates_is_not_called_inseparable():
    Z = families.exponential(6)
    cut = perceptron(Z, max_updates=100)
    assert (cut.updates, cut.converged, cut.stop) == (100, False, "out of updates")
    last = perceptron(Z, max_updates=1365)
    assert (last.updates, last.converged, last.stop) == (1365, True, "no mistake left")


def test_a_constant_rate_only_rescales_the_weights():
    Z = families.exponential(4)
    for rate in (Fraction(1, 10), Fraction(1, 3), 7):
        run = perceptron(Z * rate)
        assert run.picks.tolist() == perceptron(Z).picks.tolist()
        assert (run.w == perceptron(Z).w * rate).all()


def test_random_runs_repeat():
    Z = families.exponential(5)
    first, again, other = (perceptron(Z, order="random", rng=seed).picks.tolist() for seed in (1, 1, 2))
    assert first == again != other


def fractions(Z):
    return np.array([[Fraction(int(v)) for v in row] for row in Z], dtype=object)


@settings(max_examples=60, deadline=None)
@given(
    integer_patterns(most=5),
    st.sampled_from(ORDERS),
    st.sampled_from([None, [Fraction(1, 9)], [Fraction(1, t + 1) for t in range(9)]]),
    st.integers(0, 9),
)
def test_corrective_steps_agree_with_the_plain_loop(Z, order, gamma, seed):
    options = {
        "order": order,
        "max_updates": 12,
        "rng": seed if order == "random" else None,
        "eps": Fraction(1, 10),
        "gamma": gamma,
    }
    run = corrective(Z, **options)
    w, picks, converged = reference_corrective.corrective(fractions(Z), **options)
    assert (run.picks.tolist(), run.converged) == (picks, converged)
    assert (run.w == w).all()
    assert (run.trajectory()[-1] == run.w).all()
    assert run.trajectory().shape == (run.updates + 1, Z.shape[1])


@settings(max_examples=60, deadline=None)
@given(
    separable_patterns(most=5, dimensions=(1, 3)),
    st.sampled_from(ORDERS),
    st.sampled_from([1, Fraction(1, 10), Fraction(1, 1000)]),
    st.data(),
)
def test_corrective_runs_end_within_the_bound(data, order, eps, more):
    Z, v = data
    w0 = more.draw(st.lists(st.integers(-3, 3), min_size=Z.shape[1], max_size=Z.shape[1]))
    run = corrective(Z, w0=w0, order=order, eps=eps, max_updates=60)
    assert run.updates <= bounds.ours.corrective(Z, v, w0=w0, eps=eps)
    assert run.converged or run.updates == 60
    W, x = run.trajectory(), run.patterns[run.picks]
    assert ((W[1:] * x).sum(axis=1) == eps).all()


@settings(max_examples=60, deadline=None)
@given(
    separable_patterns(most=5, dimensions=(1, 3)),
    st.sampled_from([Fraction(1, 10), Fraction(1, 2), 1, Fraction(3, 2), Fraction(19, 10)]),
)
def test_damped_runs_keep_the_sum_below_the_bound(data, share):
    Z, v = data
    R2 = int(max((Z * Z).sum(axis=1)))
    gamma = Fraction(share) / R2
    run = corrective(Z, gamma=gamma, eps=1, max_updates=25)
    used, limit = bounds.ours.damped(Z, v, [gamma] * run.updates)
    assert used <= limit
    falling = [Fraction(1, R2 * (t + 1)) for t in range(25)]
    run = corrective(Z, gamma=falling, eps=1, max_updates=25)
    used, limit = bounds.ours.damped(Z, v, falling[: run.updates])
    assert used <= limit


def test_from_zero_the_corrective_bound_is_novikoffs_whatever_epsilon_is():
    Z = np.array([[3, 1], [-2, 1], [1, 1]])
    best = max_margin(Z).exact()
    for eps in (1, Fraction(1, 10**6)):
        assert bounds.ours.corrective(Z, np.array(best.direction), eps=eps) == Fraction(10) / best.squared


def test_a_large_gamma_diverges():
    Z = 2 * np.array([[np.cos(0.1), np.sin(0.1)], [-np.cos(0.1), np.sin(0.1)]])
    run = corrective(Z, w0=[0.5, 0.0], gamma=1.0, eps=0.1, max_updates=20_000)
    assert (run.converged, run.stop) == (False, "overflow")
    assert corrective(Z, w0=[0.5, 0.0], gamma=0.49, eps=0.1).converged


def test_a_summable_gamma_stops_short():
    run = corrective(
        [[1]],
        w0=[-1],
        eps=Fraction(1, 10),
        gamma=[Fraction(1, 2 ** (t + 1)) for t in range(60)],
        max_updates=60,
    )
    assert not run.converged
    assert round(float(run.w[0]), 5) == -0.21767


def test_floats_stall_where_fractions_do_not():
    assert corrective([[-1.0, 1.0]], w0=[1.0, 0.0], eps=1e-20, max_updates=99).w.tolist() == [
        0.5,
        0.5,
    ]
    exact = corrective([[-1, 1]], w0=[1, 0], eps=Fraction(1, 10**20))
    assert (exact.updates, exact.converged) == (1, True)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"eps": v} for v in (-1, np.nan, np.inf, True)),
        *({"gamma": v} for v in (-1, 0, np.nan, np.inf, True, "fast", [])),
        *({"max_updates": v} for v in (1.5, -1, True)),
    ],
)
def test_bad_options_are_named(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is"):
        corrective([[1]], **wrong)


def test_of_several_constants_the_last_one_stays():
    Z = [[1.0, 2.0], [2.0, -1.0]]
    assert corrective(Z, gamma=[0.1, 0.1]).w.tolist() == corrective(Z, gamma=0.1).w.tolist()
    assert corrective(Z, gamma=[0.1, 0.2]).w.tolist() != corrective(Z, gamma=0.1).w.tolist()
    with pytest.raises(ValueError, match=r"gamma is \[1, nan\]; expected finite numbers above zero"):
        corrective(Z, gamma=[1, np.nan])


def test_an_option_that_would_be_ignored_is_refused():
    for algorithm in perceptron, corrective:
        with pytest.raises(ValueError, match="rng is given, but order worst draws nothing"):
            algorithm([[1]], order="worst", rng=3)
        assert algorithm([[1.0]], max_updates=10**30).converged


def test_scores_beyond_floats_are_not_called_a_lack_of_updates():
    run = corrective(np.array([[1e102, 1.0], [-1e102, 1.0]]), gamma=0.25, max_updates=50)
    assert (run.converged, run.stop) == (False, "overflow")
    assert run.updates < 50
    assert np.isfinite(run.w).all()
