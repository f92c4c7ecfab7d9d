import os
import pickle
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from caprese import (
    ROOT,
    Caprese,
    Confidence,
    Counts,
    Dataset,
    ModelError,
    Noise,
    Oncotree,
    bootstrap,
    consensus,
    datasets,
    read_confidence,
    write_confidence,
)
from caprese.assessment.bootstrap import RunningBootstrap
from caprese.assessment.confidence import UNDETERMINED, monte_carlo_interval
from caprese.fitting.estimate import with_errors
from caprese.simulation.replicates import Draws, Resamples, draws_like
from strategies import datasets as any_data

pytestmark = pytest.mark.slow


@dataclass(frozen=True, kw_only=True)
class ByData:
    """A method that needs the data itself, not counts alone."""

    def fit(self, data):
        return replace(Caprese().fit(data), method=self)  # or the bootstrap would use CAPRESE


def votes_by_name(confidence):
    names = [*confidence.events, "root", "nobody"]
    return {
        (names[i], event): int(confidence.votes[i, j])
        for i in range(len(names))
        for j, event in enumerate(confidence.events)
    }


class TestTheSameSeedGivesTheSameAnswer:
    def shuffled(self, data):
        rng = np.random.default_rng(3)
        rows = data.take_samples(rng.permutation(len(data.samples)))
        return rows.take_events([data.events[k] for k in rng.permutation(len(data.events))])

    @pytest.mark.parametrize(
        "settings",
        [
            {},
            {"kind": "parametric"},
            {"kind": "parametric", "noise": Noise(0.1, 0.05)},
        ],
        ids=str,
    )
    def test_whatever_the_order_of_rows_and_columns(self, settings):
        data = datasets.ovarian()
        one = bootstrap(Caprese(), data, replicates=500, seed=7, **settings)
        other = bootstrap(Caprese(), self.shuffled(data), replicates=500, seed=7, **settings)
        assert votes_by_name(one) == votes_by_name(other)
        assert one.exact == other.exact

    def test_whatever_the_number_of_jobs(self):
        one, two, five = (
            bootstrap(Oncotree(), datasets.ovarian(), replicates=503, seed=7, jobs=jobs)
            for jobs in (1, 2, 5)
        )
        assert one == two == five

    def test_whatever_the_size_of_the_chunks(self, monkeypatch):
        one = bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=7)
        monkeypatch.setattr("caprese.assessment.bootstrap._CHUNK_BYTES", 7 * 7 * 8 * 13)
        assert bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=7) == one

    @pytest.mark.parametrize("kind", ["nonparametric", "parametric"])
    def test_whether_counts_suffice_or_the_data_is_needed(self, kind):
        data = datasets.acml()
        one = bootstrap(Caprese(), data, kind=kind, replicates=60, seed=2)
        other = bootstrap(ByData(), data, kind=kind, replicates=60, seed=2, jobs=1)
        assert one == other

    def test_and_another_seed_another(self):
        one, other = (
            bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=seed) for seed in (1, 2)
        )
        assert one.votes.tolist() != other.votes.tolist()


class TestReplicates:
    @settings(max_examples=30)
    @given(data=any_data())
    def test_the_counts_of_a_resample_are_those_of_its_data(self, data):
        source = Resamples.of(data, seed=4)
        batch = source.counts(0, 3)
        for replicate in range(3):
            counts = Counts.of(source.dataset(replicate))
            for name in ("joint", "first", "total"):
                assert (getattr(batch, name)[replicate] == getattr(counts, name)).all()

    @settings(max_examples=30)
    @given(data=any_data())
    def test_the_counts_of_a_draw_are_those_of_its_data(self, data):
        fit = Caprese().fit(data)
        source = draws_like(data, with_errors(fit.model, fit.counts, Noise(0.01, 0.02)), seed=4)
        batch = source.counts(0, 3)
        for replicate in range(3):
            counts = Counts.of(source.dataset(replicate))
            for name in ("joint", "first", "total"):
                assert (getattr(batch, name)[replicate] == getattr(counts, name)).all()

    def test_more_columns_and_rows_than_a_word_holds(self):
        rng = np.random.default_rng(1)
        data = Dataset(rng.random((130, 70)) < 0.4, tuple(map(str, range(70))))
        source = Resamples.of(data, seed=4)
        assert (source.counts(5, 6).joint[0] == Counts.of(source.dataset(5)).joint).all()

    @pytest.mark.parametrize("columns", [63, 64, 65, 128, 129])
    def test_columns_that_just_fill_a_word(self, columns):
        rng = np.random.default_rng(1)
        data = Dataset(rng.random((70, columns)) < 0.4, tuple(map(str, range(columns))))
        source = Resamples.of(data, seed=4)
        assert (source.counts(5, 6).joint[0] == Counts.of(source.dataset(5)).joint).all()

    def test_draws_have_the_unknown_entries_of_the_data(self):
        data = self.with_unknown()
        model = Caprese().fit(data).model
        known = data.take_samples(data.sample_order).known
        for source in (draws_like(data, model, seed=4), Draws(model, 40, 4, known)):
            for replicate in (0, 3):
                drawn = source.dataset(replicate)
                assert drawn.known.tolist() == known.tolist()
                assert not (drawn.values & ~drawn.known).any()

    def test_draws_of_a_model_with_other_columns_have_them_too(self):
        data = self.with_unknown()
        other = data.take_events(data.events[::-1])
        model = Caprese().fit(other).model
        drawn = draws_like(data, model, seed=4).dataset(0)
        assert drawn.events == other.events
        assert drawn.known.tolist() == data.take_samples(data.sample_order).known[:, ::-1].tolist()

    def test_a_parametric_bootstrap_with_unknown_entries_is_that_of_its_data_sets(self):
        data = self.with_unknown()
        settings = {"kind": "parametric", "noise": Noise(0.05, 0.1), "replicates": 40, "seed": 3}
        one = bootstrap(Caprese(), data, **settings)
        other = bootstrap(ByData(), data, jobs=1, **settings)
        assert one == other
        complete = Dataset(data.values, data.events)
        assert one.votes.tolist() != bootstrap(Caprese(), complete, **settings).votes.tolist()

    @staticmethod
    def with_unknown():
        rng = np.random.default_rng(6)
        first = rng.random(40) < 0.7
        table = [first, first & (rng.random(40) < 0.6), rng.random(40) < 0.3]
        known = rng.random((40, 3)) < [0.9, 0.6, 0.8]
        return Dataset(np.column_stack(table) & known, "abc", known=known)

    def test_every_sample_is_taken_equally_often(self):
        data = Dataset(np.eye(10, dtype=bool), tuple("abcdefghij"))
        taken = Resamples.of(data, seed=1).counts(0, 2000).present.sum(axis=0)
        assert chisquare(taken).pvalue > 0.001

    def test_draws_follow_the_forest_and_its_errors(self):
        data = datasets.ovarian()
        fit, noise = Caprese().fit(data), Noise(0.1, 0.2)
        source = draws_like(data, with_errors(fit.model, fit.counts, noise), seed=1)
        seen = source.counts(0, 4000).joint.sum(axis=0) / (4000 * 87)
        exact = noise.corrupt_counts(Counts.expected(source.model.forest)).joint
        np.testing.assert_allclose(seen, exact, atol=0.005)


class TestAnEventThatVanishes:
    """a is in 9 of 10 samples, c in one: both are often in all or in none of a resample."""

    data = Dataset.from_rows(
        [[1, 1, 1], [1, 1, 0], [1, 1, 0], [1, 1, 0], [1, 0, 0]] + [[1, 0, 0]] * 4 + [[0, 0, 0]],
        events="abc",
    )

    @pytest.mark.parametrize("method", [Caprese(), Oncotree(), Oncotree(search="branching")])
    def test_gives_its_vote_to_nobody(self, method):
        confidence = bootstrap(method, self.data, replicates=20_000, seed=1)
        *_, nobody = confidence.votes / confidence.replicates
        never, always = binom.pmf(0, 10, 0.1), binom.pmf(10, 10, 0.9)
        assert nobody[0] == pytest.approx(always, abs=0.01)
        assert nobody[2] == pytest.approx(never, abs=0.01)

    def test_and_nobody_gets_the_vote_of_another(self):
        source = Resamples.of(self.data, seed=1)
        counts = source.counts(0, 2000)
        parents = Oncotree().infer_parents(counts)
        by_hand = np.zeros((5, 3), dtype=int)
        for b in range(2000):
            for event in range(3):
                gone, parent = counts.present[b, event] in (0, 10), parents[b, event]
                by_hand[4 if gone else 3 if parent == ROOT else parent, event] += 1
        confidence = bootstrap(Oncotree(), self.data, replicates=2000, seed=1)
        assert confidence.votes.tolist() == by_hand.tolist()

    def test_an_event_never_seen_is_undetermined_in_the_forest_too(self):
        data = Dataset.from_rows([[1, 0], [0, 0], [1, 0]], events="ab")
        confidence = bootstrap(Caprese(), data, replicates=100, seed=1)
        assert confidence.parent_sets == ((), (UNDETERMINED,))
        assert confidence.votes[3, 1] == 100
        assert confidence.edge_table().loc["b", "support"] == 1


class TestWhatIsCounted:
    confidence = bootstrap(Caprese(), datasets.ovarian(), replicates=3000, seed=5)

    def test_every_replicate_gives_every_event_one_vote(self):
        assert (self.confidence.votes.sum(axis=0) == 3000).all()

    def test_the_forest_in_question_is_the_fit(self):
        fit = Caprese().fit(datasets.ovarian())
        parents = tuple(() if parent == ROOT else (int(parent),) for parent in fit.model.parents)
        assert self.confidence.parent_sets == parents
        assert dict(self.confidence.distinct_models)[parents] == self.confidence.exact

    def test_forests_come_most_frequent_first(self):
        times = [often for _, often in self.confidence.distinct_models]
        assert all(one >= other for one, other in pairwise(times))
        assert sum(times) <= 3000

    def test_ancestors_and_votes_agree_with_the_forests(self):
        parents = Caprese().infer_parents(Resamples.of(datasets.ovarian(), 5).counts(0, 3000))
        ancestors = np.zeros((7, 7), dtype=int)
        for forest in parents:
            for event in range(7):
                above = forest[event]
                while above != ROOT:
                    ancestors[above, event] += 1
                    above = forest[above]
        assert self.confidence.ancestors.tolist() == ancestors.tolist()

    def test_adjacency_and_direction(self):
        i, j = 2, 3
        there, back = self.confidence.votes[i, j], self.confidence.votes[j, i]
        assert self.confidence.adjacency[i, j] == (there + back) / 3000
        assert self.confidence.direction[i, j] == there / (there + back)
        assert np.isnan(self.confidence.direction[0, 0])

    def test_the_table_is_laid_out_as_in_the_paper(self):
        table = self.confidence.table()
        assert list(table.index) == ["root", *datasets.ovarian().events, "not determined"]
        assert table.loc["8q+", "3q+"] == self.confidence.votes[0, 1] / 3000
        assert table.loc["root", "1q+"] == self.confidence.votes[7, 5] / 3000

    def test_the_edge_table(self):
        table = self.confidence.edge_table()
        row = table.loc["8p-"]
        assert row["parent"] == "8q+"
        assert row["low"] < row["support"] == self.confidence.votes[0, 4] / 3000 < row["high"]
        assert row["ancestor"] >= row["support"]
        assert table.loc["8q+", "support"] == self.confidence.votes[7, 0] / 3000
        assert np.isnan(table.loc["8q+", "adjacency"])


class TestAddingUp:
    def runs(self, *seeds, method=Caprese):
        data = datasets.ovarian()
        return [bootstrap(method(), data, replicates=200, seed=seed) for seed in seeds]

    def test_two_runs_add_up(self):
        one, other = self.runs(1, 2)
        both = one + other
        assert both.replicates == 400
        assert both.exact == one.exact + other.exact
        assert (both.votes == one.votes + other.votes).all()
        assert (both.ancestors == one.ancestors + other.ancestors).all()
        assert dict(both.distinct_models) == {
            forest: dict(one.distinct_models).get(forest, 0)
            + dict(other.distinct_models).get(forest, 0)
            for forest in {*dict(one.distinct_models), *dict(other.distinct_models)}
        }
        assert one + other == both

    def test_the_same_seed_does_not(self):
        one, other = self.runs(1, 1)
        with pytest.raises(ModelError, match="both runs used seed 1"):
            one + other

    def test_another_forest_does_not(self):
        (one,), (other,) = self.runs(1), self.runs(2, method=Oncotree)
        with pytest.raises(ModelError, match="only bootstraps of the same model can be added up"):
            one + other

    def test_other_data_does_not(self):
        (one,) = self.runs(1)
        with pytest.raises(ModelError, match="only bootstraps of the same data can be added up"):
            one + replace(one, digest="x", seeds=(2,))


class TestConsensus:
    def test_is_a_forest_where_the_most_frequent_parents_form_a_cycle(self):
        votes = [[0, 7, 0], [6, 0, 0], [0, 0, 0], [4, 2, 10], [0, 1, 0]]
        zeros = np.zeros((3, 3))
        circular = Confidence(
            tuple("abc"), ((), (), ()), 10, 0, np.array(votes), zeros, (), (1,), ""
        )
        counts = Counts.of(Dataset.from_rows([[1, 1, 0], [1, 0, 0], [0, 0, 1]], events="abc"))
        forest = consensus(circular, counts)
        assert forest.parents.tolist() == [ROOT, 0, ROOT]

    def test_has_the_most_votes_of_all_forests(self):
        confidence = bootstrap(Oncotree(), datasets.ovarian(), replicates=500, seed=1)
        forest = consensus(confidence, Counts.of(datasets.ovarian()))
        graph = nx.DiGraph()
        for j in range(7):
            nobody = confidence.votes[8, j]
            graph.add_edge("root", j, weight=confidence.votes[7, j] + nobody)
            graph.add_weighted_edges_from(
                (i, j, confidence.votes[i, j]) for i in range(7) if i != j
            )
        best = nx.maximum_spanning_arborescence(graph)
        won = sum(confidence.votes[7 if p == ROOT else p, j] for j, p in enumerate(forest.parents))
        assert won == best.size(weight="weight")


class TestRefusals:
    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"replicates": 0}, "replicates must be a whole number of at least 1, got 0"),
            ({"seed": -1}, "seed must be a whole number from 0 to 9223372036854775807, got -1"),
            ({"jobs": 0}, "jobs must be a whole number of at least 1, got 0"),
            (
                {"kind": "both"},
                "kind must be one of nonparametric, parametric, statistical, got 'both'",
            ),
            (
                {"noise": "estimate"},
                "noise must be None in a nonparametric bootstrap, got 'estimate'",
            ),
        ],
    )
    def test_a_bad_parameter_is_refused_by_name(self, settings, message):
        with pytest.raises(ValueError, match=f"^{message}$"):
            bootstrap(Caprese(), datasets.acml(), **settings)

    def test_arrays_of_another_shape_are_refused(self):
        with pytest.raises(ModelError, match=r"votes must have shape \(3, 1\), got \(1, 1\)"):
            Confidence(("a",), ((),), 1, 0, np.zeros((1, 1)), np.zeros((1, 1)), (), (), "")


class TestChunks:
    """Progress is told, and an interruption answered, after every chunk of replicates."""

    @pytest.mark.parametrize("method", [Caprese(), ByData()])
    def test_there_are_four_for_each_worker(self, method):
        running = RunningBootstrap(method, datasets.ovarian(), replicates=78, jobs=1)
        assert list(running) == [20, 40, 60, 78]

    def test_several_workers_share_them(self):
        running = RunningBootstrap(Caprese(), datasets.ovarian(), replicates=50, jobs=3)
        assert list(running) == [*range(5, 51, 5)]

    def test_of_fits_that_take_long_there_are_more(self):
        running = RunningBootstrap(ByData(), datasets.ovarian(), replicates=220, jobs=1)
        assert list(running) == [50, 100, 150, 200, 220]

    @pytest.mark.parametrize(
        ("size", "expected"), [(8 * 7**2 * 6, [6, 12, 18, 24, 25]), (1, range(1, 26))]
    )
    def test_their_pair_counts_take_little_memory(self, size, expected, monkeypatch):
        monkeypatch.setattr("caprese.assessment.bootstrap._CHUNK_BYTES", size)
        running = RunningBootstrap(Caprese(), datasets.ovarian(), replicates=25, jobs=1)
        assert list(running) == [*expected]


def test_by_default_there_are_a_thousand_replicates_of_the_first_seed():
    whole = bootstrap(Caprese(), datasets.ovarian(), replicates=1000, seed=1)
    assert bootstrap(Caprese(), datasets.ovarian()) == whole
    running = RunningBootstrap(Caprese(), datasets.ovarian())
    assert list(running)[-1] == 1000
    assert running.confidence == whole


class TestInterruption:
    @pytest.fixture(autouse=True)
    def _interruptions_are_not_ignored(self):
        """The parent of the tests may ignore interruptions, and a child inherits that."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    def test_waits_until_a_chunk_is_counted_in_full(self, monkeypatch):
        usual = RunningBootstrap._add

        def interrupted(running, found):
            usual(running, found)
            running.done -= len(found)
            os.kill(os.getpid(), signal.SIGINT)  # while the counts are incomplete
            running.done += len(found)

        monkeypatch.setattr(RunningBootstrap, "_add", interrupted)
        with pytest.raises(KeyboardInterrupt) as interruption:
            bootstrap(Caprese(), datasets.acml(), replicates=500, seed=1, jobs=2)
        confidence = interruption.value.confidence
        assert 0 < confidence.replicates < 500
        assert (confidence.votes.sum(axis=0) == confidence.replicates).all()

    def test_carries_the_replicates_done(self, interrupted):
        with interrupted(after=300), pytest.raises(KeyboardInterrupt) as interruption:
            bootstrap(Caprese(), datasets.ovarian(), replicates=800, seed=1, jobs=2)
        whole = bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1)
        assert interruption.value.confidence == whole

    def test_before_the_first_replicate_carries_nothing(self, monkeypatch):
        def interrupted(*_arguments):
            raise KeyboardInterrupt

        monkeypatch.setattr(Resamples, "counts", interrupted)
        with pytest.raises(KeyboardInterrupt) as interruption:
            bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1, jobs=1)
        assert interruption.value.confidence is None

    def test_is_ignored_where_interruptions_are(self, monkeypatch):
        usual = RunningBootstrap._add

        def interrupted(running, found):
            usual(running, found)
            os.kill(os.getpid(), signal.SIGINT)

        whole = bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1)
        monkeypatch.setattr(RunningBootstrap, "_add", interrupted)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1) == whole
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    def test_does_not_concern_another_thread(self):
        whole = bootstrap(Caprese(), datasets.ovarian(), replicates=300, seed=1)
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(bootstrap, Caprese(), datasets.ovarian(), replicates=300, seed=1)
            assert running.result() == whole


class TestValue:
    @pytest.fixture
    def confidence(self):
        return bootstrap(Caprese(), datasets.acml(), replicates=50, seed=1)

    def test_comes_back_from_a_pickle_and_from_its_file(self, confidence, tmp_path):
        assert pickle.loads(pickle.dumps(confidence)) == confidence
        write_confidence(confidence, tmp_path / "confidence.json", kind="nonparametric")
        assert read_confidence(tmp_path / "confidence.json") == confidence

    def test_cannot_be_written(self, confidence):
        with pytest.raises(ValueError, match="read-only"):
            confidence.votes[0, 0] = 1


@given(times=st.integers(0, 200))
def test_the_interval_holds_the_share_and_stays_within_bounds(times):
    low, high = monte_carlo_interval(times, 200)
    assert 0 <= low <= times / 200 <= high <= 1


def test_the_interval_covers_the_truth_as_often_as_it_says():
    drawn = np.random.default_rng(1).binomial(500, 0.3, size=4000)
    low, high = monte_carlo_interval(drawn, 500)
    assert ((low <= 0.3) & (high >= 0.3)).mean() == pytest.approx(0.95, abs=0.015)
