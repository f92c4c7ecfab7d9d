import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from caprese import plots
from caprese.plots.canvas.palette import BLUE
from rendered import pixels


def axes():
    return Figure(layout="constrained").subplots()


def test_bars_are_the_shares_and_the_line_is_cumulative():
    drawn = plots.draw_distinct_models(axes(), [0.5, 0.25, 0.125])
    assert [bar.get_height() for bar in drawn.patches] == [0.5, 0.25, 0.125]
    assert drawn.lines[0].get_ydata().tolist() == [0.5, 0.75, 0.875]


def test_the_fitted_model_is_coloured_and_hatched():
    bars = plots.draw_distinct_models(axes(), [0.5, 0.25, 0.125], fitted=1).patches
    assert [bar.get_facecolor()[:3] == to_rgb(BLUE) for bar in bars] == [False, True, False]
    assert [bool(bar.get_hatch()) for bar in bars] == [False, True, False]


def test_labels_are_drawn_as_plain_text():
    drawn = plots.draw_distinct_models(axes(), [0.5, 0.25], ["$x", "肿\n" * 1000])
    assert pixels(drawn.figure).min() < 0.5
    assert drawn.get_xticklabels()[0].get_text() == "$x"


@pytest.mark.slow
def test_only_some_of_many_models_are_labelled():
    drawn = plots.draw_distinct_models(axes(), np.full(1000, 0.001))
    assert len(drawn.get_xticks()) <= 12


def test_a_position_of_the_fitted_model_out_of_range_is_refused():
    with pytest.raises(ValueError, match="fitted must be one of 2 models, got 2"):
        plots.draw_distinct_models(axes(), [0.5, 0.25], fitted=2)


def test_bars_that_are_too_low_to_be_seen_are_said():
    drawn = plots.draw_distinct_models(axes(), np.full(40, 0.001))
    assert [text.get_text() for text in drawn.texts] == [
        "no model has more than 0.1 % of the replicates"
    ]
    assert not plots.draw_distinct_models(axes(), [0.02, 0.01]).texts


def test_the_legend_names_what_is_drawn():
    drawn = plots.draw_distinct_models(axes(), [0.5, 0.25], fitted=0)
    assert [text.get_text() for text in drawn.get_legend().get_texts()] == [
        "share of each model",
        "the fitted model",
        "cumulative share",
    ]
