"""Linear programs for separability, and the simplex algorithm in exact arithmetic.

A `Program` is plain matrices, min c · x subject to A_ub x ≤ b_ub, A_eq x = b_eq and bounds; any solver takes
it, as in `scipy.optimize.linprog(**inner(patterns).arguments())`. The patterns z_j are the folded rows, and
separable means that some w has z_j · w > 0 for every row.

`simplex` is a small teaching implementation: integers and Fractions only, so that ties, cycles and counts of
pivots are facts and not accidents of rounding.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.numbers import as_matrix, as_vector, integers, is_exact, one_of
from lib.patterns import as_patterns

RULES = ("dantzig", "bland", "steepest")


@dataclass(frozen=True, eq=False)
class Program:
    """min c · x subject to A_ub x ≤ b_ub, A_eq x = b_eq, low ≤ x ≤ high for the pairs of `bounds`."""

    c: np.ndarray
    A_ub: np.ndarray | None = None
    b_ub: np.ndarray | None = None
    A_eq: np.ndarray | None = None
    b_eq: np.ndarray | None = None
    bounds: tuple = (0, None)

    def arguments(self):
        """The keyword arguments that scipy's `linprog` takes."""
        return dict(vars(self))


def printed(A, b):
    """Rojas' program of section 4.3.2: min Σ y_i subject to Ax + y = b, x ≥ 0, y ≥ 0.

    Its minimum is never negative, and zero means Ax = b: it decides nothing about Ax ≤ b.
    """
    A, b = _system(A, b)
    m, n = A.shape
    return Program(np.repeat([0, 1], [n, m]), A_eq=np.hstack([A, np.eye(m, dtype=int)]), b_eq=b)


def phase_one(A, b):
    """What that program should be: min Σ a_i subject to Ax − a ≤ b, x ≥ 0, a ≥ 0, for b of any sign.

    The minimum is zero if and only if some x ≥ 0 has Ax ≤ b; that x is the solution's.
    """
    A, b = _system(A, b)
    m, n = A.shape
    return Program(np.repeat([0, 1], [n, m]), np.hstack([A, -np.eye(m, dtype=int)]), b)


def inner(patterns):
    """max t subject to z_j · w ≥ t, |w_i| ≤ 1, written as a minimum; the variables are (w, t).

    The maximum is positive if and only if the patterns are separable, and then w is an inner point.
    """
    Z = as_patterns(patterns)
    p, n = Z.shape
    A = np.hstack([-Z, np.ones((p, 1), dtype=int)])
    bounds = tuple([(-1, 1)] * n + [(None, None)])
    return Program(np.repeat([0, -1], [n, 1]), A, np.zeros(p, dtype=int), bounds=bounds)


def violation(patterns):
    """min Σ ξ_j subject to z_j · w + ξ_j ≥ 1, ξ ≥ 0; the variables are (w, ξ).

    The minimum is zero if and only if the patterns are separable.
    """
    Z = as_patterns(patterns)
    p, n = Z.shape
    bounds = tuple([(None, None)] * n + [(0, None)] * p)
    return Program(
        np.repeat([0, 1], [n, p]), -np.hstack([Z, np.eye(p, dtype=int)]), -np.ones(p, dtype=int), bounds=bounds
    )


def gordan(patterns):
    """Find λ ≥ 0 with Σ λ_j = 1 and Σ λ_j z_j = 0: feasible if and only if the patterns are not separable."""
    Z = as_patterns(patterns)
    A = np.vstack([Z.T, np.ones((1, len(Z)), dtype=int)])
    return Program(np.zeros(len(Z), dtype=int), A_eq=A, b_eq=np.repeat([0, 1], [Z.shape[1], 1]))


def klee_minty(n):
    """max Σ 10^(n−j) x_j subject to 2 Σ_{j<i} 10^(i−j) x_j + x_i ≤ 100^(i−1), x ≥ 0: c, A, b in integers.

    The region is a bent cube with 2^n vertices. Klee and Minty's idea in Chvátal's form: Dantzig's rule visits
    all of them.
    """
    A = [[2 * 10 ** (i - j) if j < i else int(i == j) for j in range(n)] for i in range(n)]
    rows = [[10 ** (n - 1 - j) for j in range(n)], *A, [100**i for i in range(n)]]
    whole = np.array(rows, dtype=object)
    return whole[0], whole[1:-1], whole[-1]


@dataclass(frozen=True, eq=False)
class Simplex:
    """What the simplex algorithm did.

    Attributes
    ----------
    x, y : ndarray of Fraction, shapes (n,) and (m,)
        The last vertex, and the multipliers of the rows that belong to its basis: the certificate.
    value : Fraction
        c · x.
    vertices : ndarray of Fraction, shape (pivots + 1, n)
        The vertex before, between and after the pivots; a degenerate pivot repeats it.
    entering : tuple of int
        The variable that entered at each pivot; n and more are the slack variables.
    stop : str
        "optimal", "unbounded", "cycle" (a basis came back) or "out of pivots".
    """

    x: np.ndarray
    y: np.ndarray
    value: Fraction
    vertices: np.ndarray = field(repr=False)
    entering: tuple = field(repr=False)
    stop: str

    @property
    def pivots(self):
        return len(self.entering)

    def verify(self, c, A, b):
        """True if x is optimal by weak duality: Ax ≤ b, x ≥ 0, yA ≥ c, y ≥ 0 and c · x = b · y, exactly."""
        c, A, b = (np.asarray(a, dtype=object) for a in (c, A, b))
        feasible = (A @ self.x <= b).all() and (self.x >= 0).all()
        return bool(feasible and (self.y @ A >= c).all() and (self.y >= 0).all() and c @ self.x == b @ self.y)


def simplex(c, A, b, *, rule="dantzig", max_pivots=100_000):
    """Solve max c · x subject to Ax ≤ b, x ≥ 0 from the origin, exactly.

    Stops at an optimal vertex, on an unbounded edge, when a basis comes back (the rules have no memory, so it
    would go round for ever), or after `max_pivots`. Guarantees: `verify` is True at "optimal"; rule "bland"
    never cycles.

    Parameters
    ----------
    c, A, b : array_like, shapes (n,), (m, n), (m,)
        Integers or Fractions, b ≥ 0.
    rule : {"dantzig", "bland", "steepest"}
        The entering variable: the largest reduced cost; the first positive one; the edge on which the gradient
        c has the longest projection (Rojas' description). The first of equals. Of the rows that block, the one
        with the lowest variable leaves.

    Returns
    -------
    Simplex

    Examples
    --------
    >>> found = simplex([2, 1], [[1, 0], [1, 1], [0, 1]], [3, 4, 3])
    >>> found.value, found.pivots
    (Fraction(7, 1), 2)
    """
    A, b = _system(A, b)
    c = as_vector(c, A.shape[1], "c")
    _check(rule, c, A, b)
    (whole, right), scale = integers(A, b)
    (gain,), unit = integers(c)
    m, n = A.shape
    T = np.zeros((m + 1, n + m + 1), dtype=object)
    T[:m, :n], T[:m, -1], T[m, :n] = whole, right, gain
    T[:m, n : n + m] = np.eye(m, dtype=int)
    basis, D, seen, vertices, entering = list(range(n, n + m)), 1, set(), [], []
    while True:
        vertices.append(_vertex(T, basis, D, n))
        j = _enter(T, basis, D, n, scale, rule)
        stop = "optimal" if j is None else "unbounded" if (T[:m, j] <= 0).all() else ""
        stop = stop or ("cycle" if tuple(basis) in seen else "out of pivots" if len(entering) == max_pivots else "")
        if stop:
            break
        seen.add(tuple(basis))
        i = min((k for k in range(m) if T[k, j] > 0), key=lambda k: (Fraction(T[k, -1], T[k, j]), basis[k]))
        D = _pivot(T, i, j, D)
        basis[i] = j
        entering.append(j)
    x = vertices[-1]
    y = np.array([Fraction(-v * scale, D * unit) for v in T[m, n : n + m]], dtype=object)
    return Simplex(x, y, c.astype(object) @ x + Fraction(0), np.array(vertices), tuple(entering), stop)


def _vertex(T, basis, D, n):
    x = np.full(n, Fraction(0), dtype=object)
    for i, j in enumerate(basis):
        if j < n:
            x[j] = Fraction(T[i, -1], D)
    return x


def _enter(T, basis, D, n, scale, rule):
    """The column that enters by the rule, or None at an optimum. Slack variables are `scale` times too large."""
    rising = [j for j, gain in enumerate(T[-1, :-1]) if gain > 0]
    if not rising or rule == "bland":
        return rising[0] if rising else None
    if rule == "dantzig":
        return max(rising, key=lambda j: T[-1, j] * (scale if j >= n else 1))
    rows = [i for i, k in enumerate(basis) if k < n]
    return max(rising, key=lambda j: Fraction(T[-1, j] ** 2, sum(T[i, j] ** 2 for i in rows) + (D * D if j < n else 0)))


def _pivot(T, i, j, D):
    """One step of Gauss and Jordan without fractions: the new common denominator is the pivot."""
    pivot, row = T[i, j], T[i].copy()
    T[:] = (pivot * T - np.multiply.outer(T[:, j], row)) // D
    T[i] = row
    return pivot


def separate(patterns):
    """Decide separability by the simplex algorithm: max t subject to z_j · w ≥ t, |w_i| ≤ 1, exactly.

    With w = u − v, u, v ≥ 0, the origin is a vertex of the program. By duality the maximum t is the least
    Σ_i |Σ_j λ_j z_ji| over λ ≥ 0, Σ λ_j = 1: so t = 0 comes with Gordan's weights.

    Returns
    -------
    t : Fraction
        Positive if and only if the patterns are separable.
    w : ndarray of Fraction, shape (n,)
        z_j · w ≥ t for every row.
    weights : ndarray of Fraction, shape (p,)
        λ; if t = 0, Σ λ_j z_j = 0.
    found : Simplex
    """
    Z = as_patterns(patterns)
    p, n = Z.shape
    box = np.hstack([np.eye(2 * n, dtype=int), np.zeros((2 * n, 1), dtype=int)])
    A = np.vstack([np.hstack([-Z, Z, np.ones((p, 1), dtype=int)]), box])
    found = simplex(np.repeat([0, 1], [2 * n, 1]), A, np.repeat([0, 1], [p, 2 * n]), rule="bland")
    return found.value, found.x[:n] - found.x[n : 2 * n], found.y[:p], found


def _system(A, b):
    A = as_matrix(A, "A")
    return A, as_vector(b, len(A), "b")


def _check(rule, c, A, b):
    one_of(rule, "rule", RULES)
    if not is_exact(c, A, b):
        raise ValueError("c, A or b holds floats; expected integers or Fractions")
    if min(b) < 0:
        raise ValueError(f"b holds {min(b)}; expected nothing negative, so that the origin is a vertex")
