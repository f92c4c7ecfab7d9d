"""What follows from interventions, in words."""

import pytest

from caprese import Forest, TimedPoset, intervene, rank_blocks
from caprese.models import passage
from caprese.text.what_if import what_if_lines

CHAIN = TimedPoset(("a", "b", "c"), ((), (0,), ()), (1.0, 3.0, 0.5))


def test_a_target_that_is_never_reached():
    lines = what_if_lines(intervene(CHAIN, block="a", target="b"))
    assert lines[:2] == [
        "What if a is blocked",
        "If a is blocked, b is reached before the next sample is taken with probability 0 % "
        "(otherwise 38 %); at no time is that more probable than 1/2 (otherwise the median is "
        "1.1).",
    ]


def test_a_slowed_event_and_a_number_of_events():
    found = intervene(CHAIN, slow={"a": 0.5}, target=2, carried=["c"])
    lines = what_if_lines(found, most=2)
    assert lines[0] == "What if a has 0.5 times its rate in a sample with c"
    assert lines[1].startswith("If a has 0.5 times its rate, 2 events are reached before the next")
    assert lines[1].endswith("the median time until then is 1.4 (otherwise 0.69).")
    assert "genotype" in lines[6]
    assert lines[7].startswith("c ")


def test_nothing_delays_what_depends_on_nothing():
    lines = what_if_lines(rank_blocks(CHAIN, "c"))
    assert lines[1] == "No single event delays c when it is blocked."


def test_without_a_clock_no_time_is_said():
    forest = Forest(("a", "b"), (-1, 0), (0.5, 0.5))
    lines = what_if_lines(intervene(forest, block="a"))
    assert lines[3].split() == ["target", "probability", "with", "change", "direction"]
    assert lines[4].split() == ["b", "25", "%", "0", "%", "-25"]
    assert "This model has no clock, so nothing is said of times." in lines
    assert not any("median" in line for line in lines)


def test_simulated_numbers_have_an_error(monkeypatch):
    monkeypatch.setattr(passage, "MOST_STATES", 1)
    lines = what_if_lines(intervene(CHAIN, block="c", target="b", simulated=400))
    (note,) = [line for line in lines if line.startswith("Simulated")]
    assert note == "Simulated: 400 paths; standard error of a probability at most 1.2 %."


@pytest.mark.parametrize("width", [40, 80])
def test_tables_fit_the_terminal(width):
    names = tuple(f"an event with a rather long name {k}" for k in range(3))
    model = TimedPoset(names, ((), (0,), ()), (1.0, 3.0, 0.5))
    lines = what_if_lines(intervene(model, block=names[2]), width=width)
    (first,) = [k for k, line in enumerate(lines) if line.startswith("probability: ")]
    assert max(map(len, lines[1:first])) <= width
