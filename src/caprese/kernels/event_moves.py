"""Moves of the events of a forest: a new parent and edge probability, or another label.

Each move is accepted or refused by Metropolis and Hastings. The prior probability of being a root
is integrated out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.compiling import kernel
from caprese.kernels.draws import below, choice, uniform
from caprese.kernels.edge_densities import (
    Pieces,
    draw_theta,
    empty_pieces,
    fill_pieces,
    log_proposal,
)
from caprese.kernels.forest_ascent import root_advantage, swap_labels
from caprese.kernels.forest_messages import (
    aim,
    best_probability,
    detach,
    first_guess,
    gain,
    log_likelihood,
    log_normal_mass,
    messages,
    refresh_all,
    refresh_upwards,
)

_ROUGH, _ROUGH_STEPS = 0.1, 6

EVENT, SWAP = 0, 1
"""Kinds of moves: where `tried` and `accepted` count them."""


class Room(NamedTuple):
    """Room to work in: of events, of parents weighed against each other, and of a density."""

    inside: NDArray[np.bool_]
    weights: NDArray[np.float64]
    candidates: NDArray[np.int64]
    peaks: NDArray[np.float64]  # candidates x (theta, first, second derivative)
    pieces: Pieces


@kernel
def room_for(events):  # type: ignore[no-untyped-def]
    """Return room for so many events."""
    return Room(
        np.empty(events, dtype=np.bool_),
        np.empty(events + 1),
        np.empty(events + 1, dtype=np.int64),
        np.empty((events + 1, 3)),
        empty_pieces(),
    )


@kernel(borrows=True)
def _weigh_parents(table, parents, prior, work, event, room):  # type: ignore[no-untyped-def]
    """Weigh all possible parents of a detached event; return how many there are.

    A weight approximates the logarithm of the posterior mass of a parent, whatever the edge
    probability, by a normal density around the best one.
    """
    n = len(parents)
    roots = 0
    for other in range(n):
        roots += parents[other] < 0 and other != event
    advantage = root_advantage(prior, roots)
    found = 0
    for parent in range(-1, n):
        if parent >= 0 and room.inside[parent]:
            continue
        aim(work, event, parent)
        guess = first_guess(table, work, event, parent)
        theta, first, second = best_probability(table, work, guess, _ROUGH, _ROUGH_STEPS)
        weight = gain(table, work, theta) + log_normal_mass(theta, first, second)
        room.candidates[found] = parent
        room.weights[found] = weight + (advantage if parent < 0 else 0.0)
        room.peaks[found, 0], room.peaks[found, 1], room.peaks[found, 2] = theta, first, second
        found += 1
    return found, advantage


@kernel(borrows=True)
def _log_importance(table, work, event, k, theta, advantage, room):  # type: ignore[no-untyped-def]
    """Return log target less log proposal at a parent and an edge probability.

    Leaves the approximation under this parent in the room.
    """
    parent = room.candidates[k]
    aim(work, event, parent)
    at, first, second = room.peaks[k]
    log_mass = fill_pieces(table, work, at, first, second, room.pieces)
    return _log_importance_here(table, work, k, theta, advantage, room, log_mass)


@kernel(borrows=True)
def _log_importance_here(table, work, k, theta, advantage, room, log_mass):  # type: ignore[no-untyped-def]
    target = gain(table, work, theta) + (advantage if room.candidates[k] < 0 else 0.0)
    proposal = log_proposal(theta, room.pieces, log_mass)
    return target - room.weights[k] - proposal


@kernel(borrows=True)
def _move_event(table, parents, theta, seen, prior, work, event, room, stream):  # type: ignore[no-untyped-def]
    """Draw a new parent and edge probability of an event; return whether it was accepted.

    The proposal does not depend on where the event hangs now, so that the ratio of target to
    proposal at the new and the old place decides.
    """
    old_parent, old_theta = parents[event], theta[event]
    detach(table, parents, theta, seen, work, event, room.inside)
    found, advantage = _weigh_parents(table, parents, prior, work, event, room)
    old = 0
    for k in range(found):
        if room.candidates[k] == old_parent:
            old = k
    new = choice(stream, room.weights, found)
    aim(work, event, room.candidates[new])
    at, first, second = room.peaks[new]
    log_mass = fill_pieces(table, work, at, first, second, room.pieces)
    new_theta = draw_theta(stream, room.pieces)
    ratio = _log_importance_here(table, work, new, new_theta, advantage, room, log_mass)
    if new == old:
        ratio -= _log_importance_here(table, work, old, old_theta, advantage, room, log_mass)
    else:
        ratio -= _log_importance(table, work, event, old, old_theta, advantage, room)
    accepted = np.log(uniform(stream)) < ratio
    if accepted:
        parents[event], theta[event] = room.candidates[new], new_theta
    else:
        parents[event] = old_parent
    refresh_upwards(table, parents, theta, seen, work, event)
    return accepted


@kernel
def _swap_some(table, parents, theta, seen, swaps, state):  # type: ignore[no-untyped-def]
    """Exchange the places of an event and its parent, or of any two events, so many times."""
    n = len(parents)
    if n < 2 or swaps == 0:
        return
    objective = log_likelihood(table, parents, theta, seen)
    for k in range(swaps):
        one = below(state.stream, n)
        other = parents[one]
        if k % 2 == 1:
            other = below(state.stream, n)
        if other < 0 or other == one:
            continue
        state.tried[SWAP] += 1
        swap_labels(parents, theta, one, other)
        reached = log_likelihood(table, parents, theta, seen)
        if np.log(uniform(state.stream)) < reached - objective:
            objective = reached
            state.accepted[SWAP] += 1
        else:
            swap_labels(parents, theta, one, other)


@kernel
def sweep_events(table, parents, theta, seen, settings, state, room):  # type: ignore[no-untyped-def]
    """Move every event of one component once, then swap labels."""
    n = len(parents)
    work = messages(n, len(table.times))
    refresh_all(table, parents, theta, seen, work)
    for event in range(n):
        state.tried[EVENT] += 1
        state.accepted[EVENT] += _move_event(
            table, parents, theta, seen, settings.prior, work, event, room, state.stream
        )
    _swap_some(table, parents, theta, seen, settings.swaps, state)
