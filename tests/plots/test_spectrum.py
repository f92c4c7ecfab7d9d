import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from caprese import Noise, plots
from caprese.fitting.shrinkage_choice import ShrinkageChoice
from caprese.plots.canvas.palette import BLUE
from rendered import pixels

CHOICE = ShrinkageChoice(0.2, [0.01, 0.2, 0.5], [3.0, 2.0, 2.5], Noise(), 200)


def axes():
    return Figure(layout="constrained").subplots()


class TestSpectrum:
    def test_bars_are_the_shares_and_the_line_their_sum(self):
        drawn = plots.draw_distinct_models(axes(), [0.5, 0.25, 0.125])
        assert [bar.get_height() for bar in drawn.patches] == [0.5, 0.25, 0.125]
        assert drawn.lines[0].get_ydata().tolist() == [0.5, 0.75, 0.875]

    def test_the_fitted_forest_is_coloured_and_hatched(self):
        bars = plots.draw_distinct_models(axes(), [0.5, 0.25, 0.125], fitted=1).patches
        assert [bar.get_facecolor()[:3] == to_rgb(BLUE) for bar in bars] == [False, True, False]
        assert [bool(bar.get_hatch()) for bar in bars] == [False, True, False]

    def test_labels_are_drawn_as_they_are_written(self):
        drawn = plots.draw_distinct_models(axes(), [0.5, 0.25], ["$x", "肿\n" * 1000])
        assert pixels(drawn.figure).min() < 0.5
        assert drawn.get_xticklabels()[0].get_text() == "$x"

    def test_of_many_forests_only_some_are_named(self):
        drawn = plots.draw_distinct_models(axes(), np.full(1000, 0.001))
        assert len(drawn.get_xticks()) <= 12

    def test_a_fitted_forest_that_is_not_there_is_refused(self):
        with pytest.raises(ValueError, match="fitted must be one of 2 models, got 2"):
            plots.draw_distinct_models(axes(), [0.5, 0.25], fitted=2)


class TestShrinkageChoice:
    def test_the_chosen_shrinkage_is_marked_on_the_curve(self):
        drawn = plots.draw_shrinkage_choice(axes(), CHOICE)
        curve, _, mark = drawn.lines
        assert curve.get_xydata().tolist() == [[0.01, 3.0], [0.2, 2.0], [0.5, 2.5]]
        assert mark.get_xydata().tolist() == [[0.2, 2.0]]
        assert drawn.texts[0].get_text() == "chosen: 0.2"

    def test_a_flat_curve_is_drawn(self):
        flat = ShrinkageChoice(0.01, [0.01, 0.5], [2.0, 2.0], Noise(), 200)
        low, high = plots.draw_shrinkage_choice(axes(), flat).get_ylim()
        assert low < 2 < high
