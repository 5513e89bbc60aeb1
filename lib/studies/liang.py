"""Liang's note along perceptron runs: every line, the angle, the halting, and the pocket (notebook 04)."""

from types import SimpleNamespace

import numpy as np
from scipy.stats import beta

from lib.bounds import replay
from lib.numbers.comparisons import at_most, below, equal, joined
from lib.perceptrons.perceptron import perceptron
from lib.perceptrons.pocket import pocket
from lib.studies.novikoff import NINE_TENTHS, by_name, stopped

ALIKE = {
    "4": ["4"],
    "5": ["5"],
    "8": ["8", "18"],
    "9": ["9", "19"],
    "15": ["15"],
    "22": ["22"],
    "23": ["23"],
    "24": ["24"],
}
"""Lines of the replay, and the numbers under which the note prints them."""


def lines(separable, starts):
    """The note's (2)-(24) along the runs of separable sets, each with its control: what `check_all` takes.

    `separable` holds pairs of a set and its W*. (14) and (21) speak of any start: they are compared along runs from
    `starts`, one for each set.
    """
    runs = [(perceptron(Z), v) for Z, v in separable]
    away = [(perceptron(Z, w0=w0), v) for (Z, v), w0 in zip(separable, starts, strict=True)]
    line = by_name(replay.liang(run, v) for run, v in runs)
    line |= by_name(_broken(replay.trace(run, v)) for run, v in runs)
    line |= by_name(replay.first_steps(*stopped(run)) for run, _ in runs)
    far = by_name(replay.rojas(run, v) for run, v in away)
    found = {f"liang-eq{k}": _with(line[name]) for name, printed in ALIKE.items() for k in printed}
    for k in ("6", "16"):
        broken = {"one factor left as it was": line["13 with one factor left as it was"]}
        found[f"liang-eq{k}"] = {"printed": line["13"], "control": broken}
    for k in ("7", "17"):
        found[f"liang-eq{k}"] = {
            "printed": line["7"],
            "meant": line["7'"],
            "control": {"the mixed term counted once": line["halved"]},
        }
    found["liang-eq2"] = {"printed": line["3"], "control": {"the label left out": line["unlabelled"]}}
    found["liang-eq4"]["control"] = {"the largest score for the smallest": line["largest"]}
    found["liang-eq5"]["control"] = {r"$\rho$ in the place of $0$": line["strict"]}
    found["liang-eq10"] = _with(joined([at_most(*sides) for sides in _both_ways(line["3"])] + [line["4"]]))
    found["liang-eq14"], found["liang-eq21"] = _with(far["4.9"]), _with(far["4.10"])
    found["liang-eq24"]["meant"] = found["liang-eq24"].pop("printed")
    found["liang-w0"] = {"meant": line["15"]}
    found["liang-claim2"] = dict(found["liang-eq9"])
    found["liang-cor1"] = {"printed": line["23"], "control": {"$T$ for its root": line["rootless"]}}
    return found


def _with(comparison):
    return {"printed": comparison, "control": {NINE_TENTHS: comparison.scaled("9/10")}}


def _both_ways(comparison):
    """An equation as two inequalities."""
    return [(comparison.small, comparison.large), (comparison.large, comparison.small)]


def _broken(q):
    """Lines of the note, broken; the label of a folded example is the sign of its last column."""
    label, T, norm, along = q.x[:, -1], q.t + 1, q.square[1:], q.along[1:]
    return {
        "unlabelled": equal(along, q.along[:-1] + label * q.gain),
        "largest": at_most(q.along[:-1] + max(q.gain, default=0), along),
        "strict": below(q.along[:-1] + q.margin, along),
        "halved": equal(norm, q.square[:-1] + q.score + q.size),
        "rootless": at_most(T * T * q.margin**2 * norm, along**2 * q.radius),
    }


def alignment(separable):
    """How the angle to W* changes along the runs from zero; all sides but those of `mainly` are integers.

    Returns a namespace: `closer`, a correction after the first turns the weights towards W*; `sources`, it lengthens
    them or turns them so; `mainly`, from the first to the last correction of a run the product W* · W grows more by the
    angle than by the length; `factor`, the cosine grows by a larger factor than the length; `distance`, a correction
    brings the weights nearer to W*, and `ray`, nearer by R² to the far point (R²/ρ) W*, squared; `updates` of the runs
    that `mainly` speaks of, and the replayed runs in `traces`.
    """
    found = SimpleNamespace(traces=[replay.trace(perceptron(Z), v) for Z, v in separable])
    found.closer = joined(
        below(q.along[1:-1] ** 2 * q.square[2:], q.along[2:] ** 2 * q.square[1:-1]) for q in found.traces
    )
    longer = joined(below(q.square[1:-1], q.square[2:]) for q in found.traces)
    found.sources = found.closer.held | longer.held
    several = [q for q in found.traces if len(q.t) > 1]
    found.updates = np.array([len(q.t) for q in several])
    shares = np.array([_shares(q) for q in several]).reshape(-1, 2)
    found.mainly = below(shares[:, 0], shares[:, 1])
    found.factor = np.array([q.along[-1] * q.square[1] > q.along[1] * q.square[-1] for q in several], dtype=bool)
    away = [q.square - 2 * q.along + q.length for q in found.traces]
    found.distance = joined(below(d[1:], d[:-1]) for d in away)
    ray = [(q.margin * q.square - 2 * q.radius * q.along, q.radius * q.margin) for q in found.traces]
    found.ray = joined(at_most(d[1:], d[:-1] - fall) for d, fall in ray)
    return found


def _shares(q):
    """By how much the length and the cosine let their product grow, Σ cos Δlength and Σ length Δcos, midpoints taken.

    The two add up to the growth of ‖W‖ cos θ between the first and the last correction.
    """
    length = np.sqrt(q.square[1:].astype(float))
    cosine = q.along[1:].astype(float) / length
    return [((a[1:] + a[:-1]) / 2 * np.diff(b)).sum() for a, b in ((cosine, length), (length, cosine))]


def orders(separable, count, seed):
    """The corrections of each set when its examples come in so many random orders, shape (sets, count)."""
    rng = np.random.default_rng([seed, 1])
    return np.array([[perceptron(rng.permutation(Z)).updates for _ in range(count)] for Z, _ in separable])


def at_least(hits, tries, error=1e-5):
    """The lower end of Clopper and Pearson's interval: a smaller chance gives so many hits with probability ≤ error."""
    return float(beta.ppf(error, hits, tries - hits + 1)) if hits else 0.0


def pockets(sets, iterations):
    """Pocket runs, recounted from their picks: what was kept beside the fewest mistakes on the way and the last ones.

    Returns a namespace of arrays, an entry a set: `kept`, the mistakes of the weights in the pocket; `least` and `last`
    of all weights on the way; `updates`; `swaps`, how often the pocket was filled.
    """
    rows = []
    for i, (Z, _) in enumerate(sets):
        p = pocket(Z, rule="count", max_tests=iterations, rng=i)
        counts = mistakes_on_the_way(Z, p.picks)
        rows.append((int((Z @ p.w <= 0).sum()), counts.min(), counts[-1], p.updates, len(p.swaps)))
    return SimpleNamespace(**dict(zip(("kept", "least", "last", "updates", "swaps"), np.array(rows).T, strict=True)))


def mistakes_on_the_way(Z, picks):
    """The mistakes of the weights after 0, 1, 2, … corrections from zero."""
    w, counts = np.zeros(Z.shape[1], dtype=Z.dtype), [len(Z)]
    for j in picks:
        w = w + Z[j]
        counts.append(int((Z @ w <= 0).sum()))
    return np.array(counts)


def perfect_scores(draws, seed):
    """The smallest label times score of vectors that are perfect, with sign(0) = +1 and with sign(0) = 0: two arrays.

    Vectors and examples (1, x) are small integers; the first of them is the smallest case with a score of zero.
    """
    rng = np.random.default_rng([seed, 2])
    W = rng.integers(-2, 3, (draws, 2))
    X = np.stack([np.ones((draws, 3), int), rng.integers(-2, 3, (draws, 3))], axis=2)
    y = rng.choice([-1, 1], (draws, 3))
    W[0], X[0], y[0] = (0, 1), [[1, 0], [1, -1], [1, -1]], [1, -1, -1]
    score = np.einsum("sd,spd->sp", W, X)
    smallest = (y * score).min(axis=1)
    lenient = (np.where(score >= 0, 1, -1) == y).all(axis=1)
    return smallest[lenient], smallest[(np.sign(score) == y).all(axis=1)]
