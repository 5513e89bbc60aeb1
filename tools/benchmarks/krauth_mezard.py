"""Krauth and Mézard's algorithm against the plain numpy loop, which does one product Z @ W and one argmin an update."""

import numpy as np

from lib.perceptrons.krauth_mezard import krauth_mezard
from tools.benchmarks import Row, one_pass, race, two_classes

MARGIN = 0.5


def rows(quick=False):
    """Yield the rows: the plain loop is timed over some updates, as long as our run takes, and scaled to its number."""
    yield _against_plain(360, 20, 50, seed=201, steps=7000, faster=5)
    yield _against_plain(10_000, 50, 50, seed=202, steps=1500, faster=20)
    yield _against_plain(10_000, 50, 500, seed=202, steps=4000, faster=100, below_pass=True)
    if not quick:
        yield _against_plain(100_000, 54, 50, seed=203, steps=12)
        yield _against_plain(100_000, 54, 500, seed=203, steps=12, faster=150, below_pass=True)
    yield _same_picks(20 if quick else 200)


def _against_plain(p, n, c, *, seed, steps, faster=None, below_pass=False):
    Z, _ = two_classes(p, n, MARGIN, seed)
    unit, repeats = one_pass(Z)
    scores = np.random.default_rng(0).normal(size=p)
    contestants = {
        "unit": unit,
        "plain": lambda: _plain(Z, steps),
        "pass": lambda: _passes(scores, steps),
        "ours": lambda: krauth_mezard(Z, c),
    }
    seconds, found = race(contestants, runs=9 if p <= 10_000 else 2)
    ours, run = seconds["ours"], found["ours"]
    peer, one = seconds["plain"] / steps * run.updates, seconds["pass"] / steps
    each = ours / run.updates
    note = f"{run.updates} updates, {each * 1e6:.2g} µs each; one pass over p scores {one * 1e6:.2g} µs"
    goals, met = [], [run.converged]
    if faster:
        goals.append(f">= {faster}x")
        met.append(peer >= faster * ours)
    if below_pass:
        goals.append("below one pass an update")
        met.append(each < one)
    goal = ", ".join(goals) or "converged"
    return Row(
        f"krauth_mezard / plain loop, c = {c}", f"{p}x{n}", ours, peer, seconds["unit"] / repeats, goal, all(met), note
    )


def _plain(Z, steps):
    W, picks = np.zeros(Z.shape[1]), []
    for _ in range(steps):
        j = (Z @ W).argmin()
        W = W + Z[j]
        picks.append(j)
    return W


def _passes(scores, steps):
    """Add to p scores and find the lowest."""
    scores = scores.copy()
    for _ in range(steps):
        scores.argmin()
        scores += 1e-9


def _same_picks(problems):
    """Random problems, two thirds of them small integers full of ties: how many picks differ from the plain loop's?"""
    rng = np.random.default_rng(204)
    wrong = updates = 0
    sets = [_problem(rng, k) for k in range(problems)]
    seconds, found = race({"ours": lambda: [krauth_mezard(Z, 5, max_updates=1500) for Z in sets]}, runs=1)
    for Z, run in zip(sets, found["ours"], strict=True):
        W = 0 * Z[0]
        for j in run.picks:
            wrong += int(np.cumsum(Z * W, axis=1)[:, -1].argmin()) != j  # in the order of the columns
            W = W + Z[j]
        updates += run.updates
    unit = race({"unit": lambda: [Z @ np.ones(Z.shape[1]) for Z in sets]})[0]["unit"]
    note = f"{wrong} of {updates} picks differ"
    return Row("krauth_mezard, picks", f"{problems} problems", seconds["ours"], None, unit, "none", wrong == 0, note)


def _problem(rng, k):
    n, p = int(rng.integers(2, 12)), int(rng.integers(20, 300))
    u = rng.normal(size=n)
    draws = (
        lambda: rng.choice([-1, 1], (p, n)),
        lambda: rng.integers(-3, 4, (p, n)),
        lambda: rng.normal(size=(p, n)),
    )
    Z = draws[k % 3]()
    Z = Z[(Z != 0).any(axis=1)]
    return Z * np.where(Z @ u < 0, -1, 1)[:, None]
