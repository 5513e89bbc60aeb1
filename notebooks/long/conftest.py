"""Long runs are kept here as they came out; they are no part of the regression."""

collect_ignore_glob = ["*.ipynb"]
