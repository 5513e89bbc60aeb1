"""Random integer problems from several seeds, and how corrections turn the weights, without rounding.

Notebooks 01, 03, 10, 11 and 12 draw from five generators each, so that no result hangs on a single seed.
"""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from lib.bounds import replay
from lib.margins.max_margin import max_margin
from lib.numbers.comparisons import at_most
from lib.perceptrons.perceptron import perceptron


def streams(seed, count=5):
    """Independent generators of random numbers, made of one seed."""
    return [np.random.default_rng([seed, k]) for k in range(count)]


def labelled(rng, points=8, dimensions=3, most=4):
    """Integer patterns, at least two, and a hidden integer vector that is right on all of them."""
    while True:
        v, Z = rng.integers(-4, 5, dimensions), rng.integers(-most, most + 1, (points, dimensions))
        side = np.sign(Z @ v)
        if np.count_nonzero(side) > 1:
            return (Z * side[:, None])[side != 0], v


def labelled_sets(seed, sets, **options):
    """As many sets of `labelled`, from five seeds in turn: [(patterns, hidden vector)]."""
    sources = streams(seed)
    return [labelled(sources[k % len(sources)], **options) for k in range(sets)]


def two_classes(rng, points=10, size=6):
    """Integer points in the plane and their labels by a hidden line that meets none: X, y; both classes are there."""
    while True:
        X, v = rng.integers(-size, size + 1, (points, 2)), rng.integers(-4, 5, 2)
        y = np.where(2 * (X @ v) > 2 * rng.integers(-8, 9) + 1, 1, -1)
        if abs(y.sum()) < points:
            return X, y


def angle(a, b):
    """Between two vectors, in degrees."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return float(np.degrees(np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1))))


def cosine(a, b):
    """The cosines between rows of integers, as a pair: sign times square, times a positive number; and that number."""
    dot = (a * b).sum(axis=1)
    return dot * abs(dot), (a * a).sum(axis=1) * (b * b).sum(axis=1)


def nearer(a, b, x):
    """Row by row, whether b is at a smaller angle to x than a is; all rows are integers, none is zero."""
    (top_a, low_a), (top_b, low_b) = cosine(a, x), cosine(b, x)
    return top_b * low_a > top_a * low_b


def turning(run, best=None):
    """The corrections t = 1, 2, … of a run from zero, and what they turned: a namespace of exact arrays.

    inner, before, after: w_t · w_(t+1), ‖w_t‖² and ‖w_(t+1)‖²; size and last: ‖x‖² of this correction and of the one
    before; t1 = t + 1; radius, margin, length as `replay.trace` has them for the best weights.
    """
    q = replay.trace(run, max_margin(run.patterns).exact().direction if best is None else best)
    W, square, size = (a.astype(object) for a in (q.W, q.square, q.size))
    inner = (W[2:] * W[1:-1]).sum(axis=1)
    found = SimpleNamespace(inner=inner, before=square[1:-1], after=square[2:], size=size[1:], last=size[:-1])
    found.t1, found.radius, found.margin, found.length = q.t[1:].astype(object) + 1, q.radius, q.margin, q.length
    return found


def trends(runs):
    """Whether runs calm down, at each correction t ≥ 1 of each: a namespace of comparisons, all exact.

    ceiling: sin² φ ≤ R²/((t + 1)² γ²); envelope: that, sin φ ≤ ‖x‖/‖w_(t+1)‖, and φ ≤ 90° once t ≥ R/γ;
    falls: φ is no larger than before; shorter: ‖x‖ is smaller than before; grows: ‖w‖ grows;
    relative: ‖x‖/‖w_(t+1)‖ ≤ R/((t + 1) γ), and the last weights need no correction; floor: (t + 1) γ ≤ ‖w_(t+1)‖.
    """
    seen = [turning(run) for run in runs]
    done = [perceptron(run.patterns, w0=run.w).updates == 0 for run in runs]
    still = np.repeat(done, [len(q.t1) for q in seen])

    def every(side):
        return np.concatenate([side(q) for q in seen])

    long = every(lambda q: q.t1**2 * q.margin**2)
    sine = every(lambda q: q.before * q.after - q.inner**2)  # sin² φ times ‖w_t‖² ‖w_(t+1)‖²
    ceiling = at_most(sine * long, every(lambda q: q.radius * q.length * q.before * q.after))
    upright = every(lambda q: (q.inner >= 0) | ((q.t1 - 1) ** 2 * q.margin**2 < q.radius * q.length))
    small = np.asarray(at_most(every(lambda q: q.size) * long, every(lambda q: q.radius * q.length * q.after)))
    return SimpleNamespace(
        ceiling=ceiling,
        envelope=np.asarray(ceiling) & (sine <= every(lambda q: q.size * q.before)) & upright,
        falls=every(_falls),
        shorter=every(lambda q: q.size < q.last),
        grows=every(lambda q: q.after > q.before),
        relative=small & still,
        floor=at_most(long, every(lambda q: q.after * q.length)),
    )


def _falls(q):
    """Whether each correction turns by no more than the one before it; the first one of a run counts so."""
    top, low = q.inner * abs(q.inner), q.before * q.after
    return np.append(True, top[1:] * low[:-1] >= top[:-1] * low[1:])


def reach(X, y):
    """max ‖x − mean of its class‖²/‖distance of the means‖², a Fraction; None if the means are one point."""
    means = {k: sum(X[y == k].astype(object)) * Fraction(1, int((y == k).sum())) for k in (1, -1)}
    apart = ((means[1] - means[-1]) ** 2).sum()
    return max(((x - means[k]) ** 2).sum() for x, k in zip(X, y, strict=True)) / apart if apart else None
