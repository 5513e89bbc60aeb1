"""One text for each algorithm: a plain loop that is compiled for floats and run as it stands on all other numbers.

`compiled` turns a function into a `Text`. Called with float arrays it is compiled by numba, once, and kept; called with
Python integers or Fractions (object arrays), or where numba is missing, the same lines are run by Python: slower, never
different. Sums are taken one after the other, in the order of the columns, and nothing is reassociated, so that a run
is the same to the last bit on every machine.

`show` shows a reader the lines that run.
"""

import hashlib
import inspect
import os
import shutil
import sys
import textwrap
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property, update_wrapper
from pathlib import Path

import numpy as np

from lib.files import display

FLOATS = np.dtype(np.float64)
ONCE = "compiling the loops, once: this takes some seconds, later runs start at once"


class Text:
    """A plain loop over arrays and numbers that runs compiled on floats, and as it stands on everything else.

    It may call other texts, by names of its own module. `reassociate` lets the compiler add in any order: only for
    sums that decide nothing, of whose error the caller knows a bound.
    """

    def __init__(self, python, *, reassociate=False):
        update_wrapper(self, python)
        self.python, self.reassociate = python, reassociate

    def __call__(self, *arguments):
        return (self.python if _exact(arguments) else self.fast)(*arguments)

    @cached_property
    def fast(self):
        """The compiled function; the plain one where numba is missing, as silent about overflow as compiled code."""
        try:
            import numba
        except ImportError:
            return np.errstate(all="ignore")(self.python)
        fastmath = {"reassoc", "nsz"} if self.reassociate else False
        before, folder = numba.config.CACHE_DIR, self._folder()
        numba.config.CACHE_DIR = str(folder or "")
        try:
            return numba.njit(self.python, cache=folder is not None, error_model="numpy", fastmath=fastmath)
        finally:
            numba.config.CACHE_DIR = before

    def _folder(self):
        """The folder that keeps the compiled code of this version of the text; those of other versions are removed."""
        if shelf() is None:
            return None
        folder = shelf() / f"{self.__module__}.{self.__name__}-{self.digest}"
        if not folder.exists():
            announce()
            for other in shelf().glob(f"{self.__module__}.{self.__name__}-*"):
                shutil.rmtree(other, ignore_errors=True)
        return folder

    @cached_property
    def digest(self):
        """Of this text, the texts that it calls and the constants that it uses: numba would look at its file alone."""
        used = [self.python.__globals__.get(name) for name in sorted(_names(self.python.__code__) - {self.__name__})]
        parts = [u.digest if isinstance(u, Text) else u for u in used if isinstance(u, (Text, int, float, str, tuple))]
        content = repr((self.source, self.reassociate, parts, np.__version__))
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def _numba_type_(self):
        """What numba takes this object for when another text calls it: the compiled function."""
        return self.fast._numba_type_

    @property
    def source(self):
        """The lines that run, without the decorator."""
        lines = textwrap.dedent(inspect.getsource(self.python)).splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("def "))
        return "\n".join(lines[first:])


def compiled(python=None, **options):
    """Make a `Text` of a function: `@compiled`, or `@compiled(reassociate=True)`."""
    return Text(python, **options) if python else lambda function: Text(function, **options)


def texts(*loops):
    """Name the texts that a public function runs, for `show`."""

    def mark(function):
        function.texts = loops
        return function

    return mark


def show(algorithm):
    """Show the text of an algorithm as it runs, of `perceptron`, say, or of one `Text`: in a notebook with colours."""
    loops = [algorithm] if isinstance(algorithm, Text) else getattr(algorithm, "texts", ())
    if not loops:
        raise ValueError(f"{algorithm!r} has no text to show; expected an algorithm of this library")
    source = "\n\n\n".join(loop.source for loop in loops)
    display(source, {"text/markdown": f"```python\n{source}\n```"})


def _exact(arguments):
    """True if an argument is a Fraction or an array of Python numbers; none is where the first array holds floats."""
    for a in arguments:
        kind = type(a)
        if kind is np.ndarray and a.dtype is FLOATS:
            return False
        if kind is Fraction or (kind is np.ndarray and a.dtype.hasobject):
            return True
    return False


def _names(code):
    """The names that a function uses, comprehensions and inner functions included."""
    inner = (_names(part) for part in code.co_consts if inspect.iscode(part))
    return set(code.co_names).union(*inner)


@cache
def shelf():
    """Where compiled code is kept: NUMBA_CACHE_DIR, else beside the source, else with the user; None if nowhere."""
    asked = os.environ.get("NUMBA_CACHE_DIR")
    for place in [asked] if asked else [Path(__file__).parent / "__pycache__", Path("~/.cache").expanduser()]:
        with suppress(OSError):
            folder = Path(place) / "margin-notes"
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


@cache
def announce():
    """Tell a user at a terminal, once, what the wait is for; a kernel's streams are its notebook's, and stay silent."""
    if sys.stderr and sys.stderr is sys.__stderr__ and sys.stderr.isatty():
        print(ONCE, file=sys.stderr)


@compiled
def dot(a, b):
    """a · b, added in the order of the columns."""
    total = a[0] * b[0]
    for k in range(1, len(a)):
        total += a[k] * b[k]
    return total


@compiled
def add(z, w, factor):
    """w ← w + factor · z, in place."""
    for k in range(len(w)):
        w[k] += factor * z[k]


@compiled
def lowest(rows, w):
    """The row with the lowest score, the first of them on a tie, and its score."""
    best, low = 0, dot(rows[0], w)
    for j in range(1, len(rows)):
        score = dot(rows[j], w)
        if score < low:
            best, low = j, score
    return best, low
