"""Section 2 of Collobert and Bengio's report: the SVM's cost and dual, and networks trained with two criteria."""

from fractions import Fraction

import numpy as np
from scipy.optimize import minimize
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from lib.bounds.collobert import eq21
from lib.patterns import fold
from lib.perceptrons.margin_perceptron import margin_perceptron
from lib.perceptrons.perceptron import perceptron

SMOOTH = {"cross-entropy": lambda m: 1 / (1 + np.exp(m)), "margin": lambda m: (m <= 1).astype(float)}
"""How steeply a criterion falls at the score m = y f(x): minus its derivative, by its name."""


def svm(X, y, decay, *, tol=1e-11):
    """scikit-learn's minimiser of (3) with Φ(x) = x: the weights with the bias as the last, and α of (8)."""
    fit = SVC(kernel="linear", C=1 / (len(X) * decay), tol=tol).fit(np.asarray(X, dtype=float), y)
    alpha = np.zeros(len(X))
    alpha[fit.support_] = decay * abs(fit.dual_coef_[0])
    return np.append(fit.coef_, fit.intercept_), alpha


def threshold(X, y):
    """μ₀ = 1/(L max α^h), up to which (3) gives the plane of maximal margin, and that plane's weights."""
    hard = SVC(kernel="linear", C=1e8, tol=1e-10).fit(np.asarray(X, dtype=float), y)
    return 1 / (len(X) * abs(hard.dual_coef_).max()), np.append(hard.coef_, hard.intercept_)


def separable(rng, points=12):
    """Points of two classes, at least two of each, on the two sides of a random line."""
    while True:
        X = rng.normal(size=(points, 2))
        y = np.where(X @ rng.normal(size=2) + 0.3 * rng.normal() > 0, 1, -1)
        if abs(y.sum()) <= points - 4:
            return X, y


def stays_hard(X, y, factors):
    """Whether the minimiser of (3) is the plane of maximal margin, up to 1e-5 of its length, for μ = factor · μ₀."""
    largest, hard = threshold(X, y)
    size = np.linalg.norm(hard[:-1])
    return [np.linalg.norm(svm(X, y, f * largest, tol=1e-10)[0][:-1] - hard[:-1]) <= 1e-5 * size for f in factors]


def kkt(Z, y, w, alpha, decay):
    """By how much (8) fails: w, Σ y α, the two products, and the sign of α and η = 1/L − α, shape (5,)."""
    xi, eta = np.maximum(1 - Z @ w, 0), 1 / len(Z) - alpha
    lines = (w[:-1] - alpha @ Z[:, :-1] / decay, y @ alpha, alpha * (1 - xi - Z @ w), eta * xi)
    return np.array([*(np.max(np.abs(line)) for line in lines), max(0, -alpha.min(), -eta.min())])


def away(Z, y, w, decay):
    """The first two lines of (8) at weights where no score is 1, which leaves α no choice: 1/L or 0."""
    forced = np.where(Z @ w < 1, 1 / len(Z), 0)
    return max(abs(w[:-1] - forced @ Z[:, :-1] / decay).max(), abs(y @ forced))


def cross_entropy_margins(X, y, decays):
    """The margin of the plane of least cross-entropy plus μ‖w‖²/2, over the largest margin, for every decay μ."""
    hard = threshold(X, y)[1]
    shares = []
    for decay in decays:
        fit = LogisticRegression(C=1 / (len(X) * decay), solver="newton-cholesky", tol=1e-12, max_iter=500).fit(X, y)
        least = (y * (X @ fit.coef_[0] + fit.intercept_)).min()
        shares.append(least / np.linalg.norm(fit.coef_) * np.linalg.norm(hard[:-1]))
    return shares


def trained(X, y, units, slope, seed, *, rate=0.01, epochs=30, batch=20):
    """A tanh network trained by stochastic gradient descent on a criterion with this slope: its f, a function."""
    rng = np.random.default_rng(seed)
    X1 = np.column_stack([X, np.ones(len(X))])
    V = rng.normal(size=(X1.shape[1], units)) / X1.shape[1] ** 0.5
    w = rng.normal(size=units + 1) / units**0.5
    for _ in range(epochs):
        for rows in np.array_split(rng.permutation(len(X)), len(X) // batch):
            H = np.column_stack([np.tanh(X1[rows] @ V), np.ones(len(rows))])
            push = y[rows] * slope(y[rows] * (H @ w))
            hidden = np.outer(push, w[:-1]) * (1 - H[:, :-1] ** 2)
            w += rate * push @ H
            V += rate * X1[rows].T @ hidden
    return lambda P: np.tanh(np.column_stack([P, np.ones(len(P))]) @ V) @ w[:-1] + w[-1]


def two_clouds(rng, count):
    """Two round clouds of points around (2.5, 2.5) and its mirror image, with their labels."""
    return np.vstack([rng.normal(size=(count, 2)) + side * 2.5 for side in (1, -1)]), np.repeat([1, -1], count)


def four_lines(X, y):
    """The lines of four criteria, weights with the bias last: perceptron, SVM, cross-entropy, least squares."""
    entropy = LogisticRegression(C=1 / (0.1 * len(X))).fit(X, y)
    return {
        "perceptron": perceptron(fold(X, y)).w,
        "SVM": threshold(X, y)[1],
        "cross-entropy": np.append(entropy.coef_, entropy.intercept_),
        "least squares": np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y, rcond=None)[0],
    }


def quadratic(Z, decay):
    """The least J, (4), under (5), by a general solver."""
    p, n = Z.shape
    cost = lambda v: decay * (v[: n - 1] @ v[: n - 1]) / 2 + v[n:].mean()  # noqa: E731
    rules = {"type": "ineq", "fun": lambda v: Z @ v[:n] + v[n:] - 1}
    limits = [(None, None)] * n + [(0, None)] * p
    return minimize(cost, np.ones(n + p), bounds=limits, constraints=rules, tol=1e-12, options={"maxiter": 1000}).fun


def by_the_dual(X, y, decay):
    """The weights (11) of the dual (9), with its factor, under (10), by a general solver."""
    V = X * y[:, None]
    cost = lambda a: (V.T @ a) @ (V.T @ a) / (2 * decay) - a.sum()  # noqa: E731
    rules = {"type": "eq", "fun": lambda a: y @ a}
    box = [(0, 1 / len(y))] * len(y)
    return minimize(cost, np.zeros(len(y)), bounds=box, constraints=rules, tol=1e-12).x @ V / decay


def support(rng, noise, decay=0.01, points=400):
    """Share of support vectors, μ‖w‖² + the mean hinge loss, and Σ α, where labels are the sign of x₁ plus noise."""
    X = rng.normal(size=(points, 2))
    y = np.where(X[:, 0] + noise * rng.normal(size=points) > 0, 1, -1)
    w, alpha = svm(X, y, decay, tol=1e-9)
    return (alpha > 0).mean(), decay * (w[:-1] @ w[:-1]) + eq21(fold(X, y), w), alpha.sum()


def like_a_perceptron(rng, threshold, rounds):
    """Whether descent on (14), its kink at this threshold, is the perceptron: updates and weights, a run each."""
    same = []
    for _ in range(rounds):
        Z = rng.integers(-3, 4, (8, 3))
        Z = Z[(Z != 0).any(axis=1)]
        rate = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 9)))
        plain = perceptron(Z, max_updates=200)
        run = margin_perceptron(Z, rate, threshold=threshold, max_updates=200)
        same.append(plain.picks.tolist() == run.picks.tolist() and (rate * plain.w == run.w).all())
    return same


def networks(X, y, alphas):
    """Random tanh networks before any step: scikit-learn's loss, ‖w‖² + Σ‖v_i‖², and the scores y f, by alpha."""
    found = []
    for k, alpha in enumerate(alphas):
        options = {"alpha": alpha, "batch_size": len(X), "learning_rate_init": 1e-300, "random_state": k}
        net = MLPClassifier((5,), activation="tanh", **options).partial_fit(X, y, classes=[-1, 1])
        length = sum((c * c).sum() for c in net.coefs_)
        found.append((net.loss_, length, y * logit(net.predict_proba(X)[:, 1])))
    return (np.array(column) for column in zip(*found, strict=True))


def scatter(ax, X, y):
    """The points of two classes: red dots and black squares."""
    for side, mark, colour in ((1, "o", "C3"), (-1, "s", "black")):
        ax.plot(*np.asarray(X, dtype=float)[np.asarray(y) == side].T, mark, color=colour)


def line(ax, w, colour, style, name, x, shift=0):
    """The line w · (x, 1) = 0, its name at its left end."""
    ends = np.array(x, dtype=float)
    height = -(w[0] * ends + w[2]) / w[1]
    ax.plot(ends, height, style, color=colour)
    options = {"textcoords": "offset points", "color": colour, "ha": "right", "va": "center"}
    ax.annotate(name, (ends[0], height[0]), (-4, shift), **options)
