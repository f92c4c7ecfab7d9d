"""Sentences whose parts are kept apart, and numbers as they are shown."""

import pytest

from caprese.text.sentences import (
    Event,
    Number,
    Term,
    decimal,
    joined,
    listed,
    p_value,
    phrase,
    plain,
    quantity,
    share,
    shown_names,
)


def test_a_phrase_keeps_names_and_terms_apart_from_words():
    said = phrase("{event} has no [support]", event=Event("8q+"))
    assert said == (Event("8q+"), " has no ", Term("support", "support"))
    assert plain(said) == "8q+ has no support"


def test_a_part_is_never_parsed():
    assert phrase("{event}", event=Event("[support] {x}")) == (Event("[support] {x}"),)


@pytest.mark.parametrize(
    ("options", "text"),
    [({}, "a, b and c"), ({"word": "or"}, "a, b or c"), ({"most": 1}, "a and 2 more")],
)
def test_a_list_has_a_word_before_its_last_item(options, text):
    assert plain(listed(["a", "b", "c"], **options)) == text


def test_empty_sentences_are_omitted():
    assert plain(joined([("One.",), (), ("Two.",)])) == "One. Two."


def test_names_are_shown_without_invisible_characters():
    assert shown_names(["8q+", "two\n"])["two\n"] == Event("two\\n")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (share(0.5, (0.4, 0.6)), Number("50 %", 0.5, "40 % to 60 %")),
        (p_value(0.00001, 0.05), Number("<0.001", 0.00001)),
        (p_value(0.2, 0.05), Number("0.200", 0.2, doubtful=True)),
        (decimal(0.36), Number("0.360", 0.36)),
        (decimal(123456.0), Number("1.2e+05", 123456.0)),
        (decimal(float("nan")), Number("", None)),
        (quantity("rate", 9999.0), Number("9999.000", 9999.0)),
        (quantity("rate", 1e6), Number("unbounded", 1e6)),
        (quantity("gain", 1e6), Number("1e+06", 1e6)),
    ],
)
def test_numbers_as_they_are_shown(number, shown):
    assert number == shown
