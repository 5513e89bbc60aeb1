"""The ledger of claims, and the verdicts that runs give them.

Each document has one TOML file beside this module: a [document] table and a [[claim]] table for every
statement. A notebook calls `check` with arrays of comparisons; the verdict is derived from them, shown,
stored in the notebook's output, and must agree with what the ledger expects. `lib.claims.scoreboard` is
made of the stored outputs, never of the ledger's word.

holds       the statement as printed was true in every comparison
corrected   it failed somewhere; the corrected statement never did
false       it failed somewhere, and no small correction makes it true
untestable  there is nothing to compare; the ledger says why
"""

import tomllib
from collections import Counter
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

from lib.files import display

HERE = Path(__file__).parent
MIME = "application/vnd.margin-notes.claim+json"
METRICS = "application/vnd.margin-notes.metrics+json"
VERDICTS = ("holds", "corrected", "false", "untestable")
MARKS = {"holds": "✓", "corrected": "✎", "false": "✗", "untestable": "–", None: "?"}
KINDS = "definition, algorithm, equation, inequality, proof step, theorem, example, figure, remark, exercise, table"


class LedgerError(ValueError):
    """The ledger is malformed, or disagrees with a run."""


@dataclass(frozen=True)
class Claim:
    """One statement of one document, in our own words."""

    id: str
    where: str
    kind: str
    says: str
    verdict: str
    correction: str = ""
    why: str = ""
    document: str = ""

    def __post_init__(self):
        problems = [
            (self.kind not in KINDS.split(", "), f"kind {self.kind!r}; expected one of {KINDS}"),
            (self.verdict not in VERDICTS, f"verdict {self.verdict!r}; expected one of {', '.join(VERDICTS)}"),
            ((self.verdict == "corrected") != bool(self.correction), "a correction goes with verdict corrected"),
            ((self.verdict == "untestable") != bool(self.why), "a reason (why) goes with verdict untestable"),
            (not self.id.startswith(f"{self.document}-"), f"an id that does not begin with {self.document}-"),
        ]
        for wrong, what in problems:
            if wrong:
                raise LedgerError(f"claim {self.id} has {what}")


@dataclass(frozen=True)
class Document:
    """A document and its claims in the order of the text."""

    key: str
    title: str
    authors: str
    year: int
    claims: tuple = field(repr=False, default=())


@dataclass(frozen=True)
class Ruling:
    """A verdict with the numbers that it was derived from; (failed, tested) for print and correction."""

    id: str
    verdict: str
    printed: tuple
    corrected: tuple | None
    measured: dict

    def __str__(self):
        text = f"{MARKS[self.verdict]} {self.id} {self.verdict}: {failures(self.printed, self.corrected)}"
        return text + "".join(f"; {name} {value}" for name, value in self.measured.items())


def failures(printed, corrected):
    """«print fails in 3 of 10, correction in 0 of 10», for two pairs of counts, the second perhaps missing."""
    text = "print fails in {} of {}".format(*printed)
    return text + (", correction in {} of {}".format(*corrected) if corrected else "")


@cache
def documents():
    """All documents with their claims, by key; malformed ledgers raise a LedgerError that names the claim."""
    found = {}
    for path in sorted(HERE.glob("*.toml")):
        try:
            raw = tomllib.loads(path.read_text(encoding="utf-8"))
            head, rows = raw["document"], raw.get("claim", [])
            claims = tuple(Claim(**{k: v.strip() for k, v in r.items()}, document=path.stem) for r in rows)
            found[path.stem] = Document(path.stem, head["title"], head["authors"], head["year"], claims)
        except (tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError) as error:
            raise LedgerError(f"{path.name} cannot be read: {error}") from error
    twice = [i for i, n in Counter(c.id for d in found.values() for c in d.claims).items() if n > 1]
    if twice:
        raise LedgerError(f"claim {twice[0]} stands twice in the ledger")
    return found


def ledger():
    """All claims by id, documents in order."""
    return {c.id: c for d in documents().values() for c in d.claims}


def rule(id, *, printed, corrected=None, measured=None):
    """Derive the verdict of a claim from comparisons.

    Parameters
    ----------
    id : str
    printed, corrected : array_like of bool
        Entry by entry, whether the statement as printed, or as corrected, was true.
    measured : dict, optional
        Numbers worth showing, by name; floats are rounded to six digits.

    An unknown id, nothing compared, a correction that fails, or a verdict that the ledger does not expect is a
    LedgerError.
    """
    claim = _find(id)
    wrong = _count(id, "printed", printed)
    mended = None if corrected is None else _count(id, "corrected", corrected)
    if mended and mended[0]:
        raise LedgerError(f"{id}: the correction fails in {mended[0]} of {mended[1]}")
    false = "corrected" if mended else "false"
    shown = {name: _shown(value) for name, value in (measured or {}).items()}
    ruling = Ruling(id, false if wrong[0] else "holds", wrong, mended, shown)
    if ruling.verdict != claim.verdict:
        raise LedgerError(f"the ledger expects {id} to be {claim.verdict}, the run says: {ruling}")
    return ruling


def check(id, *, printed, corrected=None, measured=None):
    """Rule on a claim as `rule` does and show the ruling as a line of the notebook's output."""
    ruling = rule(id, printed=printed, corrected=corrected, measured=measured)
    display(str(ruling), {MIME: asdict(ruling)})


def report(**numbers):
    """Show numbers as a line of the notebook's output and store them for sweeps, which make a column of each."""
    shown = {name: _shown(value) for name, value in numbers.items()}
    display(", ".join(f"{name} = {value}" for name, value in shown.items()), {METRICS: shown})


def _find(id):
    claims = ledger()
    if id not in claims:
        near = get_close_matches(id, claims, n=3)
        raise LedgerError(f"no claim {id!r} in the ledger" + (f"; did you mean {', '.join(near)}?" if near else ""))
    return claims[id]


def _count(id, name, comparisons):
    a = np.asarray(comparisons)
    if a.dtype != bool:
        raise LedgerError(f"{id}: {name} has dtype {a.dtype}; expected comparisons, an array of bool")
    if not a.size:
        raise LedgerError(f"{id}: {name} is empty; a verdict needs at least one comparison")
    return int(a.size - np.count_nonzero(a)), int(a.size)


def _shown(value):
    """A number as JSON has it, floats with six digits; Fractions as text."""
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    if isinstance(value, (bool, int, str)):
        return value
    return str(value) if isinstance(value, Fraction) else float(f"{float(value):.6g}")
