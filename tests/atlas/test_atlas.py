"""What an atlas says of its cohorts, and of the places of events in them."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from atlas_places import place_by_definition
from caprese import BayesForest, KnownOrders, analyse, datasets
from caprese._core.words import percent
from caprese.assessment.answer import Answer
from caprese.atlas.cohort import cohort_of, event_places
from caprese.atlas.page import _by_event
from caprese.text.sentences import plain


def known(before, events="abc"):
    n = len(events)
    nothing = np.zeros((n, n))
    given = (tuple(events), np.ones(n), ("bayes",), np.ones(1), [before], 1.0)
    return KnownOrders(*given, nothing, np.full((n, n), 9.0))


BEFORE = np.array([[0.0, 0.9, 0.8], [0.05, 0.0, 0.2], [0.0, 0.1, 0.0]])


def test_a_place_is_the_share_of_the_others_that_probably_come_before():
    found = known(BEFORE)
    assert found.places == pytest.approx(place_by_definition(BEFORE))
    assert found.places.argmin() == 0
    rng = np.random.default_rng(1)
    for n in (2, 5, 9):
        before = rng.random((n, n)) / 2
        np.fill_diagonal(before, 0)
        expected = place_by_definition(before)
        assert known(before, "abcdefghi"[:n]).places == pytest.approx(expected)


def test_events_in_a_chain_have_places_from_0_to_1():
    chain = np.triu(np.ones((4, 4)), 1)
    assert known(chain, "abcd").places == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert known(np.zeros((3, 3))).places == pytest.approx([0.5, 0.5, 0.5])
    assert known(np.zeros((1, 1)), "a").places == pytest.approx([0.5])


@pytest.fixture(scope="module")
def answer():
    """What is said of the ovarian tumours."""
    return analyse(None, datasets.ovarian(), replicates=2, budget=0.2).answer


def test_known_orders_of_an_event_are_those_whose_direction_rests_on_something(answer):
    data = datasets.ovarian()
    places = {at.event: at for at in event_places(data, answer.known)}
    edges = nx.DiGraph([(each.earlier, each.later) for each in answer.known.firm])
    firm = nx.transitive_closure(edges).edges
    assert firm
    said = [(at.event, other) for at in places.values() for other in at.before]
    assert sorted(said) == sorted(firm)
    assert sorted((other, at.event) for at in places.values() for other in at.after) == sorted(firm)
    assert [at.frequency for at in places.values()] == data.frequency.tolist()


def test_a_cohort_says_what_its_report_says(made):
    _, atlas = made
    names = [each.name for each in atlas.cohorts]
    assert names == ["<b>odd & 'name", "acml", "chain", "few"]
    by_name = dict(zip(names, atlas.cohorts, strict=True))
    chain, acml, few = (by_name[name] for name in ("chain", "acml", "few"))
    assert chain.headline.startswith("Yes: ")
    assert chain.known > 0 < chain.gain
    assert acml.headline == "None is supported by these samples."
    assert (acml.known, acml.gain) == (0, None)
    assert few.headline == "There are too few samples to tell."
    for cohort, titles in (
        (chain, ["Verdict", "Known", "Subtypes"]),
        (acml, ["Verdict", "Subtypes"]),
    ):
        assert [title for title, _ in cohort.said][: len(titles)] == titles
    said = {name: dict(each.said) for name, each in by_name.items()}
    assert "TP53 before KRAS" in plain(said["chain"]["Known"])
    assert plain(said["acml"]["Not known"]).startswith("The place of every event.")
    assert plain(said["chain"]["Subtypes"]).startswith("Not looked for: ")


def test_without_a_supported_order_events_have_no_place(made):
    _, atlas = made
    acml = next(each for each in atlas.cohorts if each.name == "acml")
    assert {(at.place, at.before, at.after) for at in acml.events} == {(None, (), ())}
    chain = next(each for each in atlas.cohorts if each.name == "chain")
    places = {at.event: at.place for at in chain.events}
    assert places["TP53"] < places["KRAS"] < places["APC"]


def test_the_table_has_events_by_name_the_earliest_first(made):
    _, atlas = made
    table = atlas.table()
    assert list(table) == ["event", "cohort", "frequency", "place", "before", "after"]
    assert len(table) == sum(len(each.events) for each in atlas.cohorts)
    assert table["event"].is_monotonic_increasing
    for _, own in table.groupby("event"):
        assert own["place"].dropna().is_monotonic_increasing
        assert not own["place"].isna().to_numpy()[: own["place"].count()].any()
    assert table["place"].dtype == np.float64
    assert [at.event for _, at in _by_event(atlas.cohorts)] == list(table["event"])
    assert pd.isna(table.set_index("cohort").loc["acml", "place"]).all()


def test_what_cannot_be_read_is_named_with_the_reason(made):
    _, atlas = made
    why = {each.name: each.why for each in atlas.left_out}
    assert sorted(why) == ["broken.csv", "notes.md"]
    assert "'perhaps' is not an entry" in why["broken.csv"]
    assert repr(atlas) == "<Atlas: 4 cohorts, 2 left out>"


def test_subtypes_are_named_by_share_and_marker(answer):
    data = datasets.ovarian()
    fit = BayesForest(subtypes=2, draws=20, chains=2).fit(data)

    def said(name):
        found = Answer({name: fit}, answer.judgement)
        return plain(dict(cohort_of("x", "x.html", data, found).said)["Subtypes"])

    judged = answer.judgement
    better = [name for name, beyond in zip(judged.methods, judged.better, strict=True) if beyond]
    assert said(better[0]).startswith(f"2 subtypes by {better[0]}: ")
    for each in fit.evidence.subtypes:
        assert f"{percent(each.weight)} marked by {each.marker}" in said(better[0])
    assert said("independence") == "None that helps to predict held-out samples."


def test_what_to_check_about_the_reading_is_said(answer):
    data = datasets.ovarian()
    found = cohort_of("x", "x.html", data, answer, ["the table may be transposed"])
    assert found.said[-1] == ("To check", ("the table may be transposed",))
