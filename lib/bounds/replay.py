"""The three convergence proofs, evaluated line by line along a run.

Each proof takes a vector v that separates the patterns and shows that the run must end. Its lines
become arrays, one entry a correction. The documents use a unit vector u; here v = ‖v‖ u may have any
length, and a line that names u is multiplied by ‖v‖ (squares by ‖v‖²), so that integer runs are
compared in integers: nothing is rounded, and equality means equality.
"""

from dataclasses import dataclass

import numpy as np

from lib.numbers import as_vector, in_one_system, is_exact

COMPARE = {"≤": np.less_equal, "≥": np.greater_equal, "=": np.equal, ">": np.greater, "<": np.less}


@dataclass(frozen=True)
class Line:
    """One line of a proof: `left relation right`, an entry a correction."""

    left: np.ndarray
    relation: str
    right: np.ndarray

    @property
    def holds(self):
        """Where the line is true, as an array of bool."""
        return np.asarray(COMPARE[self.relation](self.left, self.right), dtype=bool)


@dataclass(frozen=True)
class Trace:
    """The quantities that all three proofs speak of; arrays of length T unless said otherwise.

    Attributes
    ----------
    t : 0, 1, …, T − 1
    W : ndarray, shape (T + 1, n)
        The weights.
    x : ndarray, shape (T, n)
        The pattern added at time t.
    score, size, square : ndarray
        w_t · x_t, ‖x_t‖², and, of length T + 1, ‖w_t‖².
    gain, along : ndarray
        v · x_t and, of length T + 1, v · w_t.
    radius : number
        max ‖x_j‖² over all patterns.
    margin : number
        min v · x_j over all patterns; γ = margin/‖v‖.
    length : number
        ‖v‖².
    """

    t: np.ndarray
    W: np.ndarray
    x: np.ndarray
    score: np.ndarray
    size: np.ndarray
    square: np.ndarray
    gain: np.ndarray
    along: np.ndarray
    radius: object
    margin: object
    length: object


def trace(run, v):
    """Replay a run beside a separating vector v; exact if the run and v are.

    Raises
    ------
    ValueError
        If v does not separate, or the run's steps are not the patterns themselves: no proof starts without that.
    """
    if run.factors is not None:
        raise ValueError("the run scales its corrections; the proofs speak of runs that add the patterns themselves")
    v = as_vector(v, run.patterns.shape[1], "v")
    Z, W, v = in_one_system(run.patterns, run.trajectory(), v)
    margin = min(Z @ v)
    if margin <= 0:
        raise ValueError(f"v has v · x = {margin} on some pattern; expected a vector that separates")
    x, before = Z[run.picks], W[:-1]
    return Trace(
        t=np.arange(run.updates, dtype=object if is_exact(Z) else np.int64),
        W=W,
        x=x,
        score=(before * x).sum(axis=1),
        size=(x * x).sum(axis=1),
        square=(W * W).sum(axis=1),
        gain=x @ v,
        along=W @ v,
        radius=max((Z * Z).sum(axis=1)),
        margin=margin,
        length=v @ v,
    )


def lecture(run, v):
    """Novikoff's proof, the lecture's (11)-(24), for a run from w = 0.

    Returns
    -------
    dict of Line
        Keys are the equation numbers, with a letter where an equation has several relations.
    """
    _start_at_zero(run, "the lecture")
    q = trace(run, v)
    D2, g, t1 = q.radius, q.margin, q.t + 1
    norm, along = q.square[1:], q.along[1:]
    return {
        "11": Line(q.score, "≤", 0 * q.score),
        "12": Line(q.W[1:], "=", q.W[:-1] + q.x),
        "13": Line(norm, "=", ((q.W[:-1] + q.x) ** 2).sum(axis=1)),
        "14": Line(norm, "=", q.square[:-1] + 2 * q.score + q.size),
        "14a": Line(q.size, "≤", 0 * q.size + D2),
        "15": Line(norm, "≤", q.square[:-1] + D2),
        "15a": Line(norm[1:], "≤", q.square[:-2] + 2 * D2),
        "16": Line(norm[2:], "≤", q.square[:-3] + 3 * D2),
        "16a": Line(norm, "≤", q.square[0] + t1 * D2),
        "17": Line(norm, "≤", t1 * D2),
        "18": Line(along, "=", q.along[:-1] + q.gain),
        "18a": Line(q.gain, "≥", 0 * q.gain + g),
        "19": Line(along, "≥", q.along[:-1] + g),
        "19a": Line(along[1:], "≥", q.along[:-2] + 2 * g),
        "20": Line(along[2:], "≥", q.along[:-3] + 3 * g),
        "21": Line(along, "≥", q.along[0] + t1 * g),
        "22": Line(along, "≥", t1 * g),
        "23": Line(t1 * D2, "≥", norm),
        "23a": Line(norm * q.length, "≥", along**2),
        "23b": Line(along**2, "≥", t1**2 * g**2),
        "24": Line(t1 * g**2, "≤", 0 * t1 + D2 * q.length),
    }


def rojas(run, v):
    """The proof of Rojas' Proposition 8, from any start; his normalised ‖p‖ = 1 is read as ‖p‖² ≤ R².

    The cosine inequality is compared without a root or a quotient: N/‖w‖ ≥ A/B if and only if
    sgn(N) N² B² ≥ sgn(A) A² ‖w‖².

    Returns
    -------
    dict of Line
        "numerator", "4.9", "norm", "4.10", "cosine"; the last for the corrections after which w ≠ 0.
    """
    q = trace(run, v)
    t1, norm, along = q.t + 1, q.square[1:], q.along[1:]
    below, above = q.along[0] + t1 * q.margin, q.square[0] + t1 * q.radius
    nonzero = norm != 0
    return {
        "numerator": Line(along, "≥", q.along[:-1] + q.margin),
        "4.9": Line(along, "≥", below),
        "norm": Line(norm, "≤", q.square[:-1] + q.radius),
        "4.10": Line(norm, "≤", above),
        "cosine": Line((_signed(along) * above)[nonzero], "≥", (_signed(below) * norm)[nonzero]),
    }


def liang(run, v):
    """Liang's equations (2)-(24) for a run from W = 0, as printed and, with a prime, corrected.

    (7) and (17) name W* where the expanded square has W_t; (8) and (18) rest on that term being
    negative. (24) is compared with the roots cleared and W^T read as W_T.

    Returns
    -------
    dict of Line
    """
    _start_at_zero(run, "Liang's proof")
    q = trace(run, v)
    R2, rho, T = q.radius, q.margin, q.t + 1
    norm, along = q.square[1:], q.along[1:]
    return {
        "2": Line(along, "=", (q.W[:-1] + q.x) @ np.asarray(v, dtype=q.W.dtype)),
        "3": Line(along, "=", q.along[:-1] + q.gain),
        "4": Line(along, "≥", q.along[:-1] + rho),
        "5": Line(along, ">", q.along[:-1]),
        "6": Line(norm, "=", ((q.W[:-1] + q.x) ** 2).sum(axis=1)),
        "7": Line(norm, "=", q.square[:-1] + 2 * q.gain + q.size),
        "7'": Line(norm, "=", q.square[:-1] + 2 * q.score + q.size),
        "8": Line(q.square[:-1] + 2 * q.gain + q.size, "≤", q.square[:-1] + q.size),
        "8'": Line(q.square[:-1] + 2 * q.score + q.size, "≤", q.square[:-1] + q.size),
        "9": Line(norm, "≤", q.square[:-1] + R2),
        "14": Line(along, "≥", q.along[0] + T * rho),
        "15": Line(along, "≥", T * rho),
        "21": Line(norm, "≤", q.square[0] + T * R2),
        "22": Line(norm, "≤", T * R2),
        "23": Line(_signed(along) * R2, "≥", T * rho**2 * norm),
        "24": Line(T * norm * rho**2, "≤", R2 * along**2),
        "24'": Line(T * rho**2, "≤", 0 * T + R2 * q.length),
    }


def _signed(a):
    return a * abs(a)


def _start_at_zero(run, whose):
    if np.any(run.w0 != 0):
        raise ValueError(f"the run starts at {run.w0}; {whose} starts at zero (replay.rojas takes any start)")
