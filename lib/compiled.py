"""One text for each algorithm: a plain loop that is compiled for floats and run as it stands on all other numbers.

`compiled` turns a function into a `Text`. Called with float arrays it is compiled by numba, once, and kept beside the
source; called with Python integers or Fractions (object arrays), or where numba is missing, the same lines are run by
Python: slower, never different. Sums are taken one after the other, in the order of the columns, and nothing is
reassociated, so that a run is the same to the last bit on every machine.

`show` shows a reader the lines that run.
"""

import hashlib
import inspect
import os
import shutil
import textwrap
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, cached_property, update_wrapper
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


class Text:
    """A function that runs compiled on floats, and as it stands on everything else.

    Parameters
    ----------
    python : function
        A plain loop over arrays and numbers; may call other texts.
    reassociate : bool
        Let the compiler add in any order. Only for sums that decide nothing: the caller knows a bound of their error.
    """

    def __init__(self, python, *, reassociate=False):
        update_wrapper(self, python)
        self.python, self.reassociate = python, reassociate

    def __call__(self, *arguments):
        return (self.python if _exact(arguments) else self.fast)(*arguments)

    @cached_property
    def fast(self):
        """The compiled function; the plain one where numba is missing."""
        try:
            import numba
        except ImportError:
            return self.python
        fastmath = {"reassoc", "nsz"} if self.reassociate else False
        with _kept_beside_the_source(numba.config):
            return numba.njit(self.python, cache=True, error_model="numpy", fastmath=fastmath)

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
    """Show the text of an algorithm as it runs: of `perceptron`, say, or of one `Text`.

    In a notebook it is displayed with colours, elsewhere it is printed.
    """
    loops = [algorithm] if isinstance(algorithm, Text) else getattr(algorithm, "texts", ())
    if not loops:
        raise ValueError(f"{algorithm!r} has no text to show; expected an algorithm of this library")
    source = "\n\n\n".join(loop.source for loop in loops)
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        get_ipython = bool
    if not get_ipython():
        print(source)
        return
    display({"text/markdown": f"```python\n{source}\n```", "text/plain": source}, raw=True)


def _exact(arguments):
    """True if some argument is a Fraction or an array of Python numbers."""
    return any(a.dtype.hasobject if isinstance(a, np.ndarray) else type(a) is Fraction for a in arguments)


@contextmanager
def _kept_beside_the_source(config):
    """Keep compiled code in a folder of this version of the library, if there is room beside it.

    numba looks at the file of a function alone: a text that calls a changed one would be served stale.
    """
    before, folder = config.CACHE_DIR, _cache_folder()
    config.CACHE_DIR = str(folder) if folder else before
    try:
        yield
    finally:
        config.CACHE_DIR = before


@cache
def _cache_folder():
    digest = hashlib.sha256()
    for path in sorted(HERE.rglob("*.py")):
        if b"@compiled" in (content := path.read_bytes()):
            digest.update(content)
    folder = HERE / "__pycache__" / f"compiled-{digest.hexdigest()[:16]}"
    if "NUMBA_CACHE_DIR" in os.environ or not os.access(HERE, os.W_OK):
        return None
    for other in folder.parent.glob("compiled-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    return folder


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
