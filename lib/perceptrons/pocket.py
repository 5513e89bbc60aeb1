"""Pocket algorithms: run the perceptron on patterns that may not be separable, and keep the best weights seen.

Solves, approximately: find w with as few mistakes (z_j · w ≤ 0) as possible; `fewest` finds the optimum of small sets.
Stops: after `max_tests` patterns were drawn, or when the pocket makes no mistake.
Guarantees: under "count" and "ratchet" the pocket's mistakes never increase; under "run" they may.
"""

from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np

from lib.compiled import add, compiled, dot, texts
from lib.margins.separability import separability
from lib.numbers import is_exact, one_of, whole_number
from lib.patterns import as_patterns, as_start
from lib.perceptrons.choosing import every_wrong, roughly
from lib.perceptrons.perceptron import added, number_system

RULES = ("run", "ratchet", "count")
MOST = 2**28
"""Tests at most, whose draws are kept."""


@dataclass(frozen=True)
class Pocket:
    """The pocket and its history.

    Attributes
    ----------
    w, mistakes : the weights in the pocket, shape (n,), and the number of patterns with z · w ≤ 0
    picks : the pattern of every correction, in order, shape (updates,)
    tests : patterns drawn
    swaps : the test after which each new vector went into the pocket, and its mistakes, shape (k, 2)
    """

    w: np.ndarray
    mistakes: int
    picks: np.ndarray = field(repr=False)
    tests: int
    swaps: np.ndarray = field(repr=False)

    @property
    def updates(self):
        return len(self.picks)

    @property
    def converged(self):
        return self.mistakes == 0

    @property
    def stop(self):
        return "no mistake left" if self.converged else "out of tests"

    def after(self, tests):
        """The mistakes of the pocket after so many tests each, shape (len(tests),)."""
        return self.swaps[np.searchsorted(self.swaps[:, 0], tests, side="right") - 1, 1]


@compiled
def count_wrong(patterns, w):
    """The number of patterns with z · w ≤ 0."""
    wrong = 0
    for j in range(len(patterns)):
        wrong += not dot(patterns[j], w) > 0
    return wrong


@compiled
def keep_the_longest_run(patterns, w, draws, ratchet):
    """Rojas' Algorithm 4.2.2; with the ratchet, weights enter the pocket only if they make fewer mistakes."""
    picks, least = [], count_wrong(patterns, w)
    swaps, pocketed, run, record, t = [(0, least, 0)], True, 0, 0, 0
    while least and t < len(draws):
        j = draws[t]
        t += 1
        if not dot(patterns[j], w) > 0:
            add(patterns[j], w, 1)
            picks.append(j)
            run, pocketed = 0, False
            continue
        run += 1
        if run > record and (pocketed or not ratchet or count_wrong(patterns, w) < least):
            record = run
            if not pocketed:
                pocketed, least = True, count_wrong(patterns, w)
                swaps.append((t, least, len(picks)))
    return np.array(picks), np.array(swaps), t


@compiled
def keep_the_fewest(patterns, rough, w, tests, rng):
    """Liang's section 4: correct a mistake drawn at random; keep the weights if they make fewer mistakes."""
    wrong = every_wrong(patterns, rough, w)
    least, picks, swaps = len(wrong), [], [(0, len(wrong), 0)]
    while len(wrong) and len(picks) < tests:
        j = wrong[rng.integers(0, len(wrong))]
        add(patterns[j], w, 1)
        picks.append(j)
        wrong = every_wrong(patterns, rough, w)
        if len(wrong) < least:
            least = len(wrong)
            swaps.append((len(picks), least, len(picks)))
    return np.array(picks), np.array(swaps), len(picks)


@texts(keep_the_longest_run, keep_the_fewest)
def pocket(patterns, *, rule="ratchet", w0=None, max_tests=100_000, rng=0):
    """Run a pocket algorithm; a `Pocket`.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    rule : {"run", "ratchet", "count"}
        Rojas' Algorithm 4.2.2, in which the weights with the longest run of right patterns go into the pocket; the
        same, if they also make fewer mistakes; Liang's section 4, in which every test corrects a mistake and weights
        with fewer mistakes go into the pocket.
    w0 : array_like, shape (n,), optional
        The start, and the first vector in the pocket.
    max_tests : int
    rng : int or numpy.random.Generator
    """
    Z = as_patterns(patterns)
    one_of(rule, "rule", RULES)
    w0 = as_start(w0, Z)
    tests, rng = whole_number(max_tests, "max_tests", most=MOST), np.random.default_rng(rng)
    rows, w = number_system(Z, w0, tests)
    if rule == "count":
        picks, swaps, t = keep_the_fewest(rows, roughly(rows), w, tests, rng)
    else:
        picks, swaps, t = keep_the_longest_run(rows, w, rng.integers(len(rows), size=tests), rule == "ratchet")
    picks, (_, least, made) = picks.astype(np.int64), swaps[-1]
    w = added(Z, w0, picks[:made]) if is_exact(Z, w0) else np.vstack([w0, Z[picks[:made]]]).cumsum(axis=0)[-1]
    return Pocket(w, int(least), picks, t, swaps[:, :2])


def fewest(patterns):
    """The least number of mistakes of any w, and such a w, for exact patterns, few of them: up to 2^p trials.

    Patterns are left out, as few as possible, until `separability` finds the rest separable; one always is.
    """
    Z = as_patterns(patterns)
    if not is_exact(Z):
        raise ValueError("patterns are floats; expected integers or Fractions, for which ties are decided")
    subsets = chain.from_iterable(combinations(range(len(Z)), k) for k in range(len(Z)))
    tried = ((out, separability(np.delete(Z, out, axis=0))) for out in subsets)
    return next((len(out), found.w) for out, found in tried if found.separable)
