"""max_margin: the enclosure against exact certificates and independent solvers."""

import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.svm import SVC

from lib.compiled import Text
from lib.margins import enclosure, wolfe
from lib.margins.enclosure import fine_dot, length, lowest_score
from lib.margins.max_margin import max_margin
from lib.margins.rational import as_floats


def distance_by_nnls(Z):
    """min |x| over the hull, from min |(Zᵀ; 1) λ − (0, 1)| over λ >= 0; 0 if the origin is in it."""
    size = np.linalg.norm(Z, axis=1).max()
    A = np.vstack([Z.T / size, np.ones(len(Z))])
    lam, residual = nnls(A, np.append(np.zeros(Z.shape[1]), 1.0), maxiter=10_000)
    return 0.0 if residual < 1e-9 else np.linalg.norm(lam @ Z) / lam.sum()


def small_problem(rng, kind):
    n = int(rng.integers(1, 12))
    p = int(rng.integers(1, 6 * n + 2))
    if kind == "signs":
        return rng.choice([-1, 1], size=(p, n))
    if kind == "integers":
        Z = rng.integers(-3, 4, size=(p, n))
        Z[~Z.any(axis=1)] = 1
        return Z
    Z = rng.normal(size=(p, n)) + rng.choice([0, 2]) * rng.normal(size=n)
    if kind == "duplicates":
        return Z[rng.integers(0, p, size=2 * p)]
    if kind == "scales":
        return Z * 10.0 ** rng.uniform(-3, 3, size=(p, 1))
    return Z


def encloses(found, exact):
    """lower <= m <= upper by Fractions; only upper is to be tested if not separable."""
    low = Fraction(found.lower)
    return (low <= 0 or low**2 <= exact.squared) and exact.squared <= Fraction(found.upper) ** 2


@pytest.mark.parametrize("kind", ["normal", "signs", "integers", "duplicates", "scales"])
def test_agrees_with_nnls_and_with_exact_arithmetic(kind):
    rng = np.random.default_rng([7, len(kind)])
    separable = 0
    for _ in range(30):
        Z = small_problem(rng, kind)
        found = max_margin(Z)
        exact = found.exact()
        assert exact.verify(Z)
        assert encloses(found, exact)
        assert found.converged == (exact.squared > 0)
        assert found.upper == pytest.approx(distance_by_nnls(Z), rel=1e-6, abs=1e-7 * np.abs(Z).max())
        if exact.squared:
            separable += 1
            assert found.gap <= 1e-9
        else:
            assert found.lower <= 0 <= found.upper <= 1e-12 * np.abs(Z).max()
    assert separable > 5


def test_weights_make_w_from_the_support():
    Z = np.abs(np.random.default_rng(1).normal(size=(200, 5))) - 0.05
    found = max_margin(Z)
    assert (found.weights >= 0).all()
    assert found.weights.sum() == pytest.approx(1, abs=1e-14)
    np.testing.assert_allclose(found.weights @ Z[found.support], found.w, atol=1e-14)
    assert found.margin == found.lower
    assert found.updates > 0


def test_agrees_with_svc_when_classes_mirror_each_other():
    """Patterns and their negatives as two classes make SVC's bias zero."""
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(60, 4))
    Z *= np.where(Z @ [1, 2, 3, 4] > 0, 1, -1)[:, None]
    Z += 0.1 * np.array([1, 2, 3, 4])
    svc = SVC(C=1e9, kernel="linear", tol=1e-8).fit(np.vstack([Z, -Z]), np.repeat([1, -1], len(Z)))
    assert max_margin(Z).margin == pytest.approx(1 / np.linalg.norm(svc.coef_), rel=1e-5)


def test_rows_on_one_plane_to_the_last_digit():
    """Scores then agree to rounding, some 1e-16 R / m of the margin: the gap ends there and says so."""
    rng = np.random.default_rng(9)
    for _ in range(20):
        n = int(rng.integers(3, 12))
        d = np.linalg.qr(rng.normal(size=(n, n)))[0][0]
        Z = rng.normal(size=(5 * n, n))
        Z += (1e-6 - Z @ d)[:, None] * d * rng.choice([1, 1, 0], size=(5 * n, 1))
        Z *= np.where(Z @ d > 0, 1, -1)[:, None]
        found = max_margin(Z)
        assert found.gap <= 1e-8
        assert found.converged == (found.gap <= 1e-9)
        assert encloses(found, found.exact())


def test_compiled_and_plain_runs_are_the_same_to_the_last_bit(monkeypatch):
    rng = np.random.default_rng(12)
    sets = [small_problem(rng, kind) for kind in ("normal", "signs", "integers", "duplicates", "scales") * 3]
    compiled_runs = [max_margin(Z) for Z in sets]
    for text in {
        v
        for module in (wolfe, enclosure, sys.modules[max_margin.__module__])
        for v in vars(module).values()
        if type(v) is Text
    }:
        monkeypatch.setattr(text, "fast", text.python)
    for fast, plain in zip(compiled_runs, map(max_margin, sets), strict=True):
        for name in ("w", "lower", "upper", "support", "weights", "updates", "stop"):
            np.testing.assert_array_equal(getattr(fast, name), getattr(plain, name))


def test_large_sets_go_through_the_levels():
    rng = np.random.default_rng(3)
    d = np.array([3.0, 4, 0, 0, 0, 0]) / 5
    Z = rng.normal(size=(800_000, 6))
    Z *= np.where(Z @ d > 0, 1, -1)[:, None]
    Z += 0.1 * d
    found = max_margin(Z)
    assert found.converged
    assert (Z @ found.w).min() / np.linalg.norm(found.w) == pytest.approx(found.margin, rel=1e-9)
    near = np.flatnonzero(Z @ found.w < 1.01 * (Z @ found.w).min())
    assert set(found.support) <= set(near)
    assert encloses(found, max_margin(Z[near]).exact())


def test_levels_and_no_separation():
    Z = np.random.default_rng(4).normal(size=(100_000, 5))
    found = max_margin(Z)
    assert not found.converged
    assert found.lower <= 0 <= found.upper < 1e-12


def test_exact_margin_of_an_integer_set():
    found = max_margin([[3, 0], [0, 4], [5, 5]])
    exact = found.exact()
    assert exact.squared == Fraction(144, 25)
    assert exact.support == (0, 1)
    assert exact.weights == (Fraction(16, 25), Fraction(9, 25))
    assert exact.w == (Fraction(48, 25), Fraction(36, 25))
    assert found.lower <= 2.4 <= found.upper


def test_exact_weights_of_gordan():
    exact = max_margin([[1, 1], [-2, 1], [1, -2]]).exact()
    assert exact.squared == 0
    assert exact.weights == (Fraction(1, 3),) * 3
    assert not any(exact.w)


def test_exact_repairs_a_wrong_start():
    Z = np.random.default_rng(5).integers(-4, 9, size=(40, 4))
    right = max_margin(Z)
    wrong = replace(right, support=np.arange(12), weights=np.full(12, 1 / 12))
    assert wrong.exact().squared == right.exact().squared
    assert wrong.exact().verify(Z)


def test_tampered_certificates_are_refused():
    Z = [[3, 0], [0, 4], [5, 5]]
    exact = max_margin(Z).exact()
    shifted = (exact.weights[0] + Fraction(1, 10**9), exact.weights[1] - Fraction(1, 10**9))
    assert exact.verify(Z)
    assert not replace(exact, squared=exact.squared + 1).verify(Z)
    assert not replace(exact, weights=shifted).verify(Z)
    assert not replace(exact, weights=(Fraction(2), Fraction(-1))).verify(Z)
    assert not replace(exact, support=(0, 2)).verify(Z)
    assert not replace(exact, w=(Fraction(2), Fraction(1))).verify(Z)
    assert not exact.verify([*Z, [-1, 1]])
    on_one_row = replace(exact, support=(2,), weights=(Fraction(1),), w=(Fraction(5),) * 2, squared=Fraction(50))
    assert not on_one_row.verify(Z)


WRONG = {
    "squared": (None, -1, np.nan, np.inf, "144/25", [5], 5.76),
    "support": (None, 3, "01", (0,), (0, 0), (0, 3), (0, -2), (0, 1.5), ((0,), (1,)), (0, 1, 2)),
    "weights": (None, 1, "ab", (1,), (np.nan, 1), (np.inf, 1), (None, 1), (True, False), (0.64, 0.36), (2, -1), (0, 0)),
    "w": (None, 1, "ab", (Fraction(48, 25),), (Fraction(48, 25), Fraction(36, 25), 0), (np.nan, 1), (1.92, 1.44)),
}


@pytest.mark.parametrize("name", WRONG)
def test_forged_certificates_are_refused_without_an_error(name):
    Z = [[3, 0], [0, 4], [5, 5]]
    exact = max_margin(Z).exact()
    assert exact.verify(Z) is True
    for value in WRONG[name]:
        assert replace(exact, **{name: value}).verify(Z) is False
    twice = tuple(Fraction(v, 25) for v in (8, 8, 9))
    assert replace(exact, support=(0, 0, 1), weights=twice).verify(Z) is False
    for patterns in (None, [], [[3, 0, 0], [0, 4, 0], [5, 5, 0]], [[3, 0]], [[np.nan, 0], [0, 4], [5, 5]], "Z"):
        assert exact.verify(patterns) is False


def test_out_of_updates_is_said_and_enclosed():
    Z = np.abs(np.random.default_rng(10).normal(size=(300, 20)))
    short, found = max_margin(Z, max_updates=3), max_margin(Z, max_updates=10**30)
    assert (short.updates, short.converged, short.stop) == (3, False, "out of updates")
    assert short.lower <= found.lower <= found.upper <= short.upper
    assert found.stop == "gap reached"
    assert max_margin([[1, 1], [-1, -1]]).stop == "origin in the hull"


def signed_square(x):
    return x * abs(x)


@pytest.mark.parametrize("unit", [1.0, Fraction(1, 3)])
def test_each_side_is_rounded_outwards(unit):
    """For any w and any weights, rows that cancel, and rows that are not floats."""
    rng = np.random.default_rng(13)
    for _ in range(100):
        n, p = rng.integers(2, 9, size=2)
        w = rng.normal(size=n)
        Z = rng.integers(-(2**40), 2**40, size=(p, n)).astype(float)
        Z[:, -1] -= np.round(Z @ w / w[-1])  # scores near zero
        Z[0] = -Z[1:].sum(axis=0) + rng.integers(-1, 2, size=n)  # a point near zero
        rows = np.array([[int(v) * Fraction(unit) for v in row] for row in Z], dtype=object)
        floats = as_floats(Z if unit == 1 else rows)
        v, lam = np.array([Fraction(a) for a in w]), rng.uniform(1, 1 + 2.0**-30, size=p)
        lower = Fraction(lowest_score(floats.values, w, floats.size, floats.error)) * Fraction(2) ** floats.shift
        assert signed_square(lower) * (v @ v) <= signed_square(min(rows @ v))
        exact = np.array([Fraction(a) for a in lam])
        point, upper = exact @ rows, Fraction(length(floats, np.arange(p), lam))
        assert point @ point <= (upper * sum(exact)) ** 2


def test_many_updates_lose_nothing():
    rng = np.random.default_rng(14)
    d = np.full(40, 40**-0.5)
    Z = rng.normal(size=(4000, 40))
    Z = Z * np.where(Z @ d > 0, 1, -1)[:, None] + 0.1 * d
    found = max_margin(Z)
    assert found.updates > 100
    assert found.gap < 3e-14


def test_products_in_twice_the_precision():
    """What is lost is below u |a · b| + γ² |a| |b|, however much cancels."""
    rng = np.random.default_rng(11)
    for _ in range(300):
        n = int(rng.integers(1, 40))
        a, b = rng.normal(size=(2, n)) * 10.0 ** rng.integers(-20, 20, size=(2, n))
        b[-1] -= a @ b / a[-1]
        exact = sum(Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True))
        lost = abs(Fraction(fine_dot(a, b)) - exact)
        absolute = sum(abs(Fraction(x) * Fraction(y)) for x, y in zip(a, b, strict=True))
        assert lost <= Fraction(2) ** -53 * abs(exact) + Fraction(n * n + 1) * Fraction(2) ** -106 * absolute


@pytest.mark.parametrize("decades", [(-6, 6), (-150, -140), (140, 150), (-300, 300)])
@pytest.mark.parametrize("rows", [True, False])
def test_wide_scales_stay_honest(decades, rows):
    rng = np.random.default_rng(6)
    for _ in range(4):
        Z = np.abs(rng.normal(size=(15, 4)))
        Z *= 10.0 ** rng.uniform(*decades, size=(15, 1) if rows else (1, 4))
        found = max_margin(Z)
        exact = found.exact()
        assert exact.verify(Z)
        assert encloses(found, exact)


def test_big_integers_and_fractions():
    rng = np.random.default_rng(8)
    for scale in (1, 10**18, 10**60):
        Z = np.array([[int(v) * scale + 1 for v in row] for row in rng.integers(1, 50, size=(12, 3))], dtype=object)
        for patterns in (Z, Z * Fraction(1, 7**30)):
            found = max_margin(patterns)
            assert found.converged
            assert found.exact().verify(patterns)
            assert encloses(found, found.exact())


def test_int64_beyond_the_exact_floats():
    Z = np.array([[2**62 + 1, 1], [1, 2**62 - 3]])
    found = max_margin(Z)
    assert encloses(found, found.exact())
    assert found.gap < 1e-9


@pytest.mark.parametrize("Z", [[[2, 1]], [[1, 1]] * 5, [[1, 0], [0, 1]], [[4]], [[1], [2], [3]]])
def test_tiny_sets(Z):
    found = max_margin(Z)
    exact = found.exact()
    assert found.converged
    assert encloses(found, exact)
    assert exact.verify(Z)
    assert exact.squared == min(sum(v * v for v in row) for row in Z) or exact.squared == Fraction(1, 2)


def test_contradictory_pair():
    found = max_margin([[1, 2], [-1, -2], [3, 1]])
    assert found.lower <= 0 <= found.upper <= 1e-14
    assert not found.converged
    assert found.exact().squared == 0


@pytest.mark.parametrize(
    ("patterns", "options", "message"),
    [
        ([[1, 1], [0, 0]], {}, "pattern 1 is zero"),
        ([[1.0, np.nan]], {}, "NaN, infinity"),
        ([1, 2], {}, "expected a matrix"),
        (np.empty((0, 3)), {}, "is empty"),
        ([["a", "b"]], {}, "expected integers, Fractions or floats"),
        ([[1, 2]], {"tol": 0}, "tol is 0; expected a number between 0 and 1"),
        ([[1, 2]], {"tol": 1.5}, "tol is 1.5; expected"),
        ([[1, 2]], {"tol": None}, "tol is None; expected"),
        ([[1, 2]], {"max_updates": 2.5}, "max_updates is 2.5; expected a whole number"),
        (np.array([[1, 2]], dtype=np.longdouble) * np.longdouble(10) ** 4000, {}, "numbers beyond floats"),
        (np.ma.masked_equal([[1, 2], [3, 4]], 3), {}, "masked in 1 places"),
        ([[10**400, 1]], {}, "expected entries within the range of floats"),
    ],
)
def test_input_errors(patterns, options, message):
    with pytest.raises(ValueError, match=message):
        max_margin(patterns, **options)
