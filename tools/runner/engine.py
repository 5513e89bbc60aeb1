"""One notebook run in one kernel: its outputs, kept whole or not at all, and a record of the run.

`run_one` takes and returns plain records, so that any `concurrent.futures.Executor` may call it. It is
`attempt`, which leaves no trace but its result, and then `keep`, which may happen on another machine.
Papermill's metadata call a notebook complete whose kernel died; here the exceptions decide.
"""

import logging
import os
import tempfile
import textwrap
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from lib.claims import METRICS, MIME
from lib.files import ROOT
from tools.notebooks import UsageError, code_cells, dumps, read, tags
from tools.runner.interruption import interruption
from tools.runner.records import Record, Result, keep

LONGEST_SOCKET = 100
"""Unix sockets have paths of at most 103 (macOS) or 107 bytes (Linux)."""
START = 60
"""Seconds for a kernel to start."""
CLIENT = "papermill.engines.PapermillNotebookClient"
MOST_PRINTED = 10_000_000
"""Characters that a notebook may print and show; one that goes on is stopped."""


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
    otherwise = [r["id"] for rulings in _shown(nb, MIME) for r in rulings if not r["agrees"]]
    if otherwise and not job.params:
        error = f"{', '.join(otherwise)}: not what the ledger expects"
        return {"status": "failed", "error": error, "otherwise": otherwise}
    metrics = {name: value for numbers in _shown(nb, METRICS) for name, value in numbers.items()}
    return {"status": "ok", "metrics": metrics, "otherwise": otherwise}


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


def _shown(nb, mime):
    """What the notebook's outputs hold of a type, in order."""
    outputs = [output for cell in code_cells(nb) for output in cell.outputs]
    return [output.data[mime] for output in outputs if mime in output.get("data", {})]


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
