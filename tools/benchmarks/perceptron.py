"""The cyclic perceptron against scikit-learn's, given the number of passes; the weights must be equal."""

import numpy as np
from sklearn.linear_model import Perceptron

from lib import perceptron
from tools.benchmarks import Row, one_pass, race, two_classes

CASES = [  # rows, columns, margin, goal as a ratio to scikit-learn
    (360, 21, 0.1, 4.5),
    (10_000, 21, 0.1, 0.5),
    (360, 21, 0.003, 0.5),
    (1000, 21, 0.01, 0.5),
    (10_000, 21, 0.003, 0.5),
    (10_000, 51, 0.1, 0.5),
    (100_000, 55, 0.1, 2),
    (1_000_000, 21, 0.1, 3),
    (100_000, 55, 0.01, 4),
]


def rows(quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for seed, case in enumerate(CASES[: 6 if quick else None], start=201):
        yield _case(*case, seed)


def _case(p, n, margin, goal, seed):
    Z, y = two_classes(p, n, margin, seed)
    X = Z * y[:, None]
    passes = perceptron(Z).passes
    unit, repeats = one_pass(Z)
    contestants = {
        "unit": unit,
        "ours": lambda: perceptron(Z),
        "peer": lambda: Perceptron(shuffle=False, tol=None, max_iter=passes, fit_intercept=False).fit(X, y),
    }
    seconds, found = race(contestants, runs=1 if margin < 0.1 and p > 10_000 else 5)
    ours, run = seconds["ours"], found["ours"]
    same = np.array_equal(found["peer"].coef_[0], run.w)
    met = same and seconds["peer"] >= goal * ours
    note = f"{run.updates} updates, {run.passes} passes, weights {'equal' if same else 'DIFFER'}"
    size, goal = f"{p}x{n}, margin {margin}", f">= {goal}x"
    return Row("perceptron / Perceptron", size, ours, seconds["peer"], seconds["unit"] / repeats, goal, met, note)
