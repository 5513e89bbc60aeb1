"""The table of ratios as a picture: a line a problem, a dot a peer."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from lib.figures import PALETTE

MARKERS = "osD^vP*Xd<"


def draw(rows, path):
    """Store a PNG: how many times faster than each peer, on a logarithmic axis; the line is at one."""
    rows = [row for row in rows if row.theirs == row.theirs]
    problems = list(dict.fromkeys((row.what, row.size) for row in rows))
    peers = list(dict.fromkeys(row.peer for row in rows))
    fig, ax = plt.subplots(figsize=(9, 0.22 * len(problems) + 1.6))
    for k, peer in enumerate(peers):
        mine = [row for row in rows if row.peer == peer]
        y = [problems.index((row.what, row.size)) for row in mine]
        style = {"color": PALETTE[k % 6], "marker": MARKERS[k % len(MARKERS)], "linestyle": "none", "markersize": 7}
        ax.plot([row.ratio for row in mine], y, label=peer, **style)
    for i in range(1, len(problems)):
        if problems[i][0] != problems[i - 1][0]:
            ax.axhline(i - 0.5, color="#999999", linewidth=0.6)
    ax.axvspan(0.3, 1, color="#eeeeee", zorder=0)
    ax.text(0.95, -0.7, "peer faster", ha="right", va="bottom", fontsize=8)
    ax.text(1.05, -0.7, "ours faster", ha="left", va="bottom", fontsize=8)
    ax.set(xscale="log", xlim=(0.3, None), ylim=(len(problems) - 0.4, -0.7))
    ax.set_xlabel("times as fast as the peer: CPU seconds of the peer / ours")
    ax.set_yticks(range(len(problems)), [f"{what}, {size}" for what, size in problems], fontsize=8)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    fig.legend(loc="outside upper center", ncols=4)
    fig.savefig(path, dpi=160)
    plt.close(fig)
