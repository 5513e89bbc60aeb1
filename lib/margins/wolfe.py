"""The point of a convex hull that is closest to the origin: Wolfe's algorithm, compiled.

Solves  min |x|  over  x = Σ λ_j z_j, λ >= 0, Σ λ_j = 1  (P. Wolfe, Finding the nearest point in a polytope, 1976).
It is written for w = x/|x|², which solves  min |w|  with  z_j · w >= 1  for every row, and for its multipliers u, which
are λ to scale: w = Σ u_j z_j. Wolfe's steps are then those of D. Goldfarb and A. Idnani (A numerically stable dual
method for solving strictly convex quadratic programs, 1983).

A *corral* is an independent set of rows with z_j · w = 1 and u > 0. The lowest row enters it, and rows whose weight
vanishes on the way leave. The corral's rows are kept as L Q, with L lower triangular and the rows of Q orthonormal.

Rows far from the plane do not matter: the algorithm runs on a working set, which the lowest row of each of 16n blocks
joins after a pass over all rows. Every 256th and every 16th row come first, so that few passes over all are needed.
"""

import numpy as np

from lib.compiled import add, compiled, dot

SOLVED, SURROUNDED, STALLED, EXHAUSTED = range(4)
PIVOT = 64 * np.finfo(float).eps
"""A row this close to the span of the corral, relative to its length, is in it for floats."""
BLOCKS = 16
"""Rows a column that may join the working set after a pass."""
COARSE = 3000
"""A coarse level has at least so many rows, and 20 a column."""


@compiled
def closest(F, unit, level, short, room):
    """Wolfe's algorithm on all rows of F, until each has z · w > level, or |x| <= short, or `room` rows have entered.

    The level is 1 − tol for the closest point, to a relative gap of tol, or 0 for any w that separates. `unit` scales
    the rows of the working set to length 1, which keeps separability, not the margin.

    Returns
    -------
    support : ndarray of int, shape (k,)
    u : ndarray, shape (k,)
    w : ndarray, shape (n,)
    made : int
        Rows that entered.
    stop : int
        SOLVED, SURROUNDED (the origin is in the hull of the support), STALLED (floats can do no more) or EXHAUSTED.
    """
    p, n = F.shape
    corral, u, w = np.zeros(n + 1, np.int64), np.zeros(n + 1), np.zeros(n)
    state = corral, u, np.zeros((n + 1, n)), np.zeros((n + 1, n + 1)), w
    work, k, made, stop = corral[:0], 0, 0, SOLVED
    for stride in (256, 16, 1):
        if stop in (SURROUNDED, EXHAUSTED) or (stride > 1 and p < stride * max(COARSE, 20 * n)):
            continue
        if not len(work):  # rows that are low against the mean; the lowest is the first to enter
            for j in range(0, p, stride):
                add(F[j], w, 1)
            work, _ = join(F, stride, w, np.inf, work)
        goal, reached, low, stop = level if stride == 1 else 0.9, 0.0, -np.inf, SOLVED
        while not low > goal and stop == SOLVED:
            rows = columns(F, work, unit)
            k, entered, stop = settle(rows, (1 + goal) / 2, short, room - made, state, k)
            made += entered
            if stop != SURROUNDED:
                refresh(rows, state, k)
            if stop in (SOLVED, STALLED):
                work, low = join(F, stride, w, goal, work)
                stop = SOLVED if low > goal or dot(w, w) > reached else STALLED
                reached = dot(w, w)
    return work[corral[:k]], u[:k], w, made, stop


@compiled
def settle(rows, level, short, room, state, k):
    """Wolfe's major cycles: while some row has z · w < level, let the lowest one in. The rows stand as columns."""
    corral, w = state[0], state[-1]
    scores, reached = np.zeros(rows.shape[1]), dot(w, w) if k else 0.0
    for made in range(room + 1):
        scores[:] = 0
        for i in range(len(w)):
            add(rows[i], scores, w[i])
        j = scores.argmin()
        if k and scores[j] >= level:
            return k, made, SOLVED
        if made == room:
            break
        if j in corral[:k]:  # its score was 1, but for rounding
            return k, made, STALLED
        k = enter(rows[:, j].copy(), j, state, k)
        if k < 0:
            return -k, made + 1, SURROUNDED
        square = dot(w, w)
        if not square > reached or np.sqrt(square) * short >= 1:
            return k, made + 1, STALLED
        reached = square
    return k, room, EXHAUSTED


@compiled
def enter(row, j, state, k):
    """Wolfe's minor cycles: let a row in, and out who must go. The size of the corral, negative if it holds 0."""
    corral, u, Q, L, w = state
    if not k:
        w[:] = 0
    h, r, rest, weight = np.zeros(k), np.zeros(k), row.copy(), 0.0
    square = split(row, Q, k, h, rest)
    while True:
        solve_transposed(L, h, r, k)
        outside = k < len(w) and square > PIVOT**2 * dot(row, row)
        step, leaver = (1 - dot(row, w)) / square if outside else np.inf, k
        for i in range(k):
            if r[i] > 0 and u[i] < step * r[i]:
                step, leaver = u[i] / r[i], i
        if step == np.inf:  # row = Σ r_i z_i with r <= 0
            u[:k] = -r[:k]
            u[k], corral[k] = 1, j
            return -(k + 1)
        add(r[:k], u[:k], -step)
        weight += step
        if outside:
            add(rest, w, step)
        if leaver == k:
            break
        k -= 1
        leave(leaver, corral, u, Q, L, h, k)
        add(Q[k], rest, h[k])
        square += h[k] * h[k]
    u[k], corral[k], L[k, :k], L[k, k] = weight, j, h[:k], np.sqrt(square)
    Q[k] = rest / L[k, k]
    return k + 1


@compiled
def split(row, Q, k, h, rest):
    """row = Σ h_i Q_i + rest, orthogonal to all Q_i; the square of its length."""
    square = dot(row, row)
    for _ in range(3):
        before, share = square, np.zeros(k)
        for i in range(k):
            share[i] = dot(Q[i], rest)
        for i in range(k):
            h[i] += share[i]
            for j in range(len(row)):
                rest[j] -= share[i] * Q[i, j]
        square = dot(rest, rest)
        if square > 0.1 * before:  # else what is left is too inaccurate, and is split again
            break
    return square


@compiled
def solve_transposed(L, h, r, k):
    """Solve Lᵀ r = h."""
    r[:k] = h[:k]
    for i in range(k - 1, -1, -1):
        r[i] /= L[i, i]
        for j in range(i):
            r[j] -= r[i] * L[i, j]


@compiled
def leave(i, corral, u, Q, L, h, k):
    """Take row i out of the corral, k being left: rotations of neighbouring columns make L triangular again."""
    for m in range(i, k):
        corral[m], u[m] = corral[m + 1], u[m + 1]
        L[m, : m + 2] = L[m + 1, : m + 2]
    for m in range(i, k):
        length = np.sqrt(L[m, m] * L[m, m] + L[m, m + 1] * L[m, m + 1])
        c, s = L[m, m] / length, L[m, m + 1] / length
        h[m], h[m + 1] = c * h[m] + s * h[m + 1], c * h[m + 1] - s * h[m]
        for j in range(m, k):
            L[j, m], L[j, m + 1] = c * L[j, m] + s * L[j, m + 1], c * L[j, m + 1] - s * L[j, m]
        for j in range(Q.shape[1]):
            Q[m, j], Q[m + 1, j] = c * Q[m, j] + s * Q[m + 1, j], c * Q[m + 1, j] - s * Q[m, j]


@compiled
def refresh(rows, state, k):
    """w and u anew, free of what the steps have lost: L y = 1, w = Σ y_i Q_i, refined twice; Lᵀ u = y."""
    corral, u, Q, L, w = state
    y, miss = np.zeros(k), np.zeros(k)
    w[:] = 0
    for _ in range(3):
        for i in range(k):
            miss[i] = 1 - dot(rows[:, corral[i]], w)
        for i in range(k):
            for j in range(i):
                miss[i] -= L[i, j] * miss[j]
            miss[i] /= L[i, i]
            add(Q[i], w, miss[i])
            y[i] += miss[i]
    solve_transposed(L, y, u, k)
    u[:k] = np.maximum(u[:k], 0)


@compiled
def join(F, stride, w, level, work):
    """The working set with the lowest row of each block, if that has z · w <= level; and the lowest score of all."""
    p, n = F.shape
    block = stride * (1 + p // (stride * BLOCKS * n))
    labels = np.empty(len(work) + 1 + p // block, np.int64)
    labels[: len(work)] = work
    size, least = len(work), np.inf
    for start in range(0, p, block):
        best, low = start, np.inf
        for j in range(start, min(p, start + block), stride):
            score = dot(F[j], w)
            if not score >= low:
                best, low = j, score
        least = min(least, low)
        if not low > level and best not in work:
            labels[size] = best
            size += 1
    return labels[:size], least


@compiled
def columns(F, labels, unit):
    """Rows of F as columns, scaled to length 1 if asked for."""
    rows = np.empty((F.shape[1], len(labels)))
    for i in range(len(labels)):
        row = F[labels[i]]
        if unit and row.any():
            row = row / np.abs(row).max()
            row = row / np.sqrt(dot(row, row))
        rows[:, i] = row
    return rows
