"""What a report rests on, for every kind of model."""

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from caprese import HCBN, Caprese, Dataset, ModelError, analyse, datasets, judge, write_report
from caprese.methods import METHODS
from caprese.methods.fit import Fit
from caprese.models.noise import Noise
from caprese.report.analysis import default_replicates
from caprese.report.sections import report_content
from caprese.text.sentences import plain
from hostile_names import HOSTILE
from pages import parsed
from small_methods import SMALL_METHODS, Chain, Frequencies, TwoParents

pytestmark = pytest.mark.slow

each_kind = pytest.mark.parametrize("method", SMALL_METHODS, ids=repr)


@pytest.fixture(scope="module")
def data():
    return datasets.ovarian().take_events(["8q+", "3q+", "5q-", "4q-"])


@dataclass(frozen=True)
class Counting:
    """A method that counts how often it was fitted to each data set."""

    inner: object
    fits: Counter = field(default_factory=Counter, compare=False)

    def fit(self, data):
        self.fits[data.digest] += 1
        return replace(self.inner.fit(data), method=self)


class TestEachMethodIsFittedOnce:
    @pytest.mark.parametrize("inner", [Caprese(), *SMALL_METHODS], ids=repr)
    def test_the_method_of_the_report(self, inner, data, tmp_path):
        method = Counting(inner)
        found = analyse(method, data, replicates=3, jobs=1, budget=0.001)
        write_report(found, tmp_path / "report.html")
        assert method.fits[data.digest] == 1

    def test_a_fit_that_is_given_is_not_repeated(self, data):
        method = Counting(Caprese())
        fit = method.fit(data)
        found = analyse(fit, data, replicates=3, jobs=1, budget=0.001)
        assert method.fits[data.digest] == 1
        assert found.fit.model is fit.model

    def test_the_judged_methods(self, data, monkeypatch):
        names = ("caprese", "oncotree", "capri", "independence")
        others = {name: Counting(METHODS[name]()) for name in names}
        judged = judge({name: each.inner for name, each in others.items()}, data, folds=2)
        monkeypatch.setattr("caprese.assessment.answer.parse_method", others.__getitem__)
        found = analyse(Chain(), data, replicates=2, jobs=1, judgement=judged)
        assert [method.fits[data.digest] for method in others.values()] == [1] * len(others)
        assert len(found.compared) == 1 + len(others)

    def test_a_fit_to_other_data_is_refused(self, data):
        with pytest.raises(ModelError, match="made from other data"):
            analyse(Caprese().fit(datasets.acml()), data, budget=0.001)


@each_kind
class TestEveryKindOfModel:
    def test_the_report_has_all_its_sections(self, method, data, tmp_path):
        found = analyse(method, data, replicates=5, jobs=1, budget=0.001)
        report = report_content(found)
        edges = found.order is not None
        assert edges == (not isinstance(method, Frequencies))
        assert ("edges" in report.keys, "model" in report.keys) == (edges, not edges)
        write_report(found, tmp_path / "report.html")
        main = parsed((tmp_path / "report.html").read_text()).all("main")[0].words
        assert type(method).__name__ in main
        assert "Sum of frequencies: sum 2.5." in main
        assert "nan" not in main

    def test_hostile_names_are_inert(self, method, tmp_path):
        rng = np.random.default_rng(5)
        names = HOSTILE[:6]
        rows = rng.random((40, 1)) < np.linspace(0.9, 0.2, len(names))
        data = Dataset(rows ^ (rng.random(rows.shape) < 0.05), names)
        write_report(
            analyse(method, data, replicates=3, jobs=1, budget=0.001), tmp_path / "report.html"
        )
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert "<script>alert" not in page
        assert len(parsed(page).all("script")) == 1

    def test_a_given_fit_gives_the_same_report_as_its_method(self, method, data):
        one, other = (
            report_content(analyse(each, data, replicates=5, jobs=1, budget=0.001))
            for each in (method, method.fit(data))
        )
        assert one == other


def test_a_model_without_edges_has_its_own_sections(data):
    report = report_content(analyse(Frequencies(), data, budget=0.001))
    assert report.title == "A model of 4 events"
    assert report.subtitle == "Frequencies on 87 samples x 4 events"
    assert report.keys == (
        *("answer", "model", "judgement", "methods", "data", "errors", "patients", "citation"),
        "reproducibility",
    )
    said = [plain(block.text) for block in report.section("errors").blocks]
    assert said == ["This model has no error rates."]


def test_the_order_of_a_conjunctive_dag_is_explained(data):
    report = report_content(analyse(TwoParents(), data, replicates=5, jobs=1, budget=0.001))
    said = plain(report.section("progression").blocks[0].text)
    assert "An event with several parents occurs only after all of them." in said
    positive, negative = (row[2] for row in report.section("errors").blocks[1].rows)
    assert (positive.aside, negative.aside) == ("", "")  # no intervals for this kind of model


def test_a_report_says_that_error_rates_did_not_converge(data, monkeypatch):
    estimate = Fit.estimate.func
    early = property(lambda fit: replace(estimate(fit), converged=False))
    monkeypatch.setattr(Fit, "estimate", early)
    report = report_content(analyse(Chain(), data, replicates=5, jobs=1, budget=0.001))
    said = plain(report.section("errors").blocks[0].text)
    assert said.endswith("Their estimation did not converge; they are the best found.")


def test_error_rates_that_a_recovery_estimated_are_those_of_the_report(data):
    found = analyse(Caprese(noise="estimate"), data, replicates=3, jobs=1, budget=0.001)
    assert found.errors.noise == found.fit.recovery.noise
    assert found.errors.intervals == found.fit.recovery.intervals


def test_the_log_of_the_fit_is_kept_by_default(data):
    found = analyse(Caprese(noise=Noise(0.1, 0.1)), data, replicates=3, budget=0.001)
    assert found.fit.log == ()
    log = ("a step",)
    assert analyse(replace(found.fit, log=log), data, replicates=3, budget=0.001).fit.log == log
    assert analyse(found.fit, data, log=log, replicates=3, budget=0.001).fit.log == log


def test_slow_methods_have_fewer_replicates_by_default():
    assert (default_replicates(Caprese()), default_replicates(HCBN())) == (1000, 100)
