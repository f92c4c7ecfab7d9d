"""The picture of what is known: known orders, and events without a known place apart."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from caprese.assessment.known import KnownOrders
from caprese.plots.canvas.palette import INK, SOFT
from caprese.plots.progression.known import known_figure
from rendered import outside, overlapping, texts


def of(before, lost=9.0, names=None):
    n = len(before)
    events = names or tuple(f"event {k}" for k in range(n))
    nothing, losses = np.zeros((n, n)), np.full((n, n), lost)
    parts = ("one",), np.ones(1), np.array([before], dtype=float)
    return KnownOrders(events, np.linspace(0.9, 0.1, n), *parts, 1.0, nothing, losses)


def chain(events, placed, probability=0.9):
    before = np.zeros((events, events))
    before[:placed, :placed] = np.triu(np.full((placed, placed), probability), 1)
    return before


def strings(figure):
    return [text.get_text() for text in texts(figure)]


CASES = {
    "nothing": chain(30, 0),
    "a chain": chain(5, 5),
    "a chain and others": chain(25, 6),
    "long names": chain(12, 4),
    "weaker ones": chain(12, 6) + np.triu(np.full((12, 12), 0.6), 9) + np.eye(12, k=7) * 0.55,
    "several before one": np.eye(6, k=1) * 0.8 + np.eye(6, k=3) * 0.75,
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps_and_nothing_is_outside(case):
    before = CASES[case]
    long = [f"a rather long name of an event, number {k}" for k in range(len(before))]
    figure = known_figure(of(before, names=tuple(long) if case == "long names" else None))
    assert overlapping(figure) == []
    assert outside(figure) == []


def test_only_orders_that_do_not_follow_from_others_have_an_arrow():
    said = strings(known_figure(of(chain(4, 3, 0.93))))
    assert said.count("93 %") == 2
    assert "place not known" in said
    assert "root" not in said


def test_weaker_orders_are_faded_and_what_is_left_out_is_said():
    before = chain(5, 3)
    before[0, 3] = before[1, 3] = 0.6  # the first follows from others
    figure = known_figure(of(before))
    said = strings(figure)
    assert said.count("60 %") == 1
    assert "weaker, not known: between 50 % and 70 %" in said
    assert said[0] == (
        "known orders have a probability of 70 % or more; 5 pairs without an order above 50 % left "
        "out"
    )
    (faded,) = {patch.get_linewidth() for patch in arrows(figure, SOFT)}
    assert faded < min(patch.get_linewidth() for patch in arrows(figure, INK))
    assert "weaker" not in " ".join(strings(known_figure(of(chain(5, 3)))))


def arrows(figure, colour):
    """Return the curves of a colour, without boxes and heads."""
    curves = [each for each in figure.axes[0].patches if not each.get_fill()]
    return [each for each in curves if to_hex(each.get_edgecolor()) == colour.lower()]


def test_weaker_orders_in_a_circle_are_left_out_and_said():
    before = chain(4, 2)
    before[1, 2] = before[2, 3] = before[3, 1] = 0.6
    said = strings(known_figure(of(before)))
    assert "60 %" not in said
    assert said[0].endswith("; 3 weaker orders that others contradict left out")


def test_directions_that_are_not_determined_are_dashed_and_said():
    open_, firm = (known_figure(of(chain(2, 2), lost)) for lost in (0.0, 9.0))
    words = "direction not determined by these data"
    assert words in strings(open_)
    assert words not in strings(firm)
    assert any(patch.get_linestyle() != "solid" for patch in open_.axes[0].patches)
