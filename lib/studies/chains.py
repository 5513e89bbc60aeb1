"""The perceptron as a walk at random: the weights that corrections can reach, and how long the best are away.

On integer patterns the weights stay bounded, separable or not (the perceptron cycling theorem, `confining_radius`), so
they are the states of a finite Markov chain. The proofs are in notebook 22.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from operator import add, mul

import numpy as np

from lib.numbers import integers, is_exact, tight, whole_number
from lib.patterns import as_patterns
from lib.perceptrons.pocket import fewest


@dataclass(frozen=True)
class States:
    """All weights that corrections can reach; the perceptron walks on this graph.

    Attributes
    ----------
    w, mistakes : ndarray of int, shapes (k, n) and (k,)
        The first state is the start.
    edges : ndarray of int, shape (m, 3)
        Rows (from, pattern, to): each state has one edge for each of its mistakes.
    size : int
        The number of patterns.
    complete : bool
        False if the search was cut off.
    """

    w: np.ndarray
    mistakes: np.ndarray
    edges: np.ndarray = field(repr=False)
    size: int
    complete: bool

    def reaching(self, target):
        """For each state, whether some path leads to a state with mistakes ≤ target."""
        good = self.mistakes <= target
        start, _, end = self.edges.T
        while True:
            more = good.copy()
            more[start[good[end]]] = True
            if (more == good).all():
                return good
            good = more


def reachable(patterns, *, least=0, limit=100_000):
    """List every weight vector that corrections can lead to from zero, whatever mistakes are picked.

    Solves: the graph of a perceptron on integer patterns. Stops: when no new state is found, or above `limit` states.
    Guarantees: the `States` are all if `complete` says so. Weights with at most `least` mistakes are not corrected.
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
    return States(tight(W), np.array(mistakes), edges, len(Z), len(states) <= limit)


def hitting_time(patterns, *, least=None, max_states=20_000):
    """The expected number of corrections, each of a wrong pattern drawn uniformly, until J(w) ≤ least. Exact.

    The linear equations h = 1 + P h of the Markov chain are solved in Fractions, the state with the fewest neighbours
    eliminated first. The patterns are integers or Fractions; `least` is `fewest(patterns)` if not given, and 0 gives
    the mean length of a perceptron's run on separable patterns. Returns the time, a Fraction, and the number of weights
    that can be met, the optimal ones included.
    """
    Z = as_patterns(patterns)
    least = fewest(Z)[0] if least is None else least
    states = reachable(integers(Z)[0][0], least=least, limit=max_states)
    if not states.complete:
        raise ValueError(f"more than {max_states} weights can be met; expected fewer (max_states)")
    return _first_entry(states.edges), len(states.w)


def _first_entry(edges):
    """Eliminate all states but the first from h_i = c_i + Σ P_ij h_j; h_0."""
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


def confining_radius(patterns):
    """A radius r that no perceptron leaves: ‖w‖ ≤ r for every chain of corrections from zero, in floats.

    The patterns may be separable or not, the mistakes chosen by anybody. That w stays bounded is the perceptron
    cycling theorem (Minsky and Papert; Block and Levin, 1970); the proof and this r, the root of r² = a_n(r), are ours.
    """
    Z = as_patterns(patterns).astype(np.float64)
    n = Z.shape[1]
    V = np.vstack([Z, np.eye(n)])
    R = np.linalg.norm(V, axis=1).max()
    shortest = min(_distance(V, chosen) for k in range(n) for chosen in combinations(range(len(V)), k))
    q = (R / shortest) ** 2
    slope = constant = 0.0  # a_k = slope · r + constant
    for _ in range(n):
        slope, constant = (1 + q) * (slope + 2 * R), (1 + q) * constant + R * R
    return float(slope + np.sqrt(slope**2 + 4 * constant)) / 2


def _distance(V, chosen):
    """The least distance from the span of the chosen rows to a row outside it."""
    vectors, sizes, _ = np.linalg.svd(V[list(chosen)].T, full_matrices=False)
    basis = vectors[:, sizes > 1e-9 * sizes.max(initial=0)]
    gaps = np.linalg.norm(V - V @ basis @ basis.T, axis=1)
    return gaps[gaps > 1e-9 * np.linalg.norm(V, axis=1)].min(initial=np.inf)
