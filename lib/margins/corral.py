"""The point of a convex hull that is closest to the origin: Wolfe's algorithm, in floats.

Solves  min |x|  over  x = Σ λ_i z_i, λ >= 0, Σ λ_i = 1  for a small set of rows z_i
(P. Wolfe, Finding the nearest point in a polytope, 1976). A *corral* is an affinely
independent subset of the rows whose affine hull has its closest point inside the hull of
the subset. With P the rows of a corral that point has the weights M⁻¹1 / 1ᵀM⁻¹1, where
M = P Pᵀ + c 1 1ᵀ for any c > 0.

The inverse of M is updated, O(k²) for each row that enters or leaves, but M squares the
condition number; where that is not enough the QR factors of (Pᵀ; √c 1ᵀ) take over.
"""

import numpy as np

REFACTOR = 50
"""Updates of the inverse before it is computed afresh."""
PIVOT = 1e-12
"""A row this close (relative, squared) to the affine hull of the corral does not enter the inverse."""
DISTANCE = 1e-15
"""The same for the QR factors, not squared."""
LOOSE = 1e-6
"""The inverse alone is accurate enough for tolerances above this."""
TINY = np.finfo(float).tiny


class Corral:
    """An affinely independent set of rows with positive weights, and its point x = weights @ rows.

    Parameters
    ----------
    row : ndarray, shape (n,)
        The first row; the others enter by `settle`.
    label : int
        Its name outside.
    lift : float
        √c above, of the size of a typical |z|.
    """

    def __init__(self, row, label, lift):
        n = len(row)
        self.lift = lift or 1.0
        self.steps = 0
        self._rows = np.empty((n + 3, n))
        self._labels = np.empty(n + 3, dtype=np.int64)
        self._weights = np.zeros(n + 3)
        self._norms = np.empty(n + 3)
        self._ones = np.ones(n + 3)
        self._inverse = np.empty((n + 3, n + 3))
        self._size = self._changes = 0
        self._restart(row, label)

    @property
    def rows(self):
        return self._rows[: self._size]

    @property
    def labels(self):
        return self._labels[: self._size]

    @property
    def weights(self):
        return self._weights[: self._size]

    def settle(self, rows, labels, tol, floor):
        """Descend to the closest point of the hull of `rows`, which contain those of the corral.

        Stops when min_j z_j · x >= (1 − tol) |x|², when |x| <= floor Σ λ_i |z_i|, or when floats can do
        no more; the weights stay nonnegative with sum 1, so x is a point of the hull, to rounding.

        Parameters
        ----------
        rows : ndarray, shape (m, n)
        labels : ndarray of int, shape (m,)
        """
        reached = np.inf
        while self._descend(rows, labels, tol, floor, self._exchange):
            self._stale = True
            square = self.x.dot(self.x)
            if square >= reached:
                break
            reached = square
        if tol > LOOSE and not self._stale and not self.vanishes(floor):
            return
        self._stale = True
        self._retreat()
        self._descend(rows, labels, tol, floor, self._exchange_by_qr)

    def vanishes(self, floor):
        """Is x zero, to `floor` relative to the rows it is made of?"""
        return self.x.dot(self.x) <= (floor * self.weights.dot(self._norms[: self._size])) ** 2

    def _descend(self, rows, labels, tol, floor, exchange):
        """Wolfe's major cycles; True if they stalled, for want of accuracy."""
        best = np.inf
        while True:
            square = self.x.dot(self.x)
            if self.vanishes(floor):
                return False
            if square >= best:
                return True
            best = square
            scores = rows.dot(self.x)
            j = scores.argmin()
            if scores[j] >= (1 - tol) * square:
                return False
            if self._size > len(self.x) or not exchange(rows[j], labels[j]):
                return True
            self.steps += 1

    def _exchange(self, row, label):
        """Let a row in and others out, by the inverse; False if the accuracy does not suffice.

        The row waits outside the inverse until the last has left: with it M may be nearly
        singular, and what is lost then does not come back.
        """
        if (self._stale or self._changes > REFACTOR) and not self._refactor():
            return self._give_up(row, label, 0.0)
        c = self.lift**2
        square = row.dot(row) + c
        weights = self._weights
        weights[self._size] = 0.0
        while self._size:
            k = self._size
            P, inverse, ones = self._rows[:k], self._inverse[:k, :k], self._ones[:k]
            g = P.dot(row) + c
            v = inverse.dot(g)
            pivot = square - g.dot(v)
            r = inverse.dot(ones)
            total = r.dot(ones)
            if not (pivot > PIVOT * square and total > 0):
                return self._give_up(row, label, weights[k])
            x = r.dot(P) / total
            t = total * (x.dot(x) - row.dot(x)) / pivot
            u = np.empty(k + 1)
            u[:k] = r - t * v
            u[k] = t
            u /= total + t * (1 - v.dot(ones))
            if u[u.argmin()] > 0:
                self._border(row, label, v, pivot)
                weights[: k + 1] = u
                self.x = u.dot(self._rows[: k + 1])
                return True
            moved = _towards(u, weights[: k + 1])
            if moved[k] <= 0:
                return self._give_up(row, label, 0.0)
            weights[:k] = moved[:k]
            self._drop_weightless()
            weights[self._size] = moved[k]
        return self._restart(row, label)

    def _restart(self, row, label):
        """Make the row the whole corral, the others having left."""
        self._append(row, label, 1.0)
        self.x = row.copy()
        self._stale = True
        return True

    def _give_up(self, row, label, weight):
        """Leave the corral with its weights in order; the inverse is not to be trusted."""
        if weight > 0:
            self._append(row, label, weight)
        self._stale = True
        return False

    def _exchange_by_qr(self, row, label):
        """The same by QR factors; False if the row is in the affine hull of the corral, to rounding."""
        lifted = np.append(row, self.lift)
        if np.linalg.norm(self._outside(lifted)) <= DISTANCE * np.linalg.norm(lifted):
            return False
        self._append(row, label, 0.0)
        self._retreat()
        return True

    def _retreat(self):
        """Wolfe's minor cycles: towards the affine minimiser, dropping rows, until it is inside."""
        while True:
            u = self._affine_minimiser()
            if u.min() > 0:
                self._weights[: self._size] = u
                return
            self._weights[: self._size] = _towards(u, self.weights)
            self._drop_weightless()

    def _affine_minimiser(self):
        """Weights of the closest point of the affine hull, and the point x itself, by QR factors."""
        self._rescale()
        lifted = self._lifted()
        self._basis, R = np.linalg.qr(lifted)
        if self._size > len(self.x) + 1 or abs(R.diagonal()).min() <= DISTANCE * self.lift:
            return self._slide(np.linalg.svd(lifted)[2][-1])
        return self._project(lifted, R)

    def _slide(self, kernel):
        """Weights beyond the hull for the same point, given the coefficients of a dependence."""
        kernel = kernel * np.sign(kernel[abs(kernel).argmax()])
        return self.weights - 2 * kernel / kernel.max()

    def _project(self, lifted, R):
        """With L = (Pᵀ; √c 1ᵀ) = QR and e = (0, 1) the weights are R⁻¹Qᵀe, to scale.

        e − QQᵀe is orthogonal to every column of L: −x is its direction. Two corrections by
        residuals Lᵀ(e − QQᵀe) of higher precision make the scores of the corral agree to rounding
        relative to |x| |z|, however small x is.
        """
        Q = self._basis
        rest = -Q.dot(Q[-1])
        rest[-1] += 1
        fine = lifted.T.astype(np.longdouble)
        for _ in range(2):
            residual = fine.dot(rest.astype(np.longdouble)).astype(float)
            rest -= Q.dot(np.linalg.solve(R.T, residual))
        self.x = rest[:-1] * (-self.lift / (1 - rest[-1]))
        u = np.linalg.solve(R, Q[-1])
        return u / u.sum()

    def _rescale(self):
        """Keep √c at the size of the rows that matter."""
        size = self.weights.dot(self._norms[: self._size])
        if not 0.25 * self.lift < size < 4 * self.lift and size > 0:
            self.lift = size

    def _lifted(self):
        return np.vstack([self.rows.T, np.full(self._size, self.lift)])

    def _outside(self, v):
        """The part of v orthogonal to the lifted rows."""
        Q = self._basis
        v = v - Q.dot(Q.T.dot(v))
        return v - Q.dot(Q.T.dot(v))

    def _append(self, row, label, weight):
        k = self._size
        self._rows[k], self._labels[k], self._weights[k] = row, label, weight
        self._norms[k] = np.sqrt(row.dot(row))
        self._size = k + 1

    def _border(self, row, label, v, pivot):
        """Add a row to the inverse, given v = M⁻¹g and the Schur complement of M."""
        k = self._size
        inverse = self._inverse
        scaled = v / -pivot
        inverse[:k, :k] -= v[:, None] * scaled
        inverse[k, :k] = inverse[:k, k] = scaled
        inverse[k, k] = 1 / pivot
        self._changes += 1
        self._append(row, label, 0.0)

    def _drop_weightless(self):
        for i in (self.weights <= 0).nonzero()[0][::-1]:
            self._drop(i)

    def _drop(self, i):
        """Remove row i, the last taking its place."""
        last = self._size - 1
        if not self._stale:
            self._drop_from_inverse(i, last)
        for kept in (self._rows, self._labels, self._weights, self._norms):
            kept[i] = kept[last]
        self._size = last

    def _drop_from_inverse(self, i, last):
        inverse = self._inverse
        column = inverse[: last + 1, i].copy()
        column[i], pivot = column[last], column[i]
        inverse[i, : last + 1] = inverse[last, : last + 1]
        inverse[: last + 1, i] = inverse[: last + 1, last]
        column = column[:last]
        inverse[:last, :last] -= column[:, None] * (column / pivot)
        self._changes += 1

    def _refactor(self):
        k = self._size
        self._rescale()
        R = np.linalg.qr(self._lifted(), mode="r")
        if k > len(self.x) + 1 or abs(R.diagonal()).min() <= DISTANCE * self.lift:
            return False
        root = np.linalg.inv(R)
        self._inverse[:k, :k] = root.dot(root.T)
        self._changes, self._stale = 0, False
        return True


def _towards(u, old):
    """Move from weights `old` >= 0 towards `u` until the first weight is zero."""
    out = (u <= 0).nonzero()[0]
    ratio = old[out] / np.maximum(old[out] - u[out], TINY)
    step = ratio[ratio.argmin()]
    moved = old + step * (u - old)
    moved[out[ratio <= step]] = 0
    return moved
