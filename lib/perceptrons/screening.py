"""Krauth and Mézard's loop without looking at every pattern: the picks of the plain loop, for less than a pass each.

Most patterns are far from the lowest score. Let W be the sums at some time and W_t = b W + e later, e at right
angles to W. A pattern of score S_j = z_j · W, and of length h_j at right angles to W, has z_j · W_t ≥ b S_j − ‖e‖ h_j.
So while ‖e‖ ≤ b κ and the lowest score is at most b θ, only patterns with S_j ≤ θ + κ h_j can be picked. ‖e‖ stays
bounded while W grows: the set of candidates shrinks, and an update costs less than one pass over p scores.

The centre W may be any vector. The mean of the sums over the last stretch is nearer to where they will be than the
last of them: what is left to ‖e‖ is one fluctuation, not the difference of two.

In floats, scores closer to each other than rounding are computed again as the plain loop computes them. That makes
coarse scores good enough: while the candidates are many, they are scored in single precision.
"""

from math import sqrt

import numpy as np

EPS, SINGLE = np.finfo(np.float64).eps, np.finfo(np.float32).eps
SMALL = 48
"""So few patterns are not screened."""
BUFFER, LONGEST = 1 << 20, 1024
"""Bytes of scores kept for one stretch of updates, and its longest length."""
PAUSE = 1.6
"""A screen is made anew when the number of updates has grown by this factor; the candidates have then grown fewer."""
MANY, REFRESH = 2048, 128
"""So many candidates are scored in single precision, and after so many updates once more in double."""
CACHE = 1 << 23
"""Numbers kept in columns of the Gram matrix (64 MB)."""
KAPPA, SLACK, GROW = 1.1, 0.05, 1.15
"""The first screen's κ in √x and the room of θ in x. Later ones are what the last screen needed, times the third
number; where a screen failed they grow."""


def added(steps, t):
    """The sums after t updates, added one after the other as the plain loop does (`reduce` pairs a single column)."""
    return np.add.reduce(steps[: t + 1], axis=0) if steps.shape[1] > 1 else np.add.accumulate(steps[: t + 1])[-1]


class Field:
    """Candidates, and the conditions under which no other pattern can be picked (none if all are candidates).

    W is the centre, `scores` and `across` are S and h² of the candidates. Columns of the Gram matrix are kept from
    field to field in `store`, a dict of row to (field, column). Scores are kept in multiples of `unit`, which is 1 in
    double precision and x = max ‖z_j‖² in single; there the table of patterns is kept by columns, which is fastest.
    """

    def __init__(self, Z, times, store, x, exact, rows=None):
        self.Z, self.times, self.store, self.rows, self.x, self.exact = Z, times, store, rows, x, exact
        self.single = len(Z) >= MANY and not exact
        self.unit = x if self.single else 1
        self.table = (Z / sqrt(x)).astype(np.float32, order="F") if self.single else Z
        self.columns, self.maps, self.kept = [None] * len(Z), {}, []
        for row in [row for row, (_, column) in store.items() if len(column) > 8 * len(Z)]:
            del store[row]
        self.spare = CACHE - sum(len(column) for _, column in store.values())

    @classmethod
    def around(cls, whole, W, rows, scores, across, kappa, theta):
        """Some rows of the whole field, around the centre W."""
        field = cls(whole.Z[rows], whole.times, whole.store, whole.x, whole.exact, rows)
        field.scores, field.across = scores[rows], across[rows]
        field.centre, field.length2, field.kappa, field.theta = W, W.dot(W), kappa, theta
        field.reach, field.lowest, field.top = 0.0, scores.min(), scores.min()
        return field

    def column(self, j):
        """What an update by candidate j adds to the scores of all candidates; an earlier field may know most of it."""
        row = int(j) if self.rows is None else int(self.rows[j])
        field, old = self.store.get(row, (self, None))
        z = self.times * self.table[j]
        if field is self or field.single != self.single:
            column = self.table.dot(z)
        else:
            at, missing = self._map(field)
            column = old[at]
            if missing.size:
                column[missing] = self.table[missing].dot(z)
        if self.spare >= len(column):
            self.spare -= len(column)
            self.columns[j], self.store[row] = column, (self, column)
        return column

    def _map(self, field):
        """Where the candidates stand in an earlier field, and which of them do not."""
        if field not in self.maps:
            rows = np.arange(len(self.Z)) if self.rows is None else self.rows
            if field.rows is None:
                self.maps[field] = rows, rows[:0]
            else:
                at = np.minimum(np.searchsorted(field.rows, rows), len(field.rows) - 1)
                self.maps[field] = at, np.flatnonzero(field.rows[at] != rows)
        return self.maps[field]

    def rate(self, W):
        """The scores of the candidates, with the error of one product."""
        return self.Z.dot(W) / self.unit

    def doubt(self, age, far):
        """How wrong a score in single precision can be, after that many updates; ‖W‖ is at most `far`.

        An update adds a product of n terms, at most `times`, and rounds a score of at most far/√x.
        """
        return (age + 1) * SINGLE * ((len(self.Z[0]) + 8) * self.times + far / sqrt(self.x)) if self.single else 0

    def stretch(self, scores, length):
        """Updates without a test of the conditions: scores before and after each, and the picks."""
        if len(self.kept) <= length:
            self.kept = list(np.empty((length + 1, len(self.Z)), dtype=self.table.dtype))
        picks, columns, add = [], self.columns, np.add
        self.kept[0][:] = scores
        for now, after in zip(self.kept[:length], self.kept[1:], strict=False):
            j = now.argmin()
            picks.append(j)
            column = columns[j]
            add(now, self.column(j) if column is None else column, after)
        return self.kept[0].base[: length + 1], np.fromiter(picks, dtype=np.int64, count=length)

    def holds(self, W, picks, low, far, radius, doubt):
        """How many of the first picks are certain: no pattern outside can have had the lowest score.

        With e = W_t − b W the next pick adds S_j/‖W‖² to b and 2 (low − b S_j) times + (times h_j)² to ‖e‖².
        Rounding is allowed for: `far` bounds ‖W_t‖, `doubt` the error of a score.
        """
        if self.rows is None:
            return len(low)
        T, n = len(low), len(W)
        gain = self.times * self.scores[picks]
        b0 = W.dot(self.centre) / self.length2
        b = b0 + (np.cumsum(gain) - gain) / self.length2
        if b.min() <= 0:
            T = int((b <= 0).argmax())
            picks, low, gain, b = picks[:T], low[:T], gain[:T], b[:T]
        e = W - b0 * self.centre
        grow = 2 * (self.times * low - b * gain) + self.times**2 * self.across[picks]
        slip = 32 * EPS * T * self.times * radius * far + 4 * T * self.times * doubt
        away = (np.sqrt(np.maximum(np.cumsum(grow) - grow + (e.dot(e) + slip), 0)) + 8 * EPS * far) / b
        level = (low + (EPS * (64 * (n + 8) + 4 * T) * radius * far + 4 * doubt)) / b
        wrong = (away * (1 + 1e-9) > self.kappa) | (level > self.theta)
        kept = int(wrong.argmax()) if wrong.any() else T
        self.astray, self.risen = (away[kept] > self.kappa, level[kept] > self.theta) if kept < T else (False, False)
        if kept:
            self.reach = max(self.reach, away[:kept].max())
            self.top = max(self.top, level[:kept].max())
        return kept


class Screened:
    """The screened run on float64 patterns, which hold integers if `exact`."""

    def __init__(self, Z, W, times, goals, room, exact):
        self.Z, self.W, self.times, self.goals, self.room = np.ascontiguousarray(Z), W, times, goals, room
        self.exact = exact
        self.square = np.einsum("ij,ij->i", Z, Z)
        self.x = float(self.square.max())
        self.radius = sqrt(self.x)
        self.kappa, self.slack = KAPPA * self.radius * times, SLACK * self.x * times
        self.picks, self.stops, self.t = [], [], 0
        self.everything = self.field = Field(self.Z, times, {}, self.x, exact)
        self.next, self.born = 32, 0
        self.steps = np.empty((LONGEST + 1, len(W)))
        self.index = np.arange(LONGEST)
        self.total, self.count = 0, 0

    def go(self):
        """The sums, the picks, the stops."""
        scores, age = self.field.rate(self.W), 0
        while not self._finished(scores):
            fits = BUFFER // (len(self.field.Z) * self.field.table.itemsize)
            length = max(1, min(LONGEST, fits, self.room - self.t, 32 + 2 * (self.t - self.born)))
            S, picks = self.field.stretch(scores, length)
            age += length
            steps = self.steps[: length + 1]
            steps[0] = self.W
            np.take(self.field.Z, picks, axis=0, out=steps[1:], mode="clip")
            if self.times != 1:
                steps[1:] *= self.times
            kept, over = self._accept(S, picks, steps, age)
            if over:
                break
            if self._screen(kept < length) or kept < length or age > self.patience:
                scores, age = self.field.rate(self.W), 0
            else:
                scores = S[-1]
        return self._result()

    @property
    def patience(self):
        """After so many updates the scores are computed anew, lest rounding adds up."""
        return np.inf if self.exact else REFRESH if self.field.single else LONGEST

    def _result(self):
        picks = np.concatenate([np.empty(0, dtype=np.int64), *self.picks])
        stops = self.stops + [-1] * (len(self.goals) - len(self.stops))
        return self.W, picks, np.array(stops)

    def _finished(self, scores):
        """Out of updates: the levels that the last weights reach still count."""
        if self.t < self.room:
            return False
        low = self.Z.dot(self.W).min() if self.exact else min(z.dot(self.W) for z in self.Z)
        self._pass_levels(low, self.t)
        return True

    def _pass_levels(self, low, t):
        while len(self.stops) < len(self.goals) and low >= self.goals[len(self.stops)]:
            self.stops.append(t)

    def _accept(self, S, picks, steps, age):
        """Keep the certain beginning of a stretch; also whether the largest level was reached in it."""
        length, field = len(picks), self.field
        low = S[self.index[:length], picks]
        far = sqrt(self.W.dot(self.W)) + length * self.times * self.radius
        n = len(self.W)
        doubt = 0.0 if self.exact else EPS * ((2 * n + 2 * age + 8) * self.radius * far + age * n * self.x)
        if field.single:
            low = np.einsum("tk,tk->t", np.add.accumulate(steps[:-1], axis=0), field.Z[picks])
        kept = field.holds(self.W, picks, low, far, self.radius, doubt)
        if doubt:
            kept = self._settle_ties(
                S, low / field.unit, picks, steps, kept, doubt / field.unit + field.doubt(age, far)
            )
        over = self._levels_within(low[:kept], picks, steps, doubt)
        if over is not None:
            kept = over
        self.t += kept
        self.total = self.total + kept * self.W + np.arange(kept - 1, -1, -1) @ steps[1 : kept + 1]
        self.count += kept
        self.W = added(steps, kept)
        picks = picks[:kept]
        self.picks.append(picks if field.rows is None else field.rows[picks])
        return kept, over is not None

    def _settle_ties(self, S, low, picks, steps, kept, doubt):
        """Where rounding could have changed the pick, score the rivals as the plain loop does."""
        close = S[:kept] <= (low[:kept] + 2 * doubt).astype(S.dtype)[:, None]
        if np.count_nonzero(close) == kept:
            return kept
        path = np.add.accumulate(steps, axis=0)
        for t in np.flatnonzero((np.count_nonzero(close, axis=1) > 1) & path[:kept].any(axis=1)):
            rivals = np.flatnonzero(close[t])
            plain = [self.field.Z[i].dot(path[t]) for i in rivals]
            best = rivals[int(np.argmin(plain))]
            if best != picks[t]:
                picks[t], steps[t + 1] = best, self.field.Z[best]
                S[t + 1] = self.field.rate(path[t] + self.field.Z[best])
                return int(t) + 1
        return kept

    def _levels_within(self, low, picks, steps, doubt):
        """Note the levels that the lowest score reaches; the time of the largest, or None."""
        goal = self.goals[len(self.stops)]
        if not low.size or low.max() < goal - doubt:
            return None
        for t in np.flatnonzero(low >= goal - doubt):
            self._pass_levels(self.field.Z[picks[t]].dot(added(steps, t)) if doubt else low[t], self.t + int(t))
            if len(self.stops) == len(self.goals):
                return int(t)
        return None

    def _screen(self, failed):
        """A new field, if the old one failed or a smaller one should pay; True if it is new."""
        if len(self.Z) <= SMALL or (not failed and self.t < self.next):
            return False
        if self.field.rows is not None:
            if failed:
                self.kappa *= GROW if self.field.astray else 1
                self.slack += SLACK * self.x * self.times if self.field.risen else 0
            elif len(self.field.Z) <= SMALL:
                self.next = 4 * self.t
                return False
            else:
                self.kappa = GROW * self.field.reach
                self.slack = max(GROW * (self.field.top - self.field.lowest), SLACK * self.x * self.times)
        self.born = self.t
        return self._narrow()

    def _narrow(self):
        """Screen around the mean of the last sums, which is nearer to where they will be than the last of them."""
        centre = self.total / self.count if self.count >= 16 else self.W
        self.total, self.count = 0, 0
        length2 = centre.dot(centre)
        if not length2 > 0:
            return self._widen()
        S = self.Z.dot(centre)
        across = np.maximum(self.square - S * S / length2, 0) + 8 * len(centre) * EPS * self.x
        theta = S.min() + self.slack
        fuzz = 64 * EPS * (len(centre) + 8) * self.radius * sqrt(length2)
        rows = np.flatnonzero(theta + self.kappa * np.sqrt(across) + fuzz >= S)
        if len(rows) > 0.8 * len(self.Z):
            return self._widen()
        self.field = Field.around(self.everything, centre, rows, S, across, self.kappa, theta)
        self.next = PAUSE * self.t
        return True

    def _widen(self):
        changed = self.field is not self.everything
        self.field, self.next = self.everything, 1.25 * self.t
        return changed
