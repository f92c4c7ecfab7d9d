"""Structure: from scores to parents."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.fitting.structure import best_candidates, best_parents, consensus
from caprese.models.forest import ROOT
from forest_definitions import is_forest


@st.composite
def choices(draw, batch=()):
    """Scores of few values, so that many tie, and which of them are allowed."""
    n = draw(st.integers(1, 5))
    size = int(np.prod(batch, dtype=int)) * n * n
    numbers = st.lists(
        st.sampled_from([-1.0, -0.0, 0.0, 0.1, 0.5, 0.7]), min_size=size, max_size=size
    )
    flags = st.lists(st.booleans(), min_size=size, max_size=size)
    return tuple(np.array(draw(values)).reshape(*batch, n, n) for values in (numbers, flags))


def definition(scores, allowed):
    """The one allowed parent that beats every other allowed one, event by event."""
    parents = []
    for j in range(len(scores)):
        candidates = [i for i in range(len(scores)) if allowed[i][j]]
        winners = [
            i for i in candidates if all(scores[i][j] > scores[k][j] for k in candidates if k != i)
        ]
        parents.append(winners[0] if winners else ROOT)
    return parents


@given(choices())
def test_the_best_parent_beats_every_other_allowed_one(choice):
    assert best_parents(*choice).tolist() == definition(*(array.tolist() for array in choice))


@given(choices())
def test_best_candidates_are_the_allowed_ones_that_none_outdoes(choice):
    scores, allowed = choice
    n = range(len(scores))
    expected = [
        [
            bool(allowed[i, j] and all(scores[i, j] >= scores[k, j] for k in n if allowed[k, j]))
            for j in n
        ]
        for i in n
    ]
    assert best_candidates(scores, allowed).tolist() == expected


@given(choices(batch=(2, 3)))
def test_a_batch_is_decided_one_by_one(choice):
    scores, allowed = choice
    parents, candidates = best_parents(scores, allowed), best_candidates(scores, allowed)
    for place in np.ndindex(2, 3):
        assert (parents[place] == best_parents(scores[place], allowed[place])).all()
        assert (candidates[place] == best_candidates(scores[place], allowed[place])).all()


@given(choices(), st.randoms(use_true_random=False))
def test_the_order_of_events_does_not_matter(choice, random):
    scores, allowed = choice
    order = list(range(len(scores)))
    random.shuffle(order)
    turned = best_parents(scores[np.ix_(order, order)], allowed[np.ix_(order, order)])
    back = {order[j]: ROOT if p == ROOT else order[p] for j, p in enumerate(turned.tolist())}
    assert [back[j] for j in range(len(scores))] == best_parents(scores, allowed).tolist()


def test_a_tie_gives_the_root_and_a_score_that_is_not_allowed_does_not_count():
    scores = np.array([[0, 0.5, 0.5], [0, 0, 0.5], [0, 0.9, 0]])
    allowed = np.array([[False, True, True], [False, False, True], [False, False, False]])
    assert best_parents(scores, allowed).tolist() == [ROOT, 0, ROOT]
    assert best_candidates(scores, allowed).sum(axis=0).tolist() == [0, 1, 2]


@pytest.mark.parametrize("score", [1e6, np.inf])
def test_scores_so_large_that_the_tolerance_is_lost_in_them_are_compared_too(score):
    scores = np.array([[0, score, score], [0, 0, score], [0, 1, 0]])
    allowed = np.array([[False, True, True], [False, False, True], [False, True, False]])
    assert best_parents(scores, allowed).tolist() == [ROOT, 0, ROOT]
    assert best_candidates(scores, allowed).sum(axis=0).tolist() == [0, 1, 2]


@pytest.mark.parametrize("score", [-3.0, 0.0])
def test_who_is_allowed_is_for_the_caller_to_say(score):
    scores, allowed = np.array([[0, score], [0, 0]]), np.array([[False, True], [False, False]])
    assert best_parents(scores, allowed).tolist() == [ROOT, 0]


@pytest.mark.parametrize("seed", range(20))
def test_a_consensus_states_no_parent_that_another_outweighs(seed):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(7, 0.5), 6).T
    shares[range(6), range(6)] = 0  # no ties
    parents, doubt = consensus(shares)
    best = shares.argmax(axis=0)
    for event in range(6):
        assert doubt[event] or parents[event] in (best[event], best[event] - 7)
        assert parents[event] == -1 or not doubt[event]
    assert is_forest(parents.tolist())
    if is_forest(np.where(best == 6, -1, best).tolist()):
        assert not doubt.any()
