"""`python -m tools.table1.collect [--store FOLDER]`: the runs of a store, summed up in data/table1/NAME.json.

A data set is summed up when its two networks have all their seeds and its SVM has all its rows; what stands beside
the table (the growth of the SVM's time, Adam) is added if it is there.
"""

import argparse
import json
import os
from pathlib import Path

import numpy as np

from lib.files import DATA, RUNS, store
from tools.table1.protocol import SETS, Protocol
from tools.table1.store import Store, unpack

NETWORKS = ("simple", "standard", "adam")
FEATURES = {"forest": 54, "connect4": 126}


def main(argv=None):
    """Sum up what is complete; 0 if both data sets are."""
    parser = argparse.ArgumentParser(prog="python -m tools.table1.collect", description=__doc__)
    parser.add_argument("--store", type=Path, default=os.environ.get("TABLE1_STORE", RUNS / "table1"))
    parser.add_argument("--partial", action="store_true", help="also what is not complete; the file says so")
    asked, found = parser.parse_args(argv), 0
    for name in SETS:
        protocol = Protocol(name, Store(Path(asked.store)))
        lacking = missing(protocol)
        if lacking:
            print(f"{name}: not complete, without {', '.join(lacking)}")
        if not lacking or (asked.partial and f"{name}-simple-seed-5" in protocol.store.names()):
            store(DATA / "table1" / f"{name}.json", as_json(summary(protocol)))
            found += not lacking
    return int(found < len(SETS))


def missing(protocol):
    """The runs without which nothing is decided, as far as they are not there."""
    records = protocol.store.names()
    needed = [f"{method}-seed-{seed}" for method in NETWORKS[:2] for seed in protocol.budget.seeds]
    return [name for name in [*needed, "svm-all", "epochs"] if f"{protocol.name}-{name}" not in records]


def summary(protocol):
    """What the tests, the figures and the table need of all runs."""
    name, records, sizes, seeds = protocol.name, protocol.records(), protocol.sizes, protocol.budget.seeds
    methods = [method for method in NETWORKS if all(f"{method}-seed-{seed}" in records for seed in seeds)]
    last = {method: [records[f"{method}-seed-{seed}"] for seed in seeds] for method in methods}
    last |= {"svm": [records["svm-all"]]} if "svm-all" in records else {}
    tests = [test for test in sizes if test not in ("train", "validation")]
    grown = [[r["rows"], r["seconds"], r["validation"]] for n, r in records.items() if n.startswith("svm-growth")]
    whole = [[r["rows"], r["seconds"], r["validation"]] for r in last.get("svm", [])]
    return {
        "dataset": name,
        "lacking": missing(protocol),
        "sizes": sizes,
        "features": FEATURES[name],
        "settings": {method: runs[0]["setting"] for method, runs in last.items()},
        "tried": {m: _tried(records, m) for m in last},
        "runs": {method: [_kept(run) for run in runs] for method, runs in last.items()},
        "pairs": {test: _pairs(last, test, sizes[test]) for test in tests},
        "paired_deviation": {test: _deviations(last, test, sizes[test]) for test in tests},
        "growth": sorted(grown) + whole if grown else [],
        "seconds_a_pass": records.get("epochs", {}).get("seconds_a_pass", {}),
        "hours": round(sum(r.get("process_seconds", 0) for r in records.values()) / 3600, 2),
        "made_by": _one([record["made_by"] for record in records.values() if "made_by" in record]),
    }


def _tried(records, method):
    """Every setting that was compared: the run's name, the setting, the rows, the errors on the validation set."""
    names = [name for name in records if name.startswith(f"{method}-")]
    names = [name for name in names if not any(word in name for word in ("seed", "all", "growth"))]
    return [[name, *(records[name][key] for key in ("setting", "rows", "validation"))] for name in names]


def _kept(run):
    """A run without the bits of its errors."""
    return {key: value for key, value in run.items() if not key.endswith("_wrong") and key not in ("made_by", "name")}


def _wrong(runs, test, count):
    return [unpack(run[f"{test}_wrong"], count) for run in runs]


def _pairs(last, test, count):
    """For each rival and each seed: on how many examples the Simple MLP alone is wrong, and the rival alone."""
    ours = _wrong(last["simple"], test, count)
    pairs = {}
    for rival in last.keys() - {"simple"}:
        theirs = _wrong(last[rival], test, count)
        theirs *= len(ours) if len(theirs) == 1 else 1
        pairs[rival] = [[int((a & ~b).sum()), int((b & ~a).sum())] for a, b in zip(ours, theirs, strict=True)]
    return dict(sorted(pairs.items()))


def _deviations(last, test, count):
    """The deviation, over the examples, of the difference of the shares of seeds that have an example wrong."""
    ours = np.mean(_wrong(last["simple"], test, count), axis=0)
    rivals = sorted(last.keys() - {"simple"})
    return {rival: float(np.std(np.mean(_wrong(last[rival], test, count), axis=0) - ours)) for rival in rivals}


def _one(made_by):
    """What made the runs: the one answer, or all of them."""
    different = []
    for one in made_by:
        one = {key: value for key, value in one.items() if key != "command"}
        if one not in different:
            different.append(one)
    return different[0] if len(different) == 1 else different


def as_json(content):
    """A line for each of its parts."""
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    raise SystemExit(main())
