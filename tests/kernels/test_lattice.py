"""The lattice of a poset against its definition, and compiled against uncompiled."""

import numpy as np
import pytest

from caprese.kernels import lattice
from poset_observations import drawn_ancestors
from uncompiled import uncompiled


def states_by_definition(ancestors):
    """Every set that holds all ancestors of each of its events, by size."""
    every = [
        members
        for members in range(1 << len(ancestors))
        if all(members >> k & 1 == 0 or above & ~members == 0 for k, above in enumerate(ancestors))
    ]
    return sorted(every, key=lambda members: (members.bit_count(), members))


@pytest.mark.parametrize("events", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_the_states_are_those_of_the_definition_by_size(events, density):
    ancestors = drawn_ancestors(np.random.default_rng(events), events, density)
    found = lattice.states(ancestors)
    assert sorted(found, key=lambda members: (int(members).bit_count(), members)) == (
        states_by_definition(ancestors)
    )
    assert (np.diff(np.bitwise_count(found)) >= 0).all() or events == 0


def test_every_move_adds_an_event_to_a_state():
    ancestors = drawn_ancestors(np.random.default_rng(4), 6, 0.2)
    poset = lattice.Lattice(6)
    lattice.fill_lattice(poset, ancestors)
    states, firsts, moves = map(np.asarray, (poset.states, poset.first_moves, poset.moves))
    found = {
        (int(states[move >> 32]), kind % 6, int(states[move & 0xFFFFFF]))
        for kind in range(6 * 7)
        for move in moves[firsts[kind] : firsts[kind + 1]]
    }
    every = states_by_definition(ancestors)
    expected = {
        (one, event, one | 1 << event)
        for one in every
        for event in range(6)
        if one >> event & 1 == 0 and one | 1 << event in every
    }
    assert found == expected


def test_the_same_room_serves_one_poset_after_another():
    rng, poset = np.random.default_rng(1), lattice.Lattice(5)
    for _ in range(4):
        ancestors = drawn_ancestors(rng, 5)
        lattice.fill_lattice(poset, ancestors)
        found = np.asarray(poset.states)[: poset.number]
        assert found.tolist() == lattice.states(ancestors).tolist()


@pytest.mark.parametrize("events", [0, 1, 2, 5, 8])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_compiled_probabilities_are_those_of_python(events, density):
    rng, plain = np.random.default_rng(events), uncompiled("lattice")
    ancestors, rates = drawn_ancestors(rng, events, density), rng.uniform(0.1, 5, events)
    assert lattice.states(ancestors).tolist() == plain.states(ancestors).tolist()
    found = lattice.probabilities(ancestors, rates)
    np.testing.assert_allclose(found, plain.probabilities(ancestors, rates), rtol=1e-13)
    assert found.sum() == pytest.approx(1)
