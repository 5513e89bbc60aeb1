"""Perceptron runs by the thousand, and every line of a convergence proof along them (notebooks 02 and 04)."""

from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np

from lib.bounds import ctu, replay
from lib.files import display
from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from lib.numbers.comparisons import below, equal, joined
from lib.patterns import fold
from lib.perceptrons.perceptron import perceptron

NINE_TENTHS = "nine tenths of the larger side"
STEPS = 12
"""The corrections of a run that are compared with what the algorithm itself leaves behind."""


def many_runs(sets, points, dimensions, size, seed):
    """Perceptron runs in random order on random integer sets that a plane through zero separates.

    Every set has a seed of its own, [seed, 0], [seed, 1], …. A set has 2 to `points` patterns in a dimension drawn from
    `dimensions`, with entries up to `size`. Returns a namespace, an entry a set: the `runs`, the exact `margins`, the
    `updates` t*, D² in `radius`, D²/γ² in `bound` (Fractions), and whether the set is `flat`, in the plane.
    """
    found = SimpleNamespace(runs=[], margins=[])
    for i in range(sets):
        Z = _separable(np.random.default_rng([seed, i]), points, dimensions, size)
        found.runs.append(perceptron(Z, order="random", rng=i))
        found.margins.append(max_margin(Z).exact())
    found.updates = np.array([run.updates for run in found.runs])
    found.radius = [ctu.eq9(run.patterns) for run in found.runs]
    pairs = zip(found.radius, found.margins, strict=True)
    found.bound = np.array([ctu.eq10(D2, margin.squared) for D2, margin in pairs], dtype=object)
    found.flat = np.array([run.patterns.shape[1] == 2 for run in found.runs])
    return found


def _separable(rng, points, dimensions, size):
    while True:
        Z = rng.integers(-size, size + 1, (int(rng.integers(2, points + 1)), int(rng.choice(dimensions))))
        Z = Z[(Z != 0).any(axis=1)]
        if len(Z) > 1 and separability(Z).separable:
            return Z


def show_steps(run):
    """Show a run as a table: every correction with its pattern, the score that was wrong, and the weights after it."""
    W = run.trajectory()
    scores = [W[t] @ run.patterns[j] for t, j in enumerate(run.picks)]
    lines = [["correction", "pattern", "score before", "weights after"], ["---:", "---", "---:", "---"]]
    for t, (j, score) in enumerate(zip(run.picks, scores, strict=True), start=1):
        lines.append([str(t), str(tuple(run.patterns[j].tolist())), str(score), str(tuple(W[t].tolist()))])
    plain = "\n".join("  ".join(f"{cell:>12}" for cell in line) for line in [lines[0], *lines[2:]])
    display(plain, {"text/markdown": "\n".join(f"| {' | '.join(line)} |" for line in lines)})


def lecture_lines(found):
    """The lecture's (11)-(24) along all runs, each with its control: what `check_all` takes."""
    directions = [margin.direction for margin in found.margins]
    line = by_name(replay.lecture(run, v) for run, v in zip(found.runs, directions, strict=True))
    line |= by_name(_broken(replay.trace(run, v)) for run, v in zip(found.runs, directions, strict=True))
    line |= by_name(replay.first_steps(*stopped(run, order="random", rng=i)) for i, run in enumerate(found.runs[:300]))
    rulings = {f"ctu-eq{number}": _ruling(line, str(number)) for number in range(11, 25)}
    for number in ("11", "12", "13", "14", "18"):
        named = {name: line[name] for name in line if name.startswith(f"{number} with")}
        rulings[f"ctu-eq{number}"]["control"] = {name.partition(" with ")[2]: broken for name, broken in named.items()}
    return rulings


def _broken(q):
    """Lines of the lecture that are not true of every correction."""
    return {
        "11 with < in place of ≤": below(q.score, 0),
        "14 with the mixed term counted once": equal(q.square[1:], q.square[:-1] + q.score + q.size),
        "18 with the pattern of the correction before": equal(q.along[2:], q.along[1:-1] + q.gain[:-1]),
    }


def _ruling(line, number):
    """The relations of a numbered line together, and the control with nine tenths of their larger sides."""
    parts = [line[name] for name in line if name.rstrip("ab") == number]
    inequalities = [part for part in parts if part.relation != "="]
    control = {NINE_TENTHS: joined(inequalities).scaled("9/10")} if inequalities else {}
    return {"printed": together(parts), "control": control}


def together(parts):
    """Comparisons as one: with their sides where they have one relation, else as an array of bool."""
    one = len({part.relation for part in parts}) == 1
    return joined(parts) if one else np.concatenate([part.held.ravel() for part in parts])


def by_name(dicts):
    """The comparisons of many runs joined under their names."""
    dicts = list(dicts)
    return {name: joined(lines[name] for lines in dicts) for name in dicts[0]}


def stopped(run, **options):
    """The first weights of a run as the perceptron leaves them when it is stopped there, and the patterns it added."""
    return replay.recorded(run.patterns, min(run.updates, STEPS), **options)


def labelled_sets(sets, points, size, seed):
    """Folded integer points in the plane with labels drawn at random: `sets` of them, and as many separable ones.

    Returns two lists; of the second every set comes with an integer vector that separates with the largest margin.
    """
    labelled, separable = [], []
    for i in range(sets):
        rng, found = np.random.default_rng([seed, i]), None
        while found is None or not found.separable:
            X, y = rng.integers(-size, size + 1, (points, 2)), rng.choice([-1, 1], points)
            Z = fold(X, y, keep_contradictions=True)
            first, found = found is None, separability(Z)
            if first:
                labelled.append((Z, found))
        separable.append((Z, max_margin(Z).exact().direction))
    return labelled, separable


def line_sets(updates, *, largest=2, most=3):
    """Labelled sets of 2 to `most` whole numbers up to `largest` that cost so many corrections in ascending order."""
    found = []
    for count in range(2, most + 1):
        for x in combinations(range(-largest, largest + 1), count):
            for labels in product([-1, 1], repeat=count):
                Z = fold(np.array(x)[:, None], np.array(labels)) if len(set(labels)) == 2 else None
                if Z is not None and perceptron(Z, max_updates=50).updates == updates and separability(Z).separable:
                    found.append((x, labels))
    return found


def two_point_stories(largest):
    """All pairs of small integer vectors: is the run one, the other, done? With x_1 · x_2 and the shorter ‖x‖²."""
    small = [np.array(v) for v in product(range(-largest, largest + 1), repeat=2) if any(v)]
    stories = [perceptron(np.array(pair), max_updates=3) for pair in product(small, repeat=2)]
    told = np.array([story.converged and story.picks.tolist() == [0, 1] for story in stories])
    products = np.array([a @ b for a, b in product(small, repeat=2)])
    return told, products, np.array([min(a @ a, b @ b) for a, b in product(small, repeat=2)])


def short_points(tries, seed):
    """Sets of four points near zero: the corrections, D²/γ² with the raw points for D, and with the folded ones."""
    tenth, rows = Fraction(1, 10), []
    for i in range(tries):
        rng = np.random.default_rng([seed, 1, i])
        X = rng.integers(-5, 6, (4, 1)) * tenth if i else np.array([[tenth], [-tenth]])
        k = np.where(X[:, 0] > (tenth * int(rng.integers(-4, 5)) if i else 0), 1, -1)
        if abs(k.sum()) < len(k):
            Z = fold(X, k)
            squared = max_margin(Z).exact().squared
            rows.append((perceptron(Z).updates, ctu.eq10(ctu.eq9(X), squared), ctu.eq10(ctu.eq9(Z), squared)))
    return [list(column) for column in zip(*rows, strict=True)]
