"""Training a network with one hidden layer, pass after pass, and stopping early: the same for every rule.

Solves: nothing by itself; a rule, a text such as `algorithm2`, makes a pass over the examples.
Stops: after all passes, after one that changed nothing, when a pass leaves the floats, or when as many passes as the
patience have brought no fewer errors on the validation set.
Guarantees: the network returned is the one with the fewest errors on the validation set, the first of them.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from lib.numbers import as_matrix, as_vector, in_one_system, whole_number
from lib.patterns import as_signs
from lib.perceptrons.networks import Mlp, by_columns, by_fours, random_mlp


class Epoch(NamedTuple):
    """What one pass did; `errors` are those on the validation set, None without one."""

    updates: int
    unit_updates: int
    errors: int | None


@dataclass(frozen=True)
class Training:
    """A trained network, and how it came about.

    Attributes
    ----------
    mlp, last : the network after the pass with the fewest errors on the validation set, the first of them, or without
        such a set the last one; and that after the last pass
    best : the number of passes behind `mlp`
    history : an `Epoch` for each pass
    stop : "epochs" (all passes done), "clean" (a pass changed nothing, nor would any other), "patience", or "overflow":
        the last pass has left the floats, and `mlp` is the network of an earlier one
    """

    mlp: Mlp
    last: Mlp = field(repr=False)
    best: int
    history: tuple = field(repr=False)
    stop: str

    @property
    def converged(self):
        """True if a pass found nothing to correct."""
        return self.stop == "clean"

    @property
    def updates(self):
        """The number of corrections, over all passes."""
        return sum(epoch.updates for epoch in self.history)


def begin(X, units, start, rng, *, output=False, kind=Mlp):
    """The network to begin with: `start`, or a random one of so many units, with random output weights if asked for."""
    n = as_matrix(X, "X", finite=False).shape[1]
    if (units is None) == (start is None):
        raise ValueError("units and start are both given or both missing; expected one of them")
    if start is None:
        drawn = random_mlp(units, n, 0 if rng is None else rng, output=output)
        return kind(drawn.v, drawn.d, drawn.w, drawn.b)
    if rng is not None:
        raise ValueError(f"rng is {rng!r}, but nothing is drawn; expected it with units")
    if type(start) is not kind:
        raise ValueError(f"start is {start!r}; expected an {kind.__name__}")
    shapes = [np.shape(part) for part in (start.v, start.d, start.w)]
    if shapes != [(start.units, n), (start.units,), (start.units,)]:
        raise ValueError(f"start has v, d and w of shapes {shapes}; expected (N, {n}), (N,) and (N,)")
    return start


def train(rule, settings, X, y, mlp, epochs, *, still, validation=None, patience=None, watch=None):
    """Train a network by a rule, pass after pass; a `Training`.

    Parameters
    ----------
    rule : Text
        A pass, rule(X, y, v, d, w, b, *settings). It changes v (a column a unit), d and w in place, and returns b and
        the numbers of updates and of unit updates.
    still : bool
        A pass without updates changes nothing, and so is the last.
    validation, patience : pair (X, y) and int, optional
        The set, with the labels of y, that decides the best pass; the passes without a better one after which the
        training ends.
    watch : callable, optional
        Called with the `Epoch` of every pass when it is done, for clocks and progress.
    """
    points, signs, validation = _checked(X, y, epochs, validation, patience)
    settings = [as_vector([setting], 1, "a setting") for setting in settings]
    X, v, d, w, b, *settings = in_one_system(points, *mlp.parts(), *settings)
    X, y, (N, n), (v, d), b = by_fours(X), signs.astype(X.dtype), v.shape, by_columns(v, d), b[0]
    history, best, fewest, stop = [], (0, mlp), np.inf, "epochs"
    while len(history) < epochs and stop == "epochs":
        b, *counts = rule(X, y, v, d, w, b, *(setting[0] for setting in settings))
        mlp = replace(mlp, v=v[:n, :N].T + 0, d=d[:N] + 0, w=w + 0, b=b + 0)  # −0.0 + 0 is 0.0
        clean = still and not counts[0]
        finite = _finite(mlp, points if clean else None)
        errors = mlp.errors(*validation) if validation and finite else None
        history.append(Epoch(*map(int, counts), errors))
        if watch:
            watch(history[-1])
        if finite and (errors is None or errors < fewest):
            best, fewest = (len(history), mlp), errors
        if not finite:
            stop = "overflow"
        elif clean:
            stop = "clean"
        elif patience is not None and len(history) - best[0] >= patience:
            stop = "patience"
    return Training(best[1], mlp, best[0], tuple(history), stop)


def _checked(X, y, epochs, validation, patience):
    """X, the labels as signs, and the validation pair, where the same labels have the same signs."""
    X = as_matrix(X, "X")
    signs = as_signs(y, len(X))
    whole_number(epochs, "epochs")
    if patience is not None:
        whole_number(patience, "patience", least=1)
    if validation is None:
        if patience is not None:
            raise ValueError(f"patience is {patience}, but there is no validation set; expected both or neither")
        return X, signs, None
    if not (isinstance(validation, (tuple, list)) and len(validation) == 2):
        raise ValueError("validation is not a pair; expected (X, y)")
    points, labels = as_matrix(validation[0], "the validation set"), np.asarray(validation[1])
    both = as_signs(np.concatenate([y, labels]), len(X) + len(points))
    if points.shape[1] != X.shape[1] or (both[: len(X)] != signs).any():
        raise ValueError("the validation set has other features or labels; expected those of X and y")
    return X, signs, (points, both[len(X) :])


def _finite(mlp, X):
    """True if no weight has left the floats, nor an output for a row of X, if X is given."""
    if mlp.v.dtype == object:
        return True
    weights = all(np.isfinite(part).all() for part in (mlp.v, mlp.d, mlp.w, mlp.b))
    return weights and (X is None or bool(np.isfinite(mlp.decision(X)).all()))
