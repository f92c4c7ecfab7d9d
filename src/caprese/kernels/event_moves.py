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
    Forest,
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
    row_of,
)
from cython.cimports.caprese.kernels.forest_orders import Orders, fill_bonus, order_gain

from caprese._core.arrays import IntArray, Integer, WordArray

_ROUGH, _ROUGH_STEPS = 0.1, 6

_SPACING = (0.6, 1.3, 2.2, 3.5, 6.0)  # of points from the best probability, in deviations
_SIDE = 5  # points of the approximation on either side of the best probability
_POINTS = 2 * _SIDE + 3  # with both ends
_DROP = 8.0  # how far the approximation falls to an end where the density is 0
_ELSEWHERE = 0.02  # share of proposals that ignore the approximation

_EVENT, _SWAP = 0, 1  # kinds of moves: where `tried` and `accepted` count them


class Moves:
    """The forest whose events move, what the moves draw from and count in, and room to work in."""

    def __init__(
        self, table: Table, stream: WordArray, tried: IntArray, accepted: IntArray
    ) -> None:
        events = table.codes.shape[0]
        self.forest = Forest(table)
        self.orders = Orders(table.order_gains, events)
        self.stream, self.tried, self.accepted = stream, tried, accepted
        self.weights = np.empty(events + 1)  # of parents weighed against each other
        self.candidates = np.empty(events + 1, dtype=np.int64)
        # Candidates x (best theta, first and minus the second derivative, logarithm of density).
        self.peaks = np.empty((events + 1, 4))
        # An approximation: the logarithm of the density at points, and the share of each piece.
        self.points, self.log_densities = np.empty(_POINTS), np.empty(_POINTS)
        self.shares, self.spacing = np.empty(_POINTS - 1), np.array(_SPACING)


def _place_points(moves: Moves, theta: float, first: float, second: float) -> None:
    """Choose the points of an approximation from the best probability and the derivatives there.

    Points are spaced by the curvature at the maximum, and ever closer to an end that is near.
    """
    spread = 1.0 / (abs(first) + sqrt(second) + 1e-3)
    moves.points[0] = 0.0
    moves.points[_SIDE + 1] = theta
    moves.points[_POINTS - 1] = 1.0
    nearer = 1.0
    for k in range(_SIDE):
        nearer *= 0.5
        away = moves.spacing[k] * spread
        moves.points[_SIDE - k] = max(theta - away, theta * nearer)
        moves.points[_SIDE + 2 + k] = min(theta + away, 1.0 - (1.0 - theta) * nearer)


def _fill_pieces(moves: Moves, top: float) -> float:
    """Approximate the density of an edge probability by pieces with a linear logarithm.

    `forest_messages.aim` says which event, under which parent; `top` is the logarithm at the best
    probability. Returns the log integral.
    """
    for k in range(_POINTS):
        if k == _SIDE + 1:
            moves.log_densities[k] = top
        else:
            moves.log_densities[k] = gain(moves.forest, moves.points[k])
    _raise_ends(moves)
    total = 0.0
    for k in range(_POINTS - 1):
        moves.shares[k] = _integral(moves, k, top)
        total += moves.shares[k]
    for k in range(_POINTS - 1):
        moves.shares[k] /= total
    return top + log(total)


def _raise_ends(moves: Moves) -> None:
    """Let the logarithm fall by no more than `_DROP` in the first and the last piece."""
    last = _POINTS - 1
    low, high = moves.log_densities[1] - _DROP, moves.log_densities[last - 1] - _DROP
    moves.log_densities[0] = max(moves.log_densities[0], low)
    moves.log_densities[last] = max(moves.log_densities[last], high)


def _integral(moves: Moves, k: Integer, top: float) -> float:
    """Return the integral over one piece, divided by exp(top)."""
    width = moves.points[k + 1] - moves.points[k]
    if width <= 0.0:
        return 0.0
    low, high = moves.log_densities[k], moves.log_densities[k + 1]
    highest: float = width * exp(max(low, high) - top)
    rise = abs(high - low)
    if rise < 1e-6:
        return highest * (1.0 - 0.5 * rise)
    return -highest * expm1(-rise) / rise


def _draw_theta(moves: Moves) -> float:
    """Draw an edge probability from the approximation."""
    if uniform(moves.stream) < _ELSEWHERE:
        return uniform(moves.stream)
    rest = uniform(moves.stream)
    chosen = _SIDE
    for k in range(_POINTS - 1):
        if moves.shares[k] > 0.0:
            chosen = k
            rest -= moves.shares[k]
            if rest <= 0.0:
                break
    width = moves.points[chosen + 1] - moves.points[chosen]
    rise = moves.log_densities[chosen + 1] - moves.log_densities[chosen]
    along = uniform(moves.stream)
    if rise >= 1e-6:
        along = 1.0 + log(along + (1.0 - along) * exp(-rise)) / rise
    elif rise <= -1e-6:
        along = log1p(along * expm1(rise)) / rise
    return min(max(moves.points[chosen] + along * width, 1e-15), 1.0 - 1e-15)


def _log_proposal(moves: Moves, theta: float, log_mass: float) -> float:
    """Return the log-density of the approximation."""
    k: cython.Py_ssize_t = 0
    while k < _POINTS - 2 and theta >= moves.points[k + 1]:
        k += 1
    width = moves.points[k + 1] - moves.points[k]
    objective = moves.log_densities[k]
    if width > 0.0:
        rise = moves.log_densities[k + 1] - moves.log_densities[k]
        objective += rise * (theta - moves.points[k]) / width
    return log((1.0 - _ELSEWHERE) * exp(objective - log_mass) + _ELSEWHERE)


def _weigh_parents(moves: Moves, event: Integer) -> int:
    """Weigh all possible parents of a detached event; return how many there are.

    A weight approximates the logarithm of the posterior mass of a parent, whatever the edge
    probability, by a normal density around the best one.
    """
    found: cython.Py_ssize_t = 0
    for parent in range(-1, len(moves.forest.parents)):
        if parent >= 0 and moves.forest.inside[parent]:
            continue
        aim(moves.forest, event, parent)
        guess = first_guess(moves.forest)
        theta, first, second = best_probability(moves.forest, guess, _ROUGH, _ROUGH_STEPS)
        top = gain(moves.forest, theta)
        weight = top + log_normal_mass(theta, first, second)
        moves.candidates[found] = parent
        moves.weights[found] = weight + moves.orders.bonus[row_of(moves.forest, parent)]
        moves.peaks[found, 0] = theta
        moves.peaks[found, 1] = first
        moves.peaks[found, 2] = second
        moves.peaks[found, 3] = top
        found += 1
    return found


def _approximate(moves: Moves, event: Integer, k: Integer) -> float:
    """Leave the approximation under a candidate in the room; return its log integral."""
    aim(moves.forest, event, moves.candidates[k])
    _place_points(moves, moves.peaks[k, 0], moves.peaks[k, 1], moves.peaks[k, 2])
    return _fill_pieces(moves, moves.peaks[k, 3])


def _log_importance(moves: Moves, k: Integer, theta: float, log_mass: float) -> float:
    """Return log target less log proposal at a candidate that was approximated last."""
    row = row_of(moves.forest, moves.candidates[k])
    target = gain(moves.forest, theta) + moves.orders.bonus[row]
    return target - moves.weights[k] - _log_proposal(moves, theta, log_mass)


def _move_event(moves: Moves, prior: Prior, event: Integer) -> bool:
    """Draw a new parent and edge probability of an event; return whether it was accepted.

    The proposal does not depend on where the event hangs now, so that the ratio of target to
    proposal at the new and the old place decides.
    """
    parents, theta = moves.forest.parents, moves.forest.theta
    old_parent, old_theta = parents[event], theta[event]
    detach(moves.forest, event)
    fill_bonus(moves.orders, moves.forest, root_advantage(prior, moves.forest))
    found = _weigh_parents(moves, event)
    old: cython.Py_ssize_t = 0
    for k in range(found):
        if moves.candidates[k] == old_parent:
            old = k
    new = choice(moves.stream, moves.weights, found)
    log_mass = _approximate(moves, event, new)
    new_theta = _draw_theta(moves)
    ratio = _log_importance(moves, new, new_theta, log_mass)
    if new != old:
        log_mass = _approximate(moves, event, old)
    ratio -= _log_importance(moves, old, old_theta, log_mass)
    accepted: cython.bint = log(uniform(moves.stream)) < ratio
    if accepted:
        parents[event], theta[event] = moves.candidates[new], new_theta
    else:
        parents[event] = old_parent
    refresh_upwards(moves.forest, event)
    return accepted


def _swap_some(moves: Moves, swaps: Integer) -> None:
    """Exchange the places of an event and its parent, or of any two events, so many times."""
    n = len(moves.forest.parents)
    if n < 2 or swaps == 0:
        return
    objective = log_likelihood(moves.forest) + order_gain(moves.orders, moves.forest)
    for k in range(swaps):
        one = below(moves.stream, n)
        other = moves.forest.parents[one]
        if k % 2 == 1:
            other = below(moves.stream, n)
        if other < 0 or other == one:
            continue
        moves.tried[_SWAP] += 1
        swap_labels(moves.forest, one, other)
        reached = log_likelihood(moves.forest) + order_gain(moves.orders, moves.forest)
        if log(uniform(moves.stream)) < reached - objective:
            objective = reached
            moves.accepted[_SWAP] += 1
        else:
            swap_labels(moves.forest, one, other)


def sweep_events(moves: Moves, prior: Prior, swaps: Integer) -> None:
    """Move every event of the forest once, then swap labels so many times."""
    refresh_all(moves.forest)
    for event in range(len(moves.forest.parents)):
        moves.tried[_EVENT] += 1
        moves.accepted[_EVENT] += _move_event(moves, prior, event)
    _swap_some(moves, swaps)
