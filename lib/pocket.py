"""Pocket algorithms: run the perceptron on patterns that may not be separable, and keep the best weights seen.

Solves, approximately: find w with as few mistakes (z_j · w ≤ 0) as possible.
Stops: after the given number of tests, or when the pocket makes no mistake.
Guarantees: under "count" and "ratchet" the pocket's mistakes never increase; under "run" they may.
"""

from dataclasses import dataclass, field

import numpy as np

from lib.patterns import as_patterns, as_vector

RULES = ("run", "ratchet", "count")


@dataclass(frozen=True)
class Pocket:
    """The pocket and its history.

    Attributes
    ----------
    w : ndarray, shape (n,)
        The weights in the pocket.
    mistakes : int
        Patterns with z · w ≤ 0.
    tests, updates : int
        Patterns drawn, and corrections made.
    swaps : ndarray of int, shape (k, 2)
        The test after which each new vector went into the pocket, and its mistakes.
    stop : str
        "no mistake left" or "out of tests".
    """

    w: np.ndarray
    mistakes: int
    tests: int
    updates: int
    swaps: np.ndarray = field(repr=False)
    stop: str = ""


def pocket(patterns, *, rule="ratchet", w0=None, max_tests=100_000, rng=0):
    """Run a pocket algorithm.

    Parameters
    ----------
    patterns : array_like, shape (p, n)
    rule : {"run", "ratchet", "count"}
        "run": Rojas' Algorithm 4.2.2. A drawn pattern that is right lengthens the run h; when h exceeds the
        pocket's record, w goes into the pocket.
        "ratchet": the same, but w must also make fewer mistakes than the pocket.
        "count": Liang's section 4. Each test draws a mistake and corrects it; w goes into the pocket
        if it makes fewer mistakes.
    w0 : array_like, shape (n,), optional
        The start, and the first vector in the pocket.
    max_tests : int
    rng : int or numpy.random.Generator

    Returns
    -------
    Pocket
    """
    Z = as_patterns(patterns)
    if rule not in RULES:
        raise ValueError(f"rule is {rule!r}; expected one of {', '.join(RULES)}")
    if not isinstance(max_tests, (int, np.integer)) or max_tests < 0:
        raise ValueError(f"max_tests is {max_tests!r}; expected a whole number, zero or more")
    w = np.zeros(Z.shape[1], dtype=Z.dtype) if w0 is None else as_vector(w0, Z.shape[1], "w0") + 0 * Z[0]
    search = _count if rule == "count" else _run_length
    return search(Z, w, max_tests, np.random.default_rng(rng), rule == "ratchet")


def _count(Z, w, max_tests, rng, _):
    wrong = np.flatnonzero(Z @ w <= 0)
    best, least, swaps, t = w, len(wrong), [(0, len(wrong))], 0
    while t < max_tests and len(wrong):
        w = w + Z[wrong[rng.integers(len(wrong))]]
        t += 1
        wrong = np.flatnonzero(Z @ w <= 0)
        if len(wrong) < least:
            best, least = w, len(wrong)
            swaps.append((t, least))
    return Pocket(best, least, t, t, np.array(swaps), _why(least))


def _run_length(Z, w, max_tests, rng, ratchet):
    """Between two corrections w stays, so a run is one stretch of draws that are all right."""
    right = Z @ w > 0
    best, least, record = w, int((~right).sum()), 0
    swaps, t, updates, draws = [(0, least)], 0, 0, np.empty(0, dtype=np.int64)
    while t < max_tests and least:
        if not draws.size:
            draws = rng.integers(len(Z), size=min(4096, max_tests - t))
        ok, h, hit = right[draws], 0, None
        while ok.all() and t + h + len(draws) < max_tests:
            h += len(draws)
            draws = rng.integers(len(Z), size=min(4096, max_tests - t - h))
            ok = right[draws]
        k = int(ok.argmin()) if not ok.all() else len(ok)
        hit, h = k < len(ok), h + k
        mistakes = int((~right).sum())
        if h > record and (not ratchet or mistakes < least or best is w):
            if best is not w:
                swaps.append((t + record + 1, mistakes))
            best, least, record = w, mistakes, h
        t += h + hit
        if hit:
            w = w + Z[draws[k]]
            right = Z @ w > 0
            updates += 1
        draws = draws[k + 1 :]
    return Pocket(best, least, t, updates, np.array(swaps), _why(least))


def _why(mistakes):
    return "out of tests" if mistakes else "no mistake left"
