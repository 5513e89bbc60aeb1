"""A folder with one JSON file for each finished run; and bits as text."""

import base64
import json
import platform
import sys
import time
import zlib
from importlib.metadata import version

import numpy as np

from lib.files import store
from lib.studies.table1 import digest


class Store:
    """Records by name, each in a file of its own, written whole or not at all."""

    def __init__(self, folder, *, until=None):
        self.folder, self.until = folder, until

    def keep(self, name, make):
        """The record of this name; if there is none it is made."""
        path = self.folder / f"{name}.json"
        if not path.is_file():
            if self.until and time.time() > self.until:
                raise OutOfTime(name)
            begun = time.process_time()
            record = make()
            spent = {"process_seconds": round(time.process_time() - begun, 1), "ended": time.strftime("%Y-%m-%d %H:%M")}
            store(path, json.dumps({"name": name, **record, **spent, "made_by": made_by()}) + "\n")
            shown = {key: record[key] for key in ("setting", "rows", "passes", "validation", "test") if key in record}
            print(time.strftime("%H:%M:%S"), name, shown, spent["process_seconds"], flush=True)
        return self[name]

    def __getitem__(self, name):
        return json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))

    def names(self):
        """The names of all records."""
        return sorted(path.stem for path in self.folder.glob("*.json"))


class Memory(dict):
    """Records by name, for as long as the process lives."""

    def keep(self, name, make):
        """The record of this name; if there is none it is made."""
        if name not in self:
            self[name] = make()
        return self[name]

    def names(self):
        """The names of all records."""
        return list(self)


class OutOfTime(Exception):
    """The next run would begin after the time that was given."""


def made_by():
    """Versions, command, and a digest of the code."""
    return {
        "versions": {"python": platform.python_version()}
        | {name: version(name) for name in ("numpy", "scipy", "numba", "scikit-learn")},
        "command": " ".join(["python -m tools.table1", *sys.argv[1:]]),
        "digest": digest(),
        "threads": 1,
    }


def pack(bits):
    """Bits as text, packed."""
    return base64.b85encode(zlib.compress(np.packbits(bits).tobytes(), 9)).decode()


def unpack(text, count):
    """The bits again, so many."""
    raw = np.frombuffer(zlib.decompress(base64.b85decode(text)), np.uint8)
    return np.unpackbits(raw)[:count].astype(bool)
