"""What the direction of an edge rests on."""

import numpy as np
import pytest

from caprese import MHN, BayesForest, Caprese, Dataset, LikelihoodForest, datasets
from caprese.assessment.directions import (
    Direction,
    Rests,
    are_quick_to_turn,
    direction_table,
    directions,
)
from caprese.data.seen_orders import SeenOrders
from caprese.errors import ModelError
from caprese.io.documents import read_fit, write_fit
from caprese.text.directions import direction_sentence
from caprese.text.sentences import plain

OVARIAN = datasets.ovarian()


def seen(earlier, later, times, of):
    """So many of some samples with both events were seen in this order, the rest in the other."""
    data = of.data if hasattr(of, "data") else of
    places = [data.events.index(earlier), data.events.index(later)]
    names = np.array(data.samples)[data.values[:, places].all(axis=1)]
    rows = [(name, earlier, later) for name in names[: times[0]]]
    rows += [(name, later, earlier) for name in names[times[0] : sum(times)]]
    return SeenOrders.from_rows(rows)


def found(fit, orders=None):
    return {(each.earlier, each.later): each for each in directions(fit, orders)}


@pytest.mark.parametrize(
    ("agree", "disagree", "lost", "rests"),
    [
        (0, 0, 9.0, Rests.ASSUMED),
        (0, 0, 2.9, Rests.OPEN),
        (0, 0, None, Rests.OPEN),
        (4, 0, 0.0, Rests.OPEN),  # four of four happen by chance once in 16
        (5, 0, 0.0, Rests.SEEN),
        (9, 6, 9.0, Rests.ASSUMED),
        (0, 5, 9.0, Rests.OPEN),  # contradicted by what was seen
    ],
)
def test_the_grades(agree, disagree, lost, rests):
    assert Direction("a", "b", agree, disagree, lost).rests == rests


def test_without_seen_orders_a_clear_edge_rests_on_the_assumption():
    fit = Caprese().fit(OVARIAN)
    grades = {edge: each.rests for edge, each in found(fit).items()}
    assert grades == {
        ("8q+", "3q+"): Rests.ASSUMED,
        ("5q-", "4q-"): Rests.OPEN,
        ("8q+", "8p-"): Rests.ASSUMED,
        ("8p-", "Xp-"): Rests.OPEN,
    }


def test_seen_orders_of_the_data_are_counted():
    data = OVARIAN.with_orders(seen("5q-", "4q-", (8, 1), OVARIAN))
    edge = found(Caprese().fit(data))["5q-", "4q-"]
    assert (edge.agree, edge.disagree, edge.rests) == (8, 1, Rests.SEEN)


def test_uncertain_orders_are_not_counted():
    orders = seen("5q-", "4q-", (8, 0), OVARIAN)
    unsure = SeenOrders(orders.samples, orders.events, orders.pairs, 0.8, 1.0)
    assert found(Caprese().fit(OVARIAN), unsure)["5q-", "4q-"].agree == 0


def test_what_contradicts_is_said():
    orders = seen("8q+", "3q+", (0, 9), OVARIAN)
    fit = Caprese().fit(OVARIAN)
    assert found(fit, orders)["8q+", "3q+"].contradicted
    words = plain(direction_sentence(directions(fit, orders)))
    assert words.endswith("Seen orders contradict 8q+ before 3q+.")


def test_a_posterior_gives_its_odds():
    fit = BayesForest(draws=200, warm_up=200).fit(OVARIAN)
    before = fit.evidence.ancestor_probabilities
    for (earlier, later), each in found(fit).items():
        one, other = fit.model.events.index(earlier), fit.model.events.index(later)
        least = 1 / fit.evidence.diagnostics.draws
        odds = before[one, other] / max(before[other, one], least)
        assert each.lost == pytest.approx(np.log(odds))


def test_a_model_without_edges_states_no_order():
    assert directions(MHN(penalty_strength=0.1).fit(OVARIAN)) == ()


def test_a_fit_from_a_file_needs_its_data(tmp_path):
    fit = Caprese().fit(OVARIAN)
    write_fit(fit, tmp_path / "fit.json")
    again = read_fit(tmp_path / "fit.json")
    with pytest.raises(ModelError, match="directions need the data of the fit"):
        directions(again)
    assert not are_quick_to_turn(again)
    assert directions(again.on(OVARIAN)) == directions(fit)


def test_the_table_has_a_row_for_each_edge():
    table = direction_table(directions(LikelihoodForest().fit(OVARIAN)))
    assert list(table.columns) == [
        "earlier",
        "later",
        "rests on",
        "agree",
        "disagree",
        "lost",
        "both",
    ]
    assert len(table) == 5


def test_large_fits_are_not_turned_unasked():
    values = np.random.default_rng(1).random((3000, 60)) < 0.5
    fit = Caprese(shrinkage=0).fit(Dataset(values, tuple(map(str, range(60)))))
    assert are_quick_to_turn(fit) == (len(fit.edges) * 180_000 <= 2_000_000)


def test_a_model_that_allows_both_orders_loses_little_by_the_reverse():
    method = LikelihoodForest()
    found = directions(method.fit(OVARIAN), both=True)
    assert all(each.both < each.lost for each in found if each.rests == Rests.ASSUMED)
    assert all(each.both is None for each in directions(method.fit(OVARIAN)))
