"""Kozinec and MDM: against a blackboard version, against the maximum margin, and every bound in exact arithmetic."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest
import reference_kozinec as blackboard
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import integer_patterns, separable_patterns

from lib import bounds, differences, fold, kozinec, max_margin, mdm
from lib.margins.enclosure import enclosure
from lib.studies import descents, two_classes

RULES = ("first", "cyclic", "worst")
rules = st.sampled_from(RULES)


def separable(seed, p=360, n=20, shift=0.3):
    rng = np.random.default_rng(seed)
    u = rng.normal(size=n)
    u /= np.linalg.norm(u)
    Z = rng.normal(size=(p, n))
    return Z * np.sign(Z @ u)[:, None] + shift * u


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("eps", "relative"), [(0, False), (0.5, False), (0.01, False), (0.01, True)])
def test_the_same_bits_as_on_the_blackboard(rule, eps, relative):
    for seed in range(4):
        Z = separable(seed, p=40, n=4)
        start = 3 * seed
        picks, w, lam = blackboard.kozinec(Z.tolist(), eps, rule, start, 300, relative)
        run = kozinec(Z, eps=eps, relative=relative, rule=rule, start=start, max_updates=300)
        assert run.picks.tolist() == picks
        assert run.w.tolist() == w
        assert run.weights.tolist() == [v for v in lam if v]


@settings(max_examples=80, deadline=None)
@given(integer_patterns(), rules, st.sampled_from([0, Fraction(1, 2), Fraction(1, 99)]), st.booleans(), st.data())
def test_fractions_move_as_on_the_blackboard(Z, rule, eps, relative, data):
    Z = np.array([[Fraction(int(v), 3) for v in z] for z in Z])
    start = data.draw(st.integers(0, len(Z) - 1))
    picks, w, lam = blackboard.kozinec(Z, eps, rule, start, 4, relative)
    run = kozinec(Z, eps=eps, relative=relative, rule=rule, start=start, max_updates=4)
    assert (run.picks.tolist(), run.w.tolist()) == (picks, w)
    assert run.weights.tolist() == [v for v in lam if v]
    assert run.weights @ Z[run.support] == pytest.approx(run.w, abs=0)


@settings(max_examples=60, deadline=None)
@given(separable_patterns(), st.integers(0, 99), st.booleans())
def test_mdm_makes_the_same_transfers_as_on_the_blackboard(pair, start, exact):
    Z, _ = pair
    start %= len(Z)
    Z, tol = (Z * Fraction(1), Fraction(1, 10**4)) if exact else (Z.astype(float), 1e-4)
    pairs, w, lam = blackboard.mdm(Z.tolist(), tol, start, 12)
    run = mdm(Z, tol=tol, start=start, max_updates=12)
    assert (run.picks.tolist(), run.w.tolist()) == (pairs, w)
    assert run.weights.tolist() == [v for v in lam if v]
    assert (np.diff(run.squares) < 0).all()


@settings(max_examples=80, deadline=None)
@given(separable_patterns(), rules, st.sampled_from([0, 0.5, 0.03]), st.integers(0, 99))
def test_the_enclosure_never_excludes_the_maximum_margin(pair, rule, eps, start):
    Z, _ = pair
    exact = max_margin(Z).exact()
    for run in (kozinec(Z, eps=eps, relative=True, rule=rule, start=start % len(Z)), mdm(Z, start=start % len(Z))):
        assert run.converged
        assert Fraction(run.lower) ** 2 <= exact.squared if run.lower > 0 else exact.squared > 0
        assert exact.squared <= Fraction(run.upper) ** 2
        low, high = run.exact()
        assert low <= exact.squared <= high
        assert (run.weights > 0).all()
        assert run.weights.sum() == pytest.approx(1)
        np.testing.assert_allclose(run.weights @ Z[run.support], run.w, atol=1e-12)
        assert (Z @ run.w > 0).all()
    assert run.gap <= 1e-6 * run.upper * (1 + 1e-6)


@settings(max_examples=80, deadline=None)
@given(integer_patterns(), rules)
def test_patterns_that_cannot_be_separated_are_never_called_separated(Z, rule):
    exact = max_margin(Z).exact()
    for run in (kozinec(Z, rule=rule, max_updates=300), mdm(Z, tol=0.5, max_updates=300)):
        assert run.lower <= run.upper
        assert exact.squared <= Fraction(run.upper) ** 2
        if not exact.squared:
            assert not run.converged
            assert run.lower <= 0


@settings(max_examples=80, deadline=None)
@given(separable_patterns(), rules, st.integers(0, 99))
def test_plain_kozinec_stays_below_novikoff_less_one(pair, rule, start):
    Z, _ = pair
    run = kozinec(Z, rule=rule, start=start % len(Z))
    assert run.updates <= bounds.ours.kozinec(bounds.ctu.eq9(Z), max_margin(Z).exact().squared)
    assert run.clipped == 0


@settings(max_examples=100, deadline=None)
@given(separable_patterns(), rules)
def test_every_exact_step_shortens_as_proved(pair, rule):
    Z, _ = pair
    run = kozinec(Z * Fraction(1), rule=rule, max_updates=5)
    sizes = (Z[run.picks] ** 2).sum(axis=1)
    for before, after, size in zip(run.squares[:-1], run.squares[1:], sizes, strict=True):
        assert 1 / after >= 1 / before + Fraction(1, int(size))
    assert run.w @ run.w == run.squares[-1]
    assert min(Z @ run.w) == run.lows[-1]
    assert sum(run.weights) == 1


@settings(max_examples=80, deadline=None)
@given(separable_patterns(), rules, st.sampled_from([0.7, 0.1, 0.02]), st.integers(0, 99))
def test_step_bounds_of_the_eps_version(pair, rule, part, start):
    Z, _ = pair
    m, D2 = max_margin(Z).lower, float(bounds.ours.diameter_squared(Z))
    start %= len(Z)
    run = kozinec(Z, eps=part * m, rule=rule, start=start)
    first = float(np.linalg.norm(Z[start]))
    assert run.converged
    assert run.gap <= part * m * (1 + 1e-9)
    assert run.updates <= bounds.ours.kozinec_any(D2, m, part * m, first, len(Z)) + 1e-6
    assert run.clipped <= min(len(Z) - 1, 2 * (first - m) / (part * m) + 1e-6)
    if rule == "worst":
        assert run.updates <= bounds.ours.kozinec_worst(D2, m, part * m)


@settings(max_examples=60, deadline=None)
@given(separable_patterns(), st.sampled_from([Fraction(1, 2), Fraction(1, 10)]))
def test_the_first_steps_in_fractions_and_in_floats(pair, eps):
    Z, _ = pair
    exact = kozinec(Z * Fraction(1), eps=eps, max_updates=1)
    run = kozinec(Z, eps=float(eps), max_updates=1)
    np.testing.assert_allclose(exact.squares.astype(float), run.squares, rtol=1e-12)
    assert exact.picks.tolist() == run.picks.tolist()
    assert exact.clipped == run.clipped


@settings(max_examples=100, deadline=None)
@given(separable_patterns(), st.data())
def test_34_for_any_point_of_the_hull(pair, data):
    Z, _ = pair
    lam = data.draw(st.lists(st.integers(0, 9), min_size=len(Z), max_size=len(Z)).filter(any))
    low, high = bounds.ctu.eq34(Z, lam)
    assert low <= max_margin(Z).exact().squared <= high
    lower, upper = enclosure(Z, np.arange(len(Z)), lam)
    assert Fraction(upper) ** 2 >= high
    assert lower <= 0 or Fraction(lower) ** 2 <= low


def test_34_needs_the_hull():
    w = np.array([0, Fraction(1, 2)])
    assert w @ w < max_margin([[-1, 1], [1, 1]]).exact().squared == 1


def test_exact_mdm_reaches_the_closest_point_of_the_zig_zag():
    Z = np.array([[0, Fraction(3, 2)], [-1, 1], [1, 1]])
    run = mdm(Z, tol=0)
    assert (run.stop, run.updates, run.clipped, run.w.tolist()) == ("no violator left", 3, 1, [0, 1])
    assert run.squares.tolist() == [Fraction(9, 4), Fraction(9, 5), Fraction(26, 25), 1]


def test_exact_kozinec_on_the_zig_zag():
    Z = np.array([[0, Fraction(3, 2)], [-1, 1], [1, 1]])
    run = kozinec(Z, eps=Fraction(1, 5))
    assert run.picks.tolist() == [1, 2, 1]
    assert run.squares.tolist() == [Fraction(9, 4), Fraction(9, 5), Fraction(81, 65), Fraction(6561, 5525)]


@pytest.mark.parametrize(("a", "b", "m", "c"), [(1, 1, 1, 0.5), (1, 3, 1, 0.5), (2, 1, 3, 0.3), (0.5, 3, 0.7, 0.3)])
def test_the_law_of_the_zig_zag(a, b, m, c):
    run = kozinec(np.array([[0, m + c], [-a, m], [b, m]]), eps=1e-12, max_updates=20_000)
    assert run.stop == "out of updates"
    assert (run.picks[:-1] + run.picks[1:] == 3).all()
    product = run.gaps() * np.arange(run.updates + 1) * m
    for t in range(19_980, 20_000):
        goal = 2 * a * a * b / (a + b) if run.picks[t] == 1 else 2 * a * b * b / (a + b)
        assert product[t] == pytest.approx(goal, rel=0.01)


def test_a_clipped_first_step_ends_the_zig_zag():
    run = kozinec([[0, 3], [-1, 1], [1, 1]], eps=1e-12)
    assert (run.updates, run.clipped, run.w.tolist()) == (2, 1, [0, 1])


@pytest.mark.parametrize("p", [2, 3, 7])
def test_points_of_a_line_are_clipped_as_often_as_proved(p):
    """From p down to 1 every step is clipped: the second part of the bound is attained."""
    Z, eps = np.arange(p, 0, -1)[:, None], 0.25
    limit = bounds.ours.kozinec_any((p - 1) ** 2, 1, eps, p, p)
    run = kozinec(Z, eps=eps, rule="cyclic")
    assert (run.clipped, run.updates, run.w.tolist()) == (p - 1, p - 1, [1])
    assert limit - 2 * (p - 1) ** 2 / eps**2 * log(p) == pytest.approx(run.clipped)


def test_the_bounds_in_numbers():
    assert bounds.ours.kozinec_any(9, 1, 2, 4, 99) == pytest.approx(2 * 9 / 4 * log(4) + 3)  # few are clipped
    assert bounds.ours.kozinec_worst(9, 2, 0.5) == 37


@pytest.mark.parametrize("n", [1, 2, 5, 30])
@pytest.mark.parametrize("rule", RULES)
def test_unit_vectors_attain_the_plain_bound(n, rule):
    run = kozinec(np.eye(n, dtype=int), rule=rule)
    assert run.updates == n - 1 == bounds.ours.kozinec(1, Fraction(1, n))


def test_a_score_of_zero_is_wrong():
    run = kozinec([[1, 0], [0, 1]])
    assert run.lows.tolist() == [0, 0.5]
    assert run.w.tolist() == [0.5, 0.5]


def test_the_printed_rule_stops_at_a_gap_of_one():
    """Slide 45 seeks wrongly classified observations only, as plain Kozinec does: there is none."""
    run = kozinec([[2, 0], [1, 1]])
    assert (run.updates, run.squares[0], run.lows[0]) == (0, 4, 2)
    assert run.gap == pytest.approx(1)
    mended = kozinec([[2, 0], [1, 1]], eps=0.1)
    assert (mended.w.tolist(), mended.updates) == ([1, 1], 1)
    assert mended.gap == pytest.approx(0, abs=1e-12)


def test_an_unclipped_step_leads_to_zero():
    w, x = np.array([2, 0]), np.array([1, 0])
    kappa = Fraction(int(w @ (w - x)), int((w - x) @ (w - x)))
    assert kappa == 2
    assert not ((1 - kappa) * w + kappa * x).any()
    run = kozinec([w, x], eps=0.5)
    assert (run.clipped, run.w.tolist()) == (1, [1, 0])


def test_an_eps_above_the_margin_accepts_a_wrong_plane():
    Z = np.array([[1, 0], [-0.5, 1]])
    run = kozinec(Z, eps=1.6)
    assert (run.updates, (Z @ run.w).tolist()) == (0, [1, -0.5])
    assert max_margin(Z).exact().squared == Fraction(4, 13)


@settings(max_examples=60, deadline=None)
@given(separable_patterns(), rules)
def test_an_eps_below_the_margin_separates(pair, rule):
    Z, _ = pair
    run = kozinec(Z, eps=0.999 * max_margin(Z).lower, rule=rule)
    assert (Z @ run.w > 0).all()


@settings(max_examples=60, deadline=None)
@given(separable_patterns())
def test_a_larger_eps_is_the_beginning_of_a_smaller(pair):
    Z, _ = pair
    m = max_margin(Z).lower
    short, long = (kozinec(Z, eps=part * m).picks.tolist() for part in (0.5, 0.05))
    assert long[: len(short)] == short


def test_folding_moves_the_threshold_to_minus_c_squared():
    for c in (Fraction(1, 2), Fraction(1), Fraction(6, 5), Fraction(5, 4), Fraction(3)):
        w = max_margin(np.array([[Fraction(1), c], [Fraction(4), -c]])).exact().w
        assert -w[1] * c / w[0] == max(-c * c, Fraction(-3, 2))
    folded = max_margin(fold([[1], [-4]], [1, -1])).exact()
    assert folded.w == (1, 1)
    assert max_margin(differences([[1], [-4]], [1, -1])).exact().squared == 25


@settings(max_examples=80, deadline=None)
@given(integer_patterns(dimensions=(2, 3), most=8), st.integers(1, 6), st.data())
def test_folding_loses_no_more_than_proved(X, c, data):
    X = np.unique(X, axis=0)
    y = np.array(data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X))))
    if abs(y.sum()) == len(y):
        return
    star = max_margin(differences(X, y)).exact()
    if not star.squared:
        return
    u = np.array(star.w)
    middle = (min(X[y == 1] @ u) + max(X[y == -1] @ u)) / 2
    w = np.array(max_margin(np.column_stack([X, np.full(len(X), c)]) * y[:, None]).exact().w)
    score = min(y * (X @ w[:-1] + c * w[-1]))
    assert score > 0
    assert score**2 * (1 + middle**2 / star.squared / c**2) >= star.squared / 4 * (w[:-1] @ w[:-1])


@pytest.mark.parametrize("seed", [0])
def test_360_patterns_in_20_dimensions(seed):
    Z = separable(seed)
    best = max_margin(Z)
    for run, tol in ((kozinec(Z, eps=1e-3, relative=True), 1e-3), (mdm(Z, tol=1e-6), 1e-6)):
        assert run.converged
        assert run.gap <= tol * run.upper * (1 + 1e-9)
        assert run.lower <= best.upper
        assert best.lower <= run.upper


def test_the_origin_ends_a_run():
    Z = [[1, 2], [-1, -2], [3, 1]]
    for run in (kozinec(Z), kozinec(Z, eps=0.1), kozinec(Z, eps=0.1, relative=True), mdm(Z)):
        assert run.stop == "origin reached"
        assert run.lower <= 0 <= run.upper <= 1e-14
    exact = kozinec(np.array(Z) * Fraction(1))
    assert (exact.stop, exact.squares[-1], exact.updates) == ("origin reached", 0, 1)
    assert exact.weights.tolist() == [Fraction(1, 2)] * 2
    assert mdm(np.array(Z) * Fraction(1)).stop == "origin reached"
    for run in (kozinec([[0.1, 0.7], [-0.3, -2.1]]), mdm([[0.1, 0.7], [-0.3, -2.1]])):
        assert (run.stop, run.updates) == ("origin reached", 1)
        assert 0 < run.squares[-1] < 1e-30  # a zero of floats


def test_out_of_updates_and_none_at_all():
    Z = separable(1, p=50, n=5)
    run = kozinec(Z, eps=1e-6, max_updates=1234)
    assert (run.stop, run.updates, len(run.squares)) == ("out of updates", 1234, 1235)
    assert kozinec([[1, 0], [0, 1]], max_updates=0).stop == "out of updates"
    assert kozinec([[1, 1]], max_updates=0).stop == mdm([[1, 1]], max_updates=0).stop == "no violator left"
    assert kozinec([[1, 0], [0, 1]], max_updates=1).converged
    assert kozinec([[1, 0], [0, 1]], max_updates=10**30).converged


@pytest.mark.parametrize("exponent", [-990, -500, 500, 990])
def test_a_power_of_two_changes_no_step(exponent):
    Z, scale = separable(2, p=30, n=3), 2.0**exponent
    for algorithm, options in ((kozinec, {"eps": 0.01}), (kozinec, {"eps": 0.01, "relative": True}), (mdm, {})):
        plain = algorithm(Z, **options)
        if algorithm is kozinec and "relative" not in options:
            options = {"eps": 0.01 * scale}
        run = algorithm(Z * scale, **options)
        assert run.converged
        assert run.picks.tolist() == plain.picks.tolist()
        assert run.w.tolist() == (plain.w * scale).tolist()
        assert run.lower <= max_margin(Z * scale).upper
        assert run.upper >= max_margin(Z * scale).lower


def test_an_eps_that_vanishes_beside_the_patterns_is_not_zero():
    Z = np.array([[2e300, 0], [1e300, 1e300]])
    assert kozinec(Z, eps=1e-300).w.tolist() == [1e300, 1e300]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kozinec([[1, 0], [0, 0]]), "pattern 1 is zero"),
        (lambda: kozinec([[1]], eps=-1), "eps is -1; expected a finite number, zero or more"),
        (lambda: kozinec([[1]], eps=np.nan), "eps is nan"),
        (lambda: kozinec([[1]], eps=np.inf), "eps is inf"),
        (lambda: kozinec([[1]], eps="small"), "eps is small"),
        (lambda: kozinec([[1]], rule="best"), "rule is 'best'; expected one of first, cyclic, worst"),
        (lambda: kozinec([[1]], start=1), "start is 1; expected a whole number, from 0 to 0"),
        (lambda: kozinec([[1]], max_updates=1.5), "max_updates is 1.5; expected a whole number"),
        (lambda: mdm([[1]], tol=-1), "tol is -1"),
        (lambda: mdm([[1]], start=True), "start is True"),
        (lambda: differences([[1], [2]], [1, 1]), "expected two classes|expected points of both"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_differences_are_the_minkowski_difference():
    assert differences([[1, 2], [0, 0], [5, 5]], [1, 0, 1]).tolist() == [[1, 2], [5, 5]]
    assert sqrt(max_margin(differences([[0], [3]], [0, 1])).exact().squared) == 3


def test_the_distance_of_two_hulls():
    one, two = np.array([[0, 0], [0, 2]]), np.array([[3, 1]])
    assert two_classes.squared_distance(one, two) == two_classes.squared_distance(two, one) == 9
    assert two_classes.squared_distance(one, np.array([[3, 3], [5, 5]])) == 10
    assert two_classes.squared_distance(np.array([[0, 0], [1, 2]]), np.array([[2, 0]])) == Fraction(16, 5)


def test_slide_44_from_zero_stays_there_and_from_a_pattern_does_not():
    Z = np.array([[1, 0], [-1, 1]])
    assert not descents.from_zero(Z)
    assert kozinec(Z).converged


def test_the_control_of_the_search_fails_on_right_angles_alone():
    assert not descents.stops_right(np.eye(2, dtype=int), 0)
    assert descents.stops_right(np.array([[1, 0], [-1, 1]]), 0)
