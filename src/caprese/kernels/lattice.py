"""The lattice of a poset: its states, the moves between them, and their probabilities.

Sets of events are integers, event k in bit k. `ancestors[j]` is the set of all ancestors of j. A
state is a set that contains all ancestors of each of its events; of the 2 ** n sets of n events a
poset usually has few.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import fill
from caprese.kernels.bits import trailing_zeros
from caprese.kernels.compiling import kernel

BLOCK = 1024  # states whose numbers fit in the nearest cache
_ONE = np.uint64(1)


class Lattice(NamedTuple):
    """The states of a poset, subsets before supersets, and the moves from state to state.

    Every state but the first, the empty one, is another one and one more event. In this tree each
    state is followed by its descendants, so that the path to a state is a stack.

    A move adds one event. Moves are sorted by the size of the state they start from, then by their
    event. So those that follow each other start and end in different states, and the processor need
    not wait for one before the next.
    """

    states: NDArray[np.int64]  # as sets
    added: NDArray[np.int64]  # the event that was added last; -1 for the empty state
    depths: NDArray[np.int64]  # how many events each holds
    ready: NDArray[np.int64]  # the events that can occur next, as sets
    moves: NDArray[np.uint64]  # from state, event and to state in one number: `_packed`


@kernel
def lattice(ancestors):  # type: ignore[no-untyped-def]
    """Return the lattice of a poset."""
    n = len(ancestors)
    states, added, depths, ready, places = _states(ancestors)
    ends = np.zeros(n * n + 1, np.uint64)  # of the moves from states of a size by an event
    for k in range(len(states)):
        left, kind = np.uint64(ready[k]), np.uint64(depths[k] * n + 1)
        while left != 0:
            ends[kind + trailing_zeros(left)] += _ONE  # type: ignore[call-arg]
            left &= left - _ONE
    for place in range(n * n):
        ends[place + 1] += ends[place]
    moves = np.empty(ends[-1], np.uint64)
    for k in range(len(states)):
        left, kind, state = np.uint64(ready[k]), np.uint64(depths[k] * n), np.uint64(states[k])
        while left != 0:
            event = trailing_zeros(left)  # type: ignore[call-arg, var-annotated]
            at = ends[kind + event]
            ends[kind + event] = at + _ONE
            moves[at] = _packed(k, event, places[state | _ONE << event])
            left &= left - _ONE
    return Lattice(states, added, depths, ready, moves)


@kernel
def _states(ancestors):  # type: ignore[no-untyped-def]
    """Return the states, and for each the event added last, its size, and what can occur next.

    Last, the place of each state, by its set. A state is extended by events that come later in an
    order, ancestors first, than all it holds. Later events first, so that subsets come before
    supersets.
    """
    n = len(ancestors)
    order = _ancestors_first(ancestors)
    states, added, depths, ready, places = (
        np.empty(1 << n, np.int64),
        np.empty(1 << n, np.int64),
        np.empty(1 << n, np.int64),
        np.empty(1 << n, np.int64),
        np.empty(1 << n, np.int64),
    )
    waiting = np.empty((n * n + 1, 2), np.int64)  # state to extend, place of the event in the order
    waiting[0, 0] = waiting[0, 1] = -1
    left, number = 1, 0
    while left > 0:
        left -= 1
        before, rank = waiting[left]
        event, state, depth, possible = -1, 0, 0, 0
        if rank >= 0:
            event = order[rank]
            state, depth = states[before] | 1 << event, depths[before] + 1
            possible = ready[before] & ~state
        for later in range(rank + 1, n):
            other = order[later]
            if ancestors[other] & ~state == 0:
                possible |= 1 << other
                waiting[left, 0], waiting[left, 1] = number, later
                left += 1
        states[number], added[number], depths[number] = state, event, depth
        ready[number], places[state] = possible, number
        number += 1
    return states[:number], added[:number], depths[:number], ready[:number], places


@kernel
def _ancestors_first(ancestors):  # type: ignore[no-untyped-def]
    """Return the events, each after its ancestors."""
    n = len(ancestors)
    order, filled, done = np.empty(n, np.int64), 0, 0
    while filled < n:
        for event in range(n):
            if not done >> event & 1 and ancestors[event] & ~done == 0:
                order[filled] = event
                filled += 1
                done |= 1 << event
    return order


@kernel(borrows=True)
def _packed(from_state, event, to_state):  # type: ignore[no-untyped-def]
    """Return a move as one number, which is read faster than three.

    It has no sign: an index that could be negative takes twice the time.
    """
    return np.uint64(from_state) << np.uint64(32) | np.uint64(to_state) << np.uint64(8) | event


@kernel(borrows=True)
def from_state(move):  # type: ignore[no-untyped-def]
    """Return the state from which a move starts."""
    return move >> np.uint64(32)


@kernel(borrows=True)
def to_state(move):  # type: ignore[no-untyped-def]
    """Return the state in which a move ends."""
    return move >> np.uint64(8) & np.uint64((1 << 24) - 1)


@kernel(borrows=True)
def event_of(move):  # type: ignore[no-untyped-def]
    """Return the event that a move adds."""
    return move & np.uint64(255)


@kernel
def probabilities(poset, rates):  # type: ignore[no-untyped-def]
    """Return the probability of each state.

    That is the probability to be in it at the time of observation, one more event of rate 1, after
    which nothing occurs.
    """
    stays, likely = np.empty(len(poset.states)), np.empty(len(poset.states))
    fill_probabilities(poset, rates, stays, likely)
    return likely


@kernel(borrows=True, error_model="numpy")
def fill_probabilities(poset, rates, stays, likely):  # type: ignore[no-untyped-def]
    """Fill for each state the mean time until it is left, and its probability.

    On the way, the probability of a state is that to reach it.
    """
    ready, moves = poset.ready, poset.moves
    fill(stays, 1.0)
    for start in range(0, len(stays), BLOCK):
        some, some_ready = stays[start : start + BLOCK], ready[start : start + BLOCK]
        for event in range(0, len(rates), 2):  # two at a time, to read and write half as often
            one, two = rates[event], rates[event + 1] if event + 1 < len(rates) else 0.0
            for k in range(len(some)):
                wait = some[k] + (one if some_ready[k] & 1 << event else 0.0)
                some[k] = wait + (two if some_ready[k] & 2 << event else 0.0)
    for k in range(len(stays)):
        stays[k] = 1.0 / stays[k]
    fill(likely, 0.0)
    likely[0] = 1.0
    for at in range(len(moves)):
        move = moves[at]
        start = from_state(move)
        likely[to_state(move)] += likely[start] * stays[start] * rates[event_of(move)]
    for k in range(len(likely)):
        likely[k] *= stays[k]


@kernel
def over_all_sets(poset, values, events):  # type: ignore[no-untyped-def]
    """Return values of the states as an array over all sets of events; the others are 0."""
    result = np.zeros(1 << events)
    for k in range(len(values)):
        result[poset.states[k]] = values[k]
    return result
