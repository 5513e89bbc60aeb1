"""Compiled code: kept, never stale, announced at a terminal alone; numba is imported when it is first needed."""

import os
import pkgutil
import pty
import re
import subprocess
import sys
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

import lib
from lib import compiled
from tools.__main__ import main
from tools.runner import plan

numba = pytest.importorskip("numba", reason="numba is missing: there is no compiled code to test")

USER = """
import sys
import numpy as np
from lib.compiled import compiled
from callee import twice
@compiled
def ask(a):
    return twice(a) + 1
assert "numba" not in sys.modules
print(ask(np.ones(1)))
"""
CALLEE = """
from lib.compiled import compiled
FACTOR = 2
@compiled
def twice(a):
    return sum([FACTOR * v for v in a])
"""


def process(folder, **streams):
    """Run user.py of a folder, where compiled code is kept too."""
    kept = {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    environment = os.environ | kept | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, folder / "user.py"], env=environment, check=True, text=True, **streams)


def test_a_changed_text_or_constant_changes_what_calls_it(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    for old, new, answer in [("", "", 3.0), ("FACTOR = 2", "FACTOR = 5", 6.0), ("FACTOR * v", "7 * v", 8.0)]:
        (tmp_path / "callee.py").write_text(CALLEE.replace(old, new))
        done = process(tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert (float(done.stdout), done.stderr) == (answer, "")
    names = sorted(path.name.rsplit("-", 1)[0] for path in (tmp_path / "kept" / "margin-notes").iterdir())
    assert names == ["__main__.ask", "callee.twice"], "older versions are removed"


def test_the_runner_says_what_a_fresh_copy_waits_for(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(compiled, "shelf", lambda: tmp_path)
    monkeypatch.setattr(plan, "run", lambda *names, **options: [])
    told = []
    for folder in ("", "kept"):
        (tmp_path / folder).mkdir(exist_ok=True)
        assert main(["run"]) == 0
        told.append(capsys.readouterr().err.count("compiling the loops, once"))
    assert told == [1, 0]


def test_a_terminal_is_told_once(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "callee.py").write_text(CALLEE)
    assert [at_a_terminal(tmp_path).count("compiling the loops, once") for _ in range(2)] == [1, 0]


def at_a_terminal(folder):
    """What a run writes to standard error if that is a terminal."""
    ours, theirs = pty.openpty()
    process(folder, stderr=theirs)
    os.write(theirs, b".")
    told = os.read(ours, 10_000).decode()
    os.close(ours), os.close(theirs)
    return told


def test_python_runs_what_is_exact_and_numba_the_rest():
    text = compiled.Text(lambda *_: "Python")
    text.fast = lambda *_: "numba"
    floats, whole, exact = np.ones(2), np.ones(2, dtype=int), np.ones(2, dtype=object)
    assert {text(*a) for a in [(floats, 1), (1, floats), (whole, floats), (whole, 2.0), (floats[::2],)]} == {"numba"}
    assert {text(*a) for a in [(exact,), (1, exact), (whole, exact), (whole, Fraction(1, 2))]} == {"Python"}


SUMS = re.compile(r"\.(sum|mean|prod|dot|std|var)\(|np\.(sum|mean|prod|dot|vdot|inner|einsum|linalg)\b| @ ")
"""What numpy adds in another order than numba does."""


def all_texts():
    modules = [import_module(m.name) for m in pkgutil.walk_packages(lib.__path__, "lib.") if m.name != "lib.__main__"]
    return {text.source for module in modules for text in vars(module).values() if isinstance(text, compiled.Text)}


def test_texts_add_in_the_order_of_the_columns():
    found = [line for text in all_texts() for line in text.splitlines() if SUMS.search(line)]
    assert not found
    assert len(all_texts()) > 10
    assert SUMS.search("total = weights.sum()")
    assert SUMS.search("score = z @ w")
    assert not SUMS.search("total += a[k] * b[k]")
