"""What the README shows works as it stands there."""

import re
from pathlib import Path

import pytest

from lib.files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_link_to_a_file_leads_somewhere():
    links = set(re.findall(r"\]\(([^)#:]+)\)", README))
    assert len(links) >= 15
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("text", re.findall(r"```python\n(.*?)```", README, re.S))
def test_the_snippet_runs_as_pasted(text, capsys):
    names = {}
    exec(text, names)
    assert names["separability"](names["patterns"]).separable
    assert "def next_wrong" in capsys.readouterr().out


def test_every_room_is_named():
    rooms = {path.name for path in Path(ROOT / "lib").iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert [room for room in rooms if f"lib/{room}/" not in README] == []
