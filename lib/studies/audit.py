"""Many Krauth–Mézard runs, every stop of each compared with the theorems.

The path of a run does not depend on c. Between two records of the lowest score, r < r′, every c in (r, r′] stops at
the same M. The bounds grow with c, so that c ↓ r is the hardest: one comparison there settles all real c of the
interval. Such an interval is called a stop.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, count, islice, product

import numpy as np

from lib.bounds import falkowski, gap
from lib.margins.max_margin import max_margin
from lib.perceptrons.krauth_mezard import minover

TOLERANCE = 1e-9
FAMILIES = ("normal", "signs", "integers", "small margin", "orthonormal", "heavy tails", "simplex", "sparse", "bias")


@dataclass
class Tally:
    """By name, the comparisons left ≤ right, those that fail, and the largest left/right; runs, updates and stops.

    `weaker` counts those that fail with nine tenths of the right side, a control. `worst` also has the largest
    "V − c", where V = Δ‖w_M‖.
    """

    compared: Counter = field(default_factory=Counter)
    violations: Counter = field(default_factory=Counter)
    weaker: Counter = field(default_factory=Counter)
    worst: Counter = field(default_factory=Counter)
    runs: int = 0
    updates: int = 0
    stops: int = 0

    def compare(self, name, left, right):
        """Enter left ≤ right, to rounding, for arrays of one shape."""
        shares = np.divide(left, right, out=np.zeros(left.shape), where=right > 0)
        self.compared[name] += left.size
        slack = TOLERANCE * (1 + abs(right))
        self.violations[name] += int(np.count_nonzero(left > right + slack))
        self.weaker[name] += int(np.count_nonzero(left > 0.9 * right + slack))
        self.worst[name] = max(self.worst[name], float(shares.max(initial=0.0)))

    def held(self, *names):
        """The comparisons of these names as an array of bool, those that fail first."""
        return np.concatenate([np.arange(self.compared[name]) >= self.violations[name] for name in names])

    def held_weaker(self, name):
        """The same of one name with nine tenths of the right side."""
        return np.arange(self.compared[name]) >= self.weaker[name]


def audit(tally, patterns, points, starts, updates):
    """Enter B runs of so many updates each, and every stop of them, into a tally.

    Compared are the two invariants and the corrected (10) after every update; Theorems 1 and 2, a(M) ≥ 1 and τ ≤ t0 at
    every stop; the length that (6) would promise, which is proved only for a(0) ≥ 0; and (10) as printed, which fails.

    Parameters
    ----------
    tally : Tally
    patterns : ndarray, shape (B, p, n)
        Integers in floats keep every tie exact.
    points, starts : ndarray, shape (B, n)
        The point of each hull that is closest to the origin, and x·w0.
    updates : int
    """
    x, m2 = _sizes(patterns, points)
    steps, W = _replay(patterns, starts, updates)
    low, along, square = (W * steps).sum(axis=2) / x, (W * points[:, None]).sum(axis=2) / x, (W * W).sum(axis=2) / x**2
    across, t = np.maximum(square - along**2 / m2, 0), np.arange(updates + 1)
    records = np.maximum.accumulate(np.column_stack([0 * x, low[:, :-1]]), axis=1)
    b, M = np.nonzero(low > records)  # the stops: which problem, and when
    tally.runs += len(patterns)
    tally.updates += updates * len(patterns)
    tally.stops += len(b)

    N, grown, behind = m2 * square, m2 * square[:, :1] + along - along[:, :1], along < 0
    tally.compare("N − Y² ≤ N_0 + Y − Y_0", N - along**2, grown)
    tally.compare("N ≤ N_0 + Y − Y_0 for Y < 0", N[behind], grown[behind])
    tally.compare("(10) corrected", across, falkowski.eq10_corrected(t, x, square[:, :1]))
    tally.compare("(10) printed", across, falkowski.eq10(t, x, across[:, :1]))
    late = along[t >= gap.crossing(x, m2, along[:, :1])]
    tally.compare("τ ≤ t0", -late, 0 * late)

    c, V, start2 = records[b, M], np.sqrt(m2[b, 0] * square[b, M]), square[b, 0]
    terms = x[b, 0], m2[b, 0], along[b, 0], across[b, 0]
    above = np.where(c == along[b, 0], np.nextafter(c, np.inf), c)  # at c = Y_0 what counts is what holds above
    tally.compare("Theorem 1 (a), (b)", V, gap.theorem1(above, *terms))
    tally.compare("Theorem 1 (c)", V, gap.theorem1_clean(c, np.sqrt(m2[b, 0] * start2)))
    tally.compare("Theorem 2", M.astype(float), gap.theorem2(above, *terms))
    tally.compare("a(M) ≥ 1", low[b, M], along[b, M])
    later = M > 0
    tally.compare("length by (6), open", V[later], (2 * c + 1 + x[b, 0] * start2 / np.maximum(M, 1))[later])
    tally.worst["V − c"] = max(tally.worst["V − c"], float((V - c).max(initial=0.0)))


def _sizes(patterns, points):
    """x and Δ² of every problem, shape (B, 1)."""
    return (patterns * patterns).sum(axis=2).max(axis=1)[:, None], (points * points).sum(axis=1)[:, None]


def _replay(patterns, starts, updates):
    """The pattern that is added to the sums x·w_t, and these sums, t = 0, …, updates, each of shape (B, t, n)."""
    never = np.array([np.inf])
    picks = np.array([minover(z, w.copy(), never, updates + 1)[0] for z, w in zip(patterns, starts, strict=True)])
    steps = np.take_along_axis(patterns, picks[:, :, None], axis=1)
    return steps, np.cumsum(np.concatenate([starts[:, None], steps[:, :-1]], axis=1), axis=1)


def plane(size):
    """All separable sets of one, two or three integer vectors with entries up to `size`, padded to three."""
    vectors = [v for v in product(range(-size, size + 1), repeat=2) if any(v)]
    return _separable(np.array(s + s[-1:] * (3 - len(s)), float) for k in (1, 2, 3) for s in combinations(vectors, k))


def family(name, B, p, n, rng):
    """B sets of p whole-numbered patterns in n dimensions whose margin is not very small."""
    return _separable((np.rint(_draw(name, p, n, rng)) for _ in count()), least=1 / 3000, most=B)


def _separable(sets, least=0, most=None):
    """Those with Δ²/x above a number, and the closest points of their hulls, rounded once: (B, p, n) and (B, n)."""
    found = ((A, max_margin(A)) for A in sets)
    wide = ((A, best.exact().w) for A, best in found if best.lower > np.sqrt(least * (A * A).sum(axis=1).max()))
    Z, points = zip(*islice(wide, most), strict=True)
    return np.array(Z), np.array(points, dtype=np.float64)


def _draw(name, p, n, rng):
    """Patterns of a family, turned to the side of a unit vector u and pushed away from the plane at right angles."""
    u = rng.normal(size=n)
    u = u / np.linalg.norm(u)
    if name == "orthonormal":
        return np.eye(n)[np.arange(p) % n] * rng.integers(1, 4, (p, 1))
    if name == "simplex":
        A = np.eye(n)[np.arange(p) % n] - rng.uniform(0.5, 1.0) / n
        return 100 * (A + 0.02 * rng.normal(size=(p, n)) + 0.3 / n)
    if name in ("signs", "integers"):
        A = rng.choice([-1.0, 1.0], (p, n)) if name == "signs" else rng.integers(-3, 4, (p, n)).astype(float)
        A[~A.any(axis=1)] = 1
        return A * np.where(A @ u < 0, -1, 1)[:, None]
    A = rng.standard_t(2, (p, n)) if name == "heavy tails" else rng.normal(size=(p, n))
    if name == "sparse":
        A = A * (rng.random((p, n)) < 0.4)
        A[~A.any(axis=1)] = u
    if name == "bias":
        A = np.column_stack([A[:, 1:], np.sign(A @ u)])
    A = A * np.where(A @ u < 0, -1, 1)[:, None]
    return 100 * (A + np.maximum((0.1 if name == "small margin" else 0.5) - A @ u, 0)[:, None] * u)


def starts(Z, points, rng):
    """Starts x·w0 of seven kinds in whole numbers, each with how many times as long its runs shall be."""
    (B, p, n), (x, m2) = Z.shape, _sizes(Z, points)
    yield 1, np.zeros((B, n))
    yield 1, np.einsum("bp,bpn->bn", rng.integers(0, 4, (B, p)).astype(float), Z)  # near the cone
    yield 1, np.rint(5 * np.sqrt(x) * rng.normal(size=(B, n)))
    yield 1, np.rint(30 * x / np.sqrt(m2) * rng.normal(size=(B, n)) / np.sqrt(n))
    against = -rng.uniform(1, 10, (B, 1)) * x * points / m2
    yield 1, np.rint(against + 3 * np.sqrt(x) * rng.normal(size=(B, n)))
    yield 4, np.rint(-100 * x * points / m2)
    aligned = rng.uniform(0, 20, (B, 1)) * x * points / m2
    yield 1, np.rint(aligned + np.sqrt(x) * rng.normal(size=(B, n)))


def survey(stops, rng, *, size=2, updates=1000):
    """A `Tally` of all planes with entries up to `size`, then of random families, from every kind of start.

    `stops` is how many the families have to give beside those of the planes, `updates` the length of a run.
    """
    rng, tally = np.random.default_rng(rng), Tally()
    _from_every_start(tally, *plane(size), rng, updates)
    enough = tally.stops + stops
    while tally.stops < enough:
        for name in FAMILIES:
            n = int(rng.integers(2, 12))
            _from_every_start(tally, *family(name, 60, int(rng.integers(n, 5 * n)), n, rng), rng, updates)
    return tally


def _from_every_start(tally, Z, points, rng, updates):
    for times, W in starts(Z, points, rng):
        for part in np.array_split(np.arange(len(Z)), 1 + len(Z) * times * updates // 500_000):
            audit(tally, Z[part], points[part], W[part], times * updates)
