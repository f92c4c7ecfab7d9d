"""What reports and pages say of samples."""

import re
from dataclasses import replace

import numpy as np
import pytest

from caprese import (
    HCBN,
    Caprese,
    Dataset,
    Forest,
    IndependentEvents,
    Noise,
    NoisyForest,
    datasets,
    place,
    write_dataset,
)
from caprese.io.data.annotations import Annotation
from caprese.models.forest import ROOT
from caprese.report.content import Card, Notice, Paragraph, Picture, Table
from caprese.report.page import patients_page
from caprese.report.sections.patients import Patients, patients_section
from caprese.text.sentences import Number, plain
from hostile_names import HOSTILE
from pages import blocks_of, parsed

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ovarian():
    data = datasets.ovarian()
    fit = Caprese().fit(data)
    clock = HCBN(restarts=1).fit(data).predictive
    return Patients(place(fit, data, clock=clock, corrected=True), fit)


def test_without_a_clock_or_error_rates_neither_errors_nor_next_events_are_told():
    data = datasets.ovarian()
    fit = Caprese().fit(data)
    placed = place(fit, data, simulated=100)
    section = with_cards(Patients(placed, fit))
    said = plain(section.blocks[0].text)
    assert "probably wrong" not in said
    assert "does not say what comes next; the methods stack, mhn and hcbn do." in said
    table = samples_table(section)
    titles = [plain((each,)) for each in table.columns]
    assert "next event" not in titles
    assert not any("probably" in title for title in titles)
    lacking = [placed.lacked(row)[:1] for row in range(87)]
    expected = [data.events[first[0]] if first else "" for first in lacking]
    assert column(table, "most frequent of those that it lacks") == expected
    card = blocks(section, Card)[0]
    captions = [plain(each.caption) for each in blocks_of(card) if isinstance(each, Table)]
    assert "What comes next is not said. The most frequent events that it lacks." in captions


@pytest.fixture(scope="module")
def hostile():
    values = np.random.default_rng(3).random((len(HOSTILE), 5)) < 0.4
    data = Dataset(values, HOSTILE[:5], HOSTILE)
    fit = Caprese().fit(data)
    stages = Annotation(HOSTILE[0], dict(zip(HOSTILE, HOSTILE[::-1], strict=True)))
    return patients_page(place(fit, data, simulated=200), fit, annotation=stages)


def with_cards(found):
    return patients_section(found, found.rows[:200])


def blocks(section, kind):
    return [block for block in blocks_of(section) if isinstance(block, kind)]


def samples_table(section):
    return next(table for table in blocks(section, Table) if table.searched)


def shown(cell):
    return cell.text if isinstance(cell, Number) else plain(cell)


def column(table, title):
    place = [plain((each,)) for each in table.columns].index(title)
    return [shown(row[place]) for row in table.rows]


def test_the_summary_says_who_does_not_fit_what_is_wrong_and_what_comes_next(ovarian):
    said = plain(patients_section(ovarian).blocks[0].text)
    placed = ovarian.placement
    odd = len(placed.unusual)
    assert said.startswith(f"{87 - odd} of 87 samples fit the model; sample {placed.unusual[0]}")
    wrong = int(placed.missed.sum() + placed.wrongly_seen.sum())
    assert f"Of 609 known entries {wrong} are probably wrong (" in said
    nexts = placed.table()["next"]
    best = nexts[nexts != ""].value_counts()
    assert f"Most often {best.index[0]} comes next" in said
    assert f"of {best.iloc[0]} samples." in said


def test_the_table_has_what_the_placement_says(ovarian):
    table = samples_table(patients_section(ovarian))
    expected = ovarian.placement.table()
    assert column(table, "sample") == list(ovarian.placement.samples)
    assert column(table, "next event") == expected["next"].tolist()
    assert column(table, "events") == [f"{each:.1f}" for each in expected["events"]]


def test_of_many_samples_the_least_typical_ones_are_listed(ovarian):
    placed = many(ovarian.fit, 700)
    section = with_cards(Patients(placed, ovarian.fit))
    table = samples_table(section)
    assert len(table.rows) == 500
    assert set(placed.unusual) <= set(column(table, "sample"))
    assert len(blocks(section, Card)) == 200
    assert [key for key in table.opens if key] == [card.key for card in blocks(section, Card)]
    said = " ".join(
        plain(block.text)
        for block in blocks_of(section)[:8]
        if hasattr(block, "text") and isinstance(block.text, tuple)
    )
    assert "Of 700 samples the 500 least typical ones are listed" in said


def many(fit, samples):
    return place(fit, fit.predictive.sample(samples, np.random.default_rng(1)), simulated=500)


def test_a_model_without_edges_has_no_picture():
    data = datasets.acml()
    fit = IndependentEvents().fit(data)
    section = with_cards(Patients(place(fit, data), fit))
    assert blocks(section, Picture) == []
    assert len(blocks(section, Card)) == 64


def test_events_that_only_one_side_has_are_named(ovarian):
    data = datasets.ovarian()
    other = Dataset(data.values[:5, :6], (*data.events[:5], "new"), data.samples[:5])
    placed = place(ovarian.fit, other, simulated=100)
    told = [
        plain(each.text) for each in blocks(patients_section(Patients(placed, ovarian.fit)), Notice)
    ]
    assert told == [
        f"The samples do not have {data.events[5]} and {data.events[6]}, which the model has: "
        "taken as unknown.",
        "The model does not have new, which the samples have: not used.",
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1, 1], [0, None]], "Of 1 unknown entry none is probably an event."),
        ([[None, 1], [0, None]], "Of 2 unknown entries one is probably an event."),
        ([[None, 1], [None, 1]], "Of 2 unknown entries 2 are probably events."),
    ],
)
def test_unknown_entries_that_are_probably_events_are_counted(rows, said):
    model = NoisyForest(Forest(tuple("ab"), (ROOT, 0), (0.5, 0.5)), Noise(0.01, 0.01))
    data = Dataset.from_rows(rows, "ab")
    fit = Caprese().fit(datasets.ovarian())
    section = patients_section(Patients(place(model, data, simulated=100), fit))
    assert said in plain(blocks(section, Paragraph)[0].text)


def test_a_card_says_what_was_missed():
    model = NoisyForest(Forest(tuple("ab"), (ROOT, 0), (0.5, 0.5)), Noise(0.01, 0.3))
    data = Dataset.from_rows([[0, 1], [1, 1]], "ab")
    fit = replace(Caprese().fit(data), data=data)
    placed = place(model, data)
    section = with_cards(Patients(placed, fit))
    card = blocks(section, Card)[0]
    chance = placed.event_probabilities[0, 0]
    assert plain(card.blocks[0].items[0]) == f"a was probably missed: {100 * chance:.0f} %."


def test_an_annotation_is_counted_against_progress(ovarian):
    names = ovarian.placement.samples
    stages = Annotation(
        "stage", {name: "late" if k % 2 else "early" for k, name in enumerate(names[:80])}
    )
    found = replace(ovarian, annotation=stages)
    groups = next(table for table in blocks(patients_section(found), Table) if not table.searched)
    assert [shown(row[0]) for row in groups.rows] == ["early", "late", "not given"]
    assert [row[1].text for row in groups.rows] == ["40", "40", "7"]
    late = ovarian.placement.counts[1:80:2, 0].mean()
    assert groups.rows[1][2].value == pytest.approx(late)
    assert column(samples_table(patients_section(found)), "stage")[:2] == ["early", "late"]


def test_ids_are_unique_and_links_have_targets(hostile):
    elements = list(parsed(hostile).walk())
    ids = [each.attributes["id"] for each in elements if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    links = [each for each in elements if "download" not in each.attributes]
    targets = [each.attributes["href"] for each in links if "href" in each.attributes]
    assert {target.removeprefix("#") for target in targets} <= set(ids)


def test_hostile_names_of_samples_are_inert(hostile):
    assert "<script>alert" not in hostile
    assert "]]>" not in hostile
    tree = parsed(hostile)
    assert len(tree.all("script")) == 1
    assert not any(name.startswith("on") for each in tree.walk() for name in each.attributes)
    assert "x" * 50 not in tree.all("main")[0].words
    for character in ("\u202e", "\0", "\x1b", "\u2028", "\U000e0001"):
        assert character not in hostile


def test_the_page_is_the_same_twice(ovarian):
    page = patients_page(ovarian.placement, ovarian.fit)
    assert page == patients_page(ovarian.placement, ovarian.fit)
    assert "default-src 'none'" in page


SECRET = "Doe-John-1961"


@pytest.fixture
def named(tmp_path):
    data = datasets.acml()
    names = tuple(f"{SECRET}-{k}" for k in range(64))
    values = data.values.copy()
    values[3] = True  # dropped by --hypermutated, so that the log names it
    write_dataset(Dataset(values, data.events, names), tmp_path / "named.csv")
    lines = [f"{name},{'II' if k % 2 else 'I'}\n" for k, name in enumerate(names)]
    (tmp_path / "stages.csv").write_text("sample,stage\n" + "".join(lines))
    return tmp_path


def test_without_names_no_name_is_on_any_page(run, named):
    shared = ["--hypermutated", "2", "--budget", "0.1", "--no-names"]
    options = ["--replicates", "5", "--annotation", "stages.csv:stage"]
    code, *_ = run("report", "named.csv", *shared, *options, "-o", "r.html")
    assert code == 0
    page = (named / "r.html").read_text()
    assert SECRET not in page
    assert "dropped 1 sample, " in page
    rows = parsed(page).all("table")[-1].all("tr")[1:]
    assert [row.all("td")[0].words.strip() for row in rows[:3]] == ["1", "2", "3"]
    assert [row.all("td")[1].words.strip() for row in rows[:4]] == ["I", "II", "I", "I"]
    code, out, _ = run("patients", "named.csv", *shared, "-o", "p.html")
    assert code == 0
    assert SECRET not in out + (named / "p.html").read_text()


def test_with_names_the_names_are_on_the_page(run, named):
    words = ("report", "named.csv", "--replicates", "5", "--budget", "0.1", "-o", "r.html")
    assert run(*words)[0] == 0
    assert re.search(SECRET + "-63", (named / "r.html").read_text())


@pytest.mark.parametrize(
    ("annotation", "line"),
    [
        ("stages.csv:grade", "stages.csv, line 1: no column 'grade', expected one of 'stage'"),
        ("other.csv", "--annotation other.csv names none of the samples"),
        ("nowhere.csv", "nowhere.csv: no such file"),
    ],
)
def test_a_bad_annotation_is_reported_in_one_line(refused, named, annotation, line):
    (named / "other.csv").write_text("sample,stage\nnobody,I\n")
    options = ["--annotation", annotation, "-o", "r.html"]
    assert refused("report", "named.csv", *options).startswith(line)
