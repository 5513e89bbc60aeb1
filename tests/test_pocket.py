import numpy as np
import pytest
from reference import dot

from lib import fold, perceptron, pocket
from lib.perceptrons.pocket import fewest
from lib.studies.chains import reachable

XOR = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])


@pytest.mark.parametrize("rule", ["run", "ratchet", "count"])
def test_xor_leaves_one_mistake(rule):
    found = pocket(XOR, rule=rule, max_tests=20_000, rng=1)
    assert found.mistakes == (XOR @ found.w <= 0).sum() == 1
    assert (found.tests, found.stop) == (20_000, "out of tests")


@pytest.mark.parametrize("rule", ["ratchet", "count"])
def test_the_pocket_never_gets_worse(rule):
    rng = np.random.default_rng(2)
    for seed in range(20):
        Z = fold(rng.integers(-3, 4, (9, 2)), rng.permutation([1, -1] * 4 + [1]), keep_contradictions=True)
        swaps = pocket(Z, rule=rule, max_tests=2000, rng=seed).swaps
        assert (np.diff(swaps[:, 1]) < 0).all()
        assert (np.diff(swaps[:, 0]) > 0).all()


def test_the_run_length_rule_can_get_worse():
    worse = [np.diff(pocket(XOR, rule="run", max_tests=3000, rng=seed).swaps[:, 1]).max() for seed in range(20)]
    assert max(worse) > 0


@pytest.mark.parametrize("rule", ["run", "ratchet", "count"])
def test_separable_data_end_without_a_mistake(rule):
    Z = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
    found = pocket(Z, rule=rule, max_tests=50_000)
    assert (found.mistakes, found.stop) == (0, "no mistake left")
    assert (Z @ found.w > 0).all()


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="expected one of run"):
        pocket(XOR, rule="luck")
    for tests in (-1, 0.5, True, 10**30):
        with pytest.raises(ValueError, match="max_tests is"):
            pocket(XOR, max_tests=tests)


def random_sets(count, points=6, size=2, seed=0):
    """Folded integer points in the plane, contradictions included."""
    rng = np.random.default_rng(seed)
    return [
        fold(
            rng.integers(-size, size + 1, (points, 2)),
            rng.permutation([1, -1] * (points // 2)),
            keep_contradictions=True,
        )
        for _ in range(count)
    ]


def test_the_graph_of_xor():
    states = reachable(XOR)
    assert (len(states.w), states.complete, (states.w**2).sum(axis=1).max()) == (162, True, 29)
    assert (states.mistakes == 1).sum() == 8
    start, pattern, end = states.edges.T
    assert (states.w[start] + XOR[pattern] == states.w[end]).all()
    assert (states.w[start] @ XOR.T <= 0)[np.arange(len(start)), pattern].all()
    assert np.bincount(start, minlength=162).tolist() == states.mistakes.tolist()


def test_runs_stay_on_the_graph_and_its_best_state_is_the_best():
    for k, Z in enumerate(random_sets(12)):
        states = reachable(Z)
        known = set(map(tuple, states.w.tolist()))
        path = perceptron(Z, order="random", max_updates=300, rng=k).trajectory()
        assert states.complete
        assert set(map(tuple, path.tolist())) <= known
        assert states.mistakes.min() == fewest(Z)[0]


def test_fewest_in_other_dimensions():
    assert [fewest(Z)[0] for Z in (XOR, [[1], [-1], [-1]], [[1], [2]])] == [1, 1, 0]


def unvisited(states, target, corrections):
    """P(no state with mistakes ≤ target was visited) after 0, 1, … random corrections, by the chain itself."""
    bad, (start, _, end) = states.mistakes > target, states.edges.T
    share = np.divide(1.0, states.mistakes, out=np.zeros(len(bad)), where=bad)[start]
    mass, left = np.zeros(len(bad)), []
    mass[0] = bad[0]
    for _ in range(corrections + 1):
        left.append(mass.sum())
        mass = np.bincount(end, mass[start] * share, minlength=len(bad)) * bad
    return np.array(left)


def test_the_count_rule_agrees_with_the_exact_chain():
    states = reachable(XOR)
    left = unvisited(states, 1, 300)
    pockets = [pocket(XOR, rule="count", max_tests=300, rng=[2, k]) for k in range(4000)]
    seen = (np.array([found.after([10, 100, 300]) for found in pockets]) > 1).mean(axis=0)
    assert left[0] == 1
    assert (np.diff(left) <= 1e-12).all()
    assert abs(seen - left[[10, 100, 300]]).max() < 4 * np.sqrt(0.25 / 4000)


def test_a_graph_that_was_cut_off_says_so():
    assert not reachable(XOR, limit=5).complete
    with pytest.raises(ValueError, match="expected integers"):
        reachable([[0.5]])


@pytest.mark.parametrize("rule", ["run", "ratchet", "count"])
def test_numbers_beyond_floats_are_counted_exactly(rule):
    for big in (2**32, 2**33, 2**62, 10**30):
        found = pocket(np.array([[big, 1], [-big, 1]], dtype=object), rule=rule, max_tests=300)
        assert found.mistakes == 0
        assert found.w[1] > 0
    Z = np.array([[2**32, 1], [-(2**32), 1], [0, -1]])
    found = pocket(Z, rule=rule, max_tests=300)
    assert found.mistakes == 1 == sum(Z.astype(object) @ found.w.astype(object) <= 0)


def plain(Z, rule, tests, seed):
    """The three rules, word for word, until the pocket makes no mistake. Returns it, the picks and the swaps."""
    rng, w, pocketed, h, record = np.random.default_rng(seed), 0 * Z[0], True, 0, 0
    draws = rng.integers(len(Z), size=tests) if rule != "count" else None
    wrong = lambda v: [j for j, z in enumerate(Z) if dot(z, v) <= 0]  # noqa: E731
    stored, picks, swaps = w, [], [[0, len(wrong(w))]]
    for t in range(1, tests + 1):
        if not swaps[-1][1]:
            break
        j = draws[t - 1] if rule != "count" else wrong(w)[rng.integers(len(wrong(w)))]
        mistake = bool(dot(Z[j], w) <= 0)
        if mistake:
            w, h, pocketed = w + Z[j], 0, False
            picks.append(int(j))
        h += not mistake
        fewer = len(wrong(w)) < swaps[-1][1]
        better = fewer if rule == "count" else h > record and (pocketed or fewer or rule == "run")
        record = h if better else record
        if better and not pocketed:
            stored, pocketed = w, True
            swaps.append([t, len(wrong(w))])
    return stored, picks, swaps


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("rule", ["run", "ratchet", "count"])
def test_the_pocket_is_the_plain_loop_swap_for_swap(rule, kind):
    for k, Z in enumerate([XOR, *random_sets(20, seed=5)]):
        Z = Z[(Z != 0).any(axis=1)] * (0.1 if kind is float else 1)
        found = pocket(Z, rule=rule, max_tests=400, rng=k)
        w, picks, swaps = plain(Z, rule, 400, k)
        assert (found.w.tolist(), found.picks.tolist()) == (w.tolist(), picks)
        assert found.swaps.tolist() == swaps
        assert found.mistakes == swaps[-1][1]
        times = [swaps[-1][0] - 1, swaps[-1][0]] if len(swaps) > 1 else [0]
        assert found.after(times).tolist() == [n for _, n in swaps[-len(times) :]]


def test_the_bound_on_the_doubt():
    """n q^h + (1 − c q*^h)^⌊n/(M + h)⌋, with c computed from the graph of XOR, above the share of many runs."""
    states, p, M = reachable(XOR), 4, 500
    start, _, end = states.edges.T
    reach = (states.mistakes == 1).astype(float)
    for _ in range(M):
        moved = np.bincount(start, reach[end], minlength=len(reach)) / p
        reach = np.where(states.mistakes == 1, 1, moved + (1 - states.mistakes / p) * reach)
    c, h = reach.min(), np.arange(1, 100)
    pockets = [pocket(XOR, rule="run", max_tests=20_000, rng=[4, k]) for k in range(300)]
    share = (np.array([found.after([2000, 20_000]) for found in pockets]) > 1).mean(axis=0)
    for n, seen in zip((2000, 20_000), share, strict=True):
        limit = min(1, (n * 0.5**h + (1 - c * 0.75**h) ** (n // (M + h))).min())
        assert seen <= limit + 4 * np.sqrt(0.25 / 300)
    assert limit < 1
