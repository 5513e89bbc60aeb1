"""Verdicts are derived; the ledger and the notebooks agree, claim by claim."""

import json
import re
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest

from lib import claims
from lib.claims import VERDICTS, LedgerError, at_most, rule, scoreboard
from lib.claims import entries as book
from lib.claims.proofs import MACHINE
from lib.claims.rulings import as_table
from tools.__main__ import main

ROWS = scoreboard.scoreboard()
ENTERED = [row for row in ROWS if row["verdict"] != "untestable"]
SAMPLE = {verdict: next((c.id for c in claims.ledger().values() if c.verdict == verdict), None) for verdict in VERDICTS}
by_id = pytest.mark.parametrize("row", ENTERED, ids=lambda row: row["id"])


def test_verdicts_follow_from_the_comparisons():
    assert rule(SAMPLE["holds"], printed=[True, True]).verdict == "holds"
    ruling = rule(SAMPLE["corrected"], printed=np.array([True, False]), corrected=[True, True], measured={"x": 1 / 3})
    assert (ruling.verdict, ruling.counts) == ("corrected", {"printed": (1, 2), "corrected": (0, 2)})
    said = "As printed, false in 1 of 2 cases; corrected, true in all 2 cases; x 0.333333."
    assert str(ruling).endswith(said)
    assert rule(SAMPLE["imprecise"], meant=[True]).verdict == "imprecise"
    assert rule(SAMPLE["imprecise"], printed=[False], meant=[True]).verdict == "imprecise"
    assert rule(SAMPLE["consistent"], fits=[True]).verdict == "consistent"
    assert rule(SAMPLE["false"], printed=[False]).verdict == "false"
    assert rule(SAMPLE["corrected"], printed=[False], corrected=[False]).verdict == "false"
    assert rule(SAMPLE["consistent"], fits=[True, False]).verdict == "false"


@pytest.mark.parametrize(
    ("verdict", "comparisons", "sentence"),
    [
        ("holds", {"printed": [False]}, "By default the verdict is holds: these parameters, or the code"),
        (
            "corrected",
            {"printed": [True] * 20, "corrected": [True] * 20},
            "No counterexample among these 20; by default",
        ),
        ("corrected", {"printed": [False]}, "By default the verdict is corrected"),
        ("corrected", {"printed": [False, True], "corrected": [True, False]}, "By default the verdict is corrected"),
        ("false", {"printed": [True]}, "No counterexample among these 1; by default there is one"),
        ("imprecise", {"meant": [False]}, "By default the verdict is imprecise"),
        ("consistent", {"fits": [False]}, "By default the verdict is consistent"),
        ("holds", {"printed": []}, "there is nothing to compare; by default the verdict is holds"),
        ("holds", {"printed": [True], "control": {"half of it": [True]}}, r"The control \(half of it\) fails nowhere"),
    ],
)
def test_a_run_that_disagrees_says_so_and_goes_on(verdict, comparisons, sentence):
    ruling = rule(SAMPLE[verdict], **comparisons)
    assert not ruling.agrees
    assert re.search(sentence, str(ruling))


def test_a_run_that_agrees_shows_its_control_and_how_close_the_sides_came():
    line = at_most([3, 9], [4, 10])
    ruling = rule(SAMPLE["holds"], printed=line, control={"0.8 of the bound": line.scaled("4/5")})
    assert (ruling.agrees, ruling.exact, ruling.measured) == (True, True, {"tightest ratio": 0.9})
    compared = "True in all 2 cases, in exact arithmetic; tightest ratio 0.9."
    assert str(ruling).endswith(f"{compared} It could have failed: with 0.8 of the bound it is false in 1 of 2.")


def test_a_ruling_is_a_sentence_with_its_statement_and_formula():
    claim = claims.ledger()["ctu-eq10"]
    text = rule("ctu-eq10", printed=[True] * 3, control={"half of $D^2$": [False, True, True]}).as_markdown()
    assert f"✓ **{claim.place}: holds**. {claim.says}" in text
    assert text.endswith(
        "True in all 3 cases. It could have failed: with half of $D^2$ it is false in 1 of 3. `ctu-eq10`"
    )
    repaired = rule(SAMPLE["corrected"], printed=[False], corrected=[True]).as_markdown()
    assert f"*Correction:* {claims.ledger()[SAMPLE['corrected']].correction}" in repaired


def test_several_rulings_are_one_table(capsys):
    claims.check_all({id: {"printed": [True]} for id in ("ctu-eq10", "ctu-eq11")})
    assert capsys.readouterr().out.count("True in the case tried.") == 2
    table = as_table(["a", "b"], [["$|x|$", r"$\|y\|$"]])
    assert table == "| a | b |\n| --- | --- |\n| $\\vert x\\vert $ | $\\Vert y\\Vert $ |"


@pytest.mark.parametrize(
    ("comparisons", "message"),
    [
        ({"printed": [1, 2]}, "expected comparisons, an array of bool"),
        ({"printed": [True], "control": {"x": [0.5]}}, "x has dtype float64; expected comparisons"),
        ({"printed": [False, True], "corrected": [True]}, "expected the same cases"),
        ({"corrected": [True]}, "expected printed, or fits, or a repair"),
        ({"printed": [True], "fits": [True]}, "expected printed, or fits, or a repair"),
        ({}, "nothing given; expected printed"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(comparisons, message):
    with pytest.raises(LedgerError, match=message):
        rule(SAMPLE["holds"], **comparisons)


def test_an_unknown_claim_is_named_with_its_neighbours():
    with pytest.raises(LedgerError, match="no claim 'liang-eq77' in the ledger; did you mean liang-eq7"):
        rule("liang-eq77", printed=[True])


@by_id
def test_every_testable_claim_has_the_verdict_of_one_notebook(row):
    claim = claims.ledger()[row["id"]]
    assert row["notebook"], f"no notebook rules on {row['id']}"
    assert row["verdict"] == claim.verdict
    assert row["agrees"], scoreboard.numbers(row)


@by_id
def test_every_test_can_fail_and_shows_it(row):
    claim = claims.ledger()[row["id"]]
    assert bool(row["controls"]) or not claim.controlled, "no control, and no word why there is none"
    assert not (row["controls"] and claim.control), "a control, and a word why there is none"
    if claim.kind == "inequality" and claim.controlled:
        assert row["exact"] is not None, "an inequality is compared with both sides"


@by_id
def test_the_evidence_is_what_the_run_shows(row):
    claim = claims.ledger()[row["id"]]
    assert claim.evidence, "no evidence"
    assert row["evidence"] in (claim.evidence, MACHINE)
    if claim.evidence == "exact sample":
        assert row["exact"] is not False, "the two sides were compared in floats"
    if claim.verdict == "false":
        assert claim.evidence in ("counterexample", "measurement")
    if claim.evidence == "counterexample":
        assert claim.verdict == "false"


@pytest.mark.parametrize("claim", claims.ledger().values(), ids=lambda claim: claim.id)
def test_a_formula_is_shown_as_printed(claim):
    assert claim.printed or claim.document == "ours" or claim.kind not in ("equation", "inequality")


def test_what_cannot_be_tested_is_little():
    assert sum(claim.verdict == "untestable" for claim in claims.ledger().values()) <= 35


def test_no_claim_rests_on_itself():
    assert [id for id, above in scoreboard.users().items() if id in above] == []


def test_what_falls_with_a_false_claim_is_computed(monkeypatch):
    uses = {"a": (), "b": ("a",), "c": ("b",), "d": ("a", "c"), "e": ()}
    monkeypatch.setattr(scoreboard, "ledger", lambda: {i: SimpleNamespace(id=i, uses=u) for i, u in uses.items()})
    rows = [{"id": i, "verdict": "false" if i == "b" else "holds"} for i in uses]
    assert scoreboard.falls(rows) == {"b": [("c", "holds"), ("d", "holds")]}


def test_no_notebook_rules_on_a_claim_that_is_not_entered():
    assert set(scoreboard.rulings()) <= set(claims.ledger())


def test_the_weighty_corrections_of_the_first_page_are_such_and_stand_where_it_says():
    text = (book.HERE.parents[1] / "notebooks" / "00_scoreboard.ipynb").read_text()
    told = re.findall(r"\(`([\w.-]+)`, \[notebook \d\d\]\((\w+).ipynb\)\)", text)
    assert len(told) == 15
    named = {row["id"]: row for row in ROWS}
    assert [(named[id]["verdict"], named[id]["notebook"]) for id, _ in told] == [
        ("corrected", stem) for _, stem in told
    ]


def ledger_with(tmp_path, monkeypatch, text):
    (tmp_path / "sample.toml").write_text(text)
    monkeypatch.setattr(book, "HERE", tmp_path)
    book.documents.cache_clear()
    try:
        return book.documents()
    finally:
        book.documents.cache_clear()


HEAD = '[document]\ntitle = "T"\nauthors = "A"\nyear = 2000\nname = "N"\n'
CLAIM = (
    '[[claim]]\nid = "sample-1"\nwhere = "p. 1"\nkind = "theorem"\nsays = "x"\nverdict = "holds"\nevidence = "proof"\n'
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[document", "sample.toml cannot be read"),
        (CLAIM, "sample.toml cannot be read: 'document'"),
        (HEAD + CLAIM + CLAIM, "sample-1 stands twice"),
        (HEAD + CLAIM.replace("theorem", "hunch"), "sample-1 has kind 'hunch'"),
        (HEAD + CLAIM.replace("holds", "true"), "sample-1 has verdict 'true'"),
        (HEAD + CLAIM.replace("holds", "corrected"), "a correction goes with"),
        (HEAD + CLAIM.replace("holds", "imprecise"), "a correction goes with"),
        (HEAD + CLAIM.replace("holds", "consistent"), "a reading, the reconstruction"),
        (HEAD + CLAIM.replace("holds", "untestable"), "a reason"),
        (HEAD + CLAIM.replace("proof", "hearsay"), "evidence 'hearsay'; expected proof, exhaustive"),
        (HEAD + CLAIM.replace("proof", ""), "evidence goes with every verdict but untestable"),
        (HEAD + CLAIM + 'control = "tired"\n', "control 'tired'; expected definition, identity"),
        (HEAD + CLAIM + 'uses = ["sample-2"]\n', "sample-1 uses sample-2, which is not in the ledger"),
        (HEAD + CLAIM.replace("sample-1", "other-1"), "does not begin with sample-"),
        (HEAD + CLAIM + 'mood = "good"\n', "sample.toml cannot be read: .*mood"),
    ],
)
def test_a_broken_ledger_is_named(tmp_path, monkeypatch, text, message):
    with pytest.raises(LedgerError, match=message):
        ledger_with(tmp_path, monkeypatch, text)


def test_a_claim_ruled_on_twice_is_named(tmp_path):
    output = {"data": {claims.MIME: [{"id": "liang-eq7", "verdict": "holds"}]}}
    notebook = {"cells": [{"outputs": [output]}]}
    for name in ("01_a.ipynb", "02_b.ipynb"):
        (tmp_path / name).write_text(json.dumps(notebook))
    with pytest.raises(LedgerError, match="liang-eq7 is ruled on twice: 01_a, 02_b"):
        scoreboard.rulings(tmp_path)


def test_a_claim_that_was_not_run_has_no_verdict(tmp_path):
    rows = {row["id"]: row for row in scoreboard.scoreboard(tmp_path)}
    assert rows["liang-eq7"]["verdict"] is None
    assert list(rows) == list(claims.ledger())


def lines(capsys, *words):
    assert main(["claims", *words]) == 0
    return capsys.readouterr().out


def test_the_claims_in_a_terminal(capsys):
    assert "≈ liang-eq7" in lines(capsys)
    some = lines(capsys, "--document", "ctu", "--verdict", "holds", "--notebook", "02", "--evidence", "exact sample")
    assert "✓ ctu-eq11" in some
    assert "rojas" not in some
    about = lines(capsys, "ctu-eq10")
    assert "printed: t^*" in about
    assert "run: 02_" in about
    assert main(["claims", "ctu-eq100"]) == 1
    assert "did you mean ctu-eq10" in capsys.readouterr().err


def test_the_claims_as_json_fit_their_schema(capsys):
    rows = json.loads(lines(capsys, "--json"))
    assert len(rows) == len(claims.ledger())
    schema = json.loads((book.HERE / "schema.json").read_text())
    jsonschema.validate(rows, schema)
    for name, value in ("verdict", "right"), ("uses", "ctu-eq1"), ("notebook", 3):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate([rows[0] | {name: value}], schema)
    ruled = next(row for row in rows if row["id"] == "ctu-eq10")
    nb = json.loads((book.HERE.parents[1] / "notebooks" / f"{ruled['notebook']}.ipynb").read_text())
    cell = next(cell for cell in nb["cells"] if cell["id"] == ruled["cell"])
    assert '"ctu-eq10"' in "".join(cell["source"])


def test_the_readme_shows_the_scoreboard(capsys):
    assert main(["readme", "--check"]) == 0
