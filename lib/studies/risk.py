"""Risk, samples and dichotomies: slides 2-9 of the Prague lecture, whose formulas are in `bounds.ctu`.

Finite problems are tables: p[x, k] is the probability of observation x with class k, W[d, k] the loss of decision
d if the class is k, and a strategy is an integer array, one decision an observation. Integers and Fractions
stay exact. Logarithms are natural.
"""

from itertools import product
from math import ceil, comb

import numpy as np

from lib.bounds import ctu
from lib.margins.separability import separability
from lib.numbers import as_matrix, in_one_system
from lib.patterns import fold


def risk(q, p, W):
    """R(q) = Σ p(x, k) W(q(x), k), slide 2."""
    p, W = _tables(p, W)
    return (p * W[np.asarray(q)]).sum()


def bayes(p, W):
    """The strategy of least risk: for each x the decision d with the least Σ_k p(x, k) W(d, k), the first on a tie."""
    p, W = _tables(p, W)
    return (p @ W.T).argmin(axis=1)


def plug_in_excess(p, estimate, W):
    """R(q′) − R(q*) for the strategy q′ that is Bayes' for `estimate`, and (max W − min W) Σ |p − p̂| (notebook 20)."""
    p, estimate, W = _tables(p, estimate, W)
    excess = risk(bayes(estimate, W), p, W) - risk(bayes(p, W), p, W)
    return excess, (W.max() - W.min()) * abs(p - estimate).sum()


def _tables(*tables):
    return in_one_system(*(as_matrix(table, "a table") for table in tables))


def smallest_sample(h, eta, below=1.0):
    """The smallest N >= h/2 from which on the term of (1) stays below a number, by bisection."""
    low, high = max(1, ceil(h / 2)), max(2, h)
    while ctu.eq1(high, h, eta) >= below:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if ctu.eq1(middle, h, eta) >= below else (low, middle)
    return high


def threshold_deviation(x, y, flip, *, both=False):
    """sup over all thresholds of R − R_emp, for samples x of the unit interval told to be of classes y, 0 or 1.

    The true class of x is 1 if x > 1/2, told wrongly with probability `flip`. The strategies say 1 if x > θ (VC
    dimension 1); with `both` also the opposite (VC dimension 2). On each interval between neighbouring examples R_emp
    is constant and R = flip + (1 − 2 flip) |θ − 1/2| is largest at an end (for the opposite: smallest at an end, or at
    1/2). Shape (reps,) for x and y of shape (reps, N).
    """
    order = np.argsort(x, axis=1)
    x, y = np.take_along_axis(x, order, axis=1), np.take_along_axis(np.asarray(y, int), order, axis=1)
    reps, N = x.shape
    ends = np.hstack([np.zeros((reps, 1)), x, np.ones((reps, 1))])
    ones = np.hstack([np.zeros((reps, 1)), np.cumsum(y, axis=1)])
    errors = ones + (N - np.arange(N + 1)) - (ones[:, -1:] - ones)  # ones told on the left, zeros on the right
    true = flip + (1 - 2 * flip) * abs(ends - 0.5)
    left, right = true[:, :-1], true[:, 1:]
    most = (np.maximum(left, right) - errors / N).max(axis=1)
    if not both:
        return most
    least = np.where((ends[:, :-1] <= 0.5) & (ends[:, 1:] >= 0.5), flip, np.minimum(left, right))
    return np.maximum(most, (errors / N - least).max(axis=1))


def cover(N, n):
    """2 Σ_{k<=n} C(N − 1, k): how many of the 2^N labellings of N points in general position in R^n planes make."""
    return 2 * sum(comb(N - 1, k) for k in range(n + 1))


def dichotomies(X):
    """The labellings ±1 of the rows of X that some plane separates strictly, each certified: a set of tuples.

    One of each pair of opposites is tested, the other follows.
    """
    found = set()
    for rest in product((-1, 1), repeat=len(X) - 1):
        y = (1, *rest)
        answer = separability(fold(X, y))
        if answer.separable is None:
            raise ValueError("a labelling stayed undecided; expected integers or Fractions")
        if answer.separable:
            found |= {y, tuple(-v for v in y)}
    return found
