"""The lattice of a poset: its states, the moves between them, and their probabilities.

Sets of events are integers, event k in bit k. `ancestors[j]` is the set of all ancestors of j. A
state is a set that contains all ancestors of each of its events; of the 2 ** n sets of n events a
poset usually has few.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.words import trailing_zeros

from caprese._core.arrays import FloatArray, IntArray, Integer


class Lattice:
    """The states of a poset, the moves from state to state, and how likely the states are.

    It has room for any poset of so many events, one after the other.

    States are sorted by size. Every state but the first, the empty one, follows from another one,
    by one more event; those that follow from the same state are in sequence.

    A move adds one event. Moves are sorted by the size of the state they start from, then by their
    event. So those that follow each other start and end in different states, and the processor need
    not wait for one before the next. A move is one number, which is read faster than two: the state
    it starts from, shifted by 32 bits, and the state it ends in.
    """

    def __init__(self, events: Integer) -> None:
        room, kinds = 1 << events, events * (events + 1)
        self.events, self.number = events, 0  # of states
        self.states = np.empty(room, np.int64)  # as sets
        self.first_states = np.empty(events + 2, np.int64)  # of each size
        self.followers = np.empty(room + 1, np.int64)  # the first state that follows from each,
        self.added = np.empty(room, np.int64)  # and the event by which it follows from another
        self.ready = np.empty(room, np.int64)  # the events that can occur next, as sets
        self.moves = np.empty(events * room // 2, np.int64)
        self.first_moves = np.empty(kinds + 2, np.int64)  # from each size, by each event
        self.stays = np.empty(room)  # the mean time until a state is left
        self.likely = np.empty(room)  # its probability
        self.places = np.empty(room, np.int64)  # of each state, by its set
        self.children = np.empty(events, np.int64)  # of each event, as sets
        self.later = np.empty(events, np.int64)  # the events that come later in an order
        self.half = (events + 1) // 2
        self.sums = np.empty(2 << self.half)  # of the rates of sets of either half of the events


def states(ancestors: IntArray) -> IntArray:
    """Return the states of a poset."""
    poset = Lattice(len(ancestors))
    with cython.nogil:
        fill_lattice(poset, ancestors)
    return np.array(poset.states[: poset.number])


def probabilities(ancestors: IntArray, rates: FloatArray) -> FloatArray:
    """Return the probability of every set of events, 0 for those that are no states.

    That is the probability to be in it at the time of observation, one more event of rate 1, after
    which nothing occurs.
    """
    poset, result = Lattice(len(ancestors)), np.zeros(1 << len(ancestors))
    values: cython.double[::1] = result
    with cython.nogil:
        fill_lattice(poset, ancestors)
        fill_probabilities(poset, rates)
        for k in range(poset.number):
            values[poset.states[k]] = poset.likely[k]
    return result


def fill_lattice(poset: Lattice, ancestors: IntArray) -> None:
    """Set the states and the moves to those of a poset."""
    _fill_children(poset, ancestors)
    _fill_later(poset, ancestors)
    _fill_states(poset, ancestors)
    _fill_moves(poset)


def _fill_children(poset: Lattice, ancestors: IntArray) -> None:
    """Fill the children of each event: its descendants that are not those of another one."""
    n = poset.events
    for event in range(n):
        below: cython.longlong = 0
        further: cython.longlong = 0
        for other in range(n):
            if ancestors[other] >> event & 1:
                below |= 1 << other
        for other in range(n):
            if ancestors[other] & below:
                further |= 1 << other
        poset.children[event] = below & ~further


def _fill_later(poset: Lattice, ancestors: IntArray) -> None:
    """Fill for each event those that come later in an order in which ancestors come first."""
    n = poset.events
    left: cython.longlong = (1 << n) - 1
    while left != 0:
        for event in range(n):
            if left >> event & 1 and ancestors[event] & left == 0:
                left &= ~(1 << event)
                poset.later[event] = left


def _fill_states(poset: Lattice, ancestors: IntArray) -> None:
    """Fill the states, one size after the other."""
    possible: cython.longlong = 0
    for event in range(poset.events):
        if ancestors[event] == 0:
            possible |= 1 << event
    poset.states[0], poset.added[0], poset.ready[0], poset.places[0] = 0, -1, possible, 0
    poset.number = 1
    k: cython.Py_ssize_t = 0
    for size in range(poset.events + 1):
        poset.first_states[size], stop = k, poset.number
        while k < stop:
            poset.followers[k] = poset.number
            _add_states(poset, ancestors, k)
            k += 1
    poset.first_states[poset.events + 1] = poset.followers[poset.number] = poset.number


def _add_states(poset: Lattice, ancestors: IntArray, k: Integer) -> None:
    """Add the states that follow from one, by events that come later in an order than its own."""
    number, extensions = poset.number, poset.ready[k]
    if k > 0:
        extensions &= poset.later[poset.added[k]]
    while extensions != 0:
        event = trailing_zeros(extensions)
        state = poset.states[k] | 1 << event
        possible, left = poset.ready[k] & ~(1 << event), poset.children[event]
        while left != 0:
            if ancestors[trailing_zeros(left)] & ~state == 0:
                possible |= left & -left
            left &= left - 1
        poset.states[number], poset.added[number], poset.ready[number] = state, event, possible
        poset.places[state] = number
        number += 1
        extensions &= extensions - 1
    poset.number = number


def _fill_moves(poset: Lattice) -> None:
    """Fill the moves, sorted by counting."""
    n, firsts = poset.events, poset.first_moves
    firsts[:] = 0
    for size in range(n):
        for k in range(poset.first_states[size], poset.first_states[size + 1]):
            left = poset.ready[k]
            while left != 0:
                firsts[size * n + trailing_zeros(left) + 2] += 1
                left &= left - 1
    for kind in range(n * (n + 1)):
        firsts[kind + 2] += firsts[kind + 1]
    for size in range(n):
        for k in range(poset.first_states[size], poset.first_states[size + 1]):
            left = poset.ready[k]
            while left != 0:
                kind = size * n + trailing_zeros(left)
                end = poset.places[poset.states[k] | left & -left]
                poset.moves[firsts[kind + 1]] = k << 32 | end
                firsts[kind + 1] += 1
                left &= left - 1


def fill_probabilities(poset: Lattice, rates: FloatArray) -> None:
    """Fill for each state the mean time until it is left, and its probability.

    On the way, the probability of a state is that to reach it.
    """
    _fill_stays(poset, rates)
    for k in range(poset.number):
        poset.likely[k] = 0.0
    poset.likely[0] = 1.0
    kind: cython.Py_ssize_t = 0
    for size in range(poset.events + 1):
        for k in range(poset.first_states[size], poset.first_states[size + 1]):
            poset.likely[k] *= poset.stays[k]
        for event in range(poset.events):
            rate = rates[event]
            for at in range(poset.first_moves[kind], poset.first_moves[kind + 1]):
                move = poset.moves[at]
                poset.likely[move & 0xFFFFFF] += poset.likely[move >> 32] * rate
            kind += 1


def _fill_stays(poset: Lattice, rates: FloatArray) -> None:
    """Fill the mean time until each state is left.

    The rates of what is ready are summed once for each set of either half of the events.
    """
    sums, half = poset.sums, poset.half
    size: cython.Py_ssize_t = 1 << half
    sums[0], sums[size] = 1.0, 0.0
    for event in range(poset.events):
        start: cython.Py_ssize_t = 0 if event < half else size
        number: cython.Py_ssize_t = 1 << (event if event < half else event - half)
        for k in range(start, start + number):
            sums[number + k] = sums[k] + rates[event]
    for k in range(poset.number):
        ready = poset.ready[k]
        poset.stays[k] = sums[ready & size - 1] + sums[size + (ready >> half)]
    for k in range(poset.number):
        poset.stays[k] = 1.0 / poset.stays[k]
