"""Kaplan-Meier curves: what is drawn is what was estimated, and nothing overlaps or is cut off."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from caprese.patients.survival import Curve, Survival
from caprese.plots.survival import survival_figure
from hostile_names import HOSTILE

pytestmark = pytest.mark.slow


def curve(group, seed, times_each=1):
    """A made-up group of 30 samples; or of many, so many for each of the 30, who all died."""
    samples = 30
    rng = np.random.default_rng(seed)
    durations = np.sort(rng.exponential(900, samples))
    died = rng.random(samples) < 0.6
    times = np.append(0, durations)
    share = np.append(1, np.cumprod(1 - died / np.arange(samples, 0, -1)))
    low, high = np.clip(share - 0.1, 0, 1), np.clip(share + 0.1, 0, 1)
    if times_each > 1:
        durations, died = np.repeat(durations, times_each), np.ones(samples * times_each, bool)
    return Curve(group, durations, died, times, share, low, high, 600.0, 400.0, np.inf)


def survival(names, times_each=1):
    curves = tuple(curve(name, k, times_each) for k, name in enumerate(names))
    return Survival("days_to_last_followup", "status", "branch", curves, 9.1, len(names) - 1, 0.01)


def drawn(figure):
    FigureCanvasAgg(figure).draw()
    return figure.axes


LONG = [f"branch {k} of the tree, and all events below" for k in range(6)]


@pytest.mark.parametrize("names", [LONG[:2], LONG[:3], list("abcdef"), LONG, HOSTILE[:6]])
@pytest.mark.parametrize("times_each", [1, 4000])
def test_labels_do_not_overlap_and_stay_inside(names, times_each):
    figure = survival_figure(survival(names, times_each))
    curves, at_risk = drawn(figure)
    legend = curves.get_legend()
    texts = [
        *legend.get_texts(),
        legend.get_title(),
        *curves.get_xticklabels(),
        *curves.get_yticklabels(),
        curves.xaxis.label,
        curves.yaxis.label,
        *at_risk.get_yticklabels(),
        *at_risk.texts,
    ]
    boxes = [text.get_window_extent() for text in texts if text.get_text()]
    assert len(legend.get_texts()) == len(at_risk.get_yticklabels()) == len(names)
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
    frame = curves.get_window_extent()
    assert not any(text.get_window_extent().overlaps(frame) for text in legend.get_texts())
    assert frame.height > 150


def test_curves_bands_and_marks_are_those_of_the_groups():
    found = survival(["with a", "without a"])
    curves, _ = drawn(survival_figure(found))
    steps = [line for line in curves.lines if line.get_drawstyle() == "steps-post"]
    marks = [line for line in curves.lines if line.get_marker() == "|"]
    for one, line, mark, band in zip(found.curves, steps, marks, curves.collections, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), one.survival)
        np.testing.assert_array_equal(mark.get_xdata(), one.durations[~one.died])
        assert line.get_color() == mark.get_color()
        heights = band.get_paths()[0].vertices[:, 1]
        assert (heights.min(), heights.max()) == (one.low.min(), one.high.max())
    for one, mark in zip(found.curves, marks, strict=True):
        for time, share in zip(mark.get_xdata(), mark.get_ydata(), strict=True):
            assert share == one.survival[one.times <= time][-1]
    assert curves.get_legend().get_title().get_text() == "log-rank p = 0.01"


def test_lines_differ_without_colour():
    curves, _ = drawn(survival_figure(survival("abcdef")))
    steps = [line for line in curves.lines if line.get_drawstyle() == "steps-post"]
    assert len({str(line._unscaled_dash_pattern) for line in steps}) == 6
    assert len({line.get_color() for line in steps}) == 6


def test_numbers_at_risk_stand_below_their_times():
    found = survival(["a", "b"])
    curves, at_risk = drawn(survival_figure(found))
    times = found.round_times()
    assert curves.get_xticks().tolist() == times.tolist()
    for text in at_risk.texts:
        time, row = text.get_position()
        assert int(text.get_text()) == found.curves[int(row)].at_risk([time])[0]
        assert text.get_window_extent().width > 0
    places = curves.transData.transform([(time, 0) for time in times])[:, 0]
    below = at_risk.transData.transform([(time, 0) for time in times])[:, 0]
    np.testing.assert_allclose(places, below, atol=0.5)


def test_a_group_that_ends_at_once_is_drawn():
    zero = Curve("z", [0.0], [True], [0.0], [0.0], [0.0], [0.0], 0.0, 0.0, 0.0)
    drawn(survival_figure(Survival("t", "s", "b", (zero, zero), 0.0, 1, 1.0)))
