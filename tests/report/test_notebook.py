"""Fits as a notebook shows them."""

from base64 import b64decode
from xml.etree import ElementTree

import numpy as np
import pytest

from caprese import HCBN, Caprese, Dataset, datasets
from hostile_names import HOSTILE
from pages import parsed
from small_methods import SMALL_METHODS, Frequencies


def cells(html):
    (table,) = parsed(html).all("table")
    return [[cell.words for cell in row.children] for row in table.all("tr")]


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(5)
    rows = rng.random((60, 1)) < np.linspace(0.95, 0.05, len(HOSTILE))
    return Dataset(rows ^ (rng.random(rows.shape) < 0.05), HOSTILE)


def test_an_ordered_fit_is_a_title_a_picture_and_a_table():
    html = Caprese().fit(datasets.ovarian())._repr_html_()
    page = parsed(html)
    assert [element.tag for element in page.children][:2] == ["p", "img"]
    assert page.all("p")[0].words == "caprese (shrinkage 0.5) on 87 samples x 7 events"
    kind, _, content = page.all("img")[0].attributes["src"].partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert ElementTree.fromstring(b64decode(content)).tag.endswith("svg")
    shown = {row[0]: row[1:] for row in cells(html)}
    assert shown["event"] == ["parent", "frequency", "probability", "score", "reason"]
    assert shown["3q+"] == ["8q+", "55 %", "0.689", "0.304", "the only admissible parent"]
    assert shown["8q+"] == ["root", "70 %", "0.701", "", "no admissible parent"]


def test_several_parents_are_in_one_cell():
    shown = {row[0]: row[1] for row in cells(HCBN().fit(datasets.ovarian())._repr_html_())}
    assert set(shown["8p-"].split(" and ")) == {"8q+", "5q-"}


def test_a_model_without_edges_has_only_the_table():
    html = Frequencies().fit(datasets.acml())._repr_html_()
    assert parsed(html).all("img") == []
    header, *_, last = cells(html)
    assert header == ["event", "frequency", "probability"]
    assert last == ["ASXL1 nonsense", "8 %", "0.091"]


def test_many_events_have_no_picture_and_a_short_table():
    events = [f"e{k}" for k in range(80)]
    rng = np.random.default_rng(1)
    html = Caprese().fit(Dataset(rng.random((50, 80)) < 0.4, events))._repr_html_()
    assert parsed(html).all("img") == []
    assert len(cells(html)) == 61
    assert parsed(html).all("p")[-1].words == "20 more"


@pytest.mark.slow
@pytest.mark.parametrize("method", [Caprese(), *SMALL_METHODS], ids=repr)
def test_hostile_names_are_inert(method, hostile):
    html = method.fit(hostile)._repr_html_()
    page = parsed(html)
    used = {element.tag for element in page.walk()}
    assert used <= {"page", "p", "img", "table", "thead", "tbody", "tr", "th", "td"}
    assert {name for each in page.walk() for name in each.attributes} <= {"alt", "src"}
    assert "<script>alert" not in html
    assert "<script>alert(1)</script>" in [row[0] for row in cells(html)]
    for character in ("\u202e", "\u200f", "\0", "\x1b", "\x85", "\u2028", "\U000e0001", "\ufffe"):
        assert character not in html
    assert max(len(cell) for row in cells(html) for cell in row) <= 130
