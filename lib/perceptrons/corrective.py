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
from lib.numbers import as_room, as_vector, fractions, in_one_system, not_negative, positives
from lib.patterns import as_patterns, as_start
from lib.perceptrons.choosing import ORDERS, as_order, choose, roughly
from lib.perceptrons.perceptron import Run, ending, passes


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
    """Run Rojas' corrective rule, or its γ variant, on folded patterns; a `Run`.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
        Rows y_j (x_j, 1). The run is in Fractions if every number given is exact, else in floats.
    eps : number
        ε, zero or more; zero need not end.
    gamma : number or sequence of numbers, optional
        The learning constants γ_0, γ_1, …, of which the last one stays; 1/‖z‖² if not given.
    order, w0, max_updates, rng
        As for `perceptron`.

    Examples
    --------
    >>> corrective([[1, 1], [1, -1]]).w
    array([Fraction(1, 1), Fraction(0, 1)], dtype=object)
    """
    Z = as_patterns(patterns)
    w0, rng, room = as_start(w0, Z), as_order(order, rng), as_room(max_updates)
    eps = as_vector([not_negative(eps, "eps")], 1, "eps")
    gammas = np.arange(0) if gamma is None else positives(gamma, "gamma")
    Z, w0, eps, gammas = (fractions(a) if a.dtype == object else a for a in in_one_system(Z, w0, eps, gammas))
    rows, w = np.ascontiguousarray(Z), w0.copy()
    picks, factors, j = correct_by_error(rows, roughly(rows), w, room, eps[0], gammas, ORDERS.index(order), rng)
    picks, factors = picks.astype(np.int64), factors.astype(Z.dtype)
    return Run(Z, w0, w, picks, passes(picks, j, len(Z), order), ending(Z, w, j == len(Z)), factors)
