"""What every training of a network shares: passes over the examples, their order, validation, patience, history."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from lib.numbers import as_matrix, as_numbers, exact_number, is_exact, one_of, whole_number
from lib.patterns import as_signs
from lib.perceptrons.networks import Mlp, by_columns, by_fours, random_mlp


class Epoch(NamedTuple):
    """What one pass did; `errors` are those on the validation set, None without one."""

    number: int
    updates: int
    unit_updates: int
    errors: int | None


@dataclass(frozen=True)
class Training:
    """A trained network, and how it came about.

    Attributes
    ----------
    mlp : Mlp
        After the last pass; with a validation set, after the pass with the fewest errors there, the first of them.
    last : Mlp
        After the last pass.
    best : int
        The number of passes behind `mlp`.
    history : tuple of Epoch
    stop : str
        "epochs" (all passes done), "clean" (a pass changed nothing, nor would any other), "patience", or "overflow":
        the last pass has left the floats, and `mlp` is the network of an earlier one.
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


def begin(X, units, start, rng, order, *, output=False):
    """The network to begin with: `start`, or a random one of so many units, with random output weights if asked for."""
    n = as_matrix(X, "X").shape[1]
    if (units is None) == (start is None):
        raise ValueError("units and start are both given or both missing; expected one of them")
    if start is None:
        return random_mlp(units, n, 0 if rng is None else rng, output=output)
    if rng is not None and order != "random":
        raise ValueError(f"rng is {rng!r}, but nothing is drawn; expected it with units, or with order random")
    if not isinstance(start, Mlp):
        raise ValueError(f"start is {start!r}; expected an Mlp")
    shapes = [np.shape(part) for part in (start.v, start.d, start.w)]
    if shapes != [(start.units, n), (start.units,), (start.units,)]:
        raise ValueError(f"start has v, d and w of shapes {shapes}; expected (N, {n}), (N,) and (N,)")
    return start


def train(
    rule, settings, X, y, mlp, epochs, *, still, rng=None, order="cyclic", validation=None, patience=None, progress=None
):
    """Train a network by a rule, pass after pass; the options are those of `simple_mlp`. Returns a Training.

    A pass is rule(X, y, rows, v, d, w, b, *settings). It changes v (a column a unit), d and w in place, and returns b
    and the numbers of updates and of unit updates. `still`: a pass without updates changes nothing, and so is the last.
    """
    points, signs, validation = _checked(X, y, epochs, order, validation, patience, progress)
    (X, v, d, w, b), settings = _one_system([points, *mlp.parts()], settings)
    X, y, (N, n), (v, d), w, b = by_fours(X), signs.astype(X.dtype), v.shape, by_columns(v, d), w.copy(), b[0]
    rows, rng = np.arange(len(X)), np.random.default_rng(0 if rng is None else rng)
    history, best, fewest, stop = [], (0, mlp), np.inf, "epochs"
    while len(history) < epochs and stop == "epochs":
        if order == "random":
            rng.shuffle(rows)
        b, *counts = rule(X, y, rows, v, d, w, b, *settings)
        mlp = replace(mlp, v=v[:n, :N].T + 0, d=d[:N] + 0, w=w + 0, b=b + 0)  # −0.0 + 0 is 0.0
        clean = still and not counts[0]
        finite = _finite(mlp, points if clean else None)
        errors = mlp.errors(*validation) if validation and finite else None
        history.append(Epoch(len(history) + 1, *map(int, counts), errors))
        if finite and (errors is None or errors < fewest):
            best, fewest = (len(history), mlp), errors
        if progress is not None:
            progress(history[-1])
        if not finite:
            stop = "overflow"
        elif clean:
            stop = "clean"
        elif patience is not None and len(history) - best[0] >= patience:
            stop = "patience"
    return Training(best[1], mlp, best[0], tuple(history), stop)


def _checked(X, y, epochs, order, validation, patience, progress):
    """X, the labels as signs, and the validation pair, where the same labels have the same signs."""
    X = as_matrix(X, "X")
    signs = as_signs(y, len(X))
    whole_number(epochs, "epochs")
    one_of(order, "order", ("cyclic", "random"))
    if not (progress is None or callable(progress)):
        raise ValueError(f"progress is {progress!r}; expected a function of an Epoch")
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


def _one_system(arrays, settings):
    """All as Python's numbers if all are exact, else as floats."""
    exact = is_exact(*arrays) and all(map(exact_number, settings))
    dtype = object if exact else np.float64
    try:
        settings = as_numbers(np.array(settings, dtype), "a setting").tolist()
        return [a.astype(dtype, copy=False) for a in arrays], settings
    except OverflowError:
        raise ValueError("a number is beyond floats; expected smaller ones, or exact ones throughout") from None


def _finite(mlp, X):
    """True if no weight has left the floats, nor an output for a row of X, if X is given."""
    if mlp.v.dtype == object:
        return True
    weights = all(np.isfinite(part).all() for part in (mlp.v, mlp.d, mlp.w, mlp.b))
    return weights and (X is None or bool(np.isfinite(mlp.decision(X)).all()))
