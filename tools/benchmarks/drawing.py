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
    fig, ax = plt.subplots(figsize=(8, 0.27 * len(problems) + 1.2))
    for k, peer in enumerate(peers):
        mine = [row for row in rows if row.peer == peer]
        y = [problems.index((row.what, row.size)) for row in mine]
        style = {"color": PALETTE[k % 6], "marker": MARKERS[k % len(MARKERS)], "linestyle": "none"}
        ax.plot([row.ratio for row in mine], y, label=peer, **style)
    ax.axvline(1, color="black", linewidth=0.9)
    ax.set(xscale="log", xlabel="times as fast as the peer (CPU seconds of the peer / ours)")
    ax.set_yticks(range(len(problems)), [f"{what}, {size}" for what, size in problems], fontsize=8)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.invert_yaxis()
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    fig.savefig(path, dpi=160)
    plt.close(fig)
