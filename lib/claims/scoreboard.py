"""The scoreboard: every claim with the verdict that an executed notebook gave it, and what rests on what."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from lib.claims.entries import MARKS, VERDICTS, LedgerError, documents, ledger
from lib.claims.proofs import evidence
from lib.claims.rulings import MIME, Ruling, as_table
from lib.files import NOTEBOOKS

RULED = ("agrees", "counts", "controls", "exact", "measured")


def rulings(folder=NOTEBOOKS):
    """The rulings stored in the executed notebooks of a folder: id → (record, name of the notebook, id of the cell).

    A claim that two cells rule on is a LedgerError.
    """
    found = {}
    for path in sorted(Path(folder).glob("[0-9]*.ipynb")):
        if not path.stem.replace("_", "").isalnum():  # an experiment with other parameters, or a failure
            continue
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                for record in output.get("data", {}).get(MIME, []):
                    if record["id"] in found:
                        raise LedgerError(f"{record['id']} is ruled on twice: {found[record['id']][1]}, {path.stem}")
                    found[record["id"]] = (record, path.stem, cell.get("id"))
    return found


def scoreboard(folder=NOTEBOOKS):
    """Every claim, a dict each, with the verdict that a run gave it, or None if none has yet."""
    found, rows = rulings(folder), []
    for claim in ledger().values():
        record, notebook, cell = found.get(claim.id, ({}, None, None))
        ruled = {key: record.get(key) for key in RULED}
        verdict = "untestable" if claim.why else record.get("verdict")
        derived = {"verdict": verdict, "evidence": evidence(claim), "notebook": notebook, "cell": cell}
        rows.append({**asdict(claim), **ruled, **derived})
    return rows


def select(rows, **wanted):
    """The rows whose fields have the wanted values; None stands for any, and a number for its notebook."""
    wanted = {name: value for name, value in wanted.items() if value is not None}
    return [row for row in rows if all(_fits(name, row[name], value) for name, value in wanted.items())]


def _fits(name, value, wanted):
    return value == wanted or (name == "notebook" and value is not None and value.split("_")[0] == wanted)


def users():
    """The claims that use each claim, itself not counted, directly or through others: {id: list of ids}."""
    direct = {}
    for claim in ledger().values():
        for used in claim.uses:
            direct.setdefault(used, []).append(claim.id)
    found = {}
    for id in direct:
        reached, ahead = {}, list(direct[id])
        while ahead:
            user = ahead.pop(0)
            if user not in reached:
                reached[user] = None
                ahead += direct.get(user, [])
        found[id] = list(reached)
    return found


def falls(rows):
    """What was derived from a false claim: {false claim: [(claim derived from it, its own verdict)]}."""
    verdicts, above = {row["id"]: row["verdict"] for row in rows}, users()
    return {i: [(user, verdicts[user]) for user in above.get(i, [])] for i, v in verdicts.items() if v == "false"}


def tally(rows):
    """Claims by document and verdict: {document: Counter}."""
    counts = {key: Counter() for key in documents()}
    for row in rows:
        counts[row["document"]][row["verdict"]] += 1
    return counts


def numbers(row):
    """The counts behind a verdict, or the reason why there are none, in words."""
    if row["why"] or row["counts"] is None:
        return row["why"]
    return Ruling(row["id"], row["verdict"], **{key: row[key] for key in RULED}).sentences()


def link(row):
    """A claim's name, leading from a notebook to the cell that rules on it."""
    return f"[{row['id']}]({row['notebook']}.ipynb#cell-id={row['cell']})" if row["notebook"] else row["id"]


def as_folded(rows):
    """Claims as a table that is folded under the name of each document: verdict, name, statement, what the run says."""
    parts = []
    for key, document in documents().items():
        own = [row for row in rows if row["document"] == key]
        table = as_table(["", "claim", "says", "what the run says"], map(_cells, own))
        head = f"{document.authors}: {document.title} ({document.year}), {len(own)} claims"
        parts.append(f"<details><summary>{head}</summary>\n\n{table}\n\n</details>")
    return "\n\n".join(parts)


def _cells(row):
    repair = {"imprecise": "Meant", "corrected": "Correction", "consistent": "Reconstruction"}.get(row["verdict"])
    extra = row["reading"] if row["verdict"] == "consistent" else row["correction"]
    says = [row["says"], f"${row['printed']}$" if row["printed"] else "", f"*{repair}:* {extra}" if repair else ""]
    found = [numbers(row), f"*{row['evidence']}*" if row["evidence"] else ""]
    return [
        MARKS[row["verdict"]],
        f"{link(row)}<br>{row['where']}",
        " ".join(filter(None, says)),
        " ".join(filter(None, found)),
    ]


def as_text(row):
    """All about a claim, a line a field."""
    place = row["notebook"] and f"{row['notebook']}, cell {row['cell']}"
    shown = {"verdict": row["verdict"], "numbers": numbers(row), "run": place}
    names = ("where", "kind", "printed", "says", "reading", "correction", "why", "evidence", "theorems", "uses")
    fields = {**{name: row[name] for name in names}, **shown}
    lines = [f"  {name}: {', '.join(v) if isinstance(v, tuple) else v}" for name, v in fields.items() if v]
    return "\n".join([row["id"], *lines])


def table(form, rows):
    """The counts as lines: a head, a line a document, and all of them; `form` takes eight cells."""
    counts = tally(rows)
    yield form.format("document", *VERDICTS, "claims")
    for key, row in {**counts, "all": sum(counts.values(), Counter())}.items():
        if row:
            yield form.format(key, *(row[v] for v in VERDICTS), row.total())


def as_markdown(rows):
    """The counts as a table for the README."""
    head, *lines = table("|" + " {} |" * (len(VERDICTS) + 2), rows)
    return "\n".join([head, "|---|" + "--:|" * (len(VERDICTS) + 1), *lines])
