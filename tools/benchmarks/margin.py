"""The maximum margin against DAQP (scikit-learn's SVC where that is not installed), separability against HiGHS."""

import numpy as np
from scipy.optimize import linprog, nnls
from sklearn.svm import SVC

from lib.margins.max_margin import max_margin
from lib.margins.separability import separability
from tools.benchmarks import Row, one_pass, race, two_classes

try:
    import daqp
except ImportError:
    daqp = None

GAP = 1e-9
PATIENCE = 60
"""Seconds after which HiGHS is stopped; its time is then a lower bound."""


def rows(quick=False):
    """Yield the rows for `max_margin` and `separability`."""
    yield _margin(100, 3, seed=100, faster=1)
    yield _margin(360, 20, seed=101, faster=1)
    yield _margin(2000, 20, seed=112, faster=1)
    yield _margin(10_000, 50, seed=102, faster=1)
    if not quick:
        yield _margin(100_000, 54, seed=103, passes=40, faster=10)
        yield _margin(1_000_000, 20, seed=104, passes=13)
    yield _flatness()
    yield _separability(360, 20, seed=105)
    yield _separability(360, 20, seed=106, noise=0.05)
    yield _separability(10_000, 50, seed=107)
    yield _separability(10_000, 50, seed=108, noise=0.05)
    if not quick:
        yield _separability(100_000, 54, seed=109, passes=8, faster=200)
        yield _separability(100_000, 54, seed=110, noise=0.05, passes=8, faster=200)
        yield _separability(1_000_000, 20, seed=111, peer=False)
    yield _fuzz(150 if quick else 1500)


def _margin(p, n, *, seed, passes=None, faster=None):
    """The whole public call, and the peer with its problem set up; several calls in a row where one is short."""
    Z, y = two_classes(p, n, 0.1, seed)
    unit, repeats = one_pass(Z)
    calls = max(1, 200_000 // Z.size)
    contestants = {"unit": unit, "ours": lambda: [max_margin(Z) for _ in range(calls)]}
    if faster:
        contestants["peer"] = lambda: [_peer(Z, y) for _ in range(calls)]
    seconds, found = race(contestants, runs=7, once=("peer",) if p > 10_000 else ())
    ours, unit = seconds["ours"] / calls, seconds["unit"] / repeats
    gap = found["ours"][0].gap
    goals, met = [f"gap <= {GAP:g}"], [gap <= GAP]
    if passes:
        goals.append(f"<= {passes} X@w")
        met.append(ours <= passes * unit)
    if faster:
        goals.append(f">= {faster}x")
        met.append(seconds["peer"] >= faster * seconds["ours"])
    peer = seconds["peer"] / calls if faster else None
    name = f"max_margin / {'DAQP' if daqp else 'SVC'}" if faster else "max_margin"
    return Row(name, f"{p}x{n}", ours, peer, unit, ", ".join(goals), all(met), f"gap {gap:.0e}")


def _peer(Z, y):
    """min |w|²/2 with Z w >= 1."""
    p, n = Z.shape
    if daqp is None:
        return SVC(C=1e8, kernel="linear").fit(Z[:, :-1] * y[:, None], y)
    free, none = np.full(p, 1e30), np.zeros(p, dtype=np.int32)
    return daqp.solve(np.eye(n), np.zeros(n), Z, free, np.ones(p), none)


def _flatness():
    """The cost must not grow as the margin shrinks, unlike the perceptron's (R / margin)²."""
    sets = {f"{m:g}": two_classes(10_000, 20, m, 120 + i)[0] for i, m in enumerate((1, 0.3, 0.1, 0.03, 0.01, 0))}
    unit, repeats = one_pass(sets["1"])
    work = {name: (lambda Z=Z: max_margin(Z)) for name, Z in sets.items()}
    seconds, found = race({"unit": unit, **work}, runs=7)
    unit = seconds.pop("unit") / repeats
    margins = [found[name].margin for name in sets]
    slowest, fastest = max(seconds.values()), min(seconds.values())
    note = f"slowest / fastest {slowest / fastest:.2f}, margins {max(margins):.2g} to {min(margins):.2g}"
    met = slowest <= 2.5 * fastest
    return Row("max_margin, shrinking margin", "10000x20", slowest, None, unit, "within 2.5x", met, note)


def _separability(p, n, *, seed, noise=0.0, passes=None, faster=None, peer=True):
    Z, _ = two_classes(p, n, 0.1, seed, noise)
    unit, repeats = one_pass(Z)
    contestants = {"unit": unit, "ours": lambda: separability(Z)}
    if peer:
        contestants["peer"] = lambda: _highs(Z)
    seconds, found = race(contestants, runs=7, once=("peer",) if p > 360 else ())
    ours, unit = seconds["ours"], seconds["unit"] / repeats
    answer = found["ours"]
    goals, met = ["certificate verified"], [answer.verify()]
    note = f"{answer.separable}, bound {answer.bound:.0e}; "
    note += _highs_note(found["peer"]) if peer else "HiGHS skipped, it takes too long"
    if passes:
        goals.append(f"<= {passes} X@w")
        met.append(ours <= passes * unit)
    if faster:
        goals.append(f">= {faster}x HiGHS")
        met.append(seconds["peer"] >= faster * ours)
    name = f"separability / HiGHS, {'noisy' if noise else 'separable'}"
    return Row(name, f"{p}x{n}", ours, seconds.get("peer"), unit, ", ".join(goals), all(met), note)


def _highs_note(found):
    answers = {0: "True", 1: f"nothing within {PATIENCE} s", 2: "False", 4: "nothing: numerical difficulties"}
    return f"HiGHS says {answers.get(found.status, f'status {found.status}')}"


def _highs(Z):
    """Feasibility of Z w >= 1, within a minute."""
    p, n = Z.shape
    limit = {"time_limit": PATIENCE}
    free = (None, None)
    return linprog(np.zeros(n), A_ub=-Z, b_ub=-np.ones(p), bounds=free, method="highs", options=limit)


def _fuzz(problems):
    """Small problems of every kind: does separability agree with NNLS, and is the gap reached?"""
    rng = np.random.default_rng(130)
    sets = [_small_problem(rng) for _ in range(problems)]
    seconds, found = race({"ours": lambda: [(separability(Z), max_margin(Z)) for Z in sets]}, runs=1)
    wrong = sum(s.separable != _nnls_separable(Z) for Z, (s, _) in zip(sets, found["ours"], strict=True))
    worst = max(m.gap for s, m in found["ours"] if s.separable)
    unit = race({"unit": lambda: [Z @ np.ones(Z.shape[1]) for Z in sets]})[0]["unit"]
    note = f"{wrong} disagreements with NNLS, worst gap {worst:.1e}"
    goal = f"none, gap <= {GAP:g}"
    met = wrong == 0 and worst <= GAP
    return Row("both, fuzz", f"{problems} problems", seconds["ours"], None, unit, goal, met, note)


def _small_problem(rng):
    """Gaussian, ±1 or small integers; duplicated rows; scales over 6 decades; margins down to 1e-6."""
    n = int(rng.integers(1, 16))
    shape = (int(rng.integers(1, 8 * n + 2)), n)
    kind = rng.choice(["normal", "signs", "integers", "duplicates", "row scales", "column scales"])
    if kind == "signs":
        Z = rng.choice([-1, 1], size=shape)
    elif kind == "integers":
        Z = rng.integers(-3, 4, size=shape)
        Z[~Z.any(axis=1)] = 1
    else:
        Z = rng.normal(size=shape)
    if kind == "duplicates":
        Z = Z[rng.integers(0, len(Z), size=2 * len(Z))]
    if kind.endswith("scales"):
        Z = Z * 10.0 ** rng.uniform(-3, 3, size=(len(Z), 1) if kind == "row scales" else (1, n))
    return _pushed_apart(Z, rng) if rng.random() < 0.6 else Z


def _pushed_apart(Z, rng):
    direction = rng.normal(size=Z.shape[1])
    direction /= np.linalg.norm(direction)
    Z = Z * np.where(Z @ direction < 0, -1, 1)[:, None]
    if Z.dtype == float:
        margin = 10.0 ** rng.uniform(-6, 0) * np.linalg.norm(Z, axis=1).max()
        Z = Z + np.maximum(margin - Z @ direction, 0)[:, None] * direction
    return Z


def _nnls_separable(Z):
    """λ >= 0 with Σ λ_j z_j = 0 and Σ λ_j = 1 exists if and only if the least residual is zero."""
    unit = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    A = np.vstack([unit.T, np.ones(len(Z))])
    return nnls(A, np.append(np.zeros(Z.shape[1]), 1.0), maxiter=10_000)[1] > 1e-9
