"""CAPRESE: Algorithm 1, literally, against the fast code."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.datasets import ovarian
from caprese.methods import make_method
from caprese.methods.caprese import Caprese
from caprese.methods.evidence import Reason
from caprese.models.forest import ROOT
from caprese.text.facts import in_words
from shapes import SMALL
from strategies import datasets, distinct_datasets, entries

SHRINKAGES = [0, 0.01, 0.25, 0.5, 1]


@pytest.mark.parametrize("shrinkage", SHRINKAGES)
class TestAlgorithm1:
    @given(data=distinct_datasets())
    def test_parents_and_reasons_are_those_of_the_paper(self, shrinkage, data):
        fit = Caprese(shrinkage=shrinkage).fit(data)
        found = list(zip(fit.model.parents.tolist(), fit.evidence.reasons, strict=True))
        assert found == definitions.caprese(entries(data), Fraction(shrinkage))

    @given(data=datasets())
    def test_also_on_constant_identical_and_unknown_entries(self, shrinkage, data):
        fit = Caprese(shrinkage=shrinkage).fit(data)
        found = list(zip(fit.model.parents.tolist(), fit.evidence.reasons, strict=True))
        assert found == definitions.caprese(entries(data), Fraction(shrinkage))

    @pytest.mark.slow
    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_also_on_samples_of_each_shape(self, shrinkage, shape):
        data = shape.sample(40, np.random.default_rng([31, len(shape.events)]))
        parents = Caprese(shrinkage=shrinkage).infer_parents(Counts.of(data)).tolist()
        assert parents == definitions.caprese_parents(entries(data), Fraction(shrinkage))


class TestBatch:
    @given(datasets(), st.sampled_from(SHRINKAGES))
    def test_a_batch_is_answered_one_by_one(self, data, shrinkage):
        method = Caprese(shrinkage=shrinkage)
        weights = np.random.default_rng(32).integers(0, 3, (2, 3, len(data.samples)))
        together = method.infer_parents(Counts.of_resamples(data, weights))
        assert together.shape == (2, 3, len(data.events))
        for place in np.ndindex(2, 3):
            chosen = np.repeat(np.arange(len(data.samples)), weights[place])
            if len(chosen):
                alone = method.fit(data.take_samples(chosen)).model.parents
                assert together[place].tolist() == alone.tolist()


class TestEvidence:
    @given(datasets(), st.sampled_from(SHRINKAGES))
    def test_the_evidence_is_the_papers_numbers(self, data, shrinkage):
        evidence = Caprese(shrinkage=shrinkage).fit(data).evidence
        rows, n = entries(data), range(len(data.events))
        for found, definition in (
            (evidence.probability_raising, definitions.alpha),
            (evidence.correlation, definitions.beta),
            (evidence.score, lambda *pair: definitions.estimator(*pair, Fraction(shrinkage))),
        ):
            expected = [[float(definition(rows, i, j)) for j in n] for i in n]
            assert found == pytest.approx(np.array(expected), rel=1e-14)
        allowed = [definitions.admissible(rows, j, Fraction(shrinkage)) for j in n]
        assert evidence.admissible.tolist() == [[i in allowed[j] for j in n] for i in n]

    @given(datasets())
    def test_each_edge_has_the_conditional_frequency_seen_in_the_data(self, data):
        model, rows = Caprese().fit(data).model, entries(data)
        for event, (parent, chance) in enumerate(
            zip(model.parents.tolist(), model.probabilities.tolist(), strict=True)
        ):
            expected = (
                definitions.probability(rows, event)
                if parent == ROOT
                else definitions.conditional(rows, event, parent)
            )
            assert chance == float(expected)

    @given(datasets())
    def test_the_answer_says_what_it_was_made_from(self, data):
        fit = Caprese(shrinkage=0.25).fit(data)
        assert fit.method == Caprese(shrinkage=0.25)
        assert fit.model.events == data.events
        assert fit.counts == Counts.of(data)
        assert (fit.samples, fit.digest) == (len(data.samples), data.digest)

    @given(datasets())
    def test_undetermined_events_are_the_constant_and_the_tied(self, data):
        fit = Caprese().fit(data)
        told = (Reason.EDGE, Reason.NO_PARENT, Reason.FILTERED)
        assert fit.undetermined == {
            event: reason
            for event, reason in zip(data.events, fit.evidence.reasons, strict=True)
            if reason not in told
        }

    def test_it_cannot_be_written(self):
        fit = Caprese().fit(Dataset.from_rows([[1, 1], [1, 0], [0, 0]], "ab"))
        evidence = fit.evidence
        for array in (evidence.score, evidence.admissible, evidence.correlation):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 1
        with pytest.raises(AttributeError):
            fit.model = None


class TestReasons:
    def test_each_reason_has_its_case_and_its_remark(self):
        """Never and always seen; a leads, b follows it; c and d tie for e; f starts by itself."""
        edge = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], "ab")
        assert remark(edge, "a") == ("no admissible parent", "no admissible parent")
        assert remark(edge, "b") == ("edge", "the only admissible parent")
        chain = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], "abc")
        assert remark(chain, "c") == ("edge", "best of 2 admissible parents")
        constant = Dataset.from_rows([[0, 1], [0, 1]], "na")
        assert remark(constant, "n") == ("never seen", "never seen")
        assert remark(constant, "a") == ("always seen", "always seen")
        tied = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0]], "cde")
        assert remark(tied, "e") == ("tied", "tied: c and d score the same")
        twins = Dataset.from_rows([[1, 1], [0, 0]], "ab")
        assert remark(twins, "b") == (
            "no admissible parent",
            "no admissible parent; as frequent as a",
        )
        loose = Dataset.from_genotypes({"11": 13, "10": 17, "01": 7, "00": 13}, "ij")
        assert remark(loose, "j") == (
            "filtered",
            "filtered: an independent root fits better than i",
        )

    def test_an_event_never_known_is_never_seen(self):
        data = Dataset.from_rows([[1, None], [0, None]], "ab")
        assert remark(data, "b") == ("never seen", "never seen")

    def test_remarks_do_not_depend_on_the_order_of_events(self):
        """i and k are one event under two names; both tie for j, which starts by itself."""
        loose = {"111": 13, "110": 17, "001": 7, "000": 13}
        one = Dataset.from_genotypes(loose, ["i", "k", "j"])
        other = one.take_events(["k", "i", "j"])
        for event in one.events:
            assert remark(one, event) == remark(other, event)

    def test_remarks_list_names_in_one_order(self):
        tied = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0]], "cde")
        assert remark(tied, "e") == remark(tied.take_events("edc"), "e")

    def test_the_table_has_a_row_for_each_event(self):
        data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], ["8q+", "Xp-"])
        table = Caprese(shrinkage=0).fit(data).table()
        assert table.index.tolist() == ["8q+", "Xp-"]
        assert table.index.name == "event"
        assert table["parent"].isna().tolist() == [True, False]
        assert table.loc["Xp-", "parent"] == "8q+"
        assert table["frequency"].tolist() == [2 / 3, 1 / 3]
        assert table["probability"].tolist() == [2 / 3, 1 / 2]
        assert table["score"].isna().tolist() == [True, False]
        assert table.loc["Xp-", "score"] == 1
        assert table["reason"].tolist() == ["no admissible parent", "edge"]


def remark(data, event, shrinkage=0.5):
    fit = Caprese(shrinkage=shrinkage).fit(data)
    place = fit.model.events.index(event)
    return str(fit.evidence.reasons[place]), in_words(fit.remarks())[place]


class TestDecisions:
    """Where the paper leaves a choice, and what is chosen."""

    def test_no_edge_between_equally_frequent_events(self):
        data = Dataset.from_rows([[1, 1], [1, 1], [1, 0], [0, 1], [0, 0], [0, 0]], "ab")
        for shrinkage in SHRINKAGES:
            assert Caprese(shrinkage=shrinkage).fit(data).model.edges == ()

    def test_a_tie_gives_the_root(self):
        data = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0]], "cde")
        fit = Caprese().fit(data)
        assert fit.model.edges == ()
        assert fit.undetermined == {"e": Reason.TIED}

    def test_without_correction_a_grandparent_ties_with_the_parent(self):
        """The paper's a -> b -> c: alpha is 1 for both, and beta tells b from a."""
        data = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], "abc")
        assert Caprese(shrinkage=0).fit(data).undetermined == {"c": Reason.TIED}
        for shrinkage in (1e-9, 0.01, 0.5, 1):
            assert Caprese(shrinkage=shrinkage).fit(data).model.edges == (("a", "b"), ("b", "c"))

    def test_correlation_alone_still_needs_the_parent_to_be_more_frequent(self):
        data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], "ab")
        assert Caprese(shrinkage=1).fit(data).model.edges == (("a", "b"),)

    def test_equal_weight_with_the_root_keeps_the_edge(self):
        """P(a, b) (1 + P(b)) = P(b) (P(a) + P(b)): 4 x 15 = 5 x 12 in tenths."""
        even = Dataset.from_genotypes({"11": 4, "10": 3, "01": 1, "00": 2}, "ab")
        assert definitions.desper(entries(even), 0, 1) == definitions.desper_root(entries(even), 1)
        assert Caprese().fit(even).model.edges == (("a", "b"),)
        below = Dataset.from_genotypes({"11": 39, "10": 31, "01": 11, "00": 19}, "ab")
        assert Caprese().fit(below).evidence.reasons[1] is Reason.FILTERED

    def test_an_event_always_present_is_no_witness(self):
        """In TRONCO one such column switches the filter off for the whole data set."""
        loose = {"111": 13, "101": 17, "011": 7, "001": 13}
        data = Dataset.from_genotypes(loose, ["i", "j", "always"])
        assert Caprese().fit(data).evidence.reasons[1] is Reason.FILTERED

    def test_nor_is_one_always_present_where_the_child_is_known(self):
        loose = {"111": 13, "101": 17, "011": 7, "001": 13, "??0": 1}
        data = Dataset.from_genotypes(loose, ["i", "j", "x"])
        assert Caprese().fit(data).evidence.reasons[1] is Reason.FILTERED

    def test_nor_is_one_never_known_together_with_the_child(self):
        loose = {"11?": 13, "10?": 17, "01?": 7, "00?": 13, "??1": 9, "??0": 1}
        data = Dataset.from_genotypes(loose, ["i", "j", "x"])
        assert Caprese().fit(data).evidence.reasons[1] is Reason.FILTERED

    def test_nor_is_one_known_only_where_the_child_is_absent(self):
        loose = {"11?": 13, "101": 17, "01?": 7, "001": 12, "000": 1}
        data = Dataset.from_genotypes(loose, ["i", "j", "x"])
        assert Caprese().fit(data).evidence.reasons[1] is Reason.FILTERED

    def test_one_witness_is_enough_to_keep_an_edge(self):
        """x does not raise the probability of j enough by itself; i does."""
        genotypes = {"111": 6, "110": 6, "101": 4, "100": 4, "001": 12, "000": 8}
        data = Dataset.from_genotypes(genotypes, ["i", "j", "x"])
        rows = entries(data)
        assert definitions.desper_root(rows, 1) < definitions.desper(rows, 0, 1)
        assert definitions.desper_root(rows, 1) > definitions.desper(rows, 2, 1)
        assert Caprese().fit(data).model.edges[0] == ("i", "j")

    def test_scores_that_are_equal_by_chance_tie_although_they_are_rounded(self):
        """m is 2/3 for both, with unequal alpha and beta: 5/6 + 1/2 = 1 + 1/3."""
        genotypes = {"111": 4, "011": 1, "110": 2, "100": 2, "010": 8, "000": 13}
        data = Dataset.from_genotypes(genotypes, ["x", "y", "j"])
        rows = entries(data)
        assert [definitions.alpha(rows, i, 2) for i in (0, 1)] == [Fraction(5, 6), 1]
        assert [definitions.beta(rows, i, 2) for i in (0, 1)] == [Fraction(1, 2), Fraction(1, 3)]
        assert Caprese(shrinkage=0.5).fit(data).undetermined == {"j": Reason.TIED}

    def test_equal_evidence_ties_however_many_samples_it_comes_from(self):
        """x is known in 4 samples, y in three times as many of each kind."""
        genotypes = {"1?1": 1, "1?0": 1, "0?0": 2, "?11": 3, "?10": 3, "?00": 6}
        data = Dataset.from_genotypes(genotypes, ["x", "y", "j"])
        for shrinkage in SHRINKAGES:
            assert Caprese(shrinkage=shrinkage).fit(data).undetermined == {"j": Reason.TIED}

    def test_equal_probability_raising_ties_in_large_data_too(self):
        """Both candidates make the child twice as frequent; alpha is 1/3 for each."""
        joint = np.array([[11880, 0, 5775], [0, 12375, 5940], [5775, 5940, 9450]])
        joint[0, 1] = joint[1, 0] = 5445  # as chance would have it
        counts = Counts.complete(("x", "y", "j"), joint, 27000)
        assert Caprese(shrinkage=0).infer_parents(counts).tolist() == [ROOT, ROOT, ROOT]


class TestValue:
    @pytest.mark.parametrize("shrinkage", [-0.1, 1.1, 2, float("nan"), float("inf")])
    def test_shrinkage_outside_the_unit_interval_is_refused(self, shrinkage):
        message = rf"^shrinkage must be in \[0, 1\] or auto, got {shrinkage}$"
        with pytest.raises(ValueError, match=message):
            Caprese(shrinkage=shrinkage)

    def test_shrinkage_is_read_from_text_as_a_number_or_the_word_auto(self):
        assert make_method("caprese", {"shrinkage": "0.25"}) == Caprese(shrinkage=0.25)
        assert make_method("caprese", {"shrinkage": "auto"}) == Caprese(shrinkage="auto")
        message = r"^shrinkage must be in \[0, 1\] or auto, got 'much'$"
        with pytest.raises(ValueError, match=message):
            make_method("caprese", {"shrinkage": "much"})

    def test_counts_suffice_unless_something_is_estimated_from_the_samples(self):
        assert Caprese().counts_suffice
        assert not Caprese(noise="estimate").counts_suffice
        assert not Caprese(shrinkage="auto").counts_suffice

    def test_a_shrinkage_that_is_chosen_is_noted_with_what_others_would_cost(self):
        fit = Caprese(shrinkage="auto").fit(ovarian())
        (note,) = fit.evidence.notes()
        distance = dict(zip(fit.evidence.choice.grid, fit.evidence.choice.distance, strict=True))
        assert note.values["distance"] == distance[note.values["shrinkage"]]
        assert note.values["distance at 0.01"] == distance[0.01]
        assert note.values["distance at 0.5"] == distance[0.5]

    def test_parameters_go_by_name(self):
        with pytest.raises(TypeError):
            Caprese(0.5)

    def test_it_is_a_value(self):
        assert Caprese() == Caprese(shrinkage=0.5) != Caprese(shrinkage=0.01)
        assert len({Caprese(), Caprese(shrinkage=0.5), Caprese(shrinkage=0.01)}) == 2
        assert eval(repr(Caprese(shrinkage=0.01)), {"Caprese": Caprese}) == Caprese(shrinkage=0.01)
        assert pickle.loads(pickle.dumps(Caprese(shrinkage=0.3))) == Caprese(shrinkage=0.3)
        with pytest.raises(AttributeError):
            Caprese().shrinkage = 0

    @given(datasets())
    def test_the_same_question_has_the_same_answer(self, data):
        before = pickle.dumps((data.values, data.known, data.events, data.samples))
        one, other = Caprese().fit(data), Caprese().fit(data)
        assert one == other
        assert pickle.loads(pickle.dumps(one)) == one
        assert pickle.dumps((data.values, data.known, data.events, data.samples)) == before
