"""Slow and plain: every vertex of a polytope, by solving every square system of its walls; Klee and Minty's cube."""

from fractions import Fraction
from itertools import combinations


def solve(rows, right):
    """The exact solution of a square system, or None if it is singular."""
    n = len(rows)
    M = [[Fraction(v) for v in row] + [Fraction(b)] for row, b in zip(rows, right, strict=True)]
    for i in range(n):
        pivot = next((k for k in range(i, n) if M[k][i]), None)
        if pivot is None:
            return None
        M[i], M[pivot] = M[pivot], M[i]
        M[i] = [v / M[i][i] for v in M[i]]
        for k in range(n):
            if k != i:
                M[k] = [v - M[k][i] * u for v, u in zip(M[k], M[i], strict=True)]
    return tuple(row[-1] for row in M)


def vertices(A, b):
    """All vertices of {x ≥ 0 : Ax ≤ b}, as a set of tuples of Fractions."""
    A, b = [list(map(int, row)) for row in A], list(map(int, b))
    n = len(A[0])
    walls = A + [[-int(i == j) for j in range(n)] for i in range(n)]
    right = b + [0] * n
    found = set()
    for choice in combinations(range(len(walls)), n):
        x = solve([walls[k] for k in choice], [right[k] for k in choice])
        if x is None:
            continue
        inside = (sum(a * v for a, v in zip(wall, x, strict=True)) <= r for wall, r in zip(walls, right, strict=True))
        if all(inside):
            found.add(x)
    return found


def klee_minty(n):
    """c, A, b of max Σ 10^(n−j) x_j subject to 2 Σ_{j<i} 10^(i−j) x_j + x_i ≤ 100^(i−1), in Chvátal's form."""
    A = [[2 * 10 ** (i - j) if j < i else int(i == j) for j in range(n)] for i in range(n)]
    return [10 ** (n - 1 - j) for j in range(n)], A, [100**i for i in range(n)]
