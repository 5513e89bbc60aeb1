"""One sweep of the margin perceptron after another, each exactly as the plain loop makes it.

A block of B rows is scored by one product. Which rows of it are updates is the solution a of
a_i = [s_i + Σ_(j<i) M_ij a_j ≤ θ] with M_ij = λ z_i · z_j. Iterating this map makes a right on a growing prefix, so
that two equal iterates are the sequential answer; two to four iterations do. Where mistakes are rare, rows are
scanned to the next mistake instead.
"""

import numpy as np

from lib.perceptrons.scanning import Doubt, best_first, scan

BLOCK = 96
"""Rows that are decided together."""
SEGMENT = 64 * BLOCK
"""Rows after which it is asked anew whether mistakes are many or few."""
FEW = 1 / 24
"""Below so many updates a row, rows are scanned to the next mistake."""
CACHE = 2**24
"""Numbers kept for the blocks' Gram matrices (128 MB)."""


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
        self.bias, self.decayed = bias, Z.shape[1] - bool(bias and q != 1)
        self.shrink = None if q == 1 else shrinkage(Z.shape[1], q, bias, Z.dtype)
        self.cache = {}
        if Z.dtype != object:
            self.doubt = Doubt(Z, exact, threshold, rate)
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
        done = best_first(self.Z, w, picks, self.room, np.argmin, threshold=self.threshold, rate=self.rate)
        return np.array(picks, dtype=np.int64), np.arange(len(picks)), len(picks), len(picks) + 1, done

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
                options = {"first": i, "stop": stop, "threshold": self.threshold, "rate": self.rate}
                end = scan(self.Z, w, found, room, self.doubt, **options)
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

    def _blocks(self, w, first, stop, found, room):
        """Decide blocks of rows at once; the row it stopped at."""
        threshold = self.threshold
        for i in range(first, stop, BLOCK):
            j = min(i + BLOCK, stop)
            s, tie = self._scores(w, i, j), self.doubt.of(w) + BLOCK * self.doubt.grow
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
        z, m = self.Z[i:j], self.decayed
        return z[:, :m].dot(w[:m]) * self.ages[: j - i] + z[:, m:].dot(w[m:])

    def _influence(self, i, j):
        """M: what an update by one row of the block adds to the scores of the later ones."""
        if i in self.cache:
            return self.cache[i]
        z, free, k = self.Z[i:j, : self.decayed], self.Z[i:j, self.decayed :], j - i
        M = z.dot(z.T) * self.powers[:k, :k]
        if free.size:
            M += free.dot(free.T) * self.lower[:k, :k]
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
