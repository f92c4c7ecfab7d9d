"""Later samples of held-out patients, predicted from the earlier ones."""

from itertools import product

import numpy as np
import pytest

from caprese import MHN, Dataset, IndependentEvents, LikelihoodForest, judge
from caprese.assessment.difference import grouped_mean, patient_mean
from caprese.assessment.held_out import fold_numbers, in_fixed_order
from caprese.assessment.series_judgement import BASELINES
from caprese.assessment.series_scores import PACES
from caprese.data.curation import PerPatient
from caprese.data.patients import Patients
from caprese.io.documents import document_text, read_document
from caprese.models.poset import TimedPoset
from caprese.text.series import series_lines

POSET = TimedPoset(tuple("abcd"), ((), (0,), (0,), ()), (1.5, 1.0, 0.6, 0.4))
FOLDS = 3
METHOD = MHN(penalty_strength=0.02)


def histories(patients=36, seed=2, lost=False):
    """Two samples of each patient of a known truth; a third of some."""
    rng = np.random.default_rng(seed)
    events = len(POSET.events)
    comes = rng.exponential(size=(patients, events)) / POSET.rates
    comes[:, [1, 2]] += comes[:, [0]]
    taken = rng.exponential(size=(patients, 3)).cumsum(axis=1) * (1, 0.7, 0.6)
    rows = [(p, k) for p in range(patients) for k in range(3 if p % 4 == 0 else 2)]
    values = np.array([comes[p] <= taken[p, k] for p, k in rows])
    if lost:
        values[1, :] = False
    patients_of = Patients(tuple(f"p{p}" for p, _ in rows), [taken[row] for row in rows])
    names = tuple(f"p{p}_T{k}" for p, k in rows)
    return Dataset(values, POSET.events, names, patients=patients_of)


@pytest.fixture(scope="module")
def cohort():
    return histories()


@pytest.fixture(scope="module")
def judged(cohort):
    return judge([METHOD], first_ones(cohort), series=cohort, folds=FOLDS, jobs=1)


def first_ones(data):
    return PerPatient(by="first").apply(data).data


def pairs_of(data, names):
    rows = range(len(data.samples))
    own = [
        max((k for k in rows if before(data, k, row)), key=lambda k: data.patients.times[k])
        if any(before(data, k, row) for k in rows)
        else None
        for row in rows
    ]
    return [
        (k, row) for row, k in enumerate(own) if k is not None and data.patients.names[row] in names
    ]


def before(data, one, other):
    same = data.patients.names[one] == data.patients.names[other]
    return same and data.patients.times[one] < data.patients.times[other]


def moves(poset, pace):
    """The matrix of all transitions in an exponential time: (1 - Q / pace)^-1."""
    genotypes = [*product((False, True), repeat=len(poset.events))]
    generator = np.zeros((len(genotypes),) * 2)
    for row, genotype in enumerate(genotypes):
        for event, rate in enumerate(poset.next_rates(np.array([genotype]))[0]):
            if rate:
                after = (*genotype[:event], True, *genotype[event + 1 :])
                generator[row, genotypes.index(after)] = rate
        generator[row, row] = -generator[row].sum()
    return genotypes, np.linalg.inv(np.eye(len(genotypes)) - generator / pace)


def by_clock(poset, pace, earlier, later):
    genotypes, matrix = moves(poset, pace)
    return np.log(matrix[genotypes.index(tuple(earlier)), genotypes.index(tuple(later))])


def by_frequencies(frequency, pace, earlier, later):
    comes = frequency / (frequency + (1 - frequency) * pace)
    return sum(
        np.log(comes[k] if later[k] else 1 - comes[k])
        for k in range(len(frequency))
        if not earlier[k]
    )


def definition(data):
    """Everything for each fold in plain words: fit, choose the pace, look at the rest."""
    found = {}
    single, _ = in_fixed_order(first_ones(data))
    data = data.take_events(single.events)
    (fold,) = fold_numbers(single, single.patients.numbers, folds=FOLDS, repeats=1, seed=1)
    values = data.values.tolist()
    for held_out in range(FOLDS):
        training = single.take_samples(np.flatnonzero(fold != held_out))
        poset = METHOD.fit(training).predictive
        frequency = (training.values.sum(axis=0) + 1) / (len(training.samples) + 2)
        learnt = pairs_of(data, set(training.patients.names))
        came = sum(b > a for k, row in learnt for a, b in zip(values[k], values[row], strict=True))
        chance = (came + 0.5) / (sum(4 - sum(values[k]) for k, _ in learnt) + 1)
        clock, usual = (
            max(
                PACES,
                key=lambda pace, say=say, by=by: sum(
                    say(by, pace, values[k], values[row]) for k, row in learnt
                ),
            )
            for say, by in ((by_clock, poset), (by_frequencies, frequency))
        )
        names = {
            name for name, own in zip(single.patients.names, fold, strict=True) if own == held_out
        }
        for k, row in pairs_of(data, names):
            gained, absent = sum(values[row]) - sum(values[k]), 4 - sum(values[k])
            found[data.samples[k], data.samples[row]] = (
                by_clock(poset, clock, values[k], values[row]),
                gained * np.log(chance) + (absent - gained) * np.log(1 - chance),
                by_frequencies(frequency, usual, values[k], values[row]),
            )
    return found


def test_every_later_sample_is_predicted_by_what_was_learnt_from_other_patients(cohort, judged):
    expected = definition(cohort)
    pairs = [*zip(judged.series.earlier, judged.series.later, strict=True)]
    assert sorted(pairs) == sorted(expected)
    assert judged.series.methods == ("mhn", *BASELINES)
    found = judged.series.log_probabilities.T
    assert found == pytest.approx(np.array([expected[pair] for pair in pairs]), abs=1e-6)


def test_an_event_is_predicted_given_the_rest_of_the_later_sample(judged):
    """The chance of an entry, from the chances of the sample with and without it, by frequency."""
    series = judged.series
    usual = series.probabilities[series.methods.index("frequencies")]
    scores = series.entry_scores[series.methods.index("frequencies")]
    assert scores == pytest.approx(np.log(np.where(series.came, usual, 1 - usual)))
    total = np.bincount(series.entries[:, 0], scores, minlength=len(series.later))
    assert total == pytest.approx(series.log_probabilities[-1])  # events are independent


def test_the_true_order_beats_both_comparisons():
    data = histories(150)
    series = judge({"truth": POSET}, first_ones(data), series=data, folds=FOLDS, jobs=1).series
    assert series.methods[series.best] == "truth"
    assert all(series.gain(series.best, name).exceeds(3) for name in BASELINES)
    assert series.verdict[0].kind == "series predicted"
    line = series_lines(series)[0]
    assert line.startswith("What came in 188 later samples of 150 held-out patients is predicted")


def test_the_order_of_rows_and_columns_does_not_matter(cohort, judged):
    turned = cohort.take_events("dbca").take_samples(np.arange(len(cohort.samples))[::-1])
    other = judge([METHOD], first_ones(turned), series=turned, folds=FOLDS, jobs=1).series
    place = [other.later.index(name) for name in judged.series.later]
    found = other.log_probabilities[:, place]
    assert found == pytest.approx(judged.series.log_probabilities, abs=1e-9)


def test_data_with_several_samples_of_each_patient_is_its_own_series(cohort):
    found = judge([METHOD], cohort, folds=FOLDS, jobs=1)
    assert len(found.series.later) == 45
    assert len(np.unique(found.groups)) == 36
    assert found.scores == pytest.approx(
        [patient_mean(own, found.groups).mean for own in found.log_probabilities]
    )


def test_each_patient_counts_once():
    values, groups = np.array([1.0, 1.0, 1.0, 5.0]), np.array([4, 4, 4, 7])
    assert patient_mean(values, groups).mean == 3
    assert grouped_mean(values, groups).mean == 2


def test_what_was_lost_is_counted_and_not_predicted():
    data = histories(lost=True)
    series = judge([METHOD], first_ones(data), series=data, folds=FOLDS, jobs=1).series
    place = series.later.index("p0_T1")
    assert series.lost == int(data.values[0].sum())
    asked = series.entries[series.entries[:, 0] == place, 1]
    assert sorted(series.events[event] for event in asked) == [
        event for event, there in zip("abcd", data.values[0], strict=True) if not there
    ]
    assert "missing in later ones, and not predicted" in series_lines(series)[0]


def test_methods_without_a_clock_say_nothing(cohort):
    methods = [LikelihoodForest(), IndependentEvents()]
    series = judge(methods, first_ones(cohort), series=cohort, folds=FOLDS, jobs=1).series
    assert series.methods == BASELINES
    assert series.verdict[0].kind == "series without a clock"


def test_repetitions_are_averaged(cohort):
    series = judge(
        [METHOD], first_ones(cohort), series=cohort, folds=FOLDS, repeats=2, jobs=1
    ).series
    assert len(series.later) == 45
    assert np.isfinite(series.log_probabilities).all()


def test_without_series_there_is_nothing_to_judge(cohort):
    single = first_ones(cohort)
    assert judge([METHOD], single, folds=FOLDS, jobs=1).series is None
    strangers = cohort.with_patients(
        Patients(tuple(f"q{name}" for name in cohort.patients.names), cohort.patients.times)
    )
    assert judge([METHOD], single, series=strangers, folds=FOLDS, jobs=1).series is None


def test_it_is_written_to_a_file_and_read_again(judged, tmp_path):
    (tmp_path / "judged.json").write_text(document_text(judged))
    assert read_document(tmp_path / "judged.json").series == judged.series


def test_tables_show_methods_and_events(judged):
    assert judged.series.table().shape == (3, 7)
    table = judged.series.event_table()
    assert table.loc[("a", "mhn"), "came"] == table.loc[("a", "frequencies"), "came"]
    assert table["entries"].sum() == 3 * len(judged.series.came)
