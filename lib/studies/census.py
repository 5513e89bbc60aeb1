"""The sets that `search` finds, run in every order, and the tables of them that notebook 24 stores."""

import csv
from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from math import lcm
from pathlib import Path

import numpy as np

from lib.files import DATA, as_csv, store
from lib.studies.lifting import bound, race
from lib.studies.search import lifted

CENSUS, COUNTS = DATA / "lifting_census.csv", DATA / "lifting_counts.csv"
"""The rows of `census_rows` for four, five and six points; the numbers of sets by points."""
CHUNK = 400_000
"""So many runs are raced at once."""


def outcomes(found, *, shift=None, order="cyclic", watch=None):
    """The perceptron on every set in each of its n! orders.

    Parameters
    ----------
    found : Found
    shift : number, optional
        Another shift than the search's own.
    order : {"cyclic", "restart"}
    watch : function, optional

    Returns
    -------
    updates : ndarray of int, shape (m, n!)
    hits : ndarray of bool, shape (m, n!)
        The run makes the searched number of corrections and ends at the target.
    """
    s = found.shift if shift is None else Fraction(shift)
    m, n = found.k.shape
    orders = np.array(list(permutations(range(n))))
    Z = lifted(found.k, found.y, found.spacing, s)
    q = found.spacing.denominator**2 * s.denominator
    unit = lcm(*(v.denominator for v in found.target))
    goal = np.array([int(v * unit) for v in found.target]) * q
    updates, hits = np.zeros((m, len(orders)), dtype=np.int64), np.zeros((m, len(orders)), dtype=bool)
    at_once = max(1, CHUNK // len(orders))
    for i in range(0, m, at_once):
        part = slice(i, i + at_once)
        stack = Z[part][:, orders].reshape(-1, n, 3)
        T, w, ended = race(stack, order=order)
        if not ended.all():
            raise ValueError("a run went on without end; expected separable sets")
        updates[part] = T.reshape(-1, len(orders))
        hits[part] = ((w * unit == goal).all(axis=1) & (found.updates == T)).reshape(-1, len(orders))
        if watch is not None:
            watch(f"{n} points, shift {s}, {order}: {min(i + at_once, m)} of {m} sets in all {len(orders)} orders")
    return updates, hits


def census_rows(found, *, watch=None):
    """One row a set that a fixed order, presented cyclically or from the top again, leads to the target.

    Returns
    -------
    list of dict
        points; labels; cyclic, restart: orders that end at the target; bound0, bound1: D²/γ² with x² and with
        x² − 1; mean0, mean1: corrections, the mean over all orders, cyclic; slower: some order that ends at the
        target is slower with x² (in its own mode).
    """
    modes = ("cyclic", "restart")
    shifted = {mode: outcomes(found, order=mode, watch=watch) for mode in modes}
    fixed = np.flatnonzero(sum(hits.sum(axis=1) for _, hits in shifted.values()))
    kept = found.take(fixed)
    plain = {mode: outcomes(kept, shift=0, order=mode, watch=watch)[0] for mode in modes}
    table = []
    for i, j in enumerate(fixed):
        x, y = kept.points(i)
        slower = any((plain[m][i] > found.updates)[shifted[m][1][j]].any() for m in modes)
        table.append(
            {
                "points": " ".join(map(str, x)),
                "labels": "".join("+" if v > 0 else "-" for v in y),
                "cyclic": int(shifted["cyclic"][1][j].sum()),
                "restart": int(shifted["restart"][1][j].sum()),
                "bound0": round(float(bound(x, y, 0)), 6),
                "bound1": round(float(bound(x, y, found.shift)), 6),
                "mean0": round(float(plain["cyclic"][i].mean()), 6),
                "mean1": round(float(shifted["cyclic"][0][j].mean()), 6),
                "slower": int(slower),
            }
        )
    return table


def write_rows(rows, path):
    """Store rows, one dict each, as CSV."""
    store(Path(path), as_csv(rows))


def read_rows(path):
    """The stored rows; all but `points` and `labels` of the census are numbers."""
    path = Path(path)
    if not path.exists():
        raise ValueError(f"{path.name} is not in data/; expected what notebook 24 writes with store=true")
    table = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    return [{name: _number(v) for name, v in row.items()} for row in table]


def _number(text):
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
