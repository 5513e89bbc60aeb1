"""Many notebooks at once: run them, sweep one over a grid, skip what has not changed.

A run is known by a digest of all that decides its result: the notebook's code, its parameters,
the library, the ledger, the data and the versions. A good record with the same digest stands for
the run, which makes a second run quick and lets a sweep resume where it was cut off.
"""

import hashlib
import itertools
import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

from lib.files import FIGURES, NOTEBOOKS, ROOT, RUNS, as_csv, store
from tools import notebooks, parameters
from tools.notebooks import UsageError
from tools.runner.pool import execute
from tools.runner.records import Job, Record

SCOREBOARD = "00_scoreboard"
SOURCES = ("lib/**/*.py", "lib/claims/*.toml", "data/**/*", ".ipython/profile_default/*.py")
TIMEOUT = 600
"""Seconds of wall-clock time for one notebook."""
NAME = 16
"""Digits of the digest in the name of an experiment: among a billion, two share them with a chance below 1 in 30."""


def run(names=(), params=None, *, write=False, folder=None, timeout=TIMEOUT, **options):
    """Run notebooks in parallel, the scoreboard after all others.

    Parameters
    ----------
    names : sequence of str or Path
        All committed notebooks when empty; the scoreboard then reads the other runs' outputs.
    params : dict
        For every notebook named.
    write : bool
        Store the outputs in the notebooks themselves, in normal form.
    folder : Path
        Where executed copies and records go; `runs` by default.
    timeout : float
        Seconds for each notebook.
    **options
        `jobs`, `force`, `executor`, `dask`, `watch`, as for `execute`.

    Returns
    -------
    list of Record

    Raises
    ------
    UsageError
        Before anything is started: an unknown notebook, an unknown or mistyped parameter.
    """
    paths = list(dict.fromkeys(map(notebooks.find, names))) or notebooks.listing()
    given = {path: _departures(path, params or {}) for path in paths}
    _check_request(paths, write, params)
    folder = Path(folder or RUNS).absolute()
    read_runs = not names and not write
    last = [path for path in paths if path.stem == SCOREBOARD and len(paths) > 1]
    records = []
    for batch in [path for path in paths if path not in last], last:
        if not all(record.ok for record in records):
            return records + [_not_run(path) for path in batch]
        planned = [_plan(path, given[path], folder, timeout, read_runs=read_runs) for path in batch]
        done = execute(planned, **options)
        records += done
        if write:
            _write_back(planned, done)
    return records


def _check_request(paths, write, params):
    if not paths:
        raise UsageError(f"there is no notebook in {NOTEBOOKS}")
    if write and params:
        raise UsageError("--write stores the outputs for default parameters; it goes without parameters")
    if len({path.stem for path in paths}) < len(paths):
        raise UsageError("two of the notebooks have the same name; run one after the other")


def _departures(path, params):
    """The checked parameters that differ from the defaults."""
    declared = parameters.declared(path)
    checked = parameters.checked(path, params)
    return {name: value for name, value in checked.items() if repr(value) != repr(declared[name].default)}


def _not_run(path):
    return Record(path.stem, {}, "", "not run", error="it reads the outputs of a notebook that failed")


def _write_back(planned, records):
    for job, record in zip(planned, records, strict=True):
        if record.ok:
            nb = notebooks.with_outputs(notebooks.read(job.notebook), notebooks.read(job.output))
            text = notebooks.dumps(nb)
            if text.encode() != job.notebook.read_bytes():
                store(job.notebook, text)


def sweep(notebook, grid, *, folder=None, timeout=TIMEOUT, **options):
    """Run a notebook at every point of a grid and gather parameters and metrics.

    Parameters
    ----------
    notebook : str or Path
    grid : dict of str to sequence
        The values of each parameter.
    folder, timeout, **options
        As for `run`.

    Returns
    -------
    records : list of Record
    path : Path
        A CSV file, one row a point: parameters, status, seconds, metrics.
    """
    path = notebooks.find(notebook)
    if not grid:
        raise UsageError("a sweep needs the values of at least one parameter")
    axes = [_distinct(path, name, values) for name, values in grid.items()]
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*axes)]
    if options.get("dask") and path.stem == SCOREBOARD:
        raise UsageError(f"{path.stem} reads the other notebooks, which a cluster does not have; run it here")
    folder, source = Path(folder or RUNS).absolute(), _source(path)
    records = execute([_plan(path, point, folder, timeout, source=source) for point in points], **options)
    target = folder / f"{path.stem}.sweep-{'-'.join(grid)}.csv"
    store(target, as_csv(as_rows(records)))
    return records, target


def experiments(points, *, folder=None, timeout=TIMEOUT, **options):
    """Run notebooks with parameters, pairs (path, values), of which none stands twice; `folder` … as for `run`."""
    folder, sources = Path(folder or RUNS).absolute(), {path: _source(path) for path, _ in points}
    planned = [_plan(path, _departures(path, given), folder, timeout, source=sources[path]) for path, given in points]
    return execute(planned, **options)


def _distinct(path, name, values):
    checked = [parameters.checked(path, {name: value})[name] for value in values]
    return list({_canonical(value): value for value in checked}.values())


def as_rows(records):
    """Parameters, status, seconds and metrics of records, one dict each."""
    rows = []
    for record in records:
        row = {**record.params, "status": record.status, "seconds": record.seconds}
        rows.append(row | {name + "_" * (name in row): value for name, value in record.metrics.items()})
    return rows


def _plan(path, params, folder, timeout, *, read_runs=False, source=None):
    """The job of running a notebook; figures of an experiment stay beside its output."""
    stem, figures = path.stem, ROOT / (os.environ.get("MARGIN_FIGURES") or FIGURES)
    if params:
        stem = f"{stem}-{_hash(_canonical(params))[:NAME]}"
        figures = folder / f"{stem}-figures"
    if read_runs and path.stem == SCOREBOARD and "folder" in parameters.declared(path):
        params = {"folder": os.path.relpath(folder, path.parent), **params}
    text, code = source or _source(path)
    digest = _hash(_canonical([code, params, _inputs(path, params)]))
    return Job(path, text, params, folder / f"{stem}.ipynb", figures, digest, timeout)


def _canonical(value):
    return json.dumps(value, sort_keys=True)


def _hash(content):
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def _source(path):
    """The notebook without its outputs, and a digest of everything but the parameters and the inputs."""
    nb = notebooks.read(path)
    for cell in notebooks.code_cells(nb):
        cell.outputs, cell.execution_count = [], None
    code = [[cell.source, notebooks.tags(cell)] for cell in notebooks.code_cells(nb)]
    versions = [sys.version, version("numpy"), version("matplotlib")]
    return notebooks.dumps(nb), _hash(_canonical([code, versions, notebooks.fingerprint(*SOURCES)]))


def _inputs(path, params):
    """What the scoreboard reads: the outputs of the other notebooks."""
    if path.stem != SCOREBOARD:
        return []
    declared = parameters.declared(path)
    folder = params.get("folder") or (declared["folder"].default if "folder" in declared else ".")
    others = [path.parent / folder / other.name for other in notebooks.listing() if other != path]
    return [_hash(notebooks.dumps(notebooks.normalise(notebooks.read(o)))) for o in others if o.exists()]
