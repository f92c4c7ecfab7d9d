"""The content of a report."""

import re
from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    CBN,
    HCBN,
    MHN,
    BayesForest,
    Caprese,
    Dataset,
    Noise,
    Oncotree,
    analyse,
    bootstrap,
    datasets,
    judge,
)
from caprese._core.significance import WEAK
from caprese._core.words import percent
from caprese.data.curation import curate
from caprese.methods import METHODS
from caprese.methods.evidence import Reason
from caprese.methods.protocols import NamedMethod
from caprese.models.forest import ROOT
from caprese.report.content import (
    Bullets,
    Notice,
    Paragraph,
    Picture,
    Properties,
    Section,
    Table,
    terms_in,
)
from caprese.report.glossary import GLOSSARY
from caprese.report.sections import report_content
from caprese.report.sections.reproducibility import references
from caprese.text.comparison import next_sentence, verdict_sentence
from caprese.text.sentences import Number, phrase, plain
from pages import blocks_of
from poor import POOR
from subtypes import two_forests

pytestmark = pytest.mark.slow

ORDER = (
    *("answer", "summary", "progression", "edges", "directions", "uncertainty"),
    *("other-parents", "distinct-models", "judgement", "methods", "data", "errors", "patients"),
    *("question", "citation", "reproducibility"),
)


@pytest.fixture(scope="module")
def ovarian():
    found = analyse(Caprese(), datasets.ovarian(), replicates=400)
    return report_content(found, command="caprese report ovarian")


@pytest.fixture(scope="module")
def led_by_answer():
    return report_content(analyse(None, datasets.ovarian(), replicates=400, budget=1))


def report_of(method, data, **options):
    curated = curate(data)
    options = {"replicates": 20, "jobs": 1, "budget": 0.001} | options
    return report_content(analyse(method, curated.data, log=curated.log, **options))


def words(section):
    """All sentences of a section, as lines of text."""
    lines = []
    for block in blocks_of(section):
        match block:
            case Paragraph(text) | Notice(text):
                lines.append(plain(text))
            case Bullets(items):
                lines += [plain(item) for item in items]
            case Properties(items):
                lines += [f"{plain(name)}: {plain(value)}" for name, value in items]
            case Table():
                lines += [" | ".join(map(shown, row)) for row in block.rows]
    return "\n".join(lines)


def shown(cell):
    return cell.text if isinstance(cell, Number) else plain(cell)


def table(section):
    (found,) = [block for block in blocks_of(section) if isinstance(block, Table)]
    titles = [plain((title,)) for title in found.columns]
    return [dict(zip(titles, row, strict=True)) for row in found.rows]


def test_the_sections_are_in_reading_order(ovarian):
    known = ORDER.index("methods")
    assert ovarian.keys == (*ORDER[:known], "known", "times", *ORDER[known:])


def test_the_summary_names_the_first_events_and_the_best_and_least_supported_edge(ovarian):
    said = words(ovarian.section("summary"))
    assert said.startswith("8q+ and 5q- start independently; 4 events follow. 1q+ stands alone. ")
    assert re.search(
        r"The best supported edge between events is from 8q\+ to 3q\+: it was found in 9\d % of "
        "400",
        said,
    )
    assert re.search(r"The least supported edge of all is from \S+ to \S+, with \d\d %: ", said)
    assert (
        "Counting those from the root, 4 of 7 edges are uncertain: of 4 the support is below 70 %."
        in said
    )
    assert "of the replicates: interpret it edge by edge." in said


def test_the_table_has_every_edge_with_its_support_and_p_values(ovarian):
    rows = table(ovarian.section("edges"))
    edges = [(shown(row["parent"]), shown(row["child"])) for row in rows]
    fit = Caprese().fit(datasets.ovarian())
    assert set(fit.model.edges) < set(edges)
    assert [child for parent, child in edges if parent == "root"] == ["8q+", "5q-", "1q+"]
    (row,) = [row for row in rows if shown(row["child"]) == "4q-"]
    assert row["frequency"].text == "51 %"
    assert row["probability"].text == "0.739"
    assert row["score"].text == "0.346"
    assert row["p: temporal priority"].text == "0.416"
    assert row["p: temporal priority"].doubtful
    assert row["p: co-occurrence"].text == "<0.001"
    assert not row["p: co-occurrence"].doubtful
    low, high = (int(end.split()[0]) for end in row["support"].aside.split(" to "))
    assert low < 100 * row["support"].value < high


def test_p_values_are_explained_where_the_table_has_them(ovarian):
    assert "A dagger (†) marks p-values of 0.05 or more" in words(ovarian.section("edges"))
    found = analyse(Caprese(), datasets.ovarian(), replicates=20)
    untested = replace(found, order=replace(found.order, tests=None))
    assert "p-value" not in words(report_content(untested).section("edges"))


def test_edges_from_the_root_have_support_but_no_tests(ovarian):
    row = table(ovarian.section("edges"))[0]
    assert row["support"].value > 0.9
    assert row["p: temporal priority"].text == ""


def test_an_edge_with_a_test_that_is_not_significant_is_uncertain(ovarian):
    rows = table(ovarian.section("uncertainty"))
    (row,) = (row for row in rows if shown(row["child"]) == "4q-")
    assert (shown(row["parent"]), row["support"].doubtful) == ("5q-", True)
    assert shown(row["the tests do not show"]) == (
        "that the parent is more frequent, and so earlier, than the child"
    )
    supports = [row["support"].value for row in rows]
    assert supports == sorted(supports)


def test_an_edge_with_low_support_is_uncertain():
    rows = table(report_of(HCBN(), datasets.ovarian(), replicates=8).section("uncertainty"))
    assert all(row["support"].doubtful == (row["support"].value < WEAK) for row in rows)
    assert any(row["support"].doubtful for row in rows)


def test_a_report_without_uncertainty_says_so_and_quotes_the_threshold():
    rows = [[1, 1]] * 40 + [[1, 0]] * 30 + [[0, 0]] * 30
    said = words(report_of(Caprese(), Dataset.from_rows(rows, "ab")).section("uncertainty"))
    assert said == (
        f"All events were placed, every edge was found in at least {percent(WEAK)} of the "
        "replicates and all tests are significant."
    )


def test_alternatives_are_other_parents_second_best_parents_and_other_methods(ovarian):
    (parents,) = (b for b in ovarian.section("other-parents").blocks if isinstance(b, Table))
    (methods,) = (b for b in ovarian.section("methods").blocks if isinstance(b, Table))
    (row,) = [row for row in parents.rows if shown(row[0]) == "8p-"]
    assert shown(row[1]) == "8q+"
    assert re.match(r"5q- \d\d % or 4q- \d\d %", shown(row[2]))
    assert (shown(row[3]), shown(row[4])) == ("5q-", "0.356")
    rows = {shown(row[0]): row for row in methods.rows}
    named = {name for name, kind in METHODS.items() if isinstance(kind(), NamedMethod)}
    assert {name.split()[0] for name in rows} == {*METHODS} - {"stack"} - named
    oncotree = [shown(cell) for cell in rows["oncotree (search szabo)"][1:]]
    assert oncotree == ["-371.1", "8p- has parent 5q-"]
    assert shown(methods.rows[0][0]) == "caprese (shrinkage 0.5)"
    assert methods.columns[2] == "differences from caprese (shrinkage 0.5)"
    differences = {shown(row[0]).split()[0]: shown(row[2]) for row in methods.rows}
    assert differences["hcbn"] == "8p- has parents 8q+ and 5q-; Xp- has parent 5q-"
    assert differences["likelihood"] == "8p- has parent 5q-; 5q- has parent 8q+"


def test_the_verdict_is_that_of_the_referee(ovarian):
    said = words(ovarian.section("answer"))
    found = judge(None, datasets.ovarian())
    assert plain(verdict_sentence(found)) in said
    assert plain(next_sentence(found)) in said
    assert "No order is supported" not in said
    (judged,) = (b for b in ovarian.section("judgement").blocks if isinstance(b, Table))
    assert [shown(row[0]) for row in judged.rows] == [
        found.methods[place] for place in np.argsort(-found.scores, kind="stable")
    ]


def test_a_report_on_a_method_has_what_the_referee_says_of_it(ovarian):
    *_, last = words(ovarian.section("summary")).splitlines()
    start = "caprese does not predict held-out samples clearly better than independent events ("
    assert last.startswith(start)


def test_without_a_method_the_report_leads_with_what_is_known(led_by_answer):
    keys = ("answer", "judgement", "known", "times", "tree", "methods", "data", "errors")
    assert led_by_answer.keys == (*keys, "patients", "question", "citation", "reproducibility")
    headline, *said = words(led_by_answer.section("answer")).splitlines()
    about = [line.partition(": ")[0] for line in said]
    assert headline.startswith("Yes: ")
    assert about[0] == "Prediction"
    assert about[-1] == "Next"
    assert said[0].startswith("Prediction: Of the ")  # as the budget leaves methods out
    assert said[about.index("Orders")].startswith(
        "Orders: Known, with 70 % or more, if the later event needs the earlier one: 8q+ before "
    )
    tree = led_by_answer.section("tree")
    assert {block.key for block in tree.blocks if isinstance(block, Section)} == {
        *("summary", "progression", "edges", "directions", "uncertainty", "other-parents"),
        "distinct-models",
    }


def test_too_few_samples_to_hold_any_out_are_said_to_be_so():
    few = Dataset(np.random.default_rng(1).random((4, 3)) < 0.5, tuple("abc"))
    report = report_of(None, few)
    assert words(report.section("answer")).startswith("There are too few samples to tell.")
    assert "There are too few samples" in words(report.section("judgement"))


def test_error_rates_have_intervals(ovarian):
    positive, negative = table(ovarian.section("errors"))
    assert positive["rate, 95 % interval"].text == "22 %"
    assert positive["rate, 95 % interval"].aside == "13 % to 30 %"
    assert negative["rate, 95 % interval"].aside.startswith("0 % to ")


def test_error_rates_that_were_given_are_quoted():
    said = words(report_of(Caprese(noise=Noise(0.1, 0.02)), datasets.ovarian()).section("errors"))
    assert "The method was given error rates of 10 % and 2 %." in said


def test_error_rates_of_a_poset_have_no_intervals():
    positive, _ = table(report_of(CBN(tolerance=0.1), datasets.ovarian()).section("errors"))
    assert positive["rate, 95 % interval"].aside == ""


def test_the_distinct_models_are_sorted_and_their_differences_listed(ovarian):
    rows = table(ovarian.section("distinct-models"))
    shares = [row["share"].value for row in rows]
    assert shares == sorted(shares, reverse=True)
    differences = [shown(row["differences from the one above"]) for row in rows]
    assert "none" in differences
    assert "8p- has parent 5q-" in differences


def test_a_method_is_cited_with_its_own_papers():
    cited = report_of(Oncotree(), datasets.acml()).section("citation").blocks[1:]
    assert [re.match(r"\w+( \w+)?", paper.text)[0] for paper in cited] == [
        *("Olde Loohuis", "Desper et", "Szabo and"),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_refers_to_a_paper(method):
    for reference in references(METHODS[method]()):
        assert re.search(r"\((19|20)\d\d\)", reference.text)
    assert references(METHODS[method]())


def test_the_paper_of_the_program_is_cited_once(ovarian):
    (paper,) = ovarian.section("citation").blocks[1:]
    assert paper.address == "https://doi.org/10.1371/journal.pone.0108358"


def test_the_report_says_how_to_reproduce_it(ovarian):
    said = words(ovarian.section("reproducibility"))
    assert f"Digest of the data: {datasets.ovarian().digest}" in said
    assert "Method: caprese (shrinkage 0.5)" in said
    assert "Replicates: 400" in said
    assert "Seed: 1" in said
    assert re.search(r"^numpy: \d", said, re.MULTILINE)


def test_slow_methods_have_fewer_replicates_and_the_report_says_so():
    few = "There are fewer replicates than usual because the method is fitted to each of them"
    slow = report_of(Caprese(noise="estimate"), datasets.acml(), replicates=None)
    assert "the share of 100 replicates" in words(slow.section("progression"))
    assert few in words(slow.section("progression"))
    quick = report_of(Caprese(), datasets.acml(), replicates=100)
    assert few not in words(quick.section("progression"))


def test_the_summary_says_that_the_bootstrap_was_interrupted():
    part = bootstrap(Caprese(), datasets.acml(), replicates=10)
    found = report_of(Caprese(), datasets.acml(), replicates=40, confidence=part)
    assert "The analysis was interrupted after 10 of 40 replicates." in words(
        found.section("summary")
    )


def test_the_curation_and_the_warnings_are_listed():
    rows = [[1, 1, 0, 1, None]] * 3 + [[0, 0, 0, 1, 1]] * 4 + [[0, 0, 0, 0, 0]]
    report = report_of(Caprese(), Dataset.from_rows(rows, "abcde"))
    said = words(report.section("data"))
    assert "dropped 1 event, never seen: c (0 of 8)" in said
    assert "merged 2 events into a / b, identical" in said
    assert "Too few samples for" in said
    assert "Entries: 24, 3 (12.5 %) unknown" in said
    assert "a and b occur in exactly the same samples; they are treated as one event." in words(
        report.section("uncertainty")
    )


def test_events_with_several_parents_are_explained_and_all_their_edges_are_listed():
    report = report_of(HCBN(), datasets.ovarian(), replicates=4)
    assert "occurs only after all of them" in words(report.section("progression"))
    rows = table(report.section("edges"))
    assert {shown(row["parent"]) for row in rows if shown(row["child"]) == "8p-"} == {"8q+", "5q-"}
    assert {"rate", "gain"} <= set(rows[0])


@pytest.mark.parametrize("name", POOR)
@pytest.mark.parametrize("method", [Caprese(), Oncotree(), CBN()], ids=repr)
def test_poor_data_has_all_sections(method, name):
    data = POOR[name]
    analysis = analyse(method, data, replicates=10, jobs=1, budget=0.001)
    report = report_content(analysis)
    unstated = set() if analysis.fit.edges else {"directions"}
    assert report.keys == tuple(key for key in ORDER if key not in unstated)
    for section in report.sections:
        assert words(section) or section.key == "citation", section.key
        assert "nan" not in words(section)
    constant = set(Caprese().fit(data).undetermined)
    said = words(report.section("uncertainty"))
    assert all(f"{event}: " in said for event in constant)


@pytest.mark.parametrize(
    ("data", "summary"),
    [
        (POOR["one event"], "There is only one event: a."),
        (POOR["all absent"], "The order of the 2 events cannot be determined from this data."),
        (POOR["an event unknown"], "Only a could be placed."),
        (
            Dataset.from_rows([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9, "abc"),
            "No edges were found: a, b and c occur independently.",
        ),
        (
            Dataset.from_rows([[1, 1], [1, 0], [1, 0], [0, 0]] * 9, "ab"),
            "a occurs first; all other placed events follow it. The only edge between events is "
            "from a to b",
        ),
    ],
)
def test_the_summary_of_little_data_makes_sense(data, summary):
    report = report_content(analyse(Caprese(), data, replicates=50, jobs=1, budget=0.001))
    assert words(report.section("summary")).startswith(summary)


def test_the_summary_says_why_edges_are_uncertain():
    pair = [[1, 1]] * 30 + [[1, 0]] * 4 + [[0, 0]] * 30  # which of the two is earlier?
    said = words(report_of(Caprese(), Dataset.from_rows(pair, "ab")).section("summary"))
    assert "1 of 2 edges is uncertain: of 1 a p-value is 0.05 or more." in said
    rng = np.random.default_rng(1)
    alone = rng.random((64, 2)) < 0.3  # independent of the pair
    data = Dataset(np.hstack([np.array(pair, dtype=bool), alone]), "abcd")
    said = words(report_of(Caprese(), data).section("summary"))
    assert re.search(
        r"\d of 4 edges are uncertain: of \d the support is below 70 %, "
        r"of \d a p-value is 0\.05 or more\.",
        said,
    )


def test_the_summary_counts_edges_from_the_root():
    rng = np.random.default_rng(1)
    first = rng.random(80) < 0.6
    second = first & (rng.random(80) < 0.6)
    others = rng.random((80, 3)) < 0.3  # independent: their parent differs between replicates
    data = Dataset(np.column_stack([first, second, others]), "abcde")
    analysis = analyse(Caprese(), data, replicates=200, jobs=1, budget=0.001)
    said = words(report_content(analysis).section("summary"))
    edges = analysis.order.edges
    weakest = min(edges, key=lambda edge: edge.support)
    assert weakest.parent == ROOT
    assert (
        f"is from the root to {data.events[weakest.child]}, with {percent(weakest.support)}" in said
    )
    uncertain = sum(edge.uncertain for edge in edges)
    assert uncertain > 0
    assert f"Counting those from the root, {uncertain} of {len(edges)} edges " in said
    listed = words(report_content(analysis).section("uncertainty"))
    assert len(listed.splitlines()) == uncertain


def test_the_summary_says_how_many_events_could_not_be_placed():
    rows = [[1, 1, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]] * 9
    data = Dataset.from_rows(rows, "abcde")
    report = report_content(analyse(Caprese(), data, replicates=50, budget=1))
    said = words(report.section("summary"))
    start = "a occurs first; all other placed events follow it. 3 of 5 events could not be placed."
    assert said.startswith(start)


@pytest.mark.parametrize(
    ("rows", "follow"),
    [
        (("111", "110", "000", "111"), "one event follows"),
        (("1110", "1101", "1100", "0000", "1111"), "2 events follow"),
    ],
)
def test_events_below_undetermined_ones_have_a_summary(rows, follow):
    data = Dataset.from_rows([[int(cell) for cell in row] for row in rows], "abcd"[: len(rows[0])])
    report = report_content(analyse(CBN(), data, replicates=10, jobs=1, budget=0.001))
    assert words(report.section("summary")).startswith(
        f"No event is known to occur first: {follow} events that could not be placed. 2 of "
    )


def _unrelated(events, samples=60):
    rng = np.random.default_rng(2)
    names = [f"e{k}" for k in range(events)]
    return Dataset(rng.random((samples, events)) < 0.4, names)


def test_the_number_of_distinct_models_is_exact_even_if_all_differ():
    part = bootstrap(Caprese(), _unrelated(24), replicates=1000)
    assert len(part.distinct_models) == 1000
    report = report_of(Caprese(), _unrelated(24), replicates=1000, confidence=part)
    said = words(report.section("distinct-models"))
    assert said.startswith("1000 replicates of the data gave 1000 distinct models.")


def test_more_distinct_models_than_are_kept_are_called_more():
    part = bootstrap(Caprese(), _unrelated(24), replicates=1001)
    report = report_of(Caprese(), _unrelated(24), replicates=1001, confidence=part)
    said = words(report.section("distinct-models"))
    assert said.startswith("1001 replicates of the data gave more than 1000 distinct models.")


def test_shares_too_small_to_be_drawn_are_said_and_not_drawn(ovarian):
    section = report_of(Caprese(), _unrelated(24), replicates=100).section("distinct-models")
    said = words(section)
    assert "Even the most frequent model was found in only 1 % of them, too few to draw" in said
    assert not any(isinstance(block, Picture) for block in blocks_of(section))
    drawn = ovarian.section("distinct-models").blocks
    assert any(isinstance(block, Picture) for block in drawn)


def test_mutually_exclusive_events_are_a_warning():
    rows = [[1, 0, 1], [0, 1, 1], [1, 0, 0], [0, 1, 0]] * 10
    report = report_of(Caprese(), Dataset.from_rows(rows, ["CDKN2A", "CDK4", "TP53"]))
    said = words(report.section("data"))
    assert "Together less often than by chance: CDK4 with CDKN2A (adjusted p " in said
    assert "A progression cannot show that one event excludes another" in said


def test_other_methods_show_ties_as_not_determined():
    rows = [[1, 1, 1]] * 6 + [[1, 0, 0]] * 3 + [[0, 1, 0]] * 3 + [[0, 0, 0]] * 6
    data = Dataset.from_rows(rows, "abc")
    assert Caprese().fit(data).undetermined == {"c": Reason.TIED}
    said = words(report_of(CBN(), data, replicates=4, budget=1).section("methods"))
    assert re.search(r"caprese \(shrinkage 0.5\) .*c is not determined", said)


def test_without_edges_no_error_rates_are_given():
    report = report_of(Caprese(), POOR["one event"])
    assert "errors cannot be distinguished from events" in words(report.section("errors"))


def test_terms_are_found_in_reading_order():
    paragraph = Paragraph(phrase("the [root] and its [replicate|replicates]"))
    assert list(terms_in(paragraph)) == ["root", "replicate"]


def test_every_term_is_in_the_glossary(ovarian):
    assert set(terms_in(ovarian)) <= set(GLOSSARY)
    slow = report_of(HCBN(), datasets.acml(), replicates=2)
    assert set(terms_in(slow)) <= set(GLOSSARY)


def test_every_term_of_the_glossary_is_used():
    used = set()
    biased = MHN(penalty_strength=0.1, observation=True)
    for method in (Caprese(), Oncotree(), HCBN(), CBN(tolerance=0.1), biased):
        used |= set(terms_in(report_of(method, datasets.ovarian(), replicates=4)))
    chains = {"chains": 2, "draws": 5, "thin": 1, "warm_up": 5}
    used |= set(terms_in(report_of(None, datasets.ovarian(), budget=0.5)))
    used |= set(terms_in(report_of(BayesForest(**chains, subtypes=2), two_forests())))
    assert used == set(GLOSSARY)


def test_the_number_of_jobs_does_not_change_the_report():
    one, other = (
        report_content(analyse(None, datasets.acml(), replicates=50, jobs=jobs, budget=0.2))
        for jobs in (1, 2)
    )
    assert one == other
