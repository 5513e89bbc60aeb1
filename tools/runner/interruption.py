"""The end of a worker process: with the process that started it, and never with a kernel left behind."""

import os
import signal
import threading
from contextlib import contextmanager


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

    @contextmanager
    def postponed(self):
        """Inside, the end of the process is put off until results are kept and folders are gone."""
        self.idle.clear()
        try:
            yield
        finally:
            self.idle.set()


interruption = Interruption()


def live_with(lifeline):
    """In a worker: leave Ctrl-C to the parent, and end when the parent lets go of the lifeline or dies.

    Parameters
    ----------
    lifeline : multiprocessing.connection.Connection
        Its other end is held open by the parent, which sends nothing.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, interruption.signal)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline):
    lifeline.poll(None)
    os.kill(os.getpid(), signal.SIGTERM)
    interruption.idle.wait(30)
    os._exit(1)
