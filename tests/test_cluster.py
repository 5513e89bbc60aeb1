"""Sweeps on a Dask cluster: what travels, what a killed worker costs, and what is said when nothing answers."""

import csv
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tools.__main__ import main
from tools.faults.bench import FIGURE, METRIC, Bench, make
from tools.runner import cluster
from tools.runner import plan as runner


@pytest.fixture
def job(tmp_path):
    path = make(tmp_path / "try.ipynb", "import os; print(os.getcwd())", METRIC, FIGURE)
    return runner._plan(path, {"c": 3}, tmp_path / "runs", 100)


def test_everything_comes_back_and_nothing_stays(job, monkeypatch):
    with tempfile.TemporaryDirectory(prefix="b") as scratch:
        monkeypatch.setenv("TMPDIR", scratch)
        result = cluster.run_away(cluster.library(), job)
        assert os.listdir(scratch) == []
    assert result.record.ok, result.record.error
    assert result.record.metrics == {"double": 6}
    assert result.figures == {"drawn.csv": b"3"}
    assert scratch in result.copy
    assert os.listdir(job.notebook.parent) == ["try.ipynb"]


def test_a_worker_with_another_library_is_named(job):
    result = cluster.run_away(["another"], job)
    assert result.record.error.startswith(f"{socket.gethostname()} has another lib")


def test_a_process_that_ends_is_an_error(job, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RuntimeError, match="ended with 1"):
        cluster.run_away(cluster.library(), job)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("tcp://nowhere", "--dask tcp://nowhere: expected tcp://HOST:PORT or local"),
        ("tcp://127.0.0.1:1", "--dask needs Dask; expected an environment with the extra cluster"),
    ],
)
def test_a_bad_address_and_a_missing_extra_are_refused(tmp_path, capsys, monkeypatch, address, sentence):
    monkeypatch.setitem(sys.modules, "distributed", None)
    path = make(tmp_path / "try.ipynb", "print(c)")
    assert main(["sweep", str(path), "-p", "c", "1", "--folder", str(tmp_path / "runs"), "--dask", address]) == 2
    assert capsys.readouterr().err == f"margin: {sentence}\n"


class Cluster:
    """A scheduler and workers on 127.0.0.1, each a process without a nanny, with their own folder for files."""

    def __init__(self, bench):
        self.bench, self.started = bench, []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self.start("scheduler", "--port", port)

    def start(self, *words):
        command = [sys.executable, "-m", "dask", *map(str, words), "--host", "127.0.0.1", "--no-dashboard"]
        environment = self.bench.environment | {"DASK_TEMPORARY_DIRECTORY": str(self.bench.folder)}
        with (self.bench.folder / "dask.log").open("a") as log:
            process = subprocess.Popen(command, env=environment, cwd="/", stdout=log, stderr=log)
        self.started.append(process)
        return process

    def worker(self):
        return self.start("worker", self.address, "--nthreads", 1, "--no-nanny")

    def end(self):
        for process in self.started:
            process.kill()
            process.wait()


@pytest.fixture
def place(tmp_path):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with tempfile.TemporaryDirectory(prefix="b") as scratch:
        found = Cluster(Bench(tmp_path, Path(scratch)))
        yield found
        found.end()


def rows(path):
    return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(path.read_text().splitlines())]


def test_a_killed_worker_costs_nothing(place):
    bench = place.bench
    make(bench.folder / "tiny.ipynb", METRIC, FIGURE)
    words = ["sweep", "tiny.ipynb", "-p", "c", "1,2,3,4,5,6"]
    code, _, err = bench(*words)
    assert code == 0, err
    here = rows(bench.runs / "tiny.sweep-c.csv")
    bench.runs = bench.folder / "away"
    victim, _ = place.worker(), place.worker()
    sweep = bench.start(*words, "--dask", place.address)
    while len(list(bench.runs.glob("tiny-*.json"))) < 2:
        assert sweep.poll() is None, sweep.communicate()
        time.sleep(0.05)
    victim.send_signal(signal.SIGKILL)
    _, err = sweep.communicate(timeout=200)
    assert sweep.returncode == 0, err
    assert rows(bench.runs / "tiny.sweep-c.csv") == here
    assert len(list(bench.runs.glob("tiny-*-figures/drawn.csv"))) == 6
    assert bench.leftovers(patience=20) == []


def test_a_kernel_that_dies_again_and_again_is_reported_with_its_cell(place):
    bench = place.bench
    make(bench.folder / "dead.ipynb", "open('tried', 'a')", "import os; os.kill(os.getpid(), 9)")
    place.worker()
    code, _, err = bench("sweep", "dead.ipynb", "-p", "c", "1", "--dask", place.address)
    assert code == 1
    assert "dead c=1: dead kernel in cell 3: import os; os.kill(os.getpid(), 9)\n    the kernel died\n" in err
    assert bench.leftovers(patience=20) == []


def test_a_scheduler_that_goes_is_a_failure_of_its_jobs(place):
    bench = place.bench
    make(bench.folder / "tiny.ipynb", "import time; time.sleep(c)", METRIC)
    place.worker()
    sweep = bench.start("sweep", "tiny.ipynb", "-p", "c", "0,30", "--dask", place.address)
    while not list(bench.runs.glob("tiny-*.json")):
        assert sweep.poll() is None, sweep.communicate()
        time.sleep(0.05)
    place.scheduler.kill()
    out, err = sweep.communicate(timeout=200)
    assert sweep.returncode == 1
    assert "the cluster gave it up" in err
    assert [line.split()[:2] for line in out.splitlines()[1:3]] == [["0", "ok"], ["30", "failed"]]
