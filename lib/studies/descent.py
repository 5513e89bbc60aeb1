"""Section 3 of Collobert and Bengio's report: descent with weight decay, in the weights and in the dual space."""

from fractions import Fraction

import numpy as np
from sklearn.metrics import hinge_loss

from lib.bounds import collobert as bounds
from lib.bounds import ours
from lib.numbers.comparisons import at_most
from lib.patterns import fold
from lib.perceptrons.margin_perceptron import margin_perceptron
from lib.studies.criteria import svm


def drawn(rng):
    """A small exact problem: integer points, labels, a rate λ in sixths, a decay μ = 1/k; λμ < 1."""
    p, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    X, y = rng.integers(-3, 4, (p, d)), rng.choice([-1, 1], p)
    return X, y, Fraction(int(rng.integers(1, 12)), 6), Fraction(1, int(rng.integers(3, 30)))


def run(X, y, rate, decay, epochs):
    """The margin perceptron with decay on points and labels of any kind."""
    return margin_perceptron(fold(X, y, keep_contradictions=True), rate, decay=decay, epochs=epochs)


def eq20(K, y, rate, decay, epochs):
    """(20) with α = μ c, from zero, on inner products K: c before each presentation and at last, b, picks."""
    c, b, picks, path = np.array([Fraction(0)] * len(y)), 0, [], []
    for k in [*range(len(y))] * epochs:
        path.append(c)
        wrong = y[k] * (K[k] @ (c * y) + b) <= 1
        c = (1 - rate * decay) * c
        if wrong:
            c[k], b = c[k] + rate, b + rate * int(y[k])
            picks.append(k)
    return np.array([*path, c]), b, picks


def norma(X, y, rate, decay, epochs):
    """Kivinen, Smola and Williamson's NORMA with the margin loss: f as a list of (coefficient, example), and b."""
    f, b = [], 0
    for x, sign in [*zip(X.tolist(), y.tolist(), strict=True)] * epochs:
        score = sign * (sum(c * sum(p * q for p, q in zip(x, other, strict=True)) for c, other in f) + b)
        f = [((1 - rate * decay) * c, other) for c, other in f]
        if score <= 1:
            f.append((rate * sign, x))
            b += rate * sign
    return f, b


def idle(rng, rounds):
    """Coefficients that are not used after epoch e of five: before, after, and the decay of one presentation."""
    found = []
    for _ in range(rounds):
        X, y, rate, decay = drawn(rng)
        runs = [run(X, y, rate, decay, epochs) for epochs in range(1, 6)]
        for e, earlier in enumerate(runs[:-1], 1):
            used = runs[-1].picks[runs[-1].times >= len(y) * e]
            for k in np.setdiff1d(np.arange(len(y)), used):
                then, now = earlier.coefficients()[k], runs[-1].coefficients()[k]
                found.append((then, now, 1 - rate * decay, len(y), 5 - e))
    return [row for row in found if row[0]]


def rise(L, product):
    """Epochs in which a coefficient that is used once an epoch, at its end, rises from 0 to 1/L: counted."""
    a, n = 0.0, 0
    while a < 1 / L:
        a, n = a * (1 - product) ** L + product, n + 1
    return n


def overtaken(L=10_000, product=1e-7):
    """L examples with λμ as given whose SVM solution, w = 1 and b = 0, descent from zero reaches in one epoch.

    Examples at ±2, then a last pair at ±1, which alone touches the margin. The first pair makes w nearly 4λ; nothing
    is used until the last pair adds 2λ. λ is chosen so that the sum is 1. Returns folded patterns, λ and μ.
    """
    signs = np.resize([1.0, -1.0], L)
    far = np.where(np.arange(L) < L - 2, 2.0, 1.0)
    keep = 1 - product
    rate = 1 / ((2 - product) * (1 + 2 * keep ** (L - 2)))
    return fold((signs * far)[:, None], signs.astype(int)), rate, product / rate


def epochs_needed(Z, rate, decay, least, most):
    """Epochs until the cost (18) at the end of one is within 5 % of the least, or most + 1; and ‖w‖ there."""
    ends = margin_perceptron(Z, rate, decay=decay, epochs=most).at(len(Z) * np.arange(1, most + 1))
    near = np.array([bounds.eq18(Z, w, decay) for w in ends]) <= 1.05 * least
    return (int(near.argmax()) + 1 if near.any() else most + 1), np.linalg.norm(ends[near.argmax(), :-1])


def looked_at(Z, decay, *, rates=(0.01, 0.003, 0.001), whole=(1.0, 0.3), presented=50_000, steps=100):
    """Examples looked at until (18) is within 5 % of the least found: by stochastic descent, by the whole gradient."""
    hinge = lambda W: np.maximum(1 - W @ Z.T, 0).mean(axis=1)  # noqa: E731
    cost = lambda W: decay / 2 * (W[:, :-1] ** 2).sum(axis=1) + hinge(W)  # noqa: E731
    ways = {"stochastic": [], "whole": []}
    for rate in rates:
        one = margin_perceptron(Z, rate, decay=decay, epochs=-(-presented // len(Z)))
        moments = np.unique(np.geomspace(10, one.presented, 60).astype(int))
        ways["stochastic"].append((moments, cost(one.at(moments))))
    for rate in whole:
        w, path = np.zeros(Z.shape[1]), []
        for _ in range(steps):
            step = Z[Z @ w <= 1].sum(axis=0) / len(Z)
            w = (1 - rate * decay * np.append(np.ones(len(w) - 1), 0)) * w + rate * step
            path.append(w)
        ways["whole"].append((len(Z) * np.arange(1, steps + 1), cost(np.array(path))))
    least = min(costs.min() for runs in ways.values() for _, costs in runs)
    first = lambda runs: min(m[c <= 1.05 * least].astype(float).min(initial=np.inf) for m, c in runs)  # noqa: E731
    return [first(runs) for runs in ways.values()]


def error_shares(train, test, rates, products, epochs):
    """Share of errors on new examples of a perceptron with decay, shape (rates, products)."""
    (X, y), (V, k) = train, test
    Z, new = fold(X, y), fold(V, k)
    end = lambda rate, product: margin_perceptron(Z, rate, decay=product / rate, epochs=epochs).w  # noqa: E731
    return np.array([[(new @ end(rate, product) <= 0).mean() for product in products] for rate in rates])


def gradient(Z, w, decay, step=1e-6):
    """The gradient of (18) by differences."""
    steps = step * np.eye(len(w))
    return np.array([bounds.eq18(Z, w + h, decay) - bounds.eq18(Z, w - h, decay) for h in steps]) / (2 * step)


def steps(rng, rounds):
    """Random steps of (19), rate 0.1 and decay 0.3, from weights away from the kink.

    Returns the costs (18), the costs made of scikit-learn's hinge loss, the same with the sum for the mean; the
    weights after a step with decay and without, and those that a step against the gradient gives.
    """
    costs, after, against = [], [], []
    for _ in range(rounds):
        X, w = rng.normal(size=(9, 3)), rng.normal(size=4)
        y = np.append([1, -1], rng.choice([-1, 1], 7))
        Z, short = fold(X, y), 0.15 * w[:3] @ w[:3]
        loss = hinge_loss(y, X @ w[:3] + w[3], labels=[-1, 1])
        costs.append((bounds.eq18(Z, w, 0.3), short + loss, short + 9 * loss))
        if abs(1 - Z[0] @ w) > 1e-3:
            against.append(w - 0.1 * gradient(Z[:1], w, 0.3))
            after.append([margin_perceptron(Z[:1], 0.1, decay=mu, epochs=1, w0=w).w for mu in (0.3, 0)])
    return *np.array(costs).T, *np.array(after).transpose(1, 0, 2), np.array(against)


def three_texts(rng, rounds):
    """Random exact runs of (19), of (20) and of NORMA, three epochs each.

    Returns whether (20) made the same updates and weights; whether it still does if (19) starts at ones; whether NORMA
    gives the same function; and the least α, the largest Σ α and the largest L α on the way, a row a run.
    """
    same, shifted, listed, extremes = [], [], [], []
    for _ in range(rounds):
        X, y, rate, decay = drawn(rng)
        one = run(X, y, rate, decay, 3)
        path, b, picks = eq20(X @ X.T, y, rate, decay, 3)
        w = (y * path[-1]) @ X.astype(object)
        same.append(one.picks.tolist() == picks and [*w, b] == one.w.tolist())
        moved = margin_perceptron(one.patterns, rate, decay=decay, epochs=3, w0=np.ones(len(w) + 1, dtype=int))
        shifted.append(w.tolist() == moved.w[:-1].tolist())
        terms, constant = norma(X, y, rate, decay, 3)
        summed = sum((c * np.array(x, dtype=object) for c, x in terms), 0 * w)
        listed.append(constant == b and summed.tolist() == w.tolist())
        extremes.append((decay * path.min(), decay * path.sum(axis=1).max(), decay * path.max() * len(y)))
    return same, shifted, listed, np.array(extremes, dtype=object)


def lengths(rng, rounds):
    """μ²‖w‖² beside R²(1 − (1 − λμ)^t)² after every presentation of random exact runs: comparisons, one a run."""
    sides = []
    for _ in range(rounds):
        X, y, rate, decay = drawn(rng)
        one, R2 = run(X, y, rate, decay, 3), max((X * X).sum(axis=1))
        limit = [R2 * (1 - (1 - rate * decay) ** t) ** 2 for t in range(one.presented + 1)]
        sides.append(at_most(decay**2 * bounds.weight_squared(one.at(np.arange(one.presented + 1))), limit))
    return sides


def averages(rng, rounds):
    """The averages of (20) taken literally beside `ours.average_coefficients`: comparisons both ways."""
    sides = []
    for _ in range(rounds):
        X, y, rate, decay = drawn(rng)
        path, _, _ = eq20(X @ X.T, y, rate, decay, 3)
        mean = (path[:-1].sum(axis=0) / Fraction(len(path) - 1)).astype(float)
        formula = ours.average_coefficients(run(X, y, rate, decay, 3)).astype(float)
        sides += [at_most(mean, formula, rtol=1e-9), at_most(formula, mean, rtol=1e-9)]
    return sides


def two_sets(rng, points):
    """A separable and a noisy set of points in the plane, with their labels, by name."""
    sets = {}
    for kind in ("separable", "noisy"):
        X = rng.normal(size=(points, 2))
        X[0], X[1] = abs(X[0]), -abs(X[1])
        y = np.where(X @ [1, 0.7] + (kind == "noisy") * rng.normal(size=points) > 0, 1, -1)
        y[:2] = 1, -1  # both classes occur
        sets[kind] = X + (kind == "separable") * 0.3 * y[:, None] * np.array([1, 0.7]), y
    return sets


def timed(X, y, settings, most):
    """For every rate and decay: epochs until the cost is within 5 % of the least, and how many ‖w‖ alone requires."""
    Z, R = fold(X, y), np.linalg.norm(X, axis=1).max()
    rows = []
    for rate, decay in settings:
        least = bounds.eq18(Z, svm(X, y, decay)[0], decay)
        epochs, length = epochs_needed(Z, rate, decay, least, most)
        rows.append((epochs, length / (len(X) * rate * R)))
    return np.array(rows).T
