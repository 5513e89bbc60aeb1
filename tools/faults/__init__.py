"""The runner under faults: `python -m tools.faults` breaks it in every way on the list and prints what happened."""
