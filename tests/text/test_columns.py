"""Tables and sentences in the width of a terminal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import Caprese, Dataset, bootstrap, datasets
from caprese.text.columns import aligned, cells, within, wrapped
from caprese.text.fits import fit_lines
from caprese.text.style import coloured
from caprese.text.support import table_lines

pytestmark = pytest.mark.slow

ROWS = [
    ["event", "frequency", "score", "reason"],
    ["├─ a", "50 %", "0.5", "an independent root fits better"],
    ["│  └─ b", "5 %", "", "tied"],
]


def test_a_table_that_fits_is_not_changed():
    assert aligned(ROWS, width=200) == aligned(ROWS)
    widest = max(map(len, aligned(ROWS)))
    assert aligned(ROWS, width=widest) == aligned(ROWS)


def test_text_in_the_last_column_continues_below_and_the_lines_of_the_tree_with_it():
    assert aligned(ROWS, width=50) == [
        "event    frequency  score  reason",
        "├─ a          50 %    0.5  an independent root",
        "│  │                       fits better",
        "│  └─ b        5 %         tied",
    ]


def test_columns_without_space_follow_in_another_block():
    assert aligned(ROWS, width=40) == [
        "event    frequency  score",
        "├─ a          50 %    0.5",
        "│  └─ b        5 %",
        "",
        "event    reason",
        "├─ a     an independent root fits better",
        "│  └─ b  tied",
    ]


def test_a_first_column_without_space_is_shortened():
    assert aligned([["a very long name of an event", "0.125", ""]], width=20) == [
        "a very long…  0.125"
    ]


def test_wide_characters_count_twice():
    assert (cells("肿瘤"), cells("e\u0301"), cells("→ é")) == (4, 1, 3)
    assert cells(coloured("肿", "title")) == 2
    lines = aligned([["肿瘤" * 20, "1", "肿瘤" * 20]], width=40)
    assert max(map(cells, lines)) <= 40


NAMES = st.text("ab 肿", min_size=1, max_size=60)


@given(
    st.lists(st.tuples(NAMES, st.integers(0, 99), st.integers(0, 10**6), NAMES), min_size=1),
    st.integers(40, 200),
)
def test_no_line_is_wider_than_the_terminal_and_no_number_is_lost(rows, width):
    table = [[name, str(one), str(other), text] for name, one, other, text in rows]
    lines = aligned(table, width=width)
    assert max(map(cells, lines)) <= width
    shown = " ".join(lines)
    assert all(cell in shown for row in table for cell in row[1:3])


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_fits_and_tables_of_all_pairs_fit_the_terminal(width):
    rng = np.random.default_rng(1)
    data = Dataset(rng.random((60, 30)) < 0.4, [f"an event of number {k}" for k in range(30)])
    for each in (data, datasets.ovarian()):
        confidence = bootstrap(Caprese(), each, replicates=10, jobs=1)
        lines = fit_lines(Caprese().fit(each), confidence, coloured, width)
        plain = fit_lines(Caprese().fit(each), confidence, width=width)
        assert len(lines) == len(plain)
        shown = [*within(width, plain), *table_lines(confidence, width)]
        assert max(map(cells, shown)) <= width


def test_words_are_kept_whole_and_long_ones_divided():
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrapped("", 3) == [""]


def test_a_long_line_continues_at_its_indent_with_its_emphasis():
    assert within(12, ["  one two three"]) == ["  one two", "    three"]
    assert within(9, [coloured("one two three", "title")]) == [
        coloured("one two", "title"),
        "\x1b[1m  three\x1b[0m",
    ]
    mixed = f"{coloured('one', 'sure')} two three"
    assert within(9, [mixed]) == [mixed]
    assert within(None, ["one two three"]) == ["one two three"]
