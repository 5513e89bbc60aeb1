"""The runner: what it refuses, what it says of a failure, what it keeps, and what it leaves behind."""

import csv
import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from lib import files
from lib.claims import LedgerError, scoreboard
from tools import notebooks
from tools.__main__ import main
from tools.faults.bench import DEAF, FIGURE, METRIC, TRANSPORT, Bench, make
from tools.runner import engine as execution
from tools.runner import plan as runner
from tools.runner import pool, records


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    with tempfile.TemporaryDirectory(prefix="b") as scratch:
        yield Bench(tmp_path_factory.mktemp("bench"), Path(scratch))


@pytest.fixture(scope="module")
def first(bench):
    """A good run of two notebooks at once."""
    make(bench.folder / "good.ipynb", "print(c)", METRIC, TRANSPORT, FIGURE)
    make(bench.folder / "shaky.ipynb", "print(c)")
    code, out, err = bench("run", "good.ipynb", "shaky.ipynb", "--write")
    assert code == 0, err
    return out, err


@pytest.fixture(scope="module")
def second(bench, first):
    """The same again, with one notebook broken since and others that fail in every way."""
    former = (bench.runs / "shaky.ipynb").read_bytes()
    make(bench.folder / "shaky.ipynb", "print(c)", "\n# look\nraise ValueError('one\\ntwo')", "print(c)")
    make(bench.folder / "dead.ipynb", "print(c)", "import os; os._exit(9)")
    make(bench.folder / "deaf.ipynb", DEAF + "time.sleep(99)")
    make(bench.folder / "slow.ipynb", *["import time; time.sleep(2)"] * 30)
    make(bench.folder / "exit.ipynb", "import sys; sys.exit()", "print(c)")
    code, *_ = bench("run", "deaf.ipynb", "slow.ipynb", "--timeout", 6)
    assert code == 1
    code, out, err = bench("run", "good.ipynb", "shaky.ipynb", "dead.ipynb", "exit.ipynb")
    assert code == 1
    return out, err, former


def test_a_good_run_is_kept_with_its_record(bench, first):
    record = bench.record("good")
    assert record["status"] == "ok"
    assert record["metrics"] == {"double": 2, "transport": "ipc"}
    assert record["figures"] == ["drawn.csv"]
    assert (bench.folder / "figures/drawn.csv").read_text() == "1"
    assert len(notebooks.read(bench.runs / "good.ipynb").cells) == 6
    assert first[0].splitlines()[0].split() == ["notebook", "result", "seconds"]
    assert "good: ok, " in first[1]


def test_write_stores_outputs_in_normal_form(bench, first):
    path = bench.folder / "good.ipynb"
    assert notebooks.read(path).cells[2].outputs[0].text == "1\n"
    assert notebooks.normalise_files([path], check=True) == []


def test_what_has_not_changed_is_skipped(second):
    assert ["good", "unchanged"] in [line.split()[:2] for line in second[0].splitlines()]
    assert "good: unchanged" in second[1]


def test_a_failing_cell_is_named(bench, second):
    record = bench.record("shaky.failed")
    assert (record["status"], record["cell"], record["line"]) == ("failed", 3, "# look")
    assert record["error"] == "ValueError: one two"
    assert "shaky: failed in cell 3: # look\n    ValueError: one two\n" in second[1]


def test_a_failure_leaves_the_former_good_copy(bench, second):
    assert (bench.runs / "shaky.ipynb").read_bytes() == second[2]
    assert "ValueError" in (bench.runs / "shaky.failed.ipynb").read_text()


def test_a_dead_kernel_is_called_so(bench, second):
    record = bench.record("dead.failed")
    assert (record["status"], record["cell"], record["line"]) == ("dead kernel", 3, "import os; os._exit(9)")


@pytest.mark.parametrize("name", ["deaf", "slow"])
def test_the_limit_holds_for_a_deaf_cell_and_for_the_sum_of_cells(bench, second, name):
    record = bench.record(f"{name}.failed")
    assert record["status"] == "timeout"
    assert 5.5 < record["seconds"] < 40
    assert not (bench.runs / f"{name}.ipynb").exists()


def test_sys_exit_is_a_failure(bench, second):
    assert bench.record("exit.failed")["cell"] == 2


def test_no_file_of_the_users_is_touched_by_a_look_at_the_folder(tmp_path):
    mine = tmp_path / "probe"
    mine.write_text("mine")
    pool._check_writable(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["probe"]
    assert mine.read_text() == "mine"


def test_experiments_whose_short_digests_agree_are_kept_apart(bench, first):
    jobs = [runner._plan(bench.folder / "good.ipynb", {"c": c}, bench.runs, 60) for c in (49969, 52081, 7)]
    assert len({job.output.name[:13] for job in jobs}) == 2, "eight digits are too few for these"
    assert len({job.output for job in jobs}) == 3
    with pytest.raises(notebooks.UsageError, match="same name"):
        pool.execute([jobs[0], replace(jobs[1], output=jobs[0].output)])


def test_no_kernel_and_no_socket_is_left(bench, second):
    assert bench.leftovers() == []
    assert list(bench.runs.glob("*.partial")) == []


def test_an_interrupted_and_a_killed_sweep_resume(bench):
    words = ["sweep", "nap.ipynb", "-p", "c", "-3,0,-0", "-p", "v", "[1];[2, 3]", "--jobs", 1]
    make(
        bench.folder / "nap.ipynb", METRIC, FIGURE.replace("drawn", "nap"), params="c: int = 1  # n\nv: list = [1]  # l"
    )

    def interrupt_after(records, how):
        process = bench.start(*words)
        while len(list(bench.runs.glob("nap-*.json"))) < records:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(how)
        process.communicate(timeout=30)
        assert bench.leftovers(patience=10) == []
        return process.returncode

    assert interrupt_after(1, signal.SIGINT) == 130
    assert interrupt_after(2, signal.SIGKILL) == -signal.SIGKILL
    finished = len(list(bench.runs.glob("nap-*.json")))
    assert finished < 4
    code, out, err = bench(*words)
    assert (code, err.count("unchanged")) == (0, finished)
    rows = list(csv.DictReader((bench.runs / "nap.sweep-c-v.csv").read_text().splitlines()))
    assert [(row["c"], row["v"], row["double"], row["status"]) for row in rows] == [
        (str(c), v, str(2 * c), "ok") for c in (-3, 0) for v in ("[1]", "[2, 3]")
    ]
    assert all(float(row["seconds"]) > 0 for row in rows)
    assert out.splitlines()[0].split() == ["c", "v", "status", "seconds", "double"]
    assert not (bench.folder / "figures/nap.csv").exists()
    assert len(list(bench.runs.glob("nap-*-figures/nap.csv"))) == 4


@pytest.fixture
def no_kernel(monkeypatch):
    def refuse(*_):
        raise AssertionError("a job was started")

    monkeypatch.setattr(pool, "processes", refuse)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "{}", "-p", "cc", "3"], "try has no parameter 'cc'; did you mean c?"),
        (["run", "{}", "-p", "c", "3.5"], "try: parameter c is '3.5'; expected an integer"),
        (["run", "{}", "-p", "c"], "-p c has no value; expected -p NAME VALUE"),
        (["run", "{}", "-p", "c", "1", "-p", "c", "2"], "parameter 'c' is given twice"),
        (["run", "{}", "-p", "c", "2", "--write"], "--write stores the outputs for default parameters"),
        (["run", "no_such_thing"], "unknown notebook 'no_such_thing'"),
        (["sweep", "{}", "-p", "c", "1,x"], "try: parameter c is 'x'; expected an integer"),
        (["sweep", "00", "-p", "folder", "x", "--dask", "local"], "00_scoreboard reads the other notebooks"),
        (["sweep", "{}"], "a sweep needs the values of at least one parameter"),
    ],
)
def test_a_bad_request_is_refused_in_one_sentence(tmp_path, capsys, no_kernel, words, sentence):
    path = make(tmp_path / "try.ipynb", "print(c)")
    words = [word.format(path) for word in words]
    assert main([words[0], "--folder", str(tmp_path / "runs"), *words[1:]]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert os.listdir(tmp_path) == ["try.ipynb"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys, no_kernel):
    path = make(tmp_path / "try.ipynb", "print(c)")
    assert main(["run", str(path), "--folder", str(path / "runs")]) == 1
    assert "try.ipynb/runs: Not a directory" in capsys.readouterr().err


def test_a_full_disk_leaves_the_earlier_result(tmp_path, monkeypatch):
    path = make(tmp_path / "try.ipynb", "print(c)")
    job = runner._plan(path, {}, tmp_path / "runs", 9)
    monkeypatch.setattr(execution, "_execute", _pretend)
    assert execution.run_one(job).ok
    former = job.output.read_bytes()
    monkeypatch.setattr(Path, "write_bytes", _no_space)
    record = execution.run_one(job)
    assert record.status == "failed"
    assert "No space left on device" in record.error
    assert job.output.read_bytes() == former
    assert sorted(os.listdir(tmp_path / "runs")) == ["try.ipynb", "try.json"]


def test_figures_are_stored_with_the_rest_or_not_at_all(tmp_path):
    job = runner._plan(make(tmp_path / "try.ipynb", "print(c)"), {"c": 2}, tmp_path / "runs", 9)
    files.store(job.figures / "b", "a file where a folder has to be")
    record = records.Record("try", job.params, job.digest, "ok")
    kept = records.keep(job, records.Result(record, job.text, {"a.csv": b"1", "b/c.csv": b"2"}))
    assert kept.status == "failed"
    assert "cannot store the outputs" in kept.error
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["b", "try.ipynb"]


def test_a_notebook_that_prints_too_much_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(execution, "MOST_PRINTED", 1000)
    path = make(tmp_path / "try.ipynb", "while True:\n    print('x' * 99, flush=True)")
    result = execution.attempt(runner._plan(path, {}, tmp_path / "runs", 100))
    assert (result.record.status, result.record.cell) == ("failed", 2)
    assert result.record.error == "stopped, since it printed more than 1,000 characters"
    assert len(result.copy) < 5000


def test_a_broken_ledger_is_a_sentence(monkeypatch, capsys):
    def refuse():
        raise LedgerError("claim x stands twice in the ledger")

    monkeypatch.setattr(scoreboard, "ledger", refuse)
    assert main(["claims"]) == 1
    assert capsys.readouterr().err == "margin: claim x stands twice in the ledger\n"


def _pretend(job, scratch, deadline):
    """Instead of a kernel: the notebook itself is its executed copy."""
    (scratch / "figures").mkdir()
    nb = notebooks.read(job.notebook)
    nb.metadata.papermill = {}
    with (scratch / "copy.ipynb").open("w") as file:
        file.write(notebooks.dumps(nb))
    return {"status": "failed" if "fail" in nb.cells[2].source else "ok"}


def _no_space(self, data):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))


@pytest.fixture
def collection(tmp_path, monkeypatch):
    """A collection with a scoreboard, run without kernels; returns a function and what it ran."""
    make(tmp_path / "00_scoreboard.ipynb", "print(folder)", params='folder: str = "."  # what to read')
    make(tmp_path / "01_one.ipynb", "print(1)")
    make(tmp_path / "02_two.ipynb", "print(2)")
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(execution, "_execute", _pretend)
    ran = []

    def run_one(job):
        ran.append((job.notebook.stem, job.params))
        return execution.run_one(job)

    monkeypatch.setattr(pool, "run_one", run_one)

    def run(*names, **options):
        ran.clear()
        with ThreadPoolExecutor(1) as executor:
            return runner.run(names, executor=executor, folder=tmp_path / "runs", **options), list(ran)

    return run


def test_the_scoreboard_runs_last_and_reads_the_runs(collection):
    records, ran = collection()
    assert [record.notebook for record in records] == ["01_one", "02_two", "00_scoreboard"]
    assert ran[-1] == ("00_scoreboard", {"folder": "runs"})
    assert records[-1].output == "00_scoreboard.ipynb"


def test_the_scoreboard_runs_again_when_another_output_has_changed(collection, tmp_path):
    collection()
    assert collection()[1] == []
    make(tmp_path / "02_two.ipynb", "print(22)")
    assert [name for name, _ in collection()[1]] == ["02_two", "00_scoreboard"]
    assert len(collection(force=True)[1]) == 3


def test_the_scoreboard_waits_for_good_outputs(collection, tmp_path):
    make(tmp_path / "01_one.ipynb", "fail")
    records, ran = collection()
    assert [record.status for record in records] == ["failed", "ok", "not run"]
    assert len(ran) == 2


def test_the_scoreboard_that_is_stored_reads_the_stored_notebooks(collection):
    _, ran = collection(write=True)
    assert ran[-1] == ("00_scoreboard", {})


def test_a_run_with_parameters_does_not_count_as_the_default_run(tmp_path):
    path = make(tmp_path / "try.ipynb", "print(c)")
    default, other = (runner._plan(path, params, tmp_path, 9) for params in ({}, {"c": 2}))
    assert default.figures != other.figures
    assert other.figures.parent == other.output.parent == tmp_path
    assert default.digest != other.digest
    assert runner._departures(path, {"c": "1"}) == {}


def test_a_broken_pool_is_a_failure_of_its_jobs(tmp_path):
    job = runner._plan(make(tmp_path / "try.ipynb", "print(c)"), {}, tmp_path / "runs", 9)
    with pool.processes(1) as workers:
        [record] = pool.execute([replace(job, notebook=_Poison())], executor=workers)
    assert record.status == "failed"


class _Poison:
    """Ends the process that unpickles it."""

    stem = "poison"

    def __reduce__(self):
        return os._exit, (1,)


def test_sockets_need_short_paths():
    assert execution.kernel_config(Path("/tmp/mn-12345678")).KernelManager.transport == "ipc"
    assert "transport" not in execution.kernel_config(Path("/tmp") / ("x" * 100)).KernelManager


@pytest.mark.parametrize("folder", [files.ROOT, files.NOTEBOOKS], ids=["root", "notebooks"])
def test_plain_papermill_runs_a_notebook(folder, tmp_path):
    path = os.path.relpath(notebooks.find("01"), folder)
    environment = os.environ | {"MARGIN_FIGURES": str(tmp_path)}
    command = [sys.executable, "-m", "papermill", path, str(tmp_path / "out.ipynb"), "-p", "sets", "100"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_ruling_that_disagrees_fails_a_default_run_and_no_experiment(tmp_path, bench):
    shown = "{'application/vnd.margin-notes.claim+json': [{'id': 'ctu-eq10', 'agrees': c > 1}]}"
    make(bench.folder / "rules.ipynb", f"from IPython.display import display\ndisplay({shown}, raw=True)")
    code, _, err = bench("run", "rules.ipynb", "--write")
    assert code == 1
    assert "ctu-eq10: not what the ledger expects" in err
    assert not notebooks.code_cells(notebooks.read(bench.folder / "rules.ipynb"))[1].outputs
    code, out, _ = bench("run", "rules.ipynb", "-p", "c", "0")
    assert code == 0
    assert "ok; otherwise than by default: ctu-eq10" in out
    code, out, _ = bench("run", "rules.ipynb", "-p", "c", "2")
    assert code == 0
    assert "otherwise" not in out
