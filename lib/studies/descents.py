"""Kozinec's algorithm tried (notebooks 26 and 28): random sets, its steps in Fractions, its bounds, the zig-zag."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from lib.bounds import ctu, ours
from lib.margins.hulls import RULES, kozinec
from lib.margins.max_margin import max_margin
from lib.numbers.comparisons import at_most

THIN = np.array([[1.1, 0], [1, 0]])
"""Two patterns on a ray, so close that a step is clipped at once."""


def separable_sets(count, size, seed):
    """Random separable integer sets in two to four dimensions with their exact m², from five streams in turn."""
    streams, problems = [np.random.default_rng([seed, k]) for k in range(5)], []
    while len(problems) < count:
        rng = streams[len(problems) % 5]
        n = int(rng.integers(2, 5))
        v = rng.integers(-3, 4, n)
        Z = rng.integers(-size, size + 1, (int(rng.integers(2, 12)), n))
        Z = Z[Z @ v > 0]
        if len(Z) > 1:
            problems.append((Z, max_margin(Z).exact().squared))
    return problems


def every_start(problems):
    """Kozinec with ε = 0 from every pattern of every set, by every rule: the runs, and updates beside D²/m² − 1."""
    runs, sides = [], []
    for Z, m2 in [*problems, *((np.eye(n, dtype=int), Fraction(1, n)) for n in (1, 2, 5, 30))]:
        limit = ours.kozinec(ctu.eq9(Z), m2)
        for rule in RULES:
            for start in range(len(Z)):
                runs.append(kozinec(Z, rule=rule, start=start))
                sides.append((runs[-1].updates, limit))
    return runs, at_most(*zip(*sides, strict=True))


def from_zero(Z, updates=20):
    """Slide 44 from w = 0 in place of a pattern: whether it has separated after so many updates. Exact."""
    w = Z[0] * Fraction(0)
    for _ in range(updates):
        wrong = Z[Z @ w <= 0]
        if not len(wrong):
            return True
        x = wrong[0]
        w = w + (w @ (w - x)) / Fraction(int(x @ x) if not w.any() else (w - x) @ (w - x)) * (x - w)
    return False


def stops_right(Z, start):
    """Whether the search for w · x < 0, in place of ≤ 0, does not stop at once with a wrong pattern. Exact."""
    return min(Z @ Z[start]) != 0


def exact_steps(Z, updates=6):
    """The first steps of a run in Fractions: w before, the pattern x, κ* = w · (w − x)/‖w − x‖²; and w at the end."""
    run, w, steps = kozinec(Z * Fraction(1), max_updates=updates), Z[0] * Fraction(1), []
    for x in Z[run.picks] * Fraction(1):
        steps.append((w, x, (w @ (w - x)) / ((w - x) @ (w - x))))
        w = w + steps[-1][2] * (x - w)
    return steps, tuple(w) == tuple(run.w)


def squared(w, x, kappa):
    """‖(1 − κ) w + κ x‖²."""
    point = w + kappa * (x - w)
    return point @ point


def shortest(problems, factor=1):
    """Whether κ* times the factor lies in (0, 1) and no κ of a grid leads to a shorter point. Exact, a case a step."""
    held, grid = [], [Fraction(i, 20) for i in range(1, 20)]
    for Z, _ in problems:
        steps, same = exact_steps(Z)
        for w, x, kappa in steps:
            others = min(squared(w, x, k) for k in [*grid, kappa])
            held.append(same and 0 < factor * kappa < 1 and squared(w, x, factor * kappa) <= others)
    return held


def growth(problems):
    """1/‖w′‖² ≥ 1/‖w‖² + 1/‖x‖² at the first steps of a run. Exact."""
    steps = [step for Z, _ in problems for step in exact_steps(Z)[0]]
    least = [1 / (w @ w) + 1 / (x @ x) for w, x, _ in steps]
    return at_most(least, [1 / squared(*step) for step in steps]) if steps else at_most([], [])


def clipped(runs):
    """Each step of runs with ε: κ*, and the lengths at min(1, κ*) and min(0.9, κ*) beside the least on (0, 1]."""
    rows, grid = [], np.linspace(0.05, 1, 20)
    for run in runs:
        Z = run.patterns.astype(float)
        w = Z[0].copy()
        for x in Z[run.picks]:
            kappa = w @ (w - x) / ((w - x) @ (w - x))
            ends = [min(1, kappa), min(0.9, kappa)]
            least = min(np.linalg.norm(w + np.outer([*grid, min(1, kappa)], x - w), axis=1))
            rows.append((kappa, *(np.linalg.norm(w + k * (x - w)) for k in ends), least))
            w += ends[0] * (x - w)
    kappa, one, early, least = np.array(rows).reshape(-1, 4).T
    return kappa < 1, at_most(one, least, rtol=1e-12), at_most(early, least, rtol=1e-12)


def bounded(problems, cap):
    """Updates beside our bounds, for three ε and a thin pair: comparisons by name.

    "any" and "worst", and each with its last term left out.
    """
    rows = []
    for Z, m2 in [*problems, (THIN, 1)]:
        m, D2 = float(m2) ** 0.5, float(ours.diameter_squared(Z))
        for eps in [part * m for part in (0.5, 0.05, 0.005)] if Z is not THIN else [0.09]:
            for rule in RULES:
                made = kozinec(Z, eps=eps, rule=rule, max_updates=cap).updates
                any_rule = ours.kozinec_any(D2, m, eps, np.linalg.norm(Z[0]), len(Z))
                bare = 2 * D2 / eps**2 * np.log(np.linalg.norm(Z[0]) / m)
                rows.append((made, any_rule, bare, ours.kozinec_worst(D2, m, eps), rule == "worst"))
    made, any_rule, bare, worst, chosen = np.array(rows).T
    by_worst = chosen == 1
    return {
        "any": at_most(made, any_rule, rtol=1e-9),
        "any, bare": at_most(made, bare, rtol=1e-9),
        "worst": at_most(made, worst, rtol=1e-9)[by_worst],
        "worst, bare": at_most(made, worst - 1, rtol=1e-9)[by_worst],
    }


def beginnings(problems):
    """Whether a run with a larger ε is the beginning of one with a smaller, with the worst violators."""
    held = []
    for Z, m2 in problems:
        picks = [kozinec(Z, eps=part * float(m2) ** 0.5).picks.tolist() for part in (0.5, 0.05, 0.01)]
        held += [b[: len(a)] == a for a, b in pairwise(picks)]
    return held


def zigzag(a, b, m, c, steps):
    """The worst-violator run on (0, m + c), (−a, m), (b, m): t · m · gap along it, and its limit by the next pick."""
    run = kozinec(np.array([[0, m + c], [-a, m], [b, m]]), eps=1e-12, max_updates=steps)
    limits = {1: 2 * a * a * b / (a + b), 2: 2 * a * b * b / (a + b)}
    return run, run.gaps() * np.arange(run.updates + 1) * m, limits


def zigzag_cases(triangles, steps, other=False):
    """Whether the last ten products are within 1 % of their limits, or of the other one, and the picks alternate."""
    held = []
    for triangle in triangles:
        run, product, limits = zigzag(*triangle, steps)
        for t in range(run.updates - 10, run.updates):
            limit = limits[3 - run.picks[t] if other else run.picks[t]]
            held += [abs(product[t] / limit - 1) < 0.01, run.picks[t] + run.picks[t - 1] == 3]
    return np.array(held, dtype=bool)
