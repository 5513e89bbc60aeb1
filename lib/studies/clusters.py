"""Learning without a teacher: three clusters, and units of which the winner takes all (Rojas, 4.1.1, Fig. 4.2)."""

import numpy as np


def three_clusters(rng, each=30):
    """Points around three centres in the plane, shape (3 · each, 2), and the cluster of each, which no unit is told."""
    turn = 2 * np.pi * (np.arange(3) / 3 + 1 / 12)
    cluster = np.repeat(np.arange(3), each)
    return 6 * np.column_stack([np.cos(turn), np.sin(turn)])[cluster] + rng.normal(size=(3 * each, 2)), cluster


def fires(points, units):
    """For each point the one unit that fires, the nearest; the others keep silent."""
    return ((points[:, None] - units[None]) ** 2).sum(axis=2).argmin(axis=1)


def winner_take_all(points, rng, units=3, presentations=600, rate=0.1):
    """Present points at random; the winner moves towards the point. Units that have won often are handicapped."""
    at, wins = rng.normal(size=(units, points.shape[1])), np.ones(units)
    for x in points[rng.integers(0, len(points), presentations)]:
        j = (wins * ((at - x) ** 2).sum(axis=1)).argmin()
        at[j] += rate * (x - at[j])
        wins[j] += 1
    return at
