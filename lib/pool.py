"""Jobs run in parallel, by default in processes that never outlive the one that started them.

Processes, since papermill changes the working directory of the whole process.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager, nullcontext

from lib.execution import Record, interruption, run_one, unchanged
from lib.notebooks import store
from lib.progress import Watch


def execute(planned, *, jobs=None, force=False, executor=None, watch=None):
    """Run jobs in parallel.

    Parameters
    ----------
    planned : sequence of Job
    jobs : int
        How many at a time; by default one a core.
    force : bool
        Run also what has not changed.
    executor : concurrent.futures.Executor
        Runs the jobs instead of a pool of processes.
    watch : Watch
        Is told how the jobs go.

    Returns
    -------
    list of Record
        In the order of the jobs.
    """
    known = {} if force else {job.output: record for job in planned if (record := unchanged(job))}
    watch = watch or Watch()
    watch.expect(len(planned))
    for record in known.values():
        watch.done(record)
    waiting = [job for job in planned if job.output not in known]
    if waiting:
        _check_writable(waiting[0].output.parent)
        count = min(jobs or os.cpu_count() or 1, len(waiting))
        with nullcontext(executor) if executor else processes(count) as pool:
            known |= _carry_out(pool, waiting, count, watch)
    return [known[job.output] for job in planned]


def _check_writable(folder):
    probe = folder / "probe"
    store(probe, "")
    probe.unlink()


def _carry_out(pool, waiting, count, watch):
    """Submit a job only when a worker is free for it, so that none is queued after Ctrl-C."""
    waiting, running, records = deque(waiting), {}, {}
    while waiting or running:
        while waiting and len(running) < count:
            job = waiting.popleft()
            running[_submit(pool, job)] = job
            watch.started(job)
        watch.tick()
        for future in wait(running, timeout=1, return_when=FIRST_COMPLETED).done:
            job = running.pop(future)
            records[job.output] = _record_of(future, job)
            watch.done(records[job.output])
    return records


def _submit(pool, job):
    try:
        return pool.submit(run_one, job)
    except BrokenExecutor as error:
        future = Future()
        future.set_exception(error)
        return future


def _record_of(future, job):
    error = future.exception()
    if error is None:
        return future.result()
    return Record(job.notebook.stem, job.params, job.digest, "failed", error=f"its process failed: {error}")


@contextmanager
def processes(count):
    """A pool of processes that shut down their kernels when this process is interrupted or killed."""
    context = multiprocessing.get_context("spawn")
    lifeline, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_live_with, initargs=(lifeline,))
    try:
        yield pool
    except BaseException:
        held.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        held.close()
        lifeline.close()


def _live_with(lifeline):
    """In a worker: leave Ctrl-C to the parent, and end when the parent lets go of the lifeline or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, interruption.signal)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline):
    lifeline.poll(None)
    os.kill(os.getpid(), signal.SIGTERM)
    interruption.idle.wait(30)
    os._exit(1)
