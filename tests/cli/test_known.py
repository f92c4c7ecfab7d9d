"""caprese known."""

import json

import pytest

BAYES = ("-m", "bayes:draws=60:warm_up=60:chains=2")


def test_it_prints_what_is_known_and_what_is_not(run):
    code, out, err = run("known", "ovarian", *BAYES)
    assert (code, err) == (0, "")
    assert out.startswith("What is known of the order of 7 events\n")
    assert "8q+ before 3q+" in out
    assert "The place of 1q+ is not known." in out


def test_files_are_written_and_shown(run, tmp_path):
    _, printed, _ = run("known", "ovarian", *BAYES, "-o", "known.json", "-o", "known.svg")
    assert run("show", "known.json") == (0, printed, "")
    assert (tmp_path / "known.svg").read_text().startswith("<?xml")
    assert run("show", "known.json", "-o", "again.png")[0] == 0


def test_json_has_the_orders_with_what_they_rest_on(run):
    _, out, _ = run("known", "ovarian", "-m", "caprese", "--json")
    content = json.loads(out)
    assert content["format"] == "caprese known"
    assert {(each["earlier"], each["later"]) for each in content["orders"]} == {
        ("8q+", "3q+"),
        ("5q-", "4q-"),
        ("8q+", "8p-"),
        ("8p-", "Xp-"),
    }
    assert content["unplaced"] == ["1q+"]
    assert content["orders"][0]["direction"]["lost"] < 3  # 5q- before 4q-


@pytest.mark.parametrize("value", ["0.4", "1.1", "x"])
def test_a_threshold_is_between_a_half_and_one(refused, value):
    assert "--threshold" in refused("known", "ovarian", "-m", "caprese", "--threshold", value)


def test_a_confidence_is_not_for_known_orders(run, refused):
    run("known", "ovarian", "-m", "caprese", "-o", "known.json")
    said = refused("show", "known.json", "--confidence", "known.json")
    assert said == "--confidence needs a fit or a model, not a list of known orders"
