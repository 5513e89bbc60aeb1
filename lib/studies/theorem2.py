"""Section 4 of Collobert and Bengio's report: exact runs of the margin perceptron, and data that cost it its margin."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from lib.bounds import collobert as bounds
from lib.bounds import ours
from lib.margins.max_margin import max_margin
from lib.numbers.comparisons import at_most, below, equal, joined
from lib.patterns import fold
from lib.perceptrons.margin_perceptron import margin_perceptron
from lib.perceptrons.perceptron import perceptron


def algorithm1(X, y, rate):
    """The report's Algorithm 1 as it is printed, in fractions, until an epoch makes no update: w, b and the picks."""
    w, b, picks, clean = [0] * X.shape[1], 0, [], False
    while not clean:
        clean = True
        for k, (x, sign) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
            if sign * (sum(p * q for p, q in zip(w, x, strict=True)) + b) <= 1:
                w = [p + rate * sign * q for p, q in zip(w, x, strict=True)]
                b, clean = b + rate * sign, False
                picks.append(k)
    return w, b, picks


def on_inner_products(K, y, rate):
    """Algorithm 1 on the inner products K: ‖w‖² and the number of updates."""
    signed, b, updates, clean = 0 * rate * y, 0, 0, False
    while not clean:
        before = updates
        for k in range(len(y)):
            if y[k] * (K[k] @ signed + b) <= 1:
                signed[k], b, updates = signed[k] + rate * y[k], b + rate * y[k], updates + 1
        clean = updates == before
    return signed @ K @ signed, updates


def one_side(rng):
    """One to six integer patterns of one to three columns on one side of a random plane through the origin."""
    while True:
        Z = rng.integers(-3, 4, (int(rng.integers(1, 7)), int(rng.integers(1, 4))))
        side = np.where(Z @ rng.normal(size=Z.shape[1]) > 0, 1, -1)
        Z = (Z * side[:, None])[(Z != 0).any(axis=1)]
        if len(Z):
            return Z


def two_sides(rng):
    """Two to six rational points of both classes on the two sides of a random plane, folded with the constant 1."""
    while True:
        X = rng.integers(-3, 4, (int(rng.integers(2, 7)), int(rng.integers(1, 4))))
        y = np.where(X @ rng.normal(size=X.shape[1]) + rng.normal() > 0, 1, -1)
        if abs(y.sum()) < len(y):
            return fold(X * Fraction(1, int(rng.integers(1, 7))), y)


def without_bias(rng, count, rates):
    """Exact runs without bias, `lines` of each: one point, three orthogonal ones, and random sets at these rates."""
    runs = [lines(np.array([[1]]), Fraction(2)), lines(np.eye(3, dtype=int), Fraction(60))]
    while len(runs) < count:
        Z, rate = one_side(rng), rates[len(runs) % len(rates)]
        best = max_margin(Z).exact()
        if best.squared and bounds.eq26(rate, max((Z * Z).sum(axis=1)), 1 / best.squared) < 1000:
            runs.append(lines(Z, rate))
    return runs


def lines(Z, rate):
    """One exact run without bias, and the lines (22)-(27) along it as comparisons, by equation number.

    A prime marks a line as meant, an asterisk one that is broken on purpose. Lengths are compared as squares.
    """
    best = max_margin(Z).exact()
    run, R2, u2 = margin_perceptron(Z, rate, bias=False), max((Z * Z).sum(axis=1)), 1 / best.squared
    u, W, t = np.array(best.w) / best.squared, run.trajectory(), np.arange(1, run.updates + 1).astype(object)
    square, along, low = (W * W).sum(axis=1), W @ u, min(Z @ run.w)
    w2, support = square[-1], len(set(perceptron(Z).picks.tolist()))
    chain = [at_most(t * rate, along[1:]), at_most(along[1:] ** 2, u2 * square[1:])]
    step = at_most(square[1:], square[:-1] + 2 * rate + rate**2 * R2)
    sides = {
        "22": equal([min(Z @ u), u @ u], [1, u2]),
        "23": joined([at_most(along[:-1] + rate, along[1:]), at_most(t * rate, along[1:])]),
        "23*": at_most(along[:-1] + rate * Fraction(11, 10), along[1:]),
        "24": joined([step, at_most(square[1:], bounds.eq24(t, rate, R2))]),
        "25": joined([*chain, at_most(u2 * square[1:], u2 * t * (2 / rate + R2))]),
        "25'": joined([*chain, at_most(u2 * square[1:], u2 * bounds.eq24(t, rate, R2))]),
        "26": at_most([run.updates], [bounds.eq26(rate, R2, u2)]),
        "27": at_most([w2], [bounds.eq27(rate, R2, u2)]),
        "margin": equal([low], [1]),
        "margin'": below([1], [low]),
        "certificate": at_most([(rate * run.updates) ** 2, w2], [u2 * w2, rate * run.updates * (2 + rate * R2)]),
        "sparse": at_most([support], [R2 * u2]),
    }
    return SimpleNamespace(Z=Z, rate=rate, run=run, u=u, u2=u2, R2=R2, stopped=run.converged, sides=sides)


def with_bias(Z, rate, plane=None):
    """One exact run with bias: what Theorem 2 and its proof speak of."""
    plane = plane or bounds.free_margin(Z)
    run, u2 = margin_perceptron(Z, rate), plane.length_squared
    found = SimpleNamespace(Z=Z, rate=rate, run=run, plane=plane, u2=u2, t=run.updates, stopped=run.converged)
    found.R2 = max((Z[:, :-1] ** 2).sum(axis=1))
    found.w2, found.b2 = bounds.weight_squared(run.w), run.w[-1] ** 2
    found.rho, found.own = ((u2 / found.w2) ** 0.5 * low for low in (1, float(min(Z @ run.w))))
    return found


def on_a_line(points, labels, rate):
    """`with_bias` of points on a line; `rho` and `own`, as shares of the largest margin, are exact."""
    found = with_bias(fold(np.array([[Fraction(x)] for x in points], dtype=object), labels), rate)
    found.rho = abs(found.plane.u[0] / found.run.w[0])
    found.own = found.rho * min(found.Z @ found.run.w)
    return found


def half(K):
    """Rows (1, cot θ_i), each repeated until its score exceeds 1, and the rate λ = 1/(1000 R²)."""
    rows = np.column_stack([np.ones(K), 1 / np.tan(np.arange(1, K + 1) * np.pi / (K + 1))])
    square = (rows * rows).sum(axis=1)
    rate, w, copies = 1e-3 / square.max(), np.zeros(2), []
    for z, s in zip(rows, square, strict=True):
        copies.append(max(0, int((1 - z @ w) / (rate * s)) + 1))
        w = w + copies[-1] * rate * z
    return np.repeat(rows, copies, axis=0), rate


def half_limit(K):
    """The share that is left as λ → 0."""
    c = np.cos(np.pi / (K + 1))
    return 1 / np.sqrt(1 + 2 * c ** (K + 1) + c ** (2 * K))


def off_centre(nu, a, rate):
    """Patterns ((1 ∓ a)/ν, c, ±1), c such that each meets a score of one, as far as |c| ≤ 10."""
    work = nu * (nu + np.hypot(nu, a)) + a * a
    w, rows, balance = np.zeros(3), [], 0.0
    for _ in range(int(work / rate)):
        sign = 1.0 if balance <= 0 else -1.0
        balance += sign - a / work  # the signs are mixed so that b goes to a
        z = np.array([(1 - sign * a) / nu, 0.0, sign])
        z[1] = min(max((1 - 1e-9 - z @ w) / w[1], -10), 10) if w[1] else 10
        if z @ w <= 1 - 1e-10:
            w = w + rate * z
            rows.append(z)
    return np.array(rows)


def small_sets(rng, count):
    """Sets of `one_side` with their largest margins, whose runs at rate 1 are short."""
    found = []
    while len(found) < count:
        Z = one_side(rng)
        best = max_margin(Z).exact()
        if best.squared and bounds.eq26(1, max((Z * Z).sum(axis=1)), 1 / best.squared) < 1000:
            found.append((Z, best))
    return found


def near_best(run, rate, u):
    """‖w − u‖² beside what `ours.worst_first` allows a run that corrects the worst first."""
    Z, square = np.asarray(run.patterns, dtype=float), (run.trajectory().astype(float) ** 2).sum(axis=1)
    u = np.array(u, dtype=float)
    first = int(np.flatnonzero(square >= (u @ u) * (1 - 1e-12))[0])
    limit = ours.worst_first(run.updates, first, rate, (Z * Z).sum(axis=1).max(), u @ u)
    away = run.w.astype(float) - u
    return at_most([away @ away], [limit], rtol=1e-9)


def bias_chain(Z, plane):
    """|a|, ½|u·(x₊ + x₋)|, ½‖u‖(‖x₊‖ + ‖x₋‖) and ‖u‖R of the best plane and its support vectors, as floats."""
    label, score = Z[:, -1], Z @ np.append(plane.u, plane.a)
    X = Z[:, :-1] * label[:, None]
    ends = [X[np.flatnonzero((label == k) & (score == 1))[0]] for k in (1, -1)]
    size = lambda x: float(x @ x) ** 0.5  # noqa: E731
    halved = float(abs(plane.u @ (ends[0] + ends[1]))) / 2
    middle = size(plane.u) * (size(ends[0]) + size(ends[1])) / 2
    return abs(float(plane.a)), halved, middle, size(plane.u) * max(map(size, X))


def kept_promises(points, labels, rates):
    """The plane's own margin and ρ, each over what Theorem 2 promises, for points on a line at these rates."""
    runs = [on_a_line(points, labels, rate) for rate in rates]
    said = np.array([float(bounds.theorem2(one.rate, one.R2, 1)) ** -0.5 for one in runs])
    return [np.array(share, dtype=float) / said for share in zip(*((one.own, one.rho) for one in runs), strict=True)]


def ladder(Z, rates):
    """Exact runs with bias at these rates, in increasing order, and the shares of the largest margin.

    Returns the rates, the runs (`with_bias`), ρ, the plane's own margin, and what Theorem 2 promises as printed and as
    corrected, arrays over the rates, and the best plane.
    """
    rates, plane = sorted(rates), bounds.free_margin(Z)
    runs = [with_bias(Z, rate, plane) for rate in rates]
    found = SimpleNamespace(rates=rates, runs=runs, plane=plane, x=np.array(rates, dtype=float), R2=runs[0].R2)
    found.rho, found.own = np.array([(one.rho, one.own) for one in runs]).T
    found.printed = np.array([float(bounds.theorem2(rate, found.R2, 1)) ** -0.5 for rate in rates])
    offset = abs(float(plane.a)) / float(plane.length_squared) ** 0.5
    found.corrected = bounds.theorem2_share(found.x, float(found.R2) ** 0.5, offset)
    return found


def strips(ax, one):
    """Draw a run in the plane: the line f = 0, f = ±1, the widest strip free of points, and the best line."""
    best, w, low = [*one.plane.u, one.plane.a], one.run.w, min(one.Z @ one.run.w)
    x = np.array([-1.0, 1.0])
    for v, level, style, colour, name in (
        *((w, 0, "-", "C0", "$f=0$"), (w, 1, ":", "C0", "$f=±1$")),
        *((w, low, "-", "C2", "free strip"), (best, 0, "-.", "#777777", "best line")),
    ):
        ends = [(float(side * level - v[2]) - float(v[0]) * x) / float(v[1]) for side in (-1, 1)]
        ax.plot(x, ends[1], color=colour, linestyle=style, linewidth=1.2, label=name)
        if level:
            ax.plot(x, ends[0], color=colour, linestyle=style, linewidth=1.2)
            ax.fill_between(x, *ends, color=colour, alpha=0.15, linewidth=0)
    for side, mark, colour in ((1, "o", "C3"), (-1, "s", "black")):
        ax.plot(*(one.Z[one.Z[:, 2] == side, :2] * side).T.astype(float), mark, color=colour)
    ax.set(xlim=(-0.45, 0.45), ylim=(-0.4, 0.4), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    ax.set_title(f"$λ$ = {one.rate}, {one.t} updates")
    ax.legend(fontsize=8, loc="lower left", frameon=True, edgecolor="none", framealpha=0.9, handlelength=1.6)


def shares(ax, steps, k):
    """Draw all margins and both bounds of a `ladder` against the rate, with rings at the rate number k."""
    ax.plot(steps.x, steps.own, "x", color="C2", markersize=3, label="the plane's own margin")
    ax.plot(steps.x, steps.rho, ".", color="C0", markersize=3, label="$ρ/ρ_{max}$")
    ax.plot(steps.x, steps.printed, "--", color="C3", label="Theorem 2, printed")
    ax.plot(steps.x, steps.corrected, "-", color="C1", label="corrected")
    ax.plot([steps.x[k]] * 2, [steps.rho[k], steps.own[k]], "o", color="black", fillstyle="none", markersize=9)
    ax.set(xscale="log", ylim=(0, 1.35), yticks=np.linspace(0, 1, 6), xlabel="rate $λ$")
    ax.set_title("share of the largest margin")
    ax.set_xticks([0.1, 1, 10], ["0.1", "1", "10"])
    ax.minorticks_off()
    ax.legend(fontsize=7, ncol=2, loc="upper center", handlelength=1.6, columnspacing=1)
