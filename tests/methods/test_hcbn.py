"""h-CBN: posets by simulated annealing."""

import threading

import numpy as np
import pytest

from caprese import CBN, HCBN, Dataset, ModelError, Poset, TimedPoset, bootstrap, compare, fit_poset
from caprese import datasets as embedded
from caprese._core.progress import listening
from caprese.fitting import poset_search
from caprese.methods.evidence import Reason
from caprese.models.base import parent_sets
from caprese.models.poset import NoisyPoset
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.forests import HiddenNetworks
from caprese.text.facts import in_words

pytestmark = pytest.mark.slow

BEST = {("8q+", "3q+"), ("8q+", "8p-"), ("5q-", "4q-"), ("5q-", "8p-"), ("5q-", "Xp-")}
PAPER = HCBN(steps=50, temperature=1, restarts=1, ascent=False)


@pytest.mark.parametrize(
    ("nu", "samples", "highest"), [(0.1, 200, -1040.3076), (0.2, 100, -542.0765)]
)
def test_a_poset_is_not_given_up_while_its_rates_tend_to_infinity(nu, samples, highest):
    """A search that gives a fit up when little gain is expected ends lower, by 0.97 and 0.39."""
    *_, (_, data) = HiddenNetworks(trees=6).datasets(
        ForestRecipe(events=10), nu=nu, samples=samples
    )
    assert HCBN().likeliest(data).log_likelihood == pytest.approx(highest, abs=1e-3)


class TestTheOvarianData:
    fit = HCBN(seed=0).fit(embedded.ovarian())

    @pytest.mark.parametrize("seed", range(10))
    def test_every_seed_finds_the_best_from_the_empty_poset(self, seed):
        fit = HCBN(seed=seed).fit(embedded.ovarian())
        assert fit.evidence.log_likelihood >= -371.41
        assert set(fit.model.edges) == BEST

    @pytest.mark.parametrize(
        "start", ["caprese", Poset(embedded.ovarian().events, ((1,), (2,), (), (), (), (), ()))]
    )
    def test_so_do_other_starts(self, start):
        assert set(HCBN(start=start).fit(embedded.ovarian()).model.edges) == BEST

    def test_a_search_of_no_steps_stays_at_its_start(self):
        data = embedded.ovarian()
        start = Poset(data.events, ((), (0,), (), (2,), (), (), ()))
        stay = {"steps": 0, "restarts": 1, "ascent": False}
        assert HCBN(start=start, **stay).fit(data).model.parent_sets == start.parent_sets
        forest = HCBN(start="caprese", **stay).fit(data).model
        assert set(forest.edges) == {("8q+", "3q+"), ("5q-", "4q-"), ("8q+", "8p-"), ("8p-", "Xp-")}

    def test_as_the_paper_ran_it_the_search_ends_lower(self):
        ends = [
            HCBN(steps=50, restarts=1, ascent=False, seed=seed)
            .fit(embedded.ovarian())
            .evidence.log_likelihood
            for seed in range(5)
        ]
        assert max(ends) <= self.fit.evidence.log_likelihood + 1e-6
        assert min(ends) < self.fit.evidence.log_likelihood - 0.5

    def test_the_gain_is_what_is_lost_without_the_parents(self):
        data, event = embedded.ovarian(), 4
        without = self.fit.model.adjacency()
        without[:, event] = False
        alone = fit_poset(Poset(data.events, parent_sets(without)), data)
        lost = self.fit.evidence.log_likelihood - alone.log_likelihood
        assert self.fit.evidence.gain[event] == pytest.approx(lost)
        assert np.isnan(self.fit.evidence.gain[0])

    def test_the_likeliest_poset_is_the_one_of_the_fit(self):
        found = HCBN(seed=0).likeliest(embedded.ovarian())
        assert found.model.poset == self.fit.model
        assert found.model.error == self.fit.evidence.error
        assert found.log_likelihood == self.fit.evidence.log_likelihood

    def test_what_is_said(self):
        assert in_words(self.fit.evidence.notes()) == [
            "log-likelihood -371.29 with an error rate of 0.152",
            "0 of 6 searches, and 1 of 6 that went on from their best, ended at this likelihood",
            "all ended at 6 different posets; the next likeliest is lower by 0.12",
            "only one search found it: a likelier poset may remain, which more searches may find",
        ]
        remarks = dict(zip(self.fit.model.events, in_words(self.fit.remarks()), strict=True))
        assert remarks["8p-"] == "its 2 parents add 8.8 to the log-likelihood"
        assert remarks["4q-"] == "its parent adds 5.1 to the log-likelihood"
        assert remarks["1q+"] == "no parent adds to the likelihood"
        assert self.fit.table().loc["8p-", "parent"] == "8q+ & 5q-"

    def test_the_error_is_both_rates(self):
        assert self.fit.evidence.error == pytest.approx(0.1525, abs=1e-3)
        assert self.fit.recovery is None
        noise = self.fit.estimate.noise
        assert noise.false_positive == noise.false_negative == self.fit.evidence.error


def test_finds_a_poset_with_several_parents_in_large_data():
    truth = TimedPoset("abcde", ((), (), (0, 1), (1,), (2, 3)), (2.0, 3.0, 4.0, 2.0, 5.0))
    data = NoisyPoset(truth, 0.03).sample(2000, np.random.default_rng(5))
    assert HCBN().fit(data).model.parent_sets == truth.parent_sets


def test_constant_events_take_no_part_and_identical_ones_are_said_to_be_tied():
    rows = [[1, 0, 1, 1, 1], [1, 0, 0, 0, 1], [1, 0, 1, 1, 0], [1, 0, 0, 0, 0], [1, 0, 1, 1, 1]]
    fit = HCBN(steps=20, restarts=1).fit(Dataset.from_rows(rows, events="abcde"))
    reasons = dict(zip("abcde", fit.evidence.reasons, strict=True))
    assert (reasons["a"], reasons["b"]) == (Reason.ALWAYS, Reason.NEVER)
    assert (reasons["c"], reasons["d"]) == (Reason.TIED, Reason.TIED)
    assert not fit.model.adjacency()[:, :2].any()
    assert not fit.model.adjacency()[:2].any()


def test_renaming_renames_whatever_the_alphabet_says():
    data = embedded.ovarian()
    backwards = dict(zip(data.events, "gfedcba", strict=True))
    renamed = Dataset(data.values, tuple(backwards.values()), data.samples)
    expected = {(backwards[i], backwards[j]) for i, j in PAPER.fit(data).model.edges}
    assert set(PAPER.fit(renamed).model.edges) == expected


def test_too_many_events_are_refused_before_anything_is_done():
    data = Dataset.from_rows(np.eye(21, dtype=int), events=[f"e{k}" for k in range(21)])
    for method in (HCBN(), CBN()):
        with pytest.raises(
            ModelError, match=r"21 events has up to 2\^21 states.*most is 20 events"
        ):
            method.fit(data)


def test_a_start_of_other_events_is_refused():
    with pytest.raises(ModelError, match="start and data must have the same events; '1q"):
        HCBN(start=Poset("ab", ((), (0,)))).fit(embedded.ovarian())


def test_the_searches_report_their_progress():
    reported = []
    with listening(lambda *progress: reported.append(progress)):
        PAPER.fit(embedded.ovarian())
    assert reported[0] == ("searches", 0, 1)


def test_an_interruption_ends_the_searches():
    def interrupt(_what, _done, _total):
        raise KeyboardInterrupt

    before = threading.active_count()
    with listening(interrupt), pytest.raises(KeyboardInterrupt):
        HCBN(steps=10**9, restarts=3).fit(embedded.ovarian())
    assert threading.active_count() == before


def test_the_answer_does_not_depend_on_how_often_an_interruption_is_checked(monkeypatch):
    method = HCBN(steps=30, restarts=2)
    found = method.fit(embedded.ovarian())
    monkeypatch.setattr(poset_search, "_AT_ONCE", 7 << 7)  # 7 steps at once, of 7 events
    assert method.fit(embedded.ovarian()) == found


class TestPosetsElsewhere:
    method = HCBN(steps=20, restarts=1)

    def test_the_bootstrap_counts_every_parent(self):
        confidence = bootstrap(self.method, embedded.acml(), replicates=30, seed=2, jobs=1)
        again = bootstrap(self.method, embedded.acml(), replicates=30, seed=2, jobs=2)
        assert confidence == again
        assert sum(times for _, times in confidence.distinct_models) == 30
        votes = np.zeros_like(confidence.votes)
        for parents, times in confidence.distinct_models:
            for event, above in enumerate(parents):
                for parent in above or (-1,):
                    votes[parent if parent >= 0 else 2 - parent, event] += times
        assert votes.tolist() == confidence.votes.tolist()

    def test_its_table_has_a_row_for_every_edge(self):
        confidence = bootstrap(HCBN(), embedded.ovarian(), replicates=2, seed=1)
        table = confidence.edge_table()
        assert table.loc["8p-", "parent"].tolist() == ["8q+", "5q-"]
        assert len(table) == 8

    @pytest.mark.parametrize("noise", [None, "estimate"])
    def test_the_parametric_bootstrap_draws_from_the_poset(self, noise):
        confidence = bootstrap(
            self.method, embedded.acml(), kind="parametric", noise=noise, replicates=5, seed=2
        )
        assert confidence.replicates == 5

    def test_a_comparison_judges_posets_as_hidden_networks(self):
        (one,) = compare([HCBN()], embedded.ovarian())
        assert one.estimate.log_likelihood == pytest.approx(one.fit.evidence.log_likelihood)
        assert one.bic == pytest.approx(8 * np.log(87) - 2 * one.estimate.log_likelihood)


class TestTheExpectedTime:
    @staticmethod
    def nested(events):
        rng = np.random.default_rng(1)
        values = rng.random((30, 1)) < np.linspace(0.9, 0.1, events)
        return Dataset(values, [f"e{k}" for k in range(events)])

    def test_few_events_are_a_matter_of_seconds(self):
        assert HCBN().expected_seconds(self.nested(13)) == 0

    def test_it_is_measured_and_grows_with_the_number_of_steps(self):
        data = self.nested(14)
        few = HCBN(steps=10, restarts=1, ascent=False).expected_seconds(data)
        many = HCBN(steps=100_000, restarts=1, ascent=False).expected_seconds(data)
        assert 0 < few < many

    def test_constant_events_have_nothing_to_search(self):
        data = Dataset(np.zeros((5, 14), dtype=bool), [f"e{k}" for k in range(14)])
        assert HCBN().expected_seconds(data) == 0

    def test_too_many_events_are_refused_at_once(self):
        with pytest.raises(ModelError, match="the most is 20 events"):
            HCBN().expected_seconds(self.nested(21))
