"""Margin Notes: perceptrons and large margins, every run with its proof.

>>> from lib import fold, perceptron, max_margin, separability
>>> patterns = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])  # AND
>>> perceptron(patterns).updates
18
>>> max_margin(patterns).exact().squared
Fraction(1, 17)
>>> separability(patterns).verify()
True

Importing this package brings numpy alone. `lib.claims` (the ledger), `lib.figures` (pictures),
`lib.runner` (notebooks in batches) are imported when they are used.
"""

from lib import bounds, families, replay
from lib.hulls import kozinec, mdm
from lib.learning import Run, perceptron
from lib.margin import MaxMargin, max_margin
from lib.marginal import margin_perceptron
from lib.minover import krauth_mezard
from lib.patterns import differences, fold, lift, monomials
from lib.pockets import pocket
from lib.separation import Separability, separability

__all__ = [
    "MaxMargin",
    "Run",
    "Separability",
    "bounds",
    "differences",
    "families",
    "fold",
    "kozinec",
    "krauth_mezard",
    "lift",
    "margin_perceptron",
    "max_margin",
    "mdm",
    "monomials",
    "perceptron",
    "pocket",
    "replay",
    "separability",
]
