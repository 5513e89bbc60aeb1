"""Risk, the inequality of Vapnik and Chervonenkis, and capacity: slides 2-9 of the Prague lecture.

Finite problems are tables: p[x, k] is the probability of observation x with class k, W[d, k] the loss of decision
d if the class is k, and a strategy is an integer array, one decision an observation. Integers and Fractions
stay exact. Logarithms are natural.
"""

from fractions import Fraction
from itertools import product
from math import ceil, comb, log, sqrt

import numpy as np

from lib.margins.separability import separability
from lib.patterns import fold


def risk(q, p, W):
    """R(q) = Σ p(x, k) W(q(x), k), slide 2."""
    p, W = np.asarray(p), np.asarray(W)
    return (p * W[np.asarray(q)]).sum()


def bayes(p, W):
    """The strategy of least risk: for each x the decision d with the least Σ_k p(x, k) W(d, k), the first on a tie."""
    return np.asarray(p).dot(np.asarray(W).T).argmin(axis=1)


def plug_in_excess(p, estimate, W):
    """R(q′) − R(q*) of the strategy q′ that is Bayes' for `estimate`, and what bounds it. Ours.

    R(q′) − R(q*) <= (max W − min W) Σ |p − p̂|: add and subtract p̂. The sum of p̂ (W(q′) − W(q*)) is not
    positive, because q′ is best for p̂; what is left is at most |p − p̂| times the range of W. ∎

    Returns
    -------
    excess, bound : number
    """
    p, estimate, W = (np.asarray(a) for a in (p, estimate, W))
    excess = risk(bayes(estimate, W), p, W) - risk(bayes(p, W), p, W)
    return excess, (W.max() - W.min()) * abs(p - estimate).sum()


def vc_term(N, h, eta):
    """The square root of (1): √([h (ln(2N/h) + 1) − ln(η/4)]/N); NaN where the bracket is negative.

    The bracket stands for the logarithm of a growth function only while h <= 2N; beyond, it falls as h grows.
    """
    N, h, eta = np.broadcast_arrays(np.asarray(N, float), np.asarray(h, float), np.asarray(eta, float))
    inside = (h * (np.log(2 * N / h) + 1) - np.log(eta / 4)) / N
    return np.sqrt(np.where(inside < 0, np.nan, inside))[()]


def sauer(N, h):
    """Σ_{i<=h} C(N, i): no class of VC dimension h has more dichotomies on N points."""
    return sum(comb(N, i) for i in range(min(h, N) + 1))


def vc_companion(N, h, eta):
    """1/N + √((N + 1)/N² [ln Σ_{i<=h} C(2N, i) + ln(2/η)]): proved for 0/1 loss, all q at once. Ours.

    Proof. A second sample of N has at least ⌊N R(q)⌋ errors with probability 1/2, the median of a binomial. So
    Pr(sup R − R_emp > t) <= 2 Pr(sup R′_emp − R_emp > t − 1/N). Given all 2N examples, the two halves are
    a random split, and q matters through its dichotomy of them alone: by Sauer there are at most Σ C(2N, i). For
    each, R′_emp − R_emp is twice the deviation of a mean of N drawn from 2N without replacement, and Serfling's
    inequality gives exp(−N² (t − 1/N)²/(N + 1)). Set the product to η. ∎
    """
    return 1 / N + sqrt((N + 1) / N**2 * (log(sauer(2 * N, h)) + log(2 / eta)))


def vc_failure(N, h, t):
    """The same proof with the exact hypergeometric tail in place of Serfling's: Pr(sup R − R_emp > t) is at most this.

    2 Σ_{i<=h} C(2N, i) · max over k of Pr(more than k/2 + N (t − 1/N)/2 of k errors fall in the second half);
    never above Serfling's number.
    """
    if t >= 1:
        return 0.0
    whole, worst = comb(2 * N, N), 0
    for k in range(1, 2 * N + 1):
        # second − first > N t − 1, second + first = k
        least = max(int(np.floor((k + N * t - 1) / 2)) + 1, k - N, 0)
        worst = max(worst, sum(comb(k, i) * comb(2 * N - k, N - i) for i in range(least, min(k, N) + 1)))
    return min(1.0, float(Fraction(2 * sauer(2 * N, h) * worst, whole)))


SAFE = sqrt(1 + log(2)) - 1
"""Where the term of (1) is at most this, 0.301, it is at least the companion. Ours.

Proof. Let τ² = B/N be the radicand of (1) and A the bracket of the companion. For h <= 2N Sauer's sum is at
most (2eN/h)^h, so B >= A + ln 2. The companion is at most τ if (√B − 1/√N)² >= (1 + 1/N) A, and that follows
from B − 2τ >= A + τ², hence from ln 2 >= 2τ + τ². ∎
"""


def smallest_sample(h, eta, below=1.0):
    """The smallest N >= h/2 from which on the term of (1) stays below a number, by bisection."""
    low, high = max(1, ceil(h / 2)), max(2, h)
    while vc_term(high, h, eta) >= below:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if vc_term(middle, h, eta) >= below else (low, middle)
    return high


def threshold_deviation(x, y, flip, *, both=False):
    """sup over all thresholds of R − R_emp, for samples of the unit interval.

    The true class of x is 1 if x > 1/2, told wrongly with probability `flip`. The strategies say 1 if
    x > θ (VC dimension 1); with `both` also the opposite (VC dimension 2). On each interval between
    neighbouring examples R_emp is constant and R = flip + (1 − 2 flip) |θ − 1/2| is largest at an end
    (for the opposite: smallest at an end, or at 1/2).

    Parameters
    ----------
    x, y : ndarray, shape (reps, N)
        Points, and their classes as told, 0 or 1.

    Returns
    -------
    ndarray, shape (reps,)
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


def capacity_printed(radius_squared, margin_squared):
    """R²/m² + 1, slide 7. Too small: three points with R²/m² = 16/9 are shattered."""
    return Fraction(radius_squared) / Fraction(margin_squared) + 1


def capacity_ceiling(radius_squared, margin_squared, n=None):
    """min(⌈R²/m²⌉, n) + 1, slide 7 mended."""
    most = ceil(Fraction(radius_squared) / Fraction(margin_squared))
    return (most if n is None else min(most, n)) + 1


def simplex_ratio(r):
    """The least R²/m² at which r points can be shattered with margin m inside a ball of radius R. Ours.

    r − 1 for even r and (r − 1)(1 − 1/r²) for odd r: 4ab(r − 1)/r² with a = ⌊r/2⌋ and b = ⌈r/2⌉.
    """
    a, b = r // 2, r - r // 2
    return Fraction(4 * a * b * (r - 1), r * r)


def capacity(radius_squared, margin_squared, n=None):
    """The VC dimension of planes with margin m on a ball of radius R in n dimensions. Ours, sharp.

    The largest r <= n + 1 with R²/m² >= `simplex_ratio(r)`. Proof. If r points are shattered, the means of the
    halves of every balanced split are at least 2m apart. The average of |c₊ − c₋|² over such splits is
    r/(ab(r − 1)) Σ|x − x̄|², at most r²R²/(ab(r − 1)). The regular simplex attains it, and its other splits
    have larger gaps. More than n + 1 points are never shattered (Radon). ∎
    """
    ratio, r = Fraction(radius_squared) / Fraction(margin_squared), 1
    while (n is None or r <= n) and simplex_ratio(r + 1) <= ratio:
        r += 1
    return r


def simplex(r):
    """The r corners of a regular simplex, as rows of R^r: exact Fractions, centred, of squared length 1 − 1/r."""
    return np.array([[Fraction(int(i == j)) - Fraction(1, r) for j in range(r)] for i in range(r)])


def cover(N, n):
    """2 Σ_{k<=n} C(N − 1, k): how many of the 2^N labellings of N points in general position in R^n planes make."""
    return 2 * sum(comb(N - 1, k) for k in range(n + 1))


def dichotomies(X):
    """The labellings of the rows of X that some plane separates strictly, each with a certificate.

    Returns
    -------
    set of tuple of int
        Labels ±1. One of each pair of opposites is tested, the other follows.
    """
    X = np.asarray(X)
    found = set()
    for rest in product((-1, 1), repeat=len(X) - 1):
        y = (1, *rest)
        answer = separability(fold(X, y))
        if answer.separable is None:
            raise ValueError("a labelling stayed undecided; expected integers or Fractions")
        if answer.separable:
            found |= {y, tuple(-v for v in y)}
    return found
