"""The cyclic perceptron against scikit-learn's, given the number of passes; the weights must be equal to the bit."""

import numpy as np
from sklearn.linear_model import Perceptron

from lib import perceptron
from tools.benchmarks import Row, one_pass, race, two_classes

CASES = [  # rows, columns, margin, goal as a ratio to scikit-learn
    (360, 20, 0.1, 10),
    (360, 20, 0.003, None),
    (1000, 20, 0.01, 5),
    (10_000, 50, 0.1, 2),
    (10_000, 20, 0.003, None),
    (100_000, 54, 0.1, 2),
    (1_000_000, 20, 0.1, 2),
    (100_000, 54, 0.01, None),
]


def rows(seed, *, quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for k, case in enumerate(CASES[: 4 if quick else None]):
        yield _case(*case, [seed, 1, k])


def _case(p, n, margin, goal, seed):
    Z, y = two_classes(p, n, margin, seed)
    X = Z * y[:, None]
    passes = perceptron(Z).passes
    contestants = {
        "unit": one_pass(Z),
        "ours": lambda: perceptron(Z),
        "peer": lambda: Perceptron(shuffle=False, tol=None, max_iter=passes, fit_intercept=False).fit(X, y),
    }
    seconds, found = race(contestants, runs=1 if margin < 0.1 and p > 10_000 else 5)
    run = found["ours"]
    same = np.array_equal(found["peer"].coef_[0], run.w)
    note = f"{run.updates} updates, {run.passes} passes, weights {'equal' if same else 'DIFFER'}"
    times = seconds["ours"], seconds["peer"], seconds["unit"]
    return Row("perceptron", f"{p}x{n}, margin {margin:g}", "Perceptron", *times, goal, good=same, note=note)
