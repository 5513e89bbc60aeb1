"""The margin perceptron against scikit-learn's SGDClassifier, five epochs in order; the weights must agree."""

from sklearn.linear_model import SGDClassifier

from lib import margin_perceptron
from tools.benchmarks import Row, one_pass, race, two_classes

EPOCHS = 5
RATE = 0.01
CASES = [  # rows, columns, margin, label noise, decay
    (360, 20, 0.1, 0.0, 0),
    (10_000, 20, 0.1, 0.15, 0),
    (10_000, 20, 0.1, 0.15, 1e-4),
    (100_000, 54, 2.0, 0.0, 0),
    (100_000, 54, 0.1, 0.25, 0),
    (100_000, 54, 0.1, 0.25, 1e-4),
]


def rows(seed, *, quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for k, case in enumerate(CASES[: 3 if quick else None]):
        yield _case(*case, [seed, 4, k])


def _case(p, n, margin, noise, decay, seed):
    Z, y = two_classes(p, n, margin, seed, noise)
    X = Z * y[:, None]
    penalty = {"penalty": "l2", "alpha": decay} if decay else {"penalty": None}
    schedule = {"learning_rate": "constant", "eta0": RATE, "shuffle": False, "tol": None, "max_iter": EPOCHS}
    peer = SGDClassifier(loss="hinge", fit_intercept=False, **schedule, **penalty)
    contestants = {
        "unit": one_pass(Z),
        "ours": lambda: margin_perceptron(Z, RATE, decay=decay, epochs=EPOCHS, bias=False),
        "peer": lambda: peer.fit(X, y),
    }
    seconds, found = race(contestants)
    run, apart = found["ours"], float(abs(found["peer"].coef_[0] - found["ours"].w).max())
    size = f"{p}x{n}, {run.updates / p / EPOCHS:.2g} updates a row" + (f", decay {decay:g}" if decay else "")
    note = f"weights within {apart:.0e}" if apart else "weights equal"
    times = seconds["ours"], seconds["peer"], seconds["unit"]
    return Row("margin_perceptron", size, "SGDClassifier", *times, 2, good=apart < 1e-10, note=note)
