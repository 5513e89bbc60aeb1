"""Small exact problems for Krauth and Mézard's algorithm, each with the starts that Falkowski's note allows."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from lib.bounds import gap
from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.perceptrons.krauth_mezard import krauth_mezard
from lib.perceptrons.perceptron import perceptron

LONGEST = 60
"""Sets with x/Δ² above this are left out: their runs are long, and tell nothing else."""


def problems(sets, size, rng):
    """Random separable sets of rational patterns, three starts λ ≥ 0 each: zero, fractions, a perceptron's counts."""
    found = []
    while len(found) < 3 * sets:
        Z = rng.integers(-size, size + 1, (int(rng.integers(1, 5)), int(rng.integers(1, 4))))
        Z = Z[(Z != 0).any(axis=1)]
        if not len(Z) or not separability(Z).separable or _unit(Z) > LONGEST:
            continue
        scale, counts = Fraction(1, int(rng.integers(1, 5))), np.bincount(perceptron(Z).picks, minlength=len(Z))
        for lam in (0 * counts, rng.integers(0, 4, len(Z)), counts):
            found.append((Z * scale, [Fraction(int(v), 2) for v in lam]))
    return found


def _unit(Z):
    """x/Δ², the natural unit of the number of updates."""
    return (Z * Z).sum(axis=1).max() / max_margin(Z).lower ** 2


def run_from(Z, lam, levels, *, sign=1):
    """The run from ± Σ λ_j z_j to these levels, and what it does beside the best direction."""
    run = krauth_mezard(Z, levels, w0=sign * np.array(lam, dtype=object) @ Z)
    return run, gap.beside(run)


def literal(Z, w0, c):
    """Falkowski's 3.1 as a plain loop in Fractions, beside the library's: the weights w_0 … w_M."""
    x, path = max((Z * Z).sum(axis=1)), [np.array(w0, dtype=object)]
    while min(Z @ path[-1]) < c:
        j = int(np.argmin(Z @ path[-1]))
        path.append(path[-1] + Z[j] * (1 / Fraction(x)))
    return np.array(path)


def condition(Z, run, q, steps):
    """The condition in the proof of (9) at u = 0, ½, 1, 3: for the pick and <, as printed; for all patterns and ≤."""
    printed, meant, path = [], [], run.trajectory()
    for t in range(min(run.updates, steps)):
        k = path[t] - q.along[t] / q.margin2 * q.z
        for u in (0, Fraction(1, 2), 1, 3):
            v = q.z + u * k
            score, bound = Z @ v, q.margin2 * (v @ v)
            printed.append(score[run.picks[t]] <= 0 or score[run.picks[t]] ** 2 < bound)
            meant.append(min(score) <= 0 or min(score) ** 2 <= bound)
    return np.array([printed, meant], dtype=bool)


def soft_margin(z, C):
    """The minimum of w²/2 + C Σ max(0, 1 − z_j w) for numbers z_j, exactly: a kink, or a zero between two kinks."""

    def cost(w):
        return w * w / 2 + C * sum(max(0, 1 - v * w) for v in z)

    kinks = sorted({Fraction(1, v) for v in z})
    between = [kinks[0] - 1, *((a + b) / 2 for a, b in pairwise(kinks)), kinks[-1] + 1]
    stationary = [C * sum(v for v in z if 1 - v * w > 0) for w in between]
    return min([*kinks, *stationary], key=cost)
