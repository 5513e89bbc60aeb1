"""The Try lines: every one is a question with its answer, is run, and the answer is what the run says."""

import pytest

from lib.claims import MIME, ledger
from tools import notebooks
from tools.__main__ import main
from tools.faults.bench import make
from tools.tries import faults_of, tries

LINES = [(path.stem, number, line) for path in notebooks.listing() for number, line in enumerate(tries(path), 1)]
QUICK = [pytest.param(line, id=f"{stem}-{number}") for stem, number, line in LINES if not line.long]


@pytest.mark.parametrize("line", QUICK)
def test_a_line_is_run_and_its_answer_is_right(line, tmp_path):
    assert faults_of([line], folder=tmp_path, jobs=1) == []


def test_every_notebook_but_the_scoreboard_suggests_something():
    assert {path.stem for path in notebooks.listing()} - {stem for stem, *_ in LINES} == {"00_scoreboard"}


CLAIM = next(iter(ledger()))
RULING = f"""from IPython.display import display
print(c * 7, "sets")
display({{"text/plain": "a ruling", "{MIME}": [{{"id": "{CLAIM}", "agrees": c < 3}}]}}, raw=True)"""


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("- `c = 2`: how many? *The run prints `14 sets`.*", None),
        (f"- `c = 6`: and now? *It prints `42 sets`; `{CLAIM}` comes out otherwise.*", None),
        ("- `c = 2` (an hour): how many? *`14 sets`*", None),
        ("- `c = 2`: how many? *The run prints `15 sets`.*", "does not print '15 sets'"),
        ("- `c = 6`: and now? *The same.*", "otherwise than by default came out"),
        (f"- `c = 2`: and now? *Not for `{CLAIM}`.*", "otherwise than by default came out nothing"),
        ("- `c = -1`: below? *Never.*", "expected from 0 to 9"),
        ("- `d = 2`: and d? *Yes.*", "no parameter 'd'"),
        ("- `c = 2`: no question. *None.*", "is no Try line"),
        ("- `c = two`: how many? *Two.*", "are no parameters"),
    ],
)
def test_a_wrong_answer_is_noticed(tmp_path, capsys, line, fault):
    path = make(tmp_path / "try.ipynb", RULING, params="c: int = 1  # a number [0..9]", closing=f"**Try**\n\n{line}")
    code = main(["try", str(path), "--jobs", "1", "--folder", str(tmp_path / "runs")])
    said = "".join(capsys.readouterr())
    assert (code == 0) == (fault is None), said
    assert fault is None or fault in said
