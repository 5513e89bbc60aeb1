"""The two data sets of Collobert & Bengio's Table 1, as UCI gives them.

Covertype ("Forest") is bundled, in compact form: see data/covtype/PROVENANCE.md. Connect-4 is not: it is read from
the folder that the environment variable MARGIN_DATA names, else from .cache/data, else downloaded into it.
"""

import gzip
import hashlib
import io
import lzma
import os
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
COVTYPE = ROOT / "data" / "covtype" / "covtype.npz.xz"
CACHE = ROOT / ".cache" / "data"

CONNECT4 = "063152e6eadbb424c7ef4645df76e493a43812edd9c992400983da4fa54f8cba"
"""SHA-256 of UCI's connect-4.data, 5,968,100 bytes."""
CONNECT4_URL = (
    "https://raw.githubusercontent.com/EpistasisLab/pmlb/d8b0e551596bdb2d204e584df5c3c138e1757ed6/"
    "datasets/classification/connect-4/connect-4.tsv.gz"
)
CONNECT4_TSV = "e283074e1123d23361332bd83414c172640d2596fc076d1e20e8f4a64a658137"


class DataMissing(FileNotFoundError):
    """A data set that is not bundled, and could not be found or downloaded."""


def covertype():
    """UCI Covertype.

    Returns
    -------
    X : ndarray of int16, shape (581012, 54)
        Ten measurements, four indicators of the wilderness area, forty of the soil type.
    cover : ndarray of uint8, shape (581012,)
        The cover type, 1 to 7.
    """
    columns = np.load(io.BytesIO(lzma.decompress(COVTYPE.read_bytes())))
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
    DataMissing
        Says where to put the file.
    """
    table = np.array([line.split(",") for line in _connect4_text().split()])
    squares = table[:, :42, None] == np.array(["x", "o", "b"])
    return squares.reshape(len(table), 126).astype(np.int8), table[:, 42]


def _connect4_text():
    for folder in (os.environ.get("MARGIN_DATA"), CACHE):
        for path in _candidates(folder, ("", "connect4", "connect-4"), ("", ".xz", ".gz")):
            content = path.read_bytes()
            content = {".xz": lzma.decompress, ".gz": gzip.decompress}.get(path.suffix, bytes)(content)
            return _verified(content, CONNECT4, path).decode()
    content = _uci_format(_download(CONNECT4_URL, CONNECT4_TSV, "Connect-4", "connect-4.data"))
    CACHE.mkdir(parents=True, exist_ok=True)
    partial = CACHE / f"connect-4.data.{os.getpid()}.partial"
    partial.write_bytes(_verified(content, CONNECT4, CONNECT4_URL))
    partial.replace(CACHE / "connect-4.data")
    return content.decode()


def _candidates(folder, below, endings):
    paths = [Path(folder) / part / f"connect-4.data{end}" for part in below for end in endings] if folder else []
    return [path for path in paths if path.is_file()]


def _uci_format(packed):
    """UCI's lines from PMLB's codes: 0, 1, 2 are b, o, x, and draw, loss, win."""
    rows = [line.split("\t") for line in gzip.decompress(packed).decode().splitlines()[1:]]
    lines = [",".join(["box"[int(c)] for c in row[:42]] + [("draw", "loss", "win")[int(row[42])]]) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def _verified(content, digest, source):
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise ValueError(f"{source} has SHA-256 {found}; expected {digest}")
    return content


def _download(url, digest, name, file):
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return _verified(answer.read(), digest, url)
    except (urllib.error.URLError, OSError, TimeoutError) as error:
        raise DataMissing(
            f"{name} is not bundled and the download failed ({error}); expected {file}, {file}.xz or {file}.gz "
            f"in the folder that MARGIN_DATA names, or in {CACHE}"
        ) from None


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
