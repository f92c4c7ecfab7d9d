"""Predictions of many draws of forests with errors, or of mixtures of them, for many samples.

Draws are given by the same arrays everywhere: `parents` and `theta`, draws x components x events;
`rates`, draws x 2; and `weights`, draws x components. `codes` are events x genotypes: 0 absent,
1 present, 2 unknown.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp, log
from cython.cimports.caprese.kernels.forest_messages import (
    Messages,
    Table,
    fill_reach,
    fill_seen,
    log_probabilities,
    refresh_all,
)

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

_INFINITE = float("inf")


class Room:
    """Genotypes, and room to work in.

    Parameters
    ----------
    codes
        Events x genotypes.
    components
        How many a draw has.
    """

    def __init__(self, codes: OctetArray, components: Integer) -> None:
        events, genotypes = codes.shape[0], codes.shape[1]
        self.table = Table.of(codes, np.ones(genotypes))
        self.work = Messages(events, genotypes)
        self.seen: FloatArray = np.empty((2, 3))
        # Of one draw, log weight plus log-probability, components x genotypes; and its log sum.
        self.parts: FloatArray = np.empty((components, genotypes))
        self.whole: FloatArray = np.empty(genotypes)


def draw_log_probabilities(
    codes: OctetArray,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    weights: FloatArray,
) -> FloatArray:
    """Return the log-probability of each genotype under each draw, draws x genotypes."""
    room = Room(np.asarray(codes), parents.shape[1])
    result = np.empty((parents.shape[0], codes.shape[1]))
    out: cython.double[:, ::1] = result
    with cython.nogil:
        for draw in range(parents.shape[0]):
            _fill_parts(parents[draw], theta[draw], rates[draw], weights[draw], room)
            out[draw, :] = room.whole
    return result


def draw_component_probabilities(
    codes: OctetArray,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    weights: FloatArray,
) -> FloatArray:
    """Return the probability that a genotype belongs to each component.

    Draws x components x genotypes.
    """
    room = Room(np.asarray(codes), parents.shape[1])
    result = np.empty((parents.shape[0], parents.shape[1], codes.shape[1]))
    out: cython.double[:, :, ::1] = result
    with cython.nogil:
        for draw in range(parents.shape[0]):
            _fill_parts(parents[draw], theta[draw], rates[draw], weights[draw], room)
            for component in range(parents.shape[1]):
                for d in range(codes.shape[1]):
                    out[draw, component, d] = exp(room.parts[component, d] - room.whole[d])
    return result


def event_probabilities(
    codes: OctetArray,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    weights: FloatArray,
    shares: FloatArray,
) -> FloatArray:
    """Return the probability that each event is truly there, events x genotypes.

    Parameters
    ----------
    shares
        Draws x genotypes: how much each draw counts for each genotype; sums to 1 over draws.
    """
    room = Room(np.asarray(codes), parents.shape[1])
    result = np.zeros((codes.shape[0], codes.shape[1]))
    out: cython.double[:, ::1] = result
    with cython.nogil:
        for draw in range(parents.shape[0]):
            _fill_parts(parents[draw], theta[draw], rates[draw], weights[draw], room)
            for component in range(parents.shape[1]):
                for d in range(codes.shape[1]):
                    share = exp(room.parts[component, d] - room.whole[d])
                    room.parts[component, d] = shares[draw, d] * share
                _add_events(parents[draw, component], theta[draw, component], component, room, out)
    return result


def _fill_parts(
    parents: IntArray, theta: FloatArray, rates: FloatArray, weights: FloatArray, room: Room
) -> None:
    """Fill `parts` and `whole` for one draw."""
    fill_seen(rates[0], rates[1], room.seen)
    for component in range(parents.shape[0]):
        if weights[component] > 0.0:
            log_probabilities(
                room.table,
                parents[component],
                theta[component],
                room.seen,
                room.work,
                room.parts[component],
            )
            log_weight = log(weights[component])
            for d in range(room.whole.shape[0]):
                room.parts[component, d] += log_weight
        else:
            room.parts[component, :] = -_INFINITE
    for d in range(room.whole.shape[0]):
        room.whole[d] = _log_sum(room.parts, d)


def _log_sum(parts: FloatArray, d: Integer) -> float:
    """Return the log of the sum of the exponentials of a column."""
    if parts.shape[0] == 1:
        return parts[0, d]
    most: float = -_INFINITE
    for component in range(parts.shape[0]):
        most = max(most, parts[component, d])
    if most == -_INFINITE:
        return most
    total: float = 0.0
    for component in range(parts.shape[0]):
        total += exp(parts[component, d] - most)
    return most + log(total)


def _add_events(
    parents: IntArray, theta: FloatArray, component: Integer, room: Room, out: FloatArray
) -> None:
    """Add the probabilities of events in one forest, by how much it counts for each genotype."""
    refresh_all(room.table, parents, theta, room.seen, room.work)
    fill_reach(room.table, parents, room.work)
    for event in range(out.shape[0]):
        for d in range(out.shape[1]):
            out[event, d] += room.parts[component, d] * room.work.reach[event, d]
