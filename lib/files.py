"""Where the project's files stand, how one is written, whole or not at all, and how a notebook shows something."""

import csv
import io
import json
import os
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS, FIGURES, DATA, PROOFS, RUNS = (ROOT / name for name in ("notebooks", "figures", "data", "proofs", "runs"))


def store(path, content):
    """Write a file, text or bytes, whole or not at all."""
    store_all({path: content})


def store_all(files):
    """Write files, path to content, each whole, and none before there is room for all."""
    partials = {path: path.with_name(f".{path.name}.{os.getpid()}.partial") for path in files}
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            partials[path].write_bytes(content.encode() if isinstance(content, str) else content)
        for path, partial in partials.items():
            partial.replace(path)
    except OSError as error:
        ours = error.filename in (None, str(partials[path]))
        raise OSError(error.errno, error.strerror, str(path) if ours else error.filename) from None
    finally:
        for partial in partials.values():
            with suppress(OSError):
                partial.unlink(missing_ok=True)


def display(text, data, **metadata):
    """Show data, by MIME type, in a notebook's output, and their text; where there is no notebook, print the text."""
    ipython = sys.modules.get("IPython")
    if ipython and ipython.get_ipython():
        from IPython.display import display as show

        show({"text/plain": text, **data}, raw=True, metadata=metadata)
    else:
        print(text)


def as_csv(rows):
    """Rows, one dict each, as CSV text; lists and dicts in it are JSON."""
    columns, text = list(dict.fromkeys(name for row in rows for name in row)), io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in row.items()})
    return text.getvalue()


def read_csv(path):
    """The rows of a CSV file as dicts; what reads as a number is one."""
    return [{name: _number(v) for name, v in row.items()} for row in csv.DictReader(path.read_text().splitlines())]


def _number(text):
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
