"""The picture of what follows when events are blocked: nothing overlaps, nothing is cut off."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from caprese import Forest, TimedPoset, intervene, rank_blocks
from caprese.plots import what_if_figure

NAMES = tuple(f"an event with a rather long name {k}" for k in range(8))
STAR = TimedPoset(NAMES, ((), (0,), (1,), (), (), (), (), (3,)), np.geomspace(0.1, 8, 8))


def drawn(found):
    figure = what_if_figure(found)
    FigureCanvasAgg(figure).draw()
    return figure


@pytest.mark.parametrize(
    "found",
    [
        rank_blocks(STAR, NAMES[2]),
        rank_blocks(STAR, 3),
        intervene(STAR, block=NAMES[0], slow={NAMES[3]: 0.5}),
        intervene(Forest(NAMES, np.arange(8) - 1, (0.7,) * 8), block=NAMES[2]),
    ],
    ids=["ranks", "numbers", "targets", "no clock"],
)
def test_labels_do_not_overlap_and_stay_inside(found):
    figure = drawn(found)
    first, *others = figure.axes
    assert len(others) == found.timed
    boxes = [text.get_window_extent() for text in first.get_yticklabels()]
    assert len(boxes) == len(found.outlooks)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    (legend,) = figure.legends
    shown = [text.get_window_extent() for text in legend.get_texts()]
    labels = [axes.xaxis.label.get_window_extent() for axes in figure.axes]
    for box in (*boxes, *shown, *labels):
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.width
    assert not any(one.overlaps(other) for one, other in combinations(labels, 2))


def test_marks_stand_at_the_numbers_and_never_stands_apart():
    found = intervene(STAR, block=NAMES[0])
    chances, times = drawn(found).axes
    marks = [line.get_xdata()[0] for line in chances.lines if line.get_marker() == "o"]
    expected = [each for o in found.outlooks for each in (o.probability, o.probability_with)]
    assert marks == pytest.approx(expected)
    assert [text.get_text() for text in times.texts] == ["never"]
    assert np.isinf(found.outlooks[0].median_time_with)
