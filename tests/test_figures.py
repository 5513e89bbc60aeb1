import io
import json
import re
from base64 import b64decode

import numpy as np
import pytest
from PIL import Image

from lib import figures
from lib.figures import plt
from tools import figures as compared


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
    assert sorted(first) == ["a.csv", "a.png"]
    figures.save(draw(), "a", alt="Three squares.")
    assert first == {path.name: path.read_bytes() for path in folder.iterdir()}
    table = first["a.csv"].decode()
    assert "0,line,squares,3,9" in table
    assert "0,points,point,1,2" in table
    assert "0,image" in table


def test_a_rerun_by_hand_stores_nothing(tmp_path, monkeypatch):
    monkeypatch.delenv("MARGIN_FIGURES", raising=False)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    figures.save(draw(), "a", alt="Three squares.")
    assert not list(tmp_path.rglob("*"))


def test_no_figure_without_words(folder):
    with pytest.raises(ValueError, match="no alternative text"):
        figures.save(draw(), "a", alt=" ")
    assert not list(folder.iterdir())


def test_numbers_are_compared_not_pixels(folder, monkeypatch, tmp_path_factory):
    fresh = tmp_path_factory.mktemp("fresh")
    monkeypatch.setattr(compared, "FIGURES", folder)
    figures.save(draw(), "a", alt="Three squares.")
    text = (folder / "a.csv").read_text()
    (fresh / "a.csv").write_text(text)
    assert compared.compare(fresh) == []
    (fresh / "a.csv").write_text(text.replace("3,9", "3,9.0000001"))
    assert compared.compare(fresh) == []
    (fresh / "a.csv").write_text(text.replace("3,9", "3,9.1"))
    assert compared.compare(fresh) == ["a.csv: 1 of 30 numbers differ"]
    (fresh / "a.csv").write_text(text.replace("3,9\n", "3,9\n0,line,tiny,1,1e-9\n"))
    assert compared.compare(fresh) == ["a.csv: the series differ"]
    (folder / "a.csv").write_text(text.replace("3,9\n", "3,9\n0,line,tiny,1,2e-9\n"))
    assert compared.compare(fresh) == ["a.csv: 1 of 32 numbers differ"], "a series is measured by its own size"
    (folder / "a.csv").write_text(text)
    (fresh / "a.csv").write_text(text.replace("squares", "cubes"))
    assert compared.compare(fresh) == ["a.csv: the series differ"]
    (fresh / "a.csv").unlink()
    assert "missing" in compared.compare(fresh)[0]


def test_areas_contours_texts_and_limits_are_numbers_too(folder):
    fig, ax = plt.subplots()
    ax.contourf([[0, 1], [1, 2]], levels=[0.5, 1.5])
    ax.fill_between([0, 1], [0, 7])
    ax.scatter([0, 1], [0, 1], c=[3, 4])
    ax.annotate("here\nand there", (0.25, 0.5), xytext=(3, 3), textcoords="offset points")
    ax.set(xlim=(-2, 5), ylim=(-1, 8), xlabel="$x$")
    figures.save(fig, "a", alt="Many kinds.")
    table = (folder / "a.csv").read_text()
    for row in ("limits,,-2,-1", "text,$x$,0,0", "text,here and there,0.25,0.5", ",1,7", "colours,_child2,1,4"):
        assert row in table
    assert table.count("0,area") > 8


def test_slides_hold_every_frame_once_with_axes_that_stand_still(folder, monkeypatch):
    shown = []
    monkeypatch.setattr(figures, "display", lambda text, data: shown.append((data["text/html"], text)))

    def bar(k):
        fig, ax = plt.subplots(figsize=(4, 3))
        ax.plot([0, k], [0, 10**k], color=figures.RED, linewidth=6)
        ax.set_title("k" * k)
        return fig

    figures.slides(bar, [1, 2, 3], "a", what="k", alt="A line & its steps.", first=1)
    ((html, words),) = shown
    frames = json.loads(re.search(r"frames = (\[.*?\]), captions", html)[1])
    still = re.search(r'<img src="([^"]*)" alt="A line &amp; its steps."', html)[1]
    assert words == "A line & its steps."
    assert json.loads(re.search(r"captions = (\[.*?\]);", html)[1]) == ["k = 1", "k = 2", "k = 3"]
    assert [frame is None for frame in frames] == [False, True, False]
    sources = [frame or still for frame in frames]
    pictures = [np.array(Image.open(io.BytesIO(b64decode(s.split(",")[1]))).convert("RGB")) for s in sources]
    assert len({picture.tobytes() for picture in pictures}) == 3
    spines = {(picture < 60).all(axis=2).sum(axis=0).argmax() for picture in pictures}
    assert len(spines) == 1, "the vertical axis is at the same place in all of them"
    assert sorted(path.name for path in folder.iterdir()) == ["a.csv", "a.png"]
