"""DAGs with conditional tables, against sums over all genotypes."""

import itertools

import numpy as np
import pytest

from caprese import ConditionalDag, Dataset, ModelError, Noise, NoisyConditionalDag
from caprese.fitting.dags import fit_tables
from caprese.io.documents import read_model, write_model
from caprese.models.base import OrderedModel, PatternedOrder, PlacingModel, nodes_of

EVENTS = tuple("abcd")
TABLES = ((0.6,), (0.3,), (0.2, 0.7), (0.05, 0.1, 0.4, 0.9))
DAG = ConditionalDag(
    EVENTS, ((), (), (0,), (2,)), TABLES, ("either = XOR(a, b)",), ((), (), (), (0,))
)
EVERY = np.array(list(itertools.product((False, True), repeat=4)))


def probability(row):
    """The product of the tables, written out for the DAG above."""
    a, b, c, _ = map(int, row)
    chances = (0.6, 0.3, TABLES[2][a], TABLES[3][c + 2 * int(a + b == 1)])
    return np.prod([p if x else 1 - p for x, p in zip(row, chances, strict=True)])


def seen_as(row, seen, noise):
    rates = {
        (0, 1): noise.false_positive,
        (0, 0): 1 - noise.false_positive,
        (1, 0): noise.false_negative,
        (1, 1): 1 - noise.false_negative,
    }
    pairs = zip(row, seen, strict=True)
    return np.prod([1 if s is None else rates[int(t), s] for t, s in pairs])


@pytest.mark.parametrize("noise", [Noise(), Noise(0.1, 0.2)], ids=str)
@pytest.mark.parametrize("seen", [(1, 0, 1, 0), (None, 1, 0, None), (None,) * 4])
def test_a_sample_is_as_probable_as_the_sum_over_its_genotypes(noise, seen):
    model = NoisyConditionalDag(DAG, noise)
    data = Dataset.from_rows([seen], EVENTS)
    weights = np.array([probability(row) * seen_as(row, seen, noise) for row in EVERY])
    assert np.exp(model.log_probabilities(data)) == pytest.approx(weights.sum())
    shares = weights / weights.sum()
    assert model.event_probabilities(data)[0] == pytest.approx(shares @ EVERY)
    assert model.likeliest_genotypes(data)[0].tolist() == EVERY[shares.argmax()].tolist()
    counts = [shares[EVERY.sum(axis=1) == number].sum() for number in range(5)]
    assert model.count_probabilities(data)[0] == pytest.approx(counts)
    rates = DAG.next_rates(EVERY)
    total = np.maximum(rates.sum(axis=1, keepdims=True), 1e-300)
    assert model.next_probabilities(data)[0] == pytest.approx(shares @ (rates / total))


def test_a_rate_is_the_odds_of_an_absent_event():
    rates = DAG.next_rates(np.array([[True, False, True, False], [False, True, False, True]]))
    assert rates[0] == pytest.approx([0, 0.3 / 0.7, 0, 0.9 / 0.1])
    assert rates[1] == pytest.approx([0.6 / 0.4, 0, 0.2 / 0.8, 0])


def test_it_keeps_what_models_promise():
    assert isinstance(DAG, OrderedModel)
    assert isinstance(DAG, PlacingModel)
    assert isinstance(DAG, PatternedOrder)
    assert DAG.edges == (("a", "c"), ("a", "d"), ("b", "d"), ("c", "d"))
    assert DAG.pattern_edges == (("either", "d"),)
    assert DAG.parents_of("d") == ("c", "either")
    names, links = nodes_of(DAG)
    assert names == (*EVENTS, "either")
    assert np.argwhere(links).tolist() == [[0, 2], [0, 4], [1, 4], [2, 3], [4, 3]]
    assert DAG.marginals() == pytest.approx([probability(r) for r in EVERY] @ EVERY)


def test_samples_follow_the_tables_whatever_the_order_of_events():
    drawn = DAG.sample(20_000, np.random.default_rng(3))
    assert drawn.values.mean(axis=0) == pytest.approx(DAG.marginals(), abs=0.015)
    turned = ConditionalDag(
        EVENTS[::-1],
        ((1,), (3,), (), ()),
        TABLES[::-1],
        ("either = XOR(a, b)",),
        ((0,), (), (), ()),
    )
    again = turned.sample(20_000, np.random.default_rng(3)).take_events(EVENTS)
    assert (again.values == drawn.values).all()


def test_tables_come_from_counts_with_one_sample_added():
    data = Dataset.from_rows([[1, 1], [1, 1], [1, 0], [0, 0], [0, None]], events="ab")
    dag = ConditionalDag(("a", "b"), ((), (0,)), ((0.5,), (0.5, 0.5)))
    found = fit_tables(dag, data)
    assert found.model.tables[0] == pytest.approx([(3 + 0.5) / (5 + 1)])
    assert found.model.tables[1] == pytest.approx([0.25 / 1.5, 2.25 / 3.5])
    assert (found.parameters, found.noise) == (3, None)


def test_many_events_are_no_problem_without_errors():
    events = tuple(f"e{k}" for k in range(30))
    dag = ConditionalDag(events, ((),) * 30, ((0.5,),) * 30)
    rows = [[1] * 29 + [None], [0] * 30]
    found = dag.log_probabilities(Dataset.from_rows(rows, events))
    assert found == pytest.approx([-29 * np.log(2), -30 * np.log(2)])
    with pytest.raises(ModelError, match="30 events has up to 2\\^30"):
        dag.log_probabilities(Dataset.from_rows([[None] * 30], events))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"tables": ((0.5,), (0.5,))}, "the table of 'b' must have 2 entries"),
        ({"tables": ((0.5,), (0.5, 2))}, "probabilities of 'b' must be in"),
        ({"tables": ((0.5,),)}, "must be one per event, 2"),
        ({"parent_sets": ((1,), (0,))}, "the parents form a cycle"),
        ({"formulas": ("P = OR(a, x)",)}, "pattern 'P' has no event 'x' here"),
        ({"formulas": ("a = OR(a, b)",)}, "pattern 'a' has the name of an event"),
        ({"formulas": ("P = NOR(a, b)",)}, "expected one of AND, OR, XOR"),
        ({"pattern_sets": ((), (1,))}, "pattern_sets must be positions of patterns"),
        (
            {"formulas": ("P = OR(a, b)",), "pattern_sets": ((0,), ()), "tables": ((0, 1), (0, 1))},
            "the parents form a cycle",
        ),
    ],
)
def test_what_cannot_be_is_refused(parts, message):
    given = {"events": ("a", "b"), "parent_sets": ((), (0,)), "tables": ((0.5,), (0.5, 0.5))}
    with pytest.raises(ModelError, match=message):
        ConditionalDag(**(given | parts))


def test_it_comes_back_from_its_file(tmp_path):
    write_model(DAG, tmp_path / "dag.json")
    assert read_model(tmp_path / "dag.json") == DAG
