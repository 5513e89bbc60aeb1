"""What notebook 13 asks of pockets: whether an optimum can be met, how soon, and how the doubt falls."""

from dataclasses import dataclass
from math import log

import numpy as np

from lib.margins.separability import separability
from lib.patterns import fold


def small_set(rng):
    """Six integer points in the plane, three of each class, that no line separates, folded."""
    Z = fold(rng.integers(-2, 3, (6, 2)), rng.permutation([-1, 1] * 3), keep_contradictions=True)
    return Z if not separability(Z).separable else small_set(rng)


def worse_swaps(pockets, tests):
    """How often weights with more mistakes went into one of the pockets, and how often per test, by decade."""
    swaps = np.vstack([np.column_stack([p.swaps[1:], p.swaps[:-1, 1]]) for p in pockets])
    worse = swaps[swaps[:, 1] > swaps[:, 2], 0]
    decades = 10 ** np.arange(int(log(tests, 10) + 1e-9) + 1)
    return len(worse), np.histogram(worse, decades)[0] / np.diff(decades) / len(pockets)


def leads(states, target):
    """Whether from every state some path leads to a state with at most so many mistakes."""
    good, (start, _, end), before = states.mistakes <= target, states.edges.T, 0
    while before < good.sum():
        before = good.sum()
        good[start[good[end]]] = True
    return bool(good.all())


def entered(states, best, patterns, times):
    """The chance, from the worst state, that a state with `best` mistakes is entered within so many tests, by time."""
    start, _, end = states.edges.T
    target = states.mistakes == best
    reach, table = target.astype(float), {}
    for test in range(1, max(times) + 1):
        moved = np.bincount(start, reach[end], minlength=len(reach)) / patterns
        reach = np.where(target, 1, moved + (1 - states.mistakes / patterns) * reach)
        if test in times:
            table[test] = float(reach.min())
    return table


@dataclass(frozen=True)
class Rate:
    """The bound on the chance that a pocket is not optimal: p patterns, the fewest mistakes e, and c by M."""

    patterns: int
    fewest: int
    entered: dict

    @property
    def alpha(self):
        """ln q/ln q*."""
        return log(1 - (self.fewest + 1) / self.patterns) / log(1 - self.fewest / self.patterns)

    def bound(self, n, *, lucky=True):
        """n q^h + (1 − c q*^h)^⌊n/(M + h)⌋, the least over h and M; without the first term if not `lucky`."""
        best, second = 1 - self.fewest / self.patterns, 1 - (self.fewest + 1) / self.patterns
        h = np.arange(1, 4000)
        first = np.exp(log(n) + h * log(second)) if lucky else 0
        blocks = {M: np.floor(float(n) / (M + h)) for M in self.entered}
        values = [first + np.exp(blocks[M] * np.log1p(-c * best**h)) for M, c in self.entered.items()]
        return float(min(1, np.min(values)))

    def slope(self, power):
        """The slope of the bound on logarithmic paper, from n = 10^power over five decades."""
        return log(self.bound(10 ** (power + 5)) / self.bound(10**power)) / log(10**5)


def at_least(count, tries, error=1e-6):
    """What a share is at least, with a chance of error of 10^−6 each (Clopper and Pearson)."""
    from scipy.stats import beta

    count = np.asarray(count)
    return np.where(count > 0, beta.ppf(error, np.maximum(count, 1), tries - count + 1), 0.0)
