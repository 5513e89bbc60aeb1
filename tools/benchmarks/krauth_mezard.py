"""Krauth and Mézard's algorithm against the plain loop in numpy, one product Z @ W and one argmin an update.

No package has this algorithm. The plain loop is timed over some updates and scaled to their number.
"""

import numpy as np

from lib import krauth_mezard
from tools.benchmarks import Row, one_pass, race, two_classes

CASES = [  # rows, columns, c, updates of the plain loop, goal as a ratio to it
    (360, 20, 50, 5000, 5),
    (360, 20, 500, 5000, 5),
    (10_000, 50, 50, 1000, 20),
    (10_000, 50, 500, 1000, 100),
    (100_000, 54, 50, 12, None),
    (100_000, 54, 500, 12, 150),
]


def rows(seed, *, quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for k, case in enumerate(CASES[: 3 if quick else None]):
        yield _case(*case, [seed, 5, k])


def _case(p, n, c, steps, goal, seed):
    Z, _ = two_classes(p, n, 0.5, seed)
    contestants = {"unit": one_pass(Z), "plain": lambda: _plain(Z, steps), "ours": lambda: krauth_mezard(Z, c)}
    seconds, found = race(contestants, runs=5 if p <= 10_000 else 2)
    run = found["ours"]
    same = np.array_equal(found["plain"][: run.updates], run.picks[:steps])
    note = f"{run.updates} updates, {seconds['ours'] / run.updates * 1e6:.2g} µs each"
    note += "" if same else "; picks DIFFER from those of sums in another order"
    theirs = seconds["plain"] / steps * run.updates
    times = seconds["ours"], theirs, seconds["unit"]
    return Row("krauth_mezard", f"{p}x{n}, c = {c}", "plain numpy loop", *times, goal, good=run.converged, note=note)


def _plain(Z, steps):
    W, picks = np.zeros(Z.shape[1]), []
    for _ in range(steps):
        j = (Z @ W).argmin()
        W = W + Z[j]
        picks.append(j)
    return picks
