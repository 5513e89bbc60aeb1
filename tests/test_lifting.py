"""The lifting example: reconstructions, parity, the shift, and the search for the lost data."""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import separable_patterns

from lib import bounds, max_margin, perceptron, separability
from lib.files import read_csv
from lib.studies.lifting import PRINTED, SETS, all_orders, bound, folded, shear
from lib.studies.search import CENSUS, COUNTS, Found, census, search

F = Fraction


def on_lattice(spacing):
    """The parity theorem of notebook 23: (32) may come of multiples of g only if g = 3/(20 j)."""
    return (F(3, 20) / F(spacing)).denominator == 1


@pytest.mark.parametrize(
    ("name", "end"), [("L5", PRINTED), ("L4", PRINTED), ("A5", PRINTED), ("Q6", (3, F(-3, 2), F(25, 8)))]
)
def test_nine_corrections_lead_to_the_print(name, end):
    run = perceptron(SETS[name].patterns())
    assert (run.updates, run.converged, tuple(run.w)) == (9, True, end)


def test_the_nine_weights_of_l5():
    path = perceptron(SETS["L5"].patterns()).trajectory()[1:]
    printed = "1 -.85 -.2775, 2 1.5 4.245, 3 1.25 3.3075, 2 .75 4.0575, 3 .25 3.3075, 4 0 2.37, 3 -.5 3.12, 2 -1 3.87"
    assert path[:-1].tolist() == [[F(v) for v in row.split()] for row in printed.split(", ")]
    assert tuple(path[-1]) == PRINTED


@pytest.mark.parametrize(
    ("name", "shift", "margin", "radius"),
    [
        ("L5", 0, F(12321, 138785), F(5923281, 160000)),
        ("L5", 1, F(12321, 169825), F(4316081, 160000)),
        ("L4", 0, F(67081, 904641), F(5923281, 160000)),
        ("L4", 1, F(67081, 1121441), F(4316081, 160000)),
        ("Q6", 0, F(1, 66), 21),
        ("Q6", 1, F(1, 74), 14),
    ],
)
def test_margins_and_radii(name, shift, margin, radius):
    Z = SETS[name].patterns(shift)
    assert (max_margin(Z).exact().squared, bounds.ctu.eq9(Z)) == (margin, radius)
    assert bound(SETS[name].x, SETS[name].y, shift) == radius / margin


@pytest.mark.parametrize(("name", "faster", "slower"), [("L5", 95, 2), ("L4", 3, 21), ("A5", 38, 76)])
def test_orders_that_get_faster_and_slower(name, faster, slower):
    plain, shifted = (all_orders(folded(SETS[name].x, SETS[name].y, s))[0] for s in (0, 1))
    assert ((shifted < plain).sum(), (shifted > plain).sum()) == (faster, slower)


def test_orders_of_l5_that_end_at_the_print():
    updates, w, scale = all_orders(SETS["L5"].patterns())
    assert sum(t == 9 and tuple(v) == tuple(scale * u for u in PRINTED) for t, v in zip(updates, w, strict=True)) == 25
    assert (updates.mean(), all_orders(SETS["L5"].patterns(0))[0].mean()) == (11.175, 13.5)


def test_rounding_lets_the_quarters_back_in():
    assert (f"{3.125:.2f}", f"{3 - 3.125:.2f}") == ("3.12", "-0.12")


@given(st.lists(st.tuples(st.integers(-99, 99), st.sampled_from([-1, 1])), min_size=1, max_size=15))
def test_the_parity_behind_the_theorem(terms):
    first, second, labels = (sum(y * k**e for k, y in terms) for e in (1, 2, 0))
    assert (first - second) % 2 == 0
    assert (labels - len(terms)) % 2 == 0


@given(st.integers(1, 60), st.integers(1, 60))
def test_lattices_that_are_allowed_satisfy_all_conditions_of_the_proof(p, q):
    g = F(p, q)
    n, square = F(3, 2) / g, F(153, 25) / g**2
    possible = n.denominator == 1 and square.denominator == 1 and (n - square) % 2 == 0
    assert on_lattice(g) == possible


@pytest.mark.parametrize("spacing", ["1/10", "1/5", "1/4", "1/2", "3/10", "1/50"])
def test_no_set_on_an_excluded_lattice(spacing):
    assert not on_lattice(spacing)
    assert sum(search(n, 9, spacing=spacing).candidates for n in range(1, 5)) == 0


@pytest.mark.parametrize("name", SETS)
def test_the_closed_form_of_the_shift(name):
    x, y = SETS[name].x, SETS[name].y
    form = shear(x, y)
    for s in (F(i, 3) for i in range(-1, 10)):
        assert form.bound(s) == bound(x, y, s)
    widest = [form.inverse_margin(form.widest + d) for d in (F(-1, 9), 0, F(1, 9))]
    assert min(widest) == widest[1]


@given(
    st.sets(st.integers(-12, 12), min_size=4, max_size=6), st.integers(-6, 10), st.integers(0, 5), st.integers(-8, 8)
)
@settings(max_examples=60, deadline=None)
def test_the_shear_bounds_the_margin_at_every_shift(x, low, width, s):
    x = sorted(x)
    y = [-1 if low <= v <= low + width else 1 for v in x]
    if len(set(y)) == 1 or len(max_margin(folded(x, y, 1)).exact().support) != 3:
        return
    form, best = shear(x, y), max_margin(folded(x, y, s)).exact()
    assert form.inverse_margin(s) >= 1 / best.squared
    assert form.radius(s) == bounds.ctu.eq9(folded(x, y, s))
    if set(best.support) == set(max_margin(folded(x, y, 1)).exact().support):
        assert form.inverse_margin(s) == 1 / best.squared


def test_the_best_shift_of_l5_is_nearly_one():
    form = shear(SETS["L5"].x, SETS["L5"].y)
    assert form.v == (F(17, 111), F(-112, 37), F(160, 111))
    assert form.widest == F(-17, 160)
    shifts = [F(i, 1000) for i in range(3001)]
    assert min(shifts, key=form.bound) == F(1012, 1000)


@given(st.fractions(min_value=F(1, 20), max_value=20, max_denominator=50))
def test_the_hermite_fact(s):
    square = s + 1 / s  # the only a² that makes the middle pattern orthogonal to the outer ones
    assert 1 - s * (square - s) == 0
    outer = 1 - square + (square - s) ** 2
    assert outer == (1 - s) * (1 + s * s) / s**2
    assert (outer == 0) == (s == 1)


def test_orthogonal_patterns_take_one_correction_each_in_every_order():
    assert set(all_orders([[2, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 2]])[0]) == {3}


@given(separable_patterns(most=4, dimensions=(1, 3), size=3), st.sampled_from(["cyclic", "restart"]))
@settings(max_examples=60, deadline=None)
def test_races_are_perceptrons(case, order):
    for unit in (1, 3):
        Z = case[0] * F(1, unit)
        updates, w, scale = all_orders(Z, order=order)
        assert unit % scale == 0
        for permutation, T, end in zip(permutations(range(len(Z))), updates, w, strict=True):
            run = perceptron(Z[list(permutation)], order=order)
            assert (run.updates, (run.w * scale).tolist()) == (T, end.tolist())


def runs(k, y, T):
    """The ends of all runs of T mistakes on these points that use every one of them, by plain recursion."""
    rows = [(v, v * x, v * (x * x - 1)) for x, v in zip(k, y, strict=True)]

    @cache
    def ends(counts):
        w = [sum(c * row[i] for c, row in zip(counts, rows, strict=True)) for i in range(3)]
        if sum(counts) == T:
            return frozenset([tuple(w)]) if all(counts) else frozenset()
        wrong = [j for j, row in enumerate(rows) if sum(a * b for a, b in zip(w, row, strict=True)) <= 0]
        return frozenset().union(*(ends((*counts[:j], counts[j] + 1, *counts[j + 1 :])) for j in wrong))

    return ends((0,) * len(k))


@pytest.mark.parametrize(("n", "T"), [(2, 4), (3, 5), (3, 6), (4, 7)])
def test_the_search_finds_exactly_the_sets_that_plain_recursion_finds(n, T):
    expected = {}
    for k in combinations(range(-2, 4), n):
        for y in product([-1, 1], repeat=n):
            for w in runs(k, y, T):
                if all(v * (w[0] + w[1] * x + w[2] * (x * x - 1)) > 0 for x, v in zip(k, y, strict=True)):
                    expected.setdefault(w, set()).add((k, y))
    assert expected
    for target, sets in expected.items():
        found = search(n, T, spacing=1, limit=3, target=target)
        got = {(tuple(k), tuple(y)) for k, y in zip(found.k.tolist(), found.y.tolist(), strict=True) if min(k) > -3}
        assert got == sets


def test_the_census_of_small_sets():
    assert [len(search(n)) for n in (1, 2, 3, 4, 5)] == [0, 0, 0, 6, 87]
    assert [len(search(4, T, limit=3)) for T in (5, 7, 9, 11)] == [4, 0, 6, 5]
    assert len(search(4, 8, limit=3)) == 0


def test_the_limit_misses_nothing():
    inside, wider = search(4), search(4, limit=4)
    assert (inside.k == wider.k).all()


def test_found_sets_satisfy_the_sums_and_are_separated_by_the_print():
    found = search(5)
    for i in range(len(found)):
        x, y = found.points(i)
        Z = folded(x, y, 1)
        assert tuple(found.counts[i].astype(object) @ Z) == PRINTED
        assert (Z @ np.array(PRINTED) > 0).all()
        assert separability(Z).separable


def test_l4_l5_and_a5_are_among_them():
    for n, names in ((4, ["L4"]), (5, ["L5", "A5"])):
        found = search(n)
        points = [found.points(i)[0] for i in range(len(found))]
        assert all(SETS[name].x in points for name in names)


def test_the_stored_census_is_what_the_code_makes():
    stored, counts = read_csv(CENSUS), {row["points"]: row["sets"] for row in read_csv(COUNTS)}
    fresh = census(search(4))
    assert [row for row in stored if len(row["labels"]) == 4] == fresh
    assert counts == {1: 0, 2: 0, 3: 0, 4: 6, 5: 87, 6: 1062, 7: 5438, 8: 12749, 9: 9614}
    quarters = {(b, m): 0 for b in (True, False) for m in (True, False)}
    for row in stored:
        quarters[row["bound1"] < row["bound0"], row["mean1"] < row["mean0"]] += 1
    assert quarters == {(True, True): 95, (True, False): 438, (False, True): 53, (False, False): 225}


@pytest.mark.parametrize("row", [read_csv(CENSUS)[i] for i in (70, 300, 500, 800)], ids=lambda row: row["points"])
def test_stored_rows_of_six_points_are_what_the_code_makes(row):
    x, y = [F(v) for v in row["points"].split()], [1 if c == "+" else -1 for c in row["labels"]]
    k, labels = np.array([[int(20 * v) for v in x]]), np.array([y])
    assert census(Found(k, labels, 0 * k, F(1, 20), 1)) == [row]


def test_progress_is_told():
    lines = []
    search(4, watch=lines.append)
    assert any("26 sets fit the sums, 6 have a run" in text for text in lines)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="expected at least one point"):
        search(5, 4)
    with pytest.raises(ValueError, match="expected a limit"):
        search(2, 3, target=(3, 0, 0))
    with pytest.raises(ValueError, match="expected one of cyclic, restart"):
        all_orders([[1]], order="worst")
    with pytest.raises(ValueError, match="too large"):
        all_orders([[2**40]])
    with pytest.raises(ValueError, match="expected three"):
        shear([-1, 1], [1, -1])
    with pytest.raises(ValueError, match="expected separable patterns"):
        all_orders([[1], [-1]])
    with pytest.raises(ValueError, match="expected smaller integers"):
        all_orders([[0.5]])
    with pytest.raises(ValueError, match="expected a coarser lattice"):
        search(1, 9, spacing="1/1000000")
