"""The data of Table 1: bundled and loaded, checked against what UCI publishes."""

import hashlib
import lzma
import urllib.error
import urllib.request

import numpy as np
import pytest

from lib import realdata
from lib.realdata import DataMissing, connect4, covertype, prepared


def test_covertype_is_uci_s():
    digest = hashlib.sha256(realdata.COVTYPE.read_bytes()).hexdigest()
    assert digest in realdata.COVTYPE.with_name("PROVENANCE.md").read_text()
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
    except DataMissing as error:
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
    monkeypatch.setattr(realdata, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    return tmp_path


def test_a_missing_set_says_where_to_put_it(nowhere):
    with pytest.raises(DataMissing, match=r"download failed .*expected connect-4.data.*MARGIN_DATA"):
        connect4()


def test_a_file_with_other_bytes_is_refused(nowhere):
    (nowhere / "connect-4.data.xz").write_bytes(lzma.compress(b"x,o,b,win\n"))
    with pytest.raises(ValueError, match=r"has SHA-256 .* expected 0631"):
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
