"""The ellipsoid method for separability: a ball that holds solutions, cut in halves by mistakes.

Solves: find w with z_j · w > 0 for every pattern z_j.
Stops: when the centre of the ellipsoid is such a w, or after `max_steps`.
Guarantees: at most 2n(n + 1) ln((1 + γ)/γ) steps if unit rows have margin γ, exact arithmetic granted. The
perceptron's bound is 1/γ²: the difference between the logarithm of a number and its square.

Khachiyan's method, of which Rojas' section 4.4 speaks.
"""

from dataclasses import dataclass, field
from math import log

import numpy as np

from lib.margins.separability import separates
from lib.numbers import positive
from lib.patterns import as_patterns, unit_rows


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """The last centre `w`, the pattern of every cut in order, and whether `w` separates."""

    w: np.ndarray
    picks: np.ndarray = field(repr=False)
    converged: bool

    @property
    def steps(self):
        return len(self.picks)


def ellipsoid(patterns, *, max_steps=100_000):
    """Run the ellipsoid method from the unit ball, cutting through the centre at the worst mistake.

    The half of {x : (x − w)ᵀP⁻¹(x − w) ≤ 1} with z · x ≥ z · w lies in the ellipsoid with the centre w + b/(n + 1)
    and the matrix n²/(n² − 1) (P − 2/(n + 1) b bᵀ), b = Pz/√(zᵀPz). Rows are scaled to length one; that the last centre
    separates the patterns themselves is checked exactly.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    max_steps : int

    Returns
    -------
    Ellipsoid
    """
    Z = as_patterns(patterns)
    U = unit_rows(Z)
    n = U.shape[1]
    w, P, picks = np.zeros(n), np.eye(n), []
    while True:
        scores = U @ w
        j = int(scores.argmin())
        right = bool(scores[j] > 0 and separates(Z, w))
        if right or len(picks) == max_steps:
            return Ellipsoid(w, np.array(picks, dtype=np.int64), right)
        b = P @ U[j]
        b /= np.sqrt(U[j] @ b)
        w = w + b / (n + 1)
        P = P / 4 if n == 1 else n**2 / (n**2 - 1) * (P - 2 / (n + 1) * np.outer(b, b))
        picks.append(j)


def most_steps(n, margin):
    """2n(n + 1) ln((1 + γ)/γ), the most steps on unit rows of margin γ in n dimensions.

    Proof. With u the best unit vector, the ball around u/(1 + γ) of radius ρ = γ/(1 + γ) lies in the unit ball and
    consists of solutions, so no cut removes any of it. A step multiplies the volume by at most exp(−1/(2(n + 1))),
    and the volume stays at least ρⁿ times the first. ∎
    """
    positive(margin, "margin")
    return 2 * n * (n + 1) * log((1 + margin) / margin)
