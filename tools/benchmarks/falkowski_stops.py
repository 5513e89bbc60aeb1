"""`python -m tools.benchmarks.falkowski_stops [--stops N] [--seed S] [--size B]`: Theorems 1 and 2, stop by stop.

All planes of one to three integer patterns with entries up to B, then random families until they have given N stops,
each from seven kinds of start, −100/Δ against the best direction among them.
"""

import argparse

from lib.studies.audit import survey

PRINTED = "(10) printed"


def main():
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.falkowski_stops", description=__doc__)
    parser.add_argument("--stops", type=int, default=1_000_000, help="stops of the random families")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=2, help="largest entry of the planes; 3 takes minutes")
    parser.add_argument("--updates", type=int, default=1000, help="of each run; far starts have four times as many")
    options = parser.parse_args()
    tally = survey(options.stops, options.seed, size=options.size, updates=options.updates)
    print(f"{tally.runs} runs, {tally.updates} updates, {tally.stops} stops\n")
    for name, wrong in tally.violations.items():
        share = f", at most {tally.worst[name]:.6f} of the bound" if name != "τ ≤ t0" else ""
        print(f"{name:<28}{wrong:>8} violations of {tally.compared[name]:>9}{share}")
    if any(wrong for name, wrong in tally.violations.items() if name != PRINTED):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
