"""Oncotrees: Szabo's rule and Desper's branching, literally, and against Oncotree's answers."""

import math
import pickle
import re
from fractions import Fraction
from functools import cache
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese import datasets as embedded
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.methods.evidence import Reason
from caprese.methods.oncotree import Oncotree, OncotreeEvidence
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise
from caprese.text.facts import in_words
from definitions import DIAMOND
from reference.answers import oracles, ovarian_answers
from shapes import SHAPES, SMALL, random_forest
from strategies import datasets, distinct_datasets, entries

NUMBERS = ("joint", "first", "total")
BOTH = pytest.mark.parametrize("search", ["szabo", "branching"])

# What ties with the root, or with another parent, is told apart by no more than rounding if it is
# closer than this; exact fractions of few samples are further apart.
CLOSE = 1e-12


def root_weight(rows, j):
    """Desper's weight of the root as the parent of j, before its logarithm."""
    return 1 / (1 + definitions.probability(rows, j))


def candidates(rows, j):
    """Who may be the parent of j: who is strictly more frequent, and absent where j is known.

    An event that is always there weighs as much as the root, and says nothing of j.
    """
    return [
        i
        for i in range(len(rows[0]))
        if definitions.temporal_priority(rows, i, j)
        and any(not row[i] for row in definitions.known(rows, i, j))
    ]


def heaviest(rows, j):
    """Szabo's rule: of the root and the candidates, those that none outweighs."""
    weights = {DIAMOND: root_weight(rows, j)}
    weights |= {i: definitions.desper(rows, i, j) for i in candidates(rows, j)}
    return [parent for parent, weight in weights.items() if weight == max(weights.values())]


def szabo(rows):
    """Return for each event its parent and, in the package's words, the reason."""
    return [_place(rows, j) for j in range(len(rows[0]))]


def _place(rows, j):
    best = heaviest(rows, j)
    if definitions.never(rows, j):
        return DIAMOND, "never seen"
    if definitions.always(rows, j):
        return DIAMOND, "always seen"
    if best != [DIAMOND]:
        return (best[0], "edge") if len(best) == 1 else (DIAMOND, "tied")
    return DIAMOND, "filtered" if candidates(rows, j) else "no admissible parent"


def placed(fit):
    return list(zip(fit.model.parents.tolist(), map(str, fit.evidence.reasons), strict=True))


def total_weight(evidence, parents):
    forest = SimpleNamespace(parents=np.asarray(parents))  # of which only the parents matter
    return evidence.columns(forest)["weight"].sum()


class TestSzabosRule:
    @given(data=distinct_datasets())
    def test_parents_and_reasons_follow_the_rule(self, data):
        assert placed(Oncotree().fit(data)) == szabo(entries(data))

    @given(data=datasets())
    def test_also_on_constant_identical_and_unknown_entries(self, data):
        assert placed(Oncotree().fit(data)) == szabo(entries(data))

    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_also_on_samples_of_each_shape(self, shape):
        data = shape.sample(40, np.random.default_rng([101, len(shape.events)]))
        assert placed(Oncotree().fit(data)) == szabo(entries(data))

    def test_equally_frequent_events_are_no_parents_of_each_other(self):
        data = Dataset.from_genotypes({"11": 3, "00": 3}, "ab")
        assert Oncotree().fit(data).model.edges == ()

    def test_a_tie_with_the_root_gives_the_root_and_is_told(self):
        """4 x 15 = 5 x 12 in tenths: P(a, b) (1 + P(b)) = P(b) (P(a) + P(b))."""
        even = Dataset.from_genotypes({"11": 4, "10": 3, "01": 1, "00": 2}, "ab")
        rows = entries(even)
        assert definitions.desper(rows, 0, 1) == root_weight(rows, 1) == Fraction(2, 3)
        assert Oncotree().fit(even).undetermined == {"b": Reason.TIED}

    def test_a_tie_of_two_parents_gives_the_root_and_is_told(self):
        data = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0]], "cde")
        fit = Oncotree().fit(data)
        assert fit.model.edges == ()
        assert fit.undetermined == {"e": Reason.TIED}

    def test_a_tie_of_lighter_parents_does_not_matter(self):
        rows = {"0001": 5, "1111": 2, "1110": 4, "0110": 2, "0000": 7, "0100": 1, "0010": 1}
        data = Dataset.from_genotypes(rows, ["a", "b", "c", "j"])
        assert heaviest(entries(data), 3) == [DIAMOND]
        assert Oncotree().fit(data).evidence.reasons[3] is Reason.FILTERED

    @pytest.mark.parametrize("seed", range(10))
    def test_the_root_itself_is_a_candidate(self, seed):
        """Every edge kept outweighs the root, and every event at the root none would."""
        rng = np.random.default_rng([102, seed])
        data = Noise.uniform(0.2).corrupt(random_forest(rng, 12).sample(80, rng), rng)
        fit = Oncotree().fit(data)
        allowed = np.where(fit.evidence.admissible, fit.evidence.weight, -np.inf)
        for event, parent in enumerate(fit.model.parents):
            if fit.evidence.reasons[event] is Reason.TIED:
                assert np.sum(allowed[:, event] >= allowed[:, event].max() - CLOSE) > 1
            elif parent == ROOT:
                assert allowed[:, event].max() < fit.evidence.root_weight[event]
            else:
                assert allowed[parent, event] == allowed[:, event].max()
                assert allowed[parent, event] > fit.evidence.root_weight[event]


class TestOvarian:
    data = embedded.ovarian()

    def test_szabos_tree_is_oncotrees(self):
        stored = ovarian_answers()["oncotree_fit"]["parent"]
        fit = Oncotree().fit(self.data)
        expected = {(parent, event) for event, parent in stored.items() if parent != "Root"}
        assert set(fit.model.edges) == expected
        assert ("5q-", "8p-") in expected

    def test_the_observed_weights_are_oncotrees(self):
        stored = ovarian_answers()["oncotree_fit"]["obs_weight"]
        model = Oncotree().fit(self.data).model
        expected = [stored[event] for event in model.events]
        assert model.probabilities == pytest.approx(expected, abs=1e-6)

    @BOTH
    def test_the_log_weights_are_oncotrees(self, search):
        stored = ovarian_answers()["oncotree_log_edge_weight"]
        fit = Oncotree(search=search).fit(self.data)
        assert stored["names"] == ["Root", *fit.model.events]
        weights = np.array(stored["w"], dtype=float)
        between = ~np.eye(7, dtype=bool)
        assert fit.evidence.weight[between] == pytest.approx(weights[1:, 1:][between], abs=1e-9)
        assert fit.evidence.root_weight == pytest.approx(weights[0, 1:], abs=1e-9)

    def test_the_heaviest_tree_is_another_one(self):
        szabo, branching = (
            Oncotree(search=search).fit(self.data) for search in ("szabo", "branching")
        )
        assert {("8q+", "8p-"), ("8p-", "5q-")} <= set(branching.model.edges)
        assert total_weight(branching.evidence, branching.model.parents) == pytest.approx(
            -2.3749, abs=5e-5
        )
        assert total_weight(szabo.evidence, szabo.model.parents) == pytest.approx(-2.4226, abs=5e-5)


class TestOracles:
    @pytest.mark.parametrize(("answer", "data"), oracles(), ids=lambda case: str(case)[:12])
    def test_every_difference_from_oncotree_is_a_tie(self, answer, data):
        fit = Oncotree().fit(data)
        weights = np.vstack([fit.evidence.weight, fit.evidence.root_weight])  # the root is last
        allowed = np.vstack([fit.evidence.admissible, np.ones(len(data.events), dtype=bool)])
        candidates = np.where(allowed, np.exp(weights), -np.inf)
        for event, theirs in enumerate(answer["oncotree"]):
            ours, reason = fit.model.parents[event], fit.evidence.reasons[event]
            if theirs is None:  # dropped by Oncotree
                assert reason is Reason.NEVER
            elif ours != theirs - 1:
                assert reason is Reason.TIED
                tied = np.flatnonzero(candidates[:, event] >= candidates[:, event].max() - CLOSE)
                assert len(tied) > 1
                assert theirs - 1 in np.where(tied == len(data.events), ROOT, tied)

    @pytest.mark.parametrize(("answer", "data"), oracles(), ids=lambda case: str(case)[:12])
    def test_the_observed_weights_are_oncotrees(self, answer, data):
        fit = Oncotree().fit(data)
        for event, theirs in enumerate(answer["oncotree"]):
            if theirs is not None and fit.model.parents[event] == theirs - 1:
                weight = answer["oncotree_obs_weight"][event]
                assert fit.model.probabilities[event] == pytest.approx(weight, abs=1e-6)

    def test_ties_are_seen_at_work_and_most_answers_need_none(self):
        same = different = 0
        for answer, data in oracles():
            for own, theirs in zip(
                Oncotree().fit(data).model.parents, answer["oncotree"], strict=True
            ):
                same += theirs is not None and own == theirs - 1
                different += theirs is not None and own != theirs - 1
        assert same > 10 * different > 0

    @pytest.mark.parametrize(("answer", "data"), oracles(), ids=lambda case: str(case)[:12])
    def test_no_tree_of_szabos_outweighs_the_branching(self, answer, data):
        evidence = Oncotree().fit(data).evidence
        branching = Oncotree(search="branching").fit(data)
        if not branching.undetermined:
            theirs = np.array([0 if parent is None else parent for parent in answer["oncotree"]])
            ours = total_weight(branching.evidence, branching.model.parents)
            assert total_weight(evidence, theirs - 1) <= ours + 1e-9


class TestBranching:
    @given(data=datasets(max_samples=8, max_events=4))
    def test_an_edge_is_in_every_heaviest_tree_and_what_is_not_is_tied(self, data):
        """All trees of up to four events, weighed by exact products of Desper's weights."""
        rows, n = entries(data), len(data.events)
        weights = branching_weights(rows)
        roots = [root_weight(rows, j) for j in range(n)]
        products = {}
        for parents in all_forests(n):
            each = (
                roots[j] if parent == ROOT else weights[parent][j]
                for j, parent in enumerate(parents)
            )
            products[parents] = math.prod(each, start=Fraction(1))
        best = [parents for parents, weight in products.items() if weight == max(products.values())]
        fit = Oncotree(search="branching").fit(data)
        for event, (parent, reason) in enumerate(placed(fit)):
            choices = {parents[event] for parents in best}
            if len(choices) > 1:
                assert (parent, reason) in ((ROOT, "tied"), (ROOT, "always seen"))
            else:
                assert parent == choices.pop()
                assert reason != "tied"

    @pytest.mark.parametrize("seed", range(10))
    def test_it_weighs_no_less_than_szabos_tree(self, seed):
        rng = np.random.default_rng([103, seed])
        data = Noise.uniform(0.1).corrupt(random_forest(rng, 12).sample(150, rng), rng)
        szabo, branching = Oncotree().fit(data), Oncotree(search="branching").fit(data)
        assert (szabo.evidence.weight == branching.evidence.weight).all()
        ours = total_weight(branching.evidence, branching.model.parents)
        if not branching.undetermined:
            assert ours >= total_weight(szabo.evidence, szabo.model.parents) - 1e-9

    def test_the_rarer_event_may_be_the_parent(self):
        """In the ovarian data 8p- is rarer than 5q-."""
        fit = Oncotree(search="branching").fit(embedded.ovarian())
        frequency = dict(zip(fit.model.events, fit.counts.frequency, strict=True))
        assert ("8p-", "5q-") in fit.model.edges
        assert frequency["8p-"] < frequency["5q-"]

    def test_identical_events_are_tied(self):
        data = Dataset.from_genotypes({"11": 3, "00": 3}, "ab")
        fit = Oncotree(search="branching").fit(data)
        assert fit.model.edges == ()
        assert fit.undetermined == {"a": Reason.TIED, "b": Reason.TIED}


@cache
def all_forests(events):
    """Every parent vector in which each event is reached from the root."""
    choices = product(range(ROOT, events), repeat=events)
    return [parents for parents in choices if reaches_all(parents)]


def reaches_all(parents):
    reached = {ROOT}
    for _ in parents:
        reached |= {event for event, parent in enumerate(parents) if parent in reached}
    return len(reached) == len(parents) + 1


def branching_weights(rows):
    """Desper's weights; 0 for an event as the parent of one it is never seen without."""
    n = range(len(rows[0]))
    return [
        [
            definitions.desper(rows, i, j)
            if any(not row[i] for row in definitions.known(rows, i, j))
            else Fraction(0)
            for j in n
        ]
        for i in n
    ]


class TestBatch:
    @BOTH
    @given(data=datasets())
    def test_a_batch_is_answered_one_by_one(self, search, data):
        method = Oncotree(search=search)
        weights = np.random.default_rng(104).integers(0, 3, (2, 3, len(data.samples)))
        together = method.infer_parents(Counts.of_resamples(data, weights))
        assert together.shape == (2, 3, len(data.events))
        for place in np.ndindex(2, 3):
            chosen = np.repeat(np.arange(len(data.samples)), weights[place])
            if len(chosen):
                alone = method.fit(data.take_samples(chosen)).model.parents
                assert together[place].tolist() == alone.tolist()

    @pytest.mark.slow
    @pytest.mark.parametrize("unknown", [0.0, 0.2])
    def test_a_batch_follows_szabos_rule_on_many_small_tables(self, unknown):
        """Of few samples, so that parents tie, are always there, or are never known together."""
        rng = np.random.default_rng(105)
        tables = (rng.random((300, 6, 4)) < rng.random((300, 1, 4))).astype(object)
        tables[rng.random(tables.shape) < unknown] = None
        counts = [Counts.of(Dataset.from_rows(table, "abcd")) for table in tables]
        batch = Counts(
            tuple("abcd"),
            *(np.stack([getattr(one, name) for one in counts]) for name in NUMBERS),
        )
        found = Oncotree().infer_parents(batch).tolist()
        expected = [szabo(table.tolist()) for table in tables]
        assert found == [[parent for parent, _ in places] for places in expected]
        reasons = {reason for places in expected for _, reason in places}
        assert {"tied", "edge", "filtered", "always seen"} <= reasons

    @BOTH
    @pytest.mark.parametrize("name", SHAPES)
    def test_exact_counts_give_each_shape_back(self, name, search):
        forest = SHAPES[name]
        found = Oncotree(search=search).infer_parents(Counts.expected(forest))
        assert found.tolist() == forest.parents.tolist()


class TestEvidence:
    @BOTH
    @given(data=datasets())
    def test_the_weights_are_the_papers(self, search, data):
        evidence = Oncotree(search=search).fit(data).evidence
        rows, n = entries(data), range(len(data.events))
        between = ~np.eye(len(n), dtype=bool)
        expected = np.array(branching_weights(rows), dtype=float)
        assert np.exp(evidence.weight)[between] == pytest.approx(expected[between], rel=1e-12)
        for j in n:
            if definitions.known(rows, j):
                expected = float(root_weight(rows, j))
                assert np.exp(evidence.root_weight[j]) == pytest.approx(expected, rel=1e-12)

    @given(data=datasets())
    def test_szabo_admits_the_strictly_more_frequent_that_are_not_always_there(self, data):
        admissible = Oncotree().fit(data).evidence.admissible
        rows = entries(data)
        for j in range(len(data.events)):
            assert np.flatnonzero(admissible[:, j]).tolist() == candidates(rows, j)

    @given(data=datasets())
    def test_the_branching_admits_all_that_were_seen_together_and_not_always(self, data):
        admissible = Oncotree(search="branching").fit(data).evidence.admissible
        weights, n = branching_weights(entries(data)), range(len(data.events))
        assert admissible.tolist() == [[i != j and weights[i][j] > 0 for j in n] for i in n]

    @BOTH
    @given(data=datasets())
    def test_each_edge_has_the_conditional_frequency_seen_in_the_data(self, search, data):
        model, rows = Oncotree(search=search).fit(data).model, entries(data)
        for event, (parent, chance) in enumerate(
            zip(model.parents.tolist(), model.probabilities.tolist(), strict=True)
        ):
            expected = (
                definitions.probability(rows, event)
                if parent == ROOT
                else definitions.conditional(rows, event, parent)
            )
            assert chance == float(expected)

    def test_the_column_is_the_weight_of_each_edge_and_of_the_root(self):
        fit = Oncotree().fit(embedded.ovarian())
        column = fit.evidence.columns(fit.model)["weight"]
        for event, parent in enumerate(fit.model.parents):
            weight = fit.evidence.weight[parent, event]
            expected = fit.evidence.root_weight[event] if parent == ROOT else weight
            assert column[event] == expected
        assert fit.table()["weight"].tolist() == column.tolist()

    @pytest.mark.parametrize("name", ["weight", "root_weight", "admissible"])
    def test_matrices_of_another_size_are_refused(self, name):
        evidence = Oncotree().fit(embedded.acml()).evidence
        parts = {part: getattr(evidence, part) for part in ("weight", "root_weight", "admissible")}
        parts[name] = np.zeros((1, 1))
        shape = r"\(3,\)" if name == "root_weight" else r"\(3, 3\)"
        message = rf"^{name} must have shape {shape}, got \(1, 1\)$"
        with pytest.raises(ModelError, match=message):
            OncotreeEvidence(**parts, reasons=evidence.reasons)

    def test_it_cannot_be_written(self):
        evidence = Oncotree().fit(embedded.acml()).evidence
        for array in (evidence.weight, evidence.root_weight, evidence.admissible):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def remark(data, event, search="szabo"):
    fit = Oncotree(search=search).fit(data)
    place = fit.model.events.index(event)
    return str(fit.evidence.reasons[place]), in_words(fit.remarks())[place]


class TestRemarks:
    def test_the_heaviest_parent(self):
        edge = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], "ab")
        assert remark(edge, "a") == ("no admissible parent", "no admissible parent")
        assert remark(edge, "b") == ("edge", "heaviest of 1 admissible parent")
        chain = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], "abc")
        assert remark(chain, "c") == ("edge", "heaviest of 2 admissible parents")

    def test_a_root_that_outweighs_all(self):
        loose = Dataset.from_genotypes({"11": 13, "10": 17, "01": 7, "00": 13}, "ij")
        assert remark(loose, "j") == ("filtered", "the root outweighs i")
        assert remark(loose, "j", "branching") == ("filtered", "the root outweighs i")

    def test_a_root_that_outweighs_what_never_meets(self):
        apart = Dataset.from_genotypes({"10": 3, "01": 2}, "ij")
        assert remark(apart, "j") == ("filtered", "the root outweighs i")
        assert remark(apart, "j", "branching") == ("no admissible parent", "no admissible parent")

    @BOTH
    def test_a_tie(self, search):
        tied = Dataset.from_rows([[1, 1, 1], [1, 1, 0], [0, 0, 0]], "cde")
        assert remark(tied, "e", search) == ("tied", "tied: c and d weigh the same")

    @BOTH
    def test_never_and_always(self, search):
        constant = Dataset.from_rows([[0, 1], [0, 1]], "na")
        assert remark(constant, "n", search) == ("never seen", "never seen")
        assert remark(constant, "a", search) == ("always seen", "always seen")
        unknown = Dataset.from_rows([[1, None], [0, None]], "ab")
        assert remark(unknown, "b", search) == ("never seen", "never seen")

    def test_a_parent_that_only_the_whole_tree_explains(self):
        """8p- alone prefers Xp- and the other way round; one of the two must give way."""
        fit = Oncotree(search="branching").fit(embedded.ovarian())
        remarks = dict(zip(fit.model.events, in_words(fit.remarks()), strict=True))
        assert fit.table().loc["8p-", "parent"] == "8q+"
        assert remarks["8p-"] == "in the heaviest tree, though 5q- alone would weigh more"
        assert remarks["Xp-"] == "heaviest of 6 admissible parents"

    def test_a_root_that_does_not_outweigh_what_hangs_below(self):
        data = Dataset.from_genotypes({"11": 1, "10": 3, "00": 15}, "ac")
        fit = Oncotree(search="branching").fit(data)
        assert fit.model.edges == (("a", "c"),)
        assert fit.evidence.weight[1, 0] > fit.evidence.root_weight[0]
        assert remark(data, "a", "branching") != ("filtered", "the root outweighs c")

    @BOTH
    @given(data=datasets(), random=st.randoms(use_true_random=False))
    def test_they_do_not_depend_on_the_order_of_events(self, search, data, random):
        order = list(data.events)
        random.shuffle(order)
        one = Oncotree(search=search).fit(data)
        other = Oncotree(search=search).fit(data.take_events(order))
        remarks = [dict(zip(fit.model.events, fit.remarks(), strict=True)) for fit in (one, other)]
        assert remarks[0] == remarks[1]
        assert one.table()["reason"].to_dict() == other.table()["reason"].to_dict()


class TestValue:
    @pytest.mark.parametrize("search", ["x", "", None, 3])
    def test_an_unknown_search_is_refused(self, search):
        with pytest.raises(
            ValueError, match=rf"^search must be one of szabo, branching, got {search!r}$"
        ):
            Oncotree(search=search)

    @pytest.mark.parametrize("noise", ["x", 0.1, (0.1, 0.1)])
    def test_what_is_no_noise_is_refused(self, noise):
        hint = "" if isinstance(noise, str) else " (a Noise)"
        message = f"noise must be two rates such as 0.1,0.05{hint}, or estimate, got {noise!r}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            Oncotree(noise=noise)

    def test_parameters_go_by_name(self):
        with pytest.raises(TypeError):
            Oncotree("branching")

    def test_it_is_a_value(self):
        assert Oncotree() == Oncotree(search="szabo") != Oncotree(search="branching")
        branching = Oncotree(search="branching", noise=Noise(0.1, 0.2))
        assert eval(repr(branching), {"Oncotree": Oncotree, "Noise": Noise}) == branching
        assert pickle.loads(pickle.dumps(branching)) == branching
        with pytest.raises(AttributeError):
            Oncotree().search = "branching"

    def test_counts_suffice_unless_rates_must_be_estimated(self):
        assert Oncotree().counts_suffice
        assert Oncotree(noise=Noise(0.1, 0.1)).counts_suffice
        assert not Oncotree(noise="estimate").counts_suffice

    def test_the_answer_says_what_it_was_made_from(self):
        data = embedded.acml()
        fit = Oncotree().fit(data)
        assert fit.method == Oncotree()
        assert isinstance(fit.model, Forest)
        assert fit.counts == Counts.of(data)
        assert (fit.samples, fit.digest) == (len(data.samples), data.digest)
        assert fit.recovery is None


def test_the_root_of_an_event_never_known_has_the_weight_one():
    data = Dataset.from_rows([[1, None], [0, None], [1, None]], events="ab")
    for search in ("szabo", "branching"):
        fit = Oncotree(search=search).fit(data)
        assert fit.evidence.root_weight[1] == 0  # the logarithm of 1
        assert fit.model.parents[1] == ROOT


def test_a_root_as_heavy_as_the_best_parent_is_the_heaviest():
    data = Dataset.from_rows([[1, 1], [0, 1], [0, 0], [0, 0]], events="ab")
    fit = Oncotree(search="branching").fit(data)
    assert fit.evidence.weight[0, 1] == fit.evidence.root_weight[1]
    assert fit.remarks()[1] == Fact("heavier root", ("a",))
