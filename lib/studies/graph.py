"""What the scoreboard draws: the claims of each document in a row, and an arc from each to what it is derived from."""

import numpy as np

from lib.claims.entries import documents
from lib.claims.proofs import MACHINE
from lib.figures import BLACK, VERDICT_COLOURS, plt


def arcs(rows):
    """A figure: a dot a claim, coloured by verdict, ringed if a machine has checked it; arcs join claims and uses.

    Parameters
    ----------
    rows : list of dict
        Those of `scoreboard`, in the order of the documents.

    Returns
    -------
    Figure
    """
    keys = [key for key in documents() if any(row["document"] == key for row in rows)]
    fig, axes = plt.subplots(len(keys), figsize=(9, 1.05 * len(keys)), sharex=True)
    for key, ax in zip(keys, np.atleast_1d(axes), strict=True):
        own = [row for row in rows if row["document"] == key]
        at = {row["id"]: x for x, row in enumerate(own)}
        for row in own:
            for used in row["uses"]:
                if used in at:
                    _arc(ax, at[used], at[row["id"]], VERDICT_COLOURS[row["verdict"]])
        _dots(ax, own)
        ax.set(ylim=(-3, 22), yticks=[], ylabel=documents()[key].name)
        ax.yaxis.label.set(rotation=0, ha="right", va="center")
        ax.grid(False)
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.tick_params(bottom=False)
    ax.set_xlabel("claims, in the order of the text")
    marks = [plt.Line2D([], [], marker="o", linestyle="", color=c, label=v) for v, c in VERDICT_COLOURS.items()]
    ring = plt.Line2D([], [], marker="o", linestyle="", color="white", markeredgecolor=BLACK, label="machine proof")
    arc = plt.Line2D([], [], color=BLACK, linewidth=0.8, label="arc: derived from")
    fig.legend(handles=[*marks, ring, arc], ncols=8, loc="outside upper center", fontsize=8, handletextpad=0)
    return fig


def _dots(ax, rows):
    x, colours = np.arange(len(rows)), [VERDICT_COLOURS[row["verdict"]] for row in rows]
    rings = [BLACK if row["evidence"] == MACHINE else "none" for row in rows]
    sizes = [6 if row["verdict"] == "holds" else 18 for row in rows]  # what holds steps back
    ax.scatter(x, 0 * x, s=sizes, c=colours, edgecolors=rings, linewidths=0.8, zorder=3)


def _arc(ax, a, b, colour):
    """Half an ellipse over two claims; the farther they are apart, the higher, within the row."""
    turn = np.linspace(0, np.pi, 25)
    height = 20 * np.tanh(abs(b - a) / 25)
    ax.plot((a + b) / 2 + (b - a) / 2 * np.cos(turn), height * np.sin(turn), "-", color=colour, linewidth=0.8)
