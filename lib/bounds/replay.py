"""The three convergence proofs, evaluated line by line along a run.

Each proof takes a vector v that separates the patterns and shows that the run must end. Its lines become comparisons
(`lib.numbers.comparisons`), one entry a correction: both sides, and whether the line is true. The documents use a unit
vector u; here v = ‖v‖ u may have any length, and a line that names u is multiplied by ‖v‖ (squares by ‖v‖²), so that
integer runs are compared in integers: equality means equality.

A replay takes w_{t+1} = w_t + x_t for granted, so the lines that say no more than this are not among its lines: they
are compared along `recorded` weights, which the algorithm itself has left.
"""

from types import SimpleNamespace

import numpy as np

from lib.compiled import add
from lib.numbers import as_vector, in_one_system, is_exact
from lib.numbers.comparisons import at_most, below, equal
from lib.perceptrons.perceptron import perceptron


def recorded(patterns, most, **options):
    """The weights after 0, 1, 2, … corrections, `most` at most, as the perceptron leaves them when it is stopped there.

    Every vector is the end of a run of its own. Returns the weights, shape (t + 1, n), and the patterns that the last
    of these runs added, shape (t, n). Options are the perceptron's; its rng is a seed, so that the runs agree.
    """
    runs = [perceptron(patterns, max_updates=t, **options) for t in range(most + 1)]
    runs = [run for t, run in enumerate(runs) if run.updates == t]
    return np.array([run.w for run in runs]), runs[-1].patterns[runs[-1].picks]


def first_steps(W, x):
    """Lines that say what a correction does, along `recorded` weights: the lecture's (12) and (13), Liang's (6), (16).

    The names that begin with "with" are broken: they are not true of every correction.
    """
    before, after = W[:-1], W[1:]
    norm = (after * after).sum(axis=1)
    return {
        "12": equal(after, before + x),
        "12 with the pattern taken away": equal(after, before - x),
        "13": equal(norm, ((before + x) ** 2).sum(axis=1)),
        "13 with one factor left as it was": equal(norm, ((before + x) * before).sum(axis=1)),
    }


def trace(run, v):
    """Replay a run beside a separating vector v; exact if the run and v are.

    Each weight vector is made of the one before it by the algorithm's own step, `add`. A ValueError is raised if v does
    not separate, if a pick was no mistake, or if the run ends elsewhere. Returns a namespace, for T corrections:

    W, x: the weights w_0 … w_T and the pattern added at time t, shapes (T + 1, n) and (T, n);
    square, along: ‖w_t‖² and v · w_t, shape (T + 1,);
    t, score, size, gain: the time, w_t · x_t, ‖x_t‖² and v · x_t, shape (T,);
    radius, margin, length: max ‖x_j‖² and min v · x_j over all patterns, and ‖v‖², so that γ² = margin²/length.
    """
    if run.factors is not None:
        raise ValueError("the run scales its corrections; the proofs speak of runs that add the patterns themselves")
    Z, start, end = in_one_system(run.patterns, run.w0, run.w)
    W = np.empty((run.updates + 1, len(start)), dtype=Z.dtype)
    W[0] = start
    for t, j in enumerate(run.picks):
        W[t + 1] = W[t]
        add(Z[j], W[t + 1], 1)
    score = sum(W[:-1, k] * Z[run.picks, k] for k in range(len(start)))  # in the order of the columns
    if (score > 0).any() or (W[-1] != end).any():
        raise ValueError("the run adds a pattern that is right, or ends elsewhere; expected a perceptron's run")
    Z, W, score, v = in_one_system(Z, W, score, as_vector(v, len(start), "v"))
    if not min(Z @ v) > 0:
        raise ValueError(f"v has v · x = {min(Z @ v)} on some pattern; expected a vector that separates")
    x, t = Z[run.picks], np.arange(run.updates, dtype=object if is_exact(W) else np.int64)
    found = SimpleNamespace(W=W, x=x, t=t, score=score, along=W @ v, gain=x @ v, margin=min(Z @ v), length=v @ v)
    found.square, found.size, squares = ((a * a).sum(axis=1) for a in (W, x, Z))
    found.radius = max(squares)
    return found


def lecture(run, v):
    """Novikoff's proof, the lecture's (11)-(24), for a run from w = 0: its lines by equation number.

    A letter follows the number where an equation has several relations. (12) and (13) are in `first_steps`.
    """
    _start_at_zero(run, "the lecture")
    q = trace(run, v)
    D2, g, t1 = q.radius, q.margin, q.t + 1
    norm, along = q.square[1:], q.along[1:]
    return {
        "11": at_most(q.score, 0),
        "14": equal(norm, q.square[:-1] + 2 * q.score + q.size),
        "14a": at_most(2 * q.score, 0),
        "14b": at_most(q.size, D2),
        "15": at_most(norm, q.square[:-1] + D2),
        "15a": at_most(q.square[1:-1] + D2, q.square[:-2] + 2 * D2),
        "16": at_most(q.square[1:-2] + 2 * D2, q.square[:-3] + 3 * D2),
        "16a": at_most(norm, q.square[0] + t1 * D2),
        "17": at_most(norm, t1 * D2),
        "18": equal(along, q.along[:-1] + q.gain),
        "18a": at_most(g, q.gain),
        "19": at_most(q.along[:-1] + g, along),
        "19a": at_most(q.along[:-2] + 2 * g, q.along[1:-1] + g),
        "20": at_most(q.along[:-3] + 3 * g, q.along[1:-2] + 2 * g),
        "21": at_most(q.along[0] + t1 * g, along),
        "22": at_most(t1 * g, along),
        "23": at_most(norm, t1 * D2),
        "23a": at_most(along**2, norm * q.length),
        "23b": at_most(t1**2 * g**2, along**2),
        "24": at_most(t1 * g**2, D2 * q.length),
    }


def rojas(run, v):
    """The proof of Rojas' Proposition 8, from any start: its lines; his normalised ‖p‖ = 1 is read as ‖p‖² ≤ R².

    The cosine inequality is compared without a root or a quotient, for the corrections after which w ≠ 0:
    N/‖w‖ ≥ A/B if and only if sgn(N) N² B² ≥ sgn(A) A² ‖w‖². "not negative" says where its right side is not.
    """
    q = trace(run, v)
    t1, norm, along = q.t + 1, q.square[1:], q.along[1:]
    least, above = q.along[0] + t1 * q.margin, q.square[0] + t1 * q.radius
    nonzero = norm != 0
    return {
        "numerator": at_most(q.along[:-1] + q.margin, along),
        "4.9": at_most(least, along),
        "norm": at_most(norm, q.square[:-1] + q.radius),
        "4.10": at_most(norm, above),
        "cosine": at_most(least * abs(least) * norm, along * abs(along) * above)[nonzero],
        "not negative": at_most(0, least)[nonzero],
    }


def liang(run, v):
    """Liang's equations (3)-(24) for a run from W = 0, each against the beginning of its chain.

    (7) and (17) name W* where the expanded square has W_t; with a prime they are as meant. (23) and (24) are compared
    with the roots and denominators cleared, (24) with W^T read as W_T; 24' is what Cauchy and Schwarz make of it. (2)
    and (6) say what a correction does, see `first_steps`.
    """
    _start_at_zero(run, "Liang's proof")
    q = trace(run, v)
    R2, rho, T = q.radius, q.margin, q.t + 1
    norm, along = q.square[1:], q.along[1:]
    return {
        "3": equal(along, q.along[:-1] + q.gain),
        "4": at_most(q.along[:-1] + rho, along),
        "5": below(q.along[:-1], along),
        "7": equal(norm, q.square[:-1] + 2 * q.gain + q.size),
        "7'": equal(norm, q.square[:-1] + 2 * q.score + q.size),
        "8": at_most(norm, q.square[:-1] + q.size),
        "9": at_most(norm, q.square[:-1] + R2),
        "14": at_most(q.along[0] + T * rho, along),
        "15": at_most(T * rho, along),
        "21": at_most(norm, q.square[0] + T * R2),
        "22": at_most(norm, T * R2),
        "23": at_most(T * rho**2 * norm, along * abs(along) * R2),
        "24": at_most(T * norm * rho**2, R2 * along**2),
        "24'": at_most(T * rho**2, R2 * q.length),
    }


def _start_at_zero(run, whose):
    if np.any(run.w0 != 0):
        raise ValueError(f"the run starts at {run.w0}; {whose} starts at zero (replay.rojas takes any start)")
