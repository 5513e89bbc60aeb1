"""Small exact problems for Krauth and Mézard's algorithm, and every line of Falkowski's proof along them.

A problem is a pair: patterns Z, and λ ≥ 0 of the start Σ λ_j z_j, which the note allows.
"""

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lib.bounds import falkowski, gap
from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.numbers.comparisons import at_most, joined
from lib.perceptrons.krauth_mezard import krauth_mezard
from lib.perceptrons.perceptron import perceptron

LONGEST = 60
"""Sets with x/Δ² above this are left out: their runs are long, and tell nothing else."""
HALF = np.array([[Fraction(1, 2)]]), [Fraction(1)]
"""One number and a start: the smallest counterexample to (2) and (5)."""
RIGHT_ANGLE = np.array([[1, 0], [2, 1]]), [0, Fraction(1, 5)]
"""The first pick is at right angles to k_0 ≠ 0."""
UNITS = np.array([[1, 0], [0, 1]]), [0, 0]
"""Against the printed sign before (11)."""


def problems(sets, size, rng):
    """The three examples, then random sets of rational patterns, from zero, fractions, and a perceptron's counts."""
    found = []
    while len(found) < 3 * sets:
        Z = rng.integers(-size, size + 1, (int(rng.integers(1, 5)), int(rng.integers(1, 4))))
        Z = Z[(Z != 0).any(axis=1)]
        if not len(Z) or not separability(Z).separable or _unit(Z) > LONGEST:
            continue
        scale, counts = Fraction(1, int(rng.integers(1, 5))), np.bincount(perceptron(Z).picks, minlength=len(Z))
        for lam in (0 * counts, rng.integers(0, 4, len(Z)), counts):
            found.append((Z * scale, [Fraction(int(v), 2) for v in lam]))
    return [HALF, RIGHT_ANGLE, UNITS, *found]


def _unit(Z):
    """x/Δ², the natural unit of the number of updates."""
    return (Z * Z).sum(axis=1).max() / max_margin(Z).lower ** 2


class Walk(NamedTuple):
    """A problem, its run to all levels, and the run beside the best direction."""

    Z: np.ndarray
    lam: list
    run: object
    q: gap.Beside

    def stops(self):
        """The levels c with the number M of updates after which the run stops there."""
        return zip(map(Fraction, self.run.c.tolist()), self.run.stops.tolist(), strict=True)


def walk(Z, lam, levels, *, sign=1):
    """The run from ± Σ λ_j z_j to these levels."""
    run = krauth_mezard(Z, levels, w0=sign * np.array(lam, dtype=object) @ Z)
    return Walk(Z, lam, run, gap.beside(run))


def first_part(walks):
    """(2) to (6) at every stop: {line: its comparisons}, as `falkowski.convergence` names them."""
    found = [(one, c, M) for one in walks for c, M in one.stops()]
    return falkowski.gathered([falkowski.convergence(one.Z, one.lam, one.run, one.q, c, M) for one, c, M in found])


def second_part(walks):
    """(9) to (14) at every stop after an update, as `falkowski.limit` names them; two controls beside them.

    "10, t/2" is (10) with half of t, "11, no root" is (11) with nothing but c on the right.
    """
    found = [(one.q, c, M) for one in walks for c, M in one.stops() if M]
    lines = falkowski.gathered([falkowski.limit(q, c, M) for q, c, M in found])
    half = [at_most(q.across, falkowski.eq10(np.arange(len(q.low)) / 2, q.x, q.across[0])) for *_, q in walks]
    bare = [at_most([q.along[M - 1]], [c]) for q, c, M in found]
    return lines | {"10, t/2": joined(half), "11, no root": joined(bare)}


def tenths(line, share="9/10"):
    """A control: a share of the larger side."""
    return {f"{share} of the bound": line.scaled(share)}


def literal(one):
    """Falkowski's 3.1 as a plain loop in Fractions, to the largest level: the weights w_0 … w_M."""
    Z, c = one.Z, Fraction(one.run.c.tolist()[-1])
    x, path = max((Z * Z).sum(axis=1)), [one.run.w0.astype(object)]
    while min(Z @ path[-1]) < c:
        j = int(np.argmin(Z @ path[-1]))
        path.append(path[-1] + Z[j] * (1 / Fraction(x)))
    return np.array(path)


def beside_loops(walks):
    """The library's runs beside the plain loop: same weights at both ends; scores at the end, and one update before."""
    same, ended, earlier = [], [], []
    for one in walks:
        path, c = literal(one), Fraction(one.run.c.tolist()[-1])
        same += (one.run.trajectory()[[0, -1]] == path[[0, -1]]).ravel().tolist()
        ended.append(bool((one.Z @ path[-1] >= c).all()))
        earlier += [bool((one.Z @ path[-2] >= c).all())] if len(path) > 1 else []
    return same, ended, earlier


def stars(walks, c):
    """Of w* = cz/Δ² for every set: the certificate of z, its lowest score, and its length."""
    found = []
    for one in walks:
        sure = max_margin(one.Z).exact()
        star = np.array(sure.w, dtype=object) * c / sure.squared
        found += [sure.verify(one.Z), min(one.Z @ star) == c, star @ star == c**2 / sure.squared]
    return found


def positive(walks):
    """Whether a(0) ≥ 0 and a(t) > 0 afterwards, along all runs."""
    return np.concatenate([np.append(q.along[:1] >= 0, q.along[1:] > 0) for *_, q in walks]).astype(bool)


def splits(one, level, steps):
    """Of (7) and (8) along a run: that the parts make up w_t; that k_t is at right angles, as printed, as meant."""
    star = level * one.q.z / one.q.margin2
    square, found = star @ star, []
    for w in one.run.trajectory()[:steps]:
        a = (w @ star) / square
        k = w - a * star
        whole = (a * star + k == w).all() and k @ k + a * a * square == w @ w
        found.append((whole, (w @ star) ** 2 * square == (w @ star) ** 2, k @ star == 0))
    return found


def condition(one, steps, *, share=1):
    """The condition in the proof of (9) at u = 0, ½, 1, 3: for the pick and <, as printed; for all patterns and ≤.

    `share` of Δ² for Δ² makes it false.
    """
    Z, run, q = one.Z, one.run, one.q
    printed, meant, path = [], [], run.trajectory()
    for t in range(min(run.updates, steps)):
        k = path[t] - q.along[t] / q.margin2 * q.z
        for u in (0, Fraction(1, 2), 1, 3):
            v = q.z + u * k
            score, bound = Z @ v, share * q.margin2 * (v @ v)
            printed.append(score[run.picks[t]] <= 0 or score[run.picks[t]] ** 2 < bound)
            meant.append(min(score) <= 0 or min(score) ** 2 <= bound)
    return np.array([printed, meant], dtype=bool)


def guarantees(one, c):
    """A and its bound (6) at a large level, beside Krauth and Mézard's 2 + 1/c, and that with one per cent more."""
    run = krauth_mezard(one.Z, c, w0=one.run.w0)
    c, M = Fraction(c), run.updates
    A = falkowski.eq5_corrected(run.w @ run.w, M, sum(one.lam), c, run.square)
    bound = falkowski.eq6(M, c, run.square, run.w0 @ run.w0)
    return at_most([A, bound], [2 + 1 / c, (2 + 1 / c) * Fraction(101, 100)])


def soft_margin(z, C):
    """The minimum of w²/2 + C Σ max(0, 1 − z_j w) for numbers z_j, exactly: a kink, or a zero between two kinks."""

    def cost(w):
        return w * w / 2 + C * sum(max(0, 1 - v * w) for v in z)

    kinks = sorted({Fraction(1, v) for v in z})
    between = [kinks[0] - 1, *((a + b) / 2 for a, b in pairwise(kinks)), kinks[-1] + 1]
    stationary = [C * sum(v for v in z if 1 - v * w > 0) for w in between]
    return min([*kinks, *stationary], key=cost)
