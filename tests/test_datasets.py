"""The data sets: their numbers, their hashes, and clear words when one is missing."""

import sys

import numpy as np
import pytest

from lib import datasets
from lib.datasets import DataError, load


def test_german_credit():
    data = load("german")
    assert data.X.shape == (1000, 24)
    assert (data.y == 1).sum() == 700
    assert data.X[0].tolist() == [1, 6, 4, 12, 5, 5, 3, 4, 1, 67, 3, 2, 1, 2, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]
    assert (data.y[0], data.y[1]) == (1, -1)
    assert "German" in data.source


@pytest.mark.parametrize("name", datasets.PAIRS)
def test_bundled_sets_have_two_classes(name):
    data = load(name)
    assert set(data.y) == {-1, 1}
    assert len(data.X) == len(data.y) >= 100


def test_patterns_are_standardised_and_folded_with_minus_one():
    data = load("digits_3v8")
    Z = data.patterns()
    assert Z.dtype == np.int64
    assert (Z[:, -1] == -1000 * data.y).all()
    X = Z[:, :-1] * data.y[:, None] / 1000
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-3)
    np.testing.assert_allclose(X.std(axis=0), 1, atol=1e-3)
    np.testing.assert_allclose(X, data.standardised(), atol=5.001e-4)
    assert X.shape[1] < data.X.shape[1], "constant pixels are left out"


def test_an_unknown_name_is_named_with_its_neighbour():
    with pytest.raises(DataError, match="no data set 'wine_0v9'; did you mean wine_0v"):
        load("wine_0v9")
    with pytest.raises(DataError, match="expected one of german"):
        load("zzz")


def test_a_missing_file_says_where_it_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "FOLDER", tmp_path)
    monkeypatch.delenv("MARGIN_DATA", raising=False)
    with pytest.raises(DataError, match=r"german.npy is not here; expected it in data/ or .* MARGIN_DATA"):
        load("german")


def test_a_file_elsewhere_is_found_and_an_altered_one_refused(tmp_path, monkeypatch):
    good = datasets.find("german/german.npy", datasets.FILES["german"].sha256).read_bytes()
    (tmp_path / "german").mkdir()
    (tmp_path / "german" / "german.npy").write_bytes(good)
    monkeypatch.setattr(datasets, "FOLDER", tmp_path / "nowhere")
    monkeypatch.setenv("MARGIN_DATA", str(tmp_path))
    assert load("german").X.shape == (1000, 24)
    (tmp_path / "german" / "german.npy").write_bytes(good[:-1] + b"\x07")
    with pytest.raises(DataError, match=r"has SHA-256 .*; expected 9e9f"):
        load("german")


def test_without_scikit_learn_the_message_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(DataError, match="comes with scikit-learn, which is missing"):
        load("iris_0v1")
