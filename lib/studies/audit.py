"""Many Krauth–Mézard runs, every stop of each compared with the theorems.

The path of a run does not depend on c. Between two records of the lowest score, r < r′, every c in (r, r′] stops at
the same M. The bounds grow with c, so that c ↓ r is the hardest: one comparison there settles all real c of the
interval. Such an interval is called a stop.
"""

from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from lib.bounds import falkowski, gap
from lib.margins.max_margin import max_margin
from lib.perceptrons.krauth_mezard import minover

TOLERANCE = 1e-9
STARTS = ("zero", "cone", "random", "far", "against", "far against", "aligned")


@dataclass
class Tally:
    """By name, the comparisons left ≤ right, those that fail, and the largest left/right; runs, updates and stops.

    `worst` also has the largest "V − c", where V = Δ‖w_M‖.
    """

    compared: dict = field(default_factory=dict)
    violations: dict = field(default_factory=dict)
    worst: dict = field(default_factory=dict)
    runs: int = 0
    updates: int = 0
    stops: int = 0

    def compare(self, name, left, right):
        """Enter left ≤ right, to rounding, for arrays of one shape."""
        shares = np.divide(left, right, out=np.zeros(left.shape), where=right > 0)
        self.compared[name] = left.size
        self.violations[name] = int(np.count_nonzero(left > right + TOLERANCE * (1 + abs(right))))
        self.worst[name] = float(shares.max(initial=0.0))

    def __add__(self, other):
        merged = []
        for key, together in (("compared", sum), ("violations", sum), ("worst", max)):
            a, b = getattr(self, key), getattr(other, key)
            merged.append({name: together((a.get(name, 0), b.get(name, 0))) for name in b | a})
        return Tally(*merged, self.runs + other.runs, self.updates + other.updates, self.stops + other.stops)


def audit(patterns, points, starts, *, updates):
    """Run B problems for a number of updates each.

    Parameters
    ----------
    patterns : ndarray, shape (B, p, n)
        Integers in floats keep every tie exact.
    points : ndarray, shape (B, n)
        The closest point of each hull to the origin.
    starts : ndarray, shape (B, n)
        x·w0.
    updates : int

    Returns
    -------
    Tally
        Of Lemma 2 (the corrected (10)) after every update; of Theorems 1 and 2, a(M) ≥ 1 and τ ≤ t0 at every stop;
        not proven, of (6) with Λ = 0; and of (10) as printed, which fails.
    """
    Z, starts = np.asarray(patterns, dtype=np.float64), np.asarray(starts, dtype=np.float64)
    x, m2 = (Z * Z).sum(axis=2).max(axis=1)[:, None], (points * points).sum(axis=1)[:, None]
    steps, W = _replay(Z, starts, updates)
    low, along, square = (W * steps).sum(axis=2) / x, (W * points[:, None]).sum(axis=2) / x, (W * W).sum(axis=2) / x**2
    across, t = np.maximum(square - along**2 / m2, 0), np.arange(updates + 1)
    records = np.maximum.accumulate(np.column_stack([0 * x, low[:, :-1]]), axis=1)
    b, M = np.nonzero(low > records)  # the stops: which problem, and when

    tally = Tally(runs=len(Z), updates=updates * len(Z), stops=len(b))
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
    tally.compare("(6), not proven", V[later], (2 * c + 1 + x[b, 0] * start2 / np.maximum(M, 1))[later])
    tally.worst["V − c"] = float((V - c).max(initial=0.0))
    return tally


def _replay(Z, starts, updates):
    """The pattern that is added to the sums x·w_t, and these sums, t = 0, …, updates, each of shape (B, t, n)."""
    never = np.array([np.inf])
    picks = np.array([minover(z, w.copy(), never, updates + 1)[0] for z, w in zip(Z, starts, strict=True)])
    steps = np.take_along_axis(Z, picks[:, :, None], axis=1)
    return steps, np.cumsum(np.concatenate([starts[:, None], steps[:, :-1]], axis=1), axis=1)


def plane(size):
    """All separable sets of one, two or three integer vectors with entries up to `size`, padded to three.

    Returns
    -------
    patterns : ndarray, shape (B, 3, 2)
    points : ndarray, shape (B, 2)
        The closest points of the hulls, found by looking at every vertex and edge.
    """
    vectors = np.array([v for v in product(range(-size, size + 1), repeat=2) if any(v)], dtype=np.float64)
    sets = [s for k in (1, 2, 3) for s in combinations(range(len(vectors)), k)]
    Z = vectors[np.array([(*s, *(s[-1:] * (3 - len(s)))) for s in sets])]
    points = Z[:, 0].copy()
    for i, j in ((1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        a, d = Z[:, i], Z[:, j] - Z[:, i]
        share = np.clip(-(a * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-300), 0, 1)
        point = a + share[:, None] * d
        nearer = (point * point).sum(axis=1) < (points * points).sum(axis=1)
        points[nearer] = point[nearer]
    margin2 = (points * points).sum(axis=1)
    separable = (np.einsum("bpn,bn->bp", Z, points).min(axis=1) >= margin2 * (1 - 1e-12)) & (margin2 > 1e-12)
    return Z[separable], points[separable]


FAMILIES = ("normal", "signs", "integers", "small margin", "orthonormal", "heavy tails", "simplex", "sparse", "bias")
GRID = {"signs": 1, "integers": 1, "orthonormal": 1}
"""What numbers are multiplied by before they are rounded, 100 if not given: runs are then the same on every machine."""


def family(name, B, p, n, rng):
    """B separable sets of p whole-numbered patterns in n dimensions, and the closest points of their hulls."""
    Z, points = [], []
    while len(Z) < B:
        u = rng.normal(size=n)
        A = np.rint(GRID.get(name, 100) * _draw(name, p, n, u / np.linalg.norm(u), rng))
        found = max_margin(A)
        if found.converged and found.lower**2 > (A * A).sum(axis=1).max() / 3000:
            Z.append(A)
            points.append(found.w)
    return np.array(Z, dtype=np.float64), np.array(points)


def _draw(name, p, n, u, rng):
    """Patterns of a family, turned to the side of u and pushed away from the plane at right angles to it."""
    if name == "orthonormal":
        return np.eye(n)[np.arange(p) % n] * rng.integers(1, 4, (p, 1))
    if name == "simplex":
        A = np.eye(n)[np.arange(p) % n] - rng.uniform(0.5, 1.0) / n
        return A + 0.02 * rng.normal(size=(p, n)) + 0.3 / n
    if name == "signs":
        A = rng.choice([-1.0, 1.0], (p, n))
    elif name == "integers":
        A = rng.integers(-3, 4, (p, n)).astype(float)
        A[~A.any(axis=1)] = 1
    elif name == "heavy tails":
        A = rng.standard_t(2, (p, n))
    else:
        A = rng.normal(size=(p, n))
    if name == "sparse":
        A = A * (rng.random((p, n)) < 0.4)
        A[~A.any(axis=1)] = u
    if name == "bias":
        A = np.column_stack([A[:, 1:], np.sign(A @ u)])
    A = A * np.where(A @ u < 0, -1, 1)[:, None]
    push = {"small margin": 0.1, "signs": 0, "integers": 0}.get(name, 0.5)
    return A + np.maximum(push - A @ u, 0)[:, None] * u if push else A


def start(kind, Z, points, rng):
    """x·w0 in whole numbers for every problem: zero, near the cone, random, against the best direction up to −100/Δ."""
    B, p, n = Z.shape
    x, m2 = (Z * Z).sum(axis=2).max(axis=1)[:, None], (points * points).sum(axis=1)[:, None]
    if kind == "zero":
        W = np.zeros((B, n))
    elif kind == "cone":
        W = np.einsum("bp,bpn->bn", rng.integers(0, 4, (B, p)).astype(float), Z)
    elif kind == "random":
        W = 5 * np.sqrt(x) * rng.normal(size=(B, n))
    elif kind == "far":
        W = 30 * x / np.sqrt(m2) * rng.normal(size=(B, n)) / np.sqrt(n)
    elif kind == "aligned":
        W = rng.uniform(0, 20, (B, 1)) * x * points / m2 + np.sqrt(x) * rng.normal(size=(B, n))
    elif kind == "against":
        W = -rng.uniform(1, 10, (B, 1)) * x * points / m2 + 3 * np.sqrt(x) * rng.normal(size=(B, n))
    else:
        W = -100 * x * points / m2
    return np.rint(W)


def survey(stops, rng, *, size=2, updates=1000):
    """Audit all planes with entries up to `size`, then random families, each from every kind of start.

    `stops` is how many the families have to give beside those of the planes, `updates` the length of a run; starts far
    against the best direction are given four times as many. Returns a dict of str to Tally.
    """
    rng = np.random.default_rng(rng)
    Z, points = plane(size)
    parts = np.array_split(np.arange(len(Z)), 1 + len(Z) // 5000)
    found = {"all planes": total(_every_start(Z[part], points[part], rng, updates) for part in parts)}
    while sum(tally.stops for name, tally in found.items() if name != "all planes") < stops:
        for name in FAMILIES:
            n = int(rng.integers(2, 12))
            Z, points = family(name, 60, int(rng.integers(n, 5 * n)), n, rng)
            found[name] = found.get(name, Tally()) + _every_start(Z, points, rng, updates)
    return found


def _every_start(Z, points, rng, updates):
    tallies = []
    for kind in STARTS:
        length, W = updates * (4 if kind == "far against" else 1), start(kind, Z, points, rng)
        parts = np.array_split(np.arange(len(Z)), 1 + len(Z) * length // 500_000)
        tallies.append(total(audit(Z[i], points[i], W[i], updates=length) for i in parts))
    return total(tallies)


def total(tallies):
    """One Tally of all."""
    return sum(tallies, Tally())
