"""Predictions of many draws of forests with errors, or of mixtures of them, for many samples.

Draws are given by the same arrays everywhere: `parents` and `theta`, draws x components x events;
`rates`, draws x components x 2; and `weights`, draws x components. `codes` are events x genotypes:
0 absent, 1 present, 2 unknown.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp, log
from cython.cimports.caprese.kernels.forest_messages import (
    Forest,
    Table,
    fill_reach,
    log_probabilities,
    log_sum,
    refresh_all,
    set_forest,
    set_rates,
)

from caprese._core.arrays import FloatArray, IntArray, Integer, OctetArray

_INFINITE = float("inf")


class Room:
    """A forest of a draw, and what is found of one draw for each genotype."""

    def __init__(self, codes: OctetArray, components: Integer) -> None:
        genotypes = codes.shape[1]
        self.forest = Forest(Table.of(codes, np.ones(genotypes)))
        # Log weight plus log-probability, components x genotypes; and the log sum of components.
        self.parts: FloatArray = np.empty((components, genotypes))
        self.whole: FloatArray = np.empty(genotypes)


def draw_log_probabilities(
    codes: OctetArray, parents: IntArray, theta: FloatArray, rates: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return the log-probability of each genotype under each draw, draws x genotypes."""
    room = Room(np.asarray(codes), parents.shape[1])
    found = np.empty((parents.shape[0], codes.shape[1]))
    with cython.nogil:
        for draw in range(parents.shape[0]):
            _fill_parts(parents[draw], theta[draw], rates[draw], weights[draw], room)
            found[draw, :] = room.whole
    return np.asarray(found)


def draw_component_probabilities(
    codes: OctetArray, parents: IntArray, theta: FloatArray, rates: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return the probability that a genotype belongs to each component.

    Draws x components x genotypes.
    """
    room = Room(np.asarray(codes), parents.shape[1])
    found = np.empty((parents.shape[0], parents.shape[1], codes.shape[1]))
    with cython.nogil:
        for draw in range(parents.shape[0]):
            _fill_parts(parents[draw], theta[draw], rates[draw], weights[draw], room)
            for component in range(parents.shape[1]):
                for d in range(codes.shape[1]):
                    found[draw, component, d] = exp(room.parts[component, d] - room.whole[d])
    return np.asarray(found)


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
    found = np.zeros((codes.shape[0], codes.shape[1]))
    with cython.nogil:
        for draw in range(parents.shape[0]):
            _fill_parts(parents[draw], theta[draw], rates[draw], weights[draw], room)
            for component in range(parents.shape[1]):
                set_rates(room.forest, rates[draw, component, 0], rates[draw, component, 1])
                set_forest(room.forest, parents[draw, component], theta[draw, component])
                refresh_all(room.forest)
                fill_reach(room.forest)
                for d in range(codes.shape[1]):
                    share = exp(room.parts[component, d] - room.whole[d])
                    room.parts[component, d] = shares[draw, d] * share
                for event in range(codes.shape[0]):
                    for d in range(codes.shape[1]):
                        found[event, d] += room.parts[component, d] * room.forest.reach[event, d]
    return np.asarray(found)


def _fill_parts(
    parents: IntArray, theta: FloatArray, rates: FloatArray, weights: FloatArray, room: Room
) -> None:
    """Fill `parts` and `whole` for one draw."""
    for component in range(parents.shape[0]):
        if weights[component] > 0.0:
            set_rates(room.forest, rates[component, 0], rates[component, 1])
            set_forest(room.forest, parents[component], theta[component])
            log_probabilities(room.forest, room.parts[component])
            log_weight = log(weights[component])
            for d in range(len(room.whole)):
                room.parts[component, d] += log_weight
        else:
            room.parts[component, :] = -_INFINITE
    for d in range(len(room.whole)):
        room.whole[d] = log_sum(room.parts, d)
