"""Kozinec's algorithm and MDM as one would write them on a blackboard, in floats or Fractions.

Everything is computed anew at every step, one row at a time; sums are taken in the order of the columns.
"""

from reference import dot


def kozinec(Z, eps, rule, start, room, relative=False):
    """The picks, the last w and its weights; eps is zero, absolute, or relative to |w|."""
    w, lam = list(Z[start]), [int(k == start) for k in range(len(Z))]
    picks, last = [], start
    while len(picks) < room:
        scores, square = [dot(z, w) for z in Z], dot(w, w)
        wrong = [j for j, s in enumerate(scores) if _violates(s, square, eps, relative)]
        if not wrong or not square:
            break
        last = {
            "first": wrong[0],
            "cyclic": min(wrong, key=lambda j, last=last: (j <= last, j)),
            "worst": scores.index(min(scores)),
        }[rule]
        away = [a - b for a, b in zip(w, Z[last], strict=True)]
        kappa = min(1, (square - scores[last]) / dot(away, away))
        w = [(1 - kappa) * a + kappa * b for a, b in zip(w, Z[last], strict=True)]
        lam = [(1 - kappa) * v + (kappa if j == last else 0) for j, v in enumerate(lam)]
        picks.append(last)
    return picks, w, lam


def _violates(score, square, eps, relative):
    fall = square - score
    if not eps:
        return score <= 0
    return fall > eps * square if relative else fall > 0 and fall * fall > eps * eps * square


def mdm(Z, tol, start, room):
    """The pairs (to, from), the last w and its weights."""
    w, lam = list(Z[start]), [int(k == start) for k in range(len(Z))]
    pairs = []
    while len(pairs) < room:
        scores, square = [dot(z, w) for z in Z], dot(w, w)
        j, i = scores.index(min(scores)), max((k for k, v in enumerate(lam) if v), key=lambda k: (scores[k], -k))
        if square - scores[j] <= tol * square or not square:
            break
        away = [a - b for a, b in zip(Z[i], Z[j], strict=True)]
        step = min(lam[i], (scores[i] - scores[j]) / dot(away, away))
        w = [a - step * d for a, d in zip(w, away, strict=True)]
        lam[i] -= step
        lam[j] += step
        pairs.append([j, i])
    return pairs, w, lam
