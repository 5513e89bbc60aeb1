"""The margin perceptron against scikit-learn's SGDClassifier, hinge loss, five epochs in order; the weights must agree.

The plain block scan, which looks ahead for the next mistake, is the second peer where mistakes are many.
"""

from contextlib import contextmanager

import numpy as np
from sklearn.linear_model import SGDClassifier

from lib.perceptrons import marginal_sweeps
from lib.perceptrons.margin_perceptron import margin_perceptron
from tools.benchmarks import Row, one_pass, race, two_classes

EPOCHS = 5
RATE = 0.01
CASES = [  # rows, columns, margin, label noise, decay, goal as a ratio to scikit-learn
    (360, 21, 0.1, 0.0, 0, 0.5),
    (10_000, 21, 0.1, 0.15, 0, None),
    (10_000, 21, 0.1, 0.15, 1e-4, None),
    (100_000, 55, 2.0, 0.0, 0, 2),
    (100_000, 55, 0.1, 0.25, 0, None),
]


def rows(quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for seed, case in enumerate(CASES[: 3 if quick else None], start=501):
        yield from _case(*case, seed)


def _case(p, n, margin, noise, decay, goal, seed):
    Z, y = two_classes(p, n, margin, seed, noise)
    X = Z * y[:, None]
    peer = SGDClassifier(
        loss="hinge",
        penalty="l2" if decay else None,
        alpha=decay or 1e-4,
        learning_rate="constant",
        eta0=RATE,
        shuffle=False,
        tol=None,
        max_iter=EPOCHS,
        fit_intercept=False,
    )
    unit, repeats = one_pass(Z)
    contestants = {
        "unit": unit,
        "ours": lambda: margin_perceptron(Z, RATE, decay=decay, epochs=EPOCHS, bias=False),
        "peer": lambda: peer.fit(X, y),
    }
    if noise and not decay:
        contestants["scan"] = lambda: _scan(Z)
    seconds, found = race(contestants, runs=3, once=("scan",))
    run = found["ours"]
    apart = float(abs(found["peer"].coef_[0] - run.w).max())
    per = {name: value / EPOCHS for name, value in seconds.items()}
    size = f"{p}x{n}, {run.updates / p / EPOCHS:.2g} updates a row" + (f", decay {decay:g}" if decay else "")
    note = f"an epoch; weights within {apart:.0e}" if apart else "an epoch; weights equal"
    cost = seconds["unit"] / repeats
    aim, met = (f">= {goal}x", apart < 1e-10 and per["peer"] >= goal * per["ours"]) if goal else ("", None)
    yield Row("margin_perceptron / SGDClassifier", size, per["ours"], per["peer"], cost, aim, met, note)
    if "scan" in seconds:
        same = np.array_equal(found["scan"].w, run.w)
        met = same and per["scan"] >= 5 * per["ours"] if p >= 100_000 else None
        aim = ">= 5x" if p >= 100_000 else ""
        note = f"an epoch; weights {'equal' if same else 'DIFFER'}"
        yield Row("margin_perceptron / block scan", size, per["ours"], per["scan"], cost, aim, met, note)


def _scan(Z):
    with _always_scan():
        return margin_perceptron(Z, RATE, epochs=EPOCHS, bias=False)


@contextmanager
def _always_scan():
    few, marginal_sweeps.FEW = marginal_sweeps.FEW, 2.0
    try:
        yield
    finally:
        marginal_sweeps.FEW = few
