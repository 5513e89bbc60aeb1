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
from pathlib import Path

import numpy as np

from lib.files import DATA, ROOT, store
from lib.numbers import as_matrix, largest, roomy, whole_number

CACHE = ROOT / ".cache" / "data"
BUNDLED = {
    "german/german.npy": "9e9f8a71fc2223e26e8b740b694a8b7dd20c51fc5d0e6d4cfbe6f6dd175bc7fa",
    "covtype/covtype.npz.xz": "c30174faa24c195cd1ebdee61f57bf1b3f88cedc157ba8c67bfb1272e438fa09",
}
CONNECT4 = "063152e6eadbb424c7ef4645df76e493a43812edd9c992400983da4fa54f8cba"
"""SHA-256 of UCI's connect-4.data, 5,968,100 bytes; PMLB has the same table in other codes."""
PMLB = "https://raw.githubusercontent.com/EpistasisLab/pmlb/d8b0e551596bdb2d204e584df5c3c138e1757ed6/"
CONNECT4_URL = PMLB + "datasets/classification/connect-4/connect-4.tsv.gz"
CONNECT4_TSV = "e283074e1123d23361332bd83414c172640d2596fc076d1e20e8f4a64a658137"
UNPACK = {".data": bytes, ".xz": lzma.decompress, ".gz": gzip.decompress}
CLASSES = {"wine": "0v1 1v2 0v2", "iris": "0v1 1v2", "digits": "3v8 1v7 4v9 5v9 0v6"}
PAIRS = ("breast_cancer", *(f"{name}_{pair}" for name, pairs in CLASSES.items() for pair in pairs.split()))
"""Two classes each of scikit-learn's sets; of breast_cancer there are no more."""


class DataError(FileNotFoundError):
    """A data set is unknown, missing, or not what it should be."""


def _verified(content, digest, source):
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise DataError(f"{source} has SHA-256 {found}; expected {digest}")
    return content


def _bundled(path):
    if not (DATA / path).is_file():
        raise DataError(f"{path} is not here; expected it in data/")
    return _verified((DATA / path).read_bytes(), BUNDLED[path], path)


@dataclass(frozen=True)
class Dataset:
    """Points of two classes: X of shape (p, d), y of 1 and −1, and a sentence that says where they come from."""

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
    """A data set by name, "german" or one of `PAIRS`; DataError if there is none, or if it is missing or altered."""
    if name == "german":
        table = np.load(io.BytesIO(_bundled("german/german.npy"))).astype(np.float64)
        source = "UCI Statlog German credit, numeric form; good customers are the positive class"
        return Dataset(name, table[:, :-1], np.where(table[:, -1] == 1, 1, -1), source)
    if name not in PAIRS:
        raise DataError(f"there is no data set {name!r}; expected one of german, {', '.join(PAIRS)}")
    from sklearn import datasets

    family, _, pair = ("breast_cancer_0v1" if name == "breast_cancer" else name).rpartition("_")
    first, second = map(int, pair.split("v"))
    X, y = getattr(datasets, f"load_{family}")(return_X_y=True)
    kept = (y == first) | (y == second)
    source = f"scikit-learn's load_{family}, class {first} against class {second}"
    return Dataset(name, X[kept].astype(np.float64), np.where(y[kept] == second, 1, -1), source)


def covertype():
    """UCI Covertype: X, int16 of shape (581012, 54), and the cover type of each row, 1 to 7.

    The columns are ten measurements, four indicators of the wilderness area, forty of the soil type.
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

    Returns X, int8 of shape (67557, 126): for each of the 42 squares a1, a2, …, g6 three indicators, the first
    player's piece, the second's, empty; and the outcome for the first player, "win", "loss" or "draw", one a row.
    """
    table = np.array([line.split(",") for line in _connect4_text().split()])
    squares = table[:, :42, None] == np.array(["x", "o", "b"])
    return squares.reshape(len(table), 126).astype(np.int8), table[:, 42]


def _connect4_text():
    for folder in filter(None, (os.environ.get("MARGIN_DATA"), CACHE)):
        for path in [*Path(folder).glob("connect-4.data*"), *Path(folder).glob("connect*4/connect-4.data*")]:
            if path.suffix in UNPACK:
                return _verified(_unpacked(path), CONNECT4, path).decode()
    content = _verified(_downloaded(), CONNECT4, CONNECT4_URL)
    store(CACHE / "connect-4.data", content)
    return content.decode()


def _unpacked(path):
    try:
        return UNPACK[path.suffix](path.read_bytes())
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DataError(f"{path} cannot be read ({error}); expected connect-4.data, packed or not") from None


def _downloaded():
    """UCI's lines from PMLB's table, where 0, 1, 2 are b, o, x, and draw, loss, win."""
    try:
        with urllib.request.urlopen(CONNECT4_URL, timeout=60) as answer:
            packed = _verified(answer.read(), CONNECT4_TSV, CONNECT4_URL)
    except OSError as error:
        where = f"expected connect-4.data, or it as .xz or .gz, in the folder that MARGIN_DATA names, or in {CACHE}"
        raise DataError(f"Connect-4 is not bundled and the download failed ({error}); {where}") from None
    rows = [line.split("\t") for line in gzip.decompress(packed).decode().splitlines()[1:]]
    lines = [",".join(["box"[int(c)] for c in row[:42]] + [("draw", "loss", "win")[int(row[42])]]) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def prepared(X, y, sizes, *, rng=0, bits=8):
    """Draw disjoint parts of the rows, of these sizes, and standardise all of them by the first: a pair (X, y) each.

    Means and variances come from integer sums, and the results are rounded to multiples of 2^−bits: the same numbers
    on every machine.
    """
    if sum(whole_number(size, "a size", least=1) for size in sizes) > len(X):
        raise ValueError(f"the parts have {sum(sizes)} rows; expected at most {len(X)}")
    if np.asarray(X).dtype.kind not in "iu":
        raise ValueError(f"X has dtype {np.asarray(X).dtype}; expected integers, which are summed exactly")
    order = np.random.default_rng(rng).permutation(len(X))[: sum(sizes)]
    parts = np.split(order, np.cumsum(sizes)[:-1])
    first = as_matrix(X[parts[0]], "X")
    first = roomy(first, largest(first) ** 2 * len(first))
    mean, square = ((power.sum(axis=0) / len(first)).astype(float) for power in (first, first * first))
    spread = np.sqrt(np.maximum(square - mean * mean, 0))
    spread[spread == 0] = 1
    return [(np.round((X[part] - mean) / spread * 2.0**bits) / 2.0**bits, y[part]) for part in parts]
