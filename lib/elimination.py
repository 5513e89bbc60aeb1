"""Gauss and Jordan's elimination in integers: no fraction, and no common factor kept in vain (Bareiss).

Every entry is a determinant of a part of the first matrix, so each division leaves no remainder and numbers stay as
short as they can be.
"""

import numpy as np


def pivot(T, i, j, last=1):
    """Clear column j of T but for row i, in place, and return T[i, j], which the next step takes as `last`.

    Parameters
    ----------
    T : ndarray of Python integers, shape (m, n)
        `last` times the matrix that fractions would give.
    i, j : int
        The place of the pivot, which is not zero.
    last : int
        The pivot before, the common denominator so far; 1 at first.
    """
    entry, row = T[i, j], T[i].copy()
    T[:] = (entry * T - np.multiply.outer(T[:, j], row)) // last
    T[i] = row
    return entry


def solve(M, b):
    """Solve M x = b for a positive semidefinite matrix of Python integers, such as a Gram matrix.

    Returns
    -------
    x : ndarray of Python integers, shape (k,)
    denominator : int
        M x = denominator · b; zero if M is singular, and x is then a vector of its kernel, not zero.
    """
    k, last = len(M), 1
    T = np.column_stack([M, b]).astype(object)
    for i in range(k):
        if T[i, i] == 0:  # the rows so far are dependent
            return np.array([*-T[:i, i], last, *[0] * (k - i - 1)], dtype=object), 0
        last = pivot(T[:, i:], i, 0, last)
    return T[:, k], last
