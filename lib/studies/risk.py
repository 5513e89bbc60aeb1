"""What a classifier risks, and what a sample tells of it: finite tables, cross-validation, bins (notebook 20)."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
from scipy.stats import norm

from lib.bounds import ctu
from lib.patterns import fold
from lib.perceptrons.networks import random_mlp
from lib.perceptrons.perceptron import perceptron
from lib.perceptrons.simple_mlp import hard_tanh_mlp

SEEDS = 5
"""What is measured on random samples is measured under so many seeds."""


def risk(q, p, W):
    """R(q) = Σ p(x, k) W(q(x), k) of a table p[x, k] and losses W[d, k]; q gives a decision for each x."""
    return (p * W[np.asarray(q)]).sum()


def bayes(p, W):
    """For each x the decision d with the least Σ_k p(x, k) W(d, k)."""
    return (p @ W.T).argmin(axis=1)


def tables(count, seed):
    """Random problems: whole numbers in proportion to p(x, k), shape (4, 3), and losses, shape (3, 3)."""
    rng = np.random.default_rng([seed, 0])
    return [(rng.integers(0, 20, (4, 3)) + np.eye(4, 3, dtype=int), rng.integers(-5, 10, (3, 3))) for _ in range(count)]


def least_risk(p, W):
    """The least risk of all strategies, by trying every one."""
    return min(risk(q, p, W) for q in product(range(W.shape[0]), repeat=len(p)))


def plug_in(p, estimate, W):
    """R(q′) − R(q*) for the strategy q′ that is Bayes' for the estimate, and its bound."""
    excess = risk(bayes(estimate, W), p, W) - risk(bayes(p, W), p, W)
    return excess, (W.max() - W.min()) * abs(p - estimate).sum()


def plug_ins(count, seed):
    """`plug_in` of random tables and estimates, over one denominator, and last of a case where both sides meet."""
    rng, rows = np.random.default_rng([seed, 1]), []
    for p, W in tables(count, seed):
        guess = np.maximum(p + rng.integers(-6, 7, p.shape), 0)
        guess[0, 0] += 1
        rows.append(plug_in(p * int(guess.sum()), guess * int(p.sum()), W))
    half, d = Fraction(1, 2), Fraction(1, 10)
    tie = plug_in(np.array([[half - d, half + d]]), np.array([[half, half]]), 1 - np.eye(2, dtype=int))
    return [np.array([*column, last], dtype=object) for column, last in zip(zip(*rows, strict=True), tie, strict=True)]


def gaussian_excess(L, reps, rng, *, spread=1.0):
    """The mean excess risk of the midpoint of two estimated means, L examples a class of N(±1, 1), of reps samples.

    With another spread the second class is N(1, spread²), which the midpoint does not know: a wrong form.
    """
    means = rng.normal(size=(reps, 2)) / np.sqrt(L) * [1, spread] + [-1, 1]
    cut, turned = means.mean(axis=1), means[:, 0] > means[:, 1]
    R = _gaussian_risk(cut, spread)
    best = _gaussian_risk(np.linspace(-3, 3, 60_001), spread).min()
    return (np.where(turned, 1 - R, R) - best).mean()


def _gaussian_risk(cut, spread=1.0):
    return (norm.cdf(-1 - cut) + norm.cdf((cut - 1) / spread)) / 2


def heavy_tails(e):
    """Two classes that do not meet, with a mass e far out each, and what the nearest mean makes of them.

    Returns the two laws as {place: mass}, their means, and the risk of the nearest mean; exact for a Fraction.
    """
    A, B = {0: 1 - e, 1 / e: e}, {1: 1 - e, -1 / e: e}
    a, b = (sum(x * m for x, m in law.items()) for law in (A, B))
    wrong = sum(m for x, m in A.items() if abs(x - a) >= abs(x - b))
    wrong += sum(m for x, m in B.items() if abs(x - b) >= abs(x - a))
    return (A, B), (a, b), wrong / 2


def cross_validated(reps, rng):
    """The nearest mean on samples of 60 Gaussian examples: a namespace of arrays, an entry a sample.

    `risk` of the rule from all examples, `estimate` from ten folds, `smaller`: the mean risk of the ten rules behind.
    """
    A, B = rng.normal(-1, 1, (reps, 10, 3)), rng.normal(1, 1, (reps, 10, 3))
    means = [(C.sum(axis=(1, 2))[:, None] - C.sum(axis=2)) / 27 for C in (A, B)]
    cut = (means[0] + means[1]) / 2
    estimate = ((cut[..., None] < A).mean(axis=(1, 2)) + (cut[..., None] >= B).mean(axis=(1, 2))) / 2
    whole = (A.mean(axis=(1, 2)) + B.mean(axis=(1, 2))) / 2
    return SimpleNamespace(risk=_gaussian_risk(whole), estimate=estimate, smaller=_gaussian_risk(cut).mean(axis=1))


def leave_one_out(labels):
    """The error that leaving one out finds for the rule «what most of the others are» (a tie is the label +1)."""
    told = [1 if np.delete(labels, i).sum() >= 0 else -1 for i in range(len(labels))]
    return np.mean(np.array(told) != labels)


BINS = 2 ** np.arange(7)
"""Strategies on [0, 1] that are constant on so many equal parts."""


def step_sample(N, rng):
    """N places in [0, 1] and labels 0/1: a 1 with probability 0.9 on the right half, with 0.1 on the left."""
    x = rng.random(N)
    return x, (rng.random(N) < np.where(x > 0.5, 0.9, 0.1)).astype(int)


def majority(x, y, bins):
    """What most of the examples in each part are; 0 on a tie."""
    return np.bincount((x * bins).astype(int), 2 * y - 1, bins) > 0


def step_risk(says):
    """The true risk of a strategy that says so on equal parts."""
    if len(says) == 1:
        return 0.5
    right = (np.arange(len(says)) + 0.5) / len(says) > 0.5
    return float(np.where(says == right, 0.1, 0.9).mean())


def choose_bins(x, y, eta=0.05, folds=5):
    """For each number of bins the error on the sample, in folds, and with the term of (1) added; and the true risk."""
    part, rows = np.arange(len(x)) % folds, []
    for bins in BINS:
        says = majority(x, y, bins)
        wrong = (says[(x * bins).astype(int)] != y).mean()
        split = 0
        for f in range(folds):
            kept = majority(x[part != f], y[part != f], bins)
            split += (kept[(x[part == f] * bins).astype(int)] != y[part == f]).sum()
        rows.append((wrong, split / len(x), wrong + ctu.eq1(len(x), bins, eta), step_risk(says)))
    return np.array(rows).T


def chosen_risks(samples, seed, N=60):
    """The true risk of the number of bins that each chooser takes, by its name: arrays, an entry a sample."""
    names, found = ("training error", "cross-validation", "error and term"), []
    for k in range(samples):
        *errors, true = choose_bins(*step_sample(N, np.random.default_rng([seed, 3, k])))
        found.append([true[np.argmin(row)] for row in errors])
    return dict(zip(names, np.array(found).T, strict=True))


def expected_remp(p, W, q):
    """The expectation of R_emp over all samples of three, and R, as Fractions; p in whole numbers."""
    total = int(p.sum())
    cells = [(int(p[x, k]), int(W[q[x], k])) for x, k in product(*map(range, p.shape)) if p[x, k]]
    mean = sum(a * b * c * Fraction(u + v + w, 3) for (a, u), (b, v), (c, w) in product(cells, repeat=3))
    return Fraction(mean, total**3), Fraction(int(risk(q, p, W)), total)


def remembered(samples, seed):
    """Rules that remember twenty coin-toss labels on 1000 places: the training errors, and the true risks."""
    coin, loss, errors, risks = np.ones((1000, 2), dtype=int), 1 - np.eye(2, dtype=int), [], []
    for i in range(samples):
        rng = np.random.default_rng([seed, 4, i])
        x, k = rng.integers(0, 1000, 20), rng.integers(0, 2, 20)
        q = np.zeros(1000, dtype=int)
        q[x] = k
        errors.append(int((q[x] != k).sum()))
        risks.append(Fraction(int(risk(q, coin, loss)), 2000))
    return np.array(errors), np.array(risks, dtype=object)


def last_and_least(separable, rng):
    """Six points on a line: the mistakes of the perceptron's last weights, and the fewest that a threshold makes."""
    x = rng.permutation(np.arange(-6, 7))[:6]
    y = np.where(x > np.sort(x)[2], 1, -1) if separable else rng.permutation([1, 1, 1, -1, -1, -1])
    Z = fold(x[:, None], y)
    least = min(int((Z @ [s, -s * t] <= 0).sum()) for s in (-2, 2) for t in np.arange(-7, 7) + 0.5)
    return int((Z @ perceptron(Z, max_updates=500).w <= 0).sum()), least


def net_training(seed):
    """A net of 16 units on 100 points in and around a circle: errors and cost before, and after 200 passes."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (100, 2))
    y = np.where((X**2).sum(axis=1) < 0.6, 1, -1)
    start = random_mlp(16, 2, rng, output=True)
    trained = hard_tanh_mlp(X, y, rate=0.02, epochs=200, start=start).mlp
    return [(net.errors(X, y), net.cost(X, y)) for net in (start, trained)]
