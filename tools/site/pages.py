"""Write the sources of the web book: `python -m tools.site.pages FOLDER`.

The front page is the README. The notebooks come as they are committed, each ruling cell with links to its
claims. Each document has a page with a place of its own for every claim, and one page, the errata, gathers all
that is false or corrected.
"""

import json
import re
import shutil
import sys
from pathlib import Path

from lib.claims import scoreboard
from lib.claims import MARKS, MIME, documents
from lib.claims.proofs import MACHINE, checked
from lib.files import FIGURES, NOTEBOOKS, ROOT
from tools.notebooks import listing

HERE = Path(__file__).parent
WORDS = {
    "holds": "holds",
    "imprecise": "holds as meant",
    "corrected": "holds after correction",
    "false": "false",
    "consistent": "fits a reconstruction",
    "untestable": "cannot be tested",
}
WRONG = ("imprecise", "corrected", "false")
GROUPS = {"0": "Foundations", "1": "Rojas", "2": "The Prague lecture", "3": "Falkowski", "4": "Collobert and Bengio"}

COURSE, PROOFS = "notebooks/course.md", "proofs/README.md"
"""Pages written by hand that stand where they are linked from; the second gets the statements of the theorems, too."""
MORE = {"benchmarks": "tools/benchmarks/RESULTS.md", "cluster": "tools/site/cluster.md", "faults": "tools/faults/RESULTS.md"}
NAMED = re.compile(r"\[([^\]]*)\]\(((?!https?:|#)[^)#\s]+)\)")
TO_CELL = re.compile(r"\[([\w.-]+)\]\(\w+\.ipynb#cell-id=[\w-]+\)")
"""Links as Markdown has them: to a file, and from a claim to the cell that rules on it."""


def main(folder):
    """Write everything into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "documents").mkdir(parents=True)
    (folder / "_static").mkdir()
    shutil.copy(HERE / "conf.py", folder)
    for name in ("margin.css", "favicon.svg"):
        shutil.copy(HERE / name, folder / "_static")
    shutil.copytree(FIGURES, folder / "figures", ignore=shutil.ignore_patterns("*.csv"))
    (folder / "notebooks").mkdir()
    for path in listing():
        (folder / "notebooks" / path.name).write_text(_linked(path), encoding="utf-8")
    rows = scoreboard.scoreboard()
    shutil.copy(ROOT / COURSE, folder / "notebooks")
    (folder / "proofs").mkdir()
    (folder / "proofs" / "README.md").write_text(_proofs(rows), encoding="utf-8")
    for name, page in MORE.items():
        shutil.copy(ROOT / page, folder / f"{name}.md")
        for picture in (ROOT / page).parent.glob("*.png"):
            shutil.copy(picture, folder)
    for key, document in documents().items():
        (folder / "documents" / f"{key}.md").write_text(_document(document, rows), encoding="utf-8")
    (folder / "errata.md").write_text(_errata(rows), encoding="utf-8")
    (folder / "index.md").write_text(_front(), encoding="utf-8")
    for page in [*NOTEBOOKS.glob("[0-9]*.ipynb"), ROOT / COURSE, ROOT / PROOFS, ROOT / "README.md"]:
        _bring(page, folder)


def _linked(path):
    """The notebook with a line before each ruling cell that leads to its claims, and with the pictures' texts."""
    text = path.read_text(encoding="utf-8").replace("(../README.md#", "(../index.md#")
    notebook = json.loads(TO_CELL.sub(r"[\1](#run-\1)", text))
    cells = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if shown := output.get("metadata", {}).get("image/png"):
                cell["metadata"]["mystnb"] = {"image": {"alt": shown["alt"], "width": f"{shown['width']}px"}}
        ids = [ruling["id"] for o in cell.get("outputs", []) for ruling in o.get("data", {}).get(MIME, [])]
        if ids:
            targets = "".join(f"(run-{i})=\n" for i in ids)
            links = ", ".join(f"[{i}](#{i})" for i in ids)
            source = f"{targets}*Rules on* {links}."
            cells.append({"cell_type": "markdown", "id": f"to-{cell['id']}", "metadata": {}, "source": source})
        cells.append(cell)
    return json.dumps(notebook | {"cells": cells}, ensure_ascii=False)


def _bring(page, folder):
    """Copy the files that a page links to and that are no pages of the book, to be read or fetched from there."""
    for _, link in NAMED.findall(page.read_text(encoding="utf-8")):
        source = (page.parent / link).resolve()
        if not source.is_file() or not source.is_relative_to(ROOT):
            continue
        target = folder / source.relative_to(ROOT)
        if target.exists() or source.suffix == ".ipynb" or source == ROOT / "README.md":
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            text = NAMED.sub(lambda m: m[0] if (source.parent / m[2]).is_file() else m[1], source.read_text("utf-8"))
            target.write_text(f"---\norphan: true\n---\n\n{text}", encoding="utf-8")
            _bring(source, folder)
        else:
            shutil.copy(source, target)


def _document(document, rows):
    own = [row for row in rows if row["document"] == document.key]
    lines = [f"# {document.title}", "", f"{document.authors}, {document.year}. {len(own)} claims.", ""]
    return "\n".join(lines + [_claim(row, target=True) for row in own])


def _claim(row, *, target):
    """One claim: verdict, place, print, correction, numbers, what it rests on, and the way to the run."""
    verdict = row["verdict"] or "untestable"
    name = f"**{row['id']}**" if target else f"[{row['id']}](#{row['id']})"
    head = f"{MARKS[row['verdict']]} {name}, {row['where']}: [{WORDS[verdict]}]{{.verdict}}"
    links = ", ".join(f"[{used}](#{used})" for used in row["uses"])
    fields = {
        "Formula": f"${row['printed']}$" if row["printed"] else "",
        "Statement" if row["document"] == "ours" else "Print": row["says"],
        "Reading": row["reading"],
        "Meant" if verdict == "imprecise" else "Correction": row["correction"],
        "Why" if row["why"] else "Numbers": scoreboard.numbers(row),
        "Evidence": f"[{MACHINE}](#machine-proofs)" if row["evidence"] == MACHINE else row["evidence"],
        "Uses": links,
        "Run": f"[{row['notebook']}](#run-{row['id']})" if row["notebook"] else "",
    }
    parts = [head, *(f"*{name}.* {text}" for name, text in fields.items() if text)]
    body = "\n\n".join(parts)
    label = f"({row['id']})=\n" if target else ""
    return f"{label}::::{{container}} claim {verdict}\n{body}\n::::\n"


def _proofs(rows):
    """The page on the proofs: what stands in its folder, then each claim beside its theorems, to be compared."""
    text = (ROOT / PROOFS).read_text(encoding="utf-8")
    parts = ["(machine-proofs)=", text, "## Claim by claim", ""]
    for row in (row for row in rows if row["evidence"] == MACHINE):
        formula = f"\n\n$${row['printed']}$$" if row["printed"] else ""
        correction = f"\n\n*{row['verdict'].capitalize()}.* {row['correction']}" if row["correction"] else ""
        parts.append(f"**[{row['id']}](#{row['id']})**, {row['where']}: {row['says']}{formula}{correction}\n")
        parts += [f"```coq\n{checked()[theorem]['statement']}\n```\n" for theorem in row["theorems"]]
    return "\n".join(parts)


def _errata(rows):
    lines = [
        "# Errata",
        "",
        "Everything in the five documents that a run refuted, with the correction where there is one, and every slip of",
        "the print with what is meant.",
        "Each entry leads to its place on the document's page and to the cell that decides it.",
        "",
    ]
    for document in documents().values():
        wrong = [r for r in rows if r["document"] == document.key and r["verdict"] in WRONG]
        if wrong:
            counts = [f"{sum(row['verdict'] == v for row in wrong)} {v}" for v in reversed(WRONG)]
            count = f"{', '.join(counts)}."
            lines += [f"## {document.authors}: {document.title}", "", count, ""]
            lines += [_claim(row, target=False) for row in wrong]
    return "\n".join(lines)


def _front():
    """The README, its links turned to pages of the book."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, page in MORE.items():
        text = text.replace(f"({page})", f"({name}.md)")
    text = text.replace("[CITATION.cff](CITATION.cff)", "CITATION.cff")
    ways = ["notebooks/course", "errata", "proofs/README"]
    lists = [_toctree("Ways in", ways), _toctree("The documents", [f"documents/{key}" for key in documents()])]
    for digit, name in GROUPS.items():
        pages = [f"notebooks/{path.stem}" for path in sorted(NOTEBOOKS.glob(f"{digit}*.ipynb"))]
        lists += [_toctree(name, pages)] if pages else []
    return "\n".join([text, *lists, _toctree("More", list(MORE))])


def _toctree(caption, pages):
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
