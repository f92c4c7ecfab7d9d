"""Posterior forests: what a fit says, and that it says it again."""

from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    ROOT,
    BayesForest,
    Dataset,
    Forest,
    ModelError,
    Noise,
    NoisyForest,
    Oncotree,
    bootstrap,
    compare,
    datasets,
    judge,
    order_probabilities,
    read_fit,
    write_fit,
)
from caprese._core.progress import listening
from caprese.data.seen_orders import SeenOrders
from caprese.methods.evidence import OrdersUsed, PosteriorEvidence, Reason, SubtypeEvidence
from caprese.methods.protocols import OrderedLearning
from caprese.text.facts import in_words
from subtypes import two_forests

pytestmark = pytest.mark.slow

SHORT = {"chains": 2, "draws": 50, "thin": 1, "warm_up": 50}
LONG = {"chains": 4, "draws": 400, "thin": 2, "warm_up": 200}
EDGES = {("8q+", "3q+"), ("8q+", "5q-"), ("5q-", "4q-"), ("5q-", "8p-"), ("8p-", "Xp-")}


@pytest.fixture(scope="module")
def ovarian():
    return BayesForest(**LONG).fit(datasets.ovarian())


@pytest.fixture(scope="module")
def grouped():
    return BayesForest(subtypes=2, **SHORT).fit(two_forests())


class TestTheOvarianData:
    def test_the_forest_on_which_draws_agree_most(self, ovarian):
        assert set(ovarian.edges) == EDGES

    def test_its_numbers_are_those_of_the_stated_forest(self, ovarian):
        evidence, data = ovarian.evidence, datasets.ovarian()
        noisy = NoisyForest(ovarian.model, evidence.noise)
        assert noisy.log_likelihood(data) == pytest.approx(evidence.log_likelihood)

    def test_the_evidence_is_a_posterior(self, ovarian):
        evidence = ovarian.evidence
        assert isinstance(evidence, PosteriorEvidence)
        assert isinstance(evidence, SubtypeEvidence)
        assert evidence.parent_probabilities.sum(axis=0) == pytest.approx(np.ones(7))
        assert (np.diag(evidence.parent_probabilities) == 0).all()
        assert evidence.diagnostics.converged
        assert evidence.subtypes == ()

    def test_two_edges_are_sure_and_the_others_are_not(self, ovarian):
        posterior = dict(zip(ovarian.model.events, ovarian.table()["posterior"], strict=True))
        assert {event for event, share in posterior.items() if share > 0.95} == {"8q+", "3q+"}
        assert all(0.3 < posterior[event] < 0.8 for event in ("5q-", "4q-", "8p-", "Xp-", "1q+"))

    def test_an_event_comes_before_another_at_least_as_probably_as_it_is_its_parent(self, ovarian):
        evidence = ovarian.evidence
        both = evidence.ancestor_probabilities + evidence.ancestor_probabilities.T
        assert (evidence.ancestor_probabilities >= evidence.parent_probabilities[:7] - 1e-12).all()
        assert (both <= 1 + 1e-12).all()

    def test_the_intervals_contain_the_rates_of_the_mode_and_the_means(self, ovarian):
        evidence = ovarian.evidence
        for name in ("false_positive", "false_negative"):
            low, high = getattr(evidence.intervals, name)
            assert low < getattr(evidence.noise, name) < high
            assert low < getattr(evidence.mean_noise, name) < high

    def test_no_forest_is_likelier_than_its_own_estimate(self, ovarian):
        own = ovarian.estimate.log_likelihood
        assert ovarian.evidence.log_likelihood <= own + 1e-3
        drawn = ovarian.posterior.log_likelihood
        assert drawn.max() <= own + 1e-3

    def test_it_predicts_by_averaging(self, ovarian):
        data = datasets.ovarian()
        assert ovarian.predictive is ovarian.posterior
        literal = np.log(np.exp(ovarian.posterior.draw_log_probabilities(data)).mean(axis=0))
        assert ovarian.predictive.log_probabilities(data) == pytest.approx(literal)

    def test_the_remarks_name_the_most_probable_other_parent(self, ovarian):
        said = dict(zip(ovarian.model.events, in_words(ovarian.remarks()), strict=True))
        assert said["3q+"] == "every other parent is below 5 %"
        assert said["5q-"].startswith("otherwise 4q- (")
        assert said["1q+"].startswith("otherwise 8q+ (")

    def test_another_seed_agrees_within_monte_carlo_error(self, ovarian):
        other = BayesForest(**LONG, seed=2).fit(datasets.ovarian()).evidence
        one = ovarian.evidence
        size = min(one.diagnostics.effective, other.diagnostics.effective)
        shares = one.parent_probabilities
        error = np.sqrt(2 * np.maximum(shares * (1 - shares), 0.01) / size)
        assert (np.abs(other.parent_probabilities - shares) < 4.5 * error).all()
        assert other.mean_noise.false_positive == pytest.approx(
            one.mean_noise.false_positive, abs=0.02
        )


@pytest.mark.parametrize("settings", [{}, {"subtypes": 2}, {"subtypes": "auto"}], ids=str)
def test_the_same_seed_gives_the_same_answer(settings):
    method = BayesForest(**SHORT, **settings)
    assert method.fit(datasets.acml()) == method.fit(datasets.acml())
    other = replace(method, seed=2).fit(datasets.acml())
    assert other.posterior != method.fit(datasets.acml()).posterior


def test_the_order_of_rows_and_columns_does_not_matter():
    data, rng = datasets.ovarian(), np.random.default_rng(5)
    events = [data.events[k] for k in rng.permutation(7)]
    shuffled = data.take_samples(rng.permutation(87)).take_events(events)
    one, other = (BayesForest(**SHORT).fit(each) for each in (data, shuffled))
    at = [events.index(event) for event in data.events]
    matrix = other.evidence.parent_probabilities[np.ix_([*at, 7], at)]
    assert matrix == pytest.approx(one.evidence.parent_probabilities)
    assert other.evidence.mean_noise == one.evidence.mean_noise


class TestSubtypes:
    def test_the_samples_of_two_forests_are_told_apart(self, grouped):
        one, other = grouped.evidence.subtypes
        members = np.array([one.memberships, other.memberships])
        assert members.sum(axis=0) == pytest.approx(np.ones(300))
        found = members.argmax(axis=0)
        agreement = (found == np.repeat([0, 1], 150)).mean()
        assert max(agreement, 1 - agreement) > 0.9

    def test_each_has_a_forest_a_share_and_what_sets_it_apart(self, grouped):
        chains = [set(each.forest.edges) for each in grouped.evidence.subtypes]
        assert any({("b", "c"), ("c", "d")} <= each for each in chains)
        assert any({("f", "g"), ("g", "h")} <= each for each in chains)
        assert sum(each.weight for each in grouped.evidence.subtypes) == pytest.approx(1)
        drawn = grouped.posterior.rates.mean(axis=(0, 1))
        for each, rates in zip(grouped.evidence.subtypes, drawn, strict=True):
            assert each.noise.rates == pytest.approx(rates)
            at = grouped.model.events.index(each.marker)
            difference = np.abs(each.frequencies - each.elsewhere)
            assert difference[at] == difference.max() > 0.5
            assert each.parent_probabilities.sum(axis=0) == pytest.approx(np.ones(8))

    def test_the_frequencies_are_averages_over_the_members(self, grouped):
        data = two_forests()
        for each in grouped.evidence.subtypes:
            literal = np.average(data.values, axis=0, weights=each.memberships)
            assert each.frequencies == pytest.approx(literal)
            others = np.average(data.values, axis=0, weights=1 - each.memberships)
            assert each.elsewhere == pytest.approx(others)

    def test_the_notes_say_them(self, grouped):
        said = in_words(grouped.evidence.notes())
        assert [line[:9] for line in said[2:4]] == ["subtype 1", "subtype 2"]
        assert "another seed may find other subtypes" in said[4]

    def test_the_names_of_the_samples_are_kept_with_the_memberships(self, grouped):
        assert grouped.evidence.samples == two_forests().samples

    def test_auto_finds_one_subtype_in_data_of_one_forest(self):
        rng = np.random.default_rng(1)
        forest = Forest(tuple("abcdef"), (ROOT, 0, 1, ROOT, 3, 3), (0.8, 0.7, 0.6, 0.6, 0.5, 0.5))
        data = NoisyForest(forest, Noise(0.03, 0.03)).sample(200, rng)
        fit = BayesForest(subtypes="auto", **SHORT).fit(data)
        assert len(fit.evidence.subtypes) == 1
        assert "one subtype: a single forest is enough for all samples" in in_words(
            fit.evidence.notes()
        )


def test_given_rates_are_kept():
    fit = BayesForest(noise=Noise(0.05, 0.1), **SHORT).fit(datasets.ovarian())
    assert fit.evidence.noise == Noise(0.05, 0.1)
    assert (fit.posterior.rates == [0.05, 0.1]).all()
    assert fit.evidence.intervals is None
    (rates, *_) = in_words(fit.evidence.notes())
    assert rates == "error rates, given: false positive 0.050, false negative 0.100"


def no_edge_is_outweighed(fit):
    shares, n = fit.evidence.parent_probabilities, len(fit.model.events)
    stated = shares[fit.model.parents, np.arange(n)]  # the root, -1, is the last row
    best = shares.max(axis=0)
    for event, name in enumerate(fit.model.events):
        if stated[event] < best[event] - 1e-9:
            assert fit.model.parents[event] == -1
            assert name in fit.undetermined
    return stated, best


class TestTheStatedForest:
    @pytest.mark.parametrize("subtypes", [1, "auto"])
    def test_no_edge_is_outweighed_by_another_parent(self, subtypes):
        data = datasets.aml_trees()
        most = np.argsort(-data.values.sum(axis=0), kind="stable")[:12]
        data = data.take_events([data.events[k] for k in most])
        fit = BayesForest(subtypes=subtypes, **SHORT).fit(data)
        stated, best = no_edge_is_outweighed(fit)
        assert (stated == best).mean() > 0.5

    def test_an_event_whose_likeliest_parent_comes_after_it_is_in_doubt(self):
        rows = [[1, 1, 1]] * 40 + [[1, 1, 0]] * 13 + [[0, 0, 1]] * 25 + [[0, 0, 0]] * 60
        rows += [[1, 0, 0], [0, 1, 0]]
        fit = BayesForest(chains=2, draws=300, thin=2).fit(Dataset.from_rows(rows, "abc"))
        no_edge_is_outweighed(fit)
        (event,) = fit.undetermined
        assert fit.undetermined[event] is Reason.OUTWEIGHED
        said = in_words(fit.remarks())[fit.model.events.index(event)]
        assert said.startswith("otherwise ")
        other = {"a": "b", "b": "a"}[event]
        assert other in said
        assert (event, other) in fit.edges


class TestPoorData:
    def test_unknown_entries_are_summed_over(self):
        data, rng = datasets.ovarian(), np.random.default_rng(8)
        known = rng.random(data.values.shape) < 0.8
        fit = BayesForest(**SHORT).fit(Dataset(data.values, data.events, data.samples, known))
        assert np.isfinite(fit.evidence.log_likelihood)
        whole = BayesForest(**SHORT).fit(data)
        assert fit.evidence.log_likelihood > whole.evidence.log_likelihood

    def test_one_event(self):
        fit = BayesForest(**SHORT).fit(Dataset.from_rows([[1], [0], [1]], ["a"]))
        assert fit.edges == ()
        assert fit.evidence.parent_probabilities.tolist() == [[0.0], [1.0]]

    def test_one_sample(self):
        fit = BayesForest(**SHORT).fit(Dataset.from_rows([[1, 0, 1]], "abc"))
        assert set(fit.evidence.reasons) <= {Reason.ALWAYS, Reason.NEVER}
        assert fit.evidence.parent_probabilities.sum(axis=0) == pytest.approx(np.ones(3))

    def test_constant_events(self):
        data = datasets.ovarian()
        values = np.column_stack([data.values, np.ones(87, bool), np.zeros(87, bool)])
        fit = BayesForest(**SHORT).fit(Dataset(values, (*data.events, "always", "never")))
        assert fit.undetermined == {"always": Reason.ALWAYS, "never": Reason.NEVER}

    def test_identical_events_are_tied_and_equally_probable(self):
        data = datasets.ovarian()
        values = np.column_stack([data.values, data.values[:, 0]])
        fit = BayesForest(**LONG).fit(Dataset(values, (*data.events, "copy")))
        assert fit.undetermined == {"8q+": Reason.TIED, "copy": Reason.TIED}
        shares = fit.evidence.parent_probabilities[[0, 7], 1]
        assert shares.sum() > 0.9
        assert shares[0] == pytest.approx(shares[1], abs=0.25)


class TestDraws:
    def test_as_many_are_kept_as_were_asked_for(self, ovarian):
        assert ovarian.posterior.draws == 1000
        few = BayesForest(keep=10, **SHORT).fit(datasets.acml())
        assert few.posterior.draws == 10
        assert few.evidence == BayesForest(**SHORT).fit(datasets.acml()).evidence

    def test_a_fit_without_draws_refuses_to_predict(self, tmp_path):
        fit = BayesForest(keep=0, **SHORT).fit(datasets.acml())
        assert fit.posterior is None
        message = (
            "^this fit keeps no draws of its posterior, so it cannot predict by averaging; fit "
            "again with keep of at least 1$"
        )
        write_fit(fit, tmp_path / "fit.json")
        for each in (fit, read_fit(tmp_path / "fit.json")):
            assert each == fit
            with pytest.raises(ModelError, match=message):
                _ = each.predictive

    def test_a_fit_from_a_file_predicts_the_same_to_the_last_digit(self, ovarian, tmp_path):
        write_fit(ovarian, tmp_path / "fit.json")
        again, data = read_fit(tmp_path / "fit.json"), datasets.ovarian()
        assert again == ovarian
        own = ovarian.predictive.log_probabilities(data)
        assert (again.predictive.log_probabilities(data) == own).all()

    def test_draws_that_were_dropped_leave_the_tables(self, ovarian, tmp_path):
        dropped = replace(ovarian, posterior=None)
        write_fit(dropped, tmp_path / "fit.json")
        assert read_fit(tmp_path / "fit.json") == dropped
        assert (tmp_path / "fit.json").stat().st_size < 10_000

    def test_subtypes_come_back_from_a_file(self, grouped, tmp_path):
        write_fit(grouped, tmp_path / "fit.json")
        assert read_fit(tmp_path / "fit.json") == grouped


def test_chains_that_are_too_short_are_said_to_be():
    fit = BayesForest(chains=2, draws=40).fit(datasets.ovarian())
    assert fit.evidence.diagnostics.agree
    said = in_words(fit.evidence.notes())[1]
    assert "the chains are too short, so the probabilities are not reliable" in said
    assert said.endswith("fit again with more draws")


def test_chains_that_found_different_answers_say_so_and_not_how_far_r_hat_is_from_one():
    fit = BayesForest(chains=4, draws=10, thin=1, warm_up=0).fit(datasets.ovarian())
    assert not fit.evidence.diagnostics.agree
    said = in_words(fit.evidence.notes())[1]
    assert "which is right is not known" in said
    assert "R-hat" not in said
    assert fit.posterior.parents.shape == (1, 40, 1, 7)  # draws of chains by their weights


def test_sweeps_are_reported():
    heard = []
    with listening(lambda *report: heard.append(report)):
        BayesForest(**SHORT).fit(datasets.acml())
    what, done, total = heard[-1]
    assert what == "sweeps"
    assert done == total >= 200
    assert [what for what, _, _ in heard] == sorted(what for what, _, _ in heard)  # ascents first
    for work in ("ascents", "sweeps"):
        done = [done for what, done, _ in heard if what == work]
        assert done == sorted(done)


def test_it_can_be_compared_and_bootstrapped():
    data, method = datasets.acml(), BayesForest(chains=1, draws=5, thin=1, warm_up=5)
    (one,) = compare([method], data)
    assert one.estimate.log_likelihood >= one.fit.evidence.log_likelihood - 1e-6
    confidence = bootstrap(method, data, replicates=3, jobs=1)
    assert (confidence.votes.sum(axis=0) == 3).all()


def test_arviz_takes_the_draws(ovarian):
    arviz = pytest.importorskip("arviz", reason="the extra chains is not installed")
    found = ovarian.posterior.to_arviz()
    assert dict(found.posterior.sizes)["event"] == 7
    assert (found.sample_stats["lp"] == ovarian.posterior.log_likelihood).all()
    assert float(arviz.rhat(found, var_names="rates")["rates"].max()) < 1.1


def test_without_arviz_the_extra_is_named(ovarian, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "arviz", None)
    with pytest.raises(ModelError, match=r"^to_arviz needs arviz: pip install 'arviz<1,>=0.20'$"):
        ovarian.posterior.to_arviz()


def with_seen_orders(data, earlier, later):
    """Orders of two events in all samples that have both."""
    both = data.values[:, [data.events.index(earlier), data.events.index(later)]].all(axis=1)
    rows = [(data.samples[k], earlier, later, 0.95) for k in np.flatnonzero(both)]
    return data.with_orders(SeenOrders.from_rows(rows))


@pytest.fixture(scope="module")
def ordered():
    return with_seen_orders(datasets.ovarian(), "3q+", "8q+")


class TestSeenOrders:
    @pytest.mark.parametrize("subtypes", [1, 2, "auto"])
    def test_they_turn_an_order_round(self, ordered, subtypes):
        before = BayesForest(**SHORT).fit(datasets.ovarian()).evidence.ancestor_probabilities
        fit = BayesForest(**SHORT, subtypes=subtypes).fit(ordered)
        one, other = ordered.events.index("8q+"), ordered.events.index("3q+")
        assert before[one, other] > 0.9
        assert fit.evidence.ancestor_probabilities[one, other] < 0.1
        assert not fit.model.ancestors()[one, other]
        orders = order_probabilities(fit, ordered)[:, other, one]
        assert np.nanmean(orders) > 0.5

    def test_the_fit_says_how_many_it_used(self, ordered):
        fit = BayesForest(**SHORT).fit(ordered)
        pairs = len(ordered.orders)
        assert fit.evidence.orders == OrdersUsed(pairs, pairs)
        assert f"{pairs} seen orders of {pairs} samples entered the fit" in in_words(
            fit.evidence.notes()
        )
        plain = BayesForest(**SHORT).fit(ordered.without_orders())
        assert plain.evidence.orders is None
        assert plain == BayesForest(**SHORT).fit(datasets.ovarian())

    def test_its_file_keeps_it_and_one_without_the_field_is_read(self, ordered, tmp_path):
        path = tmp_path / "fit.json"
        fit = BayesForest(**SHORT).fit(ordered)
        write_fit(fit, path)
        assert read_fit(path) == fit
        plain = BayesForest(**SHORT).fit(ordered.without_orders())
        write_fit(plain, path)
        content = path.read_text().replace(',\n    "orders": null', "")
        assert content != path.read_text()
        path.write_text(content)
        assert read_fit(path) == plain

    def test_the_method_says_that_it_uses_them(self):
        assert isinstance(BayesForest(), OrderedLearning)
        assert BayesForest().uses_orders
        assert not isinstance(Oncotree(), OrderedLearning)

    def test_judging_trains_without_and_with_them(self, ordered):
        method = BayesForest(**SHORT)
        one, other = (
            judge([method], each, folds=3, jobs=1) for each in (ordered, datasets.ovarian())
        )
        assert one.methods == ("bayes", "independence", "bayes + orders")
        assert other.methods == ("bayes", "independence")
        assert not np.array_equal(one.log_probabilities[0], one.log_probabilities[2])

    def test_resamples_keep_them(self, ordered):
        method = BayesForest(chains=1, draws=5, warm_up=5, keep=0)
        confidence = bootstrap(method, ordered, replicates=10, jobs=1)
        assert confidence.table().loc["8q+", "3q+"] < 0.2
