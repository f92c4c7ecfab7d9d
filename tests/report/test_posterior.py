"""The report of a posterior: probabilities in place of a bootstrap, and subtypes."""

import re

import numpy as np
import pytest

from caprese import (
    ROOT,
    BayesForest,
    Dataset,
    Forest,
    Noise,
    NoisyForest,
    analyse,
    datasets,
    write_report,
)
from caprese.report import order
from caprese.report.analysis import needs_no_bootstrap
from caprese.report.content import Bullets, Notice, Paragraph, Picture, Table
from caprese.report.sections import report_content
from caprese.text.sentences import Number, plain, text_of
from pages import blocks_of, parsed
from subtypes import two_forests

pytestmark = pytest.mark.slow

CHAINS = {"chains": 2, "draws": 100, "thin": 1, "warm_up": 100}


@pytest.fixture(scope="module")
def found():
    return analyse(BayesForest(**CHAINS).fit(datasets.ovarian()), datasets.ovarian(), budget=0.001)


@pytest.fixture(scope="module")
def ovarian(found):
    return report_content(found)


@pytest.fixture(scope="module")
def grouped():
    data = two_forests(40)
    return report_content(analyse(BayesForest(subtypes=2, **CHAINS), data, budget=0.001))


def words(section):
    lines = []
    for block in blocks_of(section):
        match block:
            case Paragraph(text) | Notice(text):
                lines.append(plain(text))
            case Bullets(items):
                lines += [plain(item) for item in items]
    return "\n".join(lines)


def tables(section):
    return [block for block in blocks_of(section) if isinstance(block, Table)]


def cells(row):
    return [cell.text if isinstance(cell, Number) else plain(cell) for cell in row]


def test_nothing_is_resampled_or_tested(found):
    assert needs_no_bootstrap(found.fit)
    assert found.order.confidence is None
    assert found.order.tests is None
    assert found.order.support.name == "posterior"


def test_the_sections_have_no_distinct_models(ovarian):
    assert ovarian.keys == (
        *("answer", "summary", "progression", "edges", "directions", "uncertainty"),
        *("other-parents", "judgement", "methods", "data", "errors", "patients", "question"),
        *("citation", "reproducibility"),
    )
    assert ovarian.subtitle.endswith(" on 87 samples x 7 events, 200 draws")


def test_no_word_speaks_of_replicates_or_support(ovarian):
    for section in ovarian.sections:
        assert not re.search(r"replicate|support(?!ed)|bootstrap(?! and)", words(section)), (
            section.key
        )


def test_the_summary_gives_the_most_and_the_least_probable_edge(ovarian):
    said = words(ovarian.section("summary"))
    assert (
        "The most probable edge between events is from 8q+ to 3q+: its posterior probability is "
        in said
    )
    assert re.search(r"The least probable edge of all is from \S+ to \S+, with \d\d %: ", said)
    assert "Interpret the progression edge by edge." in said


def test_the_table_of_edges_has_one_column_of_probabilities_and_no_tests(found, ovarian):
    (table,) = tables(ovarian.section("edges"))
    titles = [plain((title,)) for title in table.columns]
    assert titles == ["parent", "child", "frequency", "probability", "posterior", "reason"]
    shown = {cells(row)[1]: row[4] for row in table.rows}
    posterior = found.fit.table()["posterior"]
    for event, number in shown.items():
        assert number.value == pytest.approx(posterior[event])
        assert number.aside == ""


def test_uncertain_edges_are_named_with_their_probability(ovarian):
    (table,) = tables(ovarian.section("uncertainty"))
    rows = [tuple(map(text_of, row)) for row in table.rows]
    (chance,) = (chance for parent, child, chance in rows if (parent, child) == ("8q+", "5q-"))
    assert re.fullmatch(r"\d\d %", chance)


def test_a_summary_without_edges_says_that_this_is_uncertain():
    rows = [[1, 1]] * 11 + [[1, 0]] * 12 + [[0, 1]] * 6 + [[0, 0]] * 19
    found = analyse(BayesForest(), Dataset.from_rows(rows, "ab"), budget=0.001)
    assert words(report_content(found).section("summary")) == (
        "No edges were found: a and b occur independently. But this is uncertain for 1 of 2 "
        "events: of 1 the posterior probability is below 70 %."
    )


def test_other_parents_are_listed_with_their_probability(ovarian):
    (first,) = tables(ovarian.section("other-parents"))
    assert [plain((title,)) for title in first.columns] == ["event", "parent", "other parents"]
    (row,) = [cells(row) for row in first.rows if cells(row)[0] == "5q-"]
    assert re.match(r"4q- \d\d % or 8p- \d\d %", row[2])


def test_error_rates_have_posterior_intervals(found, ovarian):
    (table,) = tables(ovarian.section("errors"))
    assert plain(table.columns[2:]) == "rate, 90 % interval"
    positive, negative = (row[2] for row in table.rows)
    assert positive.value == found.fit.evidence.mean_noise.false_positive
    assert re.fullmatch(r"\d+ % to \d+ %", negative.aside)


def test_given_error_rates_have_none():
    method = BayesForest(noise=Noise(0.02, 0.1), **CHAINS)
    section = report_content(analyse(method, datasets.acml(), budget=0.001)).section("errors")
    assert "The method was given these error rates." in words(section)
    (table,) = tables(section)
    assert plain(table.columns[2:]) == "rate"
    assert [row[2].text for row in table.rows] == ["2 %", "10 %"]
    assert [row[2].aside for row in table.rows] == ["", ""]


def test_a_notice_says_that_the_chains_do_not_agree():
    short = BayesForest(chains=2, draws=5, thin=1, warm_up=0)
    report = report_content(analyse(short, datasets.ovarian(), budget=0.001))
    (notice,) = [each for each in report.section("summary").blocks if isinstance(each, Notice)]
    assert plain(notice.text).startswith("The chains found different parents of ")
    assert "which is right is not known" in plain(notice.text)


def test_constant_events_have_no_parents():
    values = np.column_stack([datasets.ovarian().values, np.ones(87, bool)])
    data = Dataset(values, (*datasets.ovarian().events, "always"))
    found = analyse(BayesForest(**CHAINS), data, budget=0.001)
    assert found.order.support.matrix[:, 7].tolist() == [0.0] * 9 + [1.0]
    assert "always: always seen." in words(report_content(found).section("uncertainty"))


class TestSubtypes:
    def test_the_section_has_a_panel_an_overview_and_all_samples(self, grouped):
        section = grouped.section("subtypes")
        assert "The samples fall into 2 subtypes" in words(section)
        assert [block.key for block in blocks_of(section) if isinstance(block, Picture)] == [
            "subtypes"
        ]
        overview, members = tables(section)
        assert [cells(row)[0] for row in overview.rows] == ["subtype 1", "subtype 2"]
        assert re.match(r"\w \d+ % \(elsewhere \d+ %\); ", cells(overview.rows[0])[3])
        assert cells(overview.rows[0])[4] == ""
        assert " has parent " in cells(overview.rows[1])[4]
        assert len(members.rows) == 80
        assert members.folded == "Show 80 samples"

    def test_probabilities_of_a_sample_sum_to_one(self, grouped):
        _, members = tables(grouped.section("subtypes"))
        for row in members.rows:
            assert sum(cell.value for cell in row[2:]) == pytest.approx(1)

    def test_the_samples_are_named_as_in_the_data_that_was_fitted(self):
        data = two_forests(10)
        fit = BayesForest(subtypes=2, chains=1, draws=5, thin=1, warm_up=5).fit(data)
        shuffled = data.take_samples(np.arange(20)[::-1])
        section = report_content(analyse(fit, shuffled, budget=0.001)).section("subtypes")
        _, members = tables(section)
        assert [cells(row)[0] for row in members.rows] == list(data.samples)

    def test_one_subtype_is_said_to_be_enough(self):
        forest = Forest(tuple("abcdef"), (ROOT, 0, 1, ROOT, 3, 3), (0.8, 0.7, 0.6, 0.6, 0.5, 0.5))
        data = NoisyForest(forest, Noise(0.03, 0.03)).sample(200, np.random.default_rng(1))
        method = BayesForest(subtypes="auto", **CHAINS)
        section = report_content(analyse(method, data, budget=0.001)).section("subtypes")
        assert words(section) == "One subtype is enough: a single forest describes all samples."

    def test_the_page_shows_all_of_it(self, tmp_path):
        fit = BayesForest(subtypes=2, **CHAINS).fit(two_forests(40))
        write_report(analyse(fit, two_forests(40), budget=0.001), tmp_path / "report.html")
        page = parsed((tmp_path / "report.html").read_text())
        assert "Subtypes" in page.all("main")[0].words
        assert "Show 80 samples" in page.all("main")[0].words
        assert "nan" not in page.all("main")[0].words


def test_the_two_kinds_of_support_have_the_same_sentences():
    assert order._BOOTSTRAP.keys() == order._POSTERIOR.keys()


def test_a_page_of_the_same_fit_is_the_same(found, tmp_path):
    for name in ("one", "other"):
        write_report(found, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
