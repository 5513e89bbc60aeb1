"""The «Try» lines of the notebooks: read from their text, run, and their answers checked.

A line is an item of the list under **Try**: parameters, a question, its answer in italics.

    - `points = 3`, `sets = 50`: is there still a counterexample? *Not for `rojas-closer`: the sets are too few.*

In the answer a code span is either a claim, and these are exactly the claims that come out otherwise than by default,
or a text that the run prints. A duration in brackets before the colon, «(two minutes)», marks a line that only the
command `margin try` runs.
"""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from lib.claims import ledger
from lib.files import RUNS
from tools.notebooks import UsageError, code_cells, read

SPAN = re.compile(r"`([^`]+)`")
LINE = re.compile(r"- (?P<parameters>[^:]*?)(?P<long> \([^)]*\))?: (?P<question>.*\?) \*(?P<answer>.+)\*")


@dataclass(frozen=True)
class Try:
    """One suggestion to the reader."""

    notebook: Path
    line: str
    params: dict
    long: bool
    otherwise: tuple
    """The claims that the answer names: those that come out otherwise."""
    printed: tuple
    """The texts that the answer quotes."""

    def faults(self, record, folder):
        """What a run of the line did that its answer does not say, a sentence each."""
        if not record.ok:
            return [f"{self.line}: {record.status}: {record.error}"]
        faults = []
        if set(record.otherwise) != set(self.otherwise):
            faults.append(f"{self.line}: otherwise than by default came out {record.otherwise or 'nothing'}")
        text = shown(read(folder / record.output))
        missing = [words for words in self.printed if words not in text]
        return faults + [f"{self.line}: the run does not print {words!r}" for words in missing]


def shown(nb):
    """All text that a notebook's outputs show."""
    outputs = [output for cell in code_cells(nb) for output in cell.outputs]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


def tries(path):
    """The Try lines of a notebook; a UsageError names a line that is not one."""
    cells = [cell.source for cell in read(path).cells if cell.cell_type == "markdown" and "**Try" in cell.source]
    lines = [line for cell in cells for line in cell.partition("**Try")[2].splitlines()[1:] if line.strip()]
    return [_read(path, line) for line in lines if line.startswith("- ")]


def _read(path, line):
    match = LINE.fullmatch(line)
    if not match:
        raise UsageError(f"{path.name}: {line!r} is no Try line; expected - `name = value`: a question? *its answer*")
    quoted, claims = SPAN.findall(match["answer"]), ledger()
    pairs = [words.partition(" = ")[::2] for words in SPAN.findall(match["parameters"])]
    try:
        params = {name: ast.literal_eval(value) for name, value in pairs}
    except (SyntaxError, ValueError):
        raise UsageError(f"{path.name}: {match['parameters']} are no parameters; expected `name = value`") from None
    otherwise = tuple(words for words in quoted if words in claims)
    printed = tuple(words for words in quoted if words not in claims)
    return Try(path, line, params, bool(match["long"]), otherwise, printed)


def faults_of(lines, *, folder=None, **options):
    """Run Try lines, each in a kernel of its own, and gather what their answers do not say."""
    from tools.runner import plan

    folder = Path(folder or RUNS)
    records = plan.experiments([(one.notebook, one.params) for one in lines], folder=folder, **options)
    return [fault for one, record in zip(lines, records, strict=True) for fault in one.faults(record, folder)]
