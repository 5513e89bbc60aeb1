"""Collobert & Bengio's two ways to train a hard-tanh network, example by example (sections 6 and 7).

Solves: `simple_mlp` descends on (36), the mean of |β − y f(x)|_+ with every output weight 1 (Algorithm 2, as meant);
`hard_tanh_mlp` on (17), μ/2 ‖w‖² + ν/2 Σ‖v_i‖² plus the mean of |1 − y f(x)|_+, in all weights.
Stops: after `epochs` passes, after one that changed nothing, or when patience ends.
Guarantees: each example is met with the weights that the examples before it have left, in floats to the last bit on
every machine, in integers and Fractions exactly.
"""

import numpy as np

from lib.compiled import compiled, texts
from lib.numbers import not_negative, positive, rate_and_decay
from lib.perceptrons.networks import at_most, look, output
from lib.perceptrons.training import begin, train


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
        Those of `train`: validation and patience stop early, watch is told of every pass.
    """
    positive(rate, "rate")
    not_negative(beta, "beta")
    mlp = begin(X, units, start, rng)
    if np.any(np.asarray(mlp.w) != 1):
        raise ValueError("the start has output weights other than 1; expected w = 1 in every unit")
    return train(as_printed if literal else algorithm2, (rate, beta), X, y, mlp, epochs, still=True, **options)


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
    mlp = begin(X, units, start, rng, output=True)
    return train(descend17, (rate, mu, nu), X, y, mlp, epochs, still=mu == nu == 0, **options)
