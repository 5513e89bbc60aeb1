"""Krauth and Mézard's loop without looking at every pattern: the picks of the plain loop, for less than a pass each.

Most patterns are far from the lowest score. Take any centre C, and let w = b C + e be the sums at some time. A pattern
of score S_j = z_j · C, and of length h_j at right angles to C, has z_j · w ≥ b S_j − ‖e‖ h_j. So while ‖e‖ ≤ b κ and
the lowest score is at most b θ, only the candidates can be picked, the patterns with S_j ≤ θ + κ h_j. ‖e‖ stays bounded
while w grows: a new screen leaves fewer of them, and an update costs less than one pass over p scores. The mean of
the last sums makes a good centre: what is left to ‖e‖ is one fluctuation, not the difference of two.

The scores of the candidates are kept, and each update adds a column of their Gram matrix. Those that rounding cannot
tell from the lowest are scored once more as the plain loop does it, and the first of the lowest is picked.
"""

from math import sqrt

import numpy as np

from lib.compiled import add, compiled, dot

EPS = np.finfo(np.float64).eps
FIRST, WORTH, PAUSE, LONGEST = 32, 100_000, 1.8, 1024
"""The first screen is made after so many updates, and so many scores; the next ones when the number of updates has
grown by the third number. After the fourth number of updates the kept scores are computed anew, lest errors add up."""
KAPPA, SLACK, SHRINK, GROW = 1.0, 0.05, 0.95, 1.2
"""The first κ in √x and the room of θ in x. A screen that served makes way for a smaller one, one that failed for a
larger one."""
MANY, KEPT = 4096, 1 << 22
"""So many candidates have their Gram columns in single precision; so many numbers of these columns are kept."""


class Field:
    """The candidates around a centre; without one, all patterns."""

    def __init__(self, patterns, chosen, centre=None, kappa=np.inf, theta=np.inf):
        m = len(chosen)
        self.chosen, self.rows = chosen, patterns if centre is None else patterns[chosen]
        self.centre, self.kappa, self.theta = centre, kappa, theta
        self.table = self.rows.astype(np.float32) if m >= MANY else self.rows
        self.gram = np.empty((min(m, KEPT // m) + 1, m), dtype=self.table.dtype)
        self.place = np.append(np.full(m, -1), 0)  # where a candidate's column is kept; how many there are

    def follow(self, w, total, goals, room, radius):
        """Up to `room` updates of w by the candidates: their picks, the stops at the goals, and if the screen held.

        Rounding is allowed for: ‖w‖ stays below `far`; a kept score is off by the first `doubt`, and by the second one
        more after each update; ‖e‖ and the lowest score of all patterns are off by the two `slips`.
        """
        n, far, eps = len(w), sqrt(w @ w) + room * radius, np.finfo(self.table.dtype).eps
        doubt = EPS * (2 * n + 8) * radius * far, 2 * EPS * radius * far + eps * (n + 4) * radius**2
        slips = 8 * EPS * far, 64 * EPS * (n + 8) * radius * far
        limits = (w if self.centre is None else self.centre), self.kappa, self.theta
        candidates = self.rows, self.table, self.gram, self.place
        picks, stops, held = stretch(*candidates, w, total, goals, room, doubt, slips, *limits)
        return self.chosen[picks.astype(np.int64)], stops.astype(np.int64), held


def screened(patterns, w, goals, room):
    """Do what `minover` does, and return what it returns, for floats whose squares are far from over- and underflow."""
    squares = np.einsum("ij,ij->i", patterns, patterns)
    x, everything = squares.max(), Field(patterns, np.arange(len(patterns)))
    kappa, slack, field, picks, stops = KAPPA * sqrt(x), SLACK * x, everything, [], []
    t, born, due, total = 0, 0, max(FIRST, WORTH // len(patterns)), 0 * w
    while True:
        length = min(LONGEST, room - t, max(due - t, 1))
        chosen, reached, held = field.follow(w, total, goals[len(stops) :], length, sqrt(x))
        picks.append(chosen)
        stops.extend(t + reached)
        t += len(chosen)
        if held and (t == room or len(stops) == len(goals)):
            return np.concatenate(picks), np.array(stops, dtype=np.int64)
        if held and t < due:
            continue
        if field is not everything:
            kappa, slack = (SHRINK * kappa, slack) if held else (GROW * kappa, slack + SLACK * x)
        centre = total / (t - born) if t - born >= 16 else w.copy()
        field = narrowed(patterns, squares, centre, w, kappa, slack) or everything
        born, due, total = t, int(PAUSE * t), 0 * w


def narrowed(patterns, squares, centre, w, kappa, slack):
    """The field around a centre; None if most patterns would be left in it."""
    b, away = apart(w, centre)
    if not b > 0:
        return None
    n, square, x, scores = len(w), centre @ centre, squares.max(), patterns @ centre
    across = np.sqrt(np.maximum(squares - scores * scores / square, 0) + 8 * n * EPS * x)
    kappa, theta = max(kappa, GROW * away / b), scores.min() + slack
    chosen = np.flatnonzero(scores <= theta + kappa * across + 64 * EPS * (n + 8) * sqrt(x * square))
    return Field(patterns, chosen, centre, kappa, theta) if len(chosen) <= 0.8 * len(patterns) else None


@compiled
def stretch(rows, table, gram, place, w, total, goals, room, doubt, slips, centre, kappa, theta):
    """The plain loop on the candidates, while no other pattern can have the lowest score."""
    picks, stops = [], []
    scores, wrong = np.empty(len(rows)), doubt[0]
    rate(rows, w, scores)
    low = scores.min()
    while True:
        j, score = first_lowest(rows, w, scores, low + 2 * wrong)
        held = kappa == np.inf
        if not held:
            b, away = apart(w, centre)
            held = (1 + 1e-9) * away + slips[0] <= b * kappa and score + slips[1] <= b * theta
        while held and len(stops) < len(goals) and score >= goals[len(stops)]:
            stops.append(len(picks))
        if not held or len(stops) == len(goals) or len(picks) == room:
            return np.array(picks), np.array(stops), held
        add(rows[j], w, 1)
        add(w, total, 1)
        picks.append(j)
        low = raised(scores, gram_column(table, j, gram, place))
        wrong += doubt[1]


@compiled
def first_lowest(rows, w, scores, most):
    """Of the rows with kept scores up to `most`, the first of lowest score, added up in the order of the columns."""
    best, low = -1, np.inf
    for i in range(len(rows)):
        if scores[i] <= most:
            score = dot(rows[i], w)
            if score < low:
                best, low = i, score
    return best, low


@compiled
def gram_column(table, j, gram, place):
    """z_j · z_i for all rows; the last row of `gram` is for those that find no room."""
    if place[j] >= 0:
        return gram[place[j]]
    k = place[-1]
    rate(table, table[j], gram[k])
    if k + 1 < len(gram):
        place[j], place[-1] = k, k + 1
    return gram[k]


@compiled(reassociate=True)
def rate(rows, w, scores):
    """Fill in the scores, added up in any order."""
    for i in range(len(rows)):
        score = rows[i, 0] * w[0]
        for k in range(1, len(w)):
            score += rows[i, k] * w[k]
        scores[i] = score


@compiled(reassociate=True)
def raised(scores, column):
    """Add the column to the scores, and return the lowest."""
    low = np.inf
    for i in range(len(scores)):
        scores[i] += column[i]
        low = min(low, scores[i])
    return low


@compiled(reassociate=True)
def apart(w, centre):
    """b and ‖e‖ of w = b · centre + e, e being at right angles to the centre."""
    product, square, away = 0.0, 0.0, 0.0
    for k in range(len(w)):
        product += w[k] * centre[k]
        square += centre[k] * centre[k]
    b = product / square
    for k in range(len(w)):
        away += (w[k] - b * centre[k]) ** 2
    return b, np.sqrt(away)
