"""Notebooks run on the workers of a Dask cluster, which share no disk with this machine.

The notebook's text travels with the job; the executed copy, the figures and the record come back in one
`Result`, which is kept here. A worker needs the same `lib`, installed with its extras `run` and `cluster`.

On the worker each notebook runs in a process of its own (papermill changes the working directory of the
whole process), which ends, kernel and all, when the worker does.
"""

import errno
import logging
import os
import pickle
import re
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path

from tools.notebooks import UsageError, fingerprint
from tools.runner.engine import attempt
from tools.runner.interruption import interruption, live_with
from tools.runner.records import Record, Result

PATIENCE = 30
"""Seconds to wait for the scheduler and for the first worker."""
RETRIES = 2
"""How often a notebook is run anew after its kernel or its process died. If the worker itself dies, Dask
moves the notebook to another one, up to `distributed.scheduler.allowed-failures` times, by default 3."""


class Died(RuntimeError):
    """A kernel died; raised on the worker, so that Dask tries again, with the result to keep if that is no use."""

    def __init__(self, result):
        super().__init__(result)
        self.result = result

    def __str__(self):
        return self.result.record.error


@contextmanager
def workers(address, count=None):
    """An executor that runs jobs on the workers of a Dask cluster.

    Parameters
    ----------
    address : str
        Of the scheduler, like tcp://127.0.0.1:8786; or `local` for a cluster on this machine.
    count : int
        Of the workers of a local cluster; by default one a core.
    """
    if not re.fullmatch(r"local|(tcp|tls)://\S+:\d+", address):
        raise UsageError(f"--dask {address}: expected tcp://HOST:PORT or local")
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UsageError("--dask needs Dask; expected an environment with the extra cluster") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        with _refusals(address):
            place = address
            if address == "local":
                place = LocalCluster(count, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)
                stack.enter_context(place)
            client = stack.enter_context(Client(place, timeout=PATIENCE, set_as_default=False))
            client.wait_for_workers(1, timeout=PATIENCE)
        yield client.get_executor(pure=False, retries=RETRIES)


@contextmanager
def _refusals(address):
    """What Dask says of an address, in a sentence."""
    try:
        yield
    except TimeoutError:
        reason = f"no worker has come within {PATIENCE} s"
        raise OSError(errno.ETIMEDOUT, reason, address) from None
    except OSError:
        raise OSError(errno.ECONNREFUSED, f"no Dask scheduler has answered within {PATIENCE} s", address) from None


def library():
    """What has to be the same here and on a worker."""
    return [fingerprint("lib/**/*.py", "lib/claims/*.toml"), version("numpy"), version("matplotlib")]


def run_away(expected, job):
    """On a worker: run a notebook in a process of its own.

    Parameters
    ----------
    expected : list
        The `library` of the machine that wants the result.
    job : Job
        Only its notebook's name, text, parameters and limit matter here.

    Returns
    -------
    Result

    Raises
    ------
    Died
        If the kernel died.
    """
    command = [sys.executable, "-P", "-m", "tools.runner.cluster"]
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            pickle.dump((expected, job), child.stdin)
            child.stdin.flush()  # and stays open: the child ends when it is closed
            result = pickle.load(child.stdout)
    except (BrokenPipeError, EOFError, pickle.UnpicklingError):
        raise RuntimeError(f"the process for it on {socket.gethostname()} ended with {child.wait()}") from None
    if result.record.status == "dead kernel":
        raise Died(result)
    return result


def _serve():
    """In that process: take the job from standard input, give the result to standard output."""
    expected, job = pickle.load(sys.stdin.buffer)
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    live_with(Connection(os.dup(0), writable=False))
    job = replace(job, notebook=Path(job.notebook.name))
    with interruption.postponed(), answer:
        if library() == expected:
            result = attempt(job)
        else:
            error = f"{socket.gethostname()} has another lib, numpy or matplotlib; expected the same as here"
            result = Result(Record(job.notebook.stem, job.params, job.digest, "failed", error=error))
        pickle.dump(result, answer)


if __name__ == "__main__":
    _serve()
