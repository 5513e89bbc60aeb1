"""Many Krauth–Mézard runs side by side, every stop of each compared with the theorems.

The path of a run does not depend on c. Between two records of the lowest score, r < r′, every c in (r, r′] stops at
the same M. The bounds grow with c, so that c ↓ r is the hardest: one comparison there settles all real c of the
interval. Such an interval is called a stop.
"""

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from lib.bounds import falkowski as mb
from lib.margins.max_margin import max_margin

TOLERANCE = 1e-9
STARTS = ("zero", "cone", "random", "far", "against", "far against", "aligned")


@dataclass(frozen=True)
class Tally:
    """Comparisons and violations by name, and the number of runs, updates, stops.

    `worst` has the largest quotients left/right by name, and the largest "V − c", where V = Δ‖w_M‖.
    """

    counts: dict
    worst: dict
    runs: int = 0
    updates: int = 0
    stops: int = 0

    def __add__(self, other):
        counts = {k: self.counts.get(k, 0) + other.counts.get(k, 0) for k in other.counts | self.counts}
        worst = {k: max(self.worst.get(k, 0), other.worst.get(k, 0)) for k in other.worst | self.worst}
        sizes = (getattr(self, k) + getattr(other, k) for k in ("runs", "updates", "stops"))
        return Tally(counts, worst, *sizes)

    @property
    def violations(self):
        return {name: int(n.real) for name, n in self.counts.items()}

    @property
    def compared(self):
        return {name: int(n.imag) for name, n in self.counts.items()}


EMPTY = Tally({}, {})


def audit(patterns, points, starts, *, updates):
    """Run B problems in lockstep for a number of updates each.

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
    Z, W = np.asarray(patterns, dtype=np.float64), np.array(starts, dtype=np.float64)
    b, x = np.arange(len(Z)), (Z * Z).sum(axis=2).max(axis=1)
    gram, size = np.einsum("bpn,bqn->bpq", Z, Z), (Z * Z).sum(axis=2)
    gain, margin2 = np.einsum("bpn,bn->bp", Z, points), (points * points).sum(axis=1)
    score = np.einsum("bpn,bn->bp", Z, W)
    along, square = (W * points).sum(axis=1), (W * W).sum(axis=1)
    problem = _Problem(x, margin2, along / x, square / x**2)
    record, book = np.zeros(len(Z)), _Book()
    for t in range(updates + 1):
        j = score.argmin(axis=1)
        low = score[b, j]
        problem.each_update(book, t, along / x, square / x**2)
        new = np.flatnonzero(low > record)
        if new.size:
            problem.each_stop(book, new, t, record[new] / x[new], low[new] / x[new], along / x, square / x**2)
            record[new] = low[new]
        square += 2 * low + size[b, j]
        along += gain[b, j]
        score += gram[b, j]
    return Tally(book.counts, book.worst, len(Z), updates * len(Z), book.stops)


class _Book:
    def __init__(self):
        self.counts, self.worst, self.stops = {}, {}, 0

    def enter(self, name, left, right):
        """left ≤ right, to rounding."""
        wrong = np.count_nonzero(left > right + TOLERANCE * (1 + abs(right)))
        self.counts[name] = self.counts.get(name, 0) + complex(wrong, left.size)
        shares = left[right > 0] / right[right > 0]
        self.worst[name] = max(self.worst.get(name, 0.0), float(shares.max(initial=0.0)))


class _Problem:
    def __init__(self, x, margin2, along, square):
        self.x, self.margin2, self.along, self.start2 = x, margin2, along, square
        self.across = np.maximum(square - along**2 / margin2, 0)
        self.late = mb.crossing(x, margin2, along)

    def each_update(self, book, t, along, square):
        across = np.maximum(square - along**2 / self.margin2, 0)
        book.enter("(10) corrected", across, mb.across_squared(t, self.x, self.start2))
        book.enter("(10) printed", across, mb.across_squared(t, self.x, self.across))
        overdue = t >= self.late
        book.enter("τ ≤ t0", -along[overdue], 0 * along[overdue]) if overdue.any() else None

    def each_stop(self, book, new, t, c, low, along, square):
        """Stops at t of some problems, for every level in (c, low]."""
        x, m2, Y0, k0, start2 = (a[new] for a in (self.x, self.margin2, self.along, self.across, self.start2))
        V = np.sqrt(m2 * square[new])
        book.stops += new.size
        book.worst["V − c"] = max(book.worst.get("V − c", 0.0), float((V - c).max()))
        book.enter("Theorem 1 (a), (b)", V, _closed(mb.length, c, x, m2, Y0, k0))
        book.enter("Theorem 1 (c)", V, mb.length_clean(c, np.sqrt(m2 * start2)))
        book.enter("Theorem 2", np.full(V.shape, float(t)), _closed(mb.updates, c, x, m2, Y0, k0))
        book.enter("a(M) ≥ 1", low, along[new])
        if t:
            book.enter("(6), not proven", V, 2 * c + 1 + x * start2 / t)


def _closed(bound, c, x, m2, Y0, k0):
    """The bound as c falls to its value: at c = Y_0 Theorem 1 (a) counts, which is what holds just above."""
    return bound(np.where(c == Y0, np.nextafter(c, np.inf), c), x, m2, Y0, k0)


def plane(size):
    """All sets of one, two or three integer vectors with entries up to `size` that are separable, padded to three.

    Returns
    -------
    patterns : ndarray, shape (B, 3, 2)
    points : ndarray, shape (B, 2)
        The closest points of the hulls, found by looking at every vertex and edge.
    """
    vectors = np.array([v for v in product(range(-size, size + 1), repeat=2) if any(v)], dtype=np.float64)
    index = [(*s, *(s[-1:] * (3 - k))) for k in (1, 2, 3) for s in combinations(range(len(vectors)), k)]
    Z = vectors[np.array(index)]
    points = _closest(Z)
    margin2 = (points * points).sum(axis=1)
    open_ = (np.einsum("bpn,bn->bp", Z, points).min(axis=1) >= margin2 * (1 - 1e-12)) & (margin2 > 1e-12)
    return Z[open_], points[open_]


def _closest(Z):
    """The closest point of each triangle's hull to the origin; inside it, some vertex or edge point, not closest."""
    best = Z[:, 0].copy()
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        a, d = Z[:, i], Z[:, j] - Z[:, i]
        share = np.clip(-(a * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-300), 0, 1)
        point = a + share[:, None] * d
        nearer = (point * point).sum(axis=1) < (best * best).sum(axis=1)
        best[nearer] = point[nearer]
    return best


FAMILIES = ("normal", "signs", "integers", "small margin", "orthonormal", "heavy tails", "simplex", "sparse", "bias")
GRID = {"signs": 1, "integers": 1, "orthonormal": 1}
"""What numbers are multiplied by before they are rounded, 100 if not given: runs are then the same on every machine."""


def family(name, B, p, n, rng):
    """B separable sets of p whole-numbered patterns in n dimensions, with the closest points of their hulls.

    Returns
    -------
    patterns : ndarray, shape (B, p, n)
    points : ndarray, shape (B, n)
    """
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
    if name == "signs":
        A = rng.choice([-1.0, 1.0], (p, n))
    elif name == "integers":
        A = rng.integers(-3, 4, (p, n)).astype(float)
        A[~A.any(axis=1)] = 1
    elif name == "orthonormal":
        return np.eye(n)[np.arange(p) % n] * rng.integers(1, 4, (p, 1))
    elif name == "simplex":
        A = np.eye(n)[np.arange(p) % n] - rng.uniform(0.5, 1.0) / n
        return A + 0.02 * rng.normal(size=(p, n)) + 0.3 / n
    elif name == "sparse":
        A = rng.normal(size=(p, n)) * (rng.random((p, n)) < 0.4)
        A[~A.any(axis=1)] = u
    else:
        A = rng.standard_t(2, (p, n)) if name == "heavy tails" else rng.normal(size=(p, n))
    if name == "bias":
        A = np.column_stack([A[:, 1:], np.sign(A @ u) * np.sign(A[:, :1] ** 2)[:, 0]])
    A = A * np.where(A @ u < 0, -1, 1)[:, None]
    push = {"small margin": 0.1, "signs": 0, "integers": 0}.get(name, 0.5)
    return A + np.maximum(push - A @ u, 0)[:, None] * u if push else A


def start(kind, Z, points, rng):
    """x·w0 in whole numbers for every problem: zero, near the cone, random, against the best direction up to −100/Δ."""
    B, p, n = Z.shape
    x, m2 = (Z * Z).sum(axis=2).max(axis=1)[:, None], (points * points).sum(axis=1)[:, None]
    if kind == "zero":
        return np.zeros((B, n))
    if kind == "cone":
        W = np.einsum("bp,bpn->bn", rng.integers(0, 4, (B, p)).astype(float), Z)
    elif kind == "random":
        W = 5 * np.sqrt(x) * rng.normal(size=(B, n))
    elif kind == "far":
        W = 30 * x / np.sqrt(m2) * rng.normal(size=(B, n)) / np.sqrt(n)
    elif kind == "aligned":
        W = rng.uniform(0, 20, (B, 1)) * x * points / m2 + np.sqrt(x) * rng.normal(size=(B, n))
    else:
        W = -(100 if kind == "far against" else rng.uniform(1, 10, (B, 1))) * x * points / m2
        if kind == "against":
            W = W + 3 * np.sqrt(x) * rng.normal(size=(B, n))
    return np.rint(W)


def survey(stops, rng, *, size=2, updates=1000):
    """Audit all planes with entries up to `size`, then random families, each from every kind of start.

    Parameters
    ----------
    stops : int
        So many stops the families have to give, in addition to those of the planes.
    rng : int or numpy.random.Generator
    size, updates : int
        The length of a run; starts far against the best direction are given four times as many updates.

    Returns
    -------
    dict of str to Tally
    """
    rng = np.random.default_rng(rng)
    found = {"all planes": EMPTY}
    Z, points = plane(size)
    for part in np.array_split(np.arange(len(Z)), 1 + len(Z) // 5000):
        found["all planes"] += _every_start(Z[part], points[part], rng, updates)
    while sum(tally.stops for name, tally in found.items() if name != "all planes") < stops:
        for name in FAMILIES:
            n = int(rng.integers(2, 12))
            Z, points = family(name, 60, int(rng.integers(n, 5 * n)), n, rng)
            found[name] = found.get(name, EMPTY) + _every_start(Z, points, rng, updates)
    return found


def _every_start(Z, points, rng, updates):
    tallies = []
    for kind in STARTS:
        length = updates * (4 if kind == "far against" else 1)
        tallies.append(audit(Z, points, start(kind, Z, points, rng), updates=length))
    return sum(tallies, EMPTY)


def total(found):
    """One Tally of all."""
    return sum(found.values(), EMPTY)
