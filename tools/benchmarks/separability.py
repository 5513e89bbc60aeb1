"""Separable or not, with a certificate, against HiGHS on Z w >= 1, through its own interface."""

import highspy
import numpy as np

from lib import separability
from tools.benchmarks import Row, one_pass, race, two_classes

PATIENCE = 60
"""Seconds after which HiGHS is stopped."""
CASES = [  # rows, columns, share of wrong labels, limit in passes X @ w
    (360, 20, 0, None),
    (360, 20, 0.05, None),
    (10_000, 50, 0, None),
    (10_000, 50, 0.05, None),
    (100_000, 54, 0, 8),
    (100_000, 54, 0.05, 8),
]


def rows(seed, *, quick=False):
    """Yield a row a case; the long ones are left out when quick."""
    for k, case in enumerate(CASES[: 2 if quick else None]):
        yield _case(*case, [seed, 3, k])


def _case(p, n, noise, passes, seed):
    Z, _ = two_classes(p, n, 0.1, seed, noise)
    contestants = {"unit": one_pass(Z), "ours": lambda: separability(Z), "peer": lambda: _highs(Z)}
    seconds, found = race(contestants, runs=5, once={"peer"} if p > 360 else ())
    answer, theirs = found["ours"], found["peer"]
    decided = theirs in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible)
    note = f"{'separable' if answer.separable else 'not separable'}, certificate verified"
    note = note if answer.verify() else "certificate REFUSED"
    note += "" if decided else f"; HiGHS stopped: {theirs.name}"
    times = seconds["ours"], seconds["peer"], seconds["unit"]
    size = f"{p}x{n}, {noise:.0%} wrong" if noise else f"{p}x{n}"
    return Row("separability", size, "HiGHS", *times, passes=passes, good=answer.verify(), note=note)


def _highs(Z):
    """The status of the feasibility of Z w >= 1."""
    p, n = Z.shape
    model = highspy.Highs()
    model.silent()
    model.setOptionValue("time_limit", float(PATIENCE))
    model.setOptionValue("threads", 1)
    free = model.inf
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, p
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.zeros(n), np.full(n, -free), np.full(n, free)
    lp.row_lower_, lp.row_upper_ = np.ones(p), np.full(p, free)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.arange(0, p * n + 1, n)
    lp.a_matrix_.index_ = np.tile(np.arange(n), p)
    lp.a_matrix_.value_ = Z.ravel()
    model.passModel(lp)
    model.run()
    return model.getModelStatus()
