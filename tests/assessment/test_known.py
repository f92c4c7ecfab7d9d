"""What is known of the order of events: against literal definitions, and of every kind of fit."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import MHN, BayesForest, Caprese, Capri, Dataset, IndependentEvents, Stack, datasets
from caprese._core.facts import Fact
from caprese.assessment.directions import Rests
from caprese.assessment.judgement import Word
from caprese.assessment.known import KnownOrders, known_orders, orders_of_mixture
from caprese.data.seen_orders import SeenOrders
from caprese.errors import ModelError, ParameterError
from caprese.io.documents import document_text, read_document
from caprese.methods.evidence import chains_disagree
from caprese.models.base import pair_order_probabilities
from caprese.text.known import basis_sentence, known_lines, known_sentence, rest_sentence
from caprese.text.sentences import plain
from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once

OVARIAN = datasets.ovarian()
SHORT = {"draws": 60, "warm_up": 60, "chains": 2}


def of_parts(by_part, weights=(1.0,), seen=None, lost=None, threshold=0.7, events=None):
    """Known orders of parts that say how probably each event comes before each other."""
    by_part = np.array(by_part, dtype=float)
    n = by_part.shape[1]
    return KnownOrders(
        tuple(events or "abcdefgh"[:n]),
        np.linspace(0.9, 0.1, n),
        tuple(f"part {k}" for k in range(len(weights))),
        np.array(weights, dtype=float),
        by_part,
        1.0,
        np.zeros((n, n)) if seen is None else seen,
        np.full((n, n), 9.0) if lost is None else lost,
        threshold,
    )


def pair(forward, backward=0.0):
    return [[0.0, forward], [backward, 0.0]]


def known_definition(found):
    """The known orders of a few events, pair by pair."""
    n, names = len(found.events), found.events
    agreed = set()
    for i, j in permutations(range(n), 2):
        probability = sum(w * p[i, j] for w, p in zip(found.weights, found.by_part, strict=True))
        against = sum(w for w, p in zip(found.weights, found.by_part, strict=True) if p[j, i] > 0.5)
        if probability >= found.threshold and against < 0.2:
            agreed.add((i, j))
    chains = {(i, j) for i, j in agreed}
    while True:
        longer = {(i, k) for i, j in chains for other, k in agreed if other == j}
        if longer <= chains:
            break
        chains |= longer
    return {(names[i], names[j]) for i, j in agreed if (j, i) not in chains}


def pairs_of(found, matrix):
    return {(found.events[i], found.events[j]) for i, j in np.argwhere(matrix)}


@given(
    st.integers(2, 5),
    st.lists(st.sampled_from([0.1, 0.25, 0.3, 0.65]), min_size=1, max_size=3),
    st.integers(0, 10_000),
)
def test_known_orders_are_those_of_the_definition(events, weights, seed):
    rng = np.random.default_rng(seed)
    ahead = rng.choice([0.1, 0.55, 0.75, 0.9, 1.0], size=(len(weights), events, events))
    upper = np.triu(ahead, 1)
    lower = np.swapaxes(np.triu(1 - ahead, 1) * rng.random(ahead.shape), 1, 2)
    turned = rng.random((1, events, events)) < 0.3
    turned = np.triu(turned, 1) | np.swapaxes(np.triu(turned, 1), 1, 2)
    by_part = upper + lower
    by_part = np.where(turned, np.swapaxes(by_part, 1, 2), by_part)
    found = of_parts(by_part, np.array(weights) / sum(weights))
    known = known_definition(found)
    assert pairs_of(found, found.known) == known
    drawn = {
        (i, k)
        for i, k in known
        if not any(_chain(known, i, j) and _chain(known, j, k) for j in found.events)
    }
    assert pairs_of(found, found.drawn) == drawn


def _chain(known, start, end):
    """Whether one or more known orders lead from one event to the other."""
    left, reached = [start], set()
    while left:
        here = left.pop()
        after = {later for earlier, later in known if earlier == here} - reached
        reached |= after
        left += after
    return end in reached


@pytest.mark.parametrize(
    ("parts", "weights", "known", "disputed"),
    [
        ([pair(0.7)], [1.0], True, False),
        ([pair(0.69)], [1.0], False, False),
        ([pair(1.0), pair(0.0, 1.0)], [0.81, 0.19], True, False),
        ([pair(1.0), pair(0.0, 1.0)], [0.8, 0.2], False, True),
        ([pair(1.0), pair(0.4, 0.5)], [0.8, 0.2], True, False),  # no more than a coin
        ([pair(1.0), pair(0.0, 0.6), pair(0.0, 0.6)], [0.76, 0.12, 0.12], False, True),
        ([pair(0.6, 0.4), pair(0.4, 0.6)], [0.5, 0.5], False, False),  # neither is firm
        ([pair(0.9, 0.1), pair(0.4, 0.6)], [0.5, 0.5], False, True),
    ],
)
def test_a_part_with_a_fifth_of_the_weight_is_heard(parts, weights, known, disputed):
    found = of_parts(parts, weights)
    assert bool(found.known.any()) == known
    assert bool(found.disagreements) == disputed


def test_orders_that_contradict_each_other_are_not_known():
    cycle = np.zeros((4, 4))
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 0)):
        cycle[i, j] = 0.75
    found = of_parts([cycle])
    assert not found.known.any()
    assert (found.weaker, found.contradicted) == (4, 4)
    assert not found.faded.any()
    assert found.unplaced == found.events


def test_what_follows_is_not_drawn_and_weaker_orders_are_counted():
    before = np.triu(
        np.array([[0, 0.9, 0.8, 0.6], [0, 0, 0.9, 0], [0, 0, 0, 0], [0, 0, 0, 0.0]]), 1
    )
    found = of_parts([before])
    assert [(each.earlier, each.later) for each in found.orders] == [("a", "b"), ("b", "c")]
    assert len(found.table()) == 3
    assert (found.first, found.unplaced, found.weaker) == (("a",), ("d",), 1)
    assert np.argwhere(found.faded).tolist() == [[0, 3]]


def test_what_seen_orders_contradict_is_not_known():
    seen = np.zeros((2, 2))
    seen[1, 0] = 5
    found = of_parts([pair(1.0)], seen=seen)
    assert not found.known.any()
    assert len(found.disagreements) == 1


def test_a_direction_rests_on_what_was_seen_or_lost():
    grades = []
    for agree, lost in ((5, np.nan), (0, 9.0), (0, 1.0), (0, np.nan)):
        seen, losses = np.zeros((2, 2)), np.full((2, 2), lost)
        seen[0, 1] = agree
        (order,) = of_parts([pair(1.0)], seen=seen, lost=losses).orders
        grades.append(order.direction.rests)
    assert grades == [Rests.SEEN, Rests.ASSUMED, Rests.OPEN, Rests.OPEN]


def test_a_forest_states_its_ancestors():
    fit = Caprese().fit(OVARIAN)
    found = known_orders(fit)
    assert (found.by_part[0] == fit.model.ancestors()).all()
    assert {(each.earlier, each.later) for each in found.orders} == set(fit.edges)
    assert "caprese states orders without saying how probable" in plain(basis_sentence(found))


def test_a_dag_states_its_ancestors():
    fit = Capri().fit(OVARIAN)
    assert (known_orders(fit).by_part[0] == fit.model.ancestors()).all()


def test_a_posterior_states_how_often_an_event_is_an_ancestor():
    fit = BayesForest(**SHORT).fit(OVARIAN)
    found = known_orders(fit)
    assert (found.probabilities == fit.evidence.ancestor_probabilities).all()
    assert found.order("8q+", "3q+").direction.lost > np.log(20)


def test_a_hazard_network_states_the_mean_over_samples_with_both_events():
    fit = MHN().fit(OVARIAN)
    found = known_orders(fit)
    values = OVARIAN.values
    for i, j in ((0, 1), (4, 2)):
        both = np.flatnonzero(values[:, i] & values[:, j])
        pairs = np.array([(row, i, j) for row in both])
        expected = pair_order_probabilities(fit.model, OVARIAN, pairs).mean()
        assert found.probabilities[i, j] == pytest.approx(expected)
        assert found.probabilities[j, i] == pytest.approx(1 - expected)
    assert all(each.direction.rests == Rests.OPEN for each in found.orders)


def test_events_that_are_never_together_have_no_order_in_a_hazard_network():
    rows = [[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 1]] * 6
    found = known_orders(MHN(penalty_strength=0.1).fit(Dataset.from_rows(rows, events="abc")))
    assert found.probabilities[0, 1] == found.probabilities[1, 0] == 0


@pytest.fixture(scope="module")
def stacked():
    one = "mhn:penalty_strength=auto"  # of an average the network that is stated is another one
    parts = ("independence", "caprese", "bayes:draws=60:warm_up=60:chains=2", one)
    return Stack(parts=parts).fit(OVARIAN)


def test_parts_of_a_stack_count_by_weight_if_they_state_orders(stacked):
    found = known_orders(stacked)
    weights = stacked.model.weights
    assert found.parts == stacked.evidence.parts[1:]
    assert found.stating == pytest.approx(1 - weights[0])
    assert found.weights == pytest.approx(weights[1:] / weights[1:].sum())
    alone = [known_orders(method.fit(OVARIAN)) for method in stacked.method.methods[1:]]
    for one, other in zip(found.by_part, alone, strict=True):
        assert one == pytest.approx(other.probabilities)


def test_nothing_is_known_if_nothing_states_an_order():
    found = known_orders(IndependentEvents().fit(OVARIAN))
    assert (found.parts, found.stating, found.unplaced) == ((), 0.0, OVARIAN.events)
    assert plain(known_sentence(found)) == "No part of the model states an order of events."


def test_parts_whose_chains_disagree_do_not_count(stacked):
    """By the evidence of the fit, by the word of a judgement, and in a stack."""
    alone = BayesForest(draws=4, warm_up=2, chains=3).fit(OVARIAN)
    assert chains_disagree(alone.evidence)
    assert (known_orders(alone).parts, known_orders(alone).doubted) == ((), ("bayes",))
    fits = {"caprese": Caprese().fit(OVARIAN), "bayes": BayesForest(**SHORT).fit(OVARIAN)}
    assert not chains_disagree(fits["bayes"].evidence)
    assert orders_of_mixture(fits, [0.5, 0.5]).parts == ("caprese", "bayes")
    for found in (
        orders_of_mixture(fits, [0.5, 0.5], doubted=["bayes"]),
        orders_of_mixture({**fits, "bayes": alone}, [0.5, 0.5]),
    ):
        assert (found.parts, found.doubted, found.stating) == (("caprese",), ("bayes",), 0.5)
        assert (found.probabilities == fits["caprese"].model.ancestors()).all()
        assert plain(basis_sentence(found)).endswith(
            "bayes does not count, because its chains found different answers."
        )
    part = stacked.evidence.parts[2]
    evidence = replace(stacked.evidence, doubted=(part,))
    found = known_orders(replace(stacked, evidence=evidence))
    assert found.doubted == (part,)
    assert part not in found.parts


def test_a_stack_names_the_parts_whose_chains_disagree():
    few = "bayes:draws=4:warm_up=2:chains=3"
    assert Stack(parts=("caprese", few)).fit(OVARIAN).evidence.doubted == (few,)


def test_nothing_is_known_where_no_order_is_supported():
    fact = Fact("no order supported", values={"samples": 9, "methods": "x", "number": 1, "gain": 1})
    found = replace(of_parts([pair(1.0), pair(0.0, 1.0)], [0.9, 0.1]), word=Word(False, (fact,)))
    assert [found.known.any(), found.disputed.any(), found.weaker] == [False, False, 0]
    assert found.unplaced == found.events
    assert plain(known_sentence(found)) == (
        "No order of two events is known: none is supported by held-out samples."
    )
    assert (rest_sentence(found), basis_sentence(found)) == ((), ())
    assert known_lines(found)[0].startswith("No order is supported by these 9 samples: ")
    supported = replace(found, word=Word(True, (Fact("predicts best"),)))
    assert supported.known.any()


def test_seen_orders_of_the_data_are_counted():
    both = np.array(OVARIAN.samples)[OVARIAN.values[:, [2, 3]].all(axis=1)][:6]
    data = OVARIAN.with_orders(SeenOrders.from_rows((name, "5q-", "4q-") for name in both))
    order = known_orders(Caprese().fit(data)).order("5q-", "4q-")
    assert (order.direction.agree, order.direction.rests) == (6, Rests.SEEN)


def test_the_order_of_events_and_samples_does_not_matter(stacked):
    events = tuple(reversed(OVARIAN.events))
    turned = OVARIAN.take_events(events).take_samples(np.arange(87)[::-1])
    found, other = known_orders(stacked), known_orders(stacked.method.fit(turned))
    assert [(each.earlier, each.later) for each in found.orders] == [
        (each.earlier, each.later) for each in other.orders
    ]
    assert [each.probability for each in found.orders] == pytest.approx(
        [each.probability for each in other.orders], abs=0.06
    )


def test_a_file_has_the_orders_and_is_read_again(tmp_path, stacked):
    word = Word(True, (Fact("predicts best", values={"method": "a", "gain": 0.5, "error": 0.1}),))
    found = replace(known_orders(stacked), word=word)
    path = tmp_path / "known.json"
    path.write_text(document_text(found))
    assert read_document(path) == found
    assert '"disagreements"' in path.read_text()


def test_bad_numbers_are_refused():
    with pytest.raises(ParameterError, match="threshold must be"):
        of_parts([pair(1.0)], threshold=0.4)
    with pytest.raises(ModelError, match="by_part must be probabilities"):
        of_parts([pair(0.6, 0.5)])
    with pytest.raises(ModelError, match="weights must sum to 1"):
        of_parts([pair(0.6)], weights=[0.9])
    fit = Caprese().fit(OVARIAN)
    with pytest.raises(ModelError, match=r"known orders need the data of the fit: fit.on"):
        known_orders(type(fit)(**{**vars(fit), "data": None}))


def test_words_keep_apart_what_is_known_and_what_is_only_stated():
    lost = np.full((5, 5), 9.0)
    lost[1, 2] = 0.0
    before = np.zeros((5, 5))
    before[0, 1], before[1, 2], before[0, 3] = 0.95, 0.8, 0.6
    found = of_parts([before], lost=lost)
    assert plain(known_sentence(found)) == (
        "Known, with 70 % or more, if the later event needs the earlier one: a before b (95 %). "
        "Stated with 70 % or more, but these data do not determine the direction: b before c "
        "(80 %)."
    )
    assert plain(rest_sentence(found)) == (
        "The place of d and e is not known. 1 weaker order, between 50 % and 70 %, is not known."
    )
    assert "a before b         95 %" in "\n".join(known_lines(found))


def test_words_say_what_models_disagree_on():
    found = of_parts([pair(1.0), pair(0.0, 1.0)], [0.7, 0.3])
    assert plain(rest_sentence(found)) == (
        "The place of a and b is not known. Models disagree on the order of a against b."
    )
    assert (
        plain(known_sentence(found)) == "No order of two events has a probability of 70 % or more."
    )
