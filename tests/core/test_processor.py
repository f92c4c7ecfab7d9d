"""Which of the compiled kernels the environment asks for."""

import pytest

from caprese._core.environment import CHOICE, OLDER, wants_older
from caprese.cli.main import main


@pytest.mark.parametrize(("choice", "older"), [("", False), (OLDER, True)])
def test_it_may_ask_for_those_of_older_processors(choice, older, monkeypatch):
    monkeypatch.setenv(CHOICE, choice)
    assert wants_older() is older


def test_by_default_it_asks_for_nothing(monkeypatch):
    monkeypatch.delenv(CHOICE, raising=False)
    assert not wants_older()


def test_another_choice_is_refused(monkeypatch, capsys):
    monkeypatch.setenv(CHOICE, "fast")
    message = "the environment variable CAPRESE_PROCESSOR must be x86-64-v2 or not set, got 'fast'"
    with pytest.raises(ValueError, match=message):
        wants_older()
    with pytest.raises(SystemExit, match="2"):
        main(["fit", "ovarian"])
    assert capsys.readouterr().err.splitlines() == [f"caprese: {message}"]
