"""One sweep of the margin perceptron after another, each exactly as the plain loop makes it.

A block of B rows is scored by one product. Which rows of it are updates is the solution a of
a_i = [s_i + Σ_(j<i) M_ij a_j ≤ θ] with M_ij = λ z_i · z_j. Iterating this map makes a right on a growing prefix, so
that two equal iterates are the sequential answer; two to four iterations do. Where mistakes are rare, rows are
scanned to the next mistake instead.
"""

import numpy as np

from lib.patterns import EXACT

BLOCK = 96
"""Rows that are decided together."""
SEGMENT = 64 * BLOCK
"""Rows after which it is asked anew whether mistakes are many or few."""
FEW = 1 / 24
"""Below so many updates a row, rows are scanned to the next mistake."""
CACHE = 2**24
"""Numbers kept for the blocks' Gram matrices (128 MB)."""
EPS = float(np.finfo(float).eps)


def fits_float(Z, w, goal, room):
    """True if no score can leave the integers that a float64 holds exactly.

    An update has z · w ≤ goal, so ‖w‖² grows by at most 2 goal + R²; a wrong iterate of a block adds R at most
    `BLOCK` times. Cauchy and Schwarz bound every partial sum.
    """
    if object in (Z.dtype, w.dtype):
        return False
    radius, start = (np.linalg.norm(a.astype(np.float64), axis=-1).max() for a in (Z, w))
    longest = np.sqrt(start**2 + room * (radius**2 + 2.0 * max(goal, 0)))
    return abs(goal) < EXACT and (radius * (longest + BLOCK * radius)) * (1 + 1e-9) < EXACT


def shrinkage(n, q, bias, dtype):
    """What decay multiplies the weights by."""
    factor = np.full(n, q, dtype=dtype)
    if bias:
        factor[-1] = 1
    return factor


class Sweeps:
    """The sweeps of one run: patterns, the matrices of its blocks, and the updates found so far."""

    def __init__(self, Z, rate, threshold, q, bias, room, exact):
        self.Z, self.rate, self.threshold, self.room = np.ascontiguousarray(Z), rate, threshold, room
        self.q, self.bias, self.exact = q, bias, exact
        self.shrink = None if q == 1 else shrinkage(Z.shape[1], q, bias, Z.dtype)
        self.cache = {}
        if Z.dtype != object:
            self.radius = float(np.sqrt(np.einsum("ij,ij->i", Z, Z).max()))
            lower = np.arange(BLOCK)[:, None] - np.arange(BLOCK) - 1.0
            self.lower = np.where(lower < 0, 0.0, rate)
            self.powers = np.where(lower < 0, 0.0, rate * q ** np.maximum(lower, 0))
            self.ages = q ** np.arange(BLOCK + 1.0)
            self.stack = np.empty((BLOCK + 1, Z.shape[1]))

    def run(self, w, order, epochs, rng):
        """Sweep, changing w. Returns picks, times, presented, epochs, converged."""
        if order == "worst":
            return self._worst(w, epochs)
        rng = np.random.default_rng(rng) if order == "shuffled" else None
        p, rows = len(self.Z), self.Z
        picks, times, epoch, room = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0, self.room
        self.keep = rng is None and p * BLOCK <= CACHE and epochs != 1
        self.many = True
        while epochs is None or epoch < epochs:
            if rng is not None:
                turn = rng.permutation(p)
                self.Z = rows[turn]
            found, end = self._sweep(w, room)
            found = np.array(found, dtype=np.int64)
            times.append(epoch * p + found)
            picks.append(found if rng is None else turn[found])
            room -= len(found)
            epoch += 1
            if end < p or (not len(found) and self.shrink is None):
                break
        else:
            end = p
        presented = (epoch - 1) * p + end if epoch else 0
        clean = epoch > 0 and end == p and not len(times[-1]) and self.shrink is None
        return np.concatenate(picks), np.concatenate(times), presented, epoch, bool(clean)

    def _worst(self, w, epochs):
        if epochs is not None:
            raise ValueError("order worst has no epochs; expected max_updates alone")
        picks = []
        while True:
            scores = self.Z.dot(w)
            j = int(scores.argmin())
            done = not scores[j] <= self.threshold
            if done or len(picks) == self.room:
                picks = np.array(picks, dtype=np.int64)
                return picks, np.arange(len(picks)), len(picks), len(picks) + 1, bool(done)
            w += self.rate * self.Z[j]
            picks.append(j)

    def _sweep(self, w, room):
        """One epoch; the rows of its updates, and the row at which there was no room for one more (p if none)."""
        p, found = len(self.Z), []
        if self.Z.dtype == object:
            return found, self._rows(w, 0, p, found, room)
        for i in range(0, p, SEGMENT):
            before, stop = len(found), min(i + SEGMENT, p)
            if self.many or self.shrink is not None:
                end = self._blocks(w, i, stop, found, room)
            else:
                end = self._scan(w, i, stop, found, room)
            if end < stop:
                return found, end
            self.many = len(found) - before > FEW * (stop - i)
        return found, p

    def _rows(self, w, i, stop, found, room):
        """The plain loop; the row it stopped at."""
        Z, rate, threshold, shrink = self.Z, self.rate, self.threshold, self.shrink
        for j in range(i, stop):
            wrong = Z[j].dot(w) <= threshold
            if wrong and len(found) == room:
                return j
            if shrink is not None:
                w *= shrink
            if wrong:
                w += rate * Z[j]
                found.append(j)
        return stop

    def _doubt(self, w):
        """How far a score of a block may be from the plain loop's: below it, the plain loop decides."""
        if self.exact:
            return 0.0
        size = float(np.sqrt(w.dot(w))) + self.rate * BLOCK * self.radius
        return 4 * EPS * ((w.size + BLOCK) * self.radius * size + abs(self.threshold))

    def _scan(self, w, i, stop, found, room):
        """Update by the mistakes in turn, looking ahead in growing blocks; the row it stopped at."""
        Z, threshold, size = self.Z, self.threshold, BLOCK // 2
        tie = self._doubt(w)
        while i < stop:
            s = Z[i : min(i + size, stop)].dot(w)
            wrong = s <= threshold + tie
            k = int(wrong.argmax())
            if not wrong[k]:
                i += len(s)
                size = min(SEGMENT, 2 * size)
                continue
            i += k
            if not tie or s[k] < threshold - tie or Z[i].dot(w) <= threshold:
                if len(found) == room:
                    return i
                w += self.rate * Z[i]
                found.append(i)
                tie = self._doubt(w)
                size = max(BLOCK // 2, min(size, 2 * k))
            i += 1
        return stop

    def _blocks(self, w, first, stop, found, room):
        """Decide blocks of rows at once; the row it stopped at."""
        threshold = self.threshold
        for i in range(first, stop, BLOCK):
            j = min(i + BLOCK, stop)
            s, tie = self._scores(w, i, j), self._doubt(w)
            s -= threshold
            a = s <= 0
            if a.any():
                M = self._influence(i, j)
                while True:
                    r = M.dot(a.astype(np.float64))
                    r += s
                    b = r <= 0
                    if b.tobytes() == a.tobytes():
                        break
                    a = b
                s = r
            k = a.nonzero()[0]
            unsure = tie and np.abs(s).min() <= tie
            if unsure or len(found) + len(k) > room:
                end = self._rows(w, i, j, found, room)
                if end < j:
                    return end
            else:
                self._move(w, i, j, a, k)
                found += (k + i).tolist()
        return stop

    def _scores(self, w, i, j):
        """The scores of rows i to j were none of them an update."""
        if self.shrink is None:
            return self.Z[i:j].dot(w)
        if not self.bias:
            return self.Z[i:j].dot(w) * self.ages[: j - i]
        z = self.Z[i:j]
        return z[:, :-1].dot(w[:-1]) * self.ages[: j - i] + z[:, -1] * w[-1]

    def _influence(self, i, j):
        """M: what an update by one row of the block adds to the scores of the later ones."""
        if i in self.cache:
            return self.cache[i]
        z, m = self.Z[i:j], j - i
        if self.shrink is None:
            M = z.dot(z.T) * self.lower[:m, :m]
        elif not self.bias:
            M = z.dot(z.T) * self.powers[:m, :m]
        else:
            M = z[:, :-1].dot(z[:, :-1].T) * self.powers[:m, :m] + np.outer(z[:, -1], z[:, -1]) * self.lower[:m, :m]
        if self.keep:
            self.cache[i] = M
        return M

    def _move(self, w, i, j, a, k):
        """The updates of the rows i + k, in the order and with the rounding of the plain loop if there is no decay."""
        if self.shrink is None:
            if len(k):
                self._add(w, i + k)
            return
        m, last = j - i, w[-1]
        w *= self.ages[m]
        w += (self.rate * self.ages[:m][::-1] * a).dot(self.Z[i:j])
        if self.bias:
            w[-1] = last + self.rate * self.Z[i + k, -1].sum()

    def _add(self, w, rows):
        """Add the rows times the rate in turn: so numpy sums over the first of two axes, except for a single column."""
        if w.size == 1:
            w[:] = np.concatenate([w[None], self.rate * self.Z[rows]]).cumsum(axis=0)[-1]
            return
        stack = self.stack[: len(rows) + 1]
        stack[0] = w
        self.Z.take(rows, axis=0, out=stack[1:], mode="clip")
        stack[1:] *= self.rate
        np.add.reduce(stack, axis=0, out=w)
