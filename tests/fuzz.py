"""Every algorithm against an oracle that shares no line with the library: `python tests/fuzz.py [--problems N]`.

The oracle is the document's loop in plain Python, one number after the other: Fractions for integers and Fractions,
Python's floats, added in the order of the columns, for floats. Runs must agree pick for pick and weight for weight,
floats to the last bit; margins and verdicts of separability are checked by their certificates, in Fractions.
"""

import argparse
import sys
from collections import Counter
from fractions import Fraction
from functools import partial

import numpy as np

import lib
from lib.perceptrons.networks import Mlp

ROOM = 60
"""Corrections of a run; a longer one is cut, which the oracle cuts too."""


# The problems: ties, duplicates, integers beyond int64, floats near the ends of their range.


def small_integers(rng, shape):
    return rng.integers(-3, 4, shape)


def signs(rng, shape):
    return rng.choice([-1, 1], shape)


def int8(rng, shape):
    return rng.integers(-128, 128, shape).astype(np.int8)


def near_int64(rng, shape):
    return rng.choice([-(2**62), -(2**33), -1, 1, 2**33, 2**62, 2**63 - 1], shape)


def big_integers(rng, shape):
    return np.array([int(v) ** 3 for v in rng.integers(-(2**33), 2**33, shape).flat], dtype=object).reshape(shape)


def fractions(rng, shape):
    over = zip(rng.integers(-5, 6, shape).flat, rng.integers(1, 7, shape).flat, strict=True)
    return np.array([Fraction(int(a), int(b)) for a, b in over], dtype=object).reshape(shape)


def tenths(rng, shape):
    return np.round(rng.integers(-4, 5, shape) * 0.1, 1)


def normal(rng, shape):
    return rng.normal(size=shape)


def whole_floats(rng, shape):
    return rng.integers(-2, 3, shape).astype(float)


def huge(rng, shape):
    return rng.normal(size=shape) * 1e150


def tiny(rng, shape):
    return rng.normal(size=shape) * 1e-150


def uneven(rng, shape):
    return rng.normal(size=shape) * 10.0 ** rng.integers(-8, 9, shape)


KINDS = (small_integers, signs, int8, near_int64, big_integers, fractions)
KINDS += (tenths, normal, whole_floats, huge, tiny, uneven)


def problem(rng, kind, most=10):
    """Some patterns of one number system, half of them separable, some of them twice."""
    n = int(rng.integers(1, 6))
    Z = kind(rng, (int(rng.integers(1, most + 1)), n))
    Z[[not any(row) for row in Z.tolist()]] = Z.dtype.type(1) if Z.dtype != object else 1
    if rng.random() < 0.5 and kind is not int8:
        v = rng.integers(-3, 4, n)
        Z = np.where((Z.astype(float) @ v < 0)[:, None], -Z, Z)
    if rng.random() < 0.3:
        Z = Z[rng.integers(0, len(Z), 2 * len(Z))]
    return Z


# The oracle.


def plain(Z):
    """Rows as lists: Fractions, or Python's floats."""
    Z = np.asarray(Z)
    return Z.tolist() if Z.dtype.kind == "f" else [[Fraction(v) for v in row] for row in Z.tolist()]


def dot(a, b):
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def plus(w, z, factor=1):
    return [a + factor * b for a, b in zip(w, z, strict=True)]


def zero(Z):
    return [0 * Z[0][0]] * len(Z[0])


def first_lowest(scores):
    return scores.index(min(scores))


def in_order(Z, w, order, rng, correct, room=ROOM):
    """Correct mistakes in one of the four orders; `correct(w, z)` is the rule."""
    picks, at = [], 0
    while True:
        scores = [dot(z, w) for z in Z]
        wrong = [j for j, s in enumerate(scores) if not s > 0]
        if not wrong or len(picks) == room:
            return w, picks, not wrong
        if order == "cyclic":
            j = next((j for j in wrong if j >= at), wrong[0])
        elif order == "random":
            j = wrong[rng.integers(0, len(wrong))]
        else:
            j = wrong[0] if order == "restart" else first_lowest(scores)
        w, at = correct(w, Z[j]), j + 1
        picks.append(int(j))


def same(theirs, ours):
    """Equal, floats to the bit; two NaNs are equal."""
    return np.array_equal(np.array(theirs, dtype=object), np.asarray(ours, dtype=object)) or all(
        a == b or (a != a and b != b) for a, b in zip(theirs, np.asarray(ours).tolist(), strict=True)
    )


def check_perceptron(Z, rng, order):
    seed = int(rng.integers(1000)) if order == "random" else None
    w0 = rng.integers(-2, 3, Z.shape[1])
    run = lib.perceptron(Z, order=order, w0=w0, max_updates=ROOM, rng=seed)
    start = [v + 0 * plain(Z)[0][0] for v in w0.tolist()]
    w, picks, done = in_order(plain(Z), start, order, np.random.default_rng(seed), plus)
    return picks == run.picks.tolist() and same(w, run.w) and done == run.converged


def check_corrective(Z, rng, order):
    seed = int(rng.integers(1000)) if order == "random" else None
    gamma = [None, Fraction(1, 3), 0.25][rng.integers(3)]
    rows, eps = plain(Z), 1
    if Z.dtype.kind == "f" or isinstance(gamma, float):
        rows, eps, gamma = [[float(v) for v in row] for row in rows], 1.0, None if gamma is None else float(gamma)

    def correct(w, z):
        error = eps - dot(z, w)
        return plus(w, z, error / dot(z, z) if gamma is None else gamma * error)

    run = lib.corrective(Z, gamma=gamma, order=order, max_updates=8, rng=seed)
    if run.stop == "overflow":  # the oracle goes on with NaN
        return run.updates <= 8 and not run.converged
    w, picks, done = in_order(rows, zero(rows), order, np.random.default_rng(seed), correct, room=8)
    return picks == run.picks.tolist() and same(w, run.w) and done == run.converged


def check_pocket(Z, rng, rule):
    seed, rows, tests = int(rng.integers(1000)), plain(Z), 40
    run = lib.pocket(Z, rule=rule, max_tests=tests, rng=seed)
    draw, w = np.random.default_rng(seed), zero(rows)
    wrong = lambda w: [j for j, z in enumerate(rows) if not dot(z, w) > 0]  # noqa: E731
    kept, least, picks, length, record = w, len(wrong(w)), [], 0, 0
    if rule == "count":
        while least and wrong(w) and len(picks) < tests:
            now = wrong(w)
            picks.append(int(now[draw.integers(0, len(now))]))
            w = plus(w, rows[picks[-1]])
            if len(wrong(w)) < least:
                kept, least = w, len(wrong(w))
    else:
        for j in draw.integers(len(rows), size=tests).tolist():
            if not least:
                break
            if not dot(rows[j], w) > 0:
                w, length = plus(w, rows[j]), 0
                picks.append(j)
                continue
            length += 1
            if length > record and (rule == "run" or kept is w or len(wrong(w)) < least):
                record, kept, least = length, w, len(wrong(w))
    return picks == run.picks.tolist() and same(kept, run.w) and least == run.mistakes


def check_batch(Z, rng):
    rows = plain(Z)
    w, path = zero(rows), []
    run = lib.batch(Z, max_updates=12)
    for _ in range(len(run.path)):
        path.append(w)
        total = zero(rows)
        for z in rows:
            total = plus(total, z) if not dot(z, w) > 0 else total
        w = plus(w, total)
    return all(same(a, b) for a, b in zip(path, run.path, strict=True))


def check_krauth_mezard(Z, rng, room=ROOM):
    rows, c = plain(Z), int(rng.integers(1, 4))
    w0 = (rng.integers(-2, 3, Z.shape[1]) * rng.integers(2)).tolist()
    x = max(dot(z, z) for z in rows)
    W, picks = [x * v for v in w0], []
    try:
        run = lib.krauth_mezard(Z, c, w0=w0, max_updates=room)
    except ValueError:  # refused: the scores of the start are beyond floats
        return not all(abs(dot(z, W)) < 1e308 for z in rows)
    while True:
        scores = [dot(z, W) for z in rows]
        j = first_lowest(scores)
        if scores[j] >= c * x or len(picks) == room:
            return picks == run.picks.tolist() and same(W, run.sums) and run.converged == (scores[j] >= c * x)
        W = plus(W, rows[j])
        picks.append(j)


def check_margin_perceptron(Z, rng, order):
    exact = Z.dtype.kind != "f"
    rate = [Fraction(1, 3), 1, Fraction(7, 2)][rng.integers(3)] if exact else float(rng.choice([0.1, 1.0, 3.5]))
    decay = 0 if order == "worst" or rng.random() < 0.5 else (Fraction(1, 8) if exact else 0.125)
    bias, epochs, rows = bool(rng.integers(2)), 3, plain(Z)
    options = {"max_updates": ROOM} if order == "worst" else {"epochs": epochs}
    if decay:
        options["bias"] = bias
    run = lib.margin_perceptron(Z, rate, decay=decay, order=order, **options)
    w, picks = zero(rows), []
    if order == "worst":
        while True:
            scores = [dot(z, w) for z in rows]
            j = first_lowest(scores)
            if scores[j] > 1 or len(picks) == ROOM:
                break
            w = plus(w, rows[j], rate)
            picks.append(j)
        return picks == run.picks.tolist() and same(w, run.w)
    keep = 1 - rate * decay
    for _ in range(epochs):
        mark = len(picks)
        for j in range(len(rows)):
            wrong = not dot(rows[j], w) > 1
            if decay:
                w = [v * keep if k < len(w) - bias else v for k, v in enumerate(w)]
            if wrong:
                w = plus(w, rows[j], rate)
                picks.append(j)
        if len(picks) == mark and not decay:
            break
    return picks == run.picks.tolist() and same(w, run.w)


def check_hull(Z, rng, rule):
    """Kozinec in Fractions step by step; in floats by the enclosure, in Fractions."""
    if Z.dtype == object:  # digits double with every update
        run = lib.kozinec(Z * Fraction(1), rule=rule, eps=Fraction(1, 4), max_updates=5)
        return _kozinec_agrees(plain(Z), run, rule)
    run = lib.mdm(Z, max_updates=50) if rule == "worst" else lib.kozinec(Z, rule=rule, max_updates=50)
    margin2 = lib.max_margin(Z).exact().squared
    return run.lower <= 0 or Fraction(run.lower) ** 2 <= margin2 <= Fraction(run.upper) ** 2


def _kozinec_agrees(rows, run, rule):
    w, picks, last, eps2 = rows[0], [], 0, Fraction(1, 16)
    while len(picks) < 5:
        square, scores = dot(w, w), [dot(z, w) for z in rows]
        wrong = [j for j, s in enumerate(scores) if square > s and (square - s) ** 2 > eps2 * square]
        if not wrong or not square:
            break
        later = [j for j in wrong if j > last]
        j = {"first": wrong[0], "cyclic": (later or wrong)[0], "worst": first_lowest(scores)}[rule]
        away = plus(w, rows[j], -1)
        step = min(Fraction(1), dot(w, away) / dot(away, away))
        w, last = plus([(1 - step) * v for v in w], rows[j], step), j
        picks.append(j)
    return picks == run.picks.tolist() and same(w, run.w)


def check_max_margin(Z, rng):
    """Optimality in Fractions: w in the hull and every score at least |w|²; the floats enclose its length."""
    found, rows = lib.max_margin(Z), [[Fraction(v) for v in row] for row in plain(Z)]
    exact = found.exact()
    w = [sum(a * rows[j][k] for a, j in zip(exact.weights, exact.support, strict=True)) for k in range(len(rows[0]))]
    square = dot(w, w)
    optimal = min(exact.weights) >= 0 and sum(exact.weights) == 1 and min(dot(z, w) for z in rows) >= square
    lower, upper = Fraction(found.lower), found.upper
    below = (lower <= 0 or lower**2 <= square) if square else lower <= 0
    above = upper == np.inf or square <= Fraction(upper) ** 2
    return optimal and square == exact.squared and below and above


def check_separability(Z, rng):
    """The certificate, in Fractions; floats may stay undecided, exact patterns may not."""
    found, rows = lib.separability(Z), [[Fraction(v) for v in row] for row in plain(Z)]
    if found.separable:
        return min(dot(z, [Fraction(v) for v in found.w.tolist()]) for z in rows) > 0
    if found.separable is None:
        return Z.dtype.kind == "f"
    support, weights = found.exact()
    sums = [sum(a * rows[j][k] for a, j in zip(weights, support, strict=True)) for k in range(len(rows[0]))]
    return min(weights) >= 0 and sum(weights) == 1 and not any(sums)


def labels(rng, p):
    y = rng.choice([-1, 1], p)
    y[0], y[-1] = -1, 1
    return y


def network(Z, rng):
    """Rows, labels and the start of a network: v, d, w, b; None where a float would overflow."""
    N, unit = int(rng.integers(1, 4)), 0 * plain(Z)[0][0]
    v, d = rng.integers(-2, 3, (N, Z.shape[1])), rng.integers(-2, 3, N)
    start = [[unit + a for a in row] for row in v.tolist()], [unit + a for a in d.tolist()]
    return plain(Z), labels(rng, len(Z)), v, d, start, unit


def clipped(z):
    return -1 if z < -1 else 1 if z > 1 else z


def layer(v, d, x):
    return [dot(row, x) + a for row, a in zip(v, d, strict=True)]


def flat(v, d, *rest):
    return [a for row in v for a in row] + [*d] + [a for part in rest for a in part]


def check_simple_mlp(Z, rng):
    rows, y, v0, d0, (v, d), b = network(Z, rng)
    rate = Fraction(1, 4) if Z.dtype.kind != "f" else 0.25
    run = lib.simple_mlp(Z, y, rate=rate, epochs=2, start=Mlp(v0, d0, np.ones(len(d), dtype=int), 0)).last
    for _ in range(2):
        for x, label in zip(rows, y.tolist(), strict=True):
            z = layer(v, d, x)
            f = 0
            for value in z:
                f = f + clipped(value)
            if label * (f + b) <= 1:
                push = rate * label
                for i in range(len(d)):
                    if abs(z[i]) <= 1:
                        v[i], d[i] = plus(v[i], x, push), d[i] + push
                b = b + push
    return same(flat(v, d, [b]), flat(run.v.tolist(), run.d.tolist(), [run.b]))


def check_hard_tanh_mlp(Z, rng):
    rows, y, v0, d0, (v, d), b = network(Z, rng)
    rate, mu, nu = (Fraction(1, 4), Fraction(1, 8), Fraction(1, 2)) if Z.dtype.kind != "f" else (0.25, 0.125, 0.5)
    w0 = rng.choice([-1, 1, 2], len(d))
    w = [b + a for a in w0.tolist()]
    run = lib.hard_tanh_mlp(Z, y, rate=rate, mu=mu, nu=nu, epochs=1, start=Mlp(v0, d0, w0, 0)).last
    for x, label in zip(rows, y.tolist(), strict=True):
        z = layer(v, d, x)
        f = 0
        for i in range(len(d)):
            f = f + w[i] * clipped(z[i])
        old, push = w, rate * label
        wrong = label * (f + b) <= 1
        w, v = [(1 - rate * mu) * a for a in w], [[(1 - rate * nu) * a for a in row] for row in v]
        if wrong:
            for i in range(len(d)):
                w[i] = w[i] + push * clipped(z[i])
                if abs(z[i]) <= 1:
                    v[i], d[i] = plus(v[i], x, push * old[i]), d[i] + push * old[i]
            b = b + push
    return same(flat(v, d, w, [b]), flat(run.v.tolist(), run.d.tolist(), run.w.tolist(), [run.b]))


FOUR = ("cyclic", "restart", "worst", "random")
CHECKS = {f"perceptron, {order}": partial(check_perceptron, order=order) for order in FOUR}
CHECKS |= {f"corrective, {order}": partial(check_corrective, order=order) for order in FOUR}
CHECKS |= {f"pocket, {rule}": partial(check_pocket, rule=rule) for rule in ("run", "ratchet", "count")}
TWO = ("cyclic", "worst")
CHECKS |= {f"margin perceptron, {order}": partial(check_margin_perceptron, order=order) for order in TWO}
CHECKS |= {f"hull, {rule}": partial(check_hull, rule=rule) for rule in ("first", "cyclic", "worst")}
CHECKS |= {"batch": check_batch, "Krauth and Mézard": check_krauth_mezard}
CHECKS |= {"Krauth and Mézard, many rows": partial(check_krauth_mezard, room=200)}
CHECKS |= {"Simple MLP": check_simple_mlp, "hard tanh MLP": check_hard_tanh_mlp}
CHECKS |= {"max_margin": check_max_margin, "separability": check_separability}
MANY = {"Krauth and Mézard, many rows": 150, "max_margin": 40, "separability": 40}
"""Rows at most, where more than ten of them make other ways."""


def fuzz(problems, seed, report=print):
    """Compare so many runs; the wrong ones are reported by name, kind and seed.

    Returns
    -------
    tried, wrong : Counter
        By algorithm.
    """
    tried, wrong = Counter(), Counter()
    for i in range(problems):
        name, kind = list(CHECKS)[i % len(CHECKS)], KINDS[i // len(CHECKS) % len(KINDS)]
        rng = np.random.default_rng([seed, i])
        with np.errstate(all="ignore"):
            try:
                good = CHECKS[name](problem(rng, kind, MANY.get(name, 10)), rng)
            except Exception as error:
                good = False
                report(f"{type(error).__name__}: {error}")
        tried[name] += 1
        wrong[name] += not good
        if not good:
            report(f"{name} on {kind.__name__} is wrong: seed {seed}, problem {i}")
    return tried, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tried, wrong = fuzz(options.problems, options.seed)
    for name in tried:
        print(f"{name:28} {tried[name]:6} tried, {wrong[name]} wrong")
    print(f"{'all':28} {tried.total():6} tried, {wrong.total()} wrong")
    return int(wrong.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
