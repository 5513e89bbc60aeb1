"""The exercises' folded solutions: each block of Python in a notebook's text runs by itself, and its asserts hold."""

import re
import subprocess
import sys

import pytest

from lib.files import ROOT
from tools.notebooks import listing, read

FOLDED = re.compile(r"<details>(.*?)</details>", re.DOTALL)
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


def solutions(nb):
    """The blocks of Python that are folded away in a notebook's text, in order."""
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    return [code for folded in FOLDED.findall(text) for code in CODE.findall(folded)]


ALL = [
    pytest.param(code, id=f"{path.stem}-{number}")
    for path in listing()
    for number, code in enumerate(solutions(read(path)), start=1)
]


@pytest.mark.parametrize("code", ALL)
def test_a_solution_runs_and_asserts_its_answer(code):
    assert "assert" in code
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
