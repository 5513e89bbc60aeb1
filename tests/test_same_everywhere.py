"""A run is the same to the last bit on every processor, and without numba."""

import pytest
from sample_runs import elsewhere


@pytest.fixture(scope="module")
def here():
    pytest.importorskip("numba", reason="numba is missing: there is nothing to compare with")
    found, numba = elsewhere()
    assert numba
    return found


def test_without_numba_nothing_differs(here):
    plain, numba = elsewhere("plain")
    assert not numba
    assert plain == here
    assert len(set(plain.values())) > len(plain) / 2, "answers of different runs differ"


def test_on_the_plainest_processor_nothing_differs(here, tmp_path):
    generic, numba = elsewhere(NUMBA_CPU_NAME="generic", NUMBA_CACHE_DIR=str(tmp_path))
    assert numba
    assert generic == here
    assert any(tmp_path.rglob("*.nbi")), "it was compiled anew"
