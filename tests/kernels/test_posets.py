"""Moves between posets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caprese.kernels import posets as kernel
from caprese.models.base import as_sets, from_sets, parent_sets
from caprese.models.poset import Poset
from models.test_poset import posets


def sets(poset):
    return as_sets(poset.adjacency().T)


def poset_of(parents):
    return Poset(tuple(f"e{k}" for k in range(len(parents))), parent_sets(from_sets(parents).T))


def relations(poset):
    return {tuple(pair) for pair in np.argwhere(poset.ancestors()).tolist()}


@given(poset=posets())
def test_ancestors_and_transitive_reduction(poset):
    assert kernel.ancestor_sets(sets(poset)).tolist() == as_sets(poset.ancestors().T).tolist()
    assert (
        kernel.transitive_reduction(as_sets(poset.ancestors().T)).tolist() == sets(poset).tolist()
    )


@given(poset=posets(), data=st.data())
def test_every_move_leads_to_a_poset(poset, data):
    n = len(poset.events)
    kind = data.draw(st.integers(0, kernel.KINDS - 1))
    one, other = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    moved = kernel.neighbour(sets(poset), kind, one, other)
    assert sets(poset_of(moved)).tolist() == moved.tolist()
    before, after = relations(poset), relations(poset_of(moved))
    if kind == 0 and (one, other) in before:
        covers = other in np.flatnonzero(poset.adjacency()[one])
        assert after == (before - {(one, other)} if covers else before)
    elif kind == 0 and one != other and (other, one) not in before:
        assert (one, other) in after
        assert before < after
    elif kind == 2 and one < other:
        turn = {one: other, other: one}
        assert after == {(turn.get(i, i), turn.get(j, j)) for i, j in before}


@given(poset=posets(), data=st.data())
def test_an_event_can_be_reattached_to_a_single_parent(poset, data):
    n = len(poset.events)
    one, other = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    moved = poset_of(kernel.neighbour(sets(poset), 1, one, other))
    if one == other or (other, one) in relations(poset):
        assert moved == poset
    elif one in poset.parent_sets[other]:
        assert moved.parent_sets[other] == ()
    else:
        assert moved.parent_sets[other] == (one,)
