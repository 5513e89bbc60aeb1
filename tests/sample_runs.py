"""Every algorithm on a few small problems, and a digest of each answer: of its picks and weights, to the last bit.

As a program it prints the digests as JSON; with the word `plain` numba cannot be imported.
"""

import hashlib
import json
import os
import subprocess
import sys

if "plain" in sys.argv:
    sys.modules["numba"] = None  # import numba raises an ImportError

import numpy as np

import lib
from lib.perceptrons.perceptron import ORDERS
from lib.perceptrons.pocket import RULES

FIELDS = ("w", "picks", "updates", "converged", "stop", "mistakes", "swaps", "separable", "lower", "upper", "support")
FIELDS += ("weights", "v", "d", "b")


def problems():
    """Sets that are separable and sets that are not: floats, integers, ties, doubles, rows of unequal lengths."""
    rng = np.random.default_rng(5)
    floats = rng.normal(size=(12, 4))
    floats *= np.sign(floats @ [1.0, -2, 0.5, 1])[:, None]
    return {
        "floats": floats,
        "doubles": np.vstack([floats[:4], floats[:2], 1e-3 * floats[4:6]]),
        "integers": lib.families.exponential(4),
        "mixed": rng.normal(size=(9, 3)),
        "wide": rng.normal(size=(10, 37)),  # long enough for a compiler that adds in another order to show
        "xor": lib.fold([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]),
    }


def runs(Z):
    """(name, answer) of each algorithm on the patterns Z; those that need separable patterns on these alone."""
    found = lib.separability(Z)
    yield "separability", found
    for order in ORDERS:
        yield f"perceptron {order}", lib.perceptron(Z, order=order, max_updates=200)
    for rule in RULES:
        yield f"pocket {rule}", lib.pocket(Z, rule=rule, max_tests=200)
    yield "batch", lib.batch(Z, max_updates=60)
    yield "margin_perceptron", lib.margin_perceptron(Z * 1.0, 0.05, max_updates=300)
    yield "max_margin", lib.max_margin(Z)
    if found.separable:
        yield "corrective", lib.corrective(Z * 1.0, max_updates=200)
        yield "krauth_mezard", lib.krauth_mezard(Z, 3, max_updates=2000)
        yield "kozinec", lib.kozinec(Z * 1.0, eps=0.1, max_updates=2000)
        yield "mdm", lib.mdm(Z * 1.0, tol=1e-3, max_updates=2000)


def network(trainer):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(40, 3))
    return trainer(X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1), rate=0.1, epochs=3, units=4, rng=0).mlp


def digest(answer):
    values = {name: getattr(answer, name) for name in FIELDS if hasattr(answer, name)}
    content = {name: np.asarray(value).tolist() for name, value in values.items()}
    return hashlib.sha256(repr(content).encode()).hexdigest()[:16]


def digests():
    found = {f"{name}, {key}": digest(answer) for key, Z in problems().items() for name, answer in runs(Z)}
    return {trainer.__name__: digest(network(trainer)) for trainer in (lib.simple_mlp, lib.standard_mlp)} | found


def elsewhere(*words, **environment):
    """The digests of another process, and whether it has imported numba."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment
    return json.loads(subprocess.check_output([sys.executable, __file__, *words], env=environment))


if __name__ == "__main__":
    print(json.dumps([digests(), sys.modules.get("numba") is not None]))
