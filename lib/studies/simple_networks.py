"""What Collobert & Bengio say around Algorithm 2: its memory, its dual, and the two rates that it does without."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lib.compiled import compiled, dot
from lib.perceptrons.networks import Mlp, hard_tanh, random_mlp
from lib.perceptrons.simple_mlp import simple_mlp
from lib.studies.constrained import random_problem

XOR = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])


def without_storage(X, y, rate, beta, start, epochs):
    """Algorithm 2 with nothing kept but the weights: a network, and the number of products v_i · x that it took.

    The activations are computed once for the test and, for want of a place, once more for the update.
    """
    v, d, b, products = start.v.copy(), start.d.copy(), start.b, 0
    for _ in range(epochs):
        for x, sign in zip(X, y, strict=True):
            f = b
            for i in range(len(d)):
                f += hard_tanh(v[i] @ x + d[i])
            products += len(d)
            if sign * f <= beta:
                for i in range(len(d)):
                    if abs(v[i] @ x + d[i]) <= 1:
                        v[i] = v[i] + rate * sign * x
                        d[i] += rate * sign
                products += len(d)
                b += rate * sign
    return Mlp(v, d, start.w, b), products


def slopes(mlp, x, y, beta, step):
    """The derivatives of |β − y f(x)|₊ by every v and d from both sides, shape (2, N, n + 1): difference quotients."""
    sides = []
    for h in (step, -step):
        here = mlp.cost(x, y, beta=beta)
        side = np.empty((mlp.units, x.shape[1] + 1), dtype=object)
        for i, k in np.ndindex(side.shape):
            v, d = mlp.v.copy(), mlp.d.copy()
            if k < x.shape[1]:
                v[i, k] += h
            else:
                d[i] += h
            side[i, k] = (Mlp(v, d, mlp.w, mlp.b).cost(x, y, beta=beta) - here) / h
        sides.append(side)
    return np.array(sides)


def differ(v, d):
    """Whether twelve passes over XOR from these units leave two of them different."""
    start = Mlp(v, d, np.ones(len(d), int), 0)
    net = simple_mlp(XOR, XOR.prod(axis=1), rate=Fraction(1, 4), beta=1, epochs=12, start=start).last
    return bool((net.v != net.v[0]).any() or (net.d != net.d[0]).any())


def random_committee(rng, examples):
    """A random problem in exact numbers whose network has output weights 1."""
    net, X, y = random_problem(rng, examples=examples)
    return Mlp(net.v, net.d, np.ones(net.units, int), net.b), X, y


def one_step(rng, beta, rate):
    """Whether a step on a random example is −rate times the derivative: as meant, as printed, in half the strip.

    The derivative is a difference quotient; examples where it differs from side to side are left out.
    """
    right, left = 0, 1
    while np.any(right != left):
        net, x, y = random_committee(rng, 1)
        right, left = slopes(net, x, y, beta, Fraction(1, 10**6))
    steps = []
    for literal in (False, True):
        after = simple_mlp(x, y, rate=rate, beta=beta, epochs=1, start=net, literal=literal).last
        steps.append(np.column_stack([after.v - net.v, after.d - net.d]))
    active = (abs(net.activations(x)[0]) <= Fraction(1, 2)) & (y[0] * net.decision(x)[0] <= beta)
    steps.append(np.outer(active, np.append(x[0], 1)) * y[0] * rate)
    return [bool((step == -rate * right).all()) for step in steps]


def change_of_cost(rng, beta):
    """How a small move of one unit changes (36), the loss of its local machine, and that with 1 for β.

    The local machine sees the examples in the strip alone; moves that lead an example across a corner are left out.
    """
    move, inside, still = Fraction(1, 50) * np.array([[1, -1], [0, 0]]), np.zeros(1, bool), False
    while not (still and inside.any()):
        net, X, y = random_committee(rng, 5)
        moved = Mlp(net.v + move, net.d, net.w, net.b)
        z, after = net.activations(X)[:, 0], moved.activations(X)[:, 0]
        inside = abs(z) <= 1
        still = bool((inside == (abs(after) <= 1)).all())
    rest = net.decision(X) - hard_tanh(z)
    loss = lambda q, b: (np.maximum(b - y * (rest + q), 0) * inside).sum() / Fraction(5)  # noqa: E731
    change = moved.cost(X, y, beta=beta) - net.cost(X, y, beta=beta)
    return change, loss(after, beta) - loss(z, beta), loss(after, 1) - loss(z, 1)


TRANSFERS = {
    "tanh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2),
    "hard tanh": (hard_tanh, lambda z: (np.abs(z) < 1) * 1.0),
}


def cross_block(name, rng):
    """How much the derivative by one unit changes when another moves, per move: of (36), and of the cross-entropy.

    Examples within 0.001 of the hinge are left out.
    """
    (h, slope), step = TRANSFERS[name], 1e-5
    X, y = np.column_stack([rng.normal(size=(50, 2)), np.ones(50)]), rng.choice([-1, 1], 50)
    v, derivatives = rng.normal(size=(2, 3)), []
    still = np.abs(y * h(X @ v.T).sum(axis=1) - 1) > 1e-3
    for move in (0, step):
        z = X @ (v + np.array([[0], [move]])).T
        f = h(z).sum(axis=1)
        for weight in (y * f <= 1, 1 / (1 + np.exp(y * f))):
            derivatives.append(((weight * y * slope(z)[:, 0])[:, None] * X)[still].mean(axis=0))
    hinge, soft, hinge_moved, soft_moved = derivatives
    return float(np.abs(hinge_moved - hinge).max()) / step, float(np.abs(soft_moved - soft).max()) / step


@compiled
def activate(v, x, d, z):
    """z_i = v_i · x + d_i for every unit."""
    for i in range(len(d)):
        z[i] = dot(v[i], x) + d[i]


@compiled
def counting(X, y, v, d, b, rate, beta, counts):
    """A pass of Algorithm 2 that counts in counts[j, i] how often example j has corrected unit i."""
    z = np.zeros_like(d)
    for j in range(len(X)):
        activate(v, X[j], d, z)
        f = b
        for i in range(len(d)):
            f += min(max(z[i], -1), 1)
        if y[j] * f <= beta:
            for i in range(len(d)):
                if abs(z[i]) <= 1:
                    v[i] += rate * y[j] * X[j]
                    d[i] += rate * y[j]
                    counts[j, i] += 1
            b += rate * y[j]
    return b


class Dual(NamedTuple):
    """The Simple MLP written as sums of examples, v_i = start + rate · Σ_j counts[j, i] y_j x_j."""

    counts: np.ndarray
    length: np.ndarray
    """‖v_i‖ of every unit."""

    @property
    def share(self):
        """The share of the examples that occur in the sums, the mean of all units."""
        return float((self.counts > 0).mean())


def dual(X, y, rate, beta, start, epochs):
    """The counts of a run of Algorithm 2, a `Dual`."""
    v, d, b = start.v.astype(float), start.d.astype(float), 0.0
    counts = np.zeros((len(X), len(d)), dtype=np.int64)
    X, signs = np.ascontiguousarray(X, dtype=float), y.astype(float)
    for _ in range(epochs):
        b = counting(X, signs, v, d, b, rate, float(beta), counts)
    return Dual(counts, np.linalg.norm(v, axis=1))


@compiled
def two_rates(X, y, v, d, w, b, hidden, outer):
    """A pass of stochastic descent on (17) without decay, with a rate for each layer."""
    z = np.zeros_like(d)
    for j in range(len(X)):
        activate(v, X[j], d, z)
        f = b
        for i in range(len(w)):
            f += w[i] * min(max(z[i], -1), 1)
        if y[j] * f <= 1:
            for i in range(len(w)):
                if abs(z[i]) <= 1:
                    v[i] += hidden * y[j] * w[i] * X[j]
                    d[i] += hidden * y[j] * w[i]
                w[i] += outer * y[j] * min(max(z[i], -1), 1)
            b += outer * y[j]
    return b


def grid_of_rates(train, valid, rates, units, epochs, rng):
    """The fewest validation errors within so many passes for every pair (hidden rate, output rate), as shares."""
    X, signs = np.ascontiguousarray(train[0], dtype=float), train[1].astype(float)
    errors = np.ones((len(rates), len(rates)))
    for a, hidden in enumerate(rates):
        for c, outer in enumerate(rates):
            net = random_mlp(units, X.shape[1], rng, output=True)
            v, d, w, b = net.v, net.d, net.w.copy(), 0.0
            for _ in range(epochs):
                b = two_rates(X, signs, v, d, w, b, hidden, outer)
                f = hard_tanh(valid[0] @ v.T + d) @ w + b
                errors[a, c] = min(errors[a, c], float((valid[1] * f <= 0).mean()))
    return errors
