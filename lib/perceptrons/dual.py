"""The margin perceptron in the dual space, where inner products are enough: Collobert and Bengio's (20)."""

from dataclasses import dataclass, field

import numpy as np

from lib.compiled import compiled, dot, texts
from lib.numbers import as_matrix, rate_and_decay, whole_number
from lib.patterns import as_signs
from lib.perceptrons.perceptron import exact_or_floats


@dataclass(frozen=True)
class DualRun:
    """What `dual_perceptron` did: w = Σ c_l y_l Φ(x_l), b and the examples of the updates; the report's α is μ c."""

    coefficients: np.ndarray
    b: object
    picks: np.ndarray = field(repr=False)
    converged: bool


@compiled
def descend_dually(signed, y, c, rate, keep, epochs):
    """(20) with α = μ c: keep = 1 − λμ is left of every coefficient, and signed_kl = y_k y_l Φ(x_k) · Φ(x_l)."""
    picks = []
    b = 0 * rate
    for _ in range(epochs):
        before = len(picks)
        for j in range(len(c)):
            wrong = not dot(signed[j], c) + y[j] * b > 1
            for k in range(len(c)):
                c[k] *= keep
            if wrong:
                c[j] += rate
                b += rate * y[j]
                picks.append(j)
        if keep == 1 and len(picks) == before:
            return b, np.array(picks), True
    return b, np.array(picks), False


@texts(descend_dually)
def dual_perceptron(kernel, y, rate, *, decay=0, epochs=1000):
    """Run the margin perceptron on inner products alone, with a meaning for μ = 0 too; a `DualRun`.

    Parameters
    ----------
    kernel : array_like, shape (p, p)
        Φ(x_k) · Φ(x_l); integers or Fractions make the run exact.
    y : array_like of int, shape (p,)
        Labels −1 and 1.
    rate, decay : number
    epochs : int
        Sweeps at most; without decay it stops after a clean one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> dual_perceptron([[1, -1], [-1, 1]], [1, -1], Fraction(3, 5)).coefficients.tolist()
    [Fraction(3, 5), Fraction(3, 5)]
    """
    K = as_matrix(kernel, "kernel")
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"kernel has shape {K.shape}; expected a square matrix")
    rate_and_decay(rate, decay)
    epochs = whole_number(epochs, "epochs", most=2**40)
    K, y, rate, decay = exact_or_floats(K, as_signs(y, len(K)), rate, decay)
    K, y = (a if a.dtype == np.float64 else a.astype(object) for a in (K, y))
    c = 0 * y
    b, picks, clean = descend_dually(K * y[:, None] * y, y, c, rate, 1 - rate * decay, epochs)
    return DualRun(c, b, picks.astype(np.int64), bool(clean))
