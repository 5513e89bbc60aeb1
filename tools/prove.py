"""Check every proof in proofs/ from nothing: `python -m tools.prove`, or `make prove`.

Each file is compiled by `coqc`, then all of it is checked again by the independent `coqchk`. Every theorem is printed
with the axioms that it rests on; one that rests on anything but the axioms of the standard library's real numbers, or
is admitted, is a failure. What was found is stored in proofs/checked.json, with a digest of the sources, so that a
claim can call itself proved only as long as the sources are those that were checked.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.claims.proofs import digest
from lib.files import PROOFS, store

CHECKED = PROOFS / "checked.json"
AXIOMS = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
"""What the standard library's real numbers rest on."""
INSTALL = "Coq is not installed, so no proof was checked here; on Debian or Ubuntu: apt-get install coq"
THEOREM = re.compile(r"^(?:Theorem|Corollary) (\w+)", re.MULTILINE)
MARK = "----"
REFUTED = re.compile(r"^Theorem (\w+) : ~ (\w+)\.", re.MULTILINE)
FORBIDDEN = re.compile(r"\b(Admitted|admit|Axiom|Conjecture|Abort)\b")


class ProofError(Exception):
    """A proof that does not hold, in one sentence."""


def theorems(path):
    """The theorems that a file states, in order, as «File.name»."""
    return [f"{path.stem}.{name}" for name in THEOREM.findall(path.read_text(encoding="utf-8"))]


def check(folder):
    """Compile and check all proofs in an empty folder; {theorem: its statement and axioms}, or a ProofError."""
    for path in sorted(PROOFS.glob("*.v")):
        if found := FORBIDDEN.search(path.read_text(encoding="utf-8")):
            raise ProofError(f"{path.name} has the word {found[0]}; expected a proof")
        shutil.copy(path, folder)
    names = sorted(path.name for path in PROOFS.glob("*.v"))
    order = _run(folder, "coqdep", "-Q", ".", "Margin", "-sort", *names).split()
    for name in order:
        _run(folder, "coqc", "-q", "-Q", ".", "Margin", name)
    modules = [f"Margin.{Path(name).stem}" for name in order]
    _run(folder, "coqchk", "-silent", "-Q", ".", "Margin", *modules)
    return {theorem: about for name in order for theorem, about in _asked(folder, PROOFS / name).items()}


def _asked(folder, path):
    """What Coq says of the theorems of a file: each with its statement and its axioms."""
    imports = ["Require Import Reals List.", f"From Margin Require Import Inner {path.stem}.", "Open Scope R_scope."]
    refuted = dict(REFUTED.findall(path.read_text(encoding="utf-8")))
    asked = [_question(t, refuted.get(t.split(".")[1])) for t in theorems(path)]
    question = [*imports, "Import ListNotations.", "Set Printing Width 84.", *asked]
    (folder / "question.v").write_text("\n".join(question), encoding="utf-8")
    answers = _run(folder, "coqc", "-q", "-Q", ".", "Margin", "question.v").split(f"{MARK}\n")[1:]
    return {theorem: _about(theorem, answer) for theorem, answer in zip(theorems(path), answers, strict=True)}


def _question(theorem, refuted):
    """What to ask of a theorem: its statement, that of the print that it refutes, and what it rests on."""
    lines = [f'Goal True. idtac "{MARK}". Abort.', f"Check {theorem}.", f"Print {refuted}." if refuted else ""]
    return "\n".join([*lines, f"Print Assumptions {theorem}."])


def _about(theorem, answer):
    statement, _, axioms = answer.replace("Closed under the global context", "").partition("\nAxioms:\n")
    rests_on = sorted(re.findall(r"^([\w.]+)(?= :|$)", axioms, re.MULTILINE))
    if foreign := set(rests_on) - AXIOMS:
        raise ProofError(
            f"{theorem} rests on {', '.join(sorted(foreign))}; expected the axioms of the real numbers alone"
        )
    return {"statement": "\n".join(line.rstrip() for line in statement.strip().splitlines()), "axioms": rests_on}


def _run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise ProofError(f"{' '.join(command[:1])} {command[-1]}: {said[-600:]}")
    return done.stdout


def main():
    """Check everything, print each theorem with its axioms, store the record; the exit code."""
    if not shutil.which("coqc"):
        print(INSTALL, file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = check(Path(folder))
    except ProofError as error:
        print(f"not proved: {error}", file=sys.stderr)
        return 1
    for theorem, about in found.items():
        print(f"{theorem}: {', '.join(axiom.rpartition('.')[2] for axiom in about['axioms']) or 'no axiom'}")
    version = re.search(r"version (\S+)", subprocess.run(["coqc", "--version"], capture_output=True, text=True).stdout)[
        1
    ]
    record = {"digest": digest(), "coq": version, "theorems": found}
    store(CHECKED, json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(found)} theorems in {len(list(PROOFS.glob('*.v')))} files, checked by coqc and coqchk {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
