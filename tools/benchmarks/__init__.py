"""Side by side with the peers: the same work, in one process, as ratios.

Times are CPU seconds, the minimum of several runs, contestants taking turns, one BLAS thread.
Each module here has `rows(quick)`, which yields a `Row` for each comparison. On a shared
machine ratios of one run are to be trusted within some 30 %, absolute times less.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from dataclasses import dataclass
from time import process_time

import numpy as np


@dataclass(frozen=True)
class Row:
    """One comparison.

    Attributes
    ----------
    name, size : str
    ours : float
        Seconds.
    peer : float or None
        Seconds of the peer that `name` or `note` names.
    unit : float
        Seconds of one pass X @ w over the same data, the physical limit.
    goal : str
    met : bool or None
    note : str
    """

    name: str
    size: str
    ours: float
    peer: float | None
    unit: float
    goal: str = ""
    met: bool | None = None
    note: str = ""

    @property
    def ratio(self):
        """How many times faster than the peer."""
        return None if self.peer is None else self.peer / self.ours

    @property
    def cost(self):
        """In passes X @ w."""
        return self.ours / self.unit


def race(contestants, *, runs=5, once=()):
    """CPU seconds of each contestant, the minimum over `runs` rounds in which they take turns.

    Parameters
    ----------
    contestants : dict of str to callable
    runs : int
    once : collection of str
        Contestants so slow that one run has to do.

    Returns
    -------
    seconds : dict of str to float
    results : dict of str to object
        What each returned, in its last run.
    """
    seconds, results = dict.fromkeys(contestants, float("inf")), {}
    for i in range(runs):
        for name, work in contestants.items():
            if i == 0 or name not in once:
                start = process_time()
                results[name] = work()
                seconds[name] = min(seconds[name], process_time() - start)
    return seconds, results


def one_pass(Z):
    """The contestant X @ w, repeated: its time is `repeats` passes.

    Returns
    -------
    work : callable
    repeats : int
    """
    w = np.ones(Z.shape[1])
    repeats = max(1, 2_000_000 // Z.size)

    def work():
        for _ in range(repeats):
            Z.dot(w)

    return work, repeats


def two_classes(p, n, margin, seed, noise=0.0):
    """Gaussian points with a bias column, split by a random direction and pushed apart by `margin`.

    Returns
    -------
    Z : ndarray, shape (p, n)
        The rows multiplied by their labels.
    y : ndarray, shape (p,)
        Labels −1 and 1; a share `noise` of them is wrong.
    """
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(p, n - 1)), np.ones(p)])
    direction = rng.normal(size=n)
    direction[-1] = 0
    direction /= np.linalg.norm(direction)
    y = np.where(X.dot(direction) > 0, 1.0, -1.0)
    X += margin * y[:, None] * direction
    y[rng.random(p) < noise] *= -1
    return X * y[:, None], y
