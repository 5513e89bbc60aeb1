"""The cost (17) of a network as a problem with constraints, (32) and (33) of Collobert & Bengio, in exact numbers."""

from fractions import Fraction

import numpy as np

from lib.numbers import quotient
from lib.perceptrons.networks import Mlp
from lib.perceptrons.simple_mlp import hard_tanh_mlp


def random_problem(rng, examples, units=2, features=2):
    """A network, examples and labels, in small integers and sixteenths."""
    X, y = rng.integers(-2, 3, (examples, features)), rng.choice([-1, 1], examples)
    sixteenths = [rng.integers(-24, 25, shape) * Fraction(1, 16) for shape in ((units, features), units, units, 1)]
    v, d, w, b = sixteenths
    return Mlp(v, d, w, b[0]), X, y


def objective(mlp, xi, mu, nu):
    """J of (32): μ/2 ‖w‖² + ν/2 Σ‖v_i‖² + Σ ξ/L."""
    return mu * (mlp.w @ mlp.w) / 2 + nu * (mlp.v * mlp.v).sum() / 2 + quotient(xi.sum(), len(xi))


def constraints(mlp, X, y, xi):
    """φ of the display after (7), shape (2L,): −ξ_l, then 1 − ξ_l − y_l f(x_l)."""
    return np.concatenate([-xi, 1 - xi - y * mlp.decision(X)])


def gradients(mlp, X, y, xi):
    """The derivatives of the 2L constraints by ξ_1 … ξ_L and b, as difference quotients; shape (2L, L + 1)."""
    step = Fraction(1, 8)
    here = constraints(mlp, X, y, xi)
    moved = [constraints(mlp, X, y, xi + step * (np.arange(len(xi)) == k)) for k in range(len(xi))]
    moved.append(constraints(Mlp(mlp.v, mlp.d, mlp.w, mlp.b + step), X, y, xi))
    return np.column_stack([(there - here) / step for there in moved])


def halfway(one, other):
    """The network with the mean of two networks' weights."""
    v, d, w, b = ((p + q) / 2 for p, q in zip(_parts(one), _parts(other), strict=True))
    return Mlp(v, d, w, b)


def between_two(rng):
    """Whether J, and any constraint, lies above the mean of its values half-way between two random networks."""
    (one, X, y), (other, *_) = (random_problem(rng, examples=5) for _ in range(2))
    xi, eta = (rng.integers(0, 9, 5) * Fraction(1, 4) for _ in range(2))
    mean, middle, decays = halfway(one, other), (xi + eta) / 2, (Fraction(3, 10), Fraction(1, 5))
    ends = objective(one, xi, *decays) + objective(other, eta, *decays)
    hanging = constraints(one, X, y, xi) + constraints(other, X, y, eta)
    return 2 * objective(mean, middle, *decays) > ends, bool((2 * constraints(mean, X, y, middle) > hanging).any())


def _parts(mlp):
    return mlp.v, mlp.d, mlp.w, mlp.b


def descents(runs, rng):
    """So many trainings on (17) without decay, exact, from w = b = 0: the start, X, the rate and the run.

    The first has two saturated units and comes near to Theorem 3; the others are random.
    """
    pair, apart = np.array([[1, 0], [-1, 0]]), np.array([[9, 0], [9, 0]])
    yield _descent(apart, np.zeros(2, int), pair, np.array([1, -1]), Fraction(1), 4)
    for _ in range(runs - 1):
        X, y, units = rng.integers(-2, 3, (6, 2)), rng.choice([-1, 1], 6), int(rng.integers(1, 4))
        v, d = rng.choice([-1, 1], (units, 2)), rng.integers(-1, 2, units)
        yield _descent(v, d, X, y, Fraction(1, int(rng.integers(1, 9))), int(rng.integers(1, 5)))


def _descent(v, d, X, y, rate, passes):
    start = Mlp(v, d, np.zeros(len(d), int), 0)
    return start, X, rate, hard_tanh_mlp(X, y, rate=rate, epochs=passes, start=start)
