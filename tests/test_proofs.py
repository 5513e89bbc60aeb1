"""Machine proofs: the record is of these sources, and no claim calls itself proved without one."""

import json
import re
import shutil

import pytest

from lib.claims import ledger, proofs, scoreboard
from lib.files import PROOFS
from tools import prove
from tools.prove import AXIOMS, FORBIDDEN, ProofError

FILES = sorted(PROOFS.glob("*.v"))
CLAIMED = [claim for claim in ledger().values() if claim.theorems]
needs_coq = pytest.mark.skipif(not shutil.which("coqc"), reason=prove.INSTALL)


def test_the_record_is_of_these_sources():
    record = json.loads(prove.CHECKED.read_text())
    assert record["digest"] == proofs.digest(), "the proofs have changed; run make prove"
    assert list(record["theorems"]) == [t for path in in_order(record) for t in prove.theorems(path)]
    assert {axiom for about in record["theorems"].values() for axiom in about["axioms"]} <= AXIOMS


def in_order(record):
    """The files in the order in which the record has them."""
    return [PROOFS / f"{name}.v" for name in dict.fromkeys(theorem.split(".")[0] for theorem in record["theorems"])]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_admitted_and_a_file_can_be_read(path):
    text = path.read_text()
    assert not FORBIDDEN.search(text)
    assert text.startswith("(* ")
    assert len(text.splitlines()) <= 490


@pytest.mark.parametrize("claim", CLAIMED, ids=lambda claim: claim.id)
def test_a_claim_that_names_theorems_has_their_statements(claim):
    for theorem in claim.theorems:
        assert theorem in proofs.checked(), f"{theorem} is not among the checked theorems"
        statement = proofs.checked()[theorem]["statement"]
        refuted = re.search(r": ~ (printed|eq\d+_from)", " ".join(statement.split()))
        assert bool(refuted) == theorem.endswith("_refuted")
    if any(theorem.endswith("_refuted") for theorem in claim.theorems):
        assert claim.verdict in ("false", "corrected", "imprecise")
    if claim.verdict == "false":
        assert all(theorem.endswith("_refuted") for theorem in claim.theorems)


def test_enough_claims_are_proved_refutations_among_them():
    proved = [row for row in scoreboard.scoreboard() if row["evidence"] == proofs.MACHINE]
    assert len(proved) >= 25
    assert any(theorem.endswith("_refuted") for row in proved for theorem in row["theorems"])


def test_a_changed_proof_counts_no_more(tmp_path, monkeypatch):
    for path in [*FILES, prove.CHECKED]:
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(proofs, "PROOFS", tmp_path)
    proofs.checked.cache_clear()
    try:
        assert proofs.evidence(CLAIMED[0]) == proofs.MACHINE
        proofs.checked.cache_clear()
        (tmp_path / "Inner.v").write_text("(* nothing *)")
        assert proofs.evidence(CLAIMED[0]) == CLAIMED[0].evidence
    finally:
        proofs.checked.cache_clear()


def test_without_coq_it_is_said_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(prove.shutil, "which", lambda _: None)
    assert prove.main() == 2
    assert "apt-get install coq" in capsys.readouterr().err


GOOD = "Require Import Lia.\nTheorem one n : n < S n.\nProof. lia. Qed.\n"


@needs_coq
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD, None),
        (GOOD.replace("n < S n", "S n < n"), "coqc Own.v: .*Cannot find witness"),
        (GOOD.replace("Proof. lia. Qed.", "Admitted."), "Own.v has the word Admitted"),
        (
            "Parameter p : False.\nTheorem one : 1 = 2.\nProof. destruct p. Qed.\n",
            "Own.one rests on Own.p|Own.one rests on p",
        ),
    ],
)
def test_a_broken_proof_fails(tmp_path, monkeypatch, text, message):
    source, work = tmp_path / "source", tmp_path / "work"
    source.mkdir()
    work.mkdir()
    (source / "Inner.v").write_text("")
    (source / "Own.v").write_text(text)
    monkeypatch.setattr(prove, "PROOFS", source)
    if message is None:
        assert prove.check(work) == {
            "Own.one": {"statement": "one\n     : forall n : nat, (n < S n)%nat", "axioms": []}
        }
    else:
        with pytest.raises(ProofError, match=message):
            prove.check(work)
