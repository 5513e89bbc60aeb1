"""Margin Notes: perceptrons and large margins, every run with its proof.

>>> from lib import fold, perceptron, max_margin, separability
>>> patterns = fold([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])  # AND
>>> perceptron(patterns).updates
18
>>> max_margin(patterns).exact().squared
Fraction(1, 17)
>>> separability(patterns).verify()
True

Importing this package brings numpy alone; `lib.claims` (the ledger) and `lib.figures` are imported when used.
"""

from lib import bounds
from lib.bounds import replay
from lib.compiled import show
from lib.margins.hulls import kozinec, mdm
from lib.margins.max_margin import MaxMargin, max_margin
from lib.margins.separability import Separability, separability
from lib.patterns import differences, fold, lift, monomials
from lib.perceptrons.batch import batch
from lib.perceptrons.corrective import corrective
from lib.perceptrons.krauth_mezard import krauth_mezard
from lib.perceptrons.margin_perceptron import margin_perceptron
from lib.perceptrons.perceptron import Run, perceptron
from lib.perceptrons.pocket import pocket
from lib.perceptrons.simple_mlp import hard_tanh_mlp, simple_mlp
from lib.perceptrons.standard_mlp import standard_mlp
from lib.studies import families

__all__ = [
    "MaxMargin",
    "Run",
    "Separability",
    "batch",
    "bounds",
    "corrective",
    "differences",
    "families",
    "fold",
    "hard_tanh_mlp",
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
    "show",
    "simple_mlp",
    "standard_mlp",
]
