"""The perceptron as a walk at random: the weights that corrections can reach, and how long the best are away.

On integer patterns the weights stay bounded, separable or not (the perceptron cycling theorem, `confining_radius`), so
they are the states of a finite Markov chain.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from lib.numbers import integers
from lib.patterns import as_patterns
from lib.perceptrons.pocket import fewest


@dataclass(frozen=True)
class States:
    """All weights that corrections can reach; the perceptron walks on this graph.

    Attributes
    ----------
    w : ndarray of int, shape (k, n)
        The first is the start.
    mistakes : ndarray of int, shape (k,)
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
    Guarantees: the list is complete if `complete` says so; it is finite for integer patterns, separable or not,
    because the weights stay bounded (`confining_radius`). Weights with at most `least` mistakes are not corrected.

    Returns
    -------
    States
    """
    Z = as_patterns(patterns)
    if Z.dtype != np.int64:
        raise ValueError(f"patterns have dtype {Z.dtype}; expected integers")
    number, edges, done = {(0,) * Z.shape[1]: 0}, [], 0
    while done < len(number) <= limit:
        front = list(number)[done:]
        for i, wrong in enumerate(np.array(front) @ Z.T <= 0, start=done):
            w = front[i - done]
            for j in np.flatnonzero(wrong) if np.count_nonzero(wrong) > least else ():
                v = tuple(a + b for a, b in zip(w, Z[j].tolist(), strict=True))
                edges.append((i, j, number.setdefault(v, len(number))))
        done += len(front)
    W = np.array(list(number))
    return States(W, (W @ Z.T <= 0).sum(axis=1), np.array(edges).reshape(-1, 3), len(Z), done == len(number))


def hitting_time(patterns, *, least=None, max_states=20_000):
    """The expected number of corrections, each of a wrong pattern drawn uniformly, until J(w) ≤ least. Exact.

    The weights from w = 0 on are a Markov chain; its states stay within `confining_radius`, so exact patterns
    have finitely many. The linear equations h = 1 + P h are solved in Fractions, the state with the fewest
    neighbours eliminated first.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Integers or Fractions.
    least : int, optional
        `fewest(patterns)` if not given; 0 gives the mean length of a perceptron's run on separable patterns.
    max_states : int

    Returns
    -------
    time : Fraction
    states : int
        Weights that can be met, the optimal ones included.
    """
    Z = as_patterns(patterns)
    least = fewest(Z)[0] if least is None else least
    (whole,), _ = integers(Z)
    states = reachable(whole, least=least, limit=max_states)
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
    cycling theorem (Minsky and Papert; Block and Levin, 1970); the proof and this r are ours.

    Proof. Let V be the patterns and the unit vectors, R the longest length, 𝒰 the proper subspaces spanned by
    parts of V, P_U the projection along U, β the least ‖P_U v‖ over U ∈ 𝒰, v ∈ V outside U, and q = R²/β².
    Let a_0 = 0, a_(k+1) = (1 + q)(a_k + 2Rr) + R², and take r so large that a_n ≤ r² (the a_k are linear in r).
    Put r_k² = r² − a_k, r_n = 0. The body K = {w : ‖P_U w‖ ≤ r_k for all U ∈ 𝒰, k = dim U} is left by no
    correction. For let w ∈ K, w · v ≤ 0. If v ∈ U then P_U(w + v) = P_U w. If not, and ‖P_U w‖ ≤ r_k − R, then
    ‖P_U(w + v)‖ ≤ r_k. Else let c be the component of P_U w along P_U v. The rest is the projection along
    U + ⟨v⟩, so c² ≥ (r_k − R)² − r_(k+1)² ≥ a_(k+1) − a_k − 2Rr ≥ q(a_k + 2Rr) + R². The part of w in U has a
    square of at most r² − (r_k − R)² ≤ a_k + 2Rr. Were c > 0, then w · v ≥ c β − R √(a_k + 2Rr) > 0, no mistake.
    So c ≤ −R, and ‖P_U(w + v)‖² ≤ ‖P_U w‖² − 2R ‖P_U v‖ + ‖P_U v‖² ≤ r_k². ∎
    """
    Z = as_patterns(patterns).astype(np.float64)
    n = Z.shape[1]
    V = np.vstack([Z, np.eye(n)])
    R = np.linalg.norm(V, axis=1).max()
    shortest = min(_distances(V, chosen) for k in range(n) for chosen in combinations(range(len(V)), k))
    q = (R / shortest) ** 2
    r = R
    while _top(r, R, q, n) > r * r:
        r *= 2
    return float(r)


def _distances(V, chosen):
    """The least distance from the span of the chosen rows to a row outside it."""
    vectors, sizes, _ = np.linalg.svd(V[list(chosen)].T, full_matrices=False)
    basis = vectors[:, sizes > 1e-9 * sizes.max(initial=0)]
    gaps = np.linalg.norm(V - V @ basis @ basis.T, axis=1)
    return gaps[gaps > 1e-9 * np.linalg.norm(V, axis=1)].min(initial=np.inf)


def _top(r, R, q, n):
    """a_n for this r."""
    a = 0.0
    for _ in range(n):
        a = (1 + q) * (a + 2 * R * r) + R * R
    return a
