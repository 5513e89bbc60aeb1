"""The perceptron as a walk at random: the weights that corrections can reach, and how long the best are away.

On integer patterns the weights stay bounded, separable or not (the perceptron cycling theorem, notebook 22), so they
are the states of a finite Markov chain.
"""

from collections import Counter, namedtuple
from fractions import Fraction
from operator import add, mul

import numpy as np

from lib.numbers import integers, is_exact, tight, whole_number
from lib.patterns import as_patterns
from lib.perceptrons.pocket import fewest

States = namedtuple("States", "w mistakes edges complete")
"""The k weights, shape (k, n), the start first; their mistakes; rows (from, pattern, to), one for each mistake of each
weight that is corrected; and whether the search found them all."""


def reachable(patterns, *, least=0, limit=100_000):
    """The `States` that corrections of integer patterns can lead to from zero, whatever mistakes are picked.

    Stops when none is new, or above `limit`. Weights with at most `least` mistakes are not corrected.
    """
    Z, limit = as_patterns(patterns), whole_number(limit, "limit")
    (whole,), scale = integers(Z) if is_exact(Z) else ((Z,), None)
    if scale != 1:
        raise ValueError(f"patterns have dtype {Z.dtype}; expected integers")
    rows, start = whole.tolist(), (0,) * Z.shape[1]
    states, number, mistakes, edges = [start], {start: 0}, [], []
    for i, w in enumerate(states):  # the list grows on the way
        wrong = [j for j, z in enumerate(rows) if sum(map(mul, z, w)) <= 0]
        mistakes.append(len(wrong))
        for j in wrong if len(wrong) > least and len(states) <= limit else ():
            v = tuple(map(add, w, rows[j]))
            edges.append((i, j, number.setdefault(v, len(states))))
            if len(number) > len(states):
                states.append(v)
    W, edges = np.array(states, dtype=object), np.array(edges, dtype=np.int64).reshape(-1, 3)
    return States(tight(W), np.array(mistakes), edges, len(states) <= limit)


def hitting_time(patterns, *, least=None, max_states=20_000):
    """The expected number of corrections, each of a wrong pattern drawn uniformly, until J(w) ≤ least. Exact.

    The patterns are integers or Fractions; `least` is `fewest(patterns)` if not given, and 0 gives the mean length of a
    perceptron's run on separable patterns. Returns the time, a Fraction, and the number of weights that can be met.
    """
    Z = as_patterns(patterns)
    least = fewest(Z)[0] if least is None else least
    states = reachable(integers(Z)[0][0], least=least, limit=max_states)
    if not states.complete:
        raise ValueError(f"more than {max_states} weights can be met; expected fewer (max_states)")
    return _first_entry(states.edges), len(states.w)


def _first_entry(edges):
    """h_0 of the equations h_i = 1 + Σ P_ij h_j: the others are eliminated, the one with fewest neighbours first."""
    ways = Counter(edges[:, 0].tolist())
    P, c, into = {i: {} for i in ways}, dict.fromkeys(ways, Fraction(1)), {i: set() for i in ways}
    for i, _, j in edges.tolist():
        if j in P:
            P[i][j] = P[i].get(j, 0) + Fraction(1, ways[i])
            into[j].add(i)
    while len(P) > 1:
        k = min((i for i in P if i), key=lambda i: len(into[i]) * len(P[i]))
        row, ck = P.pop(k), c[k]
        stay = 1 - row.pop(k, 0)
        for j in row:
            into[j].discard(k)
        for i in into[k] - {k}:
            share = P[i].pop(k) / stay
            c[i] += share * ck
            for j, p in row.items():
                P[i][j] = P[i].get(j, 0) + share * p
                into[j].add(i)
    return c[0] / (1 - P[0].get(0, 0)) if P else Fraction(0)
