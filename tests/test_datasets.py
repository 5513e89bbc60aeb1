"""The data sets: their numbers, their hashes, and clear words when one is missing."""

import hashlib
import lzma
import urllib.error
import urllib.request

import numpy as np
import pytest

from lib import data as datasets
from lib.data import DataError, connect4, covertype, load, prepared


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


def test_an_unknown_name_is_named_with_those_known():
    with pytest.raises(DataError, match=r"no data set 'wine_0v9'; expected one of german, .*wine_0v1"):
        load("wine_0v9")


def test_the_hashes_are_those_of_the_provenance():
    for path, digest in datasets.BUNDLED.items():
        assert digest in (datasets.DATA / path).with_name("PROVENANCE.md").read_text()


def test_a_bundled_file_that_is_missing_or_altered_is_named(tmp_path, monkeypatch):
    good = (datasets.DATA / "german/german.npy").read_bytes()
    monkeypatch.setattr(datasets, "DATA", tmp_path)
    with pytest.raises(DataError, match=r"german.npy is not here; expected it in data/"):
        load("german")
    (tmp_path / "german").mkdir()
    (tmp_path / "german" / "german.npy").write_bytes(good[:-1] + b"\x07")
    with pytest.raises(DataError, match=r"has SHA-256 .*; expected 9e9f"):
        load("german")


def test_covertype_is_uci_s():
    X, cover = covertype()
    assert np.bincount(cover).tolist() == [0, 211840, 283301, 35754, 2747, 9493, 17367, 20510]
    rows = np.column_stack([X, cover])[:1000].tolist()
    lines = "".join(",".join(map(str, row)) + "\n" for row in rows)
    assert hashlib.sha256(lines.encode()).hexdigest() == FIRST_THOUSAND
    assert (X[:, 10:14].sum(axis=1) == 1).all()
    assert (X[:, 14:].sum(axis=1) == 1).all()


FIRST_THOUSAND = "f3936501889b04a11a3a1468ad339829e9a18e173195ffa97fa952e8b194ab8b"


def test_connect4_if_it_is_there():
    try:
        X, outcome = connect4()
    except DataError as error:
        pytest.skip(str(error))
    assert X.shape == (67557, 126)
    assert {k: int((outcome == k).sum()) for k in ("win", "loss", "draw")} == {
        "win": 44473,
        "loss": 16635,
        "draw": 6449,
    }
    pieces = X.reshape(-1, 42, 3).sum(axis=1)
    assert (pieces == [4, 4, 34]).all()


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise urllib.error.URLError("no network")

    monkeypatch.setenv("MARGIN_DATA", str(tmp_path))
    monkeypatch.setattr(datasets, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    return tmp_path


def test_a_missing_set_says_where_to_put_it(nowhere):
    with pytest.raises(DataError, match=r"download failed .*expected connect-4.data.*MARGIN_DATA"):
        connect4()


def test_a_file_with_other_bytes_is_refused(nowhere):
    (nowhere / "connect-4.data.xz").write_bytes(lzma.compress(b"x,o,b,win\n"))
    with pytest.raises(DataError, match=r"has SHA-256 .* expected 0631"):
        connect4()


@pytest.mark.parametrize("name", ["connect-4.data.xz", "connect-4.data.gz"])
def test_a_file_that_cannot_be_unpacked_is_named(nowhere, name):
    (nowhere / "connect4").mkdir()
    (nowhere / "connect4" / name).write_bytes(b"not packed at all")
    with pytest.raises(DataError, match=rf"{name} cannot be read .*; expected connect-4.data"):
        connect4()


def test_parts_are_disjoint_standardised_and_dyadic():
    X = np.random.default_rng(0).integers(-50, 50, (300, 4))
    X[:, 3] = 7
    (A, a), (B, b) = prepared(X, np.arange(300), [200, 60], rng=1, bits=8)
    assert (A.shape, B.shape) == ((200, 4), (60, 4))
    assert not set(a) & set(b)
    assert np.array_equal(A * 256, np.round(A * 256))
    np.testing.assert_allclose(A[:, :3].mean(axis=0), 0, atol=0.01)
    np.testing.assert_allclose(A[:, :3].std(axis=0), 1, atol=0.01)
    assert (A[:, 3] == 0).all()
    np.testing.assert_allclose(B[:, 0], (X[b, 0] - X[a, 0].mean()) / X[a, 0].std(), atol=1 / 256)
    with pytest.raises(ValueError, match="the parts have 301 rows; expected at most 300"):
        prepared(X, np.arange(300), [300, 1])
    with pytest.raises(ValueError, match="X has dtype float64; expected integers"):
        prepared(X / 2, np.arange(300), [200])
    with pytest.raises(ValueError, match="a size is 0; expected a whole number, 1 or more"):
        prepared(X, np.arange(300), [0, 3])


def test_large_integers_are_standardised_without_wrapping():
    X = 2**32 * np.arange(-50, 50)[:, None]
    ((A, _),) = prepared(X, np.arange(100), [100])
    np.testing.assert_allclose([A.mean(), A.std()], [0, 1], atol=0.01)
