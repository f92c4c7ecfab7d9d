"""CAPRI: what it finds, what it says of it, and how it is used."""

import numpy as np
import pytest

from caprese import (
    Capri,
    Dataset,
    DatasetError,
    Noise,
    bootstrap,
    compare,
    datasets,
    edge_tests,
    from_networkx,
    judge,
    progression_figure,
    read_confidence,
    read_fit,
    to_networkx,
    write_confidence,
    write_fit,
)
from caprese.errors import ParameterError
from caprese.fitting.prima_facie import Outcome
from caprese.methods import describe, parse_method
from caprese.methods.evidence import Reason
from caprese.models.dag import ConjunctiveDag
from caprese.text.facts import in_words
from caprese.text.fits import fit_lines

PATTERNS = ("RAS = XOR(a, b)",)


@pytest.fixture
def exclusive():
    """c mostly follows exactly one of a and b; d is a copy of a."""
    rng = np.random.default_rng(8)
    a, b = rng.random((2, 400)) < [[0.5], [0.45]]
    c = np.where(a ^ b, rng.random(400) < 0.8, rng.random(400) < 0.05)
    return Dataset(np.column_stack([a, b, c, a]), tuple("abcd"))


def test_conjunctive_parents_are_found_with_many_samples():
    dag = ConjunctiveDag(tuple("abcd"), ((), (), (0, 1), (2,)), (0.7, 0.6, 0.8, 0.7))
    data = dag.sample(2000, np.random.default_rng(1))
    for method in (Capri(), Capri(decide="rank"), Capri(resamples=0), Capri(score="aic")):
        assert set(method.fit(data).edges) == set(dag.edges)


def test_independent_events_stay_apart():
    values = np.random.default_rng(2).random((500, 8)) < np.linspace(0.1, 0.8, 8)
    fit = Capri().fit(Dataset(values, tuple("abcdefgh")))
    assert fit.edges == ()
    assert {str(reason) for reason in fit.evidence.reasons} <= {"filtered", "no admissible parent"}


def test_a_pattern_is_a_parent_where_its_events_alone_are_not(exclusive):
    data = exclusive.take_events("abc")
    assert Capri().fit(data).edges == ()
    fit = Capri(patterns=PATTERNS).fit(data)
    assert fit.model.pattern_edges == (("RAS", "c"),)
    assert fit.edges == (("a", "c"), ("b", "c"))
    assert fit.table().loc["c", "parent"] == "RAS"
    assert fit.model.tables[2] == pytest.approx([0.05, 0.8], abs=0.06)
    assert "pattern RAS, XOR(a, b), is a parent of c" in in_words(fit.evidence.notes())


def test_effects_and_causes_limit_what_is_tested(exclusive):
    data = exclusive.take_events("abc")
    none = Capri(patterns=PATTERNS, effect=()).fit(data).evidence
    assert (none.outcome[3] == Outcome.NOT_TESTED).all()
    assert (none.outcome[:, 3] != Outcome.NOT_TESTED).any()
    named = Capri(patterns=("RAS = XOR(a, b) -> c <- none",)).fit(data).evidence
    assert np.flatnonzero(named.outcome[3]).tolist() == [2]
    assert (named.outcome[:, 3] == Outcome.NOT_TESTED).all()


def test_a_pattern_as_an_effect_is_tested_but_not_modelled():
    rng = np.random.default_rng(4)
    first = rng.random(500) < 0.6
    left, right = first & (rng.random((2, 500)) < 0.35)
    data = Dataset(np.column_stack([first, left, right]), ("first", "left", "right"))
    fit = Capri(patterns=("P = XOR(left, right)",)).fit(data)
    assert fit.evidence.pattern_parents == ((0,),)
    assert "P" not in dict(fit.model.pattern_edges)
    assert "pattern P follows first (tested, but not part of the model)" in in_words(
        fit.evidence.notes()
    )


def test_a_pattern_that_says_nothing_new_is_refused_in_the_answer(exclusive):
    fit = Capri(patterns=("P = AND(a, d)", "Q = AND(a, b, c, d)")).fit(exclusive)
    assert fit.evidence.refused[0] == ("P", "equal", "a")
    notes = in_words(fit.evidence.notes())
    assert "pattern P is refused: it holds in the same samples as a" in notes


def test_a_pattern_of_unknown_events_is_an_error(exclusive):
    with pytest.raises(DatasetError, match="pattern 'P': the data has no event 'x'"):
        Capri(patterns=("P = OR(a, x)",)).fit(exclusive)


@pytest.mark.parametrize("name", ["cause", "effect"])
def test_causes_and_effects_of_no_pattern_are_refused(name, refused):
    with pytest.raises(ValueError, match=f"{name} must be omitted without a pattern"):
        Capri(**{name: ("a",)})
    message = (
        f"--{name} must be omitted without a pattern, got ('SETBP1 missense',); --pattern gives one"
    )
    assert refused("fit", "acml", "-m", "capri", f"--{name}", "SETBP1 missense") == message


def test_an_empty_pattern_is_refused(refused):
    message = "--pattern must be NAME = XOR(A, B), got ''"
    assert refused("fit", "acml", "-m", "capri", "--pattern", "") == message


def test_a_part_of_the_data_may_lack_all_patterns():
    whole = datasets.acml_selected17()
    part = whole.take_events(whole.events[:2])
    method = Capri(patterns=("RAS = XOR(NRAS, KRAS)",), cause=("KRAS Missense point",))
    assert method.within(part, whole) == Capri()


def test_a_bad_pattern_is_refused_at_once():
    with pytest.raises(ParameterError, match=r"expected '=', got 'the end'.*, got 'garbage'$"):
        Capri(patterns=("garbage",))


def test_indistinguishable_events_are_reported_and_not_linked(exclusive):
    fit = Capri(resamples=0).fit(exclusive)
    assert not {("a", "d"), ("d", "a")} & set(fit.edges)
    assert fit.undetermined["a"] is Reason.TIED
    assert in_words(fit.remarks())[0] == "tied: seen in the same samples as d"


def test_remarks_tell_what_parents_add_and_what_comes_next():
    fit = Capri(resamples=0).fit(datasets.ovarian())
    remarks = dict(zip(fit.model.events, in_words(fit.remarks()), strict=True))
    assert remarks["8p-"].startswith("its 2 parents add 11.97 to the BIC score; next best: 5q-,")
    assert remarks["5q-"].startswith(
        "no parent: the best of 2 candidates, 3q+, would lower the BIC"
    )
    assert remarks["8q+"] == "no candidate: 6 not earlier"
    assert in_words(fit.evidence.notes())[0].startswith(
        "relations decided by the data itself: of 42 between events 21 are not in the order of time"
    )


def test_next_best_sets_score_no_more():
    evidence = Capri(resamples=0, score="aic").fit(datasets.acml_selected17()).evidence
    known = np.isfinite(evidence.next_scores)
    assert (evidence.next_scores[known] <= evidence.scores[known] + 1e-8).all()
    assert (evidence.scores >= evidence.empty_scores - 1e-8).all()


def test_the_table_of_relations_names_what_became_of_each():
    table = Capri(resamples=0).fit(datasets.ovarian()).evidence.table()
    assert len(table) == 42
    assert set(table["outcome"]) == {"time", "raising", "score", "parent"}
    assert {"priority ratio", "raising ratio", "co_occurrence"} <= set(table.columns)


def test_at_most_so_many_parents():
    fit = Capri(resamples=0, score="loglik", max_parents=1).fit(datasets.ovarian())
    assert fit.model.adjacency().sum(axis=0).max() == 1
    none = Capri(max_parents=0, resamples=0).fit(datasets.ovarian())
    assert none.edges == ()
    assert in_words(none.remarks())[1] == "no parent is allowed, of 1 candidate"


def test_estimated_rates_are_part_of_the_answer():
    fit = Capri(noise="estimate").fit(datasets.ovarian())
    assert 0 < fit.recovery.noise.false_positive < 0.2
    assert Capri(noise=Noise(0.05, 0.1)).fit(datasets.ovarian()).recovery is None


def test_events_rarer_than_errors_are_not_ordered():
    values = np.random.default_rng(1).random((100, 3)) < (0.6, 0.4, 0.03)
    fit = Capri(noise=Noise(0.05, 0.05)).fit(Dataset(values, tuple("abc")))
    assert fit.evidence.reasons[2] is Reason.NOISE


def test_the_seed_decides_and_nothing_else():
    data = datasets.ovarian()
    assert Capri(seed=3).fit(data) == Capri(seed=3).fit(data)
    some = [Capri(seed=seed, resamples=20).fit(data).evidence for seed in range(5)]
    assert len({evidence.raising.tobytes() for evidence in some}) == 5


def test_a_fit_with_patterns_comes_back_from_its_file(exclusive, tmp_path):
    fit = Capri(patterns=PATTERNS, cause=(), score="aic").fit(exclusive)
    write_fit(fit, tmp_path / "fit.json")
    assert read_fit(tmp_path / "fit.json") == fit


def test_it_is_described_as_it_is_typed():
    method = Capri(patterns=("A=OR(a,b)", "homologous"), score="aic")
    assert describe(method) == "capri (score aic, patterns A = OR(a, b); homologous)"
    assert parse_method("capri:patterns=A=OR(a,b);homologous:score=aic") == method


class TestBootstrap:
    @pytest.fixture
    def confidence(self, exclusive):
        data = exclusive.take_events("abc")
        return bootstrap(Capri(patterns=PATTERNS, resamples=0), data, replicates=20, jobs=1)

    def test_patterns_have_a_support(self, confidence):
        assert confidence.pattern_edges == (("RAS", "c"),)
        assert confidence.pattern_support("RAS", "c") == 1
        assert confidence.pattern_support("RAS", "a") == 0
        row = confidence.edge_table().iloc[-1]
        assert (row.name, row["parent"], row["support"]) == ("c", "RAS", 1)

    def test_it_comes_back_from_its_file_and_adds_up(self, confidence, exclusive, tmp_path):
        write_confidence(confidence, tmp_path / "c.json")
        assert read_confidence(tmp_path / "c.json") == confidence
        method = Capri(patterns=PATTERNS, resamples=0)
        data = exclusive.take_events("abc")
        more = confidence + bootstrap(method, data, replicates=5, seed=2, jobs=1)
        assert more.pattern_votes == (("RAS", "c", 25),)

    def test_the_same_data_with_other_resamples(self):
        data = datasets.ovarian()
        method = Capri(resamples=20, level=0.2)
        found = bootstrap(method, data, kind="statistical", replicates=10, jobs=1)
        assert found.replicates == 10
        assert found == bootstrap(method, data, kind="statistical", replicates=10, jobs=1)
        other = bootstrap(method, data, kind="statistical", replicates=10, jobs=1, seed=2)
        assert other.votes.tolist() != found.votes.tolist()
        certain = bootstrap(Capri(resamples=0), data, kind="statistical", replicates=4, jobs=1)
        assert certain.exact == 4

    def test_a_method_without_random_numbers_is_refused(self):
        from caprese import Caprese

        with pytest.raises(ValueError, match="this method draws no random numbers"):
            bootstrap(Caprese(), datasets.ovarian(), kind="statistical", replicates=2)

    def test_pictures_show_the_operator_and_its_support(self, confidence, exclusive):
        fit = Capri(patterns=PATTERNS, resamples=0).fit(exclusive.take_events("abc"))
        texts = [text.get_text() for text in progression_figure(fit, confidence).axes[0].texts]
        assert "XOR" in texts
        assert any(text.startswith("pattern of events") for text in texts)
        lines = fit_lines(fit, confidence)
        assert any("RAS (and" in line for line in lines)

    def test_graphs_have_a_node_for_the_pattern(self, confidence, exclusive):
        fit = Capri(patterns=PATTERNS, resamples=0).fit(exclusive.take_events("abc"))
        graph = to_networkx(fit, confidence)
        assert graph.nodes["RAS"]["kind"] == "pattern"
        assert graph.nodes["RAS"]["formula"] == "XOR(a, b)"
        assert set(graph.predecessors("c")) == {"RAS"}
        assert graph.edges["RAS", "c"]["support"] == 1
        assert from_networkx(graph).edges == fit.edges


def test_its_edges_are_tested_by_permutations(exclusive):
    data = exclusive.take_events("abc")
    fit = Capri(resamples=0, score="aic").fit(datasets.ovarian())
    tests = edge_tests(fit, datasets.ovarian(), permutations=99)
    assert (tests.score[[edge == ("8q+", "3q+") for edge in tests.edges]] <= 0.05).all()
    assert np.isfinite(tests.score).all()
    only_pattern = edge_tests(Capri(patterns=PATTERNS).fit(data), data, permutations=9)
    assert np.isnan(only_pattern.score).all()


def test_it_is_compared_and_judged_beside_forests():
    data = datasets.ovarian()
    both = compare([Capri(resamples=0), Capri(resamples=0, score="aic")], data)
    assert both[1].estimate.parameters > both[0].estimate.parameters
    found = judge([Capri(resamples=0)], data, folds=3, jobs=1)
    assert found.events == data.events


def test_a_part_of_the_data_may_lack_events_that_patterns_name():
    whole = datasets.acml_selected17()
    part = whole.take_events([event for event in whole.events if "KRAS" not in event])
    method = Capri(patterns=("RAS = XOR(NRAS, KRAS)", "homologous"), cause=("KRAS Missense point",))
    assert method.within(part, whole) == Capri(patterns=("homologous",), cause=())
    assert method.within(whole, whole) == method
    with pytest.raises(DatasetError, match="the data has no event 'KRAS'"):
        method.within(part, part)


def test_it_is_judged_where_a_training_part_lacks_events(run):
    method = "capri:patterns=RAS=XOR(NRAS,KRAS):resamples=0"
    code, out, problem = run("judge", "acml_selected17", "-m", method, "--folds", "4")
    assert (code, problem) == (0, "")
    assert "Log-probability" in out


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--pattern", "RAS = XOR(NRAS, KRAS)", "--pattern", "homologous"], "XOR_TET2"),
        (["--pattern", "pairs XOR(NRAS, KRAS, CBL)", "--effect", "SETBP1"], "XOR_NRAS_KRAS"),
        (["--pattern", "P = XOR(NRAS)"], "refused: it holds in the same samples as NRAS"),
    ],
)
def test_patterns_are_options_that_repeat(words, shown, run):
    code, out, problem = run("fit", "acml_selected17", "-m", "capri", *words)
    assert (code, problem) == (0, "")
    assert shown in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pattern", "P = OR(NRAS, NOSUCH)"], "pattern 'P': the data has no event 'NOSUCH'"),
        (
            ["--pattern", "P = NOR(a, b)"],
            "--pattern must be such as P = XOR(A, B) ('NOR' is not an operator",
        ),
        (["--score", "dic"], "--score must be one of bic, aic, loglik, got 'dic'"),
    ],
)
def test_bad_options_are_refused_on_one_line(words, message, run):
    code, _, problem = run("fit", "acml_selected17", "-m", "capri", *words)
    assert code == 2
    assert message in problem
    assert problem.count("\n") == 1
