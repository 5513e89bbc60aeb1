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
from lib.numbers import exact_number, fractions, is_exact, not_negative, whole_number
from lib.patterns import as_patterns, as_start
from lib.perceptrons.choosing import ORDERS, choose, roughly
from lib.perceptrons.perceptron import Run, as_order, passes


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
        gamma = gammas[min(len(picks), len(gammas) - 1)] if len(gammas) else 1 / dot(z, z)
        add(z, w, gamma * error)
        picks.append(j)
        factors.append(gamma * error)
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
    room = whole_number(max_updates, "max_updates")
    not_negative(eps, "eps")
    numbers = [eps, *_gammas(gamma, room)]
    exact = is_exact(Z, w0) and all(map(exact_number, numbers))
    numbers = np.array(numbers, dtype=object if exact else np.float64)
    Z, start, numbers = (fractions(a) if exact else a.astype(np.float64) for a in (Z, w0, numbers))
    w = start.copy()
    picks, factors, j = correct_by_error(
        np.ascontiguousarray(Z), roughly(Z), w, room, numbers[0], numbers[1:], ORDERS.index(order), rng
    )
    picks, factors = picks.astype(np.int64), factors.astype(Z.dtype)
    converged = j == len(Z) and (exact or bool(np.isfinite(w).all()))
    return Run(Z, start, w, picks, passes(picks, j, len(Z), order), converged, order, factors)


def _gammas(gamma, room):
    """γ_t for every correction that may be made; one number if it is constant, none if it is not given."""
    if gamma is None:
        return []
    return [gamma(t) for t in range(room)] if callable(gamma) else [gamma]
