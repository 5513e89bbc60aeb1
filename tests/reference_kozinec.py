"""Kozinec's algorithm and MDM as one would write them on a blackboard: everything computed anew at every step."""

from fractions import Fraction

import numpy as np


def kozinec(Z, eps, rule, start, room):
    """The picks and the last w; eps is absolute, zero asks for separation alone."""
    w, picks, last = Z[start] * 1.0, [], start
    while len(picks) < room:
        scores, length = Z @ w, np.sqrt(w @ w)
        wrong = np.flatnonzero(length - scores / length > eps if eps else scores <= 0)
        if not len(wrong):
            break
        later = wrong[wrong > last]
        j = {"first": wrong[0], "cyclic": later[0] if len(later) else wrong[0], "worst": scores.argmin()}[rule]
        step = min(1.0, w @ (w - Z[j]) / ((w - Z[j]) @ (w - Z[j])))
        w, last = (1 - step) * w + step * Z[j], j
        picks.append(int(j))
    return picks, w


def mdm(Z, tol, start, room):
    """The pairs (to, from) and the last w, in Fractions: after a step inside the segment two scores tie."""
    Z = Z * Fraction(1)
    lam = np.array([Fraction(int(k == start)) for k in range(len(Z))])
    pairs = []
    while len(pairs) < room:
        w = lam @ Z
        scores = Z @ w
        j, i = int(scores.argmin()), int(max(np.flatnonzero(lam), key=lambda k: scores[k]))
        if w @ w - scores[j] <= tol * (w @ w):
            break
        step = min(lam[i], (scores[i] - scores[j]) / ((Z[i] - Z[j]) @ (Z[i] - Z[j])))
        lam[j] += step
        lam[i] -= step
        pairs.append([j, i])
    return pairs, lam @ Z
