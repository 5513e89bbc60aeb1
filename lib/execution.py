"""One notebook run in one kernel: its outputs, kept whole or not at all, and a record of the run.

`run_one` takes and returns plain records, so that any `concurrent.futures.Executor` may call it.
Papermill's metadata call a notebook complete whose kernel died; here the exceptions decide.
"""

import json
import logging
import os
import tempfile
import textwrap
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from lib.claims import METRICS
from lib.notebooks import ROOT, code_cells, dumps, read, store, tags

LONGEST_SOCKET = 100
"""Unix sockets have paths of at most 103 (macOS) or 107 bytes (Linux)."""
START = 60
"""Seconds for a kernel to start."""


class Interruption:
    """Lets a signal stop a run, but neither the keeping of its results nor the cleaning up."""

    def __init__(self):
        self.idle = threading.Event()
        self.idle.set()
        self._wanted = self._allowed = False

    def signal(self, *_):
        """Handle a signal in the main thread."""
        self._wanted = True
        if self._allowed:
            self._allowed = False
            raise KeyboardInterrupt

    @contextmanager
    def allowed(self):
        """Inside, a signal raises KeyboardInterrupt, also one that came before."""
        try:
            self._allowed = True
            if self._wanted:
                raise KeyboardInterrupt
            yield
        finally:
            self._allowed = False


interruption = Interruption()


@dataclass(frozen=True)
class Job:
    """A notebook to run, with everything that decides the result."""

    notebook: Path
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


def run_one(job):
    """Run a notebook, keep its outputs and its record beside each other.

    Parameters
    ----------
    job : Job

    Returns
    -------
    Record
    """
    interruption.idle.clear()
    start = time.monotonic()
    record = Record(job.notebook.stem, job.params, job.digest, "interrupted")
    try:
        with tempfile.TemporaryDirectory(prefix="mn-", dir=_folder_for_sockets()) as scratch:
            with _no_kernel_left(), interruption.allowed():
                outcome = _execute(job, Path(scratch), start + job.timeout)
            record = replace(record, seconds=round(time.monotonic() - start, 3), **outcome)
            return _keep(job, record, Path(scratch))
    except KeyboardInterrupt:
        return record
    except OSError as error:
        return replace(record, status="failed", error=f"cannot store the outputs: {error}")
    finally:
        interruption.idle.set()


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
        import psutil

        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        raise


def _execute(job, scratch, deadline):
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    started = []
    try:
        with patch.dict(os.environ, _environment(scratch)):
            nb = papermill.execute_notebook(
                _unformatted(job.notebook),
                _unformatted(scratch / "copy.ipynb"),
                parameters=job.params,
                kernel_name="python3",
                language="python",
                progress_bar=False,
                cwd=job.notebook.parent,
                start_timeout=min(START, job.timeout),
                execution_timeout=job.timeout,
                timeout_func=lambda cell: max(0.01, deadline - time.monotonic()),
                iopub_timeout=30,
                on_cell_execute=lambda cell, cell_index: started.append(cell),
                config=kernel_config(scratch),
                extra_arguments=["--IPKernelApp.log_level=50"],
            )
    except papermill.PapermillExecutionError as error:
        return _failure(started, "failed", _summary(error.ename, error.evalue))
    except CellTimeoutError:
        return _failure(started, "timeout", f"stopped after {job.timeout:g} s")
    except DeadKernelError:
        return _failure(started, "dead kernel", "the kernel died")
    except Exception as error:
        return _failure(started, _status_at_start(error), _summary(type(error).__name__, str(error)))
    if any(output.output_type == "error" for cell in code_cells(nb) for output in cell.outputs):
        return _failure(started, "failed", "SystemExit, which papermill takes for success")
    return {"status": "ok", "metrics": _metrics(nb)}


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


def _keep(job, record, scratch):
    bad = job.output.with_suffix(".failed.ipynb")
    target = job.output if record.ok else bad
    if record.ok:
        record = replace(record, figures=_keep_figures(scratch / "figures", job.figures))
    if (copy := scratch / "copy.ipynb").exists():
        nb = read(copy)
        nb.metadata.papermill |= {"input_path": job.notebook.name, "output_path": target.name}
        store(target, dumps(nb))
        record = replace(record, output=target.name)
    store(target.with_suffix(".json"), json.dumps(asdict(record), indent=1) + "\n")
    if record.ok:
        bad.unlink(missing_ok=True)
        bad.with_suffix(".json").unlink(missing_ok=True)
    return record


def _keep_figures(drawn, folder):
    names = sorted(str(path.relative_to(drawn)) for path in drawn.rglob("*") if path.is_file())
    for name in names:
        store(folder / name, (drawn / name).read_bytes())
    return names
