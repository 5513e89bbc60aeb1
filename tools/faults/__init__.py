"""The runner under faults: `python -m faults` breaks it in every way on the list and prints what happened."""
