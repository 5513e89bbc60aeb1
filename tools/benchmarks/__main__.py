"""`python -m tools.benchmarks [--quick] [MODULE …]`: run the comparisons, print and keep the table."""

import argparse
import importlib
import pkgutil
import platform
from pathlib import Path

import numpy as np

from tools import benchmarks

RESULTS = Path(__file__).with_name("RESULTS.md")
HEADER = ("what", "size", "ours", "peer", "peer / ours", "ours in X@w", "goal", "met", "note")


def main():
    modules = [m.name for m in pkgutil.iter_modules(benchmarks.__path__) if not m.name.startswith("_")]
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=benchmarks.__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(modules)}; all if none")
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute in all; keeps no results")
    options = parser.parse_args()
    unknown = set(options.modules) - set(modules)
    if unknown:
        parser.error(f"no module {', '.join(sorted(unknown))}; there are {', '.join(modules)}")
    lines = [_line(HEADER), _line(["---"] * len(HEADER))]
    print("\n".join(lines), flush=True)
    for name in options.modules or modules:
        for row in importlib.import_module(f"tools.benchmarks.{name}").rows(options.quick):
            lines.append(_line(_cells(row)))
            print(lines[-1], flush=True)
    if not options.quick and not options.modules:
        RESULTS.write_text("\n".join([*_preamble(), *lines, ""]), encoding="utf-8")


def _cells(row):
    ratio = "" if row.ratio is None else f"{row.ratio:.3g}x"
    met = {True: "yes", False: "no", None: ""}[row.met]
    peer = "" if row.peer is None else _time(row.peer)
    return row.name, row.size, _time(row.ours), peer, ratio, f"{row.cost:.1f}", row.goal, met, row.note


def _time(seconds):
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _preamble():
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}"
    return ["# Benchmarks", "", f"`python -m tools.benchmarks`. {versions}.", "", *benchmarks.__doc__.splitlines(), ""]


if __name__ == "__main__":
    main()
