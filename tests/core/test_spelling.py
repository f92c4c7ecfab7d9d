"""What is suggested to a user, and what is not."""

import pytest

from caprese._core.words import did_you_mean, nearest

COMMANDS = ["fit", "bootstrap", "compare", "inspect", "curate", "show", "plot", "simulate", "study"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("fot", "fit"),
        ("ift", "fit"),
        ("FIT", "fit"),
        ("boot", "bootstrap"),
        ("bootstrp", "bootstrap"),
        ("plots", "plot"),
        ("simulation", "simulate"),
        ("inpsect", "inspect"),
    ],
)
def test_a_typing_error_is_recognised(word, meant):
    assert nearest(word, COMMANDS) == meant
    assert did_you_mean(word, COMMANDS) == f"; did you mean '{meant}'?"


@pytest.mark.parametrize("word", ["", "x", "b", "tree", "help", "infer", "list", "run"])
def test_words_that_are_not_similar_are_not_suggested(word):
    assert nearest(word, COMMANDS) is None
    assert did_you_mean(word, COMMANDS) == ""


def test_nothing_known_gives_no_suggestion():
    assert nearest("fit", []) is None


def test_dashes_and_dots_are_no_likeness():
    assert nearest("--", ["--help", "--top"]) is None
    assert nearest("--tpo", ["--jobs", "--top", "--help"]) == "--top"
    assert nearest(".docx", [".dot", ".json"]) is None
    assert nearest(".jsn", [".dot", ".json"]) == ".json"
