"""The maximum margin against small dense QP solvers (DAQP, quadprog, PIQP), NNLS and scikit-learn's SVC.

The solvers minimise |w|²/2 subject to Z w >= 1, NNLS finds the closest point of the hull; each is judged by the gap
of what it returns. SVC has a free bias, which is another problem of the same size.
"""

import daqp
import numpy as np
import piqp
import quadprog
from scipy.optimize import nnls
from sklearn.svm import SVC

from lib import max_margin
from tools.benchmarks import Row, one_pass, race, two_classes

GAP = 1e-9
CASES = [  # rows, columns, goal as a ratio to DAQP
    (100, 3, 1),
    (360, 20, 1),
    (2000, 20, 1),
    (10_000, 50, 1),
    (100_000, 54, 10),
]


def rows(seed, *, quick=False):
    """Yield a row a size and peer; the largest is left out when quick."""
    for k, case in enumerate(CASES[: 3 if quick else None]):
        yield from _case(*case, [seed, 2, k])


def _case(p, n, goal, seed):
    Z, y = two_classes(p, n, 0.1, seed)
    solvers = {"DAQP": _daqp, "quadprog": _quadprog, "PIQP": _piqp, "NNLS": _nnls}
    contestants = {"unit": one_pass(Z), "ours": lambda: max_margin(Z)}
    contestants |= {name: (lambda solve=solve: solve(Z)) for name, solve in solvers.items()}
    contestants["SVC"] = lambda: SVC(C=1e8, kernel="linear").fit(Z[:, :-1] * y[:, None], y)
    slow = {"quadprog", "PIQP", "NNLS", "SVC"} if p > 2000 else set()
    slow |= {"DAQP"} if p > 10_000 else set()
    seconds, found = race(contestants, runs=5, once=slow)
    ours = found["ours"]
    for name in [*solvers, "SVC"]:
        note = f"gap {ours.gap:.0e}"
        note += "" if name == "SVC" else f"; {name}'s {_gap(Z, found[name], ours.upper):.0e}"
        times = seconds["ours"], seconds[name], seconds["unit"]
        aim = goal if name == "DAQP" else None
        yield Row("max_margin", f"{p}x{n}", name, *times, aim, good=ours.gap <= GAP, note=note)


def _gap(Z, w, upper):
    """How far the margin of w is from the upper end of our enclosure, relatively."""
    return 1 - (Z @ w).min() / np.linalg.norm(w) / upper


def _daqp(Z):
    p, n = Z.shape
    most, least, sense = np.full(p, 1e30), np.ones(p), np.zeros(p, dtype=np.int32)
    return daqp.solve(np.eye(n), np.zeros(n), Z, most, least, sense)[0]


def _quadprog(Z):
    n = Z.shape[1]
    return quadprog.solve_qp(np.eye(n), np.zeros(n), Z.T, np.ones(len(Z)))[0]


def _piqp(Z):
    p, n = Z.shape
    solver = piqp.DenseSolver()
    solver.setup(np.eye(n), np.zeros(n), None, None, Z, np.ones(p), np.full(p, np.inf), None, None)
    solver.solve()
    return solver.result.x


def _nnls(Z):
    """min |Aλ − e| with A = (Zᵀ; 1ᵀ) and e = (0, 1): the residual is the closest point, to scale."""
    A = np.vstack([Z.T, np.ones(len(Z))])
    lam = nnls(A, np.append(np.zeros(Z.shape[1]), 1.0), maxiter=10 * len(Z))[0]
    return lam @ Z
