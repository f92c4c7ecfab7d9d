"""Names and numbers as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese._core.words import LONGEST_NAME, listing, number_of, percent, visible, with_error


@given(st.text(max_size=80), st.integers(5, 70))
def test_a_visible_text_is_printable_and_fits(text, longest):
    shown = visible(text, longest)
    assert shown.isprintable()
    assert len(shown) <= longest


@given(st.text(max_size=LONGEST_NAME).filter(str.isprintable))
def test_a_short_printable_text_is_not_changed(text):
    assert visible(text) == text


def test_the_middle_of_a_long_text_is_omitted():
    assert visible("a" * 40 + "b" * 40) == "a" * 30 + "…" + "b" * 29
    assert visible("x" * 60) == "x" * 60
    assert visible("x" * 61) == "x" * 30 + "…" + "x" * 29


def test_invisible_characters_are_escaped():
    assert visible("a\tb\u200b") == "a\\tb\\u200b"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 events"), (1, "1 event"), (2, "2 events"), (1000, "1000 events")]
)
def test_a_noun_is_in_the_plural_unless_there_is_one(number, text):
    assert number_of(number, "event") == text


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (0.0, 0, "0 %"),
        (1.0, 0, "100 %"),
        (0.5, 0, "50 %"),
        (0.004, 0, "<1 %"),
        (0.005, 0, "<1 %"),
        (0.0051, 0, "1 %"),
        (0.996, 0, ">99 %"),
        (0.994, 0, "99 %"),
        (0.1234, 1, "12.3 %"),
        (0.0004, 1, "<0.1 %"),
        (0.9999, 1, ">99.9 %"),
    ],
)
def test_a_percentage_says_0_and_100_only_of_none_and_all(share, digits, text):
    assert percent(share, digits) == text


def test_a_listing_says_how_many_more():
    assert [listing("ab"), listing("abc", most=2), listing("")] == ["a, b", "a, b and 1 more", ""]
    assert listing(["x" * 61]) == "x" * 30 + "…" + "x" * 29


@given(st.floats(-10, 10), st.floats(2e-6, 5))
def test_an_error_is_never_shown_as_zero(value, error):
    _, shown = with_error(value, error).split(" ± ")
    assert float(shown) == pytest.approx(error, rel=0.5)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.441, 0.108, "0.44 ± 0.11"),
        (0.0004, 0.0021, "0.000 ± 0.002"),
        (-0.001, 0.2, "0.00 ± 0.20"),
        (0.3, 0.0, "0.30 ± 0.00"),
        (0.3, float("inf"), "0.30"),
    ],
)
def test_a_number_has_as_many_decimals_as_its_error_needs(value, error, text):
    assert with_error(value, error) == text
