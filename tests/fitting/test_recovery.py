"""Recovery: inference from the counts as they were before errors."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import datasets as embedded
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ParameterError
from caprese.fitting.forest_em import fit_forest, rate_intervals
from caprese.fitting.recovery import ROUNDS, Recovery, clean_counts, estimate_rates, likeliest
from caprese.io.documents import read_fit, write_fit
from caprese.methods import Caprese, Oncotree
from caprese.methods.evidence import Reason
from caprese.methods.parameters import check_rates, parse_noise
from caprese.models.forest import ROOT, Forest, NoisyForest
from caprese.models.noise import Noise
from caprese.text.facts import in_words
from shapes import BINARY, SHAPES, THREE_TREES, random_forest

pytestmark = pytest.mark.slow

METHODS = [Caprese(), Caprese(shrinkage=0.01), Oncotree(), Oncotree(search="branching")]
every_method = pytest.mark.parametrize("method", METHODS, ids=repr)


def seen_in(forest, noise, samples, seed):
    return NoisyForest(forest, noise).sample(samples, np.random.default_rng(seed))


def reason(fit, event):
    return fit.evidence.reasons[fit.model.events.index(event)]


class TestParseNoise:
    def test_two_rates_or_the_word(self):
        assert parse_noise("0.1,0.05") == Noise(0.1, 0.05)
        assert parse_noise("0, 1e-3") == Noise(0, 0.001)
        assert parse_noise("estimate") == "estimate"

    @pytest.mark.parametrize("rates", [(0, 0), (0.1, 0.05), (0.2085, 0.0268), (1e-7, 0.5)])
    def test_it_reads_noise_as_it_is_written(self, rates):
        assert parse_noise(str(Noise(*rates))) == Noise(*rates)

    @pytest.mark.parametrize("text", ["", "0.1", "0.1,", "a,b", "0.1,0.1,0.1", "0.1;0.1", "guess"])
    def test_anything_else_is_refused(self, text):
        message = r"^noise must be two rates such as 0.1,0.05, or estimate"
        with pytest.raises(ParameterError, match=message):
            check_rates("noise", parse_noise(text))

    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("0.6,0.6", r"false_positive \+ false_negative must be less than 1, got 1.2"),
            ("-0.1,0", r"false_positive must be in \[0, 1\), got -0.1"),
            ("0,1", r"false_negative must be in \[0, 1\), got 1.0"),
            ("nan,0", r"false_positive must be in \[0, 1\), got nan"),
        ],
    )
    def test_rates_that_cannot_be_are_refused(self, text, rule):
        with pytest.raises(ValueError, match=f"^{rule}$"):
            parse_noise(text)

    @pytest.mark.parametrize("noise", ["estimate", Noise(), Noise(0.1, 0.2)])
    def test_what_is_noise_is_let_through(self, noise):
        assert check_rates("noise", noise) == noise

    @pytest.mark.parametrize("kind", [Caprese, Oncotree])
    @pytest.mark.parametrize("noise", ["guess", 0.1, True])
    def test_what_is_none_is_refused_at_construction(self, kind, noise):
        in_python = "" if isinstance(noise, str) else r" \(a Noise\)"
        message = rf"^noise must be two rates such as 0.1,0.05{in_python}, or estimate"
        with pytest.raises(ValueError, match=message):
            kind(noise=noise)


class TestGivenRates:
    noise = Noise(0.05, 0.1)

    @every_method
    @pytest.mark.parametrize("seed", range(3))
    def test_it_is_the_inference_on_recovered_counts(self, method, seed):
        data = seen_in(random_forest(np.random.default_rng([111, seed]), 8), self.noise, 200, seed)
        counts = Counts.of(data)
        told = replace(method, noise=Noise(0.03, 0.01))
        fit = told.fit(data)
        expected = method.infer_parents(Noise(0.03, 0.01).recover_counts(counts))
        assert fit.model.parents.tolist() == expected.tolist()
        assert told.infer_parents(counts).tolist() == expected.tolist()
        assert fit.counts == counts
        assert fit.method == told

    @every_method
    def test_the_evidence_is_of_the_recovered_counts(self, method):
        data = seen_in(BINARY, self.noise, 200, 112)
        clean = self.noise.recover_counts(Counts.of(data))
        evidence = replace(method, noise=self.noise).fit(data).evidence
        if isinstance(method, Caprese):
            expected, found = scores.shrinkage(clean, method.shrinkage), evidence.score
        else:
            expected, found = scores.desper(clean), np.exp(evidence.weight)
        between = ~np.eye(7, dtype=bool)
        assert found[between] == pytest.approx(expected[between])
        assert not (clean.joint == Counts.of(data).joint).any()

    @every_method
    def test_the_probabilities_are_the_likeliest_under_these_rates(self, method):
        data = seen_in(BINARY, self.noise, 200, 113)
        fit = replace(method, noise=self.noise).fit(data)
        best = fit_forest(fit.model, data, noise=self.noise)
        assert fit.model == best.forest
        seen = NoisyForest(fit.model, self.noise)
        assert fit.recovery.log_likelihood == pytest.approx(seen.log_likelihood(data))

    @every_method
    def test_the_recovery_tells_the_rates_and_no_more(self, method):
        data = seen_in(BINARY, self.noise, 200, 114)
        recovery = replace(method, noise=self.noise).fit(data).recovery
        assert recovery == Recovery(self.noise, recovery.log_likelihood, None, 0, settled=True)
        assert method.fit(data).recovery is None

    @every_method
    @pytest.mark.parametrize("rates", [(0.05, 0.1), (0.2, 0.0), (0.0, 0.3), (0.1, 0.4)])
    @pytest.mark.parametrize("name", SHAPES)
    def test_from_exact_counts_of_noisy_data_each_shape_comes_back(self, method, name, rates):
        """The paper's corollary, on recovered counts and at any rates."""
        noise, forest = Noise(*rates), SHAPES[name]
        seen = noise.corrupt_counts(Counts.expected(forest))
        found = replace(method, noise=noise).infer_parents(seen)
        assert found.tolist() == forest.parents.tolist()

    @every_method
    def test_a_batch_is_recovered_one_by_one(self, method):
        data = seen_in(BINARY, self.noise, 100, 115)
        weights = np.random.default_rng(116).integers(0, 3, (4, 100))
        told = replace(method, noise=Noise(0.02, 0.01))
        batch = told.infer_parents(Counts.of_resamples(data, weights))
        for b in range(4):
            one = Counts.of_resamples(data, weights[b])
            assert batch[b].tolist() == told.infer_parents(one).tolist()

    def test_errors_allowed_for_change_the_answer(self):
        """The filter sees what the errors hid: without recovery c would start by itself."""
        chain = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.95, 0.6 / 0.95, 0.5))
        noise = Noise.uniform(0.2)
        data = seen_in(chain, noise, 2000, 117)
        assert Caprese(shrinkage=0.01, noise=noise).fit(data).model.edges == (
            ("a", "b"),
            ("b", "c"),
        )
        assert ("a", "b") not in Caprese(shrinkage=0.01).fit(data).model.edges

    @every_method
    def test_with_unknown_entries(self, method):
        whole = seen_in(BINARY, self.noise, 400, 118)
        known = np.random.default_rng(119).random(whole.values.shape) < 0.85
        data = Dataset(whole.values, whole.events, known=known)
        fit = replace(method, noise=self.noise).fit(data)
        expected = method.infer_parents(self.noise.recover_counts(Counts.of(data)))
        assert fit.model.parents.tolist() == expected.tolist()
        assert np.isfinite(fit.recovery.log_likelihood)

    @pytest.mark.parametrize("method", [Caprese(), Oncotree()], ids=repr)
    def test_equally_frequent_events_stay_so(self, method):
        """a is in 2 of the 6 samples that know it, b in 5 of 15."""
        rows = [[1, 1]] * 2 + [[0, 1]] * 3 + [[0, 0]] + [[None, 0]] * 9
        fit = replace(method, noise=Noise(0.1, 0.05)).fit(Dataset.from_rows(rows, events="ab"))
        assert fit.counts.frequency[0] == fit.counts.frequency[1]
        assert fit.model.edges == ()

    @every_method
    def test_no_errors_at_all_leave_the_probabilities_seen(self, method):
        """Without errors this data cannot come from a forest; the answer is the plain one."""
        data = embedded.ovarian()
        fit = replace(method, noise=Noise()).fit(data)
        assert fit.model.parents.tolist() == method.fit(data).model.parents.tolist()
        assert fit.model == method.fit(data).model


class TestImpossibleRates:
    data = Dataset.from_genotypes({"111": 1, "110": 18, "010": 1}, ["a", "b", "c"])

    @every_method
    def test_an_event_rarer_than_its_false_positives_is_named(self, method):
        message = (
            r"^event 'c' is in 5\.0% of the samples; "
            r"a false positive rate of 0\.1 alone would show it in more$"
        )
        with pytest.raises(DatasetError, match=message):
            replace(method, noise=Noise(0.1, 0)).fit(self.data)

    @every_method
    def test_an_event_seen_more_often_than_it_can_be_is_named(self, method):
        message = (
            r"^event 'a' is in 95\.0% of the samples; "
            r"a false negative rate of 0\.25 would show it in at most 75\.0%$"
        )
        with pytest.raises(DatasetError, match=message):
            replace(method, noise=Noise(0, 0.25)).fit(self.data)

    def test_an_event_never_seen_is_not_refused(self):
        data = Dataset.from_genotypes({"10": 5, "00": 5}, "ab")
        fit = Caprese(noise=Noise(0.2, 0.1)).fit(data)
        assert fit.undetermined == {"b": Reason.NEVER}

    def test_rates_that_just_explain_an_event_are_not_refused(self):
        data = Dataset.from_genotypes({"10": 7, "11": 2, "00": 1}, "ab")
        assert Caprese(noise=Noise(0.2, 0.1)).fit(data).model.events == ("a", "b")

    def test_nor_are_they_when_rounding_is_against_them(self):
        data = Dataset.from_genotypes({"1": 1, "0": 9}, ["a"])
        assert Caprese(noise=Noise(0, 0.9)).fit(data).model.events == ("a",)

    def test_resamples_are_clipped_and_never_refused(self):
        """A bootstrap must not fail for an event that is too rare in one of its resamples."""
        method = Caprese(noise=Noise(0.1, 0))
        assert method.infer_parents(Counts.of(self.data)).tolist()[2] == ROOT


class TestReasons:
    @every_method
    def test_an_event_seen_as_often_as_errors_would_show_it(self, method):
        data = Dataset.from_genotypes({"10": 5, "11": 1, "00": 4}, "ab")
        fit = replace(method, noise=Noise(0.1, 0)).fit(data)
        assert fit.undetermined == {"b": Reason.NOISE}
        assert in_words(fit.remarks())[1] == "no more than errors alone would show"

    @every_method
    def test_an_event_never_seen_stays_never_seen(self, method):
        data = seen_in(BINARY, Noise(0.05, 0.1), 200, 121)
        blank = np.hstack([data.values, np.zeros((200, 1), dtype=bool)])
        data = Dataset(blank, (*data.events, "none"))
        for noise in (Noise(0.03, 0.02), "estimate"):
            fit = replace(method, noise=noise).fit(data)
            assert reason(fit, "none") is Reason.NEVER
            assert fit.model.parents[-1] == ROOT

    @pytest.mark.parametrize("method", METHODS[:2], ids=repr)
    def test_events_that_only_errors_show_are_told_when_rates_are_estimated(self, method):
        """Half of them are seen a little more often than they should, and are believed."""
        ghosts = tuple(f"ghost {k}" for k in range(6))
        forest = Forest(
            (*BINARY.events, *ghosts),
            [*BINARY.parents, *[ROOT] * 6],
            [*BINARY.probabilities, *[0.0] * 6],
        )
        fit = replace(method, noise="estimate").fit(seen_in(forest, Noise(0.1, 0.05), 500, 120))
        told = {event for event, why in fit.undetermined.items() if why is Reason.NOISE}
        assert told
        assert told < set(ghosts)
        seen = dict(zip(fit.model.events, fit.counts.frequency, strict=True))
        believed = set(fit.model.events) - told
        assert max(seen[event] for event in told) < min(seen[event] for event in believed)

    def test_an_event_that_some_samples_lack_is_not_said_to_be_always_seen(self):
        data = Dataset.from_genotypes({"11": 5, "10": 4, "00": 1}, "ab")
        fit = Caprese(noise=Noise(0, 0.1)).fit(data)
        assert not fit.counts.always.any()
        assert reason(fit, "a") is not Reason.ALWAYS


class TestEstimatedRates:
    @every_method
    @pytest.mark.parametrize("forest", [BINARY, THREE_TREES], ids=["binary", "three trees"])
    def test_it_settles_on_the_truth(self, method, forest):
        data = seen_in(forest, Noise(0.05, 0.1), 1000, 112)
        fit = replace(method, noise="estimate").fit(data)
        assert fit.recovery.settled
        assert fit.model.parents.tolist() == forest.parents.tolist()
        assert fit.recovery.noise.false_positive == pytest.approx(0.05, abs=0.03)
        assert fit.recovery.noise.false_negative == pytest.approx(0.1, abs=0.05)

    @every_method
    def test_the_recovery_is_the_maximum_of_the_likelihood(self, method):
        data = seen_in(BINARY, Noise(0.05, 0.1), 300, 122)
        fit = replace(method, noise="estimate").fit(data)
        best = fit_forest(fit.model, data)
        assert fit.model == best.forest
        assert fit.recovery.noise == best.noise
        assert fit.recovery.log_likelihood == best.log_likelihood
        assert fit.recovery.intervals == rate_intervals(best, data)

    @every_method
    @pytest.mark.parametrize("seed", range(6))
    def test_no_round_has_a_likelier_forest(self, method, seed):
        rng = np.random.default_rng([123, seed])
        data = NoisyForest(random_forest(rng, 10), Noise(0.08, 0.08)).sample(100, rng)
        fit = replace(method, noise="estimate").fit(data)
        rounds, settled = estimate_rates(method.infer_parents, data, Counts.of(data))
        assert fit.recovery.settled == settled
        assert fit.recovery.rounds == len(rounds)
        heights = [each.estimate.log_likelihood for each in rounds]
        assert fit.recovery.log_likelihood == max(heights)
        plain = fit_forest(method.fit(data).model, data)
        assert heights[0] == plain.log_likelihood

    @every_method
    @pytest.mark.parametrize("seed", range(6))
    def test_the_reasons_are_those_of_the_forest_returned(self, method, seed):
        rng = np.random.default_rng([124, seed])
        data = NoisyForest(random_forest(rng, 10), Noise(0.15, 0.15)).sample(60, rng)
        fit = replace(method, noise="estimate").fit(data)
        for event, (parent, why) in enumerate(
            zip(fit.model.parents, fit.evidence.reasons, strict=True)
        ):
            assert (parent == ROOT) == (why is not Reason.EDGE)
            assert parent == ROOT or fit.evidence.admissible[parent, event]

    def test_without_errors_it_is_the_plain_answer(self):
        data = BINARY.sample(500, np.random.default_rng(125))
        fit = Caprese(noise="estimate").fit(data)
        assert fit.model.parents.tolist() == Caprese().fit(data).model.parents.tolist()
        assert fit.recovery.noise.false_positive < 0.02
        assert fit.recovery.noise.false_negative < 0.02

    @every_method
    def test_with_unknown_entries(self, method):
        whole = seen_in(BINARY, Noise(0.05, 0.1), 1000, 126)
        known = np.random.default_rng(127).random(whole.values.shape) < 0.9
        data = Dataset(whole.values, whole.events, known=known)
        fit = replace(method, noise="estimate").fit(data)
        assert fit.model.parents.tolist() == BINARY.parents.tolist()
        assert fit.recovery.noise.false_positive == pytest.approx(0.05, abs=0.04)

    @every_method
    def test_counts_alone_do_not_tell_the_rates(self, method):
        counts = Counts.of(embedded.ovarian())
        message = "^noise must be error rates or None where there are counts alone, got 'estimate'$"
        with pytest.raises(ValueError, match=message):
            clean_counts(counts, "estimate")
        with pytest.raises(ValueError, match=message):
            replace(method, noise="estimate").infer_parents(counts)

    def test_without_noise_counts_are_left_alone(self):
        counts = Counts.of(embedded.ovarian())
        assert clean_counts(counts, None) is counts
        assert clean_counts(counts, Noise(0.1, 0.1)) == Noise(0.1, 0.1).recover_counts(counts)


class TestRounds:
    """Rules that never, or only late, give the same answer twice."""

    data = embedded.ovarian()

    def rule(self, answers):
        given = iter(answers)
        return lambda _counts: np.array(next(given))

    loose, bound = [ROOT] * 7, [ROOT, 0, *[ROOT] * 5]

    def test_a_rule_that_stands_ends_the_first_round(self):
        rounds, settled = estimate_rates(
            self.rule([self.loose, self.loose]), self.data, Counts.of(self.data)
        )
        assert (len(rounds), settled) == (1, True)
        assert rounds[0].clean == Counts.of(self.data)

    def test_later_rounds_begin_from_recovered_counts(self):
        counts = Counts.of(self.data)
        rounds, settled = estimate_rates(
            self.rule([self.loose, self.bound, self.bound]), self.data, counts
        )
        assert (len(rounds), settled) == (2, True)
        assert rounds[1].clean == rounds[0].estimate.noise.recover_counts(counts)
        assert rounds[0].estimate.forest.parents.tolist() == self.loose
        assert rounds[1].estimate.forest.parents.tolist() == self.bound
        assert likeliest(rounds) is rounds[1]
        assert likeliest(rounds[:1]) is rounds[0]

    @pytest.mark.parametrize("most", [1, 3, ROUNDS])
    def test_a_rule_that_never_stands_ends_after_the_stated_number(self, most):
        rounds, settled = estimate_rates(
            self.rule([self.loose, self.bound] * 20), self.data, Counts.of(self.data), most
        )
        assert (len(rounds), settled) == (most, False)


class TestFiles:
    @every_method
    @pytest.mark.parametrize("noise", [Noise(0.2, 0.02), "estimate"], ids=str)
    def test_a_fit_with_its_recovery_comes_back(self, method, noise, tmp_path):
        fit = replace(method, noise=noise).fit(embedded.ovarian())
        write_fit(fit, tmp_path / "fit.json")
        again = read_fit(tmp_path / "fit.json")
        assert again == fit
        assert again.recovery == fit.recovery
        assert again.method.noise == noise

    @given(rates=st.tuples(st.floats(0, 0.05), st.floats(0, 0.05)))
    def test_whatever_the_rates(self, rates, tmp_path_factory):
        path = tmp_path_factory.mktemp("fits") / "fit.json"
        fit = Caprese(noise=Noise(*rates)).fit(Dataset.from_genotypes({"10": 1, "00": 1}, "ab"))
        write_fit(fit, path)
        assert read_fit(path) == fit
