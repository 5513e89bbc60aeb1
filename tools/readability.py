"""How the notebooks read, in numbers: `python -m tools.readability [NAME …]` prints a line for each."""

import re
import sys
from statistics import mean, median

from lib.claims import MIME
from tools.notebooks import code_cells, find, listing, read, tags

LONGEST_CELL, LONGEST_LINE, MEDIAN = 15, 100, 8
"""A cell that draws may be a third longer."""


def prose(nb):
    """The running text of the markdown cells: no headings, tables, lists of parameters, code or displayed formulas."""
    text = "\n\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    text = re.sub(r"```.*?```|\$\$.*?\$\$|<[^>]*>", " ", text, flags=re.DOTALL)
    return "\n".join(line for line in text.splitlines() if not re.match(r"\s*(#|\||- `)", line))


def sentences(text):
    """The lengths of the sentences in words; a formula is a word."""
    text = re.sub(r"\$[^$]*\$|`[^`]*`|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "x", text)
    parts = re.split(r"(?<=[.!?])[\s*_)»]+(?=[\"«(*_]*[A-Z0-9])|\n\s*\n|\n\s*[-\d]+[.\s]", text)
    lengths = [len(re.findall(r"\w[\w'’-]*", part)) for part in parts]
    return [length for length in lengths if length > 2]


def draws(cell):
    """Whether a code cell makes a figure."""
    return bool(
        re.search(r"\b(save|slides)\(", cell.source) or re.search(r"def \w+\(.*\n(.*\n)*?.*\bax\b", cell.source)
    )


def rulings_in_a_row(nb):
    """The largest number of rulings shown one by one without prose or a table between them."""
    longest = run = 0
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            run = 0
            continue
        shown = [len(output.data[MIME]) for output in cell.outputs if MIME in output.get("data", {})]
        run = 0 if any(n > 1 for n in shown) else run + len(shown)
        longest = max(longest, run)
    return longest


def measure(nb):
    """The numbers that a page is judged by."""
    cells = [cell for cell in code_cells(nb) if "parameters" not in tags(cell)]
    sizes = [len(cell.source.splitlines()) for cell in cells]
    lengths = sentences(prose(nb))
    limits = [LONGEST_CELL * 4 // 3 if draws(cell) else LONGEST_CELL for cell in cells]
    return {
        "words a sentence": round(mean(lengths), 1) if lengths else 0,
        "code lines": sum(sizes),
        "median cell": median(sizes) if sizes else 0,
        "cells too long": sum(size > limit for size, limit in zip(sizes, limits, strict=True)),
        "longest line": max((len(line) for cell in cells for line in cell.source.splitlines()), default=0),
        "rulings in a row": rulings_in_a_row(nb),
        "figures": sum("image/png" in o.get("data", {}) for cell in cells for o in cell.outputs),
        "folded": sum(cell.source.count("<details>") for cell in nb.cells if cell.cell_type == "markdown"),
    }


def main(names):
    """Print the measures of these notebooks, of all if none is named."""
    paths = [find(name) for name in names] or listing()
    rows = {path.stem: measure(read(path)) for path in paths}
    print(f"{'':32}" + "".join(f"{name:>18}" for name in next(iter(rows.values()))))
    for stem, row in rows.items():
        print(f"{stem:32}" + "".join(f"{value:>18}" for value in row.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
