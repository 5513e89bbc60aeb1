"""The scoreboard: every claim with the verdict that an executed notebook gave it."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from lib.claims import MIME, VERDICTS, LedgerError, documents, failures, ledger
from lib.files import NOTEBOOKS


def rulings(folder=NOTEBOOKS):
    """The rulings stored in the executed notebooks of a folder: id → (record, name of the notebook).

    A claim that two notebooks rule on is a LedgerError.
    """
    found = {}
    for path in sorted(Path(folder).glob("[0-9]*.ipynb")):
        if not path.stem.replace("_", "").isalnum():  # an experiment with other parameters, or a failure
            continue
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                record = output.get("data", {}).get(MIME)
                if record is None:
                    continue
                if record["id"] in found:
                    raise LedgerError(f"{record['id']} is ruled on twice: {found[record['id']][1]}, {path.stem}")
                found[record["id"]] = (record, path.stem)
    return found


def scoreboard(folder=NOTEBOOKS):
    """Every claim, a dict each, with the verdict that a run gave it, or None if none has yet."""
    found, rows = rulings(folder), []
    for claim in ledger().values():
        record, notebook = found.get(claim.id, ({}, None))
        ruled = {key: record.get(key) for key in ("printed", "corrected", "measured")}
        verdict = "untestable" if claim.why else record.get("verdict")
        rows.append({**asdict(claim), **ruled, "verdict": verdict, "notebook": notebook})
    return rows


def tally(folder=NOTEBOOKS):
    """Claims by document and verdict: {document: Counter}."""
    counts = {key: Counter() for key in documents()}
    for row in scoreboard(folder):
        counts[row["document"]][row["verdict"]] += 1
    return counts


def numbers(row):
    """The counts behind a verdict, or the reason why there are none, in words."""
    return row["why"] or (failures(row["printed"], row["corrected"]) if row["printed"] else "")


def table(form, folder=NOTEBOOKS):
    """The counts as lines: a head, a line a document, and all of them; `form` takes six cells."""
    counts = tally(folder)
    yield form.format("document", *VERDICTS, "claims")
    for key, row in {**counts, "all": sum(counts.values(), Counter())}.items():
        if row:
            yield form.format(key, *(row[v] for v in VERDICTS), row.total())


def as_markdown(folder=NOTEBOOKS):
    """The counts as a table for the README."""
    head, *rows = table("| {} | {} | {} | {} | {} | {} |", folder)
    return "\n".join([head, "|---|--:|--:|--:|--:|--:|", *rows])
