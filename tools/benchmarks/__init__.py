"""Side by side with the strongest peers: the same work, in one process, as ratios.

Times are CPU seconds, the minimum of several runs, contestants taking turns, one thread. Ours is the public call with
its checks of input and, for margins, its rigorous enclosure. Ratios of one run on a shared machine are to be trusted
within some 30 %, absolute times less. The seeds of a run are those of no tuning: `--seed` chooses others.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from dataclasses import dataclass
from time import process_time

import numpy as np


@dataclass(frozen=True)
class Row:
    """One algorithm on one problem, against one peer.

    Attributes
    ----------
    what, size, peer : str
    ours, theirs : float
        Seconds; `theirs` is NaN if the peer gave no answer.
    unit : float
        Seconds of one pass X @ w over the same data, the physical limit.
    goal : float or None
        How many times faster than the peer ours should be.
    passes : float or None
        How many passes X @ w ours may cost.
    good : bool
        The answers agree, or are certified.
    note : str
    """

    what: str
    size: str
    peer: str
    ours: float
    theirs: float
    unit: float
    goal: float | None = None
    passes: float | None = None
    good: bool = True
    note: str = ""

    @property
    def ratio(self):
        """How many times faster than the peer."""
        return self.theirs / self.ours

    @property
    def cost(self):
        """In passes X @ w."""
        return self.ours / self.unit

    @property
    def met(self):
        """True if the answer is good and every goal is reached."""
        return self.good and self.ratio >= (self.goal or 0) and (self.passes is None or self.cost <= self.passes)


def race(contestants, *, runs=5, once=()):
    """CPU seconds of each contestant, the minimum over `runs` rounds in which they take turns.

    The first round, which may compile, does not count. What takes microseconds is repeated for some milliseconds.

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
    results, repeats, seconds = {}, {}, {}
    for name, work in contestants.items():
        if name not in once:
            work()
        start = process_time()
        results[name] = work()
        seconds[name] = process_time() - start
        repeats[name] = max(1, int(0.01 / max(seconds[name], 1e-6)))
    for _ in range(runs):
        for name in contestants.keys() - once:
            start = process_time()
            for _ in range(repeats[name]):
                results[name] = contestants[name]()
            seconds[name] = min(seconds[name], (process_time() - start) / repeats[name])
    return seconds, results


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


def one_pass(Z):
    """The contestant X @ w."""
    w = np.ones(Z.shape[1])
    return lambda: Z.dot(w)
