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
    lift,
    log_likelihood,
    log_normal_mass,
    refresh,
    refresh_all,
    refresh_upwards,
    row_of,
)
from cython.cimports.caprese.kernels.forest_orders import Orders, fill_bonus, order_gain

from caprese._core.arrays import FloatArray, IntArray, Integer, WordArray

_ROUGH, _ROUGH_STEPS = 0.1, 6

_SPACING = (0.6, 1.3, 2.2, 3.5, 6.0)  # of points from the best probability, in deviations
_SIDE = 5  # points of the approximation on either side of the best probability
_POINTS = 2 * _SIDE + 3  # with both ends
_DROP = 8.0  # how far the approximation falls to an end where the density is 0
_ELSEWHERE = 0.02  # share of proposals that ignore the approximation

_INFINITE = float("inf")

_PASSES = 1  # over a path, to find its best edge probabilities about
_END = 0.5  # probability that a path ends, after its second event and after each further one

_EVENT, _SWAP, _REVERSAL, _INSERTION = (
    0,
    1,
    3,
    4,
)  # kinds of moves: where `tried` and `accepted` count them


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
        # Of a path that is reversed, the events from the lowest up, and their probabilities.
        self.path: IntArray = np.empty(events, dtype=np.int64)
        self.old_theta = np.empty(events)
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


def build(
    moves: Moves, prior: Prior, goal: IntArray, theta: FloatArray, draw: cython.bint
) -> float:
    """Attach all events one after another, the most frequent first, to a forest of roots.

    Parents and edge probabilities are drawn as in `_move_event`, but always accepted, and written
    to `goal` and `theta`; or they are those given there. Returns the log-density of drawing them.
    What was before makes no difference.
    """
    _plant_roots(moves)
    log_density: float = 0.0
    for position in range(len(moves.path)):
        event = moves.path[position]
        detach(moves.forest, event)
        fill_bonus(moves.orders, moves.forest, root_advantage(prior, moves.forest))
        found = _weigh_parents(moves, event)
        chosen: cython.Py_ssize_t = choice(moves.stream, moves.weights, found) if draw else 0
        for k in range(found):
            if not draw and moves.candidates[k] == goal[event]:
                chosen = k
        log_density += _log_share(moves, found, moves.candidates[chosen])
        log_mass = _approximate(moves, event, chosen)
        if draw:
            goal[event], theta[event] = moves.candidates[chosen], _draw_theta(moves)
        log_density += _log_proposal(moves, theta[event], log_mass)
        moves.forest.parents[event], moves.forest.theta[event] = goal[event], theta[event]
        refresh_upwards(moves.forest, event)
    return log_density


def _plant_roots(moves: Moves) -> None:
    """Let all events be roots, as probable as they are seen; the path is them by frequency."""
    for event in range(len(moves.path)):
        seen: float = 0.5
        known: float = 1.0
        for d in range(moves.forest.table.genotypes):
            if moves.forest.table.codes[event, d] < 2:
                known += moves.forest.table.times[d]
                seen += moves.forest.table.times[d] * moves.forest.table.codes[event, d]
        moves.forest.parents[event], moves.forest.theta[event] = -1, seen / known
        place: cython.Py_ssize_t = event
        while place > 0 and moves.forest.theta[moves.path[place - 1]] < seen / known:
            moves.path[place] = moves.path[place - 1]
            place -= 1
        moves.path[place] = event
    refresh_all(moves.forest)


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


def _climb_to_probabilities(moves: Moves, length: Integer) -> None:
    """Set the edge probabilities of a path, the lowest event first, to about their best values.

    Where they were before makes no difference. All other messages must be up to date.
    """
    for k in range(length):
        moves.forest.theta[moves.path[k]] = 0.5
        refresh(moves.forest, moves.path[k])
    for k in range(length):
        refresh_upwards(moves.forest, moves.forest.parents[moves.path[k]])
    for _ in range(_PASSES):
        for k in range(length):
            _aim_at(moves, moves.path[k])
            moves.forest.theta[moves.path[k]] = moves.peaks[0, 0]
            _attach(moves, moves.path[k])


def _aim_at(moves: Moves, event: Integer) -> None:
    """Lift an event, and find its best edge probability under the parent it had."""
    moves.candidates[0] = lift(moves.forest, event)
    aim(moves.forest, event, moves.candidates[0])
    guess = first_guess(moves.forest)
    theta, first, second = best_probability(moves.forest, guess, _ROUGH, _ROUGH_STEPS)
    moves.peaks[0, 0], moves.peaks[0, 1], moves.peaks[0, 2] = theta, first, second


def _attach(moves: Moves, event: Integer) -> None:
    """Put a lifted event back."""
    moves.forest.parents[event] = moves.candidates[0]
    refresh_upwards(moves.forest, event)


def _pass_path(moves: Moves, length: Integer, draw: cython.bint) -> float:
    """Draw the edge probabilities of a path one after another, or leave those of `old_theta`.

    Returns the log-likelihood less the log-density of the proposal.
    """
    _climb_to_probabilities(moves, length)
    log_density = 0.0
    for k in range(length):
        event = moves.path[k]
        _aim_at(moves, event)
        moves.peaks[0, 3] = gain(moves.forest, moves.peaks[0, 0])
        log_mass = _approximate(moves, event, 0)
        theta = _draw_theta(moves) if draw else moves.old_theta[event]
        log_density += _log_proposal(moves, theta, log_mass)
        moves.forest.theta[event] = theta
        _attach(moves, event)
    return log_likelihood(moves.forest) - log_density


def _reverse_path(moves: Moves, length: Integer) -> None:
    """Reverse a path, given from its lowest event upwards; other children stay where they are."""
    above = moves.forest.parents[moves.path[length - 1]]
    for k in range(length - 1, 0, -1):
        moves.forest.parents[moves.path[k]] = moves.path[k - 1]
    moves.forest.parents[moves.path[0]] = above
    for k in range(length // 2):
        moves.path[k], moves.path[length - 1 - k] = moves.path[length - 1 - k], moves.path[k]


def _fill_path(moves: Moves, event: Integer) -> int:
    """Choose a path from an event upwards; return its length, or 0 if it leaves the forest.

    Its length does not depend on the forest, so that the way back is chosen as often.
    """
    moves.path[0] = event
    length: cython.Py_ssize_t = 1
    while length < len(moves.path):
        event = moves.forest.parents[event]
        if event < 0:
            return 0
        moves.path[length] = event
        length += 1
        if uniform(moves.stream) < _END:
            return length
    return 0


def _reverse(moves: Moves, exchange: cython.bint) -> bool:
    """Reverse a path and draw its edge probabilities anew; return whether it was accepted.

    Either the events of the path keep their other children, or the two ends exchange them.
    """
    length = _fill_path(moves, below(moves.stream, len(moves.path)))
    if length == 0:
        return False
    for k in range(length):
        moves.old_theta[moves.path[k]] = moves.forest.theta[moves.path[k]]
    before = _pass_path(moves, length, False) + order_gain(moves.orders, moves.forest)
    one, other = moves.path[0], moves.path[length - 1]
    if exchange:
        swap_labels(moves.forest, one, other)
        moves.path[0], moves.path[length - 1] = other, one
    else:
        _reverse_path(moves, length)
    after = _pass_path(moves, length, True) + order_gain(moves.orders, moves.forest)
    if log(uniform(moves.stream)) < after - before:
        return True
    if exchange:
        swap_labels(moves.forest, one, other)
    else:
        _reverse_path(moves, length)
    for k in range(length):
        moves.forest.theta[moves.path[k]] = moves.old_theta[moves.path[k]]
    refresh_all(moves.forest)
    return False


def _pass_pair(
    moves: Moves, prior: Prior, one: Integer, other: Integer, draw: cython.bint
) -> float:
    """Do as `_pass_path` with two events; return the log posterior less that of the proposal."""
    moves.path[0], moves.path[1] = other, one
    passed = _pass_path(moves, 2, draw) + order_gain(moves.orders, moves.forest)
    roots: cython.Py_ssize_t = 0
    for event in range(len(moves.forest.parents)):
        roots += moves.forest.parents[event] < 0
    return passed + prior.forests[roots]


def _weigh_places(moves: Moves, prior: Prior, one: Integer, other: Integer) -> int:
    """Weigh all parents of an event, whatever the edge probability of another event is."""
    above = moves.forest.parents[one]
    moves.forest.parents[one] = -1
    refresh(moves.forest, one)
    refresh_upwards(moves.forest, above)
    moves.path[0] = other
    _climb_to_probabilities(moves, 1)
    detach(moves.forest, one)
    fill_bonus(moves.orders, moves.forest, root_advantage(prior, moves.forest))
    return _weigh_parents(moves, one)


def _log_share(moves: Moves, found: Integer, parent: Integer) -> float:
    """Return the logarithm of the share of a parent among those that were weighed."""
    most: float = -_INFINITE
    chosen: float = -_INFINITE
    for k in range(found):
        most = max(most, moves.weights[k])
        if moves.candidates[k] == parent:
            chosen = moves.weights[k]
    total: float = 0.0
    for k in range(found):
        total += exp(moves.weights[k] - most)
    return chosen - most - log(total)


def _insert(moves: Moves, prior: Prior) -> bool:
    """Put an event between another and its parent, or take it away from there.

    Where it is elsewhere, its parent is drawn as if the edge probability of the other was the best.
    Returns whether the move was accepted.
    """
    one, other = below(moves.stream, len(moves.path)), below(moves.stream, len(moves.path))
    parents, theta = moves.forest.parents, moves.forest.theta
    inserts: cython.bint = parents[other] != one
    above: cython.Py_ssize_t = other
    while inserts and above >= 0 and above != one:
        above = parents[above]
    if one == other or (inserts and above == one):
        return False
    one_above, other_above = parents[one], parents[other]
    moves.old_theta[one], moves.old_theta[other] = theta[one], theta[other]
    before = _pass_pair(moves, prior, one, other, False)
    if not inserts:
        parents[other] = one_above
    found = _weigh_places(moves, prior, one, other)
    if inserts:
        before -= _log_share(moves, found, one_above)
        parents[one], parents[other] = other_above, one
        refresh_upwards(moves.forest, other_above)
        after = _pass_pair(moves, prior, one, other, True)
    else:
        elsewhere = moves.candidates[choice(moves.stream, moves.weights, found)]
        share = _log_share(moves, found, elsewhere)
        parents[one] = elsewhere
        after = _pass_pair(moves, prior, one, other, True) - share
    if log(uniform(moves.stream)) < after - before:
        return True
    parents[one], parents[other] = one_above, other_above
    theta[one], theta[other] = moves.old_theta[one], moves.old_theta[other]
    refresh_all(moves.forest)
    return False


def sweep_events(moves: Moves, prior: Prior, swaps: Integer) -> None:
    """Move every event of the forest once, and make so many moves of each other kind."""
    refresh_all(moves.forest)
    for event in range(len(moves.forest.parents)):
        moves.tried[_EVENT] += 1
        moves.accepted[_EVENT] += _move_event(moves, prior, event)
    _swap_some(moves, swaps)
    refresh_all(moves.forest)
    if len(moves.forest.parents) > 1:
        for k in range(swaps):
            moves.tried[_REVERSAL] += 1
            moves.accepted[_REVERSAL] += _reverse(moves, k % 2 == 1)
            moves.tried[_INSERTION] += 1
            moves.accepted[_INSERTION] += _insert(moves, prior)
