import numpy as np
import pytest

from caprese import ROOT, Counts, Dataset, Forest, ForestRecipe, scores
from caprese.studies import STUDIES
from caprese.studies.unknown import _alone, _errors


@pytest.fixture(scope="module")
def entries():
    rows = STUDIES["unknown"](trees=30, replicates=4).run({"hidden": "entries"})
    return {row["data"]: row for row in rows}


@pytest.fixture(scope="module")
def panel():
    rows = STUDIES["unknown"](trees=40, replicates=4).run({"hidden": "panel"})
    return {(row["data"], row["measure"]): row for row in rows}


@pytest.mark.slow
class TestEntriesUnknownAtRandom:
    def test_250_samples_are_no_worse_than_120_complete_ones(self, entries):
        behind = entries["30% unknown"]
        assert behind["more"] < 2 * behind["more_error"]

    def test_fewer_samples_are_worse_than_more(self, entries):
        ahead = entries["complete, 250 samples"]
        assert ahead["more"] < -5 * ahead["more_error"] < 0

    def test_treating_them_as_absent_is_clearly_worse(self, entries):
        assert entries["30% taken for absent"]["mean"] > 4 * entries["30% unknown"]["mean"]

    def test_the_difference_of_the_reference_from_itself_is_zero(self, entries):
        reference = entries["complete, 120 samples"]
        assert (reference["more"], reference["more_error"]) == (0, 0)


@pytest.mark.slow
class TestEventsNotOnOnePanel:
    def test_no_two_covered_events_are_in_reverse_order(self, panel):
        assert panel["unknown", "pair turned round"]["mean"] == 0

    def test_wrong_covered_parents_are_not_more_frequent(self, panel):
        row = panel["unknown", "of these under covered"]
        assert row["more"] < 2 * row["more_error"]

    def test_other_wrong_parents_are_more_frequent_but_less_than_with_half_the_samples(self, panel):
        complete, unknown, half = (
            panel[data, "wrong parent"]["mean"]
            for data in ("complete", "unknown", "complete, half the samples")
        )
        assert complete < unknown < half < 1  # of about ten events

    @pytest.mark.parametrize("data", ["taken for absent", "covered events alone"])
    def test_treating_as_absent_or_omitting_loses_more_of_the_order(self, panel, data):
        measure = "pair not in order"
        assert panel[data, measure]["mean"] > 4 * panel["unknown", measure]["mean"]


@pytest.mark.parametrize("shrinkage", [0.01, 0.5])
def test_scores_between_covered_events_are_those_of_complete_data(shrinkage):
    forest = ForestRecipe().draw(np.random.default_rng(1))
    complete = forest.sample(250, np.random.default_rng(2))
    known = np.ones_like(complete.values)
    known[:125, :6] = False
    hidden = Dataset(complete.values, complete.events, known=known)
    whole, part = (
        scores.shrinkage(Counts.of(data), shrinkage)[6:, 6:] for data in (complete, hidden)
    )
    assert np.array_equal(whole, part)


#   a - b - c - d     the panel does not cover b, so only a and d count, which are covered like
#                     their parents; and of pairs, a c, a d and c d
CHAIN = Forest(("a", "b", "c", "d"), (ROOT, 0, 1, 2), (0.9, 0.8, 0.7, 0.6))
COVERED = np.array([True, False, True, True])


@pytest.mark.parametrize(
    ("parents", "expected"),
    [
        ((ROOT, 0, 1, 2), (0, 0, 0, 0)),
        ((ROOT, 0, 0, 2), (0, 0, 0, 0)),  # c does not count, and is still a descendant of a
        ((ROOT, 0, 1, 1), (1, 0, 1, 0)),  # d has parent b, and c is no longer an ancestor
        ((ROOT, 0, 1, 0), (1, 1, 1, 0)),  # d has parent a
        ((ROOT, 0, 1, ROOT), (1, 1, 2, 0)),
        ((ROOT, 0, 3, 1), (1, 0, 2, 1)),  # c and d in reverse order
    ],
)
def test_errors_of_covered_events(parents, expected):
    assert tuple(_errors(CHAIN, np.array(parents), COVERED).values()) == expected


def test_covered_events_alone_are_placed_among_all_events():
    rows = [[1, 0, 1, 1]] * 3 + [[1, 1, 1, 0]] * 3 + [[1, 0, 0, 0]] * 3 + [[0, 0, 0, 0]]
    data = Dataset.from_rows(rows, events=CHAIN.events)
    assert _alone(data, COVERED).tolist() == [ROOT, ROOT, 0, 2]


def test_the_figure_has_a_panel_for_each_kind_of_unknown_entries():
    pandas = pytest.importorskip("pandas")
    study = STUDIES["unknown"](trees=2, replicates=1)
    rows = [row for condition in study.conditions() for row in study.run(condition)]
    titles = [axes.get_title() for axes in study.draw(pandas.DataFrame(rows)).axes]
    assert titles == ["unknown: entries", "unknown: panel"]
