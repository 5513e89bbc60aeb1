"""The plotted numbers of two runs, compared: a figure has changed if its numbers have, not if its pixels have."""

import csv
from pathlib import Path

import numpy as np

from lib.files import FIGURES


def compare(fresh, *, rtol=1e-4):
    """Compare the plotted numbers in a folder with the committed ones: one sentence a difference, none if all agree.

    A number may differ by `rtol` of itself, or by a hundredth of that of the largest in its column and series.
    """
    fresh = Path(fresh)
    names = sorted({path.name for folder in (FIGURES, fresh) for path in folder.glob("*.csv")})
    return [problem for name in names if (problem := _difference(FIGURES / name, fresh / name, rtol))]


def _difference(old, new, rtol):
    for path in (old, new):
        if not path.exists():
            return f"{path.name} is missing in {path.parent.name}; expected it in both folders"
    a, b = (list(csv.reader(path.read_text().splitlines()))[1:] for path in (old, new))
    if [row[:3] for row in a] != [row[:3] for row in b]:
        return f"{old.name}: the series differ"
    left, right = (np.array([row[3:] for row in rows], dtype=float).reshape(-1, 2) for rows in (a, b))
    size, series = np.zeros_like(left), np.array([" ".join(row[:3]) for row in a])
    for name in set(series):
        size[series == name] = np.nanmax(abs(left[series == name]), axis=0, initial=0)
    far = ~(np.isclose(left, right, rtol=rtol, atol=0, equal_nan=True) | (abs(left - right) <= rtol / 100 * size))
    return f"{old.name}: {far.sum()} of {far.size} numbers differ" if far.any() else ""
