"""Sets of events seen with errors: a transform of the probabilities of all sets at once.

Arrays are over all sets of events. An event is observed by a matrix 1 + factor * flip: sets that
differ in it are mixed. The factor of an error is error / (1 - error), so that probabilities are
relative to 1 - error for each known event. The factor of an unknown event is 1: it is summed over.
"""

import numpy as np

from caprese.kernels.arrays import copy_into
from caprese.kernels.compiling import kernel

_TURNED = 4  # events, in which sets differ that are nearer than two vectors of the processor


@kernel
def observe_with_errors(likely, known, error):  # type: ignore[no-untyped-def]
    """Return the probabilities of observed sets from those of true sets.

    Unknown events are summed over: sets that differ in them have the same probability.
    """
    sets, right, events = np.empty((2, len(likely))), 1.0, 0
    copy_into(sets[0], likely)
    while 1 << events < len(likely):
        right *= 1.0 - error if known >> events & 1 else 1.0
        events += 1
    seen = sets[observe_all(sets, events, known, error / (1.0 - error))]
    result = np.empty(len(likely))
    for k in range(len(result)):
        result[k] = right * seen[turned(k, events)]
    return result


@kernel(borrows=True)
def observe_all(sets, events, known, factor):  # type: ignore[no-untyped-def]
    """Observe all events in the first row of two; return the number of the row with the result.

    In the result, every set is where `turned` says. Sets that differ in one of the first events are
    so near to each other that a loop over them in place is not vectorised; observed from one row
    into the other, these events become the last ones.
    """
    near, row, event = _number_turned(events), 0, 0
    for far in range(near, events, 2):
        one, two = _factor(known, far, factor), _factor(known, far + 1, factor)
        _observe_two(sets[0], 1 << far, one, two)
    if near % 2:
        _observe_first(sets[0], sets[1], _factor(known, 0, factor))
        row = event = 1
    while event < near:
        one, two = _factor(known, event, factor), _factor(known, event + 1, factor)
        _observe_first_two(sets[row], sets[1 - row], one, two)
        row, event = 1 - row, event + 2
    return row


@kernel(borrows=True)
def turned(members, events):  # type: ignore[no-untyped-def]
    """Return where a set is in the result: as the set with the first events as the last ones."""
    near = _number_turned(events)
    return members >> near | (members & (1 << near) - 1) << (events - near)


@kernel(borrows=True)
def _number_turned(events):  # type: ignore[no-untyped-def]
    """Return how many of the first events become the last ones; an even number is left."""
    return min(events, _TURNED + events % 2)


@kernel(borrows=True)
def _factor(known, event, factor):  # type: ignore[no-untyped-def]
    return factor if known >> event & 1 else 1.0


@kernel(borrows=True, fastmath={"contract"})
def _observe_two(values, distance, one, two):  # type: ignore[no-untyped-def]
    """Observe two events in place; sets that differ in the first are this far apart."""
    for start in range(0, len(values), 4 * distance):
        middle = start + 2 * distance
        none, first = values[start : start + distance], values[start + distance : middle]
        second, both = (
            values[middle : middle + distance],
            values[middle + distance : middle + 2 * distance],
        )
        for k in range(distance):
            a, b = none[k] + one * first[k], first[k] + one * none[k]
            c, d = second[k] + one * both[k], both[k] + one * second[k]
            none[k], first[k] = a + two * c, b + two * d
            second[k], both[k] = c + two * a, d + two * b


@kernel(borrows=True, fastmath={"contract"})
def _observe_first_two(values, result, one, two):  # type: ignore[no-untyped-def]
    """Observe the first two events, which are the last ones in the result."""
    size = len(values) // 4
    none, first = result[:size], result[size : 2 * size]
    second, both = result[2 * size : 3 * size], result[3 * size :]
    for k in range(size):
        absent, present = values[4 * k], values[4 * k + 1]
        a, b = absent + one * present, present + one * absent
        absent, present = values[4 * k + 2], values[4 * k + 3]
        c, d = absent + one * present, present + one * absent
        none[k], first[k] = a + two * c, b + two * d
        second[k], both[k] = c + two * a, d + two * b


@kernel(borrows=True, fastmath={"contract"})
def _observe_first(values, result, factor):  # type: ignore[no-untyped-def]
    """Observe the first event, which is the last one in the result."""
    size = len(values) // 2
    absent, present = result[:size], result[size:]
    for k in range(size):
        one, two = values[2 * k], values[2 * k + 1]
        absent[k], present[k] = one + factor * two, two + factor * one
