"""Thinned sub-lattices of mutual hazards: some states of each size, drawn so that sums stay right.

All 2^k subsets of many events fit in no memory. Level by level, all states that follow from those
that are kept are weighed, by their probability times a guess of how probably what was observed
follows; of these at most so many are kept: the weightiest surely, each other one with a probability
in proportion, by which its own probability is then divided (Fearnhead and Clifford 2003). So the
probability to be observed is right in the mean, for all rates and effects, whatever the guess and
whatever those by which the states were drawn. States to which several orders lead are one state.

The guess takes all orders of what is missing for equally probable: with E the logarithms of the
effects, and leave(s) the sum of all rates in state s, taking event e changes its logarithm by half
the sum over all j that are missing of E[e, j] - E[j, e], less the logarithm of the rate of e, and
all that is left is divided by the root of leave(s), once for each missing event and once more.
"""

import math

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import uniform
from cython.cimports.caprese.kernels.elementary import exp, log
from cython.cimports.caprese.kernels.words import random_bits

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray, WordArray

_DOUBT = 1e-6  # of any seen order, at least: so that none is impossible
_NEVER = -math.inf


class Draft:
    """The states of two sizes, those that are kept and all that follow, and what is kept so far.

    Parameters
    ----------
    inside
        The number of events that are present or unknown.
    events
        The number of all events; those inside come first.
    most
        The number of states of a size that are kept, at most.
    """

    def __init__(self, inside: Integer, events: Integer, most: Integer) -> None:
        self.inside, self.events, self.most = inside, events, most
        wide = most * max(1, inside)
        slots = 4
        while slots < 2 * wide:
            slots *= 2
        # What is kept of the current size, and of the next.
        self.rates, self.next_rates = np.empty((most, events)), np.empty((most, events))
        self.steps, self.next_steps = np.empty((most, inside)), np.empty((most, inside))
        self.orders, self.next_orders = np.empty((most, inside)), np.empty((most, inside))
        self.mass, self.guess, self.missing = np.empty(most), np.empty(most), np.empty(most)
        self.next_mass, self.next_guess = np.empty(most), np.empty(most)
        self.next_missing = np.empty(most)
        self.keys, self.next_keys = np.empty(most, np.uint64), np.empty(most, np.uint64)
        # What follows: candidates.
        self.slots = np.empty(slots, np.int64)
        self.found_keys = np.empty(wide, np.uint64)
        self.found_from, self.found_by = np.empty(wide, np.int64), np.empty(wide, np.int64)
        self.found_mass, self.found_guess = np.empty(wide), np.empty(wide)
        self.leave, self.weight = np.empty(wide), np.empty(wide)
        self.place = np.empty(wide, np.int64)
        self.move_to, self.move_factor = np.empty(wide, np.int64), np.empty(wide)
        self.move_from, self.move_by = np.empty(wide, np.int64), np.empty(wide, np.int64)
        self.marks = np.empty(inside, np.uint64)
        # The answer.
        states, moves = 1 + most * inside, most * inside * max(1, inside)
        self.previous, self.added = np.empty(states, np.int64), np.empty(states, np.int64)
        self.ends, self.firsts = np.empty(states, np.uint8), np.empty(states + 1, np.int64)
        self.sources, self.by = np.empty(moves, np.int64), np.empty(moves, np.int64)
        self.factors = np.empty(moves)
        self.states, self.moves = 0, 0


def drawn(
    rates: FloatArray,
    effects: FloatArray,
    logs: FloatArray,
    present: OctetArray,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
    most: Integer,
    stream: WordArray,
) -> tuple[IntArray, IntArray, OctetArray, IntArray, IntArray, IntArray, FloatArray]:
    """Draw the thinned sub-lattice of one observation.

    Parameters
    ----------
    rates, effects, logs
        Base rates, effects, and the logarithms of these, by which it is drawn; the events that are
        present or unknown come first.
    present
        Of each of these: whether it is present, or else unknown.
    earlier, later, confidence
        Of each seen order the two events and its probability.
    most
        How many states of a size are kept.
    stream
        Of random numbers.

    Returns
    -------
    tuple
        Of each state the one it follows from, the event by which it does so, whether it may be
        observed, and where the moves to it start; of each move the state it starts from, its event,
        and the factor by which it counts.
    """
    draft = Draft(len(present), len(rates), most)
    with cython.nogil:
        _begin(draft, rates, logs, present, earlier, later, confidence, stream)
        count: cython.Py_ssize_t = 1
        start: cython.Py_ssize_t = 0
        for _ in range(len(present)):
            found = _find(draft, count)
            _guess(draft, effects, present, found)
            kept = _choose(draft, found, stream)
            _keep(draft, effects, logs, present, earlier, later, confidence, start, found)
            _link(draft, start, count, kept)
            start, count = start + count, kept
        draft.firsts[draft.states] = draft.moves
    states, moves = draft.states, draft.moves
    return (
        np.array(draft.previous[:states]),
        np.array(draft.added[:states]),
        np.array(draft.ends[:states]),
        np.array(draft.firsts[: states + 1]),
        np.array(draft.sources[:moves]),
        np.array(draft.by[:moves]),
        np.array(draft.factors[:moves]),
    )


def _begin(
    draft: Draft,
    rates: FloatArray,
    logs: FloatArray,
    present: OctetArray,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
    stream: WordArray,
) -> None:
    """Keep the empty state."""
    n, total, needed = draft.inside, 1.0, 0.0
    for i in range(draft.events):
        draft.rates[0, i] = rates[i]
        total += rates[i]
    for k in range(n):
        stream[0] = stream[0] + 1
        draft.marks[k] = random_bits(stream[0])
        draft.orders[0, k] = 1.0
        needed += present[k]
        step: float = 0.0
        for other in range(n):
            if present[other] and other != k:
                lost = logs[other, k] if present[k] else -logs[k, other]
                step += (logs[k, other] - lost) / 2
        draft.steps[0, k] = step
    for pair in range(len(earlier)):
        draft.orders[0, later[pair]] *= 1.0 - _sure(confidence[pair])
    draft.keys[0], draft.mass[0], draft.guess[0], draft.missing[0] = 0, 1.0 / total, 0.0, needed
    draft.previous[0], draft.added[0], draft.ends[0] = -1, -1, needed == 0.0
    draft.firsts[0] = draft.firsts[1] = 0
    draft.states, draft.moves = 1, 0


def _sure(confidence: float) -> float:
    return min(max(confidence, _DOUBT), 1.0 - _DOUBT)


def _find(draft: Draft, count: Integer) -> int:
    """Find all states that follow, and the moves to them; return how many there are."""
    mask: cython.Py_ssize_t = len(draft.slots) - 1
    found: cython.Py_ssize_t = 0
    move: cython.Py_ssize_t = 0
    for slot in range(mask + 1):
        draft.slots[slot] = -1
    for state in range(count):
        for event in range(draft.inside):
            rate = draft.rates[state, event]
            draft.move_to[move] = -1
            if rate > 0.0:
                key = draft.keys[state] ^ draft.marks[event]
                at: cython.Py_ssize_t = key & mask
                while draft.slots[at] >= 0 and draft.found_keys[draft.slots[at]] != key:
                    at = (at + 1) & mask
                if draft.slots[at] < 0:
                    draft.slots[at] = found
                    draft.found_keys[found], draft.found_mass[found] = key, 0.0
                    draft.found_from[found], draft.found_by[found] = state, event
                    found += 1
                to = draft.slots[at]
                draft.found_mass[to] += draft.mass[state] * rate * draft.orders[state, event]
                draft.move_to[move], draft.move_factor[move] = to, draft.orders[state, event]
                draft.move_from[move], draft.move_by[move] = state, event
            move += 1
    return found


def _guess(draft: Draft, effects: FloatArray, present: OctetArray, found: Integer) -> None:
    """Weigh the states that follow: their probability, times the guess of what comes after."""
    most: float = _NEVER
    for k in range(found):
        state, event = draft.found_from[k], draft.found_by[k]
        total: float = 1.0
        for i in range(draft.events):
            if i != event:
                total += draft.rates[state, i] * effects[event, i]
        left: float = draft.missing[state]
        guess: float = draft.guess[state] + draft.steps[state, event]
        if present[event]:
            guess -= log(draft.rates[state, event])
            left -= 1.0
        draft.leave[k], draft.found_guess[k] = total, guess
        mass = draft.found_mass[k]
        weight = log(mass) + guess - (left + 1.0) / 2 * log(total) if mass > 0.0 else _NEVER
        draft.weight[k] = weight
        most = max(most, weight)
    for k in range(found):
        draft.weight[k] = exp(draft.weight[k] - most) if most > _NEVER else 1.0


def _choose(draft: Draft, found: Integer, stream: WordArray) -> int:
    """Draw which states are kept; their weight becomes the probability to be kept, others -1."""
    kept: cython.Py_ssize_t = 0
    if found <= draft.most:
        for k in range(found):
            draft.place[k], draft.weight[k] = kept, 1.0
            kept += 1
        return kept
    share = _share(draft, found)
    reached = uniform(stream)
    for k in range(found):
        chance = min(1.0, draft.weight[k] / share)
        passed: cython.Py_ssize_t = int(reached)
        reached += chance
        draft.place[k] = -1
        if reached >= passed + 1 and kept < draft.most:
            draft.place[k], draft.weight[k] = kept, chance
            kept += 1
    return kept


def _share(draft: Draft, found: Integer) -> float:
    """Return the weight from which on a state is kept surely, so that as many are kept as may be.

    Fewer and fewer states have less, so this ends after few steps.
    """
    share: float = 0.0
    sure: cython.Py_ssize_t = -1
    while True:
        rest: float = 0.0
        above: cython.Py_ssize_t = 0
        for k in range(found):
            if sure >= 0 and draft.weight[k] >= share:
                above += 1
            else:
                rest += draft.weight[k]
        if above == sure or above >= draft.most or rest <= 0.0:
            return share
        sure, share = above, rest / (draft.most - above)


def _keep(
    draft: Draft,
    effects: FloatArray,
    logs: FloatArray,
    present: OctetArray,
    earlier: IntArray,
    later: IntArray,
    confidence: FloatArray,
    start: Integer,
    found: Integer,
) -> None:
    """Fill what is kept of the next size."""
    for k in range(found):
        at = draft.place[k]
        if at < 0:
            continue
        state, event = draft.found_from[k], draft.found_by[k]
        draft.next_keys[at] = draft.found_keys[k]
        draft.next_mass[at] = draft.found_mass[k] / draft.weight[k] / draft.leave[k]
        draft.next_guess[at] = draft.found_guess[k]
        draft.next_missing[at] = draft.missing[state] - (1.0 if present[event] else 0.0)
        for i in range(draft.events):
            draft.next_rates[at, i] = draft.rates[state, i] * effects[event, i]
        draft.next_rates[at, event] = 0.0
        for j in range(draft.inside):
            step: float = draft.steps[state, j]
            if present[event] and j != event:
                lost = logs[event, j] if present[j] else -logs[j, event]
                step -= (logs[j, event] - lost) / 2
            draft.next_steps[at, j] = step
            draft.next_orders[at, j] = draft.orders[state, j]
        for pair in range(len(earlier)):
            if earlier[pair] == event:
                sure = _sure(confidence[pair])
                draft.next_orders[at, later[pair]] *= sure / (1.0 - sure)
        draft.previous[draft.states + at] = start + state
        draft.added[draft.states + at] = event
        draft.ends[draft.states + at] = draft.next_missing[at] == 0.0


def _link(draft: Draft, start: Integer, count: Integer, kept: Integer) -> None:
    """Add the moves to what is kept, sorted by where they end; make the next size the current."""
    firsts, states, moves = draft.firsts, draft.states, draft.moves
    wide = count * draft.inside
    for at in range(kept):
        firsts[states + at] = 0
    for move in range(wide):
        to = draft.move_to[move]
        if to >= 0 and draft.place[to] >= 0:
            firsts[states + draft.place[to]] += 1
    for at in range(kept):
        size = firsts[states + at]
        firsts[states + at] = moves
        moves += size
    for move in range(wide):
        to = draft.move_to[move]
        if to >= 0 and draft.place[to] >= 0:
            at = states + draft.place[to]
            into = firsts[at]
            draft.sources[into], draft.by[into] = start + draft.move_from[move], draft.move_by[move]
            draft.factors[into] = draft.move_factor[move] / draft.weight[to]
            firsts[at] += 1
    for back in range(kept):
        at = states + kept - 1 - back
        firsts[at] = firsts[at - 1] if back < kept - 1 else draft.moves
    draft.states, draft.moves = states + kept, moves
    draft.rates, draft.next_rates = draft.next_rates, draft.rates
    draft.steps, draft.next_steps = draft.next_steps, draft.steps
    draft.orders, draft.next_orders = draft.next_orders, draft.orders
    draft.keys, draft.next_keys = draft.next_keys, draft.keys
    draft.mass, draft.next_mass = draft.next_mass, draft.mass
    draft.guess, draft.next_guess = draft.next_guess, draft.guess
    draft.missing, draft.next_missing = draft.next_missing, draft.missing
