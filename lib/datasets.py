"""Real data for two-class problems: German credit (bundled), scikit-learn's own sets, and sets that lie elsewhere.

`load(name)` gives points and labels. A file is looked for in data/ and then in the folder that the environment
variable MARGIN_DATA names, and is used only if its SHA-256 is the one on record. scikit-learn is imported when one
of its sets is asked for.
"""

import hashlib
import os
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent.parent / "data"


class DataError(FileNotFoundError):
    """A data set is unknown, missing, or not what it should be."""


@dataclass(frozen=True)
class Dataset:
    """Points of two classes.

    Attributes
    ----------
    name : str
    X : ndarray of float, shape (p, d)
    y : ndarray of int, shape (p,)
        1 and −1.
    source : str
        Where the numbers come from, in a sentence.
    """

    name: str
    X: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    source: str

    def standardised(self):
        """X with every column brought to mean 0 and standard deviation 1; constant columns are left out."""
        spread = self.X.std(axis=0)
        return ((self.X - self.X.mean(axis=0)) / np.where(spread > 0, spread, 1))[:, spread > 0]

    def patterns(self, grid=1000):
        """The standardised points, folded as Falkowski does: [φ, −1] for one class, [−φ, 1] for the other.

        In units of 1/grid, rounded to whole numbers: runs are then exact, and the same on every machine.
        """
        X = np.rint(grid * self.standardised()).astype(np.int64)
        return np.column_stack([X, np.full(len(X), -grid)]) * self.y[:, None]


@dataclass(frozen=True)
class _File:
    """A file with its hash, and how to read X and the positive class from its bytes' path."""

    path: str
    sha256: str
    read: object
    source: str


def _german(path):
    table = np.load(path)
    return table[:, :-1], table[:, -1] == 1


def _australian(path):
    table = np.loadtxt(path)
    return table[:, :-1], table[:, -1] == 1


FILES = {
    "german": _File(
        "german/german.npy",
        "9e9f8a71fc2223e26e8b740b694a8b7dd20c51fc5d0e6d4cfbe6f6dd175bc7fa",
        _german,
        "UCI Statlog German credit, numeric form; good customers are the positive class",
    ),
    "australian": _File(
        "australian/australian.dat",
        "3abe5af151afa50b999a9ba21cbc884e80d80a4050b716cf88b34a2e6ecb731c",
        _australian,
        "UCI Statlog Australian credit approval",
    ),
}
PAIRS = {
    "breast_cancer": ("load_breast_cancer", 0, 1),
    "wine_0v1": ("load_wine", 0, 1),
    "wine_1v2": ("load_wine", 1, 2),
    "wine_0v2": ("load_wine", 0, 2),
    "iris_0v1": ("load_iris", 0, 1),
    "iris_1v2": ("load_iris", 1, 2),
    "digits_3v8": ("load_digits", 3, 8),
    "digits_1v7": ("load_digits", 1, 7),
    "digits_4v9": ("load_digits", 4, 9),
    "digits_5v9": ("load_digits", 5, 9),
    "digits_0v6": ("load_digits", 0, 6),
}
NAMES = (*FILES, *PAIRS)


def load(name):
    """A data set by name, one of `NAMES`.

    Raises
    ------
    DataError
        If the name is unknown, the file is missing or altered, or scikit-learn is not installed.
    """
    if name in FILES:
        file = FILES[name]
        X, positive = file.read(find(file.path, file.sha256))
        return Dataset(name, np.asarray(X, dtype=np.float64), np.where(positive, 1, -1), file.source)
    if name in PAIRS:
        return _bundled(name, *PAIRS[name])
    near = get_close_matches(name, NAMES, n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(NAMES)}"
    raise DataError(f"there is no data set {name!r}; {hint}")


def find(path, sha256):
    """The place of a data file: in data/, else under $MARGIN_DATA; its bytes must have the hash."""
    elsewhere = os.environ.get("MARGIN_DATA")
    for folder in (FOLDER, *([Path(elsewhere)] if elsewhere else [])):
        if (folder / path).is_file():
            found = hashlib.sha256((folder / path).read_bytes()).hexdigest()
            if found != sha256:
                raise DataError(f"{path} has SHA-256 {found}; expected {sha256}")
            return folder / path
    raise DataError(f"{path} is not here; expected it in data/ or in the folder that MARGIN_DATA names")


def _bundled(name, loader, first, second):
    try:
        from sklearn import datasets
    except ImportError as error:
        raise DataError(f"{name} comes with scikit-learn, which is missing; expected it to be installed") from error
    X, y = getattr(datasets, loader)(return_X_y=True)
    kept = (y == first) | (y == second)
    source = f"scikit-learn's {loader}, class {first} against class {second}"
    return Dataset(name, X[kept].astype(np.float64), np.where(y[kept] == second, 1, -1), source)
