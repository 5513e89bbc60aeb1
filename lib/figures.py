"""The house style, and one way to save a picture: PNG, its numbers as CSV, and a text for those who cannot see it.

Importing this module sets matplotlib's style. Colours are Okabe and Ito's, which colour-blind readers tell
apart; every series also differs by its marker or its dashes.
"""

import csv
import io
import json
import os
from base64 import b64decode, b64encode
from html import escape

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cycler
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from PIL import Image

from lib.files import ROOT, display
from lib.files import store as store_file

PALETTE = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#000000"]
BLUE, ORANGE, GREEN, RED, SKY, PINK, YELLOW, BLACK = PALETTE
VERDICT_COLOURS = {
    "holds": GREEN,
    "imprecise": SKY,
    "corrected": ORANGE,
    "false": RED,
    "consistent": PINK,
    "untestable": "#999999",
}

DPI, SCREEN = 160, 100
"""Pixels per inch, drawn and as a page shows them: sharp on screens of today, and not larger."""

mpl.rcParams.update(
    {
        "figure.figsize": (7.0, 3.6),
        "figure.dpi": DPI,
        "figure.constrained_layout.use": True,
        "axes.prop_cycle": cycler(color=PALETTE[:6]) + cycler(linestyle=["-", "--", "-.", ":", "-", "--"]),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 11,
        "axes.titlelocation": "left",
        "axes.labelsize": 10,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#e5e5e5",
        "grid.linewidth": 0.7,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "lines.linewidth": 1.6,
        "lines.markersize": 5,
        "font.size": 10,
    }
)


def save(fig, name, *, alt):
    """Store a figure as `store` does and show it in the notebook."""
    png = store(fig, name, alt=alt)
    display(alt, {"image/png": png}, **{"image/png": {"alt": alt, "width": _width(png)}})


def store(fig, name, *, alt):
    """Render a figure, store it as PNG and CSV where it is wanted, close it, and return the PNG's bytes.

    The same numbers give the same bytes: no dates, no random identifiers. The files go to the folder that the
    environment variable MARGIN_FIGURES names, which `run` and the tests set. Without it nothing is stored: somebody
    who reruns a notebook with other parameters sees the picture, and the committed one stays.
    """
    if not alt.strip():
        raise ValueError(f"figure {name} has no alternative text; expected a sentence of what there is to see")
    png = _rendered(fig)
    if wanted := os.environ.get("MARGIN_FIGURES"):
        folder = ROOT / wanted
        store_file(folder / f"{name}.png", png)
        store_file(folder / f"{name}.csv", _table(fig))
    plt.close(fig)
    return png


def _width(png):
    """How wide a page shows the picture."""
    return round(Image.open(io.BytesIO(png)).width * SCREEN / DPI)


SLIDES = """<div class="mn-slides" id="{name}">
<input class="mn-slider" type="range" min="0" max="{last}" value="{first}" style="width: 24em; max-width: 80%"
 aria-label="{what}"> <output>{caption}</output><br><img src="{source}" alt="{alt}" width="{width}">
<br><small>One still of {number}. To move the slider, trust this notebook or run this cell.</small>
<script>(() => {{
const box = document.getElementById("{name}"), image = box.querySelector("img");
const frames = {frames}, captions = {captions};
frames[{first}] = image.src;
box.querySelector("small").remove();
box.querySelector("input").addEventListener("input", event => {{
image.src = frames[event.target.value];
box.querySelector("output").textContent = captions[event.target.value];
}});
}})()</script></div>"""
COLOURS = 64
"""Colours per frame of the slides: a third of the bytes, and no difference to the eye."""


def slides(draw, values, name, *, what, alt, first=None):
    """Show one picture for each value behind a slider, without a kernel and without a network.

    The frames are drawn beforehand, their axes where the first frame has them, so that nothing jumps. Where
    scripts do not run, the first frame stands as a still; it is also stored as the figure `name`, with its numbers.

    Parameters
    ----------
    draw : callable
        Takes one of the values and returns a figure; all of one size.
    what : str
        What the slider moves, for its caption.
    first : int, optional
        The frame to begin with; the last by default.
    """
    first = len(values) - 1 if first is None else first
    still = draw(values[first])
    store(still, name, alt=alt)
    places = [axes.get_position(original=True) for axes in still.axes]
    with mpl.rc_context({"figure.constrained_layout.use": False, "axes.titley": 1.0}):
        frames = [_frame(draw(value), places) for value in values]
    captions = [f"{what} = {value}" for value in values]
    html = SLIDES.format(
        name=f"mn-{name}",
        first=first,
        last=len(values) - 1,
        what=escape(what),
        alt=escape(alt),
        caption=escape(captions[first]),
        source=frames[first],
        width=_width(b64decode(frames[first].partition(",")[2])),
        number=len(values),
        frames=json.dumps([frame if k != first else None for k, frame in enumerate(frames)]),
        captions=json.dumps(captions),
    )
    display(alt, {"text/html": html})


def _frame(fig, places):
    """The figure with its axes at these places, in few colours, as an address that carries its own data; closes it."""
    for axes, place in zip(fig.axes, places, strict=True):
        axes.set_position(place)
    canvas, small = FigureCanvasAgg(fig), io.BytesIO()
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
    picture.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(small, "png", optimize=True)
    plt.close(fig)
    return f"data:image/png;base64,{b64encode(small.getvalue()).decode()}"


def _rendered(fig):
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", metadata={"Software": None}, bbox_inches="tight")
    return buffer.getvalue()


def _table(fig):
    """The plotted numbers: axes, artist, label, x, y, rounded to six digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["axes", "artist", "label", "x", "y"])
    for k, axes in enumerate(fig.axes):
        for kind, label, xy in _artists(axes):
            writer.writerows([k, kind, label, *(f"{v:.6g}" for v in row)] for row in xy)
    return out.getvalue()


def _artists(axes):
    """What is drawn, as kind, label and an array of pairs: every number, text and limit that a reader sees."""
    yield "limits", "", np.column_stack([axes.get_xlim(), axes.get_ylim()])
    for text in (axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label, *axes.texts):
        if words := " ".join(text.get_text().split()):
            place = getattr(text, "xy", text.get_position()) if text in axes.texts else (0, 0)  # a label's is in pixels
            yield "text", words, np.array([place], dtype=float)
    for line in axes.lines:
        yield "line", line.get_label(), np.asarray(line.get_xydata(), dtype=float)
    for group in axes.collections:
        yield from _collection(group)
    for patch in axes.patches:
        corners = patch.get_path().vertices
        yield "patch", patch.get_label(), np.asarray(patch.get_patch_transform().transform(corners), dtype=float)
    for image in axes.images:
        yield "image", image.get_label(), _numbered(image.get_array())


def _collection(group):
    """Points by their places, areas, contours and segments by their corners; colours that stand for numbers."""
    kind = "points" if isinstance(group, PathCollection) else "area"
    if kind == "points":
        yield kind, group.get_label(), np.ma.filled(group.get_offsets().astype(float), np.nan)
    for path in group.get_paths() if kind == "area" else ():
        yield kind, group.get_label(), np.asarray(path.vertices, dtype=float)
    if group.get_array() is not None:
        yield "colours", group.get_label(), _numbered(group.get_array())


def _numbered(values):
    values = np.ma.filled(np.asarray(values, dtype=float), np.nan).reshape(-1)
    return np.column_stack([np.arange(values.size), values])
