"""What follows when events are blocked or slowed: against simulation of the intervened process."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    HCBN,
    MHN,
    ROOT,
    BayesForest,
    Caprese,
    ConditionalDag,
    ConjunctiveDag,
    Dataset,
    Forest,
    Independence,
    Noise,
    NoisyForest,
    NoisyPoset,
    Oncotree,
    SeenOrders,
    TimedPoset,
    datasets,
    intervene,
    intervene_in_samples,
    place,
    rank_blocks,
)
from caprese.models import passage
from caprese.models.stacked import Stacked
from hazards_definitions import random_hazards
from passage_definitions import path

EVENTS = tuple("abcd")
FOREST = Forest(EVENTS, (ROOT, 0, 0, 2), (0.8, 0.5, 0.6, 0.7))
TIMED_FOREST = TimedPoset(EVENTS, ((), (0,), (0,), (2,)), (2.0, 1.0, 1.5, 2.5))
POSET = TimedPoset(EVENTS, ((), (), (0, 1), (2,)), (2.0, 3.0, 1.5, 2.5))
HAZARDS = random_hazards(np.random.default_rng(5), 4)
TIMED = {"forest": TIMED_FOREST, "poset": POSET, "hazards": HAZARDS}
CHAIN = TimedPoset(("a", "b"), ((), (0,)), (1.0, 3.0))
PAINS = 4.5  # standard errors that a simulated number may be away


def only(found):
    (outlook,) = found.outlooks
    return outlook


def rates_without(model, event):
    """A poset in which an event has rate 0."""
    return replace(model, rates=np.where(np.arange(4) == event, 0.0, model.rates))


@pytest.fixture(params=TIMED)
def timed(request):
    return TIMED[request.param]


@pytest.mark.parametrize("carried", [None, ("b",)], ids=["start", "carried"])
@pytest.mark.parametrize(
    ("change", "factors"),
    [({"block": "b"}, (1, 0, 1, 1)), ({"slow": {"a": 0.4, "c": 0.5}}, (0.4, 1, 0.5, 1))],
    ids=["blocked", "slowed"],
)
def test_numbers_are_those_of_the_simulated_intervened_process(timed, change, factors, carried):
    rng, number = np.random.default_rng(11), 700
    found = intervene(timed, **change, target="d", carried=carried)
    outlook = only(found)
    start = [event in (carried or ()) for event in EVENTS]
    drawn = [path(timed, np.array(factors), start, rng) for _ in range(number)]
    before = np.mean([times.get(3, np.inf) < sample for times, sample in drawn])
    chance = outlook.probability_with
    assert abs(before - chance) < PAINS * np.sqrt(chance * (1 - chance) / number) + 1e-12
    if np.isfinite(outlook.median_time_with):
        early = np.mean([times.get(3, np.inf) < outlook.median_time_with for times, _ in drawn])
        assert abs(early - 0.5) < PAINS * 0.5 / np.sqrt(number)
    else:
        assert np.mean([3 in times for times, _ in drawn]) < 0.5 + PAINS * 0.5 / np.sqrt(number)
    for present, (_, share) in zip(found.genotypes, found.shares.tolist(), strict=True):
        wanted = set(np.flatnonzero(present).tolist()) - set(np.flatnonzero(start).tolist())
        seen = np.mean([{k for k in t if t[k] < sample} == wanted for t, sample in drawn])
        assert abs(seen - share) < PAINS * np.sqrt(share * (1 - share) / number) + 1e-12


def test_a_model_with_a_rate_of_zero_is_the_blocked_one():
    found = intervene(POSET, block="b", target="d")
    without = intervene(rates_without(POSET, 1), slow={"a": 1.0}, target="d")
    assert only(found).probability_with == only(without).probability == 0
    assert only(found).median_time_with == np.inf
    assert found.shares[:, 1].sum() == pytest.approx(1)


def test_numbers_of_a_chain_by_hand():
    found = only(intervene(CHAIN, slow={"a": 0.5}, target="b"))
    assert found.probability == pytest.approx(1 / 2 * 3 / 4)
    assert found.probability_with == pytest.approx(0.5 / 1.5 * 3 / 4)
    first = only(intervene(CHAIN, slow={"a": 0.5}, target="a"))
    assert (first.median_time, first.median_time_with) == pytest.approx((np.log(2), 2 * np.log(2)))
    assert first.factor == pytest.approx(2)


@pytest.mark.parametrize(
    "model",
    [
        FOREST,
        NoisyForest(FOREST, Noise(0.1, 0.2)),
        ConjunctiveDag(EVENTS, ((), (), (0, 1), (2,)), (0.8, 0.5, 0.6, 0.7)),
        ConditionalDag(
            EVENTS, ((), (), (0, 1), (2,)), ((0.8,), (0.5,), (0.1, 0.4, 0.2, 0.9), (0.1, 0.7))
        ),
        Independence(EVENTS, (0.8, 0.5, 0.6, 0.7)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models_without_a_clock_say_how_probably_events_are_there(model):
    found, rng = intervene(model, block="a"), np.random.default_rng(2)
    numbers = only(intervene(model, block="a", target=2))
    truth = getattr(model, "truth", model)
    drawn = truth.blocked(np.arange(4) == 0).sample(20_000, rng).values
    assert not drawn[:, 0].any()
    assert not found.timed
    for each, event in zip(found.outlooks, (1, 2, 3), strict=True):
        assert each.probability_with == pytest.approx(drawn[:, event].mean(), abs=0.02)
        assert np.isnan(each.median_time_with)
    assert numbers.probability_with == pytest.approx((drawn.sum(axis=1) >= 2).mean(), abs=0.02)
    assert found.shares.sum(axis=0) == pytest.approx([1, 1])
    shown = dict(zip(map(tuple, found.genotypes.tolist()), found.shares[:, 1], strict=True))
    assert shown[(False,) * 4] == pytest.approx((~drawn.any(axis=1)).mean(), abs=0.02)


def test_in_a_forest_only_what_follows_the_blocked_event_changes():
    found = {each.target: each.difference for each in intervene(FOREST, block="c").outlooks}
    marginals = FOREST.marginals()
    assert found == pytest.approx({"a": 0, "b": 0, "d": -marginals[3]})


def test_errors_of_what_is_seen_do_not_matter():
    noisy = NoisyPoset(POSET, 0.1)
    assert intervene(noisy, block="a").outlooks == intervene(POSET, block="a").outlooks


def test_a_mixture_is_averaged_over_its_parts_with_a_clock():
    mixture = Stacked((FOREST.without_errors(), POSET, HAZARDS), (0.5, 0.2, 0.3))
    found = only(intervene(mixture, block="b", target="d"))
    each = [only(intervene(model, block="b", target="d")) for model in (POSET, HAZARDS)]
    mean = 0.4 * each[0].probability_with + 0.6 * each[1].probability_with
    assert found.probability_with == pytest.approx(mean)
    untimed = Stacked((FOREST.without_errors(), Independence(EVENTS, (0.5,) * 4)), (0.5, 0.5))
    found = only(intervene(untimed, block="a", target="b"))
    assert found.probability_with == pytest.approx(0.25)


def test_what_is_carried_says_which_part_of_a_mixture_it_is():
    reverse = TimedPoset(("a", "b"), ((1,), ()), (3.0, 1.0))
    mixture = Stacked((CHAIN, reverse), (0.5, 0.5))
    found = only(intervene(mixture, slow={"b": 0.5}, target="b", carried="a"))
    alone = only(intervene(CHAIN, slow={"b": 0.5}, target="b", carried="a"))
    assert found.probability_with == pytest.approx(alone.probability_with)


def test_ranks_begin_with_what_delays_most():
    poset = TimedPoset(EVENTS, ((), (0,), (), ()), (1.0, 1.0, 1.0, 0.1))
    ranked = [each.blocked for each in rank_blocks(poset, 3).outlooks]
    assert ranked == [("a",), ("c",), ("b",), ("d",)]
    for each in rank_blocks(HAZARDS, "d").outlooks:
        alone = only(intervene(HAZARDS, block=each.blocked, target="d"))
        assert each == alone


def test_events_that_are_carried_are_not_blocked():
    found = rank_blocks(POSET, "d", carried=["a"])
    assert {each.blocked for each in found.outlooks} == {("b",), ("c",)}


def test_too_many_genotypes_are_simulated_and_the_order_of_events_does_not_matter(monkeypatch):
    exact = only(intervene(HAZARDS, block="b", target="d"))
    monkeypatch.setattr(passage, "MOST_STATES", 4)
    found = intervene(HAZARDS, block="b", target="d", simulated=3000, seed=3)
    drawn = only(found)
    assert found.simulated == 3000
    assert 0 < drawn.probability_error < 0.02
    near = PAINS * drawn.probability_error
    assert abs(drawn.probability_with - exact.probability_with) < near
    assert abs(drawn.median_time_with - exact.median_time_with) < PAINS * drawn.median_time_error
    turned = HAZARDS.in_order(tuple("dbac"))
    again = only(intervene(turned, block="b", target="d", simulated=3000, seed=3))
    assert again.probability_with == pytest.approx(drawn.probability_with)
    other = only(intervene(HAZARDS, block="b", target="d", simulated=3000, seed=4))
    assert other.probability_with != drawn.probability_with


def test_intervals_of_a_posterior_are_from_its_draws():
    fit = BayesForest(draws=60, warm_up=60, chains=2).fit(datasets.ovarian())
    found = intervene(fit, block="8q+", target="3q+")
    each = only(found)
    low, high = each.difference_interval
    assert low < each.difference < high < 0
    assert (found.replicates, each.factor_interval) == (120, None)


def test_intervals_of_others_are_from_replicates_of_the_data():
    fit = MHN(penalty_strength=0.02).fit(datasets.acml())
    block, target = fit.model.events[:2]
    assert only(intervene(fit, block=block, target=target)).difference_interval is None
    asked = {"block": block, "target": target, "replicates": 8, "seed": 2}
    found = intervene(fit, **asked, jobs=1)
    low, high = only(found).difference_interval
    assert low < high
    assert (found.replicates, found.outlooks) == (8, intervene(fit, **asked, jobs=2).outlooks)
    least, most = only(found).factor_interval
    assert 0 < least < most


def test_directions_that_the_data_do_not_determine_are_flagged():
    found = intervene(Caprese().fit(datasets.ovarian()), block="8q+")
    flags = {each.target: each.undetermined for each in found.outlooks}
    assert flags["3q+"] == ()  # implied
    assert flags["Xp-"] == (("8p-", "Xp-"),)
    assert flags["4q-"] == ()  # nothing changes
    assert found.undetermined == (("8p-", "Xp-"),)
    assert intervene(FOREST, block="a").undetermined is None


def test_pairs_of_a_hazard_network_are_flagged_unless_orders_were_seen():
    rng = np.random.default_rng(3)
    values = rng.random((60, 2)) < 0.5
    values[:, 1] |= values[:, 0] & (rng.random(60) < 0.8)
    data = Dataset(values, ("a", "b"))
    method = MHN(penalty_strength=0.01)
    fit = method.fit(data)
    assert only(intervene(fit, block="a", target="b")).undetermined == (("a", "b"),)
    rows = np.flatnonzero(values.all(axis=1))
    pairs = np.column_stack([rows, np.zeros_like(rows), np.ones_like(rows)])
    orders = SeenOrders(data.samples, data.events, pairs, *np.ones((2, len(rows))))
    told = method.fit(data.with_orders(orders))
    assert only(intervene(told, block="a", target="b")).undetermined == ()


def test_the_table_has_a_row_for_each_target():
    found = intervene(POSET, block="a", slow={"b": 0.5})
    table = found.table()
    assert table["target"].tolist() == ["b", "c", "d"]
    assert table["blocked"].tolist() == ["a"] * 3
    assert table["slowed"].tolist() == ["b=0.5"] * 3
    genotypes = found.genotype_table()
    assert genotypes[["without", "with"]].sum().tolist() == pytest.approx([1, 1])
    assert "a blocked, b=0.5" in repr(found)
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"block": "x"}, "the model has no event 'x'"),
        ({}, "name an event to block"),
        ({"block": "d", "target": "d"}, "the target 'd' is blocked itself; block another"),
        ({"slow": {"a": 0}}, "the factor of 'a' must be a positive number, got 0"),
        ({"slow": {"a": -1.0}}, "the factor of 'a' must be a positive number, got -1"),
        ({"slow": {"a": "x"}}, "the factor of 'a' must be a positive number, got 'x'"),
        ({"slow": {"a": 0.5}, "block": "a"}, "'a' is blocked, so it cannot be slowed as well"),
        ({"slow": ["a"]}, "slow must be factors by event"),
        ({"block": EVENTS}, "all events are blocked"),
        ({"block": "a", "target": "x"}, "the model has no event 'x'"),
        ({"block": "a", "target": 5}, "the model has 4 events, so 5 of them are never reached"),
        ({"block": "a", "target": 0}, "target must be a whole number of at least 1, got 0"),
        ({"block": "a", "carried": "x"}, "the model has no event 'x'"),
        ({"block": "a", "replicates": 5}, "replicates need a fit with its data"),
        ({"block": "a", "simulated": 0}, "simulated must be"),
        ({"block": "a", "seed": -1}, "seed must be"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_by_name(given, message):
    with pytest.raises(ValueError, match=message):
        intervene(POSET, **given)


def test_without_a_clock_what_needs_one_is_refused():
    for given in ({"slow": {"a": 0.5}}, {"block": "a", "carried": "b"}):
        with pytest.raises(ValueError, match=r"no clock, .*; the methods stack, mhn and hcbn do"):
            intervene(FOREST, **given)
    with pytest.raises(ValueError, match="fitted must be the fit of a method"):
        intervene(Oncotree(), block="a")
    with pytest.raises(ValueError, match="there is no event left"):
        rank_blocks(CHAIN, "b", carried="a")


DATA = Dataset(POSET.sample(40, np.random.default_rng(8)).values, EVENTS)


def test_each_sample_is_asked_from_what_it_carries(timed):
    placed = place(timed, DATA, corrected=False, simulated=100)
    found = intervene_in_samples(placed, block="c", target="d")
    for row, name in enumerate(DATA.samples[:12]):
        carried = [event for event, there in zip(EVENTS, DATA.values[row], strict=True) if there]
        assert found.samples[row] == name
        assert found.reached[row] == ("d" in carried)
        assert found.concerned[row] == ("c" not in carried)
        alone = only(intervene(timed, block="c", target="d", carried=carried))
        expected = (alone.probability, alone.probability_with)
        assert found.probabilities[row] == pytest.approx(expected)
        times = (alone.median_time, alone.median_time_with)
        assert found.median_times[row] == pytest.approx(times)


def test_by_default_the_next_event_of_each_sample_is_asked_for():
    placed = place(HAZARDS, DATA, corrected=False, simulated=100)
    found = intervene_in_samples(placed, block="a", slow={"b": 0.5})
    for row in range(12):
        present = DATA.values[row]
        rates = HAZARDS.next_rates(present[None])[0]
        changed = rates * (0, 0.5, 1, 1)
        chances = [each.sum() / (1 + each.sum()) for each in (rates, changed)]
        assert found.probabilities[row] == pytest.approx(chances if not present.all() else [0, 0])
        best = [EVENTS[each.argmax()] if each.any() else "" for each in (rates, changed)]
        assert list(found.nexts[row]) == best
    table = found.table()
    assert set(table["target"]) == {"next event"}
    assert table.index.tolist() == list(DATA.samples)
    assert repr(found) == "<SampleOutlooks: 40 samples>"


def test_samples_of_a_mixture_count_parts_by_what_they_carry():
    mixture = Stacked((POSET, HAZARDS), (0.5, 0.5))
    placed = place(mixture, DATA, corrected=False, simulated=100)
    found = intervene_in_samples(placed, block="c", target="d")
    carried = [event for event, there in zip(EVENTS, DATA.values[3], strict=True) if there]
    alone = only(intervene(mixture, block="c", target="d", carried=carried))
    assert found.probabilities[3] == pytest.approx((alone.probability, alone.probability_with))


class Own(Independence):
    """A model of another package, without a clock, that does not say what blocking does."""

    blocked = None


def test_a_model_that_does_not_say_what_blocking_does_is_refused():
    with pytest.raises(ValueError, match="does not say what follows when events are blocked"):
        intervene(Own(EVENTS, (0.5,) * 4), block="a")


def test_samples_need_a_clock():
    placed = place(FOREST, DATA, simulated=100)
    with pytest.raises(ValueError, match="no clock"):
        intervene_in_samples(placed, block="a")
    with pytest.raises(ValueError, match="blocked itself"):
        intervene_in_samples(place(POSET, DATA, simulated=100), block="a", target="a")


def test_a_fit_answers_by_its_predictive_model():
    fit = HCBN(restarts=1).fit(datasets.acml())
    block, target = fit.model.events[:2]
    found = only(intervene(fit, block=block, target=target))
    assert replace(found, undetermined=None) == only(
        intervene(fit.predictive, block=block, target=target)
    )
