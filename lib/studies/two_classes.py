"""Two classes in the plane and the widest strip between them (notebook 25), most of it in Fractions."""

from fractions import Fraction
from itertools import combinations

import numpy as np

from lib.bounds.ctu import eq34
from lib.margins.max_margin import max_margin
from lib.numbers.comparisons import at_most, joined
from lib.patterns import differences


class Pair:
    """Two separable classes of whole points with their best plane, slide 7, found as the closest point of a hull."""

    def __init__(self, X, y):
        self.X, self.y = X, y
        best = max_margin(differences(X, y)).exact()
        self.w, self.direction, self.squared = np.array(best.w), best.direction, best.squared / 4
        self.b = -(min(self.one @ self.w) + max(self.two @ self.w)) / 2

    @property
    def one(self):
        return self.X[self.y == 1]

    @property
    def two(self):
        return self.X[self.y == -1]

    @property
    def margin(self):
        """The best margin m, a float."""
        return float(self.squared) ** 0.5

    def least(self, w, b):
        """The lowest score of a plane, positive if it separates: m ‖w‖ for the best one."""
        return min(self.y * (self.X @ w + b))

    def patterns(self, c=1):
        """The points folded with the constant c."""
        return np.column_stack([self.X, [c] * len(self.X)]) * self.y[:, None]


def pairs_of_classes(count, size, seed):
    """Random pairs of classes, up to eight whole points with coordinates up to the size, from five streams in turn."""
    streams, pairs = [np.random.default_rng([seed, k]) for k in range(5)], []
    while len(pairs) < count:
        rng = streams[len(pairs) % 5]
        X = np.unique(rng.integers(-size, size + 1, (8, 2)), axis=0)
        y = np.where(X @ rng.integers(-3, 4, 2) > int(rng.integers(-size, size)), 1, -1)
        if abs(y.sum()) < len(y) and max_margin(differences(X, y)).lower > 0:
            pairs.append(Pair(X, y))
    return pairs


def other_planes(pairs, seed):
    """Squared margins of random planes, of planes parallel to the best and of the best one, beside its own. Exact."""
    rng, sides = np.random.default_rng([seed, 5]), []
    for pair in pairs:
        planes = rng.integers(-9, 10, (40, 3)).tolist() + [[*pair.direction, k] for k in range(-20, 20)]
        for *w, b in [*planes, [*pair.w, pair.b]]:
            least, length = Fraction(pair.least(np.array(w), b)), w[0] ** 2 + w[1] ** 2
            if least > 0:
                sides.append((least**2 / Fraction(length), pair.squared))
    return at_most(*zip(*sides, strict=True))


def squared_distance(one, two):
    """The squared distance of two hulls in the plane that do not meet, over all points and segments. Exact."""
    return min(_to_segments(p, B) for A, B in ((one, two), (two, one)) for p in A)


def _to_segments(p, points):
    """The least squared distance of p to the points and to the segments between two of them."""
    least = min(int((p - q) @ (p - q)) for q in points)
    for q, r in combinations(points, 2):
        along, length = int((p - q) @ (r - q)), int((r - q) @ (r - q))
        if 0 < along < length:
            least = min(least, Fraction(int((p - q) @ (p - q))) - Fraction(along**2, length))
    return least


def through_origin(pair):
    """The largest squared margin of a line through the origin, and the squared distance of the hull of k x. Exact.

    The line is perpendicular to a point or parallel to a segment between two points, so all of these are tried.
    Returns None where no such line separates.
    """
    Z = pair.X * pair.y[:, None]
    turned = [(q - p)[::-1] * [1, -1] for p, q in combinations(Z, 2)]
    tries = [u for v in [*Z, *turned] for u in (v, -v) if min(Z @ u) > 0]
    best = max((Fraction(int(min(Z @ u)) ** 2, int(u @ u)) for u in tries), default=None)
    return None if best is None else (best, _to_segments(0 * Z[0], Z))


def nearest_points(pair):
    """The least squared distance of a point of one class to a point of the other."""
    return min(int((p - q) @ (p - q)) for p in pair.one for q in pair.two)


def folded_best(pair, c=1):
    """The plane (w, b) of the closest point of the folded hull, and the squared margin that it leaves. Exact."""
    *w, last = max_margin(pair.patterns(c)).exact().w
    w, b = np.array(w), last * c
    return w, b, (Fraction(pair.least(w, b)) ** 2 / (w @ w) if any(w) else Fraction(0))


def what_folding_keeps(pairs, constants):
    """m² beside (margin)² (1 + d²/c²) for the folded optimum, and beside (margin)² alone: two comparisons. Exact."""
    best, kept, bare = [], [], []
    for c in constants:
        for pair in pairs:
            left = folded_best(pair, c)[2]
            best.append(pair.squared)
            kept.append(left * (1 + pair.b**2 / (pair.w @ pair.w) / c**2))
            bare.append(left)
    return at_most(best, kept), at_most(best, bare)


def thresholds(constants, points):
    """The threshold of {β} and {−α} folded with c, and the closed form, for all c and (β, α): rows (c, β, α, …)."""
    rows = []
    for c in constants:
        for beta, alpha in points:
            w = max_margin(np.array([[beta, c], [alpha, -c]]) * Fraction(1)).exact().w
            rows.append((c, beta, alpha, -w[1] * c / w[0], max(-c * c / beta, Fraction(beta - alpha, 2))))
    return rows


def hull_points(count, size, seed):
    """(34), squared, at points of hulls in space: at the closest point first, then at random ones.

    Returns the comparisons, a joined pair for each point, and those for w halved, which is outside of the hull.
    """
    inside, outside, streams = [], [], [np.random.default_rng([seed, 6, k]) for k in range(5)]
    while len(inside) < 2 * count:
        rng = streams[len(inside) % 5]
        Z = rng.integers(-size, size + 1, (6, 3))
        Z = Z[Z @ [5, 2, 1] > 0]
        best = max_margin(Z).exact() if len(Z) else None
        for k in range(min(20, count - len(inside) // 2) if len(Z) else 0):
            weights = _spread(best, len(Z)) if k == 0 else rng.integers(0, 9, len(Z)) + np.eye(len(Z), dtype=int)[0]
            low, high = eq34(Z, weights)
            inside += [at_most([low], [best.squared]), at_most([best.squared], [high])]
            outside.append(at_most([best.squared], [high / 4]))
    return joined(inside), joined(outside)


def _spread(best, p):
    """The weights of the exact optimum, one for each of p rows."""
    weights = [Fraction(0)] * p
    for j, weight in zip(best.support, best.weights, strict=True):
        weights[j] = weight
    return weights
