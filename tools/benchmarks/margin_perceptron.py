"""The margin perceptron against scikit-learn's SGDClassifier, five epochs in order; the weights must agree."""

from sklearn.linear_model import SGDClassifier

from lib import margin_perceptron
from tools.benchmarks import Row, one_pass, race, two_classes

EPOCHS = 5
RATE = 0.01
CASES = [  # rows, columns, margin, label noise, decay
    (360, 21, 0.1, 0.0, 0),
    (10_000, 21, 0.1, 0.15, 0),
    (10_000, 21, 0.1, 0.15, 1e-4),
    (100_000, 55, 2.0, 0.0, 0),
    (100_000, 55, 0.1, 0.25, 0),
]
GOAL = 2
"""At least so many times as fast as scikit-learn."""


def rows(quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for seed, case in enumerate(CASES[: 3 if quick else None], start=501):
        yield _case(*case, seed)


def _case(p, n, margin, noise, decay, seed):
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
    contestants["ours"]()  # compile
    seconds, found = race(contestants)
    ours, theirs, run = seconds["ours"] / EPOCHS, seconds["peer"] / EPOCHS, found["ours"]
    apart = float(abs(found["peer"].coef_[0] - run.w).max())
    size = f"{p}x{n}, {run.updates / p / EPOCHS:.2g} updates a row" + (f", decay {decay:g}" if decay else "")
    note = f"an epoch; weights within {apart:.0e}" if apart else "an epoch; weights equal"
    met = apart < 1e-10 and theirs >= GOAL * ours
    cost = seconds["unit"] / repeats
    return Row("margin_perceptron / SGDClassifier", size, ours, theirs, cost, f">= {GOAL}x", met, note)
