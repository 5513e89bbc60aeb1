"""Runs of the perceptron from any start: notebook 03."""

import numpy as np

from lib.bounds import replay
from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.perceptrons.perceptron import perceptron
from lib.studies.geometry import streams


def problems(seed, sets, points, size, far):
    """Separable integer sets with a start and the best weights, as integers, and the sets that were not separable.

    From five seeds in turn; every fifth start is zero. Returns [(patterns, start, best)] and [patterns].
    """
    found, rejected, sources = [], [], streams(seed)
    while len(found) < sets:
        rng = sources[len(found) % len(sources)]
        n = int(rng.integers(2, 5))
        Z = rng.integers(-size, size + 1, (points, n))
        Z = Z[(Z != 0).any(axis=1)]
        if len(Z) and separability(Z).separable:
            start = rng.integers(-far, far + 1, n) * (len(found) % 5 > 0)
            found.append((Z, start, max_margin(Z).exact().direction))
        elif len(Z):
            rejected.append(Z)
    return found, rejected


def printed_algorithm(P, N, w, draws, rng):
    """Algorithm 4.2.1 word for word, for so many draws, without a test that stops it.

    Returns when w was changed last, and when all vectors were right for the first time, both in draws, or None.
    """
    vectors, last, right = [*((x, 1) for x in P), *((x, -1) for x in N)], 0, None
    for t in range(draws + 1):
        if right is None and all(s * (w @ x) > 0 for x, s in vectors):
            right = t
        x, s = vectors[rng.integers(len(vectors))]
        if s == 1 and w @ x <= 0:
            w, last = w + x, t + 1
        elif s == -1 and w @ x >= 0:
            w, last = w - x, t + 1
    return last, right


def two_sets(P, N, w):
    """The weights at which Algorithm 4.2.1 ends if the vectors of P and N are tested in turn, P first."""
    clean = False
    while not clean:
        clean = True
        for x in P:
            if w @ x <= 0:
                w, clean = w + x, False
        for x in N:
            if w @ x >= 0:
                w, clean = w - x, False
    return w


def with_unit_weights(p, w, rounds):
    """Corrections of the perceptron on two patterns if w is normalised after each; at most so many."""
    for made in range(rounds):
        wrong = np.flatnonzero(p @ w <= 0)
        if not wrong.size:
            return made
        w = w + p[wrong[0]]
        w = w / np.linalg.norm(w)
    return rounds


def all_orders(Z):
    """The (steps, weights) at which runs from zero can end, whatever mistakes are picked; by listing all weights."""
    layer, steps, ends = {(0,) * Z.shape[1]}, 0, set()
    while layer:
        following = set()
        for w in layer:
            wrong = Z[Z @ w <= 0]
            following |= {tuple(map(int, w + z)) for z in wrong}
            if not len(wrong):
                ends.add((steps, w))
        layer, steps = following, steps + 1
    return ends


def proof_lines(runs, directions):
    """The lines of the proof along many runs; of each a control; and (4.8): where it makes sense, and where it holds.

    (4.8) is compared with the chord between the two unit vectors, ‖w/‖w‖ − w*‖² = 2 − 2 cos ρ, in floats. Controls
    replace δ by 1.1 δ in (4.9) and the step before it, and R² by 0.9 R² in (4.10) and the step before it.
    """
    lines, controls, nonzero, chords = {}, {}, [], []
    for run, v in zip(runs, directions, strict=True):
        q = replay.trace(run, v)
        along, square = q.along.astype(object), q.square.astype(object)
        t1 = q.t.astype(object) + 1
        for key, line in replay.rojas(run, v).items():
            lines.setdefault(key, []).append(line)
        broken = {
            "numerator": 10 * along[:-1] + 11 * q.margin <= 10 * along[1:],
            "4.9": 10 * along[0] + 11 * t1 * q.margin <= 10 * along[1:],
            "norm": 10 * square[1:] <= 10 * square[:-1] + 9 * q.radius,
            "4.10": 10 * square[1:] <= 10 * square[0] + 9 * t1 * q.radius,
        }
        for key, held in broken.items():
            controls.setdefault(key, []).append(held)
        nonzero.append(square[1:] != 0)
        chords.append(chord_fits(q, v))
    controls = {key: np.concatenate(held).astype(bool) for key, held in controls.items()}
    return lines, controls, np.concatenate(nonzero).astype(bool), np.concatenate(chords)


def chord_fits(q, v):
    """(4.8) at every correction of a traced run: cosine and chord agree to 1e-12; true where w is zero."""
    W, unit = q.W[1:].astype(float), np.asarray(v, dtype=float) / np.sqrt(float(q.length))
    norm = np.sqrt((W * W).sum(axis=1))
    safe = np.where(norm > 0, norm, 1)
    chord = ((W / safe[:, None] - unit) ** 2).sum(axis=1)
    return (abs(1 - chord / 2 - W @ unit / safe) <= 1e-12) | (norm == 0)


def approach(run, v, s=1):
    """Both angles and distances of a run to v, exactly, correction by correction.

    Returns whether the angle to v became smaller, and whether ‖w − cv‖² fell by at least what notebook 03 says, for c
    so large that the fall is s times R² (s = 1), or so small that nothing is promised (s < 0).
    """
    q = replay.trace(run, v)
    along, square = q.along.astype(object), q.square.astype(object)
    signed = along * abs(along)
    closer = signed[1:] * square[:-1] > signed[:-1] * square[1:]
    twice = (1 + s) * q.radius  # 2cρ with ρ = min z · v
    gap = q.margin * square - twice * along  # of ‖w − cv‖², times ρ
    return closer, gap[1:] <= gap[:-1] - s * q.radius * q.margin, gap[1:] < gap[:-1]


def stop_moments(problems, rng):
    """Runs of the printed algorithm: when w was changed last, and when all were right for the first time; two lists.

    Runs that were not right within twenty thousand draws are left out.
    """
    last, right = [], []
    for Z, w0, _ in problems:
        sign = rng.choice([-1, 1], len(Z))
        X, draws = Z * sign[:, None], 40 * len(Z) * (perceptron(Z, w0=w0).updates + 5)
        changed, done = printed_algorithm(X[sign > 0], X[sign < 0], w0, min(draws, 20_000), rng)
        if done is not None:
            last.append(changed)
            right.append(done)
    return last, right


def one_set_or_two(problems):
    """Whether the printed algorithm and the folded one end alike; and whether they do if N is not negated."""
    folded, unsigned = [], []
    for Z, w0, _ in problems:
        many = 2 * np.arange(len(Z)) < len(Z)
        P, N = Z[many], -Z[~many]
        end = two_sets(P, N, w0)
        folded.append((end == perceptron(np.vstack([P, -N]), w0=w0).w).all())
        unsigned.append((end == perceptron(np.vstack([P, N]), w0=w0, max_updates=2000).w).all())
    return folded, unsigned


def weakly_separated(rng, count):
    """Folded sets of plain vectors that ≥ and < separate through the origin; the first has three points."""
    found = [np.array([[1, 0], [-1, 0], [0, 1]])]
    while len(found) < count:
        X, w = rng.integers(-2, 3, (4, 2)), rng.integers(-2, 3, 2)
        Z = X * np.where(X @ w >= 0, 1, -1)[:, None]
        if (Z != 0).any(axis=1).all() and (X @ w < 0).any():
            found.append(Z)
    return found
