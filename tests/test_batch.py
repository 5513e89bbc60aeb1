"""The batch rule, its stalls and cycles, and the exact hitting times of chance."""

import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import integer_patterns, separable_patterns

from lib import bounds, fold, max_margin, perceptron, pocket, separability
from lib.bounds.ctu import eq25 as mistakes
from lib.bounds.ctu import eq28 as cost
from lib.bounds.ctu import eq29 as subgradient
from lib.perceptrons.batch import batch
from lib.perceptrons.pocket import fewest
from lib.studies import unseparable
from lib.studies.chains import hitting_time, reachable

XOR = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
XOR_SIGNS = fold([[-1, -1], [-1, 1], [1, -1], [1, 1]], [-1, 1, 1, -1])


def line(x, labels):
    return fold(np.array(x)[:, None], [1 if c == "+" else -1 for c in labels], keep_contradictions=True)


vectors = st.lists(st.integers(-5, 5), min_size=2, max_size=2)
planar = integer_patterns(dimensions=(2, 2), size=3)


@given(planar, vectors)
def test_mistakes_and_cost_are_what_they_say(Z, w):
    scores = [int(z[0]) * w[0] + int(z[1]) * w[1] for z in Z]
    assert mistakes(Z, w) == sum(s <= 0 for s in scores)
    assert cost(Z, w) == sum(max(0, -s) for s in scores)


@given(planar, vectors, vectors)
def test_the_sum_of_wrong_patterns_is_a_subgradient(Z, w, v):
    assert cost(Z, v) >= cost(Z, w) + subgradient(Z, w) @ (np.array(v) - np.array(w))


@given(planar, vectors)
def test_it_is_the_gradient_where_no_score_is_zero_and_not_on_a_tie(Z, w):
    h, g, level = Fraction(1, 10**4), subgradient(Z, w), cost(Z, w)
    ties = Z[Z @ np.array(w) == 0].astype(object)
    for d in ties if len(ties) else np.eye(2, dtype=int).astype(object):
        slopes = [(cost(Z, w + s * h * d) - level) / (s * h) for s in (1, -1)]
        assert (slopes[0] == slopes[1] == g @ d) == (not len(ties))


@given(integer_patterns(most=5, dimensions=(2, 3), size=2))
@settings(max_examples=40, deadline=None)
def test_fewest_agrees_with_leaving_patterns_out(Z):
    least, w = fewest(Z)
    assert mistakes(Z, w) == least
    for keep in combinations(range(len(Z)), len(Z) - least + 1):
        assert least == 0 or not separability(Z[list(keep)]).separable


def test_fewest_when_all_borders_are_one_line():
    assert fewest([[2, 4], [-1, -2], [1, 2]])[0] == 1
    assert fewest([[Fraction(1, 3), 0]])[0] == 0


RATES = [[1], *([Fraction(1, (t + 1) ** k) for t in range(60)] for k in (1, 2)), [Fraction(1, 2**t) for t in range(60)]]


def naive(Z, eta, steps):
    Z, w, path = [list(map(Fraction, map(int, z))) for z in Z], [Fraction(0)] * Z.shape[1], []
    for t in range(steps + 1):
        wrong = [z for z in Z if sum(a * b for a, b in zip(w, z, strict=True)) <= 0]
        path.append((tuple(w), len(wrong)))
        w = [a + eta[min(t, len(eta) - 1)] * sum(z[i] for z in wrong) for i, a in enumerate(w)]
    return path


@given(integer_patterns(dimensions=(1, 3), size=3), st.sampled_from(RATES))
@settings(deadline=None)
def test_the_batch_rule_is_the_plain_loop(Z, rate):
    found = batch(Z, rate=rate, max_updates=12)
    expected = naive(Z, rate, found.updates)
    assert [(tuple(w), n) for w, n in zip(found.path.tolist(), found.wrong.tolist(), strict=True)] == expected
    assert found.mistakes == min(n for _, n in expected) == mistakes(Z, found.w)
    assert found.wrong[0] == len(Z)


@given(integer_patterns(most=5, dimensions=(2, 2), size=3))
@settings(max_examples=60, deadline=None)
def test_at_a_constant_rate_every_run_settles_and_what_it_says_is_so(Z):
    found = batch(Z, max_updates=100_000)
    assert found.stop != "out of updates"
    on = naive(Z, [1], found.updates + 3)
    if found.stop == "no mistake left":
        assert found.mistakes == 0
    else:
        assert on[found.updates] == on[found.updates - (found.period if found.stop == "cycle" else 0)]
        assert found.stop == "cycle" or on[found.updates] == on[found.updates + 1]
        assert not separability(Z).separable


@given(separable_patterns(most=6, dimensions=(1, 3), size=3))
@settings(max_examples=80, deadline=None)
def test_the_separable_bound(case):
    Z, _ = case
    found = batch(Z, max_updates=100_000)
    limit = bounds.ours.batch(len(Z), bounds.ctu.eq9(Z), max_margin(Z).exact().squared)
    assert found.stop == "no mistake left"
    assert found.updates <= int(found.wrong.sum()) <= limit


def test_copies_of_one_pattern_attain_the_bound():
    Z = np.array([[2, 1]] * 7)
    assert batch(Z).wrong.sum() == 7 == bounds.ours.batch(7, 5, max_margin(Z).exact().squared)


@pytest.mark.parametrize(
    ("Z", "stop", "period", "least", "possible"),
    [
        (line([3, 3], "+-"), "stalled", 1, 2, 1),
        (line([-2, -1, 1, 2], "+--+"), "stalled", 1, 4, 1),
        (XOR, "stalled", 1, 4, 1),
        (XOR_SIGNS, "stalled", 1, 4, 1),
        (line([-1, 1, 3], "+-+"), "cycle", 2, 2, 1),
        (line([-1, 1, 5], "+-+"), "cycle", 3, 2, 1),
        (line([-1, 1, 11], "+-+"), "cycle", 6, 2, 1),
    ],
)
def test_the_counterexamples(Z, stop, period, least, possible):
    found = batch(Z)
    assert (found.stop, found.period, found.mistakes, fewest(Z)[0]) == (stop, period, least, possible)


def test_the_smallest_cycle_in_numbers():
    assert batch(line([-1, 1, 3], "+-+")).path.tolist() == [[0, 0], [1, 1], [-1, 1], [1, 1]]


def test_a_stall_stays_a_stall_at_any_rate():
    for rate in (*RATES, 7, Fraction(1, 3), 0.5 ** np.arange(60)):
        assert batch(XOR, rate=rate).stop == "stalled"


def test_rates_that_shrink_too_fast_fail_on_separable_data():
    Z = line([-3, -2], "-+")
    found = batch(Z, rate=RATES[-1], max_updates=59)
    assert (found.path @ Z[1])[3:].tolist() == [Fraction(-10, 2**t) for t in range(3, 60)]
    assert (found.mistakes, batch(Z).updates, batch(Z).mistakes) == (1, 28, 0)


def test_a_constant_rate_only_scales():
    Z = line([-2, -1, 0, 1, 2], "+-++-")
    for eta in (Fraction(1, 3), 7):
        assert (batch(Z, rate=eta).path == eta * batch(Z).path).all()


def test_floats_are_run_but_never_said_to_cycle():
    assert batch(line([-1, 1, 3], "+-+") * 1.0, max_updates=50).stop == "out of updates"


def dense(Z, least):
    """The expected time by numpy's solver on the same chain, built anew."""
    index, todo = {(0,) * Z.shape[1]: 0}, [np.zeros(Z.shape[1], dtype=int)]
    edges = []
    for i, w in enumerate(todo):
        wrong = Z[Z @ w <= 0]
        for z in wrong if len(wrong) > least else []:
            key = tuple((w + z).tolist())
            if key not in index:
                index[key] = len(todo)
                todo.append(w + z)
            edges.append((i, index[key], 1 / len(wrong)))
    P = np.zeros((len(todo), len(todo)))
    for i, j, p in edges:
        P[i, j] += p
    return np.linalg.solve(np.eye(len(todo)) - P, P.sum(axis=1))[0]


@given(integer_patterns(most=4, dimensions=(2, 2), size=2))
@settings(max_examples=40, deadline=None)
def test_hitting_times_solve_the_chain(Z):
    assert float(hitting_time(Z)[0]) == pytest.approx(dense(Z, fewest(Z)[0]), rel=1e-8)


@pytest.mark.parametrize(
    ("Z", "time"),
    [
        (line([-1, 1, 3], "+-+"), Fraction(7034, 1393)),
        (line([-1, 1, 5], "+-+"), Fraction(6320, 1013)),
        (line([-1, 1, 11], "+-+"), Fraction(4068224, 398085)),
        (line([-2, -1, 1, 2], "+--+"), Fraction(130647, 115)),
        (line([-2, -1, 0, 1, 2], "+-++-"), Fraction(51436565547, 92389480)),
        (line([3, 3], "+-"), 1),
        (XOR_SIGNS, 3),
    ],
)
def test_exact_hitting_times(Z, time):
    assert hitting_time(Z)[0] == time


@pytest.mark.parametrize("scale", [2**31, 2**40, 2**62, 2**70])
def test_the_graph_is_the_same_on_every_scale(scale):
    small, large = (
        reachable([[1, 2], [-1, 1], [0, -2]]),
        reachable(np.array([[1, 2], [-1, 1], [0, -2]], object) * scale),
    )
    assert large.w.tolist() == [[v * scale for v in w] for w in small.w.tolist()]
    assert (large.edges == small.edges).all()
    assert (large.mistakes == small.mistakes).all()


@pytest.mark.parametrize("patterns", [[[0.5]], [[Fraction(1, 2)]], np.array([[1]], dtype="m8[ns]"), [[1], [1, 2]]])
def test_the_graph_needs_integers(patterns):
    with pytest.raises(ValueError, match="expected"):
        reachable(patterns)


def test_chance_reaches_what_the_batch_rule_misses():
    rng = np.random.default_rng(0)
    Z = line([-1, 1, 3], "+-+")
    found = [pocket(Z, rule="count", max_tests=120, rng=rng) for _ in range(200)]
    times = np.array([p.swaps[-1, 0] for p in found])
    assert {p.mistakes for p in found} == {1}
    assert abs(times.mean() - 7034 / 1393) < 4 * times.std() / np.sqrt(200)


def test_the_mean_run_on_separable_patterns_lies_between_shortest_and_longest():
    Z = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    lengths = [perceptron(Z, order="random", rng=i).updates for i in range(60)]
    assert min(lengths) <= hitting_time(Z, least=0)[0] <= max(lengths)


def test_bad_input_is_named():
    for rate in (0, -1, np.inf, np.nan, True, "fast", (), [1, 0], [[1]], lambda t: 1):
        with pytest.raises(ValueError, match=re.escape(f"rate is {rate!r}; expected finite numbers above zero")):
            batch(XOR, rate=rate)
    with pytest.raises(ValueError, match="patterns are floats"):
        fewest(XOR * 1.0)
    with pytest.raises(ValueError, match="max_states"):
        hitting_time(XOR, max_states=20)


def test_chance_meets_what_can_be_met_and_nothing_better():
    for Z, least in ((XOR, 1), (line([-1, 1, 3], "+-+"), 1)):
        assert unseparable.always_within_reach(Z, least)
        assert not unseparable.always_within_reach(Z, least - 1)


def test_to_the_letter_the_rule_never_leaves_zero():
    assert unseparable.to_the_letter(line([-1, 1], "-+"), 50) == 2
    assert batch(line([-1, 1], "-+")).mistakes == 0


def test_the_census_holds_what_no_threshold_separates():
    sets = list(unseparable.census(3, 2))
    assert len(sets) == 10
    assert not any(separability(Z).separable for Z in sets)
    assert [unseparable.fewest_in_the_plane(Z) for Z in sets] == [fewest(Z)[0] for Z in sets]
