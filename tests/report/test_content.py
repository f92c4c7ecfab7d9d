"""What a report says."""

import re

import pytest

from caprese import CBN, HCBN, Caprese, Dataset, Noise, Oncotree, analyse, datasets
from caprese.data.curation import curate
from caprese.methods import METHODS
from caprese.report.content import Bullets, Facts, Notice, Paragraph, Table, terms_in
from caprese.report.glossary import GLOSSARY
from caprese.report.sections import report_content
from caprese.report.sections.reproducibility import references
from caprese.text.sentences import Number, plain
from poor import POOR

ORDER = (
    *("question", "answer", "data", "progression", "edges", "doubts"),
    *("alternatives", "errors", "spectrum", "cite", "repeat"),
)


@pytest.fixture(scope="module")
def ovarian():
    return report_content(
        analyse(Caprese(), datasets.ovarian(), replicates=400), command="caprese report ovarian"
    )


def report_of(method, data, **options):
    curated = curate(data)
    options = {"replicates": 20, "jobs": 1} | options
    return report_content(analyse(method, curated.data, log=curated.log, **options))


def words(section):
    """All sentences of a section, as lines of text."""
    lines = []
    for block in section.blocks:
        match block:
            case Paragraph(text) | Notice(text):
                lines.append(plain(text))
            case Bullets(items):
                lines += [plain(item) for item in items]
            case Facts(items):
                lines += [f"{plain(name)}: {plain(value)}" for name, value in items]
            case Table():
                lines += [" | ".join(map(shown, row)) for row in block.rows]
    return "\n".join(lines)


def shown(cell):
    return cell.text if isinstance(cell, Number) else plain(cell)


def table(section):
    (found,) = [block for block in section.blocks if isinstance(block, Table)]
    titles = [column.title for column in found.columns]
    return [dict(zip(titles, row, strict=True)) for row in found.rows]


def test_sections_come_in_the_order_in_which_they_are_read(ovarian):
    assert ovarian.keys == ORDER


def test_the_answer_names_what_comes_first_and_the_surest_and_least_sure_step(ovarian):
    said = words(ovarian.section("answer"))
    assert said.startswith("8q+, 5q- and 1q+ come first, waiting for nothing; 4 events follow.")
    assert re.search(r"The surest step is from 8q\+ to 3q\+: it came back in 9\d % of 400", said)
    assert re.search(r"The least sure is from \S+ to \S+, with \d\d %: ", said)
    assert "of them: judge it step by step." in said


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
    assert row["p: earlier"].text == "0.416"
    assert row["p: earlier"].doubtful
    assert row["p: together"].text == "<0.001"
    assert not row["p: together"].doubtful
    low, high = (int(end.split()[0]) for end in row["support"].aside.split(" to "))
    assert low < 100 * row["support"].value < high


def test_edges_from_the_root_have_support_but_no_tests(ovarian):
    row = table(ovarian.section("edges"))[0]
    assert row["support"].value > 0.9
    assert row["p: earlier"].text == ""


def test_a_failed_test_is_a_doubt(ovarian):
    said = words(ovarian.section("doubts"))
    assert re.search(
        r"5q- to 4q-: it came back in \d+ % of the replicates only,? and the tests leave open "
        "which of the two is the more frequent one",
        said,
    )


def test_low_support_is_a_doubt():
    said = words(report_of(HCBN(), datasets.ovarian(), replicates=8).section("doubts"))
    assert re.search(r"it came back in \d+ % of the replicates only", said)


def test_no_doubts_are_said_as_such():
    rows = [[1, 1]] * 40 + [[1, 0]] * 30 + [[0, 0]] * 30
    said = words(report_of(Caprese(), Dataset.from_rows(rows, "ab")).section("doubts"))
    assert said.startswith("All events were placed, every step came back")


def test_alternatives_are_other_parents_second_best_scores_and_other_methods(ovarian):
    section = ovarian.section("alternatives")
    parents, methods = (block for block in section.blocks if isinstance(block, Table))
    (row,) = [row for row in parents.rows if shown(row[0]) == "8p-"]
    assert shown(row[1]) == "8q+"
    assert re.match(r"5q- \d\d % or 4q- \d\d %", shown(row[2]))
    assert (shown(row[3]), shown(row[4])) == ("5q-", "0.356")
    assert [shown(row[0]).split()[0] for row in methods.rows] == list(METHODS)
    assert [shown(cell) for cell in methods.rows[1]] == [
        *("oncotree (search szabo)", "-371.1", "782.4", "8p- under 5q-"),
    ]


def test_error_rates_have_intervals(ovarian):
    positive, negative = table(ovarian.section("errors"))
    assert positive["rate, 95 % interval"].text == "22 %"
    assert positive["rate, 95 % interval"].aside == "13 % to 30 %"
    assert negative["rate, 95 % interval"].aside.startswith("0 % to ")


def test_error_rates_that_were_given_are_said():
    said = words(report_of(Caprese(noise=Noise(0.1, 0.02)), datasets.ovarian()).section("errors"))
    assert "The method itself was told rates of 10 % and 2 %." in said


def test_error_rates_of_a_poset_come_without_intervals():
    positive, _ = table(report_of(CBN(tolerance=0.1), datasets.ovarian()).section("errors"))
    assert positive["rate, 95 % interval"].aside == ""


def test_the_spectrum_tells_how_the_most_frequent_progressions_differ(ovarian):
    rows = table(ovarian.section("spectrum"))
    shares = [row["share"].value for row in rows]
    assert shares == sorted(shares, reverse=True)
    told = [shown(row["how it differs from the one in question"]) for row in rows]
    assert "not at all: it is the one in question" in told
    assert "8p- under 5q-" in told


def test_a_method_is_cited_with_its_own_papers():
    cited = report_of(Oncotree(), datasets.acml()).section("cite").blocks[1:]
    assert [re.match(r"\w+( \w+)?", paper.text)[0] for paper in cited] == [
        *("Olde Loohuis", "Desper et", "Szabo and"),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_names_a_paper(method):
    for reference in references(METHODS[method]()):
        assert re.search(r"\((19|20)\d\d\)", reference.text)
    assert references(METHODS[method]())


def test_the_papers_own_method_is_cited_once(ovarian):
    (paper,) = ovarian.section("cite").blocks[1:]
    assert paper.address == "https://doi.org/10.1371/journal.pone.0108358"


def test_all_that_is_needed_to_repeat_it_is_said(ovarian):
    said = words(ovarian.section("repeat"))
    assert f"Digest of the data: {datasets.ovarian().digest}" in said
    assert "Method: caprese (shrinkage 0.5)" in said
    assert "Replicates: 400" in said
    assert "Seed: 1" in said
    assert re.search(r"^numpy: \d", said, re.MULTILINE)


def test_slow_methods_draw_fewer_replicates_and_say_so():
    told = "They are fewer than usual, as this method takes its time"
    slow = report_of(Caprese(noise="estimate"), datasets.acml(), replicates=None)
    assert "in how many of 100 replicates" in words(slow.section("progression"))
    assert told in words(slow.section("progression"))
    quick = report_of(Caprese(), datasets.acml(), replicates=100)
    assert told not in words(quick.section("progression"))


def test_an_interruption_is_said_in_the_answer():
    def interrupted(_done):
        raise KeyboardInterrupt

    found = report_of(Caprese(), datasets.acml(), replicates=40, progress=interrupted)
    assert "The analysis was interrupted after 10 of 40 replicates." in words(
        found.section("answer")
    )


def test_the_curation_and_the_warnings_are_told():
    rows = [[1, 1, 0, 1, None]] * 3 + [[0, 0, 0, 1, 1]] * 4 + [[0, 0, 0, 0, 0]]
    report = report_of(Caprese(), Dataset.from_rows(rows, "abcde"))
    said = words(report.section("data"))
    assert "dropped 1 event, never seen: c (0 of 8)" in said
    assert "merged 2 events into a / b, identical" in said
    assert "Too few samples for" in said
    assert "Unknown entries: 3 (12 %)" in said
    assert "a and b are in just the same samples; here they are one event." in words(
        report.section("doubts")
    )


def test_events_with_several_parents_are_explained_and_all_their_edges_listed():
    report = report_of(HCBN(), datasets.ovarian(), replicates=4)
    assert "waits for all of them" in words(report.section("progression"))
    rows = table(report.section("edges"))
    assert {shown(row["parent"]) for row in rows if shown(row["child"]) == "8p-"} == {"8q+", "5q-"}
    assert {"rate", "gain"} <= set(rows[0])


@pytest.mark.parametrize("name", POOR)
@pytest.mark.parametrize("method", [Caprese(), Oncotree(), CBN()], ids=repr)
def test_poor_data_is_answered_in_all_sections(method, name):
    data = POOR[name]
    report = report_content(analyse(method, data, replicates=10, jobs=1))
    assert report.keys == ORDER
    for section in report.sections:
        assert words(section) or section.key == "cite", section.key
        assert "nan" not in words(section)
    constant = set(Caprese().fit(data).undetermined)
    said = words(report.section("doubts"))
    assert all(f"{event}: " in said for event in constant)


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (POOR["one event"], "There is nothing to order: a stands alone."),
        (POOR["all absent"], "The data cannot tell the order of the 2 events."),
        (POOR["an event unknown"], "Nothing else could be placed: a stands alone."),
        (
            Dataset.from_rows([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 9, "abc"),
            "No event was found to wait for another: a, b and c start on their own.",
        ),
        (
            Dataset.from_rows([[1, 1], [1, 0], [1, 0], [0, 0]] * 9, "ab"),
            "a comes first; all that could be placed follows it. The only step is from a to b",
        ),
    ],
)
def test_the_answer_makes_sense_for_little_data(data, answer):
    report = report_content(analyse(Caprese(), data, replicates=50, jobs=1))
    assert words(report.section("answer")).startswith(answer)


def test_without_edges_no_rates_of_errors_are_claimed():
    report = report_of(Caprese(), POOR["one event"])
    assert "nothing tells errors from events" in words(report.section("errors"))


def test_every_term_is_explained(ovarian):
    assert set(terms_in(ovarian)) <= set(GLOSSARY)
    slow = report_of(HCBN(), datasets.acml(), replicates=2)
    assert set(terms_in(slow)) <= set(GLOSSARY)


def test_every_explanation_is_of_use():
    used = set()
    for method in (Caprese(), Oncotree(), HCBN(), CBN(tolerance=0.1)):
        used |= set(terms_in(report_of(method, datasets.ovarian(), replicates=4)))
    assert used == set(GLOSSARY)


def test_the_same_analysis_is_told_the_same_way():
    one, other = (
        report_content(analyse(Caprese(), datasets.acml(), replicates=50, jobs=jobs))
        for jobs in (1, 2)
    )
    assert one == other
