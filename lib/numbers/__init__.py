"""Numbers and arrays of numbers, checked: three number systems, and never a silent loss.

An array holds int64, float64, or Python's own integers and Fractions (dtype object). Integers and Fractions are exact:
where a result might leave int64 it is computed in Python's integers (`roomy`), never wrapped. Each complaint names the
thing, its value and what was expected.
"""

from fractions import Fraction
from math import isfinite, isqrt, lcm

import numpy as np

EXACT = 2**53
"""Integers below this in absolute value are exact in a float64, and so are their sums."""


def one_of(value, name, known):
    """The value, if it is one of those known."""
    if value not in known:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
    return value


def whole_number(value, name, least=0, most=None):
    """The value, if it is an integer (and not a bool) within the limits."""
    if not is_whole(value) or value < least or (most is not None and value > most):
        limits = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {value!r}; expected a whole number, {limits}")
    return int(value)


def as_room(max_updates, least=0):
    """A number of updates that int64 holds, which compiled loops count in; no run makes more."""
    return min(whole_number(max_updates, "max_updates", least), 2**62)


def positive(value, name):
    """The value, if it is a finite number above zero."""
    if not (is_number(value) and 0 < value < np.inf):
        raise ValueError(f"{name} is {value}; expected a finite number above zero")
    return value


def positives(values, name):
    """A number or several, finite and above zero, as a vector."""
    v = np.atleast_1d(as_array(values, name))
    if v.ndim != 1 or not v.size or not all(is_number(x) and 0 < x < np.inf for x in v.tolist()):
        raise ValueError(f"{name} is {values!r}; expected finite numbers above zero")
    return as_numbers(v, name)


def not_negative(value, name):
    """The value, if it is a finite number, zero or more."""
    if not (is_number(value) and 0 <= value < np.inf):
        raise ValueError(f"{name} is {value}; expected a finite number, zero or more")
    return value


def rate_and_decay(rate, decay):
    """Check a rate λ > 0 and a decay μ ≥ 0 with λμ ≤ 1."""
    positive(rate, "rate")
    if not_negative(decay, "decay") * rate > 1:
        raise ValueError(f"decay is {decay!r}; expected at most one when multiplied by the rate")


def is_number(value):
    """True for a real number, a bool not being one."""
    return isinstance(value, (float, np.floating)) or exact_number(value)


def is_whole(value):
    """True for an integer: no bool, no span of time, which numpy counts among its integers."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def exact_number(value):
    """True for an integer or a Fraction, which keep a run exact."""
    return is_whole(value) or isinstance(value, Fraction)


def own(value):
    """Python's own integer or Fraction for an exact number: numpy's integers wrap, inside Fractions too."""
    if isinstance(value, Fraction):
        return Fraction(int(value.numerator), int(value.denominator))
    return int(value) if exact_number(value) else value


def quotient(a, b):
    """a/b, as a Fraction if both are exact."""
    positive(b, "the denominator")
    return Fraction(own(a)) / own(b) if exact_number(a) and exact_number(b) else a / b


def as_array(values, name):
    """The values as an array without a mask or a silent loss.

    numpy makes floats of lists that mix integers below −1 and above 2^63; here they stay integers.
    """
    if type(values) is np.ndarray:
        return values
    try:
        Z = np.asanyarray(values)
        if Z.dtype.kind == "f" and not isinstance(values, np.ndarray) and abs(Z).max(initial=0) >= EXACT:
            exact = np.array(values, dtype=object)
            Z = exact if all(exact_number(v) for v in exact.flat) else Z
    except ValueError:
        raise ValueError(f"{name} is ragged; expected rows of one length") from None
    if np.ma.is_masked(Z):
        raise ValueError(f"{name} is masked in {np.ma.count_masked(Z)} places; expected a value in every place")
    return np.asarray(Z)


def as_matrix(values, name, **options):
    """A matrix of one of the three number systems, checked."""
    Z = as_array(values, name)
    if Z.ndim != 2:
        raise ValueError(f"{name} has {Z.ndim} dimension(s); expected a matrix, one row a pattern")
    if 0 in Z.shape:
        raise ValueError(f"{name} is empty, of shape {Z.shape}; expected at least one row and one column")
    return as_numbers(Z, name, **options)


def as_vector(values, length, name):
    """A vector of `length` numbers of one of the three number systems, checked."""
    v = as_array(values, name)
    if v.shape != (length,):
        raise ValueError(f"{name} has shape {v.shape}; expected ({length},)")
    return as_numbers(v, name)


def as_numbers(Z, name, *, finite=True):
    """The array in one of the three number systems, or a ValueError that names the offender.

    With finite=False the caller asks `refuse_infinite` itself, who knows a sum of squares already.
    """
    kind = Z.dtype.kind
    if kind == "f":
        if Z.dtype != np.float64:
            with np.errstate(over="ignore"):
                Z = Z.astype(np.float64)
        return refuse_infinite(Z, name, np.vdot(Z, Z)) if finite else Z
    if kind in "biu":
        return Z.astype(object if kind == "u" and Z.max(initial=0) >= 2**63 else np.int64)
    if kind != "O":
        raise ValueError(f"{name} has dtype {Z.dtype}; expected integers, Fractions or floats")
    if not all(exact_number(v) for v in Z.flat):
        raise ValueError(f"{name} mixes Fractions or big integers with other types; expected one number system")
    plain = all(type(v) is int for v in Z.flat)
    return Z if plain else np.array([own(v) for v in Z.flat], dtype=object).reshape(Z.shape)


def refuse_infinite(Z, name, square):
    """The array, if all its floats are finite; `square` is the sum of their squares, infinite if one of them is."""
    if Z.dtype == np.float64 and not isfinite(square) and not np.isfinite(Z).all():
        raise ValueError(f"{name} holds NaN, infinity or numbers beyond floats; expected finite numbers")
    return Z


def is_exact(*arrays):
    """True if every array holds integers or Fractions."""
    return all(a.dtype != np.float64 for a in arrays)


def in_one_system(*arrays):
    """The arrays as Python numbers if all of them are exact, else as floats."""
    try:
        return [a.astype(object if is_exact(*arrays) else np.float64) for a in arrays]
    except OverflowError:
        raise ValueError("integers beyond floats stand beside floats; expected one number system") from None


def largest(a):
    """The largest absolute value in an exact array, rounded up to an integer; 0 for floats, which need no room."""
    if a.dtype == np.float64:
        return 0
    if a.dtype == np.int64:
        return max(-int(a.min()), int(a.max())) if a.size else 0
    return max((-(-abs(v.numerator) // v.denominator) for v in a.flat), default=0)


def roomy(a, most):
    """The array as Python integers if results up to `most` would not fit an int64; itself otherwise."""
    return a.astype(object) if a.dtype == np.int64 and most >= 2**63 else a


def integers(*arrays):
    """Exact arrays times their least common denominator, as whole numbers (see `tight`), and that denominator."""
    scale = lcm(*(v.denominator for a in arrays if a.dtype == object for v in a.flat))
    return [tight(roomy(a, scale * largest(a)) * scale if scale > 1 else a) for a in arrays], scale


def tight(a):
    """Whole numbers as int64 where they fit, else as Python ints."""
    if a.dtype != object:
        return a
    whole = [int(v) for v in a.flat]
    dtype = np.int64 if max(map(abs, whole), default=0) < 2**63 else object
    return np.array(whole, dtype=dtype).reshape(a.shape)


def fractions(a):
    """An exact array as Fractions: divisions in it then stay exact."""
    return np.array([Fraction(v) for v in a.astype(object).flat], dtype=object).reshape(a.shape)


def stays_exact(rows, w, updates, goal=0):
    """True if floats hold every score of a run on these integers exactly, from the start w.

    An update has z · w ≤ goal, so ‖w‖² grows by at most 2 goal + R², for separable patterns or not. Cauchy and
    Schwarz bound every partial sum of every score by R‖w‖.
    """
    if any(largest(a) >= EXACT for a in (rows, w)):
        return False
    square = int(np.max(np.sum(roomy(rows, largest(rows) ** 2 * rows.shape[1]) ** 2, axis=1)))
    start = sum(int(v) ** 2 for v in w)
    longest = isqrt(start + updates * (square + 2 * max(goal, 0))) + 1
    return abs(goal) < EXACT and (isqrt(square) + 1) * (longest + isqrt(square) + 1) < EXACT


def pivot(T, i, j, last=1):
    """Clear column j of T but for row i, in place, and return T[i, j], which the next step takes as `last`.

    Gauss and Jordan's elimination in Python's integers (Bareiss): every entry is a determinant of a part of the first
    matrix, `last` times what fractions would give, so that each division leaves no remainder.
    """
    entry, row = T[i, j], T[i].copy()
    T[:] = (entry * T - np.multiply.outer(T[:, j], row)) // last
    T[i] = row
    return entry


def solve(M, b):
    """Solve M x = b for a positive semidefinite matrix of Python integers, such as a Gram matrix.

    Returns integers x and a denominator with M x = denominator · b. It is zero if M is singular, and x is then a
    vector of the kernel, not zero.
    """
    k, last = len(M), 1
    T = np.column_stack([M, b]).astype(object)
    for i in range(k):
        if T[i, i] == 0:  # the rows so far are dependent
            return np.array([*-T[:i, i], last, *[0] * (k - i - 1)], dtype=object), 0
        last = pivot(T[:, i:], i, 0, last)
    return T[:, k], last
