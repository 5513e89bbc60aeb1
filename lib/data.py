"""Real data, each set used only if its SHA-256 is the one on record.

`load(name)` gives German credit, which is bundled, or one of scikit-learn's sets. `covertype()` ("Forest", bundled in
compact form) and `connect4()` are the sets of Collobert & Bengio's Table 1, as UCI gives them. Connect-4 is read from
the folder that the environment variable MARGIN_DATA names, else from .cache/data, else downloaded into it.
"""

import gzip
import hashlib
import io
import lzma
import os
import urllib.request
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from lib.files import DATA, ROOT, store

CACHE = ROOT / ".cache" / "data"
BUNDLED = {
    "german/german.npy": "9e9f8a71fc2223e26e8b740b694a8b7dd20c51fc5d0e6d4cfbe6f6dd175bc7fa",
    "covtype/covtype.npz.xz": "c30174faa24c195cd1ebdee61f57bf1b3f88cedc157ba8c67bfb1272e438fa09",
}
CONNECT4 = "063152e6eadbb424c7ef4645df76e493a43812edd9c992400983da4fa54f8cba"
"""SHA-256 of UCI's connect-4.data, 5,968,100 bytes."""
CONNECT4_URL = (
    "https://raw.githubusercontent.com/EpistasisLab/pmlb/d8b0e551596bdb2d204e584df5c3c138e1757ed6/"
    "datasets/classification/connect-4/connect-4.tsv.gz"
)
CONNECT4_TSV = "e283074e1123d23361332bd83414c172640d2596fc076d1e20e8f4a64a658137"
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


class DataError(FileNotFoundError):
    """A data set is unknown, missing, or not what it should be."""


def _bundled(path):
    """The bytes of a file in data/."""
    if not (DATA / path).is_file():
        raise DataError(f"{path} is not here; expected it in data/")
    return _verified((DATA / path).read_bytes(), BUNDLED[path], path)


def _verified(content, digest, source):
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise DataError(f"{source} has SHA-256 {found}; expected {digest}")
    return content


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


def load(name):
    """A data set by name, "german" or one of `PAIRS`.

    Raises
    ------
    DataError
        If the name is unknown, the file is missing or altered, or scikit-learn is not installed.
    """
    if name in PAIRS:
        return _pair(name, *PAIRS[name])
    if name == "german":
        table = np.load(io.BytesIO(_bundled("german/german.npy"))).astype(np.float64)
        source = "UCI Statlog German credit, numeric form; good customers are the positive class"
        return Dataset(name, table[:, :-1], np.where(table[:, -1] == 1, 1, -1), source)
    near = get_close_matches(name, PAIRS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of german, {', '.join(PAIRS)}"
    raise DataError(f"there is no data set {name!r}; {hint}")


def _pair(name, loader, first, second):
    try:
        from sklearn import datasets
    except ImportError as error:
        raise DataError(f"{name} comes with scikit-learn, which is missing; expected it to be installed") from error
    X, y = getattr(datasets, loader)(return_X_y=True)
    kept = (y == first) | (y == second)
    source = f"scikit-learn's {loader}, class {first} against class {second}"
    return Dataset(name, X[kept].astype(np.float64), np.where(y[kept] == second, 1, -1), source)


def covertype():
    """UCI Covertype.

    Returns
    -------
    X : ndarray of int16, shape (581012, 54)
        Ten measurements, four indicators of the wilderness area, forty of the soil type.
    cover : ndarray of uint8, shape (581012,)
        The cover type, 1 to 7.
    """
    columns = np.load(io.BytesIO(lzma.decompress(_bundled("covtype/covtype.npz.xz"))))
    n = len(columns["cover"])
    X = np.zeros((n, 54), dtype=np.int16)
    X[:, :10] = columns["numeric"].T
    X[np.arange(n), 10 + columns["wilderness"].astype(int)] = 1
    X[np.arange(n), 14 + columns["soil"].astype(int)] = 1
    return X, columns["cover"]


def connect4():
    """UCI Connect-4: all legal positions with eight pieces in which nobody has won and the next move is not forced.

    Returns
    -------
    X : ndarray of int8, shape (67557, 126)
        For each of the 42 squares a1, a2, …, g6 three indicators: the first player's piece, the second's, empty.
    outcome : ndarray of str, shape (67557,)
        "win", "loss" or "draw" for the first player.

    Raises
    ------
    DataError
        Says where to put the file.
    """
    table = np.array([line.split(",") for line in _connect4_text().split()])
    squares = table[:, :42, None] == np.array(["x", "o", "b"])
    return squares.reshape(len(table), 126).astype(np.int8), table[:, 42]


def _connect4_text():
    for folder in (os.environ.get("MARGIN_DATA"), CACHE):
        for path in _candidates(folder, ("", "connect4", "connect-4"), ("", ".xz", ".gz")):
            unpack = {".xz": lzma.decompress, ".gz": gzip.decompress}.get(path.suffix, bytes)
            return _verified(unpack(path.read_bytes()), CONNECT4, path).decode()
    content = _verified(_uci_format(_downloaded()), CONNECT4, CONNECT4_URL)
    store(CACHE / "connect-4.data", content)
    return content.decode()


def _candidates(folder, below, endings):
    paths = [Path(folder) / part / f"connect-4.data{end}" for part in below for end in endings] if folder else []
    return [path for path in paths if path.is_file()]


def _downloaded():
    try:
        with urllib.request.urlopen(CONNECT4_URL, timeout=60) as answer:
            return _verified(answer.read(), CONNECT4_TSV, CONNECT4_URL)
    except OSError as error:
        raise DataError(
            f"Connect-4 is not bundled and the download failed ({error}); expected connect-4.data, connect-4.data.xz "
            f"or connect-4.data.gz in the folder that MARGIN_DATA names, or in {CACHE}"
        ) from None


def _uci_format(packed):
    """UCI's lines from PMLB's codes: 0, 1, 2 are b, o, x, and draw, loss, win."""
    rows = [line.split("\t") for line in gzip.decompress(packed).decode().splitlines()[1:]]
    lines = [",".join(["box"[int(c)] for c in row[:42]] + [("draw", "loss", "win")[int(row[42])]]) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def prepared(X, y, sizes, *, rng=0, bits=8):
    """Draw disjoint parts of the rows and standardise all of them by the first.

    Means and variances come from integer sums, and the results are rounded to multiples of 2^−bits: the same numbers
    on every machine.

    Parameters
    ----------
    X : ndarray of integers, shape (L, n)
    y : ndarray, shape (L,)
    sizes : sequence of int
    rng : int or Generator
    bits : int

    Returns
    -------
    list of pairs (X, y)
        One for each size, in the order of a random permutation.
    """
    if sum(sizes) > len(X):
        raise ValueError(f"the parts have {sum(sizes)} rows; expected at most {len(X)}")
    order = np.random.default_rng(rng).permutation(len(X))[: sum(sizes)]
    parts = np.split(order, np.cumsum(sizes)[:-1])
    first = X[parts[0]].astype(np.int64)
    mean = first.sum(axis=0) / len(first)
    spread = np.sqrt(np.maximum((first * first).sum(axis=0) / len(first) - mean * mean, 0))
    spread[spread == 0] = 1
    return [(np.round((X[part] - mean) / spread * 2.0**bits) / 2.0**bits, y[part]) for part in parts]
