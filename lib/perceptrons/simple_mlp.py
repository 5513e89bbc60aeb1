"""Collobert & Bengio's two ways to train a hard-tanh network, example by example (sections 6 and 7).

Solves: `simple_mlp` descends on (36), the mean of |β − y f(x)|_+ with every output weight 1 (Algorithm 2, as meant);
`hard_tanh_mlp` on (17), μ/2 ‖w‖² + ν/2 Σ‖v_i‖² plus the mean of |1 − y f(x)|_+, in all weights.
Stops: after `epochs` passes, after one that changed nothing, or when patience ends.
Guarantees: each example is met with the weights that the examples before it have left, in floats to the last bit on
every machine, in integers and Fractions exactly.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from lib.compiled import compiled, texts
from lib.numbers import as_matrix, as_vector, in_one_system, not_negative, positive, rate_and_decay, whole_number
from lib.patterns import as_signs
from lib.perceptrons.networks import Mlp, at_most, by_columns, by_fours, look, output, random_mlp


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


@compiled
def algorithm2(X, y, v, d, w, b, rate, beta):
    """A pass of Algorithm 2, as meant. The step of an example is made with the look at the next one."""
    z, step, last = np.zeros_like(d), np.zeros_like(d), -1
    updates = unit_updates = 0
    for j in range(len(X)):
        look(X, j, last, step, v, d, z)  # z_i = v_i · x_j + d_i
        last = -1
        if at_most(z, w, b, y[j], beta):  # y_j f(x_j) ≤ β
            for i in range(len(w)):
                active = abs(z[i]) <= 1
                step[i] = rate * y[j] if active else 0  # v_i ← v_i + λ y_j x_j, d_i ← d_i + λ y_j
                unit_updates += active
            b += rate * y[j]
            updates += 1
            last = j
    if last >= 0:
        look(X, last, last, step, v, d, z)  # the last step
    return b, updates, unit_updates


@compiled
def descend17(X, y, v, d, w, b, rate, mu, nu):
    """A pass of stochastic descent on (17). The step of an example is made with the look at the next one."""
    z, step, last = np.zeros_like(d), np.zeros_like(d), -1
    updates = unit_updates = 0
    for j in range(len(X)):
        look(X, j, last, step, v, d, z)  # z_i = v_i · x_j + d_i
        last = -1
        push = rate * y[j] if at_most(z, w, b, y[j], 1) else 0  # y_j f(x_j) ≤ 1
        if nu != 0:
            v *= 1 - rate * nu
        for i in range(len(w)):
            active = push != 0 and abs(z[i]) <= 1
            step[i] = push * w[i] if active else 0
            w[i] = (1 - rate * mu) * w[i] + push * min(max(z[i], -1), 1)
            unit_updates += active
        if push != 0:
            b += push
            updates += 1
            last = j
    if last >= 0:
        look(X, last, last, step, v, d, z)  # the last step
    return b, updates, unit_updates


@texts(algorithm2, output, look)
def simple_mlp(X, y, *, rate, epochs, beta=1, units=None, start=None, rng=None, literal=False, **options):
    """Train the Simple MLP (Algorithm 2, as meant): output weights 1, descent on (36) by examples; a `Training`.

    For each example with y f(x) ≤ β: every unit with |v_i · x + d_i| ≤ 1 adds rate · y · (x, 1), and b adds rate · y.
    Guarantees ‖(v_i, d_i)‖² ≤ ‖start‖² + t_i rate² (2/rate + R² + 1) after t_i updates of unit i, where R bounds ‖x‖.

    Parameters
    ----------
    X, y : array_like, shape (L, n) and (L,)
        Examples, and their two labels, see `fold`.
    rate, beta : number
    epochs : int
        Passes over the examples, at most.
    units, start : int or Mlp
        The number of units of a random start, or the start. Exact numbers throughout give an exact run.
    rng : int or Generator, optional
        Seed of the random start; 0 if not given.
    literal : bool
        Test y (w · x + b) ≤ β with the w that Algorithm 2 prints, which is zero for ever: y b ≤ β.
    **options
        validation, a pair (X, y) with the labels of y, which decides the best pass; patience, the passes without a
        better one after which the training ends.
    """
    positive(rate, "rate")
    not_negative(beta, "beta")
    mlp = _begin(X, units, start, rng)
    if np.any(np.asarray(mlp.w) != 1):
        raise ValueError("the start has output weights other than 1; expected w = 1 in every unit")
    return _train(as_printed if literal else algorithm2, (rate, beta), X, y, mlp, epochs, still=True, **options)


def as_printed(X, y, v, d, w, b, rate, beta):
    """A pass of Algorithm 2 with the printed test, whose w stays zero."""
    return algorithm2(X, y, v, d, 0 * w, b, rate, beta)


@texts(descend17, output, look)
def hard_tanh_mlp(X, y, *, rate, epochs, mu=0, nu=0, units=None, start=None, rng=None, **options):
    """Train all weights of a hard-tanh network on (17), by examples, with weight decay at every step; a `Training`.

    Each step multiplies w by 1 − rate·mu and v by 1 − rate·nu. If y f(x) ≤ 1 it also adds rate · y · h(z_i) to w_i,
    rate · y to b, and rate · y · w_i (x, 1) to each unit with |z_i| ≤ 1; w_i and z_i are those before the step.
    Parameters are those of `simple_mlp`, with the decays mu and nu.
    """
    for decay, name in ((mu, "mu"), (nu, "nu")):
        rate_and_decay(rate, not_negative(decay, name))
    mlp = _begin(X, units, start, rng, output=True)
    return _train(descend17, (rate, mu, nu), X, y, mlp, epochs, still=mu == nu == 0, **options)


def _begin(X, units, start, rng, *, output=False):
    """The network to begin with: `start`, or a random one of so many units, with random output weights if asked for."""
    n = as_matrix(X, "X", finite=False).shape[1]
    if (units is None) == (start is None):
        raise ValueError("units and start are both given or both missing; expected one of them")
    if start is None:
        return random_mlp(units, n, 0 if rng is None else rng, output=output)
    if rng is not None:
        raise ValueError(f"rng is {rng!r}, but nothing is drawn; expected it with units")
    if not isinstance(start, Mlp):
        raise ValueError(f"start is {start!r}; expected an Mlp")
    shapes = [np.shape(part) for part in (start.v, start.d, start.w)]
    if shapes != [(start.units, n), (start.units,), (start.units,)]:
        raise ValueError(f"start has v, d and w of shapes {shapes}; expected (N, {n}), (N,) and (N,)")
    return start


def _train(rule, settings, X, y, mlp, epochs, *, still, validation=None, patience=None):
    """Train a network by a rule, pass after pass, as `simple_mlp` says.

    A pass is rule(X, y, v, d, w, b, *settings). It changes v (a column a unit), d and w in place, and returns b and the
    numbers of updates and of unit updates. `still`: a pass without updates changes nothing, and so is the last.
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
