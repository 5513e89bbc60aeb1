"""Time HiGHS' dual simplex and its interior point method side by side: makes program_times.csv (program_times.txt)."""

import csv
import sys
import time

import numpy as np

from lib.studies import linear_programs as lp
from lib.studies.draws import half_space

SIZES = [(20, 5), (50, 10), (100, 30), (300, 30), (1000, 30), (3000, 30), (10000, 30), (300, 100), (1000, 100)]
SIZES += [(3000, 100), (10000, 100), (2000, 200), (3000, 300), (5000, 500)]
HEAD = ("family", "rows", "columns", "stream")
METHODS = {"simplex": "highs-ds", "interior": "highs-ipm"}


def packing(m, n, rng):
    """max c · x subject to Ax ≤ b, x ≥ 0 with all numbers positive."""
    A, c = rng.integers(1, 1001, (m, n)) / 1000, rng.integers(1, 1001, n) / 1000
    return {"c": -c, "A_ub": A, "b_ub": rng.integers(250 * n, 500 * n, m) / 1000}


def timed(program, repeats):
    """Steps and the least processor time of each method."""
    found = {}
    for name, method in METHODS.items():
        seconds = []
        for _ in range(repeats):
            start = time.process_time()
            solved = lp.solve(program, method=method)
            seconds.append(time.process_time() - start)
        found |= {f"{name}_steps": solved.nit, f"{name}_seconds": float(f"{min(seconds):.3g}")}
    return found


def main():
    rows = csv.DictWriter(
        sys.stdout,
        [
            "family",
            "rows",
            "columns",
            "stream",
            *(f"{name}_{what}" for name in METHODS for what in ("steps", "seconds")),
        ],
        lineterminator="\n",
    )
    rows.writeheader()
    for m, n in SIZES:
        for stream in range(5):
            rng = np.random.default_rng([15, m, n, stream])
            programs = {"separate": lp.inner_program(half_space(m, n, rng) / 1000), "packing": packing(m, n, rng)}
            for family, program in programs.items():
                repeats = 3 if m * n < 50_000 else 1
                head = dict(zip(HEAD, (family, m, n, stream), strict=True))
                rows.writerow(head | timed(program, repeats))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
