"""Options checked before anything runs: each complaint names the option, its value and what was expected."""

import numpy as np


def one_of(value, name, known):
    """The value, if it is one of those known."""
    if value not in known:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")
    return value


def whole_number(value, name, least=0, most=None):
    """The value, if it is an integer (and not a bool) within the limits."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        limits = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {value!r}; expected a whole number, {limits}")
    return value


def positive(value, name):
    """The value, if it is more than zero."""
    if not value > 0:
        raise ValueError(f"{name} is {value}; expected more than zero")
    return value


def rate_and_decay(rate, decay):
    """Check a rate λ > 0 and a decay μ ≥ 0 with λμ ≤ 1."""
    positive(rate, "rate")
    if not (decay >= 0 and rate * decay <= 1):
        raise ValueError(f"decay is {decay!r}; expected zero or more, and at most one when multiplied by the rate")
