"""Verdicts are derived; the ledger and the notebooks agree, claim by claim."""

import json

import numpy as np
import pytest

from lib import claims
from lib.claims import LedgerError, rule, scoreboard

ENTERED = [row for row in scoreboard.scoreboard() if row["verdict"] != "untestable"]
SAMPLE = {
    verdict: next(c.id for c in claims.ledger().values() if c.verdict == verdict) for verdict in claims.VERDICTS[:3]
}


def test_verdicts_follow_from_the_comparisons():
    assert rule(SAMPLE["holds"], printed=[True, True]).verdict == "holds"
    ruling = rule(SAMPLE["corrected"], printed=np.array([True, False]), corrected=[True], measured={"x": 1 / 3})
    assert (ruling.verdict, ruling.printed, ruling.corrected) == ("corrected", (1, 2), (0, 1))
    assert str(ruling).endswith("print fails in 1 of 2, correction in 0 of 1; x 0.333333")
    assert rule(SAMPLE["false"], printed=[False]).verdict == "false"


@pytest.mark.parametrize(
    ("verdict", "comparisons", "message"),
    [
        ("holds", {"printed": [False]}, "the ledger expects .* to be holds"),
        ("corrected", {"printed": [True], "corrected": [True]}, "the ledger expects .* to be corrected"),
        ("corrected", {"printed": [False]}, "the run says: .* false"),
        ("corrected", {"printed": [False], "corrected": [True, False]}, "the correction fails in 1 of 2"),
        ("false", {"printed": [True]}, "the ledger expects .* to be false"),
        ("holds", {"printed": []}, "empty|expected comparisons"),
        ("holds", {"printed": np.zeros(0, bool)}, "at least one comparison"),
        ("holds", {"printed": [1, 2]}, "expected comparisons"),
    ],
)
def test_a_run_that_disagrees_raises(verdict, comparisons, message):
    with pytest.raises(LedgerError, match=message):
        rule(SAMPLE[verdict], **comparisons)


def test_an_unknown_claim_is_named_with_its_neighbours():
    with pytest.raises(LedgerError, match="no claim 'liang-eq77' in the ledger; did you mean liang-eq7"):
        rule("liang-eq77", printed=[True])


@pytest.mark.parametrize("row", ENTERED, ids=lambda row: row["id"])
def test_every_testable_claim_has_the_verdict_of_one_notebook(row):
    claim = claims.ledger()[row["id"]]
    assert row["notebook"], f"no notebook rules on {row['id']}"
    assert row["verdict"] == claim.verdict


def test_no_notebook_rules_on_a_claim_that_is_not_entered():
    assert set(scoreboard.rulings()) <= set(claims.ledger())


def ledger_with(tmp_path, monkeypatch, text):
    (tmp_path / "sample.toml").write_text(text)
    monkeypatch.setattr(claims, "HERE", tmp_path)
    claims.documents.cache_clear()
    try:
        return claims.documents()
    finally:
        claims.documents.cache_clear()


HEAD = '[document]\ntitle = "T"\nauthors = "A"\nyear = 2000\n'
CLAIM = '[[claim]]\nid = "sample-1"\nwhere = "p. 1"\nkind = "theorem"\nsays = "x"\nverdict = "holds"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[document", "sample.toml cannot be read"),
        (CLAIM, "sample.toml cannot be read: 'document'"),
        (HEAD + CLAIM + CLAIM, "sample-1 stands twice"),
        (HEAD + CLAIM.replace("theorem", "hunch"), "sample-1 has kind 'hunch'"),
        (HEAD + CLAIM.replace("holds", "true"), "sample-1 has verdict 'true'"),
        (HEAD + CLAIM.replace("holds", "corrected"), "a correction goes with"),
        (HEAD + CLAIM.replace("holds", "untestable"), "a reason"),
        (HEAD + CLAIM.replace("sample-1", "other-1"), "does not begin with sample-"),
        (HEAD + CLAIM + 'mood = "good"\n', "sample.toml cannot be read: .*mood"),
    ],
)
def test_a_broken_ledger_is_named(tmp_path, monkeypatch, text, message):
    with pytest.raises(LedgerError, match=message):
        ledger_with(tmp_path, monkeypatch, text)


def test_a_claim_ruled_on_twice_is_named(tmp_path):
    output = {"data": {claims.MIME: {"id": "liang-eq7", "verdict": "holds"}}}
    notebook = {"cells": [{"outputs": [output]}]}
    for name in ("01_a.ipynb", "02_b.ipynb"):
        (tmp_path / name).write_text(json.dumps(notebook))
    with pytest.raises(LedgerError, match="liang-eq7 is ruled on twice: 01_a, 02_b"):
        scoreboard.rulings(tmp_path)


def test_a_claim_that_was_not_run_has_no_verdict(tmp_path):
    rows = {row["id"]: row for row in scoreboard.scoreboard(tmp_path)}
    assert rows["liang-eq7"]["verdict"] is None
    assert list(rows) == list(claims.ledger())


def test_the_scoreboard_in_a_terminal_and_as_json(capsys):
    from tools.__main__ import main

    assert main(["claims"]) == 0
    assert "✎ liang-eq7" in capsys.readouterr().out
    assert main(["claims", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(claims.ledger())


def test_the_readme_shows_the_scoreboard(capsys):
    from tools.__main__ import main

    assert main(["readme", "--check"]) == 0
