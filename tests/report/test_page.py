"""The HTML page of a report."""

import base64
import hashlib
import re
from itertools import pairwise

import numpy as np
import pytest

from caprese import CBN, Caprese, Dataset, analyse, datasets, write_report
from caprese.report.content import Bullets, Picture, Report, Section
from caprese.report.page import report_page
from caprese.report.pictures import inline_svg
from caprese.report.sections import report_content
from caprese.text.sentences import Event, shown_names
from hostile_names import HOSTILE
from pages import blocks_of, parsed
from poor import POOR

pytestmark = pytest.mark.slow


def page_of(
    data,
    method=None,
    title="Ovarian",
    command="caprese report ovarian",
    path=None,
    replicates=50,
):
    found = analyse(method or Caprese(), data, replicates=replicates, jobs=1, budget=0.001)
    write_report(found, path, title=title, command=command)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def ovarian(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    return page_of(datasets.ovarian(), path=path)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A report on events with hostile names, some with edges, some that cannot be placed."""
    rng = np.random.default_rng(5)
    n = len(HOSTILE)
    nested = rng.random((60, 1)) < np.linspace(0.95, 0.05, n)
    data = Dataset(nested ^ (rng.random(nested.shape) < 0.05), HOSTILE)
    path = tmp_path_factory.mktemp("report") / "report.html"
    return page_of(data, title=HOSTILE[0] + HOSTILE[-1], command="\n".join(HOSTILE), path=path)


@pytest.fixture(scope="module", params=["ovarian", "hostile"])
def page(request):
    return request.getfixturevalue(request.param)


def test_nothing_is_loaded_from_elsewhere(page):
    for element in parsed(page).walk():
        assert element.tag not in {"link", "iframe", "object", "embed", "base", "img", "form"}
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            if name in ("src", "href", "xlink:href", "srcset", "action"):
                inside = ("#", "data:image/png;base64,")
                if "download" in element.attributes:
                    inside = ("data:text/csv;", "data:application/json;")
                outside = not value.startswith(inside)
                assert not outside or (element.tag == "a" and value.startswith("https://doi.org/"))
            if name == "style":
                assert "http" not in value
    style = parsed(page).all("style")[0].words
    assert "@import" not in style
    assert "url(" not in style


def test_the_content_security_policy_allows_only_the_script_of_the_page(page):
    tree = parsed(page)
    (policy,) = [
        meta.attributes["content"]
        for meta in tree.all("meta")
        if meta.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (script,) = tree.all("script")
    digest = base64.b64encode(hashlib.sha256(script.words.encode()).digest()).decode()
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}';" in policy
    assert script.attributes == {}


def test_ids_are_unique_and_internal_links_have_targets(page):
    elements = list(parsed(page).walk())
    ids = [each.attributes["id"] for each in elements if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    for element in elements:
        for name in ("href", "aria-describedby", "aria-labelledby"):
            target = element.attributes.get(name, "#" + ids[0])
            if name != "href" or target.startswith("#"):
                assert target.removeprefix("#") in ids
        for value in element.attributes.values():
            for target in re.findall(r"url\(#([^)]*)\)", value or ""):
                assert target in ids


def test_every_table_has_headings_and_a_cell_for_each_in_every_row(page):
    tables = parsed(page).all("table")
    assert len(tables) >= 4
    for table in tables:
        headings = table.all("th")
        assert headings
        assert all(
            heading.attributes["scope"] == "col" and heading.words.strip() for heading in headings
        )
        assert len(table.all("caption")) == 1
        for row in table.all("tbody")[0].all("tr"):
            assert len(row.all("td")) == len(headings)


def test_headings_are_in_order(page):
    levels = [int(each.tag[1]) for each in parsed(page).walk() if re.fullmatch("h[1-6]", each.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_term_has_its_definition_in_place_and_in_the_glossary(page):
    tree = parsed(page)
    terms = [a for a in tree.all("a") if a.attributes.get("class") == "term"]
    assert len(terms) > 10
    defined = {dd.attributes["id"]: dd.words for dd in tree.all("dd") if "id" in dd.attributes}
    for term in terms:
        assert term.attributes["data-tip"] == defined[term.attributes["href"][1:]]
    assert {term.attributes["href"][1:] for term in terms} == set(defined)


def test_pictures_have_descriptions(page):
    figures = parsed(page).all("figure")
    assert len(figures) >= 3
    for figure in figures:
        (box,) = [each for each in figure.walk() if each.attributes.get("role") == "img"]
        assert box.attributes["aria-label"]
        assert len(box.all("svg")) == 1
        assert figure.all("figcaption")[0].words.strip()


def test_pictures_use_the_colours_of_the_page(ovarian):
    tree = parsed(ovarian)
    given = set(re.findall(r"--(\w+):", tree.all("style")[0].words))
    for svg in tree.all("svg"):
        styles = " ".join(each.attributes.get("style") or "" for each in svg.walk())
        assert set(re.findall(r"var\(--(\w+)\)", styles)) <= given
        assert not re.search(r"#[0-9a-f]{6}", styles)


def test_hostile_names_are_inert(hostile):
    assert "<script>alert" not in hostile
    assert "]]>" not in hostile
    (script,) = parsed(hostile).all("script")
    assert not any(name in script.words for name in HOSTILE if len(name) > 20)


def test_the_title_is_escaped():
    assert "<h1>8q+ &amp; more</h1>" in report_page(Report("8q+ & more", "", ()))


def test_invisible_characters_are_spelled_out(hostile):
    for character in ("\u202e", "\u200f", "\0", "\x1b", "\x85", "\u2028", "\U000e0001", "\ufffe"):
        assert character not in hostile
    assert "\\u202egnp.exe\\u200f" in hostile


def test_names_are_isolated_from_the_text_direction_around_them(ovarian):
    tree = parsed(ovarian)
    (table,) = [table for table in tree.all("table") if len(table.all("th")) > 8]
    for row in table.all("tbody")[0].all("tr"):
        child = row.all("td")[1]
        assert [each.tag for each in child.children] == ["bdi"]
        assert child.children[0].words in datasets.ovarian().events


def test_very_long_names_are_shortened_and_long_ones_offered_in_full():
    names = shown_names(["x" * 10_000, "x" * 9_999, "y" * 100, "z"])
    assert [len(event.shown) for event in names.values()] == [40, 42, 40, 1]
    assert [len(event.full) for event in names.values()] == [0, 0, 100, 0]
    item = (Event("short", 'the "full" name'),)
    section = Section("a", "A", (Bullets((item,)),))
    page = report_page(Report("", "", (section,)))
    assert '<bdi title="the &#34;full&#34; name">short</bdi>' in page


def test_a_very_long_name_takes_no_more_space_than_others(hostile):
    tree = parsed(hostile)
    (command,) = tree.all("pre")
    assert len(command.words) <= 4000
    command.parent.content.remove(command)
    assert "x" * 50 not in tree.all("main")[0].words
    assert not any("x" * 50 in (each.attributes.get("title") or "") for each in tree.walk())


def test_the_same_analysis_gives_the_same_bytes(ovarian, tmp_path):
    assert page_of(datasets.ovarian(), path=tmp_path / "again.html") == ovarian


def test_the_page_has_no_date_and_no_path(ovarian):
    assert not re.search(r"\b20(2[3-9]|3\d)-\d\d", ovarian)
    assert "/tmp" not in ovarian


@pytest.mark.parametrize("name", POOR)
def test_poor_data_gives_a_page(name, tmp_path):
    page = page_of(POOR[name], path=tmp_path / "report.html")
    assert parsed(page).all("h1")[0].words == "Ovarian"
    assert "nan" not in parsed(page).all("main")[0].words


def test_a_progression_with_several_parents_gives_a_page(tmp_path):
    rows = [[1, 1, 1]] * 9 + [[1, 1, 0]] * 5 + [[1, 0, 0], [0, 1, 0], [0, 0, 0]] * 6 + [[1, 0, 0]]
    page = page_of(Dataset.from_rows(rows, "abc"), method=CBN(), path=tmp_path / "report.html")
    assert "An event with several parents occurs only after all of them." in page


def test_sixty_events_give_a_page(tmp_path):
    rng = np.random.default_rng(2)
    data = Dataset(rng.random((200, 1)) ** 2 < rng.random((200, 60)), [f"e{k}" for k in range(60)])
    found = analyse(Caprese(), data, replicates=20, jobs=1, budget=0.001)
    report = report_content(found)
    blocks = [block for section in report.sections for block in blocks_of(section)]
    assert [block.key for block in blocks if isinstance(block, Picture)] == [
        *("progression", "distinct-models", "judgement", "oncoprint", "patients"),
    ]
    write_report(found, tmp_path / "report.html")
    assert len(parsed((tmp_path / "report.html").read_text()).all("table")[0].all("tr")) >= 61


def test_a_report_of_two_hundred_events_is_below_five_megabytes(tmp_path):
    rng = np.random.default_rng(3)
    names = [f"GENE{k} missense mutation" for k in range(200)]
    data = Dataset(rng.random((100, 1)) ** 2 < rng.random((100, 200)), names)
    page = page_of(data, path=tmp_path / "report.html", replicates=2)
    assert len(page.encode()) < 5_000_000


def test_long_lists_are_collapsed():
    section = Section("a", "A", (Bullets(tuple((str(k),) for k in range(15))),))
    page = parsed(report_page(Report("", "", (section,))))
    assert page.all("summary")[0].words == "3 more"
    assert len(page.all("details")[0].all("li")) == 3
    assert len(page.all("main")[0].all("li")) == 15


def test_the_ids_of_a_picture_are_unique():
    file = (
        b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        b'width="72pt"><metadata/><defs><style>* {fill: red}</style><path id="p"/></defs>'
        b'<g clip-path="url(#p)"><!-- <b> --><use xlink:href="#p" style="fill: #0072b2"/></g></svg>'
    )
    assert inline_svg(file, "tree") == (
        '<svg style="--natural: 96px" aria-hidden="true"><defs><path id="tree-p" /></defs>'
        '<g clip-path="url(#tree-p)"><use href="#tree-p" style="fill: var(--blue)" /></g></svg>'
    )
