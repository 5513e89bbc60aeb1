"""Comparisons that remember their two sides: entry by entry true or false, and how close the sides came.

A ruling on a claim is derived from such comparisons. Sides of integers and Fractions are compared exactly; floats may
be given a relative tolerance, which is stated where it is used.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, isfinite, log10
from operator import eq, le, lt

import numpy as np

from lib.numbers import is_exact

SMALLEST = 1e-12
"""A smaller relative gap is rounding."""


@dataclass(frozen=True)
class Compared:
    """Two sides of one shape, and the relation between them; `np.asarray` gives the array of bool."""

    small: np.ndarray = field(repr=False)
    large: np.ndarray = field(repr=False)
    relation: str
    rtol: float = 0.0

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.held, dtype=dtype)

    def __len__(self):
        return len(self.held)

    @property
    def held(self):
        """Entry by entry, whether the relation is true."""
        small, large = self.small, self.large
        if self.rtol:
            slack = self.rtol * np.maximum(abs(small), abs(large))
            held = abs(small - large) <= slack if self.relation == "=" else small <= large + slack
        else:
            held = {"<=": le, "<": lt, "=": eq}[self.relation](small, large)
        return np.asarray(held, dtype=bool)

    @property
    def exact(self):
        """Whether both sides are integers or Fractions."""
        return is_exact(self.small) and is_exact(self.large)

    def closeness(self):
        """How close the sides came, by its name, or an empty dict where no larger side is positive.

        The tightest ratio is the smaller side's to the larger. Of equations in floats it is the relative gap, rounded
        up to a power of ten: its digits are the machine's.
        """
        if self.relation == "=":
            return {} if self.exact else self._gap()
        counted = np.asarray(self.large > 0, dtype=bool)
        return {"tightest ratio": float((self.small[counted] / self.large[counted]).max())} if counted.any() else {}

    def _gap(self):
        size = np.maximum(abs(self.small), abs(self.large))
        gap = float(np.max(abs(self.small - self.large) / np.where(size > 0, size, 1), initial=0.0))
        return {"relative gap at most": 10.0 ** ceil(log10(max(gap, SMALLEST)))} if isfinite(gap) else {}

    def scaled(self, factor):
        """The same comparison with the larger side times a factor: a control that must fail somewhere.

        The factor is a Fraction or a text such as "9/10"; exact sides stay exact, both times its denominator.
        """
        factor = Fraction(factor)
        if not self.exact:
            return Compared(self.small, self.large * float(factor), self.relation, self.rtol)
        small, large = (side.astype(object) for side in (self.small, self.large))
        return Compared(small * factor.denominator, large * factor.numerator, self.relation)

    def __getitem__(self, index):
        return Compared(self.small[index], self.large[index], self.relation, self.rtol)


def at_most(small, large, *, rtol=0.0):
    """small ≤ large, entry by entry."""
    return _compared(small, large, "<=", rtol)


def below(small, large):
    """small < large, entry by entry."""
    return _compared(small, large, "<", 0.0)


def equal(left, right, *, rtol=0.0):
    """left = right, entry by entry."""
    return _compared(left, right, "=", rtol)


def joined(comparisons):
    """Comparisons of one relation as one, flattened and in order."""
    parts = list(comparisons)
    if len({(part.relation, part.rtol) for part in parts}) != 1:
        raise ValueError("the comparisons differ in relation or tolerance; expected one kind to join")
    small, large = (np.concatenate([side.ravel() for side in sides]) for sides in zip(*map(_sides, parts), strict=True))
    return Compared(small, large, parts[0].relation, parts[0].rtol)


def _sides(part):
    return part.small, part.large


def _compared(small, large, relation, rtol):
    small, large = np.broadcast_arrays(_side(small), _side(large))
    return Compared(small, large, relation, rtol)


def _side(values):
    """An array of int64, float64, or Python's own numbers where an entry is a Fraction or too large."""
    if isinstance(values, np.ndarray):
        return values
    values = np.asarray(values, dtype=object)
    kinds = {type(v) for v in values.flat}
    if kinds <= {int, bool, np.int64} and all(abs(int(v)) < 2**62 for v in values.flat):
        return values.astype(np.int64)
    return values if not any(issubclass(k, float | np.floating) for k in kinds) else values.astype(np.float64)
