"""The simplex algorithm in exact arithmetic, for teaching and for proofs.

It takes integers and Fractions only, so that ties, cycles and counts are facts and not accidents of rounding.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from lib.compiled import compiled, texts
from lib.numbers import as_matrix, as_room, as_vector, integers, is_exact, largest, one_of, pivot, roomy
from lib.patterns import as_patterns

RULES = ("dantzig", "bland", "steepest")


@dataclass(frozen=True, eq=False)
class Simplex:
    """What the simplex algorithm did, in Fractions.

    x, y : the last vertex, shape (n,), and the multipliers of the rows at its basis, shape (m,): the certificate.
    value : c · x.
    vertices : where it was before, between and after the pivots, shape (updates + 1, n).
    entering : the variable that entered at each pivot; n and more are the slack variables.
    stop : "optimal", "unbounded", "cycle" (a basis came back) or "out of updates".
    """

    x: np.ndarray
    y: np.ndarray
    value: Fraction
    vertices: np.ndarray = field(repr=False)
    entering: tuple = field(repr=False)
    stop: str

    @property
    def updates(self):
        """The number of pivots."""
        return len(self.entering)

    @property
    def converged(self):
        return self.stop == "optimal"

    def verify(self, c, A, b):
        """True if x is optimal by weak duality: Ax ≤ b, x ≥ 0, yA ≥ c, y ≥ 0 and c · x = b · y, exactly."""
        c, A, b = (np.asarray(a, dtype=object) for a in (c, A, b))
        feasible = (A @ self.x <= b).all() and (self.x >= 0).all()
        return bool(feasible and (self.y @ A >= c).all() and (self.y >= 0).all() and c @ self.x == b @ self.y)


@compiled
def climb(T, basis, n, scale, rule, room):
    """Rojas' section 4.3.1: go from vertex to neighbouring vertex while some edge leads upwards.

    T is the tableau times the last pivot, in Python's integers; so this text is never compiled.
    """
    last, seen, stop = 1, set(), "cycle"
    vertices, entering = [vertex(T, basis, last, n)], []
    while tuple(basis) not in seen:
        j = enter(T, basis, last, n, scale, rule)
        if j is None:
            stop = "optimal"
            break
        blocks = [i for i in range(len(basis)) if T[i, j] > 0]
        if not blocks or len(entering) == room:
            stop = "out of updates" if blocks else "unbounded"
            break
        seen.add(tuple(basis))
        i = min(blocks, key=lambda i: (Fraction(T[i, -1], T[i, j]), basis[i]))
        last = pivot(T, i, j, last)
        basis[i] = j
        entering.append(j)
        vertices.append(vertex(T, basis, last, n))
    return last, vertices, entering, stop


@compiled
def enter(T, basis, last, n, scale, rule):
    """The variable to raise, or None at an optimum; the slack variables of T are `scale` times too large."""
    rising = [j for j, gain in enumerate(T[-1, :-1]) if gain > 0]
    if not rising:
        return None
    if rule == "bland":  # the first
        return rising[0]
    if rule == "dantzig":  # the largest gain for a unit of the variable
        return max(rising, key=lambda j: T[-1, j] * (scale if j >= n else 1))
    rows = [i for i, k in enumerate(basis) if k < n]  # the largest gain for a unit of length
    squares = {j: sum(T[i, j] ** 2 for i in rows) + (last * last if j < n else 0) for j in rising}
    return max(rising, key=lambda j: Fraction(T[-1, j] ** 2, squares[j]))


def vertex(T, basis, last, n):
    """The first n variables of a tableau: those of the basis have their values, the others are zero."""
    values = {j: Fraction(T[i, -1], last) for i, j in enumerate(basis)}
    return [values.get(j, Fraction(0)) for j in range(n)]


@texts(climb, enter)
def simplex(c, A, b, *, rule="dantzig", max_updates=100_000):
    """Solve max c · x subject to Ax ≤ b, x ≥ 0 from the origin, exactly.

    Stops at an optimal vertex, on an unbounded edge, when a basis comes back (the rules have no memory, so it
    would go round for ever), or after `max_updates` pivots. Guarantees: `verify` is True at "optimal"; rule "bland"
    never cycles.

    Parameters
    ----------
    c, A, b : array_like, shapes (n,), (m, n), (m,)
        Integers or Fractions, b ≥ 0.
    rule : {"dantzig", "bland", "steepest"}
        What enters, the first of equals: the largest reduced cost; the first positive one; the edge on which the
        gradient c has the longest projection (Rojas' description). The lowest variable leaves of those that block.

    >>> found = simplex([2, 1], [[1, 0], [1, 1], [0, 1]], [3, 4, 3])
    >>> found.value, found.updates
    (Fraction(7, 1), 2)
    """
    A = as_matrix(A, "A")
    m, n = A.shape
    c, b = as_vector(c, n, "c"), as_vector(b, m, "b")
    one_of(rule, "rule", RULES)
    if not is_exact(c, A, b):
        raise ValueError("c, A or b holds floats; expected integers or Fractions")
    if min(b) < 0:
        raise ValueError(f"b holds {min(b)}; expected nothing negative, so that the origin is a vertex")
    (whole, right), scale = integers(A, b)
    (gain,), unit = integers(c)
    T = np.block([[whole, np.eye(m, dtype=int), right[:, None]], [gain, np.zeros(m + 1, dtype=int)]]).astype(object)
    last, vertices, entering, stop = climb(T, list(range(n, n + m)), n, scale, rule, as_room(max_updates))
    y = np.array([Fraction(-v * scale, last * unit) for v in T[m, n:-1]], dtype=object)
    x = np.array(vertices[-1], dtype=object)
    return Simplex(x, y, c.astype(object) @ x + Fraction(0), np.array(vertices), tuple(entering), stop)


def inner_point(patterns):
    """Decide separability by the simplex algorithm, exactly: max t subject to z_j · w ≥ t, |w_i| ≤ 1.

    With w = u − v, u, v ≥ 0, the origin is a vertex of the program. By duality the maximum t is the least
    Σ_i |Σ_j λ_j z_ji| over λ ≥ 0, Σ λ_j = 1: so t = 0 comes with Gordan's weights.

    Returns t, positive if and only if the patterns are separable; w, shape (n,); the weights λ, shape (p,); the run.
    """
    Z = as_patterns(patterns)
    Z, (p, n) = roomy(Z, largest(Z)), Z.shape  # with room for −Z
    box = np.hstack([np.eye(2 * n, dtype=int), np.zeros((2 * n, 1), dtype=int)])
    A = np.vstack([np.hstack([-Z, Z, np.ones((p, 1), dtype=int)]), box])
    found = simplex(np.repeat([0, 1], [2 * n, 1]), A, np.repeat([0, 1], [p, 2 * n]), rule="bland")
    return found.value, found.x[:n] - found.x[n : 2 * n], found.y[:p], found
