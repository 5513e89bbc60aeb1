"""Which wrong pattern comes next: the four orders in which a perceptron corrects its mistakes.

A pattern z is wrong if z · w ≤ 0, or at most a threshold. In floats most patterns are seen to be right in single
precision, for half the memory and a fraction of the time. A row that this leaves in doubt is scored again in double
precision, its products added in the order of the columns: the answer is that of the plain scan, always. `at_most`
decides a single pattern, where w changes too often for a copy in single precision.
"""

import numpy as np

from lib.compiled import compiled, dot, lowest
from lib.numbers import one_of

ORDERS = ("cyclic", "restart", "worst", "random")
CYCLIC, RESTART, WORST, RANDOM = range(4)
UNIT = 2.0**-22
"""Four roundings of single precision."""
LEAST, MOST = 1e-15, 1e15
"""Lengths of rows and weights between which single precision neither overflows nor underflows."""


def as_order(order, rng):
    """The generator for order "random", else None; an `rng` that would be ignored is refused."""
    if one_of(order, "order", ORDERS) == "random":
        return np.random.default_rng(0 if rng is None else rng)
    if rng is not None:
        raise ValueError(f"rng is given, but order {order} draws nothing; expected rng with order random alone")
    return None


@compiled
def choose(patterns, rough, w, j, order, rng):
    """A wrong pattern, in the order asked for; len(patterns) if there is none."""
    if rng is not None:  # one of the wrong patterns, drawn uniformly
        wrong = every_wrong(patterns, rough, w)
        return wrong[rng.integers(0, len(wrong))] if len(wrong) else len(patterns)
    if order == WORST:  # the one of the lowest score, the first of them on a tie
        j, score = lowest(patterns, w)
        return len(patterns) if score > 0 else j
    if order == CYCLIC:  # the next one, from j on and then from the top
        j = next_wrong(patterns, rough, w, j)
        return j if j < len(patterns) else next_wrong(patterns, rough, w, 0)
    return next_wrong(patterns, rough, w, 0)  # the first from the top


@compiled
def next_wrong(patterns, rough, w, j):
    """The first row from j on with z · w ≤ 0; len(patterns) if there is none."""
    weigh(rough, w)
    while True:
        j = next_doubtful(rough, j) if len(rough) else j
        if j >= len(patterns) or not dot(patterns[j], w) > 0:
            return j
        j += 1


@compiled
def every_wrong(patterns, rough, w):
    """All rows with z · w ≤ 0, in order."""
    wrong = []
    j = next_wrong(patterns, rough, w, 0)
    while j < len(patterns):
        wrong.append(j)
        j = next_wrong(patterns, rough, w, j + 1)
    return wrong


@compiled
def at_most(z, w, threshold, exact):
    """Whether z · w ≤ threshold, or is no number, the products added in the order of the columns.

    In floats a sum in any order decides, which is faster, if it is farther from the threshold than two sums differ.
    """
    if not exact:
        score, size = quickly(z, w)
        if abs(score - threshold) > (len(w) + 8) * 2.0**-51 * size:
            return score < threshold
    return not dot(z, w) > threshold


@compiled(reassociate=True)
def quickly(z, w):
    """Σ z_k w_k and Σ |z_k w_k|, added in any order."""
    score = size = z[0] * 0
    for k in range(len(w)):
        term = z[k] * w[k]
        score += term
        size += abs(term)
    return score, size


def roughly(patterns):
    """The rows (z, doubt) in single precision and one for the weights, shape (p + 1, n + 1); none if exact.

    With v = (w, −‖w‖) the product (z, doubt) · v is less than z · w, rounding included, for the doubt is more than
    the error of such a product: the n + 1 terms are rounded once in z, once in w and n + 1 times in the sum.
    """
    p, n = patterns.shape
    if patterns.dtype == object:
        return np.empty((0, 0), dtype=np.float32)
    rough = np.empty((p + 1, n + 1), dtype=np.float32)
    copy_roughly(patterns, rough)
    return rough


@compiled
def copy_roughly(patterns, rough):
    """Fill the rows (z, doubt); an infinite doubt is never resolved."""
    n = patterns.shape[1]
    for j in range(len(patterns)):
        length = np.sqrt(dot(patterns[j], patterns[j]))
        for k in range(n):
            rough[j, k] = patterns[j, k]
        rough[j, n] = (n + 8) * UNIT * length if LEAST < length < MOST else np.inf


@compiled
def weigh(rough, w):
    """Fill the row of the weights with (w, −‖w‖); an infinite length leaves every row in doubt."""
    if len(rough):
        length = np.sqrt(dot(w, w))
        for k in range(len(w)):
            rough[-1, k] = w[k]
        rough[-1, len(w)] = -length if LEAST < length < MOST else -np.inf


@compiled(reassociate=True)
def next_doubtful(rough, j):
    """The first row from j on that is not certain to have z · w > 0; the number of patterns if none."""
    p, n = rough.shape
    while j < p - 1:
        score = np.float32(0)
        for k in range(n):
            score += rough[j, k] * rough[-1, k]
        if not score > 0:
            break
        j += 1
    return j
