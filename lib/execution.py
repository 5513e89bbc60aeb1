"""One notebook run in one kernel: its outputs, kept whole or not at all, and a record of the run.

`run_one` takes and returns plain records, so that any `concurrent.futures.Executor` may call it. It is
`attempt`, which leaves no trace but its result, and then `keep`, which may happen on another machine.
Papermill's metadata call a notebook complete whose kernel died; here the exceptions decide.
"""

import json
import logging
import os
import tempfile
import textwrap
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from lib.claims import METRICS
from lib.interruption import interruption
from lib.notebooks import ROOT, UsageError, code_cells, dumps, read, store_all, tags

LONGEST_SOCKET = 100
"""Unix sockets have paths of at most 103 (macOS) or 107 bytes (Linux)."""
START = 60
"""Seconds for a kernel to start."""
CLIENT = "papermill.engines.PapermillNotebookClient"
MOST_PRINTED = 10_000_000
"""Characters that a notebook may print and show; one that goes on is stopped."""


@dataclass(frozen=True)
class Job:
    """A notebook to run, with everything that decides the result."""

    notebook: Path
    """Its folder is where the kernel works; a mere name stands for a folder of its own."""
    text: str = field(repr=False)
    params: dict
    output: Path
    figures: Path
    digest: str
    timeout: float


@dataclass(frozen=True)
class Record:
    """What became of a job."""

    notebook: str
    params: dict
    digest: str
    status: str
    """ok, failed, timeout, dead kernel, interrupted or not run."""
    seconds: float = 0.0
    cell: int | None = None
    """Number of the failing code cell, as in the committed notebook."""
    line: str | None = None
    """The first line of that cell."""
    error: str | None = None
    output: str | None = None
    """The executed copy that was kept, beside this record."""
    metrics: dict = field(default_factory=dict)
    figures: list = field(default_factory=list)
    unchanged: bool = False
    """True if an earlier run of the same code with the same parameters stands for this one."""

    @property
    def ok(self):
        return self.status == "ok"


@dataclass(frozen=True)
class Result:
    """A record with what its run made, all of it in memory."""

    record: Record
    copy: str | None = field(default=None, repr=False)
    """The text of the executed notebook."""
    figures: dict = field(default_factory=dict, repr=False)
    """Names to bytes."""


def run_one(job):
    """Run a notebook, keep its outputs and its record beside each other.

    Parameters
    ----------
    job : Job

    Returns
    -------
    Record
    """
    with interruption.postponed():
        return keep(job, attempt(job))


def attempt(job):
    """Run a notebook in a folder that is gone afterwards.

    Parameters
    ----------
    job : Job

    Returns
    -------
    Result
    """
    start = time.monotonic()
    record = Record(job.notebook.stem, job.params, job.digest, "interrupted")
    try:
        with tempfile.TemporaryDirectory(prefix="mn-", dir=_folder_for_sockets()) as folder:
            scratch = Path(folder)
            with _no_kernel_left(), interruption.allowed():
                outcome = _execute(job, scratch, start + job.timeout)
            record = replace(record, seconds=round(time.monotonic() - start, 3), **outcome)
            return Result(record, _copy(job, scratch), _drawn(scratch / "figures") if record.ok else {})
    except KeyboardInterrupt:
        return Result(record)
    except OSError as error:
        return Result(replace(record, status="failed", error=_no_room(error)))


def unchanged(job):
    """The record of an earlier good run with the digest of this job, or None."""
    try:
        record = Record(**json.loads(job.output.with_suffix(".json").read_text()))
    except (OSError, ValueError, TypeError):
        return None
    kept = [job.output, *(job.figures / name for name in record.figures)]
    same = record.ok and record.digest == job.digest and all(path.exists() for path in kept)
    return replace(record, unchanged=True) if same else None


@contextmanager
def _no_kernel_left():
    """After an interruption, when nbclient may not have known the kernel yet."""
    try:
        yield
    except KeyboardInterrupt:
        _kill_children()
        raise


def _kill_children():
    import psutil

    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            child.kill()


class _Meter:
    """Counts the characters that a notebook prints and shows."""

    count = 0

    @property
    def full(self):
        return self.count > MOST_PRINTED

    def client(self):
        """Papermill's client, which ends the kernel when there are too many, and keeps none of those."""
        from papermill.clientwrap import PapermillNotebookClient

        class Client(PapermillNotebookClient):
            def process_message(client, msg, cell, cell_index):
                shown = [msg["content"].get("text"), *msg["content"].get("data", {}).values()]
                self.count += sum(len(text) for text in shown if isinstance(text, str))
                if self.full:
                    _kill_children()
                    raise OverflowError
                return super().process_message(msg, cell, cell_index)

        return Client


def _execute(job, scratch, deadline):
    import papermill

    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    started, meter = [], _Meter()
    (scratch / "notebook.ipynb").write_text(job.text, encoding="utf-8")
    try:
        with patch.dict(os.environ, _environment(scratch)), patch(CLIENT, meter.client()):
            nb = papermill.execute_notebook(
                _unformatted(scratch / "notebook.ipynb"),
                _unformatted(scratch / "copy.ipynb"),
                parameters=job.params,
                kernel_name="python3",
                language="python",
                progress_bar=False,
                cwd=scratch / job.notebook.parent,
                start_timeout=min(START, job.timeout),
                execution_timeout=job.timeout,
                timeout_func=lambda cell: max(0.01, deadline - time.monotonic()),
                iopub_timeout=30,
                on_cell_execute=lambda cell, cell_index: started.append(cell),
                config=kernel_config(scratch),
                extra_arguments=["--IPKernelApp.log_level=50"],
            )
    except Exception as error:
        return _failure(started, *_cause(error, meter, job))
    if any(output.output_type == "error" for cell in code_cells(nb) for output in cell.outputs):
        return _failure(started, "failed", "SystemExit, which papermill takes for success")
    return {"status": "ok", "metrics": _metrics(nb)}


def _cause(error, meter, job):
    """Status and reason of a run that ended with an error."""
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill import PapermillExecutionError

    if meter.full:
        return "failed", f"stopped, since it printed more than {MOST_PRINTED:,} characters"
    if isinstance(error, PapermillExecutionError):
        return "failed", _summary(error.ename, error.evalue)
    if isinstance(error, CellTimeoutError):
        return "timeout", f"stopped after {job.timeout:g} s"
    if isinstance(error, DeadKernelError):
        return "dead kernel", "the kernel died"
    if isinstance(error, OSError) and error.errno:
        return "failed", _no_room(error)
    return _status_at_start(error), _summary(type(error).__name__, str(error))


def _folder_for_sockets():
    """The folder for temporary files, unless its path is too long for the sockets in it."""
    too_long = len(os.fsencode(tempfile.gettempdir())) > LONGEST_SOCKET - len("/mn-12345678/k-1")
    return "/tmp" if too_long and os.path.isdir("/tmp") else None


def _environment(scratch):
    (scratch / "figures").mkdir()
    return {
        "IPYTHONDIR": str(ROOT / ".ipython"),
        "MARGIN_FIGURES": str(scratch / "figures"),
        "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1"),
    }


def _unformatted(path):
    """Papermill fills in braces in paths."""
    return str(path).replace("{", "{{").replace("}", "}}")


def kernel_config(scratch):
    """Traitlets configuration of a kernel manager: sockets in a private folder where there are such.

    TCP ports are chosen before they are bound, so kernels that start together take each other's.
    """
    import zmq
    from traitlets.config import Config

    manager = {"shutdown_wait_time": 2.0}
    sockets = scratch / "k"
    if zmq.has("ipc") and len(os.fsencode(sockets)) + 2 <= LONGEST_SOCKET:
        connection = str(scratch / "kernel.json")
        manager |= {"transport": "ipc", "ip": str(sockets), "connection_file": connection}
    return Config(KernelManager=manager)


def _summary(kind, message):
    return textwrap.shorten(f"{kind}: {message}" if message else kind, 300, placeholder=" …")


def _status_at_start(error):
    """Before the first cell there are only messages to tell a dead kernel from a slow one."""
    if "Kernel died" in str(error):
        return "dead kernel"
    return "timeout" if "Kernel didn't respond" in str(error) else "failed"


def _failure(started, status, error):
    own = [cell for cell in started if "injected-parameters" not in tags(cell)]
    outcome = {"status": status, "error": error}
    if started:
        outcome |= {"cell": len(own), "line": started[-1].source.strip().splitlines()[0]}
    return outcome


def _metrics(nb):
    metrics = {}
    for cell in code_cells(nb):
        for output in cell.outputs:
            metrics |= output.get("data", {}).get(METRICS, {})
    return metrics


def _copy(job, scratch):
    """The text of the executed copy, if papermill could write one."""
    try:
        nb = read(scratch / "copy.ipynb")
    except (OSError, UsageError):
        return None
    nb.metadata.papermill |= {"input_path": job.notebook.name, "output_path": None}
    return dumps(nb)


def _drawn(folder):
    """The files below a folder: names to bytes."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _no_room(error):
    return f"cannot work in the temporary folder {tempfile.gettempdir()}: {error.strerror or error}"


def keep(job, result):
    """Store the files of a run, or of a failure beside the former good ones, and then its record.

    Parameters
    ----------
    job : Job
    result : Result

    Returns
    -------
    Record
        Failed, with everything as it was, if the files could not be stored.
    """
    if result.record.status == "interrupted":
        return result.record
    bad = job.output.with_suffix(".failed.ipynb")
    target = job.output if result.record.ok else bad
    record = replace(result.record, figures=list(result.figures), output=result.copy and target.name)
    files = {job.figures / name: content for name, content in result.figures.items()}
    if result.copy:
        files[target] = result.copy
    files[target.with_suffix(".json")] = json.dumps(asdict(record), indent=1) + "\n"
    try:
        store_all(files)
        if record.ok:
            bad.unlink(missing_ok=True)
            bad.with_suffix(".json").unlink(missing_ok=True)
    except OSError as error:
        reasons = [record.error, f"cannot store the outputs: {error.filename}: {error.strerror}"]
        return replace(result.record, status="failed", error="; ".join(filter(None, reasons)))
    return record
