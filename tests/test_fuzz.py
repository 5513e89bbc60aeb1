"""A small part of the fuzz, and a proof that it can fail."""

from fuzz import CHECKS, KINDS, fuzz

import lib


def test_every_algorithm_agrees_with_the_oracle():
    said = []
    tried, wrong = fuzz(3 * len(CHECKS) * len(KINDS), seed=11, report=said.append)
    assert set(tried) == set(CHECKS)
    assert not wrong.total(), said


def test_the_oracle_notices_another_start(monkeypatch):
    right = lib.perceptron
    monkeypatch.setattr(lib, "perceptron", lambda Z, **options: right(Z, **options | {"w0": None}))
    _, wrong = fuzz(3 * len(CHECKS) * len(KINDS), seed=11, report=lambda _: None)
    assert wrong["perceptron, cyclic"] > 0
    assert not wrong["pocket, count"]
