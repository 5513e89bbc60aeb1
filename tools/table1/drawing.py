"""The pictures of Table 1."""

import numpy as np

from lib.figures import BLACK, BLUE, GREEN, ORANGE, plt
from lib.studies import rivals

NAMES = {"simple": "Simple MLP", "standard": "standard MLP", "svm": "Gaussian SVM"}
COLOURS = {"simple": BLUE, "standard": ORANGE, "svm": GREEN}
TITLES = {"forest": "Forest", "connect4": "Connect-4"}
TESTED = {"forest": 50_000, "connect4": 10_000}


def published():
    """The printed errors with the 99 % intervals of the counts that they are."""
    fig, axes = plt.subplots(1, 2, figsize=(8, 2.6), sharey=True)
    for ax, (name, errors) in zip(axes, rivals.PUBLISHED.items(), strict=True):
        for level, (method, error) in enumerate(errors.items()):
            half = 2.576 * rivals.binomial_deviation(error, TESTED[name])
            ax.errorbar(error, -level, xerr=half, fmt="o", color=COLOURS[method], capsize=3)
        ax.set(title=f"{TITLES[name]}, {TESTED[name]:,} test examples", xlabel="test error, %", xlim=(7.5, 13))
    axes[0].set(yticks=[0, -1, -2], yticklabels=NAMES.values(), ylim=(-2.6, 0.6))
    return fig


def shares(runs):
    """The share of corrections that the Simple MLP makes, over the passes, a line a run."""
    fig, ax = plt.subplots(figsize=(6.5, 3))
    for run in runs:
        share = 100 * rivals.shares(run)
        ax.plot(np.arange(1, len(share) + 1), share, "-", color=BLUE, alpha=0.6)
    ax.axhline(100, color=ORANGE, linestyle="--")
    ax.text(1, 97, "standard MLP: every unit, every example", color=ORANGE, va="top")
    ax.text(len(share) / 30 + 1, share[1] + 4, f"Simple MLP, {len(runs)} seeds", color=BLUE)
    ax.set(xlabel="pass", ylabel="corrections made, % of all", ylim=(0, 104))
    return fig


def dots(summaries):
    """The table, a panel a test set: dots are seeds, means have 99 % intervals, diamonds are published."""
    panels = [(name, found, test) for name, found in summaries.items() for test in found["pairs"]]
    fig, axes = plt.subplots(1, len(panels), figsize=(3 * len(panels) + 1, 3), sharey=True, squeeze=False)
    for ax, (name, found, test) in zip(axes[0], panels, strict=True):
        methods = [method for method in NAMES if method in found["runs"]]
        for level, method in enumerate(methods):
            _errors_of(ax, found, method, test, -level)
            ax.plot(rivals.PUBLISHED[name][method], -level, "D", markerfacecolor="none", color=BLACK)
        title = f"{TITLES[name]}{', fresh' if test == 'fresh' else ''}, {found['sizes'][test]:,} examples"
        ax.set(title=title, xlabel="test error, %")
        ax.margins(x=0.1)
    levels = [-level for level in range(len(methods))]
    axes[0][0].set(yticks=levels, yticklabels=[NAMES[m] for m in methods], ylim=(-len(methods) + 0.3, 0.7))
    axes[0][0].text(rivals.PUBLISHED[panels[0][0]]["simple"], 0.3, "published", ha="center")
    return fig


def _errors_of(ax, found, method, test, level):
    values = rivals.errors(found, method, test)
    mean, half = rivals.over_seeds(values)
    half = half or 2.576 * rivals.binomial_deviation(mean, found["sizes"][test])
    ax.errorbar(mean, level, xerr=half, fmt="|", color=COLOURS[method], capsize=3, markersize=9)
    if len(values) > 1:
        ax.plot(values, np.full(len(values), level - 0.15), ".", color=COLOURS[method], alpha=0.7)


def growing(found):
    """The SVM's seconds over the rows, the power that fits them, the Simple MLP's line, and the published factor."""
    fig, ax = plt.subplots(figsize=(6.5, 3.4))
    rows, spent = np.array([point[:2] for point in found["growth"]], float).T
    power, constant = rivals.growth(found)
    reach = np.geomspace(rows[0], 2 * rows[-1], 50)
    ax.loglog(rows, spent, "o", color=GREEN)
    each = rivals.seconds(found, "simple").mean() / found["sizes"]["train"]
    said = rivals.FACTORS[found["dataset"]]["svm"]
    lines = {
        f"Gaussian SVM,\nas rows to the {power:.2f}": (constant * reach**power, "--", GREEN),
        "Simple MLP": (each * reach, "-", BLUE),
        f"{said} times the Simple\nMLP, as published": (said * each * reach, ":", BLACK),
    }
    for label, (line, style, colour) in lines.items():
        ax.loglog(reach, line, style, color=colour)
        ax.text(1.1 * reach[-1], line[-1], label, color=colour, va="center")
    ax.set(xlabel="training examples", ylabel="seconds of CPU, per training")
    return fig
