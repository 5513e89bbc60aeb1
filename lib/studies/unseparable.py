"""Data that no weights separate (notebook 22): the costs of slides 26 and 27, the batch rule, what chance can do."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np

from lib.bounds.ctu import eq25, eq28, eq29
from lib.numbers.comparisons import below, joined
from lib.patterns import fold
from lib.perceptrons.batch import batch
from lib.perceptrons.perceptron import perceptron
from lib.perceptrons.pocket import fewest
from lib.studies.chains import reachable

TINY = Fraction(1, 10**6)
"""A step that carries no score of small integers across zero."""
SETTLED = ("no mistake left", "stalled", "cycle")
"""How a run of the batch rule ends for good."""


def integer_sets(count, seed):
    """Random sets of two to six integer patterns, none zero, in two or three dimensions, from five streams in turn."""
    streams, problems = [np.random.default_rng([seed, k]) for k in range(5)], []
    while len(problems) < count:
        rng = streams[len(problems) % 5]
        Z = rng.integers(-3, 4, (int(rng.integers(2, 7)), int(rng.integers(2, 4))))
        if (Z != 0).any(axis=1).all():
            problems.append(Z)
    return problems


def axes(n):
    """The 2n steps of length TINY along the axes."""
    return [TINY * v for v in np.vstack([np.eye(n, dtype=int), -np.eye(n, dtype=int)]).astype(object)]


def counting(problems, seed):
    """(25), (26), the task of slide 26 and ∇J on random sets and weights: lists of comparisons by name."""
    rng, cases = np.random.default_rng([seed, 5]), defaultdict(list)
    for Z in problems:
        w, other = rng.integers(-4, 5, (2, Z.shape[1]))
        J = sum(sum(int(a) * int(b) for a, b in zip(w, x, strict=True)) <= 0 for x in Z)
        cases["25 printed"].append(eq25(Z, other) == J)
        cases["25 meant"].append(eq25(Z, w) == J)
        cases["26"].append(sum(1 for x in Z if x @ w <= 0) == J)
        labels = rng.choice([-1, 1], len(Z))
        cases["risk"].append(np.sum(np.sign((Z * labels[:, None]) @ w) != labels) == J)
        if (Z @ w != 0).all():
            cases["flat"] += [eq25(Z, w + d) == J for d in axes(len(w))]
        cases["jump"] += [eq25(Z, w + TINY * x.astype(object)) < J for x in Z[Z @ w == 0]]
        if len(w) == 2:
            least, best = fewest(Z)
            cases["task"] += [eq25(Z, best) == least, fewest_in_the_plane(Z) == least]
    return cases


def slopes(problems, seed):
    """(28) and (29) on random sets and weights: lists of comparisons by name, exact."""
    rng, cases = np.random.default_rng([seed, 6]), defaultdict(list)
    for Z in problems:
        w, v = rng.integers(-4, 5, (2, Z.shape[1]))
        g, cost, tie = eq29(Z, w), eq28(Z, w), bool((Z @ w == 0).any())
        cases["28"] += [cost == sum(max(0, -int(s)) for s in Z @ w)]
        cases["convex"] += [2 * eq28(Z, w + v) <= eq28(Z, 2 * w) + eq28(Z, 2 * v)]
        for d in axes(len(w)):
            rise = eq28(Z, w + d) - cost
            cases["29 printed"].append(rise == g @ d)
            cases["29 meant"].append(rise >= g @ d if tie else rise == g @ d)
            cases["29 turned"].append(rise == -g @ d)
    return cases


def descents(problems, seed):
    """A tiny step (27) on the cost (28) where it has a slope: lower cost? With the gradient here, and of elsewhere."""
    rng, here, there = np.random.default_rng([seed, 7]), [], []
    for Z in problems:
        w, v = rng.integers(-4, 5, (2, Z.shape[1]))
        if (Z @ w != 0).all() and eq28(Z, w) > 0:
            here.append(below(eq28(Z, w - TINY * eq29(Z, w)), eq28(Z, w)))
            there.append(below(eq28(Z, w - TINY * eq29(Z, v)), eq28(Z, w)))
    return (joined(here), joined(there)) if here else ([], [])


def steps_of_perceptrons(problems, seed):
    """Every correction of a perceptron beside the slope of the cost: lists of comparisons by name, exact."""
    rng, cases = np.random.default_rng([seed, 8]), defaultdict(list)
    for Z in problems:
        run = perceptron(Z, order="random", max_updates=30, rng=rng)
        w = run.w0
        for x in Z[run.picks]:
            g, wrong = eq29(Z, w), Z[Z @ w <= 0]
            cases["along"].append(bool((np.outer(x, g) == np.outer(g, x)).all() and x @ -g > 0))
            share = Fraction(1, len(wrong))
            cases["mean"].append((wrong.sum(axis=0) * share == -g * share).all())
            if x @ w < 0:
                cases["single"] += [max(0, -(w + d) @ x) + w @ x == -x @ d for d in axes(len(w))]
            cases["rise"].append(eq28(Z, w + x) > eq28(Z, w))
            w = w + x
        cases["single"].append((w == run.w).all())
    return cases


def to_the_letter(patterns, looks):
    """Slide 28 as printed, η = 1: nothing counts t, so every look is at w^(0). The least number of mistakes seen."""
    w, t, least = {0: 0 * patterns[0]}, 0, len(patterns)
    for _ in range(looks):
        wrong = patterns[patterns @ w[t] <= 0]
        least = min(least, len(wrong))
        w[t + 1] = w[t] + wrong.sum(axis=0)
    return least


def census(n, largest):
    """All sets of n whole numbers up to ± largest, the first +, that no threshold separates; folded."""
    for x in combinations(range(-largest, largest + 1), n):
        for k in product([1], *[[1, -1]] * (n - 1)):
            if sum(a != b for a, b in pairwise(k)) >= 2:
                yield fold(np.array(x)[:, None], k)


def fewest_in_the_plane(Z):
    """The fewest mistakes, for one w of each sector between the lines z · w = 0: sums of two borders lie in them."""
    sides = np.vstack([Z, -Z])
    borders = sides[:, ::-1] * [-1, 1]
    w = np.vstack([(borders[:, None] + borders).reshape(-1, 2), sides])
    return np.count_nonzero(Z @ w.T <= 0, axis=0).min()


def always_within_reach(patterns, least):
    """Whether corrections lead from every weight that can be met to one with at most `least` mistakes. Exact.

    The weights that can be met are finitely many; then chance meets such a weight with probability 1.
    """
    states = reachable(patterns, least=least)
    into = defaultdict(list)
    for i, _, j in states.edges.tolist():
        into[j].append(i)
    seen, front = set(), np.flatnonzero(states.mistakes <= least).tolist()
    while front:
        i = front.pop()
        if i not in seen:
            seen.add(i)
            front += into[i]
    return states.complete and len(seen) == len(states.w)


def confining_radius(Z):
    """The root of r² = a_n(r), with β the least distance from a span of rows and axes to a row or axis outside it."""
    n, V = Z.shape[1], np.vstack([Z, np.eye(Z.shape[1])])
    R, shortest = np.linalg.norm(V, axis=1).max(), np.inf
    for chosen in (rows for k in range(n) for rows in combinations(range(len(V)), k)):
        vectors, sizes, _ = np.linalg.svd(V[list(chosen)].T, full_matrices=False)
        basis = vectors[:, sizes > 1e-9 * sizes.max(initial=0)]
        distance = np.linalg.norm(V - V @ basis @ basis.T, axis=1)
        shortest = distance[distance > 1e-9 * np.linalg.norm(V, axis=1)].min(initial=shortest)
    q, slope, constant = (R / shortest) ** 2, 0.0, 0.0  # a_k = slope · r + constant
    for _ in range(n):
        slope, constant = (1 + q) * (slope + 2 * R), (1 + q) * constant + R * R
    return (slope + np.sqrt(slope**2 + 4 * constant)) / 2


def wanderings(problems, seed, updates=400):
    """How far perceptrons stray on sets that cannot be separated: the longest w, the radius, the longest pattern."""
    rng, rows = np.random.default_rng([seed, 9]), []
    for Z in problems:
        radius, longest = confining_radius(Z), np.linalg.norm(Z, axis=1).max()
        for order in ("cyclic", "random", "worst"):
            run = perceptron(Z, order=order, max_updates=updates, rng=rng if order == "random" else None)
            rows.append((np.sqrt((run.trajectory().astype(float) ** 2).sum(axis=1).max()), radius, longest))
    return np.array(rows).reshape(-1, 3).T


def batch_records(problems, separable):
    """What the batch rule keeps, and where it ends: lists of comparisons by name."""
    cases = defaultdict(list)
    for Z, can in zip(problems, separable, strict=True):
        b = batch(Z, max_updates=2000)
        seen = [eq25(Z, w) for w in b.path]
        cases["best"] += [seen[0] == len(Z), b.mistakes == min(seen) == eq25(Z, b.w)]
        cases["last"] += [seen[0] == len(Z), b.mistakes == seen[-1]]
        if can:
            cases["letter"].append(to_the_letter(Z, 100) == 0)
            cases["counted"].append(b.mistakes == 0)
            cases["all"].append(eq25(Z, Z.sum(axis=0)) == 0)
    return cases
