"""The exercises of Rojas' chapter, and the reduction behind the remark on NP-completeness."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from lib import families, fold, perceptron, separability

PATCHES = np.array(list(product([0, 1], repeat=9)))
LIT = (PATCHES[:, 4] == 1) & (PATCHES.sum(axis=1) < 9)
DARK = (PATCHES[:, 4] == 0) & (PATCHES.sum(axis=1) > 0)
MASK = np.where(np.arange(9) == 4, 16, -2)


def test_the_edge_operator_by_hand_and_learnt():
    assert ((PATCHES @ MASK > 1) == LIT).all()
    assert ((PATCHES @ -MASK > 1) == DARK).all()
    run = perceptron(fold(PATCHES, LIT))
    assert (run.converged, run.updates) == (True, 555)


def test_both_sides_of_an_edge_cannot_be_marked():
    target = LIT | DARK
    found = separability(fold(PATCHES, target))
    assert (found.separable, found.verify()) == (False, True)
    for patch in PATCHES[target]:
        four = fold(np.array([patch, 1 - patch, 0 * patch, 0 * patch + 1]), [1, 1, 0, 0])
        assert not four.sum(axis=0).any()
    assert target.sum() == 510


def test_many_iterations_with_small_numbers():
    run = perceptron(families.bits(8))
    assert run.patterns.tolist() == [[128, 1], [-256, 1], [256, 1]]
    assert (run.updates, run.w.tolist()) == (32769, [128, 32769])


@pytest.mark.parametrize(("n", "p", "count"), [(2, 4, 8), (3, 5, 22), (3, 6, 32), (4, 6, 52), (2, 7, 14)])
def test_signs_that_fit_into_a_half_space(n, p, count):
    assert count == 2 * sum(comb(p - 1, k) for k in range(n))
    V = np.array([[t**k for k in range(n)] for t in range(p)])
    signs = product([1, -1], repeat=p - 1)
    assert 2 * sum(separability(V * np.array([1, *s])[:, None]).separable for s in signs) == count


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_mean_and_variance_are_twice_the_dimension(n):
    law = {p: Fraction(comb(p - 1, n - 1), 2**p) for p in range(n, 60 * n + 60)}
    tail = Fraction(sum(comb(2 * n - 1, k) for k in range(n)), 2 ** (2 * n - 1))
    mean = sum(p * q for p, q in law.items())
    assert float(sum(law.values())) == pytest.approx(1)
    assert float(mean) == pytest.approx(2 * n)
    assert float(sum(p * p * q for p, q in law.items()) - mean**2) == pytest.approx(2 * n)
    assert tail == Fraction(1, 2)  # P(N ≥ 2n), for every n
    assert sum(law[p] for p in range(n, 2 * n)) == 1 - tail


def largest(vertices, edges):
    """|E| + α(G), after checking that so many patterns are separable and no more."""
    sets = (set(s) for k in range(vertices, -1, -1) for s in combinations(range(vertices), k))
    chosen = next(s for s in sets if not any({u, v} <= s for u, v in edges))
    unit = np.eye(vertices, dtype=int)
    Z = np.vstack([unit, *(-(unit[u] + unit[v])[None] for u, v in edges)])
    k = len(edges) + len(chosen)
    w = np.array([1 if v in chosen else -2 for v in range(vertices)])
    assert (Z @ w > 0).sum() == k
    assert not any(separability(Z[list(s)]).separable for s in combinations(range(len(Z)), k + 1))
    return k


def test_the_largest_separable_subset_is_an_independent_set_in_disguise():
    assert largest(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]) == 7
    pairs = list(combinations(range(3), 2))
    for bits in product([0, 1], repeat=3):
        largest(3, [e for e, bit in zip(pairs, bits, strict=True) if bit])
    assert largest(4, list(combinations(range(4), 2))) == 7


def test_least_squares_misses_a_separation():
    Z = fold([[1], [2], [100], [-1]], [1, 1, 1, -1])
    w = np.array([Fraction(53, 7405), Fraction(2351, 7405)])
    assert (Z.T @ (Z @ w - 1)).tolist() == [0, 0]
    assert [score > 0 for score in Z @ w] == [True, True, True, False]
    assert separability(Z).separable
