import numpy as np
import pytest

from lib import fold, pocket

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
    with pytest.raises(ValueError, match="max_tests"):
        pocket(XOR, max_tests=-1)
