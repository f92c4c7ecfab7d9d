"""Markov chain Monte Carlo over forests, edge probabilities, error rates and subtypes.

A sweep moves every event once, swaps some labels, and moves the error rates. All moves leave the
posterior as it is: each is accepted or refused by Metropolis and Hastings, or draws from a
conditional distribution. The prior probability r of being a root is integrated out while
forests move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import copy_into, copy_rows
from caprese.kernels.compiling import kernel
from caprese.kernels.event_moves import room_for, sweep_events
from caprese.kernels.forest_ascent import Prior
from caprese.kernels.forest_components import (
    component_log_probabilities,
    component_table,
    draw_component,
    draw_members,
    draw_root_probability,
    draw_weights,
    state_log_likelihood,
)
from caprese.kernels.forest_messages import seen_probabilities
from caprese.kernels.rate_moves import move_rates


class Settings(NamedTuple):
    """What stays the same in a chain."""

    prior: Prior
    free: bool  # whether the error rates move
    dirichlet: float  # of the weights of the subtypes
    swaps: int  # label swaps a sweep
    slices: int  # moves of each rate by itself, a sweep
    joints: int  # moves of the rates together with the edge probabilities, a sweep


class State(NamedTuple):
    """Where a chain is; all arrays are written in place."""

    parents: NDArray[np.int64]  # components x events
    theta: NDArray[np.float64]  # components x events
    rates: NDArray[np.float64]  # false positive, false negative
    log_weights: NDArray[np.float64]  # of the components
    members: NDArray[np.float64]  # components x genotypes: how many samples
    stream: NDArray[np.uint64]
    proposal: NDArray[np.float64]  # what the joint move of `rate_moves` has learnt
    tried: NDArray[np.int64]  # by kind of move
    accepted: NDArray[np.int64]


class Records(NamedTuple):
    """What is kept of a chain, a row for each draw."""

    parents: NDArray[np.int32]
    theta: NDArray[np.float64]
    rates: NDArray[np.float64]
    weights: NDArray[np.float64]
    root_probability: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]


@kernel
def sweep(table, state, settings, learning):  # type: ignore[no-untyped-def]
    """Move everything once."""
    components, n = state.parents.shape
    room = room_for(n)
    seen = seen_probabilities(state.rates[0], state.rates[1])
    if components > 1:
        draw_members(table, state, component_log_probabilities(table, state, seen))
        draw_weights(state, settings.dirichlet)
        tables = [component_table(table, state.members[0])]
        for component in range(1, components):
            tables.append(component_table(table, state.members[component]))  # noqa: PERF401
    else:
        tables = [table]
    for component in range(components):
        if len(tables[component].times):
            sweep_events(
                tables[component], state.parents[component], state.theta[component], seen,
                settings, state, room,
            )  # fmt: skip
        else:
            draw_component(state, component, settings.prior)
    if settings.free:
        move_rates(tables, state, settings, learning)


@kernel
def _record(table, state, settings, records, draw):  # type: ignore[no-untyped-def]
    n = state.parents.shape[1]
    copy_rows(records.parents[draw], state.parents)
    copy_rows(records.theta[draw], state.theta)
    copy_into(records.rates[draw], state.rates)
    for component in range(len(state.parents)):
        records.weights[draw, component] = np.exp(state.log_weights[component])
        roots = 0
        for event in range(n):
            roots += state.parents[component, event] < 0
        records.root_probability[draw, component] = draw_root_probability(
            state.stream, settings.prior, n, roots
        )
    records.log_likelihood[draw] = state_log_likelihood(table, state)


@kernel
def run(table, state, settings, records, start, stop, warm_up, thin):  # type: ignore[no-untyped-def]
    """Sweep from number `start` to `stop`; after warm-up, record every `thin`-th sweep."""
    for number in range(start, stop):
        sweep(table, state, settings, number < warm_up)
        after = number - warm_up + 1
        if after > 0 and after % thin == 0:
            _record(table, state, settings, records, after // thin - 1)
