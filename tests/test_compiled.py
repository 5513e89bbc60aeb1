"""Compiled code: kept, never stale, announced at a terminal alone; numba is imported when it is first needed."""

import os
import pty
import subprocess
import sys

import pytest

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


def run(folder, **environment):
    paths = os.pathsep.join([str(folder), *sys.path])
    kept = {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.check_output([sys.executable, folder / "user.py"], env=os.environ | kept | environment, text=True)


def test_a_changed_text_or_constant_changes_what_calls_it(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    for old, new, answer in [("", "", 3.0), ("FACTOR = 2", "FACTOR = 5", 6.0), ("FACTOR * v", "7 * v", 8.0)]:
        (tmp_path / "callee.py").write_text(CALLEE.replace(old, new))
        assert float(run(tmp_path)) == answer
    names = sorted(path.name.rsplit("-", 1)[0] for path in (tmp_path / "kept" / "margin-notes").iterdir())
    assert names == ["__main__.ask", "callee.twice"], "older versions are removed"


def test_a_terminal_is_told_once_and_nobody_else(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "callee.py").write_text(CALLEE)
    assert [at_a_terminal(tmp_path).count("compiling the loops, once") for _ in range(2)] == [1, 0]


def at_a_terminal(folder):
    """What a run writes to standard error if that is a terminal."""
    ours, theirs = pty.openpty()
    kept = {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    subprocess.run([sys.executable, folder / "user.py"], env=os.environ | kept, stderr=theirs, check=True)
    os.write(theirs, b".")
    told = os.read(ours, 10_000).decode()
    os.close(ours), os.close(theirs)
    return told
