"""Files that the page contains."""

import csv
import io
import sys
from base64 import b64decode

import pytest

from caprese import Caprese, analyse, datasets
from caprese.io.documents import document_text
from caprese.report.content import Download, Table
from caprese.report.page import address, csv_text
from caprese.report.sections import report_content
from caprese.text.sentences import NOTHING, Event, Number, Term
from hostile_names import HOSTILE

pytestmark = pytest.mark.slow


def test_an_address_holds_the_whole_file():
    start, _, content = address("edges.csv", "肿,1\n").partition("base64,")
    assert start == "data:text/csv;charset=utf-8;"
    assert b64decode(content).decode() == "肿,1\n"


def test_numbers_keep_their_digits_and_intervals_have_a_column():
    rows = (
        (
            (Event("short", "a long name"),),
            Number("33 %", 1 / 3, "30 % to 36 %"),
            (Term("a", "x"),),
        ),
        (("root",), NOTHING, ("y, z",)),
    )
    table = Table((), ("parent", "support", "reason"), rows)
    assert list(csv.reader(csv_text(table).splitlines())) == [
        ["parent", "support", "support interval", "reason"],
        ["a long name", "0.3333333333333333", "30 % to 36 %", "x"],
        ["root", "", "", "y, z"],
    ]


def test_any_name_is_read_back():
    table = Table((), ("event",), tuple(((name,),) for name in HOSTILE))
    _, *found = csv.reader(io.StringIO(csv_text(table), newline=""))
    assert [row[0] for row in found] == list(HOSTILE)


def test_the_fit_is_a_file_unless_it_is_very_large(monkeypatch):
    analysis = analyse(Caprese(), datasets.acml(), replicates=5, budget=0.001)

    def files():
        blocks = report_content(analysis).section("reproducibility").blocks
        return [block for block in blocks if isinstance(block, Download)]

    (found,) = files()
    assert (found.name, found.text) == ("fit.json", document_text(analysis.fit))
    module = sys.modules["caprese.report.sections.reproducibility"]
    monkeypatch.setattr(module, "_LARGEST_FIT", 10)
    assert files() == []
