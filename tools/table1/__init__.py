"""The long runs behind Table 1: `python -m tools.table1` does them in order, and goes on where it was cut off.

One small JSON file for each finished run, in the folder of `--store` or of the environment variable TABLE1_STORE, else
in runs/table1. data/table1/PROTOCOL.md tells what is run and why; it was written before the first run.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"
