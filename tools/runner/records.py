"""Jobs, what became of them, and how that is kept: outputs whole or not at all, and a record beside them."""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from lib.files import store_all


@dataclass(frozen=True)
class Job:
    """A notebook to run, with everything that decides the result."""

    notebook: Path
    """Its folder is where the kernel works; a mere name stands for a folder of its own."""
    text: str = field(repr=False)
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
    otherwise: list = field(default_factory=list)
    """The claims on which the run rules otherwise than the ledger expects, or that it does not decide."""
    figures: list = field(default_factory=list)
    unchanged: bool = False
    """True if an earlier run of the same code with the same parameters stands for this one."""

    @property
    def ok(self):
        return self.status == "ok"


@dataclass(frozen=True)
class Result:
    """A record with what its run made, all of it in memory."""

    record: Record
    copy: str | None = field(default=None, repr=False)
    """The text of the executed notebook."""
    figures: dict = field(default_factory=dict, repr=False)
    """Names to bytes."""


def keep(job, result):
    """Store the files of a run, or of a failure beside the former good ones, and then its record.

    Parameters
    ----------
    job : Job
    result : Result

    Returns
    -------
    Record
        Failed, with everything as it was, if the files could not be stored.
    """
    if result.record.status == "interrupted":
        return result.record
    bad = job.output.with_suffix(".failed.ipynb")
    target = job.output if result.record.ok else bad
    record = replace(result.record, figures=list(result.figures), output=result.copy and target.name)
    files = {job.figures / name: content for name, content in result.figures.items()}
    if result.copy:
        files[target] = result.copy
    files[target.with_suffix(".json")] = json.dumps(asdict(record), indent=1) + "\n"
    try:
        store_all(files)
        if record.ok:
            bad.unlink(missing_ok=True)
            bad.with_suffix(".json").unlink(missing_ok=True)
    except OSError as error:
        reasons = [record.error, f"cannot store the outputs: {error.filename}: {error.strerror}"]
        return replace(result.record, status="failed", error="; ".join(filter(None, reasons)))
    return record


def unchanged(job):
    """The record of an earlier good run with the digest of this job, or None."""
    try:
        record = Record(**json.loads(job.output.with_suffix(".json").read_text()))
    except (OSError, ValueError, TypeError):
        return None
    kept = [job.output, *(job.figures / name for name in record.figures)]
    same = record.ok and record.digest == job.digest and all(path.exists() for path in kept)
    return replace(record, unchanged=True) if same else None
