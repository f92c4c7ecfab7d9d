"""The judgement, against a literal definition, and that nothing leaks from held-out samples."""

import json
import math
import re
from collections import Counter

import numpy as np
import pytest

from caprese import (
    HCBN,
    BayesForest,
    Caprese,
    Dataset,
    Independence,
    IndependentEvents,
    LikelihoodForest,
    Oncotree,
    Poset,
    datasets,
    estimate,
    judge,
    read_judgement,
    write_judgement,
)
from caprese._core.facts import CHAINS_DISAGREE
from caprese._core.progress import listening
from caprese.assessment.held_out import fold_numbers, gain_of, group_numbers, in_fixed_order
from caprese.assessment.judgement import Doubt, Judgement
from caprese.assessment.prediction import Given, Learnt
from caprese.data.curation import DropConstant, KeepMostFrequent, MergeEvents, MergeIdentical
from caprese.fitting.estimate import predictive
from caprese.text.comparison import (
    caution_sentence,
    finding_lines,
    gain_digits,
    verdict_sentence,
)
from caprese.text.facts import in_words
from caprese.text.sentences import plain

pytestmark = pytest.mark.slow

OVARIAN = datasets.ovarian()
QUICK = [Caprese(), Oncotree()]


def shuffled(data, seed):
    rng = np.random.default_rng(seed)
    rows = data.take_samples(rng.permutation(len(data.samples)))
    return rows.take_events([data.events[k] for k in rng.permutation(len(data.events))])


def with_unknown(data, share, seed):
    known = np.random.default_rng(seed).random(data.values.shape) >= share
    return Dataset(data.values, data.events, data.samples, known)


def random_data(samples, events, seed):
    values = np.random.default_rng(seed).random((samples, events)) < 0.4
    return Dataset(values, tuple(f"e{k}" for k in range(events)))


def literal_scores(method, data, folds, seed):
    """Each sample predicted by a fit to all samples of other folds."""
    fixed, order = in_fixed_order(data)
    (fold,) = fold_numbers(fixed, np.arange(len(order)), folds=folds, repeats=1, seed=seed)
    scores = {}
    for row, name in enumerate(fixed.samples):
        training = fixed.take_samples([k for k in range(len(order)) if fold[k] != fold[row]])
        model = method.fit(training).predictive
        scores[name] = float(model.log_probabilities(fixed.take_samples([row]))[0])
    return [scores[name] for name in data.samples]


def test_each_sample_is_scored_by_a_fit_to_the_other_folds():
    data = datasets.acml()
    found = judge([Caprese()], data, folds=4, seed=3)
    for place, method in enumerate((Caprese(), IndependentEvents())):
        expected = literal_scores(method, data, folds=4, seed=3)
        np.testing.assert_allclose(found.log_probabilities[place], expected, rtol=1e-9)
    assert found.samples == data.samples


def test_a_hidden_entry_is_predicted_from_both_completions():
    data = with_unknown(OVARIAN, 0.1, seed=1)
    predictor = Learnt(Caprese(), ()).learn(data)
    rows = data.take_samples(range(5))
    found = predictor.entry_probabilities(rows, predictor.log_probabilities(rows))
    model = Caprese().fit(data).predictive
    for row in range(5):
        for event in range(7):
            if rows.known is not None and not rows.known[row, event]:
                assert np.isnan(found[row, event])
                continue
            both = []
            for value in (False, True):
                values = rows.values[[row]].copy()
                values[0, event] = value
                one = Dataset(values, rows.events, (), rows.known[[row]])
                both.append(math.exp(model.log_probabilities(one)[0]))
            assert found[row, event] == pytest.approx(both[1] / sum(both))


def test_the_scores_of_hidden_entries_have_their_definitions():
    data = OVARIAN.take_events(OVARIAN.events[:3])
    found = judge([Caprese()], data, folds=3, seed=2)
    fixed, _ = in_fixed_order(data)
    (fold,) = fold_numbers(fixed, np.arange(87), folds=3, repeats=1, seed=2)
    column = fixed.events.index(data.events[1])
    logs, squares, better, pairs = [], [], 0.0, 0
    for each in range(3):
        predictor = Learnt(Caprese(), ()).learn(fixed.take_samples(np.flatnonzero(fold != each)))
        rows = fixed.take_samples(np.flatnonzero(fold == each))
        guess = predictor.entry_probabilities(rows, predictor.log_probabilities(rows))[:, column]
        truth = rows.values[:, column]
        logs += np.log(np.where(truth, guess, 1 - guess)).tolist()
        squares += ((guess - truth) ** 2).tolist()
        for high in guess[truth]:
            for low in guess[~truth]:
                tie = abs(high - low) < 1e-9
                better, pairs = better + (0.5 if tie else float(high > low)), pairs + 1
    assert found.entry_log_scores[0, 1] == pytest.approx(np.mean(logs))
    assert found.entry_briers[0, 1] == pytest.approx(np.mean(squares))
    assert found.entry_aucs[0, 1] == pytest.approx(better / pairs)
    assert (found.entries[1], found.pairs[1]) == (87, pairs)


def test_always_saying_the_frequency_ranks_no_sample_above_another():
    found = judge(QUICK, OVARIAN, folds=5)
    np.testing.assert_allclose(found.entry_aucs[found.reference], 0.5)


def literal_error(over_samples, part_means, samples, folds=5):
    """The standard error over data sets, from that over samples and the means by training part."""
    mean = sum(part_means) / folds
    between = 3 * (folds - 1) / folds * sum((each - mean) ** 2 for each in part_means)
    r, c = between / over_samples**2, folds / (folds - 1)
    return math.sqrt(over_samples**2 * (1 + c * r / (c + r)) + (0.7 / samples) ** 2)


def means_by_part(one, other, data, folds=5):
    """The mean difference over all samples of two methods, fitted to each training part."""
    fixed, order = in_fixed_order(data)
    (fold,) = fold_numbers(fixed, np.arange(len(order)), folds=folds, repeats=1, seed=1)
    found = []
    for each in range(folds):
        training = fixed.take_samples(np.flatnonzero(fold != each))
        first, second = (
            method.fit(training).predictive.log_probabilities(fixed) for method in (one, other)
        )
        found.append(float((first - second).mean()))
    return found


def test_standard_errors_are_paired_over_samples_and_grow_with_what_varies_between_fits():
    found = judge(QUICK, OVARIAN, folds=5)
    difference = found.log_probabilities[0] - found.log_probabilities[1]
    one = found.difference(0, 1)
    assert one.mean == pytest.approx(difference.mean())
    over_samples = difference.std(ddof=1) / math.sqrt(87)
    means = means_by_part(*QUICK, OVARIAN)
    assert np.ptp(means) > 0
    assert one.error == pytest.approx(literal_error(over_samples, means, 87))
    assert found.difference(0, 0).mean == found.difference(0, 0).error == 0


def test_fits_that_are_the_same_by_chance_leave_an_error():
    found = judgement_of([[-1.0] * 50, [-1.0] * 50])
    assert found.difference(0, 1).mean == 0
    assert found.difference(0, 1).error == pytest.approx(0.7 / 50)


def test_an_error_without_fits_to_compare_takes_the_most_that_they_may_add():
    rows = [noisy(-1.0), noisy(-1.2, seed=2)]
    over_samples = np.std(rows[0] - rows[1], ddof=1) / 8
    without = judgement_of(rows, part_scores=None)  # 2 folds, both held out: twice as much more
    most = math.sqrt(3 * over_samples**2 + (0.7 / 64) ** 2)
    assert without.difference(0, 1).error == pytest.approx(most)
    split = judge(QUICK, OVARIAN, folds=5, held_out=1)
    difference = split.log_probabilities[0] - split.log_probabilities[1]
    variance = difference.var(ddof=1) / 18 * (1 + 1 / 4) + (0.7 / 18) ** 2
    assert split.difference(0, 1).error == pytest.approx(math.sqrt(variance))


def test_an_error_over_repetitions_takes_the_mean_of_what_varies_within_each():
    found = judge(QUICK, OVARIAN, folds=3, repeats=2)
    difference = found.log_probabilities[0] - found.log_probabilities[1]
    means = (found.part_scores[0] - found.part_scores[1]).reshape(2, 3)
    spread = np.mean([3 * each.var() for each in means])
    folded = [math.sqrt(spread / 3), -math.sqrt(spread / 3), 0.0]  # of sum of squares 2/3 spread
    over_samples = difference.std(ddof=1) / math.sqrt(87)
    assert found.difference(0, 1).error == pytest.approx(
        literal_error(over_samples, [each * math.sqrt(1.5) for each in folded], 87, folds=3)
    )


def test_standard_errors_are_over_groups_where_there_are_groups():
    twice = Dataset(np.repeat(OVARIAN.values, 2, axis=0), OVARIAN.events)
    labels = [str(k // 2) for k in range(174)]
    alone = judge(QUICK, twice, folds=3)
    grouped = judge(QUICK, twice, folds=3, groups=labels)
    difference = grouped.log_probabilities[0] - grouped.log_probabilities[2]
    sums = difference.reshape(-1, 2).mean(axis=1)  # two samples of a patient count as one
    over_groups = sums.std(ddof=1) / math.sqrt(87)
    means = grouped.part_scores[0] - grouped.part_scores[2]
    expected = literal_error(over_groups, means.tolist(), 87, folds=3)
    assert grouped.difference(0, 2).error == pytest.approx(expected)
    assert len(np.unique(alone.groups)) == 174


def test_a_group_is_never_divided():
    labels = [f"p{k % 20}" for k in range(87)]
    fixed, order = in_fixed_order(OVARIAN)
    numbers = group_numbers(OVARIAN, labels)[order]
    for fold in fold_numbers(fixed, numbers, folds=5, repeats=3, seed=1):
        assert all(len(set(fold[numbers == group])) == 1 for group in range(20))


def test_groups_can_be_given_by_sample_name():
    by_name = dict.fromkeys(OVARIAN.samples[:10], "one")
    numbers = group_numbers(OVARIAN, by_name)
    assert len(set(numbers[:10])) == 1
    assert len(set(numbers.tolist())) == 78


@pytest.mark.parametrize("data", [OVARIAN, with_unknown(OVARIAN, 0.2, seed=4)])
def test_the_order_of_rows_and_columns_does_not_matter(data):
    methods = [LikelihoodForest(perturbations=0), Caprese()]
    one, other = (judge(methods, each, folds=4) for each in (data, shuffled(data, 5)))
    np.testing.assert_allclose(one.scores, other.scores, rtol=1e-12)
    scores = [
        dict(zip(each.samples, each.log_probabilities[0], strict=True)) for each in (one, other)
    ]
    assert scores[0] == scores[1]
    assert one.event_table().loc["8q+"].equals(other.event_table().loc["8q+"])


def test_names_of_samples_do_not_matter_either():
    renamed = Dataset(OVARIAN.values[::-1], OVARIAN.events)
    one, other = (judge(QUICK, each, folds=4) for each in (OVARIAN, renamed))
    np.testing.assert_allclose(one.scores, other.scores, rtol=1e-12)


def test_the_number_of_workers_does_not_matter(monkeypatch):
    monkeypatch.setattr("caprese._core.workers._ALONE", 0.0)
    assert judge(QUICK, OVARIAN, folds=3, jobs=2) == judge(QUICK, OVARIAN, folds=3, jobs=1)


def test_the_seed_decides_the_folds():
    one, same, other = (judge(QUICK, OVARIAN, folds=4, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.scores.tolist() != other.scores.tolist()


def test_nothing_that_is_learnt_depends_on_held_out_samples(monkeypatch):
    """Events of held-out samples are permuted; the models of all folds stay the same."""
    learnt = []
    usual = Learnt.learn

    def recorded(self, training):
        predictor = usual(self, training)
        learnt.append((predictor.model, predictor.members, predictor.frequencies))
        return predictor

    monkeypatch.setattr(Learnt, "learn", recorded)
    rules = (DropConstant(), KeepMostFrequent(5), MergeIdentical())
    from caprese.assessment import held_out as module

    fixed, _ = in_fixed_order(OVARIAN)
    (fold,) = fold_numbers(fixed, np.arange(87), folds=3, repeats=1, seed=1)
    mixed = fixed.values.copy()
    mixed[fold == 0] = mixed[fold == 0][:, np.random.default_rng(1).permutation(7)]
    permuted = Dataset(mixed, fixed.events, fixed.samples)
    entry = Learnt(LikelihoodForest(perturbations=1), rules)
    works = [module._Work(data, np.arange(87), None, ()) for data in (fixed, permuted)]
    parts = [module._predicted(entry, work, np.flatnonzero(fold == 0)) for work in works]
    assert learnt[0] == learnt[1]
    assert not np.array_equal(parts[0].log_probabilities, parts[1].log_probabilities)


def test_an_event_that_curation_drops_is_predicted_by_its_frequency():
    values = np.column_stack([OVARIAN.values, np.arange(87) == 0])  # seen in one sample only
    data = Dataset(values, (*OVARIAN.events, "rare"), OVARIAN.samples)
    found = judge([Caprese()], data, folds=5, rules=[DropConstant()])
    plain = judge([Caprese()], data, folds=5)
    column = data.events.index("rare")
    assert found.unmodelled[0].tolist() == [0] * 7 + [1]
    assert found.entry_aucs[found.reference, column] == 0.5
    (note,) = [fact for fact in found.notes if fact.kind == "dropped in training"]
    assert note.events == ("rare",)
    assert "Dropped by the curation in up to 1 of 5 training parts" in in_words([note])[0]
    carrier = data.samples.index("1")
    assert plain.log_probabilities[0, carrier] != found.log_probabilities[0, carrier]


def test_where_curation_drops_everything_all_events_are_independent():
    data = Dataset.from_rows([[1, 0], [0, 0], [0, 0], [0, 1]], events="ab")
    found = judge([Caprese()], data, folds=4, rules=[DropConstant(), KeepMostFrequent(2)])
    assert np.isfinite(found.scores[found.reference])


def test_identical_events_predict_each_other():
    values = np.column_stack([OVARIAN.values, OVARIAN.values[:, 0]])
    data = Dataset(values, (*OVARIAN.events, "copy"), OVARIAN.samples)
    training, rows = data.take_samples(range(80)), data.take_samples(range(80, 87))
    predictor = Learnt(Caprese(), (MergeIdentical(),)).learn(training)
    assert sorted(predictor.members["8q+ / copy"]) == ["8q+", "copy"]
    without = Learnt(Caprese(), ()).learn(training.take_events(OVARIAN.events))
    expected = without.log_probabilities(rows.take_events(OVARIAN.events)) + math.log(81 / 82)
    np.testing.assert_allclose(predictor.log_probabilities(rows), expected)


def test_a_predictor_is_a_distribution_over_all_events():
    data = random_data(40, 4, seed=3)
    values = np.column_stack([data.values, data.values[:, 0], np.zeros(40, bool)])
    data = Dataset(values, (*data.events, "copy", "never"))
    predictor = Learnt(Caprese(), (DropConstant(), MergeIdentical())).learn(data)
    everything = Dataset((np.arange(64)[:, None] >> np.arange(6)) & 1, data.events)
    assert np.exp(predictor.log_probabilities(everything)).sum() == pytest.approx(1)


def test_rules_that_merge_events_that_differ_are_refused():
    message = "event '3q+ / 8q+ x' is not in the data that is judged"
    with pytest.raises(ValueError, match=re.escape(message)):
        judge([Caprese()], OVARIAN, rules=[MergeEvents(["8q+", "Xp-"], into="3q+ / 8q+ x")])


def test_the_structure_of_a_model_is_kept_and_its_numbers_are_estimated():
    forest = Caprese().fit(OVARIAN).model
    found = judge({"published": forest}, OVARIAN, folds=3)
    assert found.given == (True, False)
    assert found.seen == (False, False)
    fixed, _ = in_fixed_order(OVARIAN)
    predictor = Given.of(forest, fixed).learn(fixed)
    model = predictive(estimate(forest, OVARIAN), 87)
    expected = model.log_probabilities(OVARIAN).sum()
    assert predictor.log_probabilities(fixed).sum() == pytest.approx(expected)


def test_a_poset_a_model_without_edges_and_fewer_events_can_be_judged():
    poset = Poset(OVARIAN.events[:4], ((), (0,), (0,), (1, 2)))
    flat = Independence(OVARIAN.events, np.full(7, 0.5))
    found = judge({"poset": poset, "flat": flat}, OVARIAN, folds=3)
    assert np.isfinite(found.scores).all()
    note, *_others = found.notes
    assert in_words([note]) == [
        "Not in the model of poset, and predicted by frequency: 8p-, 1q+ and Xp-."
    ]


def test_a_model_of_other_events_is_refused():
    with pytest.raises(ValueError, match="event 'x' is not in the data that is judged"):
        judge([Poset(("8q+", "x"), ((), (0,)))], OVARIAN)


def test_a_fit_to_the_same_samples_is_said_to_have_seen_them():
    fit = Caprese().fit(OVARIAN)
    found = judge({"own": fit}, OVARIAN, folds=3)
    assert found.seen == (True, False)
    assert in_words(found.notes[:1]) == [
        "The structure of own was learnt from these very samples, so its score is too good; judge "
        "its method instead, or judge it on other data."
    ]
    half = OVARIAN.take_samples(range(44))
    assert judge([fit], half, folds=3).seen == (False, False)


def test_given_models_are_named_in_turn():
    fit = Caprese().fit(OVARIAN)
    assert judge([fit, fit.model], OVARIAN, folds=2).methods[:2] == ("fit of caprese", "Forest")
    both = judge([Caprese(), Caprese(shrinkage=0.01)], OVARIAN, folds=2).methods
    assert both == ("caprese (shrinkage 0.5)", "caprese (shrinkage 0.01)", "independence")


def test_an_impossible_sample_is_reported():
    found = judgement_of([[-1.0, -math.inf], [-1.0, -1.0]])
    assert found.impossible.tolist() == [1, 0]
    assert found.gains[0].mean == -math.inf
    assert in_words(found.verdict) == [
        "No order is supported by these 2 samples: one does not predict better than independent "
        "events",
        "one calls some samples impossible",
    ]
    assert in_words(found.notes) == [
        "one gives probability 0 to 1 held-out sample.",
        "No order of events was seen in these samples surely enough, so nothing is said of "
        "directions: the method that predicts best may still order events the wrong way round.",
    ]


def judgement_of(log_probabilities, **more):
    """A judgement of methods one, two, ... and independence, which is the last."""
    rows = np.array(log_probabilities)
    m, s = rows.shape
    names = ("one", "two", "three")[: m - 1]
    scores = np.zeros((m, 1))
    return Judgement(
        methods=(*names, "independence"),
        reference=m - 1,
        events=("a",),
        samples=tuple(map(str, range(s))),
        groups=np.arange(s),
        log_probabilities=rows,
        entry_log_scores=scores,
        entry_briers=scores,
        entry_aucs=scores,
        entries=np.array([s]),
        pairs=np.array([1]),
        unmodelled=np.zeros((m, 1)),
        given=(False,) * m,
        seen=(False,) * m,
        folds=2,
        held_out=2,
        repeats=1,
        seed=1,
        digest="",
        **({"part_scores": np.zeros((m, 2))} | more),
    )


def noisy(mean, samples=64, seed=1, spread=0.1):
    values = np.random.default_rng(seed).normal(0, spread, samples)
    return mean + values - values.mean()


def test_the_verdict_says_that_no_order_is_supported():
    found = judgement_of([noisy(-2.0, spread=1.0), noisy(-2.01, seed=2)])
    assert not found.supports_order
    assert in_words(found.verdict) == [
        "No order is supported by these 64 samples: one does not predict better than independent "
        f"events, though a gain of {found.detectable:.2g} nats per sample would have been detected"
    ]


def test_half_of_the_methods_would_have_shown_a_detectable_gain():
    rows = [noisy(-2.0, spread=1.0), noisy(-2.0, seed=3, spread=0.4), noisy(-2.0, seed=4)]
    found = judgement_of([*rows, np.full(64, -2.0)])
    shown = [math.hypot(np.std(row, ddof=1) / 8, 0.7 / 64) * found.errors for row in rows]
    assert found.detectable == pytest.approx(sorted(shown)[1])


def test_the_verdict_says_which_is_best_and_by_how_much_others_are_worse():
    rows = [noisy(-1.0), noisy(-1.18, seed=2), noisy(-1.001, seed=3), noisy(-2.0, seed=4)]
    found = judgement_of(rows)
    assert in_words(found.verdict) == [
        "one predicts best, better than independent events by 1.00 ± 0.02 nats per sample",
        "three is not clearly worse (by 0.00 ± 0.02 nats per sample)",
        "two is worse by 0.18 ± 0.02 nats per sample",
    ]


def test_a_higher_score_that_is_not_beyond_chance_is_said_to_be_higher():
    rows = [noisy(-1.0), noisy(-0.9, seed=2, spread=9.0), noisy(-2.0, seed=4)]
    found = judgement_of(rows)
    assert found.methods[found.best] == "one"
    _, higher = in_words(found.verdict)
    assert re.fullmatch(
        r"two is higher in score, by \d\.\d+ ± \d\.\d+ nats per sample, but not clearly better "
        "than independent events",
        higher,
    )


@pytest.mark.parametrize(
    ("means", "said"),
    [
        (
            (-1.0, -1.001, -1.002, -2.0),
            "; two and three are not clearly worse (by 0.00 ± 0.02 and 0.00 ± 0.02 nats per "
            "sample).",
        ),
        (
            (-1.0, -1.2, -1.3, -2.0),
            "; two and three are worse by 0.20 ± 0.02 and 0.30 ± 0.02 nats per sample.",
        ),
        (
            (-2.0, -3.0, -4.0, -2.0),
            ": none of one, two, three predicts better than independent events, though a gain of "
            "0.05 nats per sample would have been detected; two and three predict worse than "
            "independent events, by 1.00 ± 0.02 and 2.00 ± 0.02 nats per sample.",
        ),
        (
            (-1.0, -math.inf, -math.inf, -2.0),
            "; two and three are worse: they call some samples impossible.",
        ),
        (
            (-2.0, -math.inf, -math.inf, -2.0),
            ": none of one, two, three predicts better than independent events, though a gain of "
            "0.051 nats per sample would have been detected; two and three call some samples "
            "impossible.",
        ),
    ],
)
def test_the_verdict_says_only_once_what_is_the_same_of_several_methods(means, said):
    rows = [noisy(mean, seed=place) for place, mean in enumerate(means)]
    assert plain(verdict_sentence(judgement_of(rows))).endswith(said)


def test_the_number_of_methods_raises_the_bar():
    assert judgement_of([noisy(-1), noisy(-1)]).errors == pytest.approx(1.998, abs=0.001)
    assert judgement_of([noisy(-1)] * 4).errors == pytest.approx(2.459, abs=0.001)
    many = [np.zeros(100_000), np.ones(100_000)]
    assert judgement_of(many).errors == pytest.approx(1.96, abs=0.001)


def test_a_gain_by_chance_is_rarely_declared_where_events_are_independent():
    declared = 0
    for seed in range(20):
        declared += judge(QUICK, random_data(60, 5, seed=[7, seed]), folds=5, jobs=1).better.any()
    assert declared <= 3  # 5 % of 20 and two standard deviations


def test_an_order_is_found_where_there_is_one():
    rng = np.random.default_rng(8)
    chain = np.cumprod(rng.random((300, 5)) < 0.7, axis=1).astype(bool)
    found = judge(QUICK, Dataset(chain, tuple("abcde")), folds=5)
    assert found.better[:2].all()
    assert found.verdict[0].kind == "predicts best"


def test_a_single_split_scores_the_samples_of_one_fold():
    found = judge(QUICK, OVARIAN, folds=5, held_out=1)
    whole = judge(QUICK, OVARIAN, folds=5)
    assert len(found.samples) == 18
    places = [whole.samples.index(name) for name in found.samples]
    np.testing.assert_array_equal(found.log_probabilities, whole.log_probabilities[:, places])


def test_repetitions_are_averaged():
    found = judge(QUICK, OVARIAN, folds=3, repeats=2)
    assert found.entries.tolist() == [174] * 7
    assert judge(QUICK, OVARIAN, folds=3).scores.tolist() != found.scores.tolist()


def test_what_fits_say_against_themselves_is_counted_over_training_parts():
    methods = {"few": BayesForest(chains=2, draws=20, warm_up=5), "one": Caprese()}
    found = judge(methods, OVARIAN, folds=3, jobs=1)
    fixed, _ = in_fixed_order(OVARIAN)
    (fold,) = fold_numbers(fixed, np.arange(87), folds=3, repeats=1, seed=1)
    expected = Counter()
    for each in range(3):
        training = fixed.take_samples(np.flatnonzero(fold != each))
        expected.update(
            note.doubt for note in methods["few"].fit(training).evidence.notes() if note.doubt
        )
    assert sum(expected.values()) == 3
    assert {each.what: each.parts for each in found.doubts} == expected
    assert {each.method for each in found.doubts} == {"few"}
    assert any(
        line.startswith("Of 3 fits to training parts by few: chains ")
        for line in in_words(found.notes)
    )


def test_doubts_that_several_methods_share_are_said_once():
    both = [Doubt(name, "several optima", 2) for name in ("one", "two")]
    found = judgement_of([noisy(-1.0)] * 3, doubts=(*both, Doubt("one", "chains too short", 1)))
    assert [line for line in in_words(found.notes) if "training" in line] == [
        "Of 2 fits to training parts by one: several optima in 2, chains too short in 1.",
        "Of 2 fits to training parts by two: several optima in 2.",
    ]
    found = judgement_of([noisy(-1.0)] * 3, doubts=both)
    assert "Of 2 fits to training parts by one, two: several optima in 2." in in_words(found.notes)


@pytest.mark.parametrize(("parts", "said"), [(1, False), (2, True)])
def test_a_best_method_whose_chains_mostly_disagree_is_named_with_what_follows(parts, said):
    doubts = (Doubt("one", CHAINS_DISAGREE, parts), Doubt("two", CHAINS_DISAGREE, 2))
    found = judgement_of([noisy(mean) for mean in (-1.0, -1.2, -2.0)], doubts=doubts)
    words = (
        "In 2 of 2 fits to training parts the chains of one found different answers: its "
        "predictions are averages over what they found, but its edges are not to be relied on."
    )
    assert plain(caution_sentence(found)) == (words if said else "")
    assert finding_lines(found)[1].startswith(words if said else "Next: ")
    assert found.disagreeing == (("one", "two") if said else ("two",))
    assert found.word.cautions == found.cautions


def test_without_a_supported_order_no_best_method_is_cautioned_of():
    doubts = (Doubt("one", CHAINS_DISAGREE, 2),)
    found = judgement_of([noisy(-2.0), noisy(-2.0, seed=2)], doubts=doubts)
    assert (found.supports_order, found.cautions) == (False, ())


def test_the_auc_of_folds_of_one_sample_is_not_defined(tmp_path):
    found = judge([Caprese()], datasets.acml().take_samples(range(6)), folds=6)
    assert np.isnan(found.entry_aucs).all()
    (row,) = (line for line in finding_lines(found) if re.match(r"caprese +-\S+ +\S+ +\S+$", line))
    assert row.split()[-1] == "-"
    write_judgement(found, tmp_path / "judged.json")
    content = json.loads((tmp_path / "judged.json").read_text())
    assert content["judgement"]["entry_aucs"][0] == [None] * 3
    assert read_judgement(tmp_path / "judged.json") == found


def test_all_gains_are_shown_in_the_decimals_of_the_smallest_error():
    found = judgement_of([noisy(mean, 256, seed=2) for mean in (-1.0, -1.2, -1.201)])
    assert gain_digits(found) == 3
    gains = [line for line in finding_lines(found) if "±" in line][-2:]
    assert all(re.search(r" \d\.\d{3} ± 0\.\d{3} ", line) for line in gains)


def test_progress_is_reported():
    told = []
    with listening(lambda *report: told.append(report)):
        judge(QUICK, datasets.acml(), folds=2)
    assert told == [("fits", done, 6) for done in range(1, 7)]


def test_a_judgement_comes_back_from_its_file(tmp_path):
    found = judge(QUICK, with_unknown(OVARIAN, 0.3, seed=6), folds=3)
    write_judgement(found, tmp_path / "judged.json")
    assert read_judgement(tmp_path / "judged.json") == found
    odd = judgement_of([[-1.0, -math.inf], [-1.0, -1.0]])
    write_judgement(odd, tmp_path / "odd.json")
    assert read_judgement(tmp_path / "odd.json") == odd


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"folds": 1}, "folds must be a whole number of at least 2, got 1"),
        ({"folds": 88}, "folds must be from 2 to 87, the number of samples, got 88"),
        ({"repeats": 0}, "repeats must be a whole number from 1 to 10000, got 0"),
        ({"seed": -1}, "seed must be a whole number from 0 to 9223372036854775807, got -1"),
        ({"jobs": 0}, "jobs must be a whole number of at least 1, got 0"),
        ({"held_out": 6}, "held_out must be a whole number from 1 to 5, got 6"),
        ({"groups": ["p"] * 3}, "groups must be one label for each of the 87 samples, got 3"),
        ({"groups": ["p", "q"] * 43 + ["p"]}, "folds must be from 2 to 2, the number of groups"),
        ({"groups": {"x": "p"}}, "groups must be labels of samples of the data, got {'x': 'p'}"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        judge(QUICK, OVARIAN, **settings)


def test_the_same_method_twice_is_refused():
    with pytest.raises(ValueError, match="methods must be different, or named"):
        judge([Caprese(), Caprese()], OVARIAN)
    with pytest.raises(ValueError, match="independence is the name of independent events"):
        judge({"independence": Caprese()}, OVARIAN)


def test_a_given_model_is_never_learnt_anew():
    fixed, _ = in_fixed_order(OVARIAN)
    entry = Given.of(Caprese().fit(OVARIAN), fixed)
    half = fixed.take_samples(range(40))
    assert entry.learn(half).model.forest.edges == Caprese().fit(OVARIAN).edges


@pytest.mark.parametrize("held_out", [5, 2])
def test_a_gain_alone_is_that_of_a_judgement(held_out):
    settings = {"folds": 5, "held_out": held_out, "seed": 3}
    for method, data in ((Caprese(), datasets.acml()), (HCBN(), datasets.ovarian())):
        assert gain_of(method, data, **settings) == judge([method], data, **settings).gains[0]
