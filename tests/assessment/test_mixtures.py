"""Mixtures in a judgement: weights of a fold from all other folds, without another fit."""

from dataclasses import dataclass

import numpy as np
import pytest

from caprese import (
    CBN,
    MHN,
    Caprese,
    Dataset,
    IndependentEvents,
    SeenOrders,
    Stack,
    datasets,
    judge,
)
from caprese.assessment.held_out import fold_numbers, in_fixed_order
from caprese.assessment.prediction import Predictor
from caprese.fitting.stacking import stacking_weights
from caprese.models.stacked import Stacked
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

OVARIAN = datasets.ovarian()
MISSING = Dataset(OVARIAN.values, OVARIAN.events, known=np.arange(609).reshape(87, 7) % 6 > 0)
PARTS = ("independence", "caprese", "mhn:penalty_strength=0.05")
METHODS = (IndependentEvents(), Caprese(), MHN(penalty_strength=0.05))


def with_seen_orders(data):
    """The data, where in every second sample of several events two were seen in an order."""
    rows, rng = [], np.random.default_rng(4)
    for sample, own in list(zip(data.samples, data.values, strict=True))[::2]:
        present = [event for event, is_there in zip(data.events, own, strict=True) if is_there]
        if len(present) > 1:
            rows.append((sample, *sorted(rng.choice(present, 2, replace=False).tolist())))
    return data.with_orders(SeenOrders.from_rows(rows))


@dataclass(frozen=True)
class Apart:
    """A stack that nothing knows for one."""

    def fit(self, data):
        return Stack(parts=PARTS).fit(data)


def literal(data, folds, seed):
    """Log-probabilities and hidden entries, sample by sample, in the fixed order."""
    fixed, _ = in_fixed_order(data)
    (fold_of,) = fold_numbers(
        fixed, np.arange(len(fixed.samples)), folds=folds, repeats=1, seed=seed
    )
    models = [
        [
            method.fit(fixed.take_samples(np.flatnonzero(fold_of != fold))).predictive
            for method in METHODS
        ]
        for fold in range(folds)
    ]
    said = np.empty((len(METHODS), len(fixed.samples)))
    for fold, own in enumerate(models):
        rest = fixed.take_samples(np.flatnonzero(fold_of == fold))
        said[:, fold_of == fold] = [model.log_probabilities(rest) for model in own]
    likely, present = np.empty(len(fixed.samples)), np.empty(fixed.values.shape)
    for fold, own in enumerate(models):
        mixture = Stacked(tuple(own), stacking_weights(said[:, fold_of != fold]))
        training = fixed.take_samples(np.flatnonzero(fold_of != fold))
        members = {event: (event,) for event in fixed.events}
        predictor = Predictor.of(mixture, members, training)
        rest = fixed.take_samples(np.flatnonzero(fold_of == fold))
        found = predictor.log_probabilities(rest)
        likely[fold_of == fold] = found
        present[fold_of == fold] = predictor.entry_probabilities(rest, found)
    return fixed, likely, present


@pytest.mark.parametrize("data", [OVARIAN, MISSING], ids=["complete", "unknown entries"])
def test_the_weights_of_a_fold_come_from_all_other_folds(data):
    found = judge([Stack(parts=PARTS)], data, folds=4, seed=3)
    fixed, likely, present = literal(data, 4, 3)
    by_name = dict(zip(found.samples, found.log_probabilities[0], strict=True))
    expected = dict(zip(fixed.samples, likely, strict=True))
    assert by_name == pytest.approx(expected, abs=1e-9)
    observed = np.where(fixed.values, present, 1 - present)
    scores = [np.log(own[~np.isnan(own)]).mean() for own in observed.T]
    columns = [fixed.events.index(event) for event in data.events]
    np.testing.assert_allclose(found.entry_log_scores[0], np.array(scores)[columns], atol=1e-9)


def test_it_does_not_matter_which_of_its_parts_are_judged_too():
    stack = Stack(parts=PARTS)
    alone = judge([stack], OVARIAN, folds=4)
    beside = judge(
        [Caprese(), stack, MHN(penalty_strength=0.05), Caprese(shrinkage=0)], OVARIAN, folds=4
    )
    assert alone.methods == ("stack", "independence")
    assert (alone.log_probabilities[0] == beside.log_probabilities[1]).all()
    assert (alone.entry_briers[0] == beside.entry_briers[1]).all()
    caprese = judge([Caprese()], OVARIAN, folds=4).log_probabilities[0]
    assert (beside.log_probabilities[0] == caprese).all()


def test_each_repetition_has_weights_of_its_own():
    both = judge([Stack(parts=PARTS)], OVARIAN, folds=3, repeats=2).log_probabilities[0]
    assert np.isfinite(both).all()
    assert not np.allclose(both, judge([Stack(parts=PARTS)], OVARIAN, folds=3).log_probabilities[0])


def test_a_single_split_fits_a_stack_to_its_training_part():
    one = judge([Stack(parts=PARTS)], OVARIAN, folds=5, held_out=1)
    other = judge({"apart": Apart()}, OVARIAN, folds=5, held_out=1)
    assert (one.log_probabilities == other.log_probabilities).all()


def test_it_predicts_about_as_well_as_one_fitted_to_each_training_part():
    found = judge({"stack": Stack(parts=PARTS), "apart": Apart()}, OVARIAN, folds=5)
    assert abs(found.difference(0, 1).mean) < 0.02


def test_a_part_that_refuses_the_data_is_left_out_unless_it_is_judged_itself():
    rows = np.random.default_rng(1).random((40, 24)) < 0.3  # more events than a poset takes
    data = Dataset(rows, tuple(f"e{k:02}" for k in range(24)))
    parts = (*PARTS[:2], "cbn")
    found = judge([Stack(parts=parts)], data, folds=4)
    without = judge([Stack(parts=PARTS[:2])], data, folds=4)
    assert (found.log_probabilities == without.log_probabilities).all()
    with pytest.raises(ValueError, match="all genotypes of 24 events has up to 2\\^24 states"):
        judge([Stack(parts=parts), CBN()], data, folds=4)
    with pytest.raises(ValueError, match="no part of the stack takes the data"):
        judge([Stack(parts=parts[2:])], data, folds=4)


def test_the_order_of_rows_and_columns_does_not_matter():
    rng = np.random.default_rng(5)
    other = OVARIAN.take_samples(rng.permutation(87)).take_events(OVARIAN.events[::-1])
    one, two = (judge([Stack(parts=PARTS)], data, folds=4) for data in (OVARIAN, other))
    by_name = dict(zip(two.samples, two.log_probabilities[0], strict=True))
    assert [by_name[name] for name in one.samples] == pytest.approx(
        one.log_probabilities[0].tolist()
    )


def literal_orders(data, folds, seed, *, learn):
    """How probable a mixture finds each seen order, by sample, earlier and later event."""
    fixed, _ = in_fixed_order(data)
    numbers = np.arange(len(fixed.samples))
    (fold_of,) = fold_numbers(fixed, numbers, folds=folds, repeats=1, seed=seed)
    trained = fixed if learn else fixed.without_orders()
    parts = [np.flatnonzero(fold_of == fold) for fold in range(folds)]
    models = [
        [m.fit(trained.take_samples(np.flatnonzero(fold_of != fold))).predictive for m in METHODS]
        for fold in range(folds)
    ]
    said = [
        np.array([model.log_probabilities(fixed.take_samples(rows)) for model in own])
        for rows, own in zip(parts, models, strict=True)
    ]
    found = {}
    for fold, own in enumerate(models):
        weights = stacking_weights(np.concatenate(said[:fold] + said[fold + 1 :], axis=1))
        rest = fixed.take_samples(parts[fold])
        before = Stacked(tuple(own), weights).order_probabilities(rest, rest.orders.pairs)
        for (sample, one, other), probability in zip(rest.orders.pairs, before, strict=True):
            found[rest.samples[sample], rest.events[one], rest.events[other]] = probability
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_mixture_says_of_orders_is_what_its_parts_say_by_their_shares(jobs):
    data = with_seen_orders(OVARIAN)
    judged = judge([Stack(parts=PARTS)], data, folds=4, seed=3, jobs=jobs)
    assert judged.methods == ("stack", "independence", "stack + orders")
    found = judged.orders
    assert found.methods[:2] == ("stack", "stack + orders")
    names = [
        (found.samples[sample], found.events[one], found.events[other])
        for sample, one, other in found.pairs
    ]
    for place, learn in enumerate((False, True)):
        expected = literal_orders(data, 4, 3, learn=learn)
        own = dict(zip(names, found.probabilities[place], strict=True))
        assert own == pytest.approx(expected, abs=1e-9)
    assert not np.allclose(found.probabilities[0], found.probabilities[1])


def test_baselines_of_orders_do_not_depend_on_what_is_judged_beside_them():
    data = with_seen_orders(OVARIAN)
    stack = judge([Stack(parts=PARTS)], data, folds=4, repeats=2).orders
    other = judge([Caprese()], data, folds=4, repeats=2).orders
    assert (stack.probabilities[-3:] == other.probabilities[-3:]).all()
    assert (stack.probabilities[-3] == 0.5).all()


def test_a_single_split_fits_a_stack_with_and_without_seen_orders():
    data = with_seen_orders(OVARIAN)
    one = judge([Stack(parts=PARTS)], data, folds=3, held_out=1).orders
    other = judge({"apart": Apart()}, data, folds=3, held_out=1).orders
    assert (one.probabilities[0] == other.probabilities[0]).all()
    assert not np.allclose(one.probabilities[0], one.probabilities[1])


def test_parts_that_learn_from_no_orders_make_no_mixture_that_does():
    found = judge([Stack(parts=PARTS[:2])], with_seen_orders(OVARIAN), folds=4)
    assert found.methods == ("stack", "independence")
