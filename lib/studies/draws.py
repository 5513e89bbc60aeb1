"""Random numbers for experiments whose result must not be the luck of one seed."""

import numpy as np


def in_turn(seed, count, *, streams=5):
    """One of several generators in turn, `count` times; the streams are `default_rng([seed, k])`."""
    generators = [np.random.default_rng([seed, k]) for k in range(streams)]
    return (generators[t % streams] for t in range(count))


def half_space(p, n, rng, *, most=1000):
    """p random integer patterns in n dimensions, labelled by a random weight vector; ties are left out."""
    X, v = rng.integers(-most, most + 1, (p, n)), rng.integers(-most, most + 1, n)
    scores = X @ v
    if not scores.any():
        return half_space(p, n, rng, most=most)
    return X[scores != 0] * np.sign(scores[scores != 0])[:, None]
