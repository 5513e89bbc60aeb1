import re

import numpy as np
import pytest

from lib import figures
from lib.figures import plt


def draw():
    fig, ax = plt.subplots()
    ax.plot([1, 2, 3], [1, 4, 9], "o-", label="squares")
    ax.scatter([1], [2], label="point")
    ax.bar([1], [3], label="bar")
    ax.imshow(np.arange(4).reshape(2, 2))
    return fig


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MARGIN_FIGURES", str(tmp_path))
    return tmp_path


def test_a_figure_is_saved_with_its_numbers_and_twice_the_same(folder):
    figures.save(draw(), "a", alt="Three squares.")
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(first) == ["a.csv", "a.png", "a.svg"]
    figures.save(draw(), "a", alt="Three squares.")
    assert first == {path.name: path.read_bytes() for path in folder.iterdir()}
    table = first["a.csv"].decode()
    assert "0,line,squares,3,9" in table
    assert "0,points,point,1,2" in table
    assert "0,image" in table
    assert not re.search(rb"20\d\d-\d\d-\d\d", first["a.svg"])


def test_no_figure_without_words(folder):
    with pytest.raises(ValueError, match="no alternative text"):
        figures.save(draw(), "a", alt=" ")
    assert not list(folder.iterdir())


def test_numbers_are_compared_not_pixels(folder, monkeypatch, tmp_path_factory):
    fresh = tmp_path_factory.mktemp("fresh")
    monkeypatch.setattr(figures, "FOLDER", folder)
    figures.save(draw(), "a", alt="Three squares.")
    text = (folder / "a.csv").read_text()
    (fresh / "a.csv").write_text(text)
    assert figures.compare(fresh) == []
    (fresh / "a.csv").write_text(text.replace("3,9", "3,9.0000001"))
    assert figures.compare(fresh) == []
    (fresh / "a.csv").write_text(text.replace("3,9", "3,9.1"))
    assert figures.compare(fresh) == ["a.csv: 1 of 18 numbers differ"]
    (fresh / "a.csv").write_text(text.replace("squares", "cubes"))
    assert figures.compare(fresh) == ["a.csv: the series differ"]
    (fresh / "a.csv").unlink()
    assert "missing" in figures.compare(fresh)[0]
