"""The margin perceptron in the dual space, where inner products are enough."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.numbers import as_matrix, as_vector, is_exact, rate_and_decay, whole_number


@dataclass(frozen=True)
class DualRun:
    """What `dual_perceptron` did.

    Attributes
    ----------
    coefficients : ndarray, shape (p,)
        c with w = Σ c_l y_l Φ(x_l); the report's α is μ c.
    b : number
        The constant.
    picks, times : ndarray of int, shape (updates,)
    converged : bool
    """

    coefficients: np.ndarray
    b: object
    picks: np.ndarray = field(repr=False)
    times: np.ndarray = field(repr=False)
    converged: bool


def dual_perceptron(kernel, y, rate, *, decay=0, epochs=1000):
    """The margin perceptron in the dual space: Collobert and Bengio's (20), which needs inner products alone.

    At each presentation c ← (1 − λμ) c, and λ is added to c_l if y_l f(x_l) was at most one before; b as in the
    primal form. With α = μ c this is (20) letter by letter, and it has a meaning for μ = 0 too.

    Parameters
    ----------
    kernel : array_like, shape (p, p)
        Φ(x_k) · Φ(x_l); integers or Fractions make the run exact.
    y : array_like of int, shape (p,)
        Labels −1 and 1.
    rate, decay : number
    epochs : int
        Sweeps at most; without decay it stops after a clean one.

    Returns
    -------
    DualRun

    Examples
    --------
    >>> dual_perceptron([[1, -1], [-1, 1]], [1, -1], Fraction(3, 5)).coefficients.tolist()
    [Fraction(3, 5), Fraction(3, 5)]
    """
    K = as_matrix(kernel, "kernel")
    p = len(K)
    if K.shape != (p, p):
        raise ValueError(f"kernel has shape {K.shape}; expected a square matrix")
    y = as_vector(y, p, "y")
    rate_and_decay(rate, decay)
    whole_number(epochs, "epochs")
    exact = is_exact(K, *(as_vector([v], 1, "rate or decay") for v in (rate, decay)))
    number = object if exact else np.float64
    signed = (K * y[:, None] * y[None, :]).astype(number)
    q = 1 - (Fraction(rate) if exact else rate) * decay
    c, s, b = np.full(p, 0 * q, dtype=number), np.full(p, 0 * q, dtype=number), 0
    picks, times, mark = [], [], -1
    for t in range(epochs * p):
        j = t % p
        if j == 0:
            if mark == len(picks) and decay == 0:
                break
            mark = len(picks)
        wrong = s[j] + y[j] * b <= 1
        c, s = (q * c, q * s) if decay else (c, s)
        if wrong:
            c[j] += rate
            s += rate * signed[:, j]
            b += rate * int(y[j])
            picks.append(j)
            times.append(t)
    clean = decay == 0 and bool((s + y * b > 1).all())
    return DualRun(c, b, np.array(picks, dtype=np.int64), np.array(times, dtype=np.int64), clean)
