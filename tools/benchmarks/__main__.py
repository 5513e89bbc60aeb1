"""`python -m tools.benchmarks [--quick] [--seed S] [MODULE …]`: run the comparisons, keep table and figure."""

import argparse
import importlib
import pkgutil
import platform
from importlib.metadata import version
from pathlib import Path

from tools import benchmarks
from tools.benchmarks.drawing import draw

RESULTS = Path(__file__).with_name("RESULTS.md")
HEADER = ("what", "size", "peer", "ours", "peer's", "peer / ours", "ours in X@w", "goal", "met", "note")
NOT_MEASURING = ("drawing", "falkowski_stops")
PACKAGES = ("numpy", "numba", "scikit-learn", "scipy", "daqp", "quadprog", "piqp", "highspy")


def main():
    found = [m.name for m in pkgutil.iter_modules(benchmarks.__path__)]
    modules = [name for name in found if not name.startswith("_") and name not in NOT_MEASURING]
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=benchmarks.__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(modules)}; all if none")
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute in all; keeps no results")
    parser.add_argument("--seed", type=int, default=90210, help="of the data; default: 90210")
    options = parser.parse_args()
    unknown = set(options.modules) - set(modules)
    if unknown:
        parser.error(f"no module {', '.join(sorted(unknown))}; there are {', '.join(modules)}")
    lines, rows = [_line(HEADER), _line(["---"] * len(HEADER))], []
    print("\n".join(lines), flush=True)
    for name in options.modules or modules:
        for row in importlib.import_module(f"tools.benchmarks.{name}").rows(options.seed, quick=options.quick):
            rows.append(row)
            lines.append(_line(_cells(row)))
            print(lines[-1], flush=True)
    if not options.quick and not options.modules:
        RESULTS.write_text("\n".join([*_preamble(options.seed), *lines, ""]), encoding="utf-8")
        draw(rows, RESULTS.with_suffix(".png"))


def _cells(row):
    goals = [f">= {row.goal:g}x"] if row.goal else []
    goals += [f"<= {row.passes:g} X@w"] if row.passes else []
    ratio = f"{row.ratio:.3g}x" if row.theirs == row.theirs else ""
    times = _time(row.ours), _time(row.theirs)
    met = ("yes" if row.met else "no") if goals or not row.good else ""
    return row.what, row.size, row.peer, *times, ratio, f"{row.cost:.1f}", ", ".join(goals), met, row.note


def _time(seconds):
    if seconds != seconds:
        return "no answer"
    return (
        f"{seconds * 1e6:.3g} µs"
        if seconds < 1e-3
        else f"{seconds * 1e3:.3g} ms"
        if seconds < 1
        else f"{seconds:.3g} s"
    )


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _preamble(seed):
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    about = f"`python -m tools.benchmarks --seed {seed}`. Python {platform.python_version()}, {versions}."
    picture = "![How many times faster than each peer](RESULTS.png)"
    return ["# Benchmarks", "", about, "", *benchmarks.__doc__.splitlines(), "", picture, ""]


if __name__ == "__main__":
    main()
