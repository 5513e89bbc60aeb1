"""The inequality of Vapnik and Chervonenkis measured on thresholds, and its proof tried (notebook 27)."""

from bisect import bisect_left
from fractions import Fraction
from itertools import product
from math import ceil, comb, exp
from types import SimpleNamespace

import numpy as np
from scipy.stats import beta

from lib.bounds import ctu, ours
from lib.numbers.comparisons import at_most

SEEDS = 5
FLIPS = (0.0, 0.2, 0.5)
"""Chances that a label is flipped: three unknown laws."""


def curves(x, y, flip):
    """R_emp and R of the strategies "1 if x > θ" between the sorted places of a sample: θ's ends, R_emp, R at the ends.

    Returns the ends 0, x_1, …, x_N, 1, the empirical risk between them, and the true risk at them.
    """
    order = np.argsort(x)
    ends, y = np.concatenate([[0.0], x[order], [1.0]]), y[order].astype(int)
    ones = np.concatenate([[0], np.cumsum(y)])
    errors = ones + (len(y) - np.arange(len(y) + 1)) - (ones[-1] - ones)
    return ends, errors / len(y), flip + (1 - 2 * flip) * abs(ends - 0.5)


def deviation(x, y, flip, *, both=False):
    """sup of R − R_emp over the strategies "1 if x > θ", with `both` over their opposites too; a row a sample."""
    order = np.argsort(x, axis=1)
    x, y = (np.take_along_axis(a, order, axis=1) for a in (x, y))
    N, ends = x.shape[1], np.pad(x, ((0, 0), (1, 1)), constant_values=(0, 1))
    ones = np.cumsum(np.pad(y.astype(int), ((0, 0), (1, 0))), axis=1)
    errors = ones + (N - np.arange(N + 1)) - (ones[:, -1:] - ones)  # ones told on the left, zeros on the right
    true = flip + (1 - 2 * flip) * abs(ends - 0.5)  # between two examples largest at an end
    left, right = true[:, :-1], true[:, 1:]
    most = (np.maximum(left, right) - errors / N).max(axis=1)
    least = np.where((ends[:, :-1] <= 0.5) & (ends[:, 1:] >= 0.5), flip, np.minimum(left, right))
    return np.maximum(most, (errors / N - least).max(axis=1)) if both else most


def deviations(N, flip, reps, seed, *, both=False):
    """`deviation` of samples of N under five seeds, about reps in all."""
    found = []
    for k in range(SEEDS):
        rng = np.random.default_rng([seed, N, int(10 * flip), both, k])
        x = rng.random((ceil(reps / SEEDS), N))
        y = (x > 0.5) ^ (rng.random(x.shape) < flip)
        found.append(deviation(x, y, flip, both=both))
    return np.concatenate(found)


def coverage(sizes, etas, reps, seed):
    """How often all thresholds at once keep R ≤ R_emp + τ: a namespace of arrays, an entry a case.

    A case has `h`, 1 for one direction and 2 for both, a `flip`, `N`, `eta` and the `term` τ. `low` and `high` are the
    ends of Clopper and Pearson's interval, 99.99 %, for the probability; `third` is its lower end with τ/3 in the place
    of τ; `quantile` of the largest R − R_emp, and `covered`, the share of the samples.
    """
    rows = []
    for h, flip, N in product((1, 2), FLIPS, sizes):
        worst = deviations(N, flip, reps, seed, both=h == 2)
        for eta in etas:
            term = float(ctu.eq1(N, h, eta))
            low, high = interval((worst <= term).sum(), len(worst))
            third, _ = interval((worst <= term / 3).sum(), len(worst))
            quantile, covered = np.quantile(worst, 1 - eta), (worst <= term).mean()
            rows.append((h, flip, N, eta, term, low, high, third, quantile, covered))
    names = ("h", "flip", "N", "eta", "term", "low", "high", "third", "quantile", "covered")
    return SimpleNamespace(**dict(zip(names, map(np.array, zip(*rows, strict=True)), strict=True)))


def interval(hits, tries, error=1e-4):
    """Clopper and Pearson's interval for a probability."""
    low = beta.ppf(error / 2, hits, tries - hits + 1) if hits else 0.0
    return float(low), float(beta.ppf(1 - error / 2, hits + 1, tries - hits)) if hits < tries else 1.0


def tails(most):
    """Serfling's bound beside the exact tail of a split of 2N examples with k errors, for all N ≤ most: two arrays."""
    exact, bound = [], []
    for N in range(1, most + 1):
        for k in range(2 * N + 1):
            tail = 0
            for i in range(min(k, N), max(0, k - N) - 1, -1):
                tail += comb(k, i) * comb(2 * N - k, N - i)
                gap = (2 * i - k) / N  # second half minus first
                if gap > 0:
                    exact.append(tail / comb(2 * N, N))
                    bound.append(exp(-(N**2) * gap**2 / (N + 1)))
    return np.array(exact), np.array(bound)


def companions(etas, capacities=(1, 2, 3, 4, 5, 6, 7, 10, 20, 50)):
    """The term of (1) beside its companion `ours.vc`, for h ≤ 2N: a namespace of arrays, an entry a case.

    Where the companion is larger though the term is below one, `tail` is the exact bound of the probability that (1)
    fails; elsewhere it is NaN.
    """
    rows = []
    for h, eta in product(capacities, etas):
        for N in [*range(max(1, h // 2), 300), 1000, 4000]:
            term, ours_ = float(ctu.eq1(N, h, eta)), ours.vc(N, h, eta)
            open_case = ours.VC_SAFE < term < 1 and ours_ > term
            rows.append((h, N, eta, term, ours_, ours.vc_failure(N, h, term) if open_case else np.nan))
    return SimpleNamespace(
        **dict(zip(("h", "N", "eta", "term", "vc", "tail"), map(np.array, zip(*rows, strict=True)), strict=True))
    )


def one_strategy(N, B, term):
    """The exact probability of R ≤ R_emp + term for one strategy, fair-coin labels, and a mistake that costs B."""
    least = ceil(N / 2 - N * term / B)
    return Fraction(sum(comb(N, i) for i in range(max(least, 0), N + 1)), 2**N)


def within_range(most, eta=0.05):
    """All h ≤ 2N, N ≤ most: h, N, τ, and the probability that (1) fails, at most, by the exact tail (0 for τ ≥ 1)."""
    rows = []
    for N in range(1, most + 1):
        for h in range(1, 2 * N + 1):
            term = float(ctu.eq1(N, h, eta))
            rows.append((h, N, term, ours.vc_failure(N, h, term)))
    return np.array(rows).T


def smallest_sample(h, eta, below):
    """The smallest N ≥ h/2 from which on the term of (1) stays below a number."""
    sizes = range((h + 1) // 2, 10**9)
    return sizes[bisect_left(sizes, True, key=lambda N: ctu.eq1(N, h, eta) < below)]


def summary(seen):
    """Some lines of the `coverage`: the cases of the middle N and η."""
    N, eta = (np.unique(values)[np.unique(values).size // 2] for values in (seen.N, seen.eta))
    lines = [" h flip    N    η    term  all cuts covered   interval"]
    for k in np.flatnonzero((seen.N == N) & (seen.eta == eta)):
        case = f"{seen.h[k]:2d} {seen.flip[k]:4.1f} {N:4d} {eta:.2f}  {seen.term[k]:.3f}"
        lines.append(f"{case} {seen.covered[k]:16.4f}   [{seen.low[k]:.4f}, {seen.high[k]:.4f}]")
    return "\n".join(lines)


def proof_parts(seen, etas):
    """The parts of the proof of `ours.vc`, compared: a namespace of comparisons.

    `serfling`: the exact tails for N ≤ 30. `safe`: the companion is at most τ where τ ≤ 0.301. `rescued`: the exact
    tail is at most η where that is not so and τ < 1. `seen`: the measured quantiles. `anywhere`: the companion is at
    most τ wherever τ < 1, which is not true.
    """
    cases = companions(etas)
    safe, open_, informative = cases.term <= ours.VC_SAFE, ~np.isnan(cases.tail), cases.term < 1
    smaller = at_most(cases.vc, cases.term)
    companion = [ours.vc(*case) for case in zip(seen.N, seen.h, seen.eta, strict=True)]
    return SimpleNamespace(
        serfling=at_most(*tails(30)),
        safe=smaller[safe],
        rescued=at_most(cases.tail, cases.eta)[open_],
        seen=at_most(seen.quantile, np.array(companion)),
        anywhere=smaller[informative],
    )


def losses(costs, reps, seed, N=100, eta=0.05):
    """(1) for mistakes that cost more than one, on N fair-coin labels: a namespace of arrays, an entry a cost B.

    `one`, the exact probability that one strategy is covered by the term as printed; `scaled` and `third`, the lower
    ends of the intervals for all cuts at once, with B τ and with B τ/3.
    """
    term, worst = float(ctu.eq1(N, 1, eta)), deviations(N, 0.5, reps, seed)
    low = {f: [interval((B * worst <= B * term / f).sum(), len(worst))[0] for B in costs] for f in (1, 3)}
    one = [float(one_strategy(N, B, term)) for B in costs]
    return SimpleNamespace(one=np.array(one), scaled=np.array(low[1]), third=np.array(low[3]))


def least_quotient():
    """The N/h from which on the term of (1) can be below one: the root of r = 1 + ln 2r."""
    r = 2.0
    for _ in range(60):
        r = 1 + np.log(2 * r)
    return float(r)
