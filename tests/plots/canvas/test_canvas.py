from dataclasses import dataclass

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from matplotlib.transforms import Bbox, TransformedBbox

from caprese.plots.canvas.canvas import Box, Canvas
from caprese.plots.canvas.figures import figure_bytes, figure_of
from caprese.plots.canvas.legend import Entry, Legend, bar_symbol
from caprese.plots.canvas.palette import BLUE, PALE, rgb, shades


@dataclass
class Blank:
    """A picture with nothing in it."""

    extent: tuple[float, float]

    def draw(self, canvas):
        pass


def test_a_new_figure_has_the_size_that_is_given_in_points():
    figure = figure_of(Blank((144.0, 72.0)))
    (axes,) = figure.axes
    assert figure.get_size_inches().tolist() == [2.0, 1.0]
    assert axes.get_position().bounds == (0, 0, 1, 1)


@pytest.mark.parametrize(("width", "scale"), [(144, 0.5), (50, 1.0)])
def test_a_canvas_is_scaled_down_only_if_it_does_not_fit(width, scale):
    axes = Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1))
    assert Canvas.on(axes, width, 50).scale == scale


def test_a_narrow_legend_has_more_lines():
    entry = Entry(bar_symbol, "share of samples")
    wide, narrow = (Legend.of([entry, entry], width) for width in (1000, 10))
    assert (len(wide.lines), len(narrow.lines)) == (1, 2)
    assert wide.height < narrow.height


def test_shades_lie_between_white_and_the_deep_colours():
    found = shades([1.0, 0.0, 0.5, -1.0, np.nan], "#FF0000", BLUE).tolist()
    assert found[:3] == [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.5, 0.5]]
    assert np.array(found[3:]) == pytest.approx(np.array([rgb(BLUE), rgb(PALE)]))


def test_a_label_that_a_user_clips_is_clipped_by_the_canvas():
    drawn = []
    for clipped in (False, True):
        figure = figure_of(Blank((60, 40)))
        (axes,) = figure.axes
        Canvas.on(axes, 60, 40).text((55, 20), "too long a text", 9, align="left")
        axes.texts[0].set_clip_on(clipped)
        drawn.append(figure_bytes(figure, "svg").count(b"clip-path="))
    assert drawn == [0, 1]


def test_an_artist_keeps_its_clip_box_when_it_is_added():
    axes = Figure().subplots()
    frame = TransformedBbox(Bbox.unit(), axes.transAxes)
    box = Box((0, 0), 0.5, 0.5)
    box.set_clip_box(frame)
    axes.add_artist(box)
    assert box.get_clip_box() is frame


def test_another_clip_path_can_be_set():
    axes = Figure().subplots()
    box = axes.add_artist(Box((0, 0), 0.5, 0.5))
    box.set_clip_path(Circle((0, 0), 0.1, transform=axes.transData))
    assert box.get_clip_path() is not None
