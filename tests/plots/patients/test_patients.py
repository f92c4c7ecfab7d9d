"""Samples on a progression, and the card of one sample."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    Caprese,
    Dataset,
    Forest,
    ForestRecipe,
    IndependentEvents,
    ModelError,
    Noise,
    NoisyForest,
    TimedPoset,
    datasets,
    place,
    plots,
)
from caprese._core.words import percent
from caprese.models.forest import ROOT
from caprese.plots.progression.crowds import MOST_DOTS, crowds, nodes_of_samples
from hostile_names import HOSTILE
from rendered import SEVERAL_PARENTS, outside, overlapping, texts

pytestmark = pytest.mark.slow


def placed(events, samples, seed=3, method=None):
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=events).draw(rng)
    data = Noise(0.05, 0.1).corrupt(forest.sample(samples, rng), rng)
    fit = (method or Caprese()).fit(data)
    return fit, place(fit, data, simulated=500)


@pytest.fixture(scope="module")
def ovarian():
    data = datasets.ovarian()
    fit = Caprese().fit(data)
    return fit, place(fit, data)


def node_by_definition(order, genotypes, row):
    """The deepest event of a sample, by looking at each event in turn."""
    present = [k for k in range(len(order.events)) if genotypes[row, k]]
    if not present:
        return len(order.events), False
    above = order.ancestors()
    ends = [k for k in present if not any(above[k, j] for j in present)]
    carriers = genotypes.sum(axis=0)
    best = max(ends, key=lambda k: (above[:, k].sum(), -carriers[k], order.events[k]))
    return best, len(ends) > 1


@pytest.mark.parametrize(
    "order",
    [SEVERAL_PARENTS, ForestRecipe(events=9).draw(np.random.default_rng(1))],
    ids=["dag", "forest"],
)
def test_a_sample_stands_at_its_deepest_event(order):
    genotypes = np.random.default_rng(2).random((200, 9)) < 0.3
    nodes, elsewhere = nodes_of_samples(order, genotypes)
    expected = [node_by_definition(order, genotypes, row) for row in range(200)]
    assert list(zip(nodes.tolist(), elsewhere.tolist(), strict=True)) == expected


def test_every_sample_is_drawn_once(ovarian):
    fit, placement = ovarian
    found = crowds(fit.model, placement)
    assert len(found) == 8
    assert sum(sum(crowd.numbers) for crowd in found) == 87
    assert sum(crowd.share for crowd in found) == pytest.approx(1)
    assert sum(crowd.numbers[2] for crowd in found) == len(placement.unusual)
    dots = plots.patients_figure(fit, placement).axes[0].collections
    assert sum(len(each.get_offsets()) for each in dots) == 87 + 3  # and three in the legend


def test_events_are_matched_by_name(ovarian):
    fit, placement = ovarian
    order = [*range(6, -1, -1)]
    turned = replace(
        placement,
        data=placement.data.take_events([placement.events[k] for k in order]),
        genotypes=placement.genotypes[:, order],
    )
    assert crowds(fit.model, turned) == crowds(fit.model, placement)


def test_a_placement_of_other_events_is_refused(ovarian):
    fit, _ = ovarian
    data = datasets.acml()
    with pytest.raises(ModelError, match="progression and placement must have the same events"):
        plots.patients_figure(fit, place(Caprese().fit(data), data, simulated=10))


def test_many_samples_are_bars():
    fit, placement = placed(7, 5 * MOST_DOTS)
    axes = plots.patients_figure(fit, placement).axes[0]
    assert not axes.collections
    assert any(text.get_text().startswith("samples, at") for text in axes.texts)


def test_a_model_without_edges_is_refused(ovarian):
    _, placement = ovarian
    fit = IndependentEvents().fit(datasets.ovarian())
    with pytest.raises(ModelError, match="this model has no edges"):
        plots.patients_figure(fit, placement)


@pytest.mark.parametrize("events", [1, 3, 7, 20])
@pytest.mark.parametrize("samples", [5, 87, 3000])
def test_nothing_overlaps_or_leaves_the_picture(events, samples):
    fit, placement = placed(events, samples)
    worst = placement.samples[int(placement.typicality.argmin())]
    for figure in (plots.patients_figure(fit, placement), plots.patient_card(placement, worst)):
        assert overlapping(figure) == []
        assert outside(figure) == []


def test_hostile_names_are_shortened_and_made_visible():
    names = HOSTILE[:19] + HOSTILE[-1:]
    rng = np.random.default_rng(4)
    values = rng.random((len(HOSTILE), 20)) < 0.4
    data = Dataset(values, names, HOSTILE)
    fit = Caprese().fit(data)
    placement = place(fit, data, simulated=200)
    for sample in HOSTILE[::6]:
        figure = plots.patient_card(placement, sample)
        assert overlapping(figure) == []
        assert outside(figure) == []
        assert all(text.get_text().isprintable() for text in texts(figure))
    assert outside(plots.patients_figure(fit, placement)) == []


def words(figure):
    return [text.get_text() for text in texts(figure)]


def test_the_card_says_what_was_missed_and_what_was_seen_wrongly():
    chain = NoisyForest(Forest(tuple("abc"), (ROOT, 0, 1), (0.5, 0.9, 0.01)), Noise(0.05, 0.3))
    data = Dataset.from_rows([[0, 1, 1]], "abc")
    placement = place(chain, data)
    missed, wrongly = placement.event_probabilities[0, [0, 2]]
    said = words(plots.patient_card(placement, "1"))
    assert (
        f"a was probably missed ({percent(missed)}), "
        f"c was probably seen wrongly ({percent(1 - wrongly)})"
    ) in said
    assert said.count("missed") == said.count("seen wrongly") == 1


def test_the_card_says_how_far_the_sample_has_come_and_what_comes_next():
    poset = TimedPoset(("a", "b", "c"), ((), (0,), (0,)), rates=(1.0, 3.0, 1.0))
    data = Dataset.from_rows([[1, 0, 0]], events="abc", samples=["p"])
    said = words(plots.patient_card(place(poset, data), "p"))
    assert said[:2] == ["Sample p", "1 of 3 events are there."]
    start = said.index("What comes next")
    assert said[start : start + 8] == [
        *("What comes next", "median time", "b", "75 %", "0.23", "c", "25 %", "0.69")
    ]


def test_the_card_of_a_sample_with_everything_says_that_nothing_is_left():
    data = Dataset.from_rows([[1, 1]], "ab")
    poset = TimedPoset(("a", "b"), ((), (0,)), rates=(1.0, 3.0))
    said = words(plots.patient_card(place(poset, data), "1"))
    assert "Nothing is left to come." in said
    assert "100 %: a → b" in said
    forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    assert "The model has no clock, as" in words(plots.patient_card(place(forest, data), "1"))


def test_the_card_of_a_sample_that_cannot_be_says_so():
    forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
    said = words(plots.patient_card(place(forest, Dataset.from_rows([[0, 1]], "ab")), "1"))
    assert "The model gives this sample probability 0, so only what was seen is shown." in said
    assert "Nothing can be said." in said


def test_the_card_needs_no_edges():
    data = datasets.ovarian()
    placement = place(IndependentEvents().fit(data), data)
    assert "The likeliest orders" in words(plots.patient_card(placement, "3"))


def test_of_many_events_the_card_shows_those_that_may_be_there():
    _, placement = placed(60, 100, seed=5)
    said = words(plots.patient_card(placement, placement.samples[0]))
    assert any(line.endswith("more events, probably not there") for line in said)
    assert overlapping(plots.patient_card(placement, placement.samples[0])) == []


def test_an_unknown_sample_is_refused_with_a_suggestion(ovarian):
    _, placement = ovarian
    with pytest.raises(ModelError, match="there is no sample '888'"):
        plots.patient_card(placement, "888")
