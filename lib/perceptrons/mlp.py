"""Hard-tanh networks with one hidden layer, trained example by example: Collobert & Bengio, sections 6 and 7.

A network is f(x) = b + Σ_i w_i h(v_i · x + d_i), with h(z) = z on [−1, 1] and ±1 beyond (31).

`simple_mlp` fixes every w_i to 1 and descends on (36), the mean of |β − y f(x)|_+ (Algorithm 2, as meant).
`hard_tanh_mlp` trains all weights on (17): μ/2 ‖w‖² + ν/2 Σ‖v_i‖² plus the mean of |1 − y f(x)|_+.

Both are exactly sequential: each example is met with the weights that the examples before it have left. They are
fast because they look at a block of rows at once. One matrix product gives the hidden layer for the weights at the
block's beginning. What row j has to add to that depends on the rows before j alone, so a first guess, corrected
again and again, is right in row j after at most j corrections. The only fixed point is the sequential run, and it
is reached in about four corrections of 32 rows.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from lib.numbers import as_matrix, as_numbers
from lib.patterns import as_signs

BLOCK = {200: 48, None: 32}
"""Rows of a block for so many units at most, and for more: the fastest in trials, of no influence on results."""
CHUNK = 4096
"""Rows that are evaluated at once: memory, not results, depends on it."""


def hard_tanh(z):
    """The transfer function (31): z on [−1, 1], −1 below, 1 above."""
    return np.minimum(np.maximum(z, -1), 1)


@dataclass(frozen=True)
class Mlp:
    """A hard-tanh network with N hidden units.

    Attributes
    ----------
    v : ndarray, shape (N, n)
    d : ndarray, shape (N,)
    w : ndarray, shape (N,)
    b : number
    """

    v: np.ndarray = field(repr=False)
    d: np.ndarray = field(repr=False)
    w: np.ndarray = field(repr=False)
    b: float

    @property
    def units(self):
        return len(self.d)

    def activations(self, X):
        """z_il = v_i · x_l + d_i, shape (L, N)."""
        return np.asarray(X) @ self.v.T + self.d

    def hidden(self, X):
        """Φ(x_l) of (2), shape (L, N)."""
        return hard_tanh(self.activations(X))

    def decision(self, X):
        """f(x_l) of (1), shape (L,)."""
        X = np.asarray(X)
        parts = [self.hidden(X[k : k + CHUNK]) @ self.w for k in range(0, len(X), CHUNK)]
        return np.concatenate(parts) + self.b

    def errors(self, X, y):
        """The number of examples with y f(x) <= 0."""
        return int(np.count_nonzero(as_signs(y, len(X)) * self.decision(X) <= 0))

    def cost(self, X, y, *, mu=0, nu=0, beta=1):
        """(17), and (36) for mu = nu = 0 and unit output weights."""
        loss = np.maximum(beta - as_signs(y, len(X)) * self.decision(X), 0)
        return (mu * self.w.dot(self.w) + nu * (self.v * self.v).sum()) / 2 + loss.sum() / len(loss)


def dyadic(values, bits):
    """Round to multiples of 2^−bits.

    If the inputs, the start, the rate and β are such multiples, of few bits in all, then every number of a run of
    `simple_mlp` is one, and below 2^53 in its unit: no rounding happens, and all machines give the same network.
    """
    return np.round(np.asarray(values, dtype=float) * 2.0**bits) / 2.0**bits


def random_mlp(units, features, rng=0, *, output=False):
    """A start: v and d uniform on ±1/√n, in multiples of 2^−16; w = 1 (or uniform on ±1/√N), b = 0."""
    rng = np.random.default_rng(rng)
    v = dyadic(rng.uniform(-1, 1, (units, features + 1)) / np.sqrt(features), 16)
    w = rng.uniform(-1, 1, units) / np.sqrt(units) if output else np.ones(units)
    return Mlp(v[:, :-1].copy(), v[:, -1].copy(), w, 0.0)


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
        After the last epoch; with a validation set, after the epoch with the fewest errors there, the first of them.
    last : Mlp
        After the last epoch.
    best : int
        The number of passes behind `mlp`.
    history : tuple of Epoch
    stopped : str
        "epochs" (all passes done), "clean" (a pass changed nothing, nor would any other) or "patience".
    """

    mlp: Mlp
    last: Mlp = field(repr=False)
    best: int
    history: tuple = field(repr=False)
    stopped: str


def simple_mlp(X, y, *, rate, epochs, beta=1, units=None, start=None, literal=False, **options):
    """Train the Simple MLP (Algorithm 2, as meant): output weights 1, descent on (36) example by example.

    For each example with y f(x) <= β: every unit with |v_i · x + d_i| <= 1 adds rate · y · (x, 1), and b adds rate · y.
    Guarantees ‖(v_i, d_i)‖² <= ‖start‖² + t_i rate² (2/rate + R² + 1) after t_i updates of unit i, where R bounds ‖x‖.

    Parameters
    ----------
    X : array_like, shape (L, n)
    y : array_like, shape (L,)
        Two labels, see `fold`.
    rate, beta : number
    epochs : int
        Passes over the rows, at most.
    units : int, optional
        N, for a random start.
    start : Mlp, optional
        Integers or Fractions throughout (X, start, rate, beta) give an exact run.
    literal : bool
        Test y (w · x + b) <= β with the w that Algorithm 2 prints, which is zero for ever: y b <= β.
    **options
        rng (seed of the start and the order), order ("cyclic" or "random"), validation (a pair X, y), patience
        (epochs without a better validation error), progress (called with each Epoch), block (rows at once).

    Returns
    -------
    Training
    """
    X, y, start, (rate, beta) = _prepared(X, y, units, start, (rate, beta), options, output=False)
    if any(start.w != 1):
        raise ValueError("the start has output weights other than 1; expected w = 1 in every unit")
    return _train(partial(_simple_block, rate=rate, beta=beta, literal=literal), X, y, start, epochs, **options)


def hard_tanh_mlp(X, y, *, rate, epochs, mu=0, nu=0, units=None, start=None, **options):
    """Train all weights of a hard-tanh network on (17), example by example, with weight decay at every step.

    Each step multiplies w by 1 − rate·mu and v by 1 − rate·nu. If y f(x) <= 1 it also adds rate · y · h(z_i) to w_i,
    rate · y to b, and rate · y · w_i (x, 1) to each unit with |z_i| <= 1; w_i and z_i are those before the step.

    Parameters are those of `simple_mlp`; mu and nu are the decays. Returns a Training.
    """
    X, y, start, (rate, mu, nu) = _prepared(X, y, units, start, (rate, mu, nu), options, output=True)
    return _train(partial(_mlp_block, rate=rate, mu=mu, nu=nu), X, y, start, epochs, **options)


def _prepared(X, y, units, start, numbers, options, output):
    X = as_matrix(X, "X")
    y = as_signs(y, len(X))
    if (units is None) == (start is None):
        raise ValueError("units and start are both given or both missing; expected one of them")
    if start is None:
        if not isinstance(units, (int, np.integer)) or units < 1:
            raise ValueError(f"units is {units!r}; expected a positive integer")
        start = random_mlp(units, X.shape[1], options.get("rng", 0), output=output)
    if start.v.shape != (start.units, X.shape[1]) or np.shape(start.w) != (start.units,):
        raise ValueError(f"start.v has shape {np.shape(start.v)}; expected (N, {X.shape[1]}), a row a unit")
    if not numbers[0] > 0:
        raise ValueError(f"rate is {numbers[0]!r}; expected a positive number")
    parts = [as_numbers(np.asarray(part), "start") for part in (start.v, start.d, start.w, [start.b])]
    exact = all(a.dtype != float for a in [X, *parts]) and all(isinstance(q, (int, Fraction)) for q in numbers)
    dtype = object if exact else float
    v, d, w, b = (part.astype(dtype) for part in parts)
    return X.astype(dtype), y.astype(dtype), Mlp(v, d, w, b[0]), [q if exact else float(q) for q in numbers]


def _train(
    step, X, y, mlp, epochs, *, rng=0, order="cyclic", validation=None, patience=None, progress=None, block=None
):
    if order not in ("cyclic", "random"):
        raise ValueError(f"order is {order!r}; expected cyclic or random")
    rng, rows = np.random.default_rng(rng), np.arange(len(X))
    block = block or BLOCK[200 if mlp.units <= 200 else None]
    still = not (step.keywords.get("mu") or step.keywords.get("nu"))  # without decay, a pass without updates is the end
    state, history, best, fewest, stopped = _open(mlp), [], (0, mlp), None, "epochs"
    for number in range(1, epochs + 1):
        if order == "random":
            rng.shuffle(rows)
        counts = [0, 0]
        for k in range(0, len(X), block):
            part = rows[k : k + block] if order == "random" else slice(k, k + block)
            counts = [a + c for a, c in zip(counts, step(state, X[part], y[part]), strict=True)]
        mlp = _close(state)
        errors = None if validation is None else mlp.errors(*validation)
        history.append(Epoch(number, *counts, errors))
        if errors is None or fewest is None or errors < fewest:
            best, fewest = (number, mlp), errors
        if progress is not None:
            progress(history[-1])
        if still and not counts[0]:
            stopped = "clean"
        elif patience is not None and number - best[0] >= patience:
            stopped = "patience"
        if stopped != "epochs":
            break
    return Training(best[1], mlp, best[0], tuple(history), stopped)


def _open(mlp):
    """The weights in the layout of the block steps, which change them in place."""
    return {"V": mlp.v.T.copy(), "d": mlp.d.copy(), "w": mlp.w.copy(), "b": mlp.b}


def _close(state):
    return Mlp(state["V"].T.copy(), state["d"].copy(), state["w"].copy(), state["b"])


def _running(b, pushes):
    """The bias before each row, and after the last; added one by one, as a loop would."""
    return np.cumsum(np.concatenate([np.asarray([b], dtype=pushes.dtype), pushes]))


def _simple_block(state, X, y, *, rate, beta, literal):
    """One block of Algorithm 2; returns the numbers of updating examples and of unit updates.

    Row j sees Z_j = X_j V + d + rate Σ_{k<j} y_k (X_j · X_k + 1) m_k, with m_k the units that row k moves.
    """
    push = rate * y
    base = X @ state["V"] + state["d"]
    ahead = np.tril(X @ X.T + 1, -1) * push
    Z, M = base.copy(), np.zeros_like(base)
    inside, update, low = np.zeros(Z.shape, bool), np.zeros(len(Z), bool), 0
    bias = _running(state["b"], push * update)
    while low < len(Z):
        z = Z[low:]
        h = 0 if literal else hard_tanh(z).sum(axis=1)
        now = (y[low:] * (h + bias[low:-1]) <= beta).astype(bool)
        moved = (np.abs(z) <= 1) & now[:, None]
        changed = (moved != inside[low:]).any(axis=1) | (now != update[low:])
        inside[low:], update[low:], M[low:] = moved, now, moved
        if not changed.any():
            break
        low += int(changed.argmax()) + 1
        Z[low:] = base[low:] + ahead[low:] @ M
        bias = _running(state["b"], push * update)
    state["V"] += (X * push[:, None]).T @ M
    state["d"] += push @ M
    state["b"] = bias[-1]
    return int(update.sum()), int(np.count_nonzero(inside))


def _mlp_block(state, X, y, *, rate, mu, nu):
    """One block of stochastic descent on (17); returns the numbers of updating examples and of unit updates."""
    rows = np.arange(len(X))
    push, lag = rate * y, np.maximum(rows[:, None] - 1 - rows, 0)
    shrink_v, shrink_w = np.asarray(1 - rate * nu, dtype=X.dtype), np.asarray(1 - rate * mu, dtype=X.dtype)
    base = shrink_v ** rows[:, None] * (X @ state["V"]) + state["d"]
    ahead = np.tril((X @ X.T) * shrink_v**lag + 1, -1) * push
    w_base, w_ahead = shrink_w ** rows[:, None] * state["w"], np.tril(shrink_w**lag, -1) * push
    G, S, update, inside = np.zeros_like(base), np.zeros_like(base), np.zeros(len(X), bool), np.zeros(base.shape, bool)
    low = 0
    while low < len(X):
        Z, W = base[low:] + ahead[low:] @ G, w_base[low:] + w_ahead[low:] @ S
        H, bias = hard_tanh(Z), _running(state["b"], push * update)
        now = (y[low:] * ((W * H).sum(axis=1) + bias[low:-1]) <= 1).astype(bool)
        moved = (np.abs(Z) <= 1) & now[:, None]
        new_G, new_S = W * moved, H * now[:, None]
        changed = (new_G != G[low:]).any(axis=1) | (new_S != S[low:]).any(axis=1) | (now != update[low:])
        G[low:], S[low:], update[low:], inside[low:] = new_G, new_S, now, moved
        if not changed.any():
            break
        low += int(changed.argmax()) + 1
    after = len(X) - 1 - rows
    state["V"] = shrink_v ** len(X) * state["V"] + (X * (push * shrink_v**after)[:, None]).T @ G
    state["d"] += push @ G
    state["w"] = shrink_w ** len(X) * state["w"] + (push * shrink_w**after) @ S
    state["b"] = _running(state["b"], push * update)[-1]
    return int(update.sum()), int(np.count_nonzero(inside))
