import numpy as np
from matplotlib.figure import Figure

from caprese import Noise, plots
from caprese.fitting.shrinkage_choice import ShrinkageChoice
from caprese.plots.curves import draw_bars, draw_curves, draw_surface, share_legend

CHOICE = ShrinkageChoice(0.2, [0.01, 0.2, 0.5], [3.0, 2.0, 2.5], Noise(), 200)


def axes():
    return Figure(layout="constrained").subplots()


def test_the_chosen_shrinkage_is_marked_on_the_curve():
    drawn = plots.draw_shrinkage_choice(axes(), CHOICE)
    curve, _, mark = drawn.lines
    assert curve.get_xydata().tolist() == [[0.01, 3.0], [0.2, 2.0], [0.5, 2.5]]
    assert mark.get_xydata().tolist() == [[0.2, 2.0]]
    assert drawn.texts[0].get_text() == "chosen: 0.2"


def test_a_flat_curve_is_within_the_axes():
    flat = ShrinkageChoice(0.01, [0.01, 0.5], [2.0, 2.0], Noise(), 200)
    low, high = plots.draw_shrinkage_choice(axes(), flat).get_ylim()
    assert low < 2 < high


def test_curves_have_intervals_of_two_standard_errors_and_names():
    drawn = draw_curves(axes(), [("A", [1, 2], [3.0, 4.0], [0.5, 0.0])], xlabel="x", ylabel="y")
    (interval,) = drawn.collections
    assert np.allclose(interval.get_segments()[0], [[1, 3 - 0.98], [1, 3 + 0.98]], atol=1e-4)
    assert [text.get_text() for text in drawn.get_legend().get_texts()] == ["A"]


def test_panels_share_one_legend_below():
    figure = Figure(layout="constrained")
    panels = figure.subplots(1, 2)
    for panel in panels:
        draw_curves(panel, [("A", [1], [2], [0])], xlabel="x", ylabel="y", legend=False)
    share_legend(panels)
    assert len(figure.legends) == 1
    assert [panel.get_legend() for panel in panels] == [None, None]
    assert [bool(panel.get_ylabel()) for panel in panels] == [True, False]


def test_the_minimum_of_each_row_of_a_surface_is_marked():
    drawn = axes()
    draw_surface(drawn, [1, 2, 3], [5, 6], [[3, 1, 2], [0, 1, 2]], xlabel="x", ylabel="y", title="")
    assert drawn.lines[0].get_xydata().tolist() == [[2, 5], [1, 6]]


def test_each_group_has_a_bar_for_each_name():
    drawn = draw_bars(axes(), ["A", "B"], ["g", "h", "i"], [[1, 2], [3, 4], [5, 6]], ylabel="y")
    assert [bar.get_height() for bar in drawn.patches] == [1, 3, 5, 2, 4, 6]
    assert [label.get_text() for label in drawn.get_xticklabels()] == ["g", "h", "i"]
