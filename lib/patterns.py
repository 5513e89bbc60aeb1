"""One set of patterns for every document.

Each document reduces two classes to one set: the rows z_j = y_j (x_j, 1). A weight vector w separates the classes if
and only if z_j · w > 0 for every row (the lecture's (6), Rojas' P' = P ∪ −N, Liang's y_j X_j). Every algorithm of the
collection takes the matrix of these rows, p patterns by n features, called `patterns`.

Integers and Fractions are exact; floats are floats.
"""

from itertools import combinations_with_replacement

import numpy as np

from lib.numbers import (
    as_array,
    as_matrix,
    as_numbers,
    as_vector,
    in_one_system,
    is_number,
    largest,
    roomy,
    whole_number,
)


def as_patterns(patterns, *, allow_zero=False):
    """The pattern matrix, checked, as an int64, float64 or object (exact) array: itself where possible.

    A zero row has no w with z · w > 0; most algorithms must refuse it.
    """
    Z = as_matrix(patterns, "patterns")
    if not allow_zero:
        _refuse_zero_rows(Z)
    return Z


def _refuse_zero_rows(Z):
    if Z[:, -1].all():  # the bias, as a rule
        return
    squares = np.einsum("ij,ij->i", Z, Z)  # of a row that is not zero they may underflow, or wrap
    if not squares.all():
        suspect = np.flatnonzero(squares == 0)
        zero = suspect[~(Z[suspect] != 0).any(axis=1)]
        if zero.size:
            raise ValueError(f"pattern {zero[0]} is zero; expected z · w > 0 to be possible for every pattern")


def as_start(w0, Z):
    """The start of a run on the patterns Z; zero if None."""
    return np.zeros(Z.shape[1], dtype=np.int64) if w0 is None else as_vector(w0, Z.shape[1], "w0")


def fold(X, y, bias=True, *, keep_contradictions=False):
    """Fold two classes into one set of patterns, y_j (x_j, 1).

    Parameters
    ----------
    X : array_like, shape (p, d)
        Points: integers, Fractions or floats.
    y : array_like, shape (p,)
        Two labels, of which the larger is the positive class; −1 or +1 may stand alone.
    bias : bool
        Append the constant 1 before the sign is applied; its weight is minus the threshold.
    keep_contradictions : bool
        One point in both classes is an error unless this is True.

    >>> fold([[1], [-1]], [1, -1])
    array([[ 1,  1],
           [ 1, -1]])
    """
    X = as_matrix(X, "X")
    sign = as_signs(y, len(X))
    if not keep_contradictions:
        _refuse_contradictions(X, sign)
    if bias:
        X = np.column_stack([X, np.ones(len(X), dtype=X.dtype if X.dtype != object else int)])
    return roomy(X, largest(X)) * sign[:, None]


def as_signs(y, p):
    """Two kinds of labels as −1 and 1, see `fold`."""
    y = as_array(y, "y")
    if y.shape != (p,):
        raise ValueError(f"y has shape {y.shape}; expected ({p},), one label a row of X")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y holds NaN or infinity; expected two labels")
    try:
        kinds = np.unique(y)
    except TypeError:
        raise ValueError("y has labels that cannot be ordered; expected two labels, the larger one positive") from None
    if set(kinds.tolist()) <= {-1, 1} and y.dtype != bool:
        return y.astype(np.int64)
    if len(kinds) != 2:
        raise ValueError(f"y has {len(kinds)} kind(s) of label; expected two classes")
    return np.where(y == kinds[1], 1, -1)


def _refuse_contradictions(X, sign):
    """Equal rows have equal keys, so only rows that share a key need a second look; wrapped keys are equal too."""
    with np.errstate(over="ignore", invalid="ignore"):
        key = (X * np.arange(1, X.shape[1] + 1)).sum(axis=1)
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    seen = {}
    for j in np.flatnonzero(size[group] > 1):
        i = seen.setdefault(tuple(X[j]), j)
        if sign[i] != sign[j]:
            expected = "expected each point in one class (keep_contradictions=True keeps them)"
            raise ValueError(f"rows {i} and {j} of X are one point in both classes; {expected}")


def two_classes(X, y):
    """The points of the larger label and those of the other, both present."""
    X = as_matrix(X, "X")
    sign = as_signs(y, len(X))
    if abs(sign.sum()) == len(sign):
        raise ValueError("y has one kind of label; expected points of both classes")
    return X[sign > 0], X[sign < 0]


def differences(X, y):
    """All x_i − x_j with x_i of the larger label and x_j of the other, shape (p1 · p2, d).

    The closest point of their hull to the origin is the shortest vector from one class's hull to the other's, twice
    the best margin of a plane with a free bias (the lecture's slide 7).
    """
    high, low = two_classes(X, y)
    high = roomy(high, largest(high) + largest(low))
    with np.errstate(over="ignore"):
        return as_numbers((high[:, None] - low).reshape(-1, high.shape[1]), "the matrix of differences")


def lift(x, shift=0):
    """The lecture's lifting (30) of p points on a line, with the shift of slide 30: x → (x, x² − shift), shape (p, 2).

    Exact for an exact x and shift.
    """
    x = as_array(x, "x")
    if x.ndim != 1 or not x.size:
        raise ValueError(f"x has shape {x.shape}; expected one number a point")
    if not is_number(shift):
        raise ValueError(f"shift is {shift!r}; expected a number")
    x, s = as_numbers(x, "x"), as_vector([shift], 1, "shift")
    if not x.dtype == s.dtype == np.int64:
        x, s = in_one_system(x, s)
    x = roomy(x, largest(x) ** 2 + largest(s))
    with np.errstate(over="ignore"):
        return as_numbers(np.column_stack([x, x * x - s]), "the lift")


def monomials(X, degree):
    """All C(d + degree, degree) − 1 monomials of degree 1 to `degree` of the d columns of X, lower degrees first.

    >>> monomials([[2, 3]], 2)
    array([[2, 3, 4, 6, 9]])
    """
    X = as_matrix(X, "X")
    whole_number(degree, "degree", least=1)
    X = roomy(X, largest(X) ** degree)
    columns = range(X.shape[1])
    terms = [t for k in range(1, degree + 1) for t in combinations_with_replacement(columns, k)]
    with np.errstate(over="ignore"):
        return as_numbers(np.column_stack([X[:, list(t)].prod(axis=1) for t in terms]), "the matrix of monomials")


def unit_rows(patterns):
    """The patterns in floats, of length one; each is divided by its largest entry first: no square overflows."""
    Z = as_patterns(patterns)
    rows = Z if Z.dtype == object else Z.astype(np.float64)
    rows = (rows / abs(rows).max(axis=1)[:, None]).astype(np.float64)
    return rows / np.linalg.norm(rows, axis=1)[:, None]
