"""Verdicts derived from comparisons, and shown.

holds       the statement as printed was true in every comparison
imprecise   the print has a slip and fails somewhere, or says nothing; as meant it was true in every comparison
corrected   it failed somewhere as meant; the corrected statement never did
false       it failed somewhere, and no small correction makes it true
consistent  it speaks of data that are lost; a reconstruction fits it in every comparison
untestable  there is nothing to compare; the ledger says why

A *control* is the statement broken a little, on the same data: it must fail somewhere, or the comparisons could not
have told a false statement from a true one. A ruling that disagrees with the ledger says so and the notebook goes on:
with the default parameters the runner and the tests then fail, and a reader's own experiment does not.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction

import numpy as np

from lib.claims.entries import MARKS, LedgerError, find
from lib.files import display
from lib.numbers.comparisons import Compared

MIME = "application/vnd.margin-notes.claim+json"
METRICS = "application/vnd.margin-notes.metrics+json"
NAMES = {"printed": "as printed,", "meant": "as meant,", "corrected": "corrected,", "fits": "the reconstruction is"}
REPAIRS = {"meant": "imprecise", "corrected": "corrected"}


@dataclass(frozen=True)
class Ruling:
    """A verdict with the counts that it was derived from, pairs (failed, tested)."""

    id: str
    verdict: str | None
    """None if there was nothing to compare."""
    agrees: bool
    """Whether the ledger expects this verdict, and every control failed somewhere."""
    counts: dict
    """By what was compared: printed, meant, corrected, fits."""
    controls: dict
    """By what was broken."""
    exact: bool | None
    """Whether the two sides were compared without rounding; None where they were not recorded."""
    measured: dict
    """Numbers worth showing: how close the sides came, and what the notebook adds."""

    def __str__(self):
        return f"{MARKS[self.verdict]} {self.id} {self.word}. {find(self.id).says} {self.sentences()}"

    @property
    def word(self):
        """The verdict, or that there is none."""
        return self.verdict or "not compared"

    def sentences(self):
        """What was compared, how close it came, what the controls show, and what the ledger objects, if it does."""
        compared = [_counted(self, name, *pair) for name, pair in self.counts.items()]
        broken = [f"with {what} it is false in {failed:,} of {n:,}" for what, (failed, n) in self.controls.items()]
        texts = ["; ".join(compared + [f"{name} {value}" for name, value in self.measured.items()])]
        if broken:
            texts.append(f"it could have failed: {'; '.join(broken)}")
        if not self.agrees:
            texts.append(self.objection())
        return " ".join(f"{text[0].upper()}{text[1:].rstrip('.')}." for text in texts if text)

    def as_markdown(self):
        """The ruling as a paragraph with the statement and its formula, for a notebook's page."""
        mark, verdict, statement, compared = self.as_cells()
        return f"> {mark} {verdict}. {statement}\n>\n> {compared}"

    def as_cells(self):
        """The ruling in four cells of a table: mark, place with verdict, statement with repair, what was compared."""
        claim = find(self.id)
        statement = [claim.says, f"${claim.printed}$" if claim.printed else "", _repair(claim, self.verdict)]
        verdict, compared = f"**{claim.place}: {self.word}**", f"{self.sentences()} `{self.id}`"
        return [MARKS[self.verdict], verdict, " ".join(filter(None, statement)), compared]

    def objection(self):
        """Why the ruling is not what the ledger expects, in a sentence."""
        expected = find(self.id).verdict
        if self.verdict is None:
            return f"With these parameters there is nothing to compare; by default the verdict is {expected}."
        if self.verdict == expected:
            weak = next(what for what, (failed, _) in self.controls.items() if not failed)
            return f"The control ({weak}) fails nowhere, so that these comparisons decide nothing."
        if self.verdict == "holds":
            tested = self.counts["printed"][1]
            return f"No counterexample among these {tested:,}; by default there is one, and the verdict is {expected}."
        return f"By default the verdict is {expected}: these parameters, or the code, make the difference."


def as_table(head, lines):
    """Lines of cells, Markdown each, as a Markdown table."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(map(_without_bars, row)) + " |" for row in rows)


def _without_bars(cell):
    """The cell with the bars of its formulas as commands, so that none ends it."""
    return cell.replace(r"\|", r"\Vert ").replace("|", r"\vert ")


def _repair(claim, verdict):
    """What holds instead of the print, or the reconstruction, where the verdict rests on it."""
    if verdict == "consistent":
        return f"*Reconstruction:* {claim.reading}"
    name = {"imprecise": "Meant", "corrected": "Correction"}.get(verdict)
    return f"*{name}:* {claim.correction}" if name and claim.correction else ""


def _counted(ruling, name, failed, tested):
    """«as meant, true in all 3,000 cases, in exact arithmetic»; what is compared is named where it is not the print."""
    whose = "" if set(ruling.counts) == {"printed"} else f"{NAMES[name]} "
    if not tested:
        return f"{whose}compared in no case"
    if failed:
        return f"{whose}false in {failed:,} of {tested:,} cases" if tested > 1 else f"{whose}false in the case tried"
    exactly = ", in exact arithmetic" if ruling.exact else ""
    return f"{whose}true in {f'all {tested:,} cases' if tested > 1 else 'the case tried'}{exactly}"


def rule(id, *, printed=None, meant=None, corrected=None, fits=None, control=None, measured=None):
    """Derive the verdict of a claim from comparisons.

    Parameters
    ----------
    id : str
    printed, meant, corrected, fits : array_like of bool, or Compared
        Entry by entry, whether the statement was true as printed, as meant, as corrected, of a reconstruction. A
        repaired statement is compared on the same cases as the print, in the same order.
    control : dict of str to array_like of bool or Compared, optional
        The statement broken a little, by what was broken; each must fail somewhere.
    measured : dict, optional
        Numbers worth showing, by name; floats are rounded to six digits.

    Returns
    -------
    Ruling
        It tells whether it agrees with the ledger. A call that makes no sense is a LedgerError.
    """
    claim = find(id)
    given = {"printed": printed, "meant": meant, "corrected": corrected, "fits": fits}
    given = {name: comparisons for name, comparisons in given.items() if comparisons is not None}
    counts = {name: _count(id, name, comparisons) for name, comparisons in given.items()}
    controls = {what: _count(id, what, comparisons) for what, comparisons in (control or {}).items()}
    _check_call(id, counts)
    verdict = _verdict(counts)
    agrees = verdict == claim.verdict and all(failed for failed, _ in controls.values())
    decisive = list(given.values())[-1]
    sides = decisive if isinstance(decisive, Compared) else None
    numbers = {**(sides.closeness() if sides else {}), **(measured or {})}
    shown = {name: _shown(value) for name, value in numbers.items()}
    return Ruling(id, verdict, agrees, counts, controls, sides.exact if sides else None, shown)


def check(id, **comparisons):
    """Rule on a claim as `rule` does and show the ruling, as sentences, in the notebook's output."""
    ruling = rule(id, **comparisons)
    display(str(ruling), {"text/markdown": ruling.as_markdown(), MIME: [asdict(ruling)]})


def check_all(comparisons):
    """Rule on several claims, {id: the arguments of `rule`}, and show the rulings as one table."""
    rulings = [rule(id, **given) for id, given in comparisons.items()]
    table = as_table(["", "where", "statement", "what the run says"], [ruling.as_cells() for ruling in rulings])
    display("\n".join(map(str, rulings)), {"text/markdown": table, MIME: [asdict(ruling) for ruling in rulings]})


def report(**numbers):
    """Show numbers as a line of the notebook's output and store them for sweeps, which make a column of each."""
    shown = {name: _shown(value) for name, value in numbers.items()}
    display(", ".join(f"{name} = {value}" for name, value in shown.items()), {METRICS: shown})


def _check_call(id, counts):
    ways = set(counts)
    if ways not in ({"printed"}, {"meant"}, {"printed", "meant"}, {"printed", "corrected"}, {"fits"}):
        raise LedgerError(f"{id}: {' and '.join(counts) or 'nothing'} given; expected printed, or fits, or a repair")
    if len({tested for _, tested in counts.values()}) > 1:
        raise LedgerError(f"{id}: print and repair are compared on {counts}; expected the same cases, one entry each")


def _verdict(counts):
    if not all(tested for _, tested in counts.values()):
        return None
    failed = {name: wrong > 0 for name, (wrong, _) in counts.items()}
    if "fits" in failed:
        return "false" if failed["fits"] else "consistent"
    if "printed" in failed and not failed["printed"]:
        return "holds"
    return next((verdict for name, verdict in REPAIRS.items() if failed.get(name) is False), "false")


def _count(id, name, comparisons):
    a = np.asarray(comparisons)
    if a.size and a.dtype != bool:
        raise LedgerError(f"{id}: {name} has dtype {a.dtype}; expected comparisons, an array of bool")
    return int(a.size - np.count_nonzero(a)), int(a.size)


def _shown(value):
    """A number as JSON has it, floats with six digits; Fractions as text."""
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    if isinstance(value, (bool, int, str)):
        return value
    return str(value) if isinstance(value, Fraction) else float(f"{float(value):.6g}")
