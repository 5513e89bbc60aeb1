"""`python -m tools.table1 [--store FOLDER] [--minutes M] [--step forest-svm]`: the runs that are still missing."""

import argparse
import os
import time
from pathlib import Path

import numpy as np

from lib.files import RUNS
from lib.studies.table1 import fit
from tools.table1.protocol import STEPS, Protocol
from tools.table1.store import OutOfTime, Store


def main(argv=None):
    """Do the steps in order; 0 if all are done, 1 if time ran out."""
    parser = argparse.ArgumentParser(prog="python -m tools.table1", description=__doc__)
    parser.add_argument("--store", type=Path, default=os.environ.get("TABLE1_STORE", RUNS / "table1"))
    parser.add_argument("--minutes", type=float, help="begin no run after so many")
    parser.add_argument("--step", action="append", choices=["-".join(step) for step in STEPS])
    asked = parser.parse_args(argv)
    until = time.time() + 60 * asked.minutes if asked.minutes else None
    warm_up()
    store, protocols = Store(Path(asked.store), until=until), {}
    try:
        for name, step in STEPS:
            if not asked.step or f"{name}-{step}" in asked.step:
                print(time.strftime("%H:%M:%S"), "step", name, step, flush=True)
                protocols.setdefault(name, Protocol(name, store)).do(step)
    except OutOfTime as next_one:
        print(f"time is over; the next run is {next_one}. The same command goes on from there.")
        return 1
    return 0


def warm_up():
    """Compile the loops, so that no clock counts it."""
    X, y = np.eye(4), np.array([1, -1, 1, -1])
    for method, setting in (("simple", {"rate": 0.1, "beta": 1.0}), ("standard", {"rate": 0.1})):
        fit(method, {**setting, "units": 4}, (X, y), (X, y), passes=2, patience=2)


if __name__ == "__main__":
    raise SystemExit(main())
