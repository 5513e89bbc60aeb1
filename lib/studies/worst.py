"""Worst cases of the perceptron (notebook 14): two almost opposite vectors, and what a correction looks at."""

from math import cos, tan

import numpy as np

from lib import bounds
from lib.perceptrons.perceptron import perceptron
from lib.studies import families
from lib.studies.draws import half_space, in_turn


def worst_pair(angle, seed, starts):
    """Corrections from half-way, ⌊cot²φ/2⌋ + 1, the sharpest bound, the median from random starts, and from zero."""
    Z, start = families.opposed(angle), np.array([cos(angle) / 2, 0.0])
    random = [perceptron(Z, w0=rng.uniform(-1, 1, 2)).updates for rng in in_turn(seed, starts)]
    formula, sharpest = int(1 / (2 * tan(angle) ** 2)) + 1, bounds.ours.sharpest(Z, start)[0]
    return perceptron(Z, w0=start).updates, formula, sharpest, np.median(random), perceptron(Z).updates


def local_or_not(rng):
    """What corrections look at, four arrays of bool.

    Whether the first correction is the same with quite different other vectors; so for the sum of all wrong vectors;
    and for each correction of a run whether the error did not rise, and whether no vector of the same length would
    have raised the score of the corrected one by more.
    """
    w, z = 2 * rng.integers(-2, 2, (2, 3)) + 1
    w = w if w @ z <= 0 else -w
    sets = [np.vstack([z, others]) for others in 2 * rng.integers(-2, 2, (2, 7, 3)) + 1]
    one, two = (perceptron(Z, w0=w, max_updates=1).w for Z in sets)
    batch = [Z[Z @ w <= 0].sum(axis=0) for Z in sets]
    Z = half_space(8, 3, rng, most=4)
    run = perceptron(Z, w0=rng.integers(-6, 7, 3), order="random", rng=rng)
    W, used = run.trajectory(), Z[run.picks]
    gained = ((W[1:] - W[:-1]) * used).sum(axis=1)
    others = abs(used @ Z.T) * np.linalg.norm(used, axis=1)[:, None] / np.linalg.norm(Z, axis=1)
    falls = np.diff((Z @ W.T <= 0).sum(axis=0)) <= 0
    return [(one == two).all()], [(batch[0] == batch[1]).all()], falls, gained >= others.max(axis=1) - 1e-9
