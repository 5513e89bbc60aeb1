"""How fast the margin of Krauth and Mézard's algorithm comes in: the problems and sweeps of notebook 32."""

from fractions import Fraction
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from lib.bounds import falkowski, gap
from lib.margins.max_margin import MaxMargin, max_margin
from lib.numbers.comparisons import at_most
from lib.perceptrons.krauth_mezard import MinOver, krauth_mezard
from lib.studies.audit import Tally, audit, plane

LONGEST = 60
"""Sets with x/Δ² above this are left out: their runs are long, and tell nothing else."""
ZERO_WEIGHT = np.array([[2, 1, 0], [2, -1, 0], [2, 1, 3], [2, -2, 1]])
"""Four support vectors; the first two have the weights ½, the others none: the degenerate case."""
TRIPLE = np.array([[-2, -2, 1], [1, -2, 2], [-2, 1, 2]])
"""Three patterns in space for which Δ‖w_M‖ ≤ c + 1 is false."""


class Problem(NamedTuple):
    """Patterns, their maximum margin, a run to many levels, and the run beside the best direction."""

    Z: np.ndarray
    best: MaxMargin
    run: MinOver
    q: gap.Beside

    @property
    def c(self):
        return self.run.c.astype(float)

    @property
    def length(self):
        """Δ‖w_M‖ at the stops."""
        return np.sqrt((self.q.margin2 * self.q.square[self.run.stops]).astype(float))

    @property
    def ratio(self):
        """Δ_c/Δ at the stops."""
        return self.q.low[self.run.stops].astype(float) / self.length

    @property
    def updates(self):
        """M at the stops in its natural unit, xc/Δ²."""
        return self.run.stops / float(self.q.x / self.q.margin2) / self.c

    def promise(self):
        """The share of the best margin that (13) makes certain at the stops, c over its right side."""
        q, levels = self.q, zip(self.c, self.run.stops, strict=True)
        return np.array([c / falkowski.eq13(int(M), c, q.x, q.margin2, q.across[0]) for c, M in levels])

    def slope(self):
        """The slope of log(1 − Δ_c/Δ) against log c, of the envelope, over the larger three quarters of the levels."""
        envelope = np.maximum.accumulate((1 - self.ratio)[::-1])[::-1]
        later = slice(len(self.c) // 4, None)
        return np.polyfit(np.log(self.c[later]), np.log(np.maximum(envelope[later], 1e-15)), 1)[0]

    def elsewhere(self, w0):
        """The same problem from another start, rounded to whole sums x·w0."""
        w0 = [Fraction(int(v), self.run.square) for v in self.run.square * w0]
        run = krauth_mezard(self.Z, self.run.c, w0=w0)
        return self._replace(run=run, q=gap.beside(run, self.best.w))


def solve(Z, levels):
    """The problem of these patterns, from zero."""
    best, run = max_margin(Z), krauth_mezard(Z, levels)
    return Problem(Z, best, run, gap.beside(run, best.w))


def clouds(problems, patterns, dimension, levels, rng):
    """Random problems: normal points on the good side of a random plane, in whole thousandths."""
    found = []
    while len(found) < problems:
        u = rng.normal(size=dimension)
        Z = rng.normal(size=(patterns, dimension))
        Z = np.rint(1000 * (Z * np.sign(Z @ u)[:, None] + 0.6 * u / np.linalg.norm(u))).astype(int)
        if (Z * Z).sum(axis=1).max() / max_margin(Z).lower ** 2 < LONGEST:
            found.append(solve(Z, levels))
    return found


def from_three_starts(problems, seed):
    """Each problem from zero, from −20 û/Δ, and from a random start."""
    for k, one in enumerate(problems):
        away = np.random.default_rng([seed, k]).normal(size=len(one.best.w))
        yield one
        yield one.elsewhere(-20 * one.best.w / one.best.lower**2)
        yield one.elsewhere(5 * away / one.best.lower)


def theorem4(problems):
    """The comparisons of `tail` by name, one list each."""
    found = [tail(one) for one in problems]
    return {name: [at_most(*sides[name], rtol=1e-9) for sides in found] for name in found[0]}


def tail(problem):
    """A run after its last pick outside the support vectors: what Theorem 4 of notebook 32 says of it, both sides.

    `stray`: that pick's time, and the time allowed. `inner`: ‖P_L k_t‖ from then on, and its bound, L being the span of
    v_j = z_j − z over the support. `frozen`: how far the rest of k moves. `missing`: c (1 − Δ_c/Δ) at the stops that
    come later, and its bound.
    """
    Z, best, run, q = problem
    z, x, V = best.w, float(q.x), Z[best.support] - best.w
    g, margin, v = Z @ z / best.lower, best.lower, np.linalg.norm(V, axis=1).max()
    outside = g > margin * (1 + 1e-6)
    wrong = np.flatnonzero(outside[run.picks])
    start = float(np.sqrt(q.square[0]))
    allowed = gap.last_stray(x, margin, min(g[outside] - margin, default=np.inf), max(0, -q.along[0]) / margin, start)
    s = int(wrong[-1]) + 1 if wrong.size else 0
    k = run.trajectory(sums=True)[s:] / x - q.along[s:, None] / q.margin2 * z
    basis = np.linalg.svd(V, full_matrices=False)[2][: len(V) - 1]
    part = k @ basis.T
    inner, ball = np.linalg.norm(part, axis=1), max(np.linalg.norm(part[0]), gap.ball(V, x))
    rest = np.linalg.norm(k - part @ basis - (k[0] - part[0] @ basis), axis=1)
    late = run.stops >= s
    missing, reached = problem.c * (1 - problem.ratio), q.along[run.stops]
    return {
        "stray": ([s], [allowed + 1]),
        "inner": (inner, np.full(len(inner), ball)),
        "frozen": (rest, np.full(len(rest), 1e-7 * (1 + start))),
        "missing": (missing[late], (v * ball + problem.length - reached)[late]),
    }


def zero_weights(levels, starts):
    """On `ZERO_WEIGHT`, for each start and level: the last pick of a zero weight, and the largest ‖k_t‖²; exact."""
    found = []
    for w0 in starts:
        found.append([])
        for c in levels:
            run = krauth_mezard(ZERO_WEIGHT, c, w0=w0)
            late = np.flatnonzero(run.picks > 1)
            found[-1].append((int(late[-1]) if late.size else 0, max(gap.beside(run).across)))
    return found


def planes(size):
    """The largest Δ‖w_M‖ − c from zero, over all planes with entries up to a size, in a hundred parts; and a tally."""
    Z, points = plane(size)
    tallies = [Tally() for _ in range(min(100, len(Z)))]
    for tally, i in zip(tallies, np.array_split(np.arange(len(Z)), len(tallies)), strict=True):
        audit(tally, Z[i], points[i], 0 * points[i], 80)
    return np.array([tally.worst["V − c"] for tally in tallies]), len(Z), sum(tally.stops for tally in tallies)


def triples():
    """A tally of the first pattern of `TRIPLE` with all pairs of integer vectors of length 3, from zero."""
    nine = [v for v in product(range(-3, 4), repeat=3) if sum(a * a for a in v) == 9]
    A = np.array([[TRIPLE[0], v, w] for v, w in permutations(nine, 2)], dtype=float)
    near = [(a, max_margin(a)) for a in A]
    some, points = zip(*((a, best.w) for a, best in near if best.lower > 0.3), strict=True)
    tally = Tally()
    audit(tally, np.array(some), np.array(points), np.zeros((len(some), 3)), 300)
    return tally


def frank_wolfe(Z, updates):
    """The path of Frank and Wolfe with step 1/(t + 1) from the first pick, beside x·w_t/t: the two, exactly."""
    sums = krauth_mezard(Z, 10**6, max_updates=updates).trajectory(sums=True)
    path = [sums[1] * Fraction(1)]
    for t in range(1, updates):
        path.append(path[-1] + Fraction(1, t + 1) * (Z[np.argmin(Z @ path[-1])] - path[-1]))
    return np.array(path), np.array([sums[t] * Fraction(1, t) for t in range(1, updates + 1)])


def running_mean(q, points=80):
    """The mean of Y − m so far, at times equally spaced on a logarithmic axis: times and means."""
    t = np.unique(np.geomspace(1, len(q.low) - 1, points).astype(int))
    return t, np.cumsum(q.along - q.low)[t] / (t + 1)
