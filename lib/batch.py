"""The lecture's batch rule for patterns that may not be separable, and what chance can do instead.

Solves, or tries to: find w with as few mistakes as possible, J(w) = |{z_j : z_j · w ≤ 0}|, the lecture's (25).
The rule of slide 28 adds η_t times the sum of all wrong patterns and keeps the best weights seen. It is
deterministic: from one start it may stand still or walk in a circle for ever and never see an optimum.
One wrong pattern drawn at random instead of the sum reaches an optimum with probability 1 (`hitting_time`).
"""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from lib.bounds import novikoff
from lib.patterns import as_patterns, as_vector, integers, is_exact
from lib.separation import separability

RATES = {
    "constant": lambda t: 1,
    "harmonic": lambda t: Fraction(1, t + 1),
    "square": lambda t: Fraction(1, (t + 1) ** 2),
    "halving": lambda t: Fraction(1, 2**t),
}
"""Rates η_t by name, all of them exact."""


def mistakes(patterns, w):
    """J(w), the number of patterns with z · w ≤ 0: the lecture's (25) with w in place of w^(t)."""
    Z, w = _pair(patterns, w)
    return int(np.count_nonzero(Z.dot(w) <= 0))


def cost(patterns, w):
    """J_p(w) = Σ max(0, −z · w), the lecture's (28). Convex; zero at w = 0, which solves nothing."""
    Z, w = _pair(patterns, w)
    scores = Z.dot(w)
    return -scores[scores <= 0].sum()


def subgradient(patterns, w):
    """Minus the sum of the wrong patterns, the lecture's (29): ∇J_p where no score is zero, always a subgradient."""
    Z, w = _pair(patterns, w)
    return -Z[Z.dot(w) <= 0].sum(axis=0)


def _pair(patterns, w):
    Z = as_patterns(patterns)
    w = as_vector(w, Z.shape[1], "w")
    if is_exact(Z, w):
        return Z.astype(object), w.astype(object)
    return Z.astype(np.float64), w.astype(np.float64)


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
class Batch:
    """What the batch rule did.

    Attributes
    ----------
    w : ndarray, shape (n,)
        The best weights seen, the lecture's w*.
    mistakes : int
        Its mistakes, the lecture's E.
    found : int
        The step at which w was seen first, the lecture's t_lup.
    path : ndarray, shape (steps + 1, n)
        w^(0), w^(1), …
    wrong : ndarray of int, shape (steps + 1,)
        |X⁻| at each of them.
    stop : str
        "no mistake left"; "stalled": the wrong patterns add up to zero, so that w stays for ever, whatever the
        rates; "cycle": w was there before and the rate is constant; "out of steps".
    period : int
        Of the cycle; 1 for a stall, 0 if neither was seen.
    """

    w: np.ndarray
    mistakes: int
    found: int
    path: np.ndarray = field(repr=False)
    wrong: np.ndarray = field(repr=False)
    stop: str
    period: int

    @property
    def steps(self):
        return len(self.path) - 1

    @property
    def settled(self):
        """True if no later step could change the answer."""
        return self.stop != "out of steps"


def batch(patterns, *, rate="constant", w0=None, max_steps=10_000):
    """Run the batch rule of slide 28, with t and t_lup counted, which the slide forgets.

    Stops when no mistake is left, when a stall or (constant rate, exact numbers) a cycle proves that nothing new
    can come, or after `max_steps`. Guarantees: at a constant rate on exact patterns one of the first three comes
    in the end, because w stays bounded (`confining_radius` of all sums of patterns).

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    rate : str, number or function
        A name of `RATES`, a constant η, or a function of t that gives η_t.
    w0 : array_like, shape (n,), optional
    max_steps : int

    Returns
    -------
    Batch

    Examples
    --------
    >>> batch([[1, 3], [-1, -3]]).stop
    'stalled'
    """
    Z = as_patterns(patterns)
    w = np.zeros(Z.shape[1], dtype=np.int64) if w0 is None else as_vector(w0, Z.shape[1], "w0")
    eta, constant = _rate(rate)
    exact = is_exact(Z, w) and isinstance(eta(0), (int, Fraction))
    Z, w = (a.astype(object if exact else np.float64) for a in (Z, w))
    path, wrong, seen, stop, period = [], [], {}, "out of steps", 0
    for t in range(max_steps + 1):
        bad = Z.dot(w) <= 0
        path.append(w)
        wrong.append(np.count_nonzero(bad))
        if not wrong[-1]:
            stop = "no mistake left"
            break
        if constant and exact and (first := seen.setdefault(tuple(w), t)) < t:
            stop, period = "cycle", t - first
            break
        step = Z[bad].sum(axis=0)
        if not step.any():
            stop, period = "stalled", 1
            break
        w = w + eta(t) * step
    found = int(np.argmin(wrong))
    return Batch(path[found], int(wrong[found]), found, np.array(path), np.array(wrong), stop, period)


def _rate(rate):
    """The function η_t, and whether it is constant."""
    if callable(rate):
        return rate, False
    if isinstance(rate, str):
        if rate not in RATES:
            raise ValueError(f"rate is {rate!r}; expected one of {', '.join(RATES)}, a number or a function of t")
        return RATES[rate], rate == "constant"
    if not rate > 0:
        raise ValueError(f"rate is {rate}; expected more than zero")
    return lambda t: rate, True


def batch_bound(count, radius_squared, margin_squared):
    """Σ_t |X⁻_t| ≤ L D²/γ² for the batch rule at a constant rate from w = 0 on separable patterns. Ours.

    Proof. Let n_t = |X⁻_t| and N = Σ n_t, η = 1. Each step adds at least γ n_t to u · w, so u · w = γN at least
    in the end. Its sum s_t has w · s_t ≤ 0 and ‖s_t‖ ≤ n_t D, so ‖w‖² ≤ D² Σ n_t² ≤ D² L N. Hence
    γ²N² ≤ D² L N. Every step but the last state has n_t ≥ 1: the number of steps is bounded as well. ∎
    """
    return count * novikoff(radius_squared, margin_squared)


def confining_radius(patterns, length=0):
    """A radius r that no perceptron leaves: ‖w‖ ≤ r for every chain of corrections from ‖w_0‖ ≤ length, in floats.

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
    The start belongs to K if length ≤ r_(n−1).
    """
    Z = as_patterns(patterns).astype(np.float64)
    n = Z.shape[1]
    V = np.vstack([Z, np.eye(n)])
    R = np.linalg.norm(V, axis=1).max()
    shortest = min(_distances(V, chosen) for k in range(n) for chosen in combinations(range(len(V)), k))
    q = (R / shortest) ** 2
    r = max(R, length)
    while not _large_enough(r, R, q, n, length):
        r *= 2
    return float(r)


def _distances(V, chosen):
    """The least distance from the span of the chosen rows to a row outside it."""
    vectors, sizes, _ = np.linalg.svd(V[list(chosen)].T, full_matrices=False)
    basis = vectors[:, sizes > 1e-9 * sizes.max(initial=0)]
    gaps = np.linalg.norm(V - V @ basis @ basis.T, axis=1)
    return gaps[gaps > 1e-9 * np.linalg.norm(V, axis=1)].min(initial=np.inf)


def _large_enough(r, R, q, n, length):
    a = [0.0]
    for _ in range(n):
        a.append((1 + q) * (a[-1] + 2 * R * r) + R * R)
    return a[n] <= r * r and length**2 <= r * r - a[n - 1]


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
    moves = _moves([tuple(row) for row in whole.tolist()], least, max_states)
    return _first_entry(moves), len(moves)


def _moves(rows, least, max_states):
    """For each state the list of the states that follow, equally likely; None if J ≤ least."""
    start = (0,) * len(rows[0])
    index, states, moves = {start: 0}, [start], []
    for w in states:
        wrong = [z for z in rows if sum(a * b for a, b in zip(w, z, strict=True)) <= 0]
        if len(wrong) <= least:
            moves.append(None)
            continue
        after = [tuple(a + b for a, b in zip(w, z, strict=True)) for z in wrong]
        for v in after:
            if v not in index:
                index[v] = len(states)
                states.append(v)
        if len(states) > max_states:
            raise ValueError(f"more than {max_states} weights can be met; expected fewer (max_states)")
        moves.append([index[v] for v in after])
    return moves


def _first_entry(moves):
    """Eliminate all states but the first from h_i = c_i + Σ P_ij h_j; h_0."""
    live = [i for i, after in enumerate(moves) if after is not None]
    P, c, into = {i: {} for i in live}, dict.fromkeys(live, Fraction(1)), {i: set() for i in live}
    for i in live:
        for j in moves[i]:
            if j in P:
                P[i][j] = P[i].get(j, 0) + Fraction(1, len(moves[i]))
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
    return c[0] / (1 - P[0].get(0, 0)) if live else Fraction(0)
