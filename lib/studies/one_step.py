"""Corrections by reinforcement and by the size of the error, beside each other: notebook 12, Rojas 4.1.1 and 4.2.3."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from lib.bounds import ctu, ours
from lib.numbers.comparisons import at_most
from lib.perceptrons.corrective import corrective
from lib.perceptrons.perceptron import perceptron


def moves(x, w, times=(1, 2, 5)):
    """What both rules add for a wrong x if the error is so many times as large; w itself is stretched for that."""
    plain = [perceptron([x], w0=k * w, max_updates=1) for k in times]
    by_error = [corrective([x], w0=k * w) for k in times]
    return [run.w - run.w0 for run in plain], [run.w - run.w0 for run in by_error]


def by_both_rules(problems):
    """For each wrong vector: the perceptron adds the same; its moves grow; the corrective rule's grow, in one step."""
    same, grows, fixed = [], [], []
    for Z, w0, _ in problems:
        for x in Z[Z @ w0 < 0]:
            plain, by_error = moves(x, w0)
            same.append(all((m == x).all() for m in plain))
            for moved, found in ((plain, grows), (by_error, fixed)):
                small, middle, large = (abs(m).sum() for m in moved)
                found.append(small < middle < large)
            fixed[-1] &= all(x @ (k * w0 + m) > 0 for k, m in zip((1, 2, 5), by_error, strict=True))
    return same, grows, fixed


def single_steps(problems, epsilons):
    """The rule's step on every vector of every problem, in fractions, and its variants; a namespace of lists.

    error, asked: δ ≥ 0, and whether the perceptron corrects; product, eps: w · x after the step on P, and ε; unscaled:
    the product without the division by ‖x‖²; barely: right now, wrong again after 2ε/‖x‖ back; signed, absolute, less:
    the product for x in N by δ − ε and an addition, by |δ| and a subtraction, and −ε.
    """
    names = ("error", "asked", "product", "eps", "unscaled", "barely", "signed", "absolute", "less")
    found = SimpleNamespace(**{name: [] for name in names})
    for x, w0, eps in [(x, w0, e) for Z, w0, _ in problems for e in epsilons for x in Z]:
        d, n = Fraction(int(-(w0 @ x))), Fraction(int(x @ x))
        found.error.append(d >= 0)
        found.asked.append(perceptron([x], w0=w0, max_updates=1).updates == 1)
        if d >= 0:
            w = corrective([x], w0=w0, eps=eps, max_updates=1).w
            found.product.append(w @ x)
            found.eps.append(eps)
            found.unscaled.append((w0 + (d + eps) * x) @ x)
            found.barely.append(w @ x > 0 and (w - 2 * eps / n * x) @ x <= 0 and w0 @ x <= 0)
        if d <= 0:  # a mistake if x is in N
            found.signed.append((w0 + (d - eps) / n * x) @ x)
            found.absolute.append((w0 - (abs(d) - eps) / n * x) @ x)
            found.less.append(-eps)
    return found


def both_bounds(Z, u, w0, eps, rounds, rng):
    """The bounds of notebook 12 beside runs on one set: the corrective rule, and three choices of γ."""
    options = {"w0": w0, "eps": eps, "order": "random", "rng": rng}
    run, R2 = corrective(Z, **options, max_updates=rounds), int(ctu.eq9(Z))
    plain = at_most([run.updates], [ours.corrective(Z, u, w0=w0, eps=eps)])
    falling, damped = [Fraction(1, R2 * (t + 1)) for t in range(rounds)], []
    for gammas in ([Fraction(1, R2)] * rounds, [Fraction(19, 10 * R2)] * rounds, falling):
        run = corrective(Z, gamma=gammas, **options, max_updates=rounds // 4)
        damped.append(ours.damped(Z, u, gammas[: run.updates], w0=w0, eps=eps))
    return plain, at_most(*zip(*damped, strict=True))


def fewer(rng, n, length, sets, eps=0.1):
    """Of random sets in R^n, how many the corrective rule learns with fewer corrections, from starts of a length."""
    count = 0
    for _ in range(sets):
        Z, w0 = rng.normal(size=(10 * n, n)), rng.normal(size=n)
        Z *= np.sign(Z @ rng.normal(size=n))[:, None]
        w0 *= length / np.linalg.norm(w0)
        count += corrective(Z, w0=w0, eps=eps).updates < perceptron(Z, w0=w0).updates
    return int(count)
