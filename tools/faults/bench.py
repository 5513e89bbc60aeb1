"""A bench for the runner: small notebooks, the command line, and a look at what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from nbformat import v4

from tools import notebooks

DISPLAY = "from IPython.display import display\n"
METRIC = DISPLAY + "display({'application/vnd.margin-notes.metrics+json': {'double': 2 * c}}, raw=True)"
TRANSPORT = (
    "import json\nfrom ipykernel.connect import get_connection_info\n"
    + DISPLAY
    + "info = json.loads(get_connection_info())\n"
    "display({'application/vnd.margin-notes.metrics+json': {'transport': info['transport']}}, raw=True)"
)
FIGURE = "import os, pathlib\npathlib.Path(os.environ['MARGIN_FIGURES'], 'drawn.csv').write_text(f'{c}')"
DEAF = "import signal, time\nfor s in (signal.SIGINT, signal.SIGTERM):\n    signal.signal(s, signal.SIG_IGN)\n"


def make(path, *code, params="c: int = 1  # a number", closing=None):
    """Write a notebook whose first code cell holds the parameters."""
    cells = [v4.new_code_cell(params, metadata={"tags": ["parameters"]})] + [v4.new_code_cell(c) for c in code]
    cells += [v4.new_markdown_cell(closing)] if closing else []
    nb = notebooks.normalise(v4.new_notebook(cells=[v4.new_markdown_cell("# Try"), *cells]))
    path.write_text(notebooks.dumps(nb))
    return path


def _hear_interrupts():
    """A shell that runs a command in the background has it ignore Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Bench:
    """A folder of notebooks, and the command line with its temporary files in a folder of its own."""

    def __init__(self, folder, scratch, patience=200):
        self.folder, self.scratch, self.runs = folder, scratch, folder / "runs"
        self.patience = patience
        self.environment = os.environ | {"TMPDIR": str(scratch), "MARGIN_FIGURES": str(folder / "figures")}

    def start(self, *words):
        return subprocess.Popen(
            [sys.executable, "-m", "tools", *map(str, words), "--folder", str(self.runs)],
            env=self.environment,
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_hear_interrupts,
        )

    def __call__(self, *words):
        """Exit code, output and error of a command."""
        process = self.start(*words)
        out, err = process.communicate(timeout=self.patience)
        return process.returncode, out, err

    def record(self, name):
        return json.loads((self.runs / f"{name}.json").read_text())

    def leftovers(self, patience=0):
        """Temporary files, and processes that were started with them."""
        end = time.monotonic() + patience
        while (found := self._leftovers()) and time.monotonic() < end:
            time.sleep(0.1)
        return found

    def _leftovers(self):
        kernels = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has just ended
                kernels += [str(path)] * (os.fsencode(self.scratch) in path.read_bytes())
        return kernels + os.listdir(self.scratch)
