"""Heat maps of effects."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from caprese import Caprese, Hazards, ModelError, datasets, plots
from caprese.plots.canvas.palette import BLUE, GREEN, PALE, VERMILION, rgb, shades
from caprese.plots.heatmaps import effects_map
from rendered import LONG, outside, overlapping, texts

PAIR = Hazards(("a", "b"), (1.0, 0.5), ((1.0, 12.0), (1 / 3, 1.0)))


def words(figure):
    return [text.get_text() for text in texts(figure)]


def test_the_first_row_has_the_base_rates_and_rows_act_on_columns():
    plan = effects_map(PAIR)
    assert plan.rows == ("base rate", "a", "b")
    assert plan.columns == ("a", "b")
    assert plan.numbers.tolist() == [["1", ".5"], ["", "x12"], ["/3.0", ""]]


def test_red_speeds_up_and_blue_slows_down_and_base_rates_are_green():
    colours = effects_map(PAIR).colours
    assert colours[1, 1] == pytest.approx(rgb(VERMILION))
    assert colours[2, 0] == pytest.approx(shades(np.log(3) / np.log(12), BLUE))
    assert colours[1, 0] == pytest.approx(rgb(PALE))
    assert colours[0, 0] == pytest.approx(shades(0.7, GREEN))


def test_slight_effects_have_no_number():
    slight = Hazards(("a", "b"), (1.0, 0.5), ((1.0, 1.05), (1.2, 1.0)))
    plan = effects_map(slight)
    assert plan.numbers[1:].tolist() == [["", ""], ["x1.2", ""]]
    assert plan.scale_words == ("row slows column down  /2.0", "x2.0  speeds it up")


def test_effects_on_observation_have_a_column_if_there_are_any():
    assert "observation" not in words(plots.effects_figure(PAIR))
    biased = Hazards(PAIR.events, PAIR.rates, PAIR.effects, (2.0, 1.0))
    plan = effects_map(biased)
    assert plan.columns == ("a", "b", "observation")
    assert plan.numbers[:, 2].tolist() == ["", "x2.0", ""]


def test_one_event_has_only_its_rate():
    figure = plots.effects_figure(Hazards(("a",), (1.0,), ((1.0,),)))
    assert "base rate" in words(figure)


def test_the_words_of_the_colour_scale_stand_beside_it():
    figure = plots.effects_figure(PAIR)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = {
        text.get_text(): text.get_window_extent(canvas.get_renderer()) for text in texts(figure)
    }
    _, scale = figure.axes[0].images  # the cells, then the colours below them
    colours = scale.get_window_extent(canvas.get_renderer())
    gap = figure.dpi / 72 * 6
    assert 0 < colours.x0 - boxes["row slows column down  /12"].x1 < gap
    assert 0 < boxes["x12  speeds it up"].x0 - colours.x1 < gap


@pytest.mark.parametrize("events", [2, 12, 30])
def test_no_text_is_cut_off_or_overlaps_another(events):
    rng = np.random.default_rng(events)
    effects = np.exp(rng.normal(0, 1, (events, events)))
    np.fill_diagonal(effects, 1.0)
    names = (LONG, *(f"event {k}" for k in range(1, events)))
    figure = plots.effects_figure(Hazards(names, np.exp(rng.normal(0, 1, events)), effects))
    assert outside(figure) == []
    assert overlapping(figure) == []


def test_a_model_without_effects_is_refused():
    message = "^this model has no effects of events on each other; infer them by mhn$"
    with pytest.raises(ModelError, match=message):
        plots.effects_figure(Caprese().fit(datasets.acml()).model)
