"""The ledger: one TOML file a document, one [[claim]] table a statement, read and checked.

id, where, kind  its name, its place in the document, what kind of statement it is
printed          the formula as it stands, in LaTeX, where there is one
says             the statement in our words, no stronger and no weaker than the text
reading          what was taken where the text, a machine-read copy, is garbled or ambiguous
verdict          what a run is expected to find; a run that finds otherwise says so, and by default fails the tests
correction       what holds instead (corrected), or the slip and what is meant (imprecise)
why              why nothing can be compared (untestable)
evidence         what the verdict rests on
uses             the claims that the document derives it from
control          one word why no control can stand beside it
theorems         those in proofs/ that say the same, «File.name»; whether a machine has checked it follows from them
"""

import tomllib
from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
MARKS = {
    "holds": "✓",
    "imprecise": "≈",
    "corrected": "✎",
    "false": "✗",
    "consistent": "∼",
    "untestable": "–",
    None: "?",
}
VERDICTS = tuple(verdict for verdict in MARKS if verdict)
KINDS = "definition, algorithm, equation, inequality, proof step, theorem, example, figure, remark, exercise, table"
EVIDENCE = "proof, exhaustive, exact sample, float sample, measurement, counterexample"
CONTROLLED = {"inequality", "equation", "proof step", "theorem", "algorithm", "table"}
"""Kinds of claims beside which a control stands if they hold, perhaps repaired."""
NO_CONTROL = "definition, identity, existence"
"""Why there may be none: nothing is asserted; both sides are one expression; one example proves it."""


class LedgerError(ValueError):
    """The ledger is malformed, or is asked for what it does not have."""


@dataclass(frozen=True)
class Claim:
    """One statement of one document, in our own words."""

    id: str
    where: str
    kind: str
    says: str
    verdict: str
    printed: str = ""
    reading: str = ""
    correction: str = ""
    why: str = ""
    evidence: str = ""
    uses: tuple = ()
    control: str = ""
    theorems: tuple = ()
    document: str = ""

    def __post_init__(self):
        repaired, untestable = self.verdict in ("corrected", "imprecise"), self.verdict == "untestable"
        problems = [
            (self.kind not in KINDS.split(", "), f"kind {self.kind!r}; expected one of {KINDS}"),
            (self.verdict not in VERDICTS, f"verdict {self.verdict!r}; expected one of {', '.join(VERDICTS)}"),
            (repaired != bool(self.correction), "a correction goes with the verdicts corrected and imprecise"),
            (untestable != bool(self.why), "a reason (why) goes with the verdict untestable"),
            (self.verdict == "consistent" and not self.reading, "a reading, the reconstruction, goes with consistent"),
            (untestable == bool(self.evidence), "evidence goes with every verdict but untestable"),
            (self.evidence not in ["", *EVIDENCE.split(", ")], f"evidence {self.evidence!r}; expected {EVIDENCE}"),
            (self.control not in ["", *NO_CONTROL.split(", ")], f"control {self.control!r}; expected {NO_CONTROL}"),
            (not self.id.startswith(f"{self.document}-"), f"an id that does not begin with {self.document}-"),
        ]
        for wrong, what in problems:
            if wrong:
                raise LedgerError(f"claim {self.id} has {what}")

    @property
    def place(self):
        """The document and the place in it, for a reader."""
        return f"{documents()[self.document].name}, {self.where}"

    @property
    def controlled(self):
        """Whether a control must stand beside the comparisons."""
        return self.kind in CONTROLLED and self.verdict in ("holds", "imprecise", "corrected") and not self.control


@dataclass(frozen=True)
class Document:
    """A document and its claims in the order of the text."""

    key: str
    title: str
    authors: str
    year: int
    name: str
    """What the notebooks call it in a sentence."""
    claims: tuple = field(repr=False, default=())


@cache
def documents():
    """All documents with their claims, by key, the oldest first; a malformed ledger is a LedgerError."""
    found = sorted((_document(path) for path in HERE.glob("*.toml")), key=lambda d: (d.year, d.key))
    found = {document.key: document for document in found}
    claims = [claim for document in found.values() for claim in document.claims]
    twice = [i for i, n in Counter(claim.id for claim in claims).items() if n > 1]
    if twice:
        raise LedgerError(f"claim {twice[0]} stands twice in the ledger")
    known = {claim.id for claim in claims}
    for claim in claims:
        if missing := set(claim.uses) - known:
            raise LedgerError(f"claim {claim.id} uses {sorted(missing)[0]}, which is not in the ledger")
    return found


def _document(path):
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        head, rows = raw["document"], raw.get("claim", [])
        claims = tuple(Claim(**{k: _value(v) for k, v in row.items()}, document=path.stem) for row in rows)
        return Document(path.stem, head["title"], head["authors"], head["year"], head["name"], claims)
    except (tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError) as error:
        raise LedgerError(f"{path.name} cannot be read: {error}") from error


def _value(value):
    return tuple(value) if isinstance(value, list) else value.strip()


def ledger():
    """All claims by id, documents in order."""
    return {c.id: c for d in documents().values() for c in d.claims}


def find(id):
    """The claim of this id; a LedgerError names its neighbours if there is none."""
    claims = ledger()
    if id not in claims:
        near = get_close_matches(id, claims, n=3)
        raise LedgerError(f"no claim {id!r} in the ledger" + (f"; did you mean {', '.join(near)}?" if near else ""))
    return claims[id]
