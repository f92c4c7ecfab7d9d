import numpy as np
import pytest
from matplotlib.figure import Figure

from caprese.plots.canvas.canvas import Canvas, new_figure
from caprese.plots.canvas.legend import Entry, Legend, bar_symbol
from caprese.plots.canvas.palette import BLUE, PALE, rgb, shades


def test_a_new_figure_has_the_size_that_is_given_in_points():
    figure, axes = new_figure((144.0, 72.0))
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
