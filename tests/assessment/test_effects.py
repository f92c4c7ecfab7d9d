"""The bootstrap of effects: intervals of rates and effects, and how often each effect is found."""

import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest

from caprese import (
    MHN,
    Caprese,
    Dataset,
    EffectConfidence,
    Fit,
    FormatError,
    Hazards,
    ModelError,
    bootstrap_effects,
    datasets,
)
from caprese.io.documents import document_text, read_document
from caprese.io.text.cells import frame_text
from caprese.simulation.replicates import Resamples, draws_like
from caprese.text.support import effect_confidence_lines
from contract.kinds import NoEvidence

FAST = MHN(penalty_strength=0.05)


@dataclass(frozen=True, kw_only=True)
class Lifts:
    """Effects that follow from pair counts at once: how much more often two events meet."""

    def fit(self, data: Dataset) -> Fit:
        samples = len(data.samples)
        present = data.values.sum(axis=0)
        effects = (data.values.T.astype(float) @ data.values + 1) / (
            present[:, None] * present / samples + 1
        )
        np.fill_diagonal(effects, 1)
        model = Hazards(data.events, (present + 1) / samples, effects, 1 + present / samples)
        return Fit.of(self, model, NoEvidence(), data)


def percentile(numbers, share):
    """Between the two of the sorted numbers that stand before and after so great a share."""
    ranked, place = sorted(numbers), share * (len(numbers) - 1)
    below = int(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])


@pytest.mark.parametrize("kind", ["nonparametric", "parametric"])
def test_intervals_and_shares_are_those_of_the_models_of_the_replicates(kind):
    data = datasets.ovarian()
    fit = Lifts().fit(data)
    sources = {
        "nonparametric": Resamples.of(data, 3),
        "parametric": draws_like(data, fit.model, 3),
    }
    models = [Lifts().fit(sources[kind].dataset(k)).model for k in range(11)]
    found = bootstrap_effects(fit, data, kind=kind, replicates=11, seed=3, jobs=1)
    assert found.replicates == 11
    place = {event: k for k, event in enumerate(data.events)}
    for row in found.table().itertuples():
        cause = place[row.cause]
        drawn = [
            model.observation[cause]
            if row.event == "observation"
            else model.effects[cause, place[row.event]]
            for model in models
        ]
        assert row.low == pytest.approx(percentile(drawn, 0.05))
        assert row.high == pytest.approx(percentile(drawn, 0.95))
        faster = sum(factor > 1.1 for factor in drawn)
        slower = sum(factor < 1 / 1.1 for factor in drawn)
        shares = [faster / 11, slower / 11, (11 - faster - slower) / 11]
        assert [row.speeds_up, row.slows_down, row.absent] == pytest.approx(shares)
    for row in found.rate_table().itertuples():
        drawn = [model.rates[place[row.Index]] for model in models]
        assert row.low == pytest.approx(percentile(drawn, 0.05))
        assert row.high == pytest.approx(percentile(drawn, 0.95))


def test_the_table_lists_the_effects_of_the_fit_with_the_strongest_first():
    table = bootstrap_effects(Lifts(), datasets.ovarian(), replicates=2, jobs=1).table()
    assert len(table) == 7 * 6 + 7
    strength = np.abs(np.log(table["factor"].to_numpy()))
    assert (np.diff(strength) <= 0).all()


@pytest.mark.slow
def test_the_answer_is_the_same_for_any_number_of_workers_and_any_order_of_rows_and_columns():
    data = datasets.acml()
    one = bootstrap_effects(FAST, data, replicates=4, jobs=1)
    assert one == bootstrap_effects(FAST.fit(data), data, replicates=4, jobs=2)
    turned = data.take_samples(np.arange(64)[::-1]).take_events(data.events[::-1])
    other = bootstrap_effects(FAST, turned, replicates=4, jobs=1)
    np.testing.assert_array_equal(other.drawn_effects[:, ::-1, ::-1], one.drawn_effects)
    np.testing.assert_array_equal(other.drawn_rates[:, ::-1], one.drawn_rates)


def test_fewer_replicates_are_the_first_ones_and_other_seeds_give_others():
    data = datasets.ovarian()
    many = bootstrap_effects(Lifts(), data, replicates=5, jobs=1)
    few = bootstrap_effects(Lifts(), data, replicates=3, jobs=1)
    np.testing.assert_array_equal(few.drawn_effects, many.drawn_effects[:3])
    other = bootstrap_effects(Lifts(), data, replicates=3, seed=2, jobs=1)
    assert (other.drawn_effects != few.drawn_effects).any()


def test_a_strength_that_was_chosen_is_kept_in_all_replicates():
    data = datasets.acml()
    fit = MHN(folds=2).fit(data)
    strength = fit.evidence.penalty_strength
    found = bootstrap_effects(fit, data, replicates=2, jobs=1)
    assert found.kept == (("penalty_strength", strength),)
    given = bootstrap_effects(MHN(penalty_strength=strength), data, replicates=2, jobs=1)
    assert given.kept == ()
    assert replace(found, kept=()) == given


def test_an_event_that_is_in_no_sample_has_no_effects():
    data = Dataset.from_rows([[1, 0], [0, 0], [1, 0]], events="ab")
    table = bootstrap_effects(FAST, data, replicates=3, jobs=1).table()
    assert table["absent"].tolist() == [1.0, 1.0]


def test_one_event_alone_has_a_rate_and_no_effects():
    data = Dataset.from_rows([[1], [0]], events="a")
    found = bootstrap_effects(FAST, data, replicates=2, jobs=1)
    assert found.table().empty
    assert effect_confidence_lines(found)[-1].startswith("no event changes the rate")


def test_an_interruption_carries_the_replicates_done(interrupted):
    data = datasets.ovarian()
    with interrupted(after=3), pytest.raises(KeyboardInterrupt) as interruption:
        bootstrap_effects(Lifts(), data, replicates=8, jobs=1)
    whole = bootstrap_effects(Lifts(), data, replicates=3, jobs=1)
    assert interruption.value.confidence == whole


def test_an_interruption_before_the_first_replicate_carries_nothing(monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(Resamples, "dataset", interrupted)
    with pytest.raises(KeyboardInterrupt) as interruption:
        bootstrap_effects(Lifts(), datasets.acml(), replicates=2, jobs=1)
    assert interruption.value.confidence is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"replicates": 0}, "replicates must be a whole number of at least 1, got 0"),
        ({"seed": -1}, "seed must be a whole number from 0 to 9223372036854775807, got -1"),
        ({"jobs": 0}, "jobs must be a whole number of at least 1, got 0"),
        ({"kind": "wild"}, "kind must be one of nonparametric, parametric, got 'wild'"),
        ({"kind": "statistical"}, "kind must be one of nonparametric, parametric, got 'statis"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_effects(Lifts(), datasets.acml(), **settings)


def test_a_model_without_effects_is_refused():
    with pytest.raises(ModelError, match=r"^this model has no effects of events on each other"):
        bootstrap_effects(Caprese(), datasets.acml())


SMALL = EffectConfidence(
    ("-7q", "b"),
    rates=np.array([0.5, 2.0]),
    effects=np.array([[1.0, 4.0], [0.96, 1.0]]),
    observation=np.ones(2),
    drawn_rates=np.array([[0.4, 1.0], [0.6, 3.0]]),
    drawn_effects=np.array([[[1.0, 5.0], [0.5, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]),
    drawn_observation=np.ones((2, 2)),
    kind="parametric",
    kept=(("penalty_strength", 0.046),),
    seed=1,
    digest="none",
)


def test_it_is_told_in_lines():
    assert effect_confidence_lines(SMALL) == [
        "2 replicates, simulated from the fitted model; low and high are the 5th and 95th "
        "percentile",
        "penalty_strength 0.046 was chosen once, from the data, and kept in all replicates",
        "",
        "event  base rate    low   high",
        "-7q        0.500  0.410  0.590",
        "b          2.000  1.100  2.900",
        "",
        "the strongest of 2 effects, and the share of replicates in which each speeds up or slows "
        "down by more than 10 %",
        "effect    factor    low   high  speeds up  slows down  absent",
        "-7q on b   4.000  1.200  4.800       50 %         0 %    50 %",
    ]


def test_the_table_in_text_has_one_line_for_each_effect_and_guards_formulas_on_request():
    assert frame_text(SMALL.table()).splitlines() == [
        "cause,event,factor,low,high,speeds_up,slows_down,absent",
        "-7q,b,4,1.2,4.8,0.5,0,0.5",
        "b,-7q,0.96,0.525,0.975,0,0.5,0.5",
    ]
    guarded = frame_text(SMALL.table(), delimiter="\t", guard_formulas=True)
    assert guarded.splitlines()[1].startswith("'-7q\tb\t4\t")


def test_it_comes_back_from_a_pickle_and_from_its_file(tmp_path):
    assert pickle.loads(pickle.dumps(SMALL)) == SMALL
    path = tmp_path / "effects.json"
    path.write_text(document_text(SMALL))
    assert read_document(path) == SMALL


def test_a_damaged_file_is_refused_with_the_place(tmp_path):
    path = tmp_path / "effects.json"
    path.write_text(document_text(SMALL).replace('"kind": "parametric"', '"kind": "wild"'))
    with pytest.raises(FormatError, match=r"confidence\.kind: expected one of"):
        read_document(path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rates": np.ones(3)}, r"rates must have shape \(2,\), got \(3,\)"),
        ({"drawn_effects": np.ones((2, 2))}, r"drawn_effects must have shape \(2, 2, 2\)"),
        ({"effects": np.zeros((2, 2))}, "effects must be positive and finite"),
    ],
)
def test_numbers_that_do_not_belong_together_are_refused(changed, message):
    with pytest.raises(ModelError, match=message):
        replace(SMALL, **changed)


def test_it_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        SMALL.drawn_rates[0, 0] = 1
