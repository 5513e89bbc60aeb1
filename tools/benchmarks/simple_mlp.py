"""The Simple MLP, one pass over Covertype, against scikit-learn's MLPClassifier with batches of 1 and of 200.

The peers descend on another loss (cross-entropy, plain SGD), so this is time for a pass and nothing else. Ours meets
every example with the weights that the one before has left, as batch 1 does.
"""

import numpy as np
from sklearn.neural_network import MLPClassifier

from lib import simple_mlp
from lib.data import covertype, prepared
from tools.benchmarks import Row, one_pass, race

FEW = 2000
"""Rows of a pass with batches of one, whose time is scaled up."""


def rows(seed, *, quick=False):
    """Yield two rows for each number of hidden units."""
    X, cover = covertype()
    (train, *_) = prepared(X, np.where(cover == 2, 1, -1), [20_000 if quick else 100_000], rng=seed)
    for units in (100, 500):
        yield from _case(*train, units, seed)


def _case(X, y, units, seed):
    contestants = {
        "unit": one_pass(X),
        "ours": lambda: simple_mlp(X, y, rate=2.0**-9, beta=5.0, units=units, epochs=1, rng=seed),
        "200": lambda: _peer(units, 200).partial_fit(X, y, classes=[-1, 1]),
        "1": lambda: _peer(units, 1).partial_fit(X[:FEW], y[:FEW], classes=[-1, 1]),
    }
    seconds, found = race(contestants, runs=3, once={"1"})
    note = f"{found['ours'].history[0].unit_updates} unit updates"
    peers = {"200": (seconds["200"], 2, note), "1": (seconds["1"] * len(X) / FEW, 50, f"peer scaled from {FEW} rows")}
    for batch, (theirs, goal, said) in peers.items():
        size, name = f"{len(X)}x{X.shape[1]}, N = {units}", f"MLPClassifier, batch {batch}"
        yield Row("simple_mlp", size, name, seconds["ours"], theirs, seconds["unit"], goal, note=said)


def _peer(units, batch):
    return MLPClassifier(
        (units,), activation="tanh", solver="sgd", batch_size=batch, learning_rate_init=1e-3, random_state=0
    )
