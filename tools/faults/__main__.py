"""The campaign: each fault has to end with a clear sentence and the right exit code, every earlier result intact.

`python -m tools.faults` prints a table and writes it to RESULTS.md beside this file; exit 1 if anything did not hold.
The read-only folder and the full disk are small tmpfs mounts, which take the rights of root; without them those
rows say that they were not tried.
"""

import argparse
import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from lib.files import DATA, ROOT, store
from tools.faults.bench import DEAF, METRIC, TRANSPORT, Bench, make
from tools.runner import engine as execution
from tools.runner.progress import table

LOG = "with open({path!r}, 'a') as file:\n    file.write(f'{{c}}\\n')"
LOAD = (
    "from pathlib import Path\nfrom lib import data as datasets\n"
    "datasets.DATA = Path({folder!r})\nprint(datasets.load('german').X.shape)"
)
UNKNOWN = "from lib.claims import check\ncheck('rojas-nowhere', printed=[True])"


class Campaign:
    """A bench with one good result that no fault may touch, and the rows of the table."""

    def __init__(self, bench):
        self.bench, self.rows = bench, []
        self.make("good", "print(c)", METRIC)
        code, _, err = bench("run", "good.ipynb")
        assert code == 0, err

    def make(self, name, *code, **options):
        return make(self.bench.folder / f"{name}.ipynb", *code, **options)

    def add(self, fault, outcome, code, *conditions):
        """A row; it holds if all conditions do and nothing is left behind."""
        left = self.bench.leftovers(patience=10)
        outcome = re.sub(rf"{self.bench.folder}|{self.bench.scratch}|(?<=[0-9a-f]{{8}})[0-9a-f]{{56}}", "…", outcome)
        held = all(conditions) and not left
        self.rows.append({"fault": fault, "outcome": outcome, "exit": code, "held": "yes" if held else f"NO {left}"})
        print(f"{fault}: {outcome}", file=sys.stderr, flush=True)

    def expect(self, fault, expected, sentence, *words, note=""):
        """Run a command that has to fail with this code and this sentence and leave every earlier file as it is."""
        before = files(self.bench.runs)
        code, out, err = self.bench(*words)
        after = files(self.bench.runs)
        said = [line.strip() for line in err.splitlines() if re.search(sentence, line)]
        outcome = "; ".join([*said[-1:], *([note] if note else [])]) or f"unclear: {err[-300:]}"
        whole = all(after.get(path) == content for path, content in before.items())
        self.add(fault, outcome, code, code == expected, said, whole, "Traceback" not in out + err)


def files(folder):
    """Every file below a folder: path to bytes."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def records(folder, stem):
    return [json.loads(path.read_text()) for path in folder.glob(f"{stem}-*.json")]


def many_at_once(campaign, runs, jobs):
    """So many kernels that ports, if there were any, would clash."""
    bench = campaign.bench
    campaign.make("tiny", METRIC, TRANSPORT)
    start = time.monotonic()
    code, _, err = bench("sweep", "tiny.ipynb", "-p", "c", ",".join(map(str, range(runs))), "--jobs", jobs)
    found = records(bench.runs, "tiny")
    good = [r for r in found if r["status"] == "ok" and r["metrics"] == {"double": 2 * r["params"].get("c", 1)} | IPC]
    clashes = err.count("Address already in use")
    left = bench.leftovers()
    outcome = (
        f"{len(good)} good, {clashes} port clashes, {len(left)} kernels or temporary files left, "
        f"{time.monotonic() - start:.0f} s"
    )
    campaign.add(f"{runs} runs, {jobs} at a time", outcome, code, code == 0, len(good) == runs, not clashes, not left)


IPC = {"transport": "ipc"}


def killed_and_resumed(campaign, points=24, jobs=4):
    """kill -9 of the runner in mid-sweep; each notebook writes a line when it has run."""
    bench = campaign.bench
    log = bench.folder / "log"
    campaign.make("logged", METRIC, LOG.format(path=str(log)))
    words = ["sweep", "logged.ipynb", "-p", "c", ",".join(map(str, range(2, points + 2))), "--jobs", jobs]
    process = bench.start(*words)
    while len(records(bench.runs, "logged")) < points // 4:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    left = bench.leftovers(patience=20)
    before = files(bench.runs)
    whole = [record["params"]["c"] for record in records(bench.runs, "logged")]
    code, _, _ = bench(*words)
    ran = log.read_text().split()
    twice = [c for c in whole if ran.count(str(c)) != 1]
    rows = list(csv.DictReader((bench.runs / "logged.sweep-c.csv").read_text().splitlines()))
    lost = points - sum(row["status"] == "ok" and row["double"] == str(2 * int(row["c"])) for row in rows)
    same = all(path.read_bytes() == content for path, content in before.items())
    campaign.add(
        f"kill -9 of the runner, {points} runs, then the same command",
        f"{len(whole)} whole when killed, {len(left)} kernels or temporary files left; "
        f"then {lost} lost, {len(twice)} of the whole run again",
        code,
        *(code == 0, 0 < len(whole) < points, not lost, not twice, same, not left),
    )


def failing_notebooks(campaign):
    """Kernels and cells that misbehave."""
    campaign.make("dead", "print(c)", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    campaign.expect("kernel killed", 1, "^dead: dead kernel in cell 3", "run", "good.ipynb", "dead.ipynb")
    campaign.make("deaf", DEAF + "while True:\n    time.sleep(9)")
    campaign.expect(
        "cell that hangs and ignores signals", 1, "^deaf: timeout in cell 2", "run", "deaf.ipynb", "--timeout", 10
    )


def printing(campaign):
    """100 MB in one piece and in lines; the largest process and what is kept of it."""
    bench = campaign.bench
    for name, how, code in (
        ("lines", "in lines", "for i in range(10**6):\n    print('x' * 99)"),
        ("piece", "in one piece", "print('x' * 10**8)"),
    ):
        campaign.make(name, code, METRIC)
        campaign.expect(f"100 MB printed {how}", 1, "stopped, since it printed more than", *("run", f"{name}.ipynb"))
        kept = sum(path.stat().st_size for path in bench.runs.glob(f"{name}.*"))
        row = campaign.rows[-1]
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        row["outcome"] += f"; largest process {largest / 1000:.0f} MB, {kept / 1e6:.1f} MB kept"
        if kept > 1.2 * execution.MOST_PRINTED:
            row["held"] = "NO"


@contextmanager
def mounted(folder, size="2m"):
    """A small disk at this folder, if that is allowed; yields whether."""
    folder.mkdir(exist_ok=True)
    allowed = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True)
    try:
        yield allowed.returncode == 0
    finally:
        if allowed.returncode == 0:
            subprocess.run(["umount", "-l", folder], check=True)


def bad_folders(campaign):
    """Nowhere to write: below a file, a read-only disk, a full disk, a full folder for temporary files."""
    bench = campaign.bench
    usual = bench.runs
    bench.runs = bench.folder / "good.ipynb" / "runs"
    campaign.expect("output folder below a file", 1, "Not a directory", "run", "good.ipynb")
    bench.runs = bench.folder / "disk"
    with mounted(bench.runs) as allowed:
        if not allowed:
            campaign.add("read-only and full disk", "not tried: mounting is not allowed here", "", True)
            bench.runs = usual
            return
        bench("run", "good.ipynb")
        subprocess.run(["mount", "-o", "remount,ro", bench.runs], check=True)
        campaign.expect("read-only output folder", 1, "Read-only file system", "run", "good.ipynb", "--force")
        subprocess.run(["mount", "-o", "remount,rw", bench.runs], check=True)
        fill(bench.runs)
        campaign.expect("full disk, run", 1, "No space left on device", "run", "good.ipynb", "--force")
        words = ("sweep", "good.ipynb", "-p", "c", "1,2", "--force")
        campaign.expect("full disk, sweep", 1, "No space left on device", *words)
    bench.runs = usual
    bench.environment["TMPDIR"] = str(bench.folder / "tmp")
    with mounted(bench.folder / "tmp"):
        fill(bench.folder / "tmp", room=8192)
        sentence = "cannot work in the temporary folder .*: No space left on device"
        campaign.expect("full folder for temporary files", 1, sentence, "run", "good.ipynb", "--force")
    bench.environment["TMPDIR"] = str(bench.scratch)


def fill(folder, room=0):
    """Leave no room on a disk but for so many bytes."""
    statistics = os.statvfs(folder)
    (folder / "filler").write_bytes(bytes(statistics.f_bavail * statistics.f_frsize - room))


def bad_inputs(campaign):
    """Data, ledger and parameters that are not what they should be."""
    bench = campaign.bench
    whole = (DATA / "german/german.npy").read_bytes()
    for name, content in (("truncated", whole[:-100]), ("altered", whole[:-1] + b"?")):
        folder = bench.folder / name
        store(folder / "german/german.npy", content)
        campaign.make(f"data_{name}", LOAD.format(folder=str(folder)))
        campaign.expect(f"data file {name}", 1, "german.npy has SHA-256 .*; expected", "run", f"data_{name}.ipynb")
    campaign.make("unknown", UNKNOWN)
    campaign.expect("unknown claim in a notebook", 1, "no claim 'rojas-nowhere' in the ledger", "run", "unknown.ipynb")
    twice_in_the_ledger(campaign)
    for name, params, sentence in (
        ("syntax", "c: int = ", "cell parameters, line 1: invalid syntax"),
        ("type", "c: int = 'one'", "cell parameters, line 1: c is 'one'; expected an integer"),
        ("shape", "c = compute()", "cell parameters, line 1: c = compute\\(\\); expected one line"),
    ):
        campaign.make(f"params_{name}", "print(c)", params=params)
        campaign.expect(f"broken parameters cell ({name})", 2, sentence, "run", "good.ipynb", f"params_{name}.ipynb")


def twice_in_the_ledger(campaign):
    """A copy of the library, one claim of which stands twice."""
    copy = campaign.bench.folder / "copy"
    shutil.copytree(ROOT / "lib", copy / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    ledger = copy / "lib/claims/liang.toml"
    text = ledger.read_text(encoding="utf-8")
    ledger.write_text(text + "\n[[claim]]" + text.split("[[claim]]")[1], encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "tools", "claims"], cwd=copy, capture_output=True, text=True)
    said = done.stderr.strip()
    clear = re.fullmatch(r"margin: claim liang-\S+ stands twice in the ledger", said)
    campaign.add("claim twice in the ledger", said[-200:], done.returncode, done.returncode == 1, clear)


def as_markdown(rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [rows[0], ["---"] * 4, *(r.values() for r in rows)]]
    return "# The runner under faults\n\nWritten by `python -m tools.faults`.\n\n" + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description="Break the runner in every way.")
    parser.add_argument("--runs", type=int, default=300, metavar="N", help="runs in parallel; default: 300")
    parser.add_argument("--jobs", type=int, default=8, metavar="N", help="at a time; default: 8")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="f") as folder, tempfile.TemporaryDirectory(prefix="s") as scratch:
        campaign = Campaign(Bench(Path(folder), Path(scratch), patience=3600))
        many_at_once(campaign, options.runs, options.jobs)
        killed_and_resumed(campaign)
        for part in failing_notebooks, printing, bad_folders, bad_inputs:
            part(campaign)
    print(table(campaign.rows))
    store(Path(__file__).parent / "RESULTS.md", as_markdown(campaign.rows))
    return int(any(row["held"] != "yes" for row in campaign.rows))


if __name__ == "__main__":
    sys.exit(main())
