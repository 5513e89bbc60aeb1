"""Krauth and Mézard's algorithm: the plain loop's picks, the counterexamples to the print, and the theorems."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_krauth_mezard import krauth_mezard as plain
from strategies import separable_patterns

from lib import max_margin
from lib.bounds import falkowski, gap
from lib.perceptrons import screening
from lib.perceptrons.krauth_mezard import krauth_mezard
from lib.studies import audit as ma

half = Fraction(1, 2)


def problem(rng, kind):
    """Patterns on one side of a plane, full of ties for all kinds but the first."""
    n, p = int(rng.integers(2, 9)), int(rng.integers(50, 110))
    u = rng.normal(size=n)
    Z = rng.choice([-1, 1], (p, n)) if kind == "signs" else rng.integers(-3, 4, (p, n))
    if kind in ("normal", "duplicates", "near ties"):
        Z = rng.normal(size=(p, n))
    if kind == "duplicates":
        Z = Z[rng.integers(0, p, p)]
    if kind == "near ties":
        Z = Z[rng.integers(0, 6, p)] * (1 + rng.integers(-3, 4, (p, n)) * 2.0**-52)
    if kind == "tenths":
        Z = rng.choice([-0.1, 0.1, 0.3], (p, n))
    Z = Z[(Z != 0).any(axis=1)]
    Z = Z * np.where(Z @ u < 0, -1, 1)[:, None]
    return Z + 0.2 * u / np.linalg.norm(u) if kind in ("normal", "duplicates") else Z


@pytest.fixture
def screens(monkeypatch):
    """Screen early; the list of the fields that were made."""
    monkeypatch.setattr(screening, "WORTH", 0)
    made, narrowed = [], screening.narrowed
    monkeypatch.setattr(screening, "narrowed", lambda *a: made.append(narrowed(*a)) or made[-1])
    return made


@pytest.mark.parametrize("many", [screening.MANY, 8])
@pytest.mark.parametrize("kind", ["signs", "integers", "normal", "duplicates", "tenths", "near ties"])
def test_the_picks_of_the_plain_loop(kind, many, screens, monkeypatch):
    """The screen is in use in most of these problems, and single precision in half of them."""
    rng = np.random.default_rng([5, len(kind)])
    monkeypatch.setattr(screening, "MANY", many)
    for k in range(25):
        Z = problem(rng, kind)
        w0 = None if k % 3 else rng.integers(-2, 3, Z.shape[1])
        agrees(Z, [1, 6], w0, 200)
    assert sum(field is not None for field in screens) >= 25


def agrees(Z, levels, w0, most):
    sums, picks, stops = plain(Z, levels, w0, most)
    run = krauth_mezard(Z, levels, w0=w0, max_updates=most)
    assert run.picks.tolist() == picks
    assert run.sums.tolist() == sums
    assert run.stops.tolist() == stops
    assert (run.trajectory(sums=True)[-1] == run.sums).all()


@pytest.mark.parametrize("scale", [1e-160, 1e-150, 1e-100, 1e-15, 1e15, 1e78, 1e100, 1e140, 1e150])
def test_every_scale(scale, screens):
    rng = np.random.default_rng(6)
    for kind in ("normal", "tenths", "near ties"):
        agrees(problem(rng, kind) * scale, [1, 6], None, 150)


@pytest.mark.parametrize(
    ("scale", "w0", "c"),
    [(1e-170, 0, 5), (1e155, 0, 5), (1e153, 1.0, 5), (1, 1e308, 5), (1, 0, 1e308), (1, 0, 10**400)],
)
def test_scores_that_no_float_holds_are_refused(scale, w0, c):
    with pytest.raises(ValueError, match="scores may leave the range of floats"):
        krauth_mezard(np.array([[1.0, 0.5], [0.5, 1]]) * scale, c, w0=[w0, w0])


def test_the_last_weights_count_where_a_screen_fails(screens, monkeypatch):
    """Out of updates and out of the screen at once: the levels that the last weights reach are noted."""
    monkeypatch.setattr(screening, "SLACK", 1e-3)
    ends, follow = [], screening.Field.follow

    def noted(*a):
        chosen, reached, held = follow(*a)
        ends.append((len(chosen), held))
        return chosen, reached, held

    Z, levels, met = problem(np.random.default_rng(12), "normal"), np.linspace(0.02, 5, 400), 0
    with monkeypatch.context() as patch:
        patch.setattr(screening.Field, "follow", noted)
        stops = krauth_mezard(Z, levels).stops
    updates, held = np.array(ends).T
    for M in np.cumsum(updates)[held == 0]:
        assert (krauth_mezard(Z, levels, max_updates=int(M)).stops == np.where(stops > M, -1, stops)).all()
        met += M in stops
    assert met >= 3


def one_step(field, patterns, w):
    """The pick of a field, None if it is not certain, beside that of the plain loop."""
    chosen, _, held = field.follow(w.copy(), 0 * w, np.array([np.inf]), 1, sqrt((patterns**2).sum(axis=1).max()))
    return (chosen[0] if len(chosen) else None), int((patterns @ w).argmin()), held


@pytest.mark.parametrize("share", np.round(np.arange(0.9, 1.1, 0.005), 3))
def test_nothing_outside_the_screen_is_picked(share):
    """Patterns just inside and just outside the radius κ, and sums that stray by just less and just more than κ."""
    centre, kappa, slack = np.array([10.0, 0.0]), 3.0, 1e-3
    h, at = np.meshgrid([1.0, 2.0], np.arange(0.905, 1.1, 0.01))
    edge = np.column_stack([(10 + slack + at.ravel() * kappa * h.ravel()) / 10, h.ravel()])
    patterns = np.vstack([[[1.0, 0.0]], edge])
    few = np.vstack([patterns, np.full((100, 2), [9.0, 0.0])])
    field = screening.narrowed(few, (few**2).sum(axis=1), centre, centre, kappa, slack)
    pick, lowest, _ = one_step(field, few, 2 * centre - [0, 2 * share * kappa])
    assert pick == (lowest if share < 1 else None)
    assert len(field.chosen) == 1 + np.count_nonzero(at < 1)


@pytest.mark.parametrize("rise", [0.5, 0.9, 0.99, 1.01, 1.1, 2])
def test_nothing_above_the_level_is_picked(rise):
    """The only candidate's score rises past θ, and a pattern outside becomes the lowest."""
    centre, few = np.array([10.0, 0.0]), np.vstack([[[1.0, 1.0], [1.0201, 0.0]], np.full((100, 2), [9.0, 0.0])])
    field = screening.narrowed(few, (few**2).sum(axis=1), centre, centre, 1.0, 0.199)
    pick, lowest, _ = one_step(field, few, np.array([10.0, rise * 0.2]))
    assert field.chosen.tolist() == [0]
    assert pick == (lowest if rise < 1 else None)


@settings(max_examples=50, deadline=None)
@given(separable_patterns(), st.lists(st.fractions(-3, 3, max_denominator=4), min_size=4, max_size=4))
def test_fractions_floats_and_any_size_agree(pair, w0):
    Z, _ = pair
    w0 = np.array(w0[: Z.shape[1]], dtype=object)
    run = krauth_mezard(Z, [half, 3], w0=w0, max_updates=400)
    huge = krauth_mezard(Z.astype(object) * 10**12, [half, 3], w0=w0 / Fraction(10**12), max_updates=400)
    assert run.picks.tolist() == huge.picks.tolist()
    assert run.stops.tolist() == huge.stops.tolist()
    assert (run.sums == huge.sums / Fraction(10**12)).all()
    sums, picks, stops = plain(Z, [half, 3], w0, 400)
    assert (run.picks.tolist(), run.stops.tolist()) == (picks, stops)
    assert (run.sums == sums).all()


def lowest(run):
    """x·min_j z_j · w_t for t = 0, …, updates."""
    return (run.trajectory(sums=True).astype(object) @ run.patterns.T).min(axis=1)


@settings(max_examples=50, deadline=None)
@given(separable_patterns())
def test_one_run_serves_every_level(pair):
    Z, _ = pair
    levels = [Fraction(k, 3) for k in range(1, 13)]
    run = krauth_mezard(Z, levels, max_updates=3000)
    path, low = run.trajectory(sums=True), lowest(run)
    assert (path[-1] == run.sums).all()
    for c, M in zip(levels, run.stops, strict=True):
        if M < 0:
            assert max(low) < c * run.square
            continue
        alone = krauth_mezard(Z, c)
        assert alone.updates == M
        assert (run.trajectory()[M] == alone.w).all()
        assert low[M] >= c * run.square > max(low[:M], default=-1)


def test_bad_input_is_named():
    for options, message in [
        ({"c": 0}, "c is 0; expected finite numbers above zero"),
        ({"c": [1, -2]}, "expected finite numbers above zero"),
        ({"c": []}, "expected finite numbers above zero"),
        ({"c": 1, "max_updates": 1.5}, "max_updates is 1.5"),
        ({"c": 1, "w0": [1]}, "w0 has shape"),
    ]:
        with pytest.raises(ValueError, match=message):
            krauth_mezard([[1, 2]], **options)
    with pytest.raises(ValueError, match="pattern 0 is zero"):
        krauth_mezard([[0, 0]], 1)
    short = krauth_mezard([[1, 0], [0, 1]], [1, 100], max_updates=5)
    assert (short.stops.tolist(), short.converged, short.stop) == ([2, -1], False, "out of updates")
    assert krauth_mezard([[1, 0], [0, 1]], [1, 2], max_updates=4).stops.tolist() == [2, 4], "the last weights count"
    assert not krauth_mezard([[1, 0], [-1, 0]], 1, max_updates=50).converged


def test_frank_wolfe():
    """From zero, y_t = x w_t/t makes the step 1/(t + 1) towards the vertex of least slope."""
    Z = np.random.default_rng(3).integers(-2, 6, (9, 3)) + np.array([3, 0, 0])
    path = krauth_mezard(Z, 20).trajectory(sums=True)
    y = path[1]
    for t in range(1, len(path) - 1):
        vertex = Z[np.argmin(Z @ y)]
        y = y + Fraction(1, t + 1) * (vertex - y)
        assert (y == path[t + 1] / Fraction(t + 1)).all()


# Counterexamples to the print, with exact numbers.


def test_equations_2_and_5_with_the_printed_weight():
    run = krauth_mezard(np.array([[half]]), 1, w0=[half])
    c, M, x, total = 1, run.updates, run.square, 1
    q = gap.beside(run)
    assert (M, run.w[0], x) == (1, Fraction(5, 2), Fraction(1, 4))
    along = c * q.along[-1] / q.margin2
    assert (c * (M + total) / x, along, c * (M + x * total) / x) == (8, 5, 5)
    assert falkowski.eq5(q.square[-1], M, total, c, x) == Fraction(25, 32)
    assert falkowski.eq5_corrected(q.square[-1], M, total, c, x) == Fraction(5, 4)
    assert q.margin2 / Fraction(25, 32) ** 2 > q.margin2, "a guarantee above the maximum margin"


def test_equation_4_fails_from_a_general_start():
    w0 = np.array([Fraction(-12, 100), Fraction(-6, 100)])
    run = krauth_mezard(np.array([[5, 0], [3, 4]]), Fraction(1, 100), w0=w0)
    q = gap.beside(run)
    assert (run.updates, falkowski.eq4(Fraction(1, 100), q.x, q.margin2, q.square[0])) == (2, Fraction(147, 80))
    assert run.updates <= falkowski.eq4_corrected(
        0.01, float(q.x), float(q.margin2), float(q.along[0]), float(q.across[0])
    )


def test_equation_9_and_10_fail_before_the_crossing():
    Z = np.array([[1, 0], [2, 1]])
    q = gap.beside(krauth_mezard(Z, 1, w0=[-2, 1]))
    assert q.pull[0] == 1
    assert (q.across[1], falkowski.eq10(1, q.x, q.across[0])) == (Fraction(36, 25), Fraction(6, 5))
    q = gap.beside(krauth_mezard(Z, 1, w0=[-4, 0]))
    assert (q.across[6], falkowski.eq10(6, q.x, q.across[0])) == (Fraction(36, 25), Fraction(6, 5))
    equal = gap.beside(krauth_mezard(Z, 1, w0=np.array([Fraction(2, 5), Fraction(1, 5)])))
    assert (equal.pull[0], equal.across[0]) == (0, Fraction(1, 25))


def test_equations_11_12_13_fail_from_far_behind():
    run = krauth_mezard([[5, 2], [5, -2], [11, 3]], 1, w0=[-250, 0])
    q, M = gap.beside(run), run.updates
    assert M == 3948
    assert float(q.along[M - 1]) == pytest.approx(64.731, abs=1e-3)
    assert falkowski.eq11(M, 1, q.x, q.across[0]) == pytest.approx(63.825, abs=1e-3)
    assert falkowski.eq12(M, 1, q.x, q.margin2, q.across[0]) == pytest.approx(64.264, abs=1e-3)
    assert float(q.along[M]) == pytest.approx(64.923, abs=1e-3)
    run = krauth_mezard([[1, 0], [2, 1]], 1, w0=[-73, 0])
    q, M = gap.beside(run), run.updates
    assert M == 248
    assert falkowski.eq13(M, 1, q.x, q.margin2, q.across[0]) == pytest.approx(24.2062, abs=1e-4)
    assert sqrt(q.margin2 * q.square[M]) == pytest.approx(24.4205, abs=1e-4)


# The theorems.


@settings(max_examples=120, deadline=None)
@given(separable_patterns(most=5), st.lists(st.integers(-12, 12), min_size=4, max_size=4), st.integers(1, 9))
def test_the_lemmas_exactly(pair, w0, c):
    Z, _ = pair
    q = gap.beside(krauth_mezard(Z, c, w0=w0[: Z.shape[1]], max_updates=3000))
    g2, t = q.margin2 / q.x, np.arange(len(q.low))
    up = q.along[:-1] >= 0
    assert (q.gain >= q.margin2).all()
    assert (q.low <= q.along).all()
    assert (q.pull[up] <= 0).all()
    assert (np.diff(q.across)[up] <= (1 - g2) / q.x).all()
    assert (np.diff(q.square)[~up] <= 1 / q.x).all()
    assert (q.across <= falkowski.eq10_corrected(t, q.x, q.square[0])).all()
    if q.along[-1] >= 0:
        assert q.rising <= gap.crossing(float(q.x), float(q.margin2), float(q.along[0]))


def test_every_stop_of_many_runs():
    """A small version of `python -m tools.benchmarks.falkowski_stops`."""
    found = ma.survey(5_000, 1, size=2, updates=60)
    assert found.stops > 50_000
    assert not any(found.violations[name] for name in found.violations if name != "(10) printed")
    assert found.violations["(10) printed"] > 1000, "the audit notices what is false"
    assert found.worst["Theorem 1 (a), (b)"] > 0.999
    assert found.worst["Theorem 2"] > 0.999


def test_the_audited_runs_are_the_runs():
    Z, points = ma.plane(2)
    rng = np.random.default_rng(4)
    chosen = rng.choice(len(Z), 25, replace=False)
    for z, point in zip(Z[chosen], points[chosen], strict=True):
        assert float(max_margin(z.astype(int)).exact().squared) == pytest.approx(point @ point)
        W, tally = np.rint(10 * rng.normal(size=(1, 2))), ma.Tally()
        ma.audit(tally, z[None], point[None], W, 50)
        x = int((z * z).sum(axis=1).max())
        w0 = np.array([Fraction(int(v), x) for v in W[0]], dtype=object)
        low = lowest(krauth_mezard(z.astype(int), 10**6, w0=w0, max_updates=50))
        records = np.maximum.accumulate(np.append([0], low))
        assert tally.stops == np.count_nonzero(records[1:] > records[:-1])


def test_the_plane_and_its_sharpness():
    for vectors in product(product(range(-2, 3), repeat=2), repeat=2):
        Z = np.array(vectors)
        if not Z.any(axis=1).all() or not max_margin(Z).exact().squared:
            continue
        q = gap.beside(krauth_mezard(Z, 6))
        records = np.maximum.accumulate(q.low)
        for M in np.flatnonzero(records[1:] > records[:-1]) + 1:
            before = records[M - 1]
            assert q.margin2 * q.square[M] <= (max(before, 0) + 1) ** 2
    q = gap.beside(krauth_mezard([[1, 0]], 5))
    assert (q.square == (q.low + 0) ** 2).all()


def test_in_three_dimensions_the_planar_bound_fails():
    q = gap.beside(krauth_mezard([[-2, -2, 1], [1, -2, 2], [-2, 1, 2]], half))
    assert q.low.tolist()[:3] == [0, Fraction(-2, 9), Fraction(4, 9)] or max(q.low[:3]) == Fraction(4, 9)
    assert sqrt(q.margin2 * q.square[3]) - 4 / 9 == pytest.approx(1.0933, abs=1e-4)


def test_a_start_that_grows_like_c_spoils_the_limit():
    for c in (10, 100, 1000):
        run = krauth_mezard([[1, 0]], c, w0=[0, c])
        assert run.sums.tolist() == [c, c]
        assert c / sqrt(float(run.sums @ run.sums)) == pytest.approx(1 / sqrt(2))


def test_cesaro_limit():
    Z = np.random.default_rng(8).normal(size=(12, 3)) + np.array([2.0, 0, 0])
    best = max_margin(Z)
    q = gap.beside(krauth_mezard(Z, 3000, max_updates=40_000))
    assert np.mean(q.along - q.low) == pytest.approx(gap.cesaro(Z, best.support, best.weights), abs=2e-3)
