"""Moves of the events of a forest: a new parent and edge probability, or another label.

Each move is accepted or refused by Metropolis and Hastings. The prior probability of being a root
is integrated out.

A new edge probability is drawn from an approximation of its density by pieces, whose logarithm is
linear between points that are spaced by the curvature at the maximum. What is drawn is corrected by
the ratio of the density to the approximation, so that no accuracy is lost.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import below, choice, uniform
from cython.cimports.caprese.kernels.elementary import exp, expm1, log, log1p, sqrt
from cython.cimports.caprese.kernels.forest_ascent import Prior, root_advantage, swap_labels
from cython.cimports.caprese.kernels.forest_messages import (
    Messages,
    Table,
    aim,
    best_probability,
    detach,
    first_guess,
    gain,
    log_likelihood,
    log_normal_mass,
    refresh_all,
    refresh_upwards,
)

from caprese._core.arrays import FloatArray, IntArray, Integer, WordArray

_ROUGH, _ROUGH_STEPS = 0.1, 6

_SPACING = (0.6, 1.3, 2.2, 3.5, 6.0)  # of points from the best probability, in deviations
_SIDE = 5  # points of the approximation on either side of the best probability
_POINTS = 2 * _SIDE + 3  # with both ends
_DROP = 8.0  # how far the approximation falls to an end where the density is 0
_ELSEWHERE = 0.02  # share of proposals that ignore the approximation

_EVENT, _SWAP = 0, 1  # kinds of moves: where `tried` and `accepted` count them


class Pieces:
    """An approximation: the logarithm of the density at points, and the share of each piece."""

    def __init__(self) -> None:
        self.points = np.empty(_POINTS)
        self.log_densities = np.empty(_POINTS)
        self.shares = np.empty(_POINTS - 1)
        self.spacing = np.array(_SPACING)


class Room:
    """What the moves of a chain draw from and count in, and room to work in.

    Parameters
    ----------
    events, genotypes
        How many there are at most.
    stream, tried, accepted
        Of the chain.
    """

    def __init__(
        self,
        events: Integer,
        genotypes: Integer,
        stream: WordArray,
        tried: IntArray,
        accepted: IntArray,
    ) -> None:
        self.stream, self.tried, self.accepted = stream, tried, accepted
        self.seen = np.empty((2, 3))  # as `fill_seen` writes it
        self.work = Messages(events, genotypes)
        self.weights = np.empty(events + 1)  # of parents weighed against each other
        self.candidates = np.empty(events + 1, dtype=np.int64)
        # Candidates x (best theta, first and minus the second derivative, logarithm of density).
        self.peaks = np.empty((events + 1, 4))
        self.pieces = Pieces()


def _place_points(theta: float, first: float, second: float, pieces: Pieces) -> None:
    """Choose the points of an approximation from the best probability and the derivatives there.

    Points are spaced by the curvature at the maximum, and ever closer to an end that is near.
    """
    spread = 1.0 / (abs(first) + sqrt(second) + 1e-3)
    pieces.points[0] = 0.0
    pieces.points[_SIDE + 1] = theta
    pieces.points[_POINTS - 1] = 1.0
    nearer = 1.0
    for k in range(_SIDE):
        nearer *= 0.5
        away = pieces.spacing[k] * spread
        pieces.points[_SIDE - k] = max(theta - away, theta * nearer)
        pieces.points[_SIDE + 2 + k] = min(theta + away, 1.0 - (1.0 - theta) * nearer)


def _fill_pieces(table: Table, work: Messages, top: float, pieces: Pieces) -> float:
    """Approximate the density of an edge probability by pieces with a linear logarithm.

    `forest_messages.aim` says which event, under which parent; `top` is the logarithm at the best
    probability. Returns the log integral.
    """
    for k in range(_POINTS):
        if k == _SIDE + 1:
            pieces.log_densities[k] = top
        else:
            pieces.log_densities[k] = gain(table, work, pieces.points[k])
    _raise_ends(pieces)
    total = 0.0
    for k in range(_POINTS - 1):
        pieces.shares[k] = _integral(pieces, k, top)
        total += pieces.shares[k]
    for k in range(_POINTS - 1):
        pieces.shares[k] /= total
    return top + log(total)


def _raise_ends(pieces: Pieces) -> None:
    """Let the logarithm fall by no more than `_DROP` in the first and the last piece."""
    last = _POINTS - 1
    low, high = pieces.log_densities[1] - _DROP, pieces.log_densities[last - 1] - _DROP
    pieces.log_densities[0] = max(pieces.log_densities[0], low)
    pieces.log_densities[last] = max(pieces.log_densities[last], high)


def _integral(pieces: Pieces, k: Integer, top: float) -> float:
    """Return the integral over one piece, divided by exp(top)."""
    width = pieces.points[k + 1] - pieces.points[k]
    if width <= 0.0:
        return 0.0
    low, high = pieces.log_densities[k], pieces.log_densities[k + 1]
    highest: float = width * exp(max(low, high) - top)
    rise = abs(high - low)
    if rise < 1e-6:
        return highest * (1.0 - 0.5 * rise)
    return -highest * expm1(-rise) / rise


def _draw_theta(stream: WordArray, pieces: Pieces) -> float:
    """Draw an edge probability from the approximation."""
    if uniform(stream) < _ELSEWHERE:
        return uniform(stream)
    rest = uniform(stream)
    chosen = _SIDE
    for k in range(_POINTS - 1):
        if pieces.shares[k] > 0.0:
            chosen = k
            rest -= pieces.shares[k]
            if rest <= 0.0:
                break
    width = pieces.points[chosen + 1] - pieces.points[chosen]
    rise = pieces.log_densities[chosen + 1] - pieces.log_densities[chosen]
    along = uniform(stream)
    if rise >= 1e-6:
        along = 1.0 + log(along + (1.0 - along) * exp(-rise)) / rise
    elif rise <= -1e-6:
        along = log1p(along * expm1(rise)) / rise
    return min(max(pieces.points[chosen] + along * width, 1e-15), 1.0 - 1e-15)


def _log_proposal(theta: float, pieces: Pieces, log_mass: float) -> float:
    """Return the log-density of the approximation."""
    k: cython.Py_ssize_t = 0
    while k < _POINTS - 2 and theta >= pieces.points[k + 1]:
        k += 1
    width = pieces.points[k + 1] - pieces.points[k]
    objective = pieces.log_densities[k]
    if width > 0.0:
        rise = pieces.log_densities[k + 1] - pieces.log_densities[k]
        objective += rise * (theta - pieces.points[k]) / width
    return log((1.0 - _ELSEWHERE) * exp(objective - log_mass) + _ELSEWHERE)


def _weigh_parents(
    table: Table, parents: IntArray, advantage: float, event: Integer, room: Room
) -> int:
    """Weigh all possible parents of a detached event; return how many there are.

    A weight approximates the logarithm of the posterior mass of a parent, whatever the edge
    probability, by a normal density around the best one.
    """
    found: cython.Py_ssize_t = 0
    for parent in range(-1, len(parents)):
        if parent >= 0 and room.work.inside[parent]:
            continue
        aim(table, room.work, event, parent)
        guess = first_guess(table, room.work, event, parent)
        theta, first, second = best_probability(table, room.work, guess, _ROUGH, _ROUGH_STEPS)
        top = gain(table, room.work, theta)
        weight = top + log_normal_mass(theta, first, second)
        room.candidates[found] = parent
        room.weights[found] = weight + (advantage if parent < 0 else 0.0)
        room.peaks[found, 0] = theta
        room.peaks[found, 1] = first
        room.peaks[found, 2] = second
        room.peaks[found, 3] = top
        found += 1
    return found


def _approximate(table: Table, event: Integer, k: Integer, room: Room) -> float:
    """Leave the approximation under a candidate in the room; return its log integral."""
    aim(table, room.work, event, room.candidates[k])
    _place_points(room.peaks[k, 0], room.peaks[k, 1], room.peaks[k, 2], room.pieces)
    return _fill_pieces(table, room.work, room.peaks[k, 3], room.pieces)


def _log_importance(
    table: Table, k: Integer, theta: float, advantage: float, log_mass: float, room: Room
) -> float:
    """Return log target less log proposal at a candidate that was approximated last."""
    target = gain(table, room.work, theta) + (advantage if room.candidates[k] < 0 else 0.0)
    return target - room.weights[k] - _log_proposal(theta, room.pieces, log_mass)


def _move_event(
    table: Table, parents: IntArray, theta: FloatArray, prior: Prior, event: Integer, room: Room
) -> bool:
    """Draw a new parent and edge probability of an event; return whether it was accepted.

    The proposal does not depend on where the event hangs now, so that the ratio of target to
    proposal at the new and the old place decides.
    """
    old_parent, old_theta = parents[event], theta[event]
    detach(table, parents, theta, room.seen, room.work, event)
    advantage = root_advantage(prior, _other_roots(parents, event))
    found = _weigh_parents(table, parents, advantage, event, room)
    old: cython.Py_ssize_t = 0
    for k in range(found):
        if room.candidates[k] == old_parent:
            old = k
    new = choice(room.stream, room.weights, found)
    log_mass = _approximate(table, event, new, room)
    new_theta = _draw_theta(room.stream, room.pieces)
    ratio = _log_importance(table, new, new_theta, advantage, log_mass, room)
    if new != old:
        log_mass = _approximate(table, event, old, room)
    ratio -= _log_importance(table, old, old_theta, advantage, log_mass, room)
    accepted: cython.bint = log(uniform(room.stream)) < ratio
    if accepted:
        parents[event], theta[event] = room.candidates[new], new_theta
    else:
        parents[event] = old_parent
    refresh_upwards(table, parents, theta, room.seen, room.work, event)
    return accepted


def _other_roots(parents: IntArray, event: Integer) -> int:
    """Return how many events but this one are roots."""
    roots: cython.Py_ssize_t = 0
    for other in range(len(parents)):
        if parents[other] < 0 and other != event:
            roots += 1
    return roots


def _swap_some(
    table: Table, parents: IntArray, theta: FloatArray, swaps: Integer, room: Room
) -> None:
    """Exchange the places of an event and its parent, or of any two events, so many times."""
    n = len(parents)
    if n < 2 or swaps == 0:
        return
    objective = log_likelihood(table, parents, theta, room.seen, room.work)
    for k in range(swaps):
        one = below(room.stream, n)
        other = parents[one]
        if k % 2 == 1:
            other = below(room.stream, n)
        if other < 0 or other == one:
            continue
        room.tried[_SWAP] += 1
        swap_labels(parents, theta, one, other)
        reached = log_likelihood(table, parents, theta, room.seen, room.work)
        if log(uniform(room.stream)) < reached - objective:
            objective = reached
            room.accepted[_SWAP] += 1
        else:
            swap_labels(parents, theta, one, other)


def sweep_events(
    table: Table, parents: IntArray, theta: FloatArray, prior: Prior, swaps: Integer, room: Room
) -> None:
    """Move every event of one component once, then swap labels so many times.

    The room says what is seen of an event (`seen`).
    """
    refresh_all(table, parents, theta, room.seen, room.work)
    for event in range(len(parents)):
        room.tried[_EVENT] += 1
        room.accepted[_EVENT] += _move_event(table, parents, theta, prior, event, room)
    _swap_some(table, parents, theta, swaps, room)
