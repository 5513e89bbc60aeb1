"""Corrections measured by the error: Rojas' corrective rule and its γ variant (4.2.3).

Solves: find w with z_j · w > 0 for every pattern z_j. A mistake z · w ≤ 0 has the error δ = −z · w. The corrective rule
adds (δ + ε) z/‖z‖², which leaves z · w = ε: the weights are projected on the plane z · u = ε. The γ variant adds
γ_t (δ + ε) z instead.
Stops: when every pattern is right, or when `max_updates` corrections were made.
Guarantees: the corrective rule ends within `bounds.ours.corrective` corrections; what the γ variant is sure of is in
`bounds.ours.damped`. γ‖z‖² ≥ 2 may diverge.
"""

import numpy as np

from lib.compiled import add, compiled, dot, texts
from lib.numbers import exact_number, fractions, is_exact, not_negative, positive
from lib.patterns import as_patterns, as_start
from lib.perceptrons.choosing import ORDERS, choose, roughly
from lib.perceptrons.perceptron import Run, as_order, as_room, as_step, passes


@compiled
def correct_by_error(patterns, rough, w, room, eps, gammas, order, rng):
    """Rojas 4.2.3: on a mistake of error δ add (δ + ε) z/‖z‖², or γ_t (δ + ε) z if γ is given."""
    picks, factors = [], []
    j = choose(patterns, rough, w, 0, order, rng)
    while j < len(patterns) and len(picks) < room:
        z = patterns[j]
        error = eps - dot(z, w)
        if not error < np.inf:  # the weights have overflowed
            break
        factor = gammas[min(len(picks), len(gammas) - 1)] * error if len(gammas) else error / dot(z, z)
        add(z, w, factor)
        picks.append(j)
        factors.append(factor)
        j = choose(patterns, rough, w, j + 1, order, rng)
    return np.array(picks), np.array(factors), j


@texts(correct_by_error)
def corrective(patterns, *, eps=1, gamma=None, order="cyclic", w0=None, max_updates=1_000_000, rng=None):
    """Run Rojas' corrective rule, or its γ variant, on folded patterns.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Rows y_j (x_j, 1). The run is in Fractions if every number given is exact, else in floats.
    eps : number
        ε, zero or more; zero need not end.
    gamma : number or function of the number of corrections made before, optional
        The learning constant γ_t; 1/‖z‖² if not given.
    order, w0, max_updates, rng
        As for `perceptron`.

    Returns
    -------
    Run

    Examples
    --------
    >>> corrective([[1, 1], [1, -1]]).w
    array([Fraction(1, 1), Fraction(0, 1)], dtype=object)
    """
    Z = as_patterns(patterns)
    w0 = as_start(w0, Z)
    rng = as_order(order, rng)
    room = as_room(max_updates)
    numbers = [not_negative(eps, "eps")]
    if gamma is not None:
        numbers.append(not_negative(gamma(0), "gamma(0)") if callable(gamma) else positive(gamma, "gamma"))
    exact = is_exact(Z, w0) and all(map(exact_number, numbers))
    numbers = np.array(numbers, dtype=object if exact else np.float64)
    Z, start, numbers = (fractions(a) if exact else a.astype(np.float64) for a in (Z, w0, numbers))
    eps, gammas, run = numbers[0], numbers[1:], correct_by_error
    if callable(gamma):  # which Python alone can ask
        gammas, run = _Gammas(gamma, exact), correct_by_error.python
    w = start.copy()
    with np.errstate(over="ignore", invalid="ignore"):
        picks, factors, j = run(np.ascontiguousarray(Z), roughly(Z), w, room, eps, gammas, ORDERS.index(order), rng)
    picks, factors = picks.astype(np.int64), factors.astype(Z.dtype)
    converged = j == len(Z) and (exact or bool(np.isfinite(w).all()))
    return Run(Z, start, w, picks, passes(picks, j, len(Z), order), converged, order, factors)


class _Gammas:
    """γ_0, γ_1, … of a function, each asked for when it is needed."""

    def __init__(self, gamma, exact):
        self.gamma, self.exact = gamma, exact

    def __len__(self):
        return 2**62

    def __getitem__(self, t):
        return as_step(self.gamma(t), f"gamma({t})", self.exact)
