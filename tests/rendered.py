"""What can be measured in a drawn figure; and progressions of every kind to draw."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyBboxPatch

from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import ROOT, Forest
from caprese.plots.canvas.figures import figure_of
from caprese.plots.canvas.palette import PALE
from caprese.plots.progression.plan import Marks, progression_plan

BLOCK = 6  # pixels
TOLERANCE = 0.06  # of the mean of a block, white being 1


def pixels(figure, dpi=40):
    """Return the lightness of each pixel of the drawn figure."""
    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].mean(axis=2) / 255


def difference(one, other):
    """Return the largest difference between two pictures.

    Means of small blocks are compared: letters and lines may be moved by a part of a pixel, but
    nothing may be missing.
    """
    if one.shape != other.shape:
        return np.inf
    return float(np.abs(_blocks(one) - _blocks(other)).max())


def _blocks(picture):
    rows, columns = (side // BLOCK * BLOCK for side in picture.shape)
    cut = picture[:rows, :columns].reshape(rows // BLOCK, BLOCK, columns // BLOCK, BLOCK)
    return cut.mean(axis=(1, 3))


def texts(figure):
    """Return all texts of a figure."""
    return [text for axes in figure.axes for text in axes.texts if text.get_text()]


def boxes(figure, dpi=100):
    """Return the text and the box in pixels of every text, and the box of every frequency bar."""
    figure.set_dpi(dpi)
    FigureCanvasAgg(figure)  # measures letters as they will be drawn
    found = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    bars = [
        ("bar", patch.get_window_extent())
        for axes in figure.axes
        for patch in axes.patches
        if isinstance(patch, FancyBboxPatch) and patch.get_facecolor()[:3] == to_rgb(PALE)
    ]
    return found + bars


def overlapping(figure, dpi=100):
    """Return the pairs of texts and bars that overlap."""
    names, found = zip(*boxes(figure, dpi), strict=True)
    low, high = (np.array([getattr(box, end) for box in found]) for end in ("min", "max"))
    common = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    pairs = np.argwhere(np.triu((common > 0.5).all(axis=2), k=1))
    return [(names[one], names[other]) for one, other in pairs]


def outside(figure, dpi=100):
    """Return the texts and bars that are not within the figure."""
    frame = figure.bbox
    return [
        name
        for name, box in boxes(figure, dpi)
        if box.x0 < 0 or box.y0 < 0 or box.x1 > frame.width or box.y1 > frame.height
    ]


def picture(model, direction="auto", **marks):
    """Return the figure of a model, in the size it needs."""
    return figure_of(progression_plan(model, Marks(**marks), direction))


def support(events, seed=1):
    """Return a random support for each edge between this number of events."""
    return np.random.default_rng(seed).random((events + 2, events))


def three_trees(events=60, name="event {}"):
    rng = np.random.default_rng(7)
    parents = [ROOT] * 3 + [int(rng.integers(0, event)) for event in range(3, events)]
    names = tuple(name.format(event) for event in range(events))
    return Forest(names, parents, np.full(events, 0.8))


def chain(events):
    names = tuple(f"step {event}" for event in range(events))
    return Forest(names, range(-1, events - 1), np.full(events, 0.9))


def star(events):
    names = tuple(f"arm {event}" for event in range(events))
    return Forest(names, [ROOT] * events, np.linspace(0.95, 0.01, events))


SINGLE = Forest(("8q+",), (ROOT,), (0.7,))
SEVERAL_PARENTS = ConjunctiveDag(
    tuple("abcdefghi"),
    ((), (), (0, 1), (0,), (2, 3), (1,), (0, 4, 5), (6,), (1, 6)),
    np.full(9, 0.8),
)
LONG = "deletion of the long arm, chromosome {:03}"  # 40 characters

PROGRESSIONS = {
    "single": SINGLE,
    "chain": chain(5),
    "star": star(6),
    "long chain": chain(60),
    "wide star": star(60),
    "three trees": three_trees(),
    "long names": three_trees(name=LONG),
    "seven long names": three_trees(7, name=LONG),
    "several parents": SEVERAL_PARENTS,
}
