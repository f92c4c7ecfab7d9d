"""Moves between posets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from caprese.kernels import posets as kernel
from caprese.models.base import parent_sets
from caprese.models.poset import Poset
from caprese.models.states import as_sets, from_sets
from models.test_poset import posets
from uncompiled import uncompiled


def sets(poset):
    return as_sets(poset.adjacency().T)


def neighbour(parents, *move, module=kernel):
    result = np.empty_like(parents)
    module.fill_neighbour(parents, *move, result, np.empty_like(parents))
    return result


def poset_of(parents):
    return Poset(
        tuple(f"e{k}" for k in range(len(parents))), parent_sets(from_sets(parents, len(parents)).T)
    )


def relations(poset):
    return {tuple(pair) for pair in np.argwhere(poset.ancestors()).tolist()}


@given(poset=posets())
def test_ancestors_and_transitive_reduction(poset):
    parents, ancestors = as_sets(poset.ancestors().T), np.empty(len(poset.events), np.int64)
    kernel.fill_ancestors(sets(poset), ancestors)
    assert ancestors.tolist() == parents.tolist()
    kernel.reduce_transitively(parents, ancestors)
    assert parents.tolist() == sets(poset).tolist()


@given(poset=posets(), data=st.data())
def test_every_move_leads_to_a_poset(poset, data):
    n = len(poset.events)
    kind = data.draw(st.integers(0, 2))
    one, other = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    moved = neighbour(sets(poset), kind, one, other)
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
    moved = poset_of(neighbour(sets(poset), 1, one, other))
    if one == other or (other, one) in relations(poset):
        assert moved == poset
    elif one in poset.parent_sets[other]:
        assert moved.parent_sets[other] == ()
    else:
        assert moved.parent_sets[other] == (one,)


@given(poset=posets())
def test_compiled_moves_are_those_of_python(poset):
    parents, plain, n = sets(poset), uncompiled("posets"), len(poset.events)
    every = [(kind, one, other) for kind in range(3) for one in range(n) for other in range(n)]
    assert kernel.number_of_moves(n) == plain.number_of_moves(n) == len(every)
    for move in every:
        moved = neighbour(parents, *move)
        assert moved.tolist() == neighbour(parents, *move, module=plain).tolist()
        same = moved.tolist() == parents.tolist()
        assert kernel.equal(parents, moved) == plain.equal(parents, moved) == same
