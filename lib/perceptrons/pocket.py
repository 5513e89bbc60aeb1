"""Pocket algorithms: run the perceptron on patterns that may not be separable, and keep the best weights seen.

Solves, approximately: find w with as few mistakes (z_j · w ≤ 0) as possible; `fewest` finds the optimum of small sets.
Stops: after the given number of tests, or when the pocket makes no mistake.
Guarantees: under "count" and "ratchet" the pocket's mistakes never increase; under "run" they may.
"""

from dataclasses import dataclass, field
from itertools import combinations
from math import log

import numpy as np

from lib.checks import one_of, whole_number
from lib.margins.separability import separability
from lib.patterns import as_patterns, as_start, integers, is_exact

RULES = ("run", "ratchet", "count")


@dataclass(frozen=True)
class Pocket:
    """The pocket and its history.

    Attributes
    ----------
    w : ndarray, shape (n,)
        The weights in the pocket.
    mistakes : int
        Patterns with z · w ≤ 0.
    tests, updates : int
        Patterns drawn, and corrections made.
    swaps : ndarray of int, shape (k, 2)
        The test after which each new vector went into the pocket, and its mistakes.
    stop : str
        "no mistake left" or "out of tests".
    """

    w: np.ndarray
    mistakes: int
    tests: int
    updates: int
    swaps: np.ndarray = field(repr=False)
    stop: str = ""


def pocket(patterns, *, rule="ratchet", w0=None, max_tests=100_000, rng=0):
    """Run a pocket algorithm.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    rule : {"run", "ratchet", "count"}
        "run": Rojas' Algorithm 4.2.2. A drawn pattern that is right lengthens the run h; when h exceeds the
        pocket's record, w goes into the pocket.
        "ratchet": the same, but w must also make fewer mistakes than the pocket.
        "count": Liang's section 4. Each test draws a mistake and corrects it; w goes into the pocket
        if it makes fewer mistakes.
    w0 : array_like, shape (n,), optional
        The start, and the first vector in the pocket.
    max_tests : int
    rng : int or numpy.random.Generator

    Returns
    -------
    Pocket
    """
    Z = as_patterns(patterns)
    one_of(rule, "rule", RULES)
    whole_number(max_tests, "max_tests")
    w = as_start(w0, Z) + 0 * Z[0]
    search = _count if rule == "count" else _run_length
    return search(Z, w, max_tests, np.random.default_rng(rng), rule == "ratchet")


def _count(Z, w, max_tests, rng, _):
    wrong = np.flatnonzero(Z @ w <= 0)
    best, least, swaps, t = w, len(wrong), [(0, len(wrong))], 0
    while t < max_tests and len(wrong):
        w = w + Z[wrong[rng.integers(len(wrong))]]
        t += 1
        wrong = np.flatnonzero(Z @ w <= 0)
        if len(wrong) < least:
            best, least = w, len(wrong)
            swaps.append((t, least))
    return Pocket(best, least, t, t, np.array(swaps), _why(least))


def _run_length(Z, w, max_tests, rng, ratchet):
    """Between two corrections w stays, so a run is one stretch of draws that are all right."""
    right = Z @ w > 0
    best, least, record = w, int((~right).sum()), 0
    swaps, t, updates, draws = [(0, least)], 0, 0, np.empty(0, dtype=np.int64)
    while t < max_tests and least:
        if not draws.size:
            draws = rng.integers(len(Z), size=min(4096, max_tests - t))
        ok, h, hit = right[draws], 0, None
        while ok.all() and t + h + len(draws) < max_tests:
            h += len(draws)
            draws = rng.integers(len(Z), size=min(4096, max_tests - t - h))
            ok = right[draws]
        k = int(ok.argmin()) if not ok.all() else len(ok)
        hit, h = k < len(ok), h + k
        mistakes = int((~right).sum())
        if h > record and (not ratchet or mistakes < least or best is w):
            if best is not w:
                swaps.append((t + record + 1, mistakes))
            best, least, record = w, mistakes, h
        t += h + hit
        if hit:
            w = w + Z[draws[k]]
            right = Z @ w > 0
            updates += 1
        draws = draws[k + 1 :]
    return Pocket(best, least, t, updates, np.array(swaps), _why(least))


def _why(mistakes):
    return "out of tests" if mistakes else "no mistake left"


def fewest(patterns):
    """The least number of mistakes of any w, and such a w; for exact patterns, few of them.

    In the plane one w of each sector between the lines z_j · w = 0 is tried. Elsewhere patterns are left out,
    as few as possible, until `separability` finds the rest separable: up to 2^p trials. Strict inequalities
    survive small changes of w, so an optimum lies inside a sector.

    Returns
    -------
    least : int
    w : ndarray, shape (n,)
        Integers in the plane.
    """
    Z = as_patterns(patterns)
    if not is_exact(Z):
        raise ValueError("patterns are floats; expected integers or Fractions, for which ties are decided")
    if Z.shape[1] == 2:
        (whole,), _ = integers(Z)
        return _fewest_in_the_plane(whole)
    for left_out in range(len(Z)):
        for out in combinations(range(len(Z)), left_out):
            found = separability(np.delete(Z, out, axis=0))
            if found.separable:
                return left_out, found.w
    raise AssertionError("one pattern that is not zero is always separable")


def _fewest_in_the_plane(Z):
    """Sums of two borders lie between them; ±z_j serve if all borders are one line."""
    sides = np.vstack([Z, -Z]).astype(object)
    borders = sides[:, ::-1] * np.array([-1, 1])
    between = (borders[:, None] + borders[None]).reshape(-1, 2)
    w = np.vstack([between, sides])
    wrong = np.count_nonzero(Z.astype(object).dot(w.T) <= 0, axis=0)
    best = int(wrong.argmin())
    return int(wrong[best]), w[best]


@dataclass(frozen=True)
class Study:
    """Many pockets that ran side by side.

    Attributes
    ----------
    runs, tests : int
        How many runs, and how many tests each has made.
    swaps : ndarray of int, shape (k, 4)
        Rows (run, test, mistakes before, mistakes after), a row for each vector that went into a pocket; ordered
        by test within a run.
    start : int
        The mistakes of the first weights.
    """

    runs: int
    tests: int
    swaps: np.ndarray = field(repr=False)
    start: int

    def mistakes(self, tests):
        """Of the weights in each pocket after so many tests: shape (runs, len(tests))."""
        found = np.full((self.runs, len(tests)), self.start)
        for run, when, _, after in self.swaps:
            found[run, np.asarray(tests) >= when] = after
        return found


def study(states, tests, *, rule="run", runs=400, rng=0, watch=None):
    """Run many pockets side by side on the graph of `reachable`, for `tests` tests each.

    The law of a run is that of `pocket`; its random numbers are not. Weights with e mistakes among p patterns are
    right on the next h patterns drawn with probability (1 − e/p)^h. So whole runs are drawn at once, then one of the e
    mistakes. Under "count" a test is a correction, and every vector is counted.

    Parameters
    ----------
    states : States
        Complete.
    tests, runs : int
    rule : {"run", "ratchet", "count"}
    watch : function, optional
        Called with the number of tests that all runs have made, now and then: progress for long studies.

    Returns
    -------
    Study
    """
    one_of(rule, "rule", RULES)
    if not states.complete:
        raise ValueError("states are not complete; expected a graph that was not cut off")
    rng = np.random.default_rng(rng)
    s, t = np.zeros(runs, dtype=np.int64), np.zeros(runs, dtype=np.int64)
    least, record, swaps = np.full(runs, states.mistakes[0]), np.zeros(runs, dtype=np.int64), []
    graph = _Graph(states)
    while t.min() < tests:
        s, e, h = graph.walk(s, rng, tests, counting=rule == "count")
        before = t + np.cumsum(h + 1, axis=0) - (h + 1)
        t = before[-1] + h[-1] + 1
        least, record = _swap(rule, before, e, h, least, record, swaps)
        if watch is not None:
            watch(min(int(t.min()), tests))
    swaps = np.concatenate(swaps) if swaps else np.zeros((0, 4), dtype=np.int64)
    swaps = swaps[swaps[:, 1] <= tests]
    return Study(runs, tests, swaps[np.lexsort((swaps[:, 1], swaps[:, 0]))], int(states.mistakes[0]))


def _swap(rule, before, e, h, least, record, swaps):
    """Find what goes into the pockets in a block of rounds, one swap of every run at a time."""
    after, rounds = np.full(e.shape[1], -1), np.arange(len(e))[:, None]
    while True:
        fit = e < least if rule != "run" else True
        fit = fit & (h > record) if rule != "count" else fit
        fit &= rounds > after
        run = np.flatnonzero(fit.any(axis=0))
        if not run.size:
            return least, record
        k = fit[:, run].argmax(axis=0)
        when = before[k, run] + (record[run] + 1 if rule != "count" else 0)
        swaps.append(np.column_stack([run, when, least[run], e[k, run]]))
        least, record, after = least.copy(), record.copy(), after.copy()
        least[run], record[run], after[run] = e[k, run], h[k, run], k


class _Graph:
    """The states as arrays to walk on: the targets of state s begin at first[s]; an end leads to itself."""

    BLOCK = 512

    def __init__(self, states):
        ends = np.flatnonzero(states.mistakes == 0)
        out = np.maximum(states.mistakes, 1)
        self.mistakes, self.first = states.mistakes, np.cumsum(out) - out
        self.target = np.zeros(out.sum(), dtype=np.int64)
        self.target[self.first[ends]] = ends
        start, target = states.edges[:, 0], states.edges[:, 2]
        self.target[self.first[start] + np.arange(len(start)) - np.searchsorted(start, start)] = target
        self.decay = np.array([-1.0, *(log(1 - e / states.size) for e in range(1, states.size)), -np.inf])

    def walk(self, s, rng, endless, counting):
        """BLOCK rounds: the states after them, and for each round the mistakes and the length of the run."""
        where, u = np.empty((self.BLOCK, len(s)), dtype=np.int64), rng.random((self.BLOCK, len(s)))
        for k in range(self.BLOCK):
            where[k] = s
            s = self.target[self.first[s] + (u[k] * self.mistakes[s]).astype(np.int64)]
        e = self.mistakes[where]
        if counting:
            return s, e, 0 * e
        h = np.minimum(np.log1p(-rng.random(e.shape)) / self.decay[e], endless).astype(np.int64)
        return s, e, np.where(e > 0, h, endless)
