"""caprese known."""

import json

import pytest

from caprese import datasets, judge
from caprese.text.comparison import verdict_sentence
from caprese.text.sentences import plain

BAYES = ("-m", "bayes:draws=60:warm_up=60:chains=2", "--budget", "0.6")


def test_it_prints_the_verdict_what_is_known_and_what_is_not(run):
    code, out, err = run("known", "ovarian", *BAYES)
    assert (code, err) == (0, "")
    verdict, _, title, *_ = out.splitlines()
    referee = judge(None, datasets.ovarian(), budget=0.6)
    assert verdict == plain(verdict_sentence(referee))
    assert title == "What is known of the order of 7 events"
    assert "8q+ before 3q+" in out
    assert "The place of 1q+ is not known." in out


@pytest.mark.parametrize("method", [(), ("-m", "caprese")])
def test_where_no_order_is_supported_none_is_known(run, method):
    code, out, _ = run("known", "acml", "--budget", "0.6", *method)
    assert code == 0
    assert out.startswith("No order is supported by these 64 samples: none of ")
    assert "No order of two events is known: none is supported by held-out samples." in out
    assert "before" not in out
    content = json.loads(run("known", "acml", "--budget", "0.6", *method, "--json")[1])
    assert (content["supported"], content["orders"]) == (False, [])
    assert content["known"]["word"]["verdict"][0]["kind"] == "no order supported"


def test_so_few_samples_that_none_is_held_out_know_nothing(run, tmp_path):
    (tmp_path / "few.csv").write_text("a,b\n1,0\n0,1\n1,1\n")
    code, out, _ = run("known", "few.csv", "--budget", "0.6")
    assert code == 0
    assert out.startswith("None of so few samples can be held out, so no method can be judged.\n")
    assert "No order of two events is known" in out


def test_files_are_written_and_shown(run, tmp_path):
    _, printed, _ = run("known", "ovarian", *BAYES, "-o", "known.json", "-o", "known.svg")
    assert run("show", "known.json") == (0, printed, "")
    assert (tmp_path / "known.svg").read_text().startswith("<?xml")
    assert run("show", "known.json", "-o", "again.png")[0] == 0


def test_json_has_the_orders_with_what_they_rest_on(run):
    _, out, _ = run("known", "ovarian", "-m", "caprese", "--budget", "0.6", "--json")
    content = json.loads(out)
    assert (content["format"], content["supported"]) == ("caprese known", True)
    assert {(each["earlier"], each["later"]) for each in content["orders"]} == {
        ("8q+", "3q+"),
        ("5q-", "4q-"),
        ("8q+", "8p-"),
        ("8p-", "Xp-"),
    }
    assert content["unplaced"] == ["1q+"]
    assert content["orders"][0]["direction"]["lost"] < 3  # 5q- before 4q-


def test_the_seed_is_that_of_the_judgement_and_of_the_method(run):
    _, out, _ = run("known", "ovarian", *BAYES, "--seed", "3")
    referee = judge(None, datasets.ovarian(), budget=0.6, seed=3)
    assert out.splitlines()[0] == plain(verdict_sentence(referee))
    assert out == run("known", "ovarian", "-m", f"{BAYES[1]}:seed=3", *BAYES[2:], "--seed", "3")[1]


@pytest.mark.parametrize("value", ["0.4", "1.1", "x"])
def test_a_threshold_is_between_a_half_and_one(refused, value):
    assert "--threshold" in refused("known", "ovarian", "-m", "caprese", "--threshold", value)


def test_a_confidence_is_not_for_known_orders(run, refused):
    run("known", "ovarian", "-m", "caprese", "--budget", "0.6", "-o", "known.json")
    said = refused("show", "known.json", "--confidence", "known.json")
    assert said == "--confidence needs a fit or a model, not a list of known orders"
