"""The standard MLP of Collobert & Bengio's Table 1: tanh units, output weights, cross-entropy, example by example.

Solves: stochastic descent on the mean of log(1 + exp(−y f(x))), f(x) = Σ_i w_i tanh(v_i · x + d_i) + b, in all weights.
Stops: as every training of a network does, see `training`.
Guarantees: each example is met with the weights that the examples before it have left. The tangent is a quotient of
polynomials, within 10⁻¹⁵ of the true one, so that floats are the same to the last bit on every machine.
"""

import numpy as np

from lib.compiled import compiled, texts
from lib.numbers import as_matrix, positive
from lib.patterns import as_signs
from lib.perceptrons.networks import Mlp, look
from lib.perceptrons.training import begin, train


@compiled
def tanh(z):
    """tanh z: a convergent of Lambert's continued fraction at z/64, doubled six times as sinh and cosh are."""
    x = min(max(z, -20), 20) / 64
    q = x * x
    s = x * (135135 + q * (17325 + q * (378 + q))) / (135135 + q * (62370 + q * (3150 + q * 28)))
    c = 1
    for _ in range(6):
        s, c = 2 * s * c, c * c + s * s  # sinh 2x = 2 sinh x cosh x, cosh 2x = cosh² x + sinh² x
    return min(max(s / c, -1), 1)


@compiled
def smooth_output(z, h, w):
    """h_i = tanh z_i, and Σ_i w_i h_i."""
    for i in range(len(w)):
        h[i] = tanh(z[i])
    f = 0
    for i in range(len(w)):
        f += w[i] * h[i]
    return f


@compiled
def smooth_outputs(X, v, d, w, b, Z, f):
    """Every output into f, the activations into the rows of Z, from the top again when it is full."""
    h = np.zeros_like(d)
    for j in range(len(X)):
        look(X, j, -1, d, v, d, Z[j % len(Z)])
        f[j] = smooth_output(Z[j % len(Z)], h, w) + b


@compiled
def descend(X, y, v, d, w, b, rate):
    """A pass of stochastic descent on log(1 + exp(−y f)). The step of an example is made with the look at the next."""
    z, h, step, last = np.zeros_like(d), np.zeros_like(d), np.zeros_like(d), -1
    for j in range(len(X)):
        look(X, j, last, step, v, d, z)  # z_i = v_i · x_j + d_i
        f = smooth_output(z, h, w) + b
        push = rate * y[j] * (1 - tanh(y[j] * f / 2)) / 2  # λ y_j / (1 + exp(y_j f))
        for i in range(len(w)):
            step[i] = push * w[i] * (1 - h[i] * h[i])  # v_i ← v_i + step_i x_j, d_i ← d_i + step_i
            w[i] += push * h[i]
        b += push
        last = j
    if last >= 0:
        look(X, last, last, step, v, d, z)  # the last step
    return b, len(X), len(X) * len(w)


class TanhMlp(Mlp):
    """A network with N tanh units, f(x) = Σ_i w_i tanh(v_i · x + d_i) + b; `Mlp` tells what it can be asked."""

    _look_at_all = smooth_outputs

    def hidden(self, X):
        """tanh(v_i · x_l + d_i), shape (L, N)."""
        return np.tanh(self.activations(X))

    def cost(self, X, y):
        """The cross-entropy, the mean of log(1 + exp(−y f(x)))."""
        return float(np.logaddexp(0, -as_signs(y, len(X)) * self.decision(X)).mean())


@texts(descend, smooth_output, tanh, look)
def standard_mlp(X, y, *, rate, epochs, units=None, start=None, rng=None, **options):
    """Train a standard MLP by stochastic descent on the cross-entropy, one example at a time; a `Training`.

    Parameters
    ----------
    X, y : array_like, shape (L, n) and (L,)
        Examples, as floats, and their two labels, see `fold`.
    rate : number
    epochs : int
        Passes over the examples, at most.
    units, start : int or TanhMlp
        The number of units of a random start, or the start.
    rng : int or Generator, optional
        Seed of the random start; 0 if not given.
    **options
        Those of `train`: validation and patience stop early, watch is told of every pass.
    """
    X, mlp = as_matrix(X, "X"), begin(X, units, start, rng, output=True, kind=TanhMlp)
    return train(descend, (float(positive(rate, "rate")),), X.astype(float), y, mlp, epochs, still=False, **options)
