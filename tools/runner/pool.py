"""Jobs run in parallel, by default in processes that never outlive the one that started them.

Processes, since papermill changes the working directory of the whole process.
"""

import multiprocessing
import os
import tempfile
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from functools import partial

from tools.notebooks import UsageError
from tools.runner import cluster
from tools.runner.engine import run_one
from tools.runner.interruption import live_with
from tools.runner.progress import Watch
from tools.runner.records import Record, Result, keep, unchanged


def execute(planned, *, jobs=None, force=False, executor=None, dask=None, watch=None):
    """Run jobs in parallel.

    Parameters
    ----------
    planned : sequence of Job
    jobs : int
        How many at a time; by default one a core, and on a cluster all.
    force : bool
        Run also what has not changed.
    executor : concurrent.futures.Executor
        Runs the jobs instead of a pool of processes.
    dask : str
        The address of a Dask scheduler, whose workers run the jobs, or `local`. The results are kept here.
    watch : Watch
        Is told how the jobs go.

    Returns
    -------
    list of Record
        In the order of the jobs.

    Raises
    ------
    UsageError
        If two jobs would write to the same file: one result would be lost.
    """
    if len({job.output for job in planned}) < len(planned):
        raise UsageError("two runs have the same name; expected a name of its own for the results of each")
    known = {} if force else {job.output: record for job in planned if (record := unchanged(job))}
    watch = watch or Watch()
    watch.expect(len(planned))
    for record in known.values():
        watch.done(record)
    waiting = [job for job in planned if job.output not in known]
    if waiting:
        _check_writable(waiting[0].output.parent)
        count = min(jobs or (len(waiting) if dask else os.cpu_count() or 1), len(waiting))
        if dask:
            opened, work = cluster.workers(dask, jobs), partial(cluster.run_away, cluster.library())
        else:
            opened, work = nullcontext(executor) if executor else processes(count), run_one
        with opened as pool:
            known |= _carry_out(partial(_submit, pool, work), waiting, count, watch)
    return [known[job.output] for job in planned]


def _check_writable(folder):
    """Try the folder with a file that has no name, so that no file of the user's can be met."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from None


def _carry_out(submit, waiting, count, watch):
    """Submit a job only when a worker is free for it, so that none is queued after Ctrl-C."""
    waiting, running, records = deque(waiting), {}, {}
    while waiting or running:
        while waiting and len(running) < count:
            job = waiting.popleft()
            running[submit(job)] = job
            watch.started(job)
        watch.tick()
        for future in wait(running, timeout=1, return_when=FIRST_COMPLETED).done:
            job = running.pop(future)
            records[job.output] = _record_of(future, job)
            watch.done(records[job.output])
    return records


def _submit(pool, work, job):
    try:
        return pool.submit(work, job)
    except BrokenExecutor as error:
        future = Future()
        future.set_exception(error)
        return future


def _record_of(future, job):
    """The record that a worker returns, or that of the result which is kept here."""
    try:
        answer = future.result()
    except cluster.Died as died:
        answer = died.result
    except CancelledError:
        return _lost(job, "the cluster gave it up")
    except Exception as error:
        return _lost(job, f"its process failed: {error}")
    return keep(job, answer) if isinstance(answer, Result) else answer


def _lost(job, error):
    return Record(job.notebook.stem, job.params, job.digest, "failed", error=error)


@contextmanager
def processes(count):
    """A pool of processes that shut down their kernels when this process is interrupted or killed."""
    context = multiprocessing.get_context("spawn")
    lifeline, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=live_with, initargs=(lifeline,))
    try:
        yield pool
    except BaseException:
        held.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        held.close()
        lifeline.close()
