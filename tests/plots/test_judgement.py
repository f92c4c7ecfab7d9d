"""The picture of a judgement: nothing overlaps, nothing is cut off."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from caprese import Caprese, Oncotree, datasets, judge
from caprese.plots.curves import judgement_figure

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("methods", [1, 3, 9])
def test_labels_do_not_overlap_and_stay_inside(methods):
    data = datasets.acml()
    named = {
        f"a method with a rather long name {k}": Caprese(shrinkage=k / 10) for k in range(methods)
    }
    figure = judgement_figure(judge(named, data, folds=3))
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    boxes = [text.get_window_extent() for text in axes.get_yticklabels()]
    assert len(boxes) == methods
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(box.x0 >= 0 and box.y0 >= 0 for box in boxes)
    label = axes.xaxis.label.get_window_extent()
    assert label.x0 >= 0
    assert label.x1 <= figure.bbox.width


def test_the_best_is_on_top_with_its_gain():
    found = judge([Caprese(), Oncotree()], datasets.ovarian(), folds=4)
    (axes,) = judgement_figure(found).axes
    shown = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert shown == sorted(gain.mean for gain in found.gains[:2])
    assert np.isfinite(shown).all()
