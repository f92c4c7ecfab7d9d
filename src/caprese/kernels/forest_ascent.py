"""Ascent to the likeliest or most probable forest: new parents, swaps, and the numbers by EM.

The objective is the log-likelihood plus the logarithm of the prior density of forest and error
rates; with a flat prior, the log-likelihood alone.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp, log, log1p, sqrt
from cython.cimports.caprese.kernels.forest_messages import (
    LEAST,
    Messages,
    Table,
    aim,
    best_probability,
    detach,
    fill_reach,
    fill_seen,
    first_guess,
    gain,
    lift,
    log_likelihood,
    refresh_all,
    refresh_upwards,
)

from caprese._core.arrays import FloatArray, IntArray, Integer

_MOST_RATE = 0.5 - 1e-6
_BETTER = 1e-7  # what a change must gain, so that rounding does not decide
_ROUGH, _ROUGH_STEPS = 0.1, 8
_FINE, _FINE_STEPS = 1e-6, 40
_WORTH_A_SWAP = 0.5  # a child that is much rarer than its parent cannot take its place
_CLOSE = 0.1  # a rough maximum that misses by more is not refined
_INFINITE = float("inf")


class Prior:
    """Numbers of the prior.

    Forests are uniform with probability `uniform`, else they have roots with a probability
    r ~ Beta(first, second); error rates are Beta(rate_first, rate_second) below 1/2.

    Parameters
    ----------
    forests
        By the number of roots, the log-probability of a forest.
    """

    def __init__(
        self,
        first: float,
        second: float,
        uniform: float,
        rate_first: float,
        rate_second: float,
        forests: FloatArray,
    ) -> None:
        self.first, self.second, self.uniform = first, second, uniform
        self.rate_first, self.rate_second = rate_first, rate_second
        self.forests = forests


class Room:
    """Room for an ascent to work in.

    Parameters
    ----------
    events, genotypes
        How many there are.
    """

    def __init__(self, events: Integer, genotypes: Integer) -> None:
        self.work = Messages(events, genotypes)
        # Probabilities of codes at the rates of the ascent, and at rates that are tried.
        self.seen: FloatArray = np.empty((2, 3))
        self.tried_seen: FloatArray = np.empty((2, 3))
        self.tried_parents: IntArray = np.empty(events, dtype=np.int64)
        self.tried_theta: FloatArray = np.empty(events)
        # After two steps of EM, and farther in the same direction.
        self.plain_theta: FloatArray = np.empty(events)
        self.plain_rates: FloatArray = np.empty(2)
        self.far_theta: FloatArray = np.empty(events)
        self.far_rates: FloatArray = np.empty(2)
        # On the logit scale, edge probabilities and rates before and after each of the steps.
        self.points: FloatArray = np.empty((3, events + 2))
        # Expected numbers: of samples in which an event has occurred, and of entries that are
        # seen wrongly or rightly where the truth is 0 or 1.
        self.occurred: FloatArray = np.empty(events)
        self.wrong: FloatArray = np.empty(2)
        self.right: FloatArray = np.empty(2)


def root_advantage(prior: Prior, roots: Integer) -> float:
    """Return the log prior odds of the root, against any one event, as the parent of an event.

    Parameters
    ----------
    roots
        How many of the other events are roots; none if all others come after the event.
    """
    return prior.forests[roots + 1] - prior.forests[roots] if roots > 0 else 0.0


def rate_log_density(prior: Prior, rate: float) -> float:
    """Return the log prior density of an error rate up to a constant."""
    density: float = 0.0
    if prior.rate_first != 1.0:
        density += (prior.rate_first - 1.0) * log(rate)
    if prior.rate_second != 1.0:
        density += (prior.rate_second - 1.0) * log1p(-rate)
    return density


def _objective(
    table: Table, parents: IntArray, theta: FloatArray, rates: FloatArray, prior: Prior, room: Room
) -> float:
    """Return log-likelihood plus log prior density of the rates."""
    fill_seen(rates[0], rates[1], room.tried_seen)
    objective = log_likelihood(table, parents, theta, room.tried_seen, room.work)
    return objective + rate_log_density(prior, rates[0]) + rate_log_density(prior, rates[1])


def _count(table: Table, event: Integer, room: Room) -> None:
    """Add what is expected of an event, given all that is seen."""
    present, absent = cython.declare(cython.double[3]), cython.declare(cython.double[3])
    for code in range(3):
        present[code] = absent[code] = 0.0
    for d in range(table.genotypes):
        code = table.codes[event, d]
        there = table.times[d] * room.work.reach[event, d]
        present[code] += there
        absent[code] += table.times[d] - there
    room.occurred[event] = present[0] + present[1] + present[2]
    room.wrong[0] += absent[1]
    room.right[0] += absent[0]
    room.wrong[1] += present[0]
    room.right[1] += present[1]


def _expectation_step(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    prior: Prior,
    free: cython.bint,
    room: Room,
) -> None:
    """Improve edge probabilities and rates in place by one step of EM."""
    n = parents.shape[0]
    fill_seen(rates[0], rates[1], room.tried_seen)
    refresh_all(table, parents, theta, room.tried_seen, room.work)
    fill_reach(table, parents, room.work)
    for rate in range(2):
        room.wrong[rate], room.right[rate] = prior.rate_first - 1.0, prior.rate_second - 1.0
    for event in range(n):
        _count(table, event, room)
    samples: float = 0.0
    for d in range(table.genotypes):
        samples += table.times[d]
    for event in range(n):
        chances: float = room.occurred[parents[event]] if parents[event] >= 0 else samples
        if chances > 0.0:
            theta[event] = min(max(room.occurred[event] / chances, LEAST), 1.0 - LEAST)
    for rate in range(2):
        total = room.wrong[rate] + room.right[rate]
        if free and total > 0.0:
            rates[rate] = min(max(room.wrong[rate] / total, LEAST), _MOST_RATE)


def _fill_points(room: Room, k: Integer) -> None:
    """Set a point to the present edge probabilities and rates."""
    n = room.plain_theta.shape[0]
    for event in range(n):
        room.points[k, event] = log(room.plain_theta[event]) - log1p(-room.plain_theta[event])
    for rate in range(2):
        room.points[k, n + rate] = log(room.plain_rates[rate] + 1e-12) - log1p(
            -room.plain_rates[rate]
        )


def _extrapolate(free: cython.bint, room: Room) -> None:
    """Go on from two steps of EM by squared extrapolation on the logit scale."""
    n = room.plain_theta.shape[0]
    room.far_theta[:] = room.plain_theta
    room.far_rates[:] = room.plain_rates
    change_size: float = 0.0
    bend_size: float = 0.0
    for k in range(n + 2):
        change = room.points[1, k] - room.points[0, k]
        bend = room.points[2, k] - room.points[1, k] - change
        change_size += change * change
        bend_size += bend * bend
    if not bend_size > 0.0:
        return
    length: float = max(1.0, sqrt(change_size) / sqrt(bend_size))
    for k in range(n + 2 if free else n):
        change = room.points[1, k] - room.points[0, k]
        bend = room.points[2, k] - room.points[1, k] - change
        far = room.points[0, k] + 2.0 * length * change + length * length * bend
        moved = 1.0 / (1.0 + exp(-far))
        if k < n:
            room.far_theta[k] = min(max(moved, LEAST), 1.0 - LEAST)
        else:
            room.far_rates[k - n] = min(max(moved, LEAST), _MOST_RATE)


def _fit_numbers(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    prior: Prior,
    free: cython.bint,
    room: Room,
    tolerance: float,
    rounds: Integer,
) -> float:
    """Improve edge probabilities and rates in place for the forest as it is; return the objective.

    EM, accelerated by squared extrapolation on the logit scale where that does not go downhill.
    """
    objective = _objective(table, parents, theta, rates, prior, room)
    for _ in range(rounds):
        room.plain_theta[:] = theta
        room.plain_rates[:] = rates
        _fill_points(room, 0)
        for k in range(1, 3):
            _expectation_step(table, parents, room.plain_theta, room.plain_rates, prior, free, room)
            _fill_points(room, k)
        _extrapolate(free, room)
        reached = _objective(table, parents, room.far_theta, room.far_rates, prior, room)
        plain = _objective(table, parents, room.plain_theta, room.plain_rates, prior, room)
        if not reached >= plain:
            room.far_theta[:] = room.plain_theta
            room.far_rates[:] = room.plain_rates
            reached = plain
        if not reached > objective:
            break
        gained = reached - objective
        objective = reached
        theta[:] = room.far_theta
        rates[:] = room.far_rates
        if gained < tolerance:
            break
    return objective


def _set_best_theta(
    table: Table, parents: IntArray, theta: FloatArray, room: Room, event: Integer
) -> None:
    """Set the edge probability of an event to its best value; messages stay up to date."""
    parent = lift(table, parents, theta, room.seen, room.work, event)
    aim(table, room.work, event, parent)
    theta[event] = best_probability(table, room.work, theta[event], _FINE, _FINE_STEPS)[0]
    parents[event] = parent
    refresh_upwards(table, parents, theta, room.seen, room.work, event)


def _move_to_best_parent(
    table: Table, parents: IntArray, theta: FloatArray, prior: Prior, room: Room, event: Integer
) -> bool:
    """Give an event its best parent; return whether that is another one."""
    n = parents.shape[0]
    old = parents[event]
    detach(table, parents, theta, room.seen, room.work, event)
    roots: cython.Py_ssize_t = 0
    for other in range(n):
        roots += parents[other] < 0 and other != event
    aim(table, room.work, event, old)
    best_theta = best_probability(table, room.work, theta[event], _FINE, _FINE_STEPS)[0]
    best_parent = old
    best = gain(table, room.work, best_theta)
    advantage = root_advantage(prior, roots)
    if old < 0:
        best += advantage
    for parent in range(-1, n):
        if parent == old or (parent >= 0 and room.work.inside[parent]):
            continue
        aim(table, room.work, event, parent)
        guess = first_guess(table, room.work, event, parent)
        bonus = advantage if parent < 0 else 0.0
        reached = best_probability(table, room.work, guess, _ROUGH, _ROUGH_STEPS)[0]
        if gain(table, room.work, reached) + bonus + _CLOSE < best:
            continue
        reached = best_probability(table, room.work, reached, _FINE, _FINE_STEPS)[0]
        objective = gain(table, room.work, reached) + bonus
        if objective > best + _BETTER:
            best, best_parent, best_theta = objective, parent, reached
    parents[event] = best_parent
    theta[event] = best_theta
    refresh_upwards(table, parents, theta, room.seen, room.work, event)
    return best_parent != old


def swap_labels(parents: IntArray, theta: FloatArray, one: Integer, other: Integer) -> None:
    """Exchange two events of the forest, in place."""
    for event in range(parents.shape[0]):
        if parents[event] == one:
            parents[event] = other
        elif parents[event] == other:
            parents[event] = one
    parents[one], parents[other] = parents[other], parents[one]
    theta[one], theta[other] = theta[other], theta[one]


def _try_swap(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    room: Room,
    event: Integer,
    keep: cython.bint,
    objective: float,
) -> float:
    """Put an event in the place of its parent if that gains; return the objective then.

    With `keep` each of the two keeps its own children, otherwise they exchange them. Messages stay
    up to date; only those of the two and of the events before them change.
    """
    upper = parents[event]
    room.tried_parents[:] = parents
    room.tried_theta[:] = theta
    if keep:
        room.tried_parents[event], room.tried_parents[upper] = parents[upper], event
        room.tried_theta[event], room.tried_theta[upper] = theta[upper], theta[event]
    else:
        swap_labels(room.tried_parents, room.tried_theta, event, upper)
    refresh_upwards(table, room.tried_parents, room.tried_theta, room.seen, room.work, upper)
    for _ in range(2):
        _set_best_theta(table, room.tried_parents, room.tried_theta, room, event)
        _set_best_theta(table, room.tried_parents, room.tried_theta, room, upper)
    reached = log_likelihood(table, room.tried_parents, room.tried_theta, room.seen, room.work)
    if reached > objective + _BETTER:
        parents[:] = room.tried_parents
        theta[:] = room.tried_theta
        return reached
    refresh_upwards(table, parents, theta, room.seen, room.work, event)
    return objective


def _swaps(table: Table, parents: IntArray, theta: FloatArray, room: Room) -> int:
    """Try every event in the place of its parent; return how many swaps gained."""
    objective = log_likelihood(table, parents, theta, room.seen, room.work)
    done: cython.Py_ssize_t = 0
    for event in range(parents.shape[0]):
        for keep in range(2):
            if parents[event] >= 0 and theta[event] > _WORTH_A_SWAP:
                reached = _try_swap(table, parents, theta, room, event, keep == 1, objective)
                done += reached > objective
                objective = reached
    return done


def _climb(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    prior: Prior,
    free: cython.bint,
    passes: Integer,
    room: Room,
) -> float:
    objective = _fit_numbers(table, parents, theta, rates, prior, free, room, 0.1, 5)
    for _ in range(passes):
        fill_seen(rates[0], rates[1], room.seen)
        refresh_all(table, parents, theta, room.seen, room.work)
        changes: cython.Py_ssize_t = 0
        for event in range(parents.shape[0]):
            changes += _move_to_best_parent(table, parents, theta, prior, room, event)
        if changes == 0:
            changes += _swaps(table, parents, theta, room)
        objective = _fit_numbers(table, parents, theta, rates, prior, free, room, 0.01, 10)
        if changes == 0:
            before = objective
            objective = _fit_numbers(table, parents, theta, rates, prior, free, room, 1e-5, 300)
            if objective - before < 0.01:
                break
    return objective


def ascend(
    table: Table,
    parents: IntArray,
    theta: FloatArray,
    rates: FloatArray,
    prior: Prior,
    free: cython.bint,
    passes: Integer,
) -> float:
    """Climb from a forest, in place, until nothing gains; return log-likelihood plus log prior.

    The prior part is that of the rates; the caller adds that of the forest.

    Parameters
    ----------
    free
        Whether the error rates are improved, too.
    passes
        How often every event is moved at most.
    """
    room = Room(parents.shape[0], table.genotypes)
    with cython.nogil:
        return _climb(table, parents, theta, rates, prior, free, passes, room)


def _fill_attachments(
    table: Table, parents: IntArray, theta: FloatArray, room: Room, event: Integer, out: FloatArray
) -> None:
    """Fill the column of an event; see `attachments`."""
    n = parents.shape[0]
    old = parents[event]
    detach(table, parents, theta, room.seen, room.work, event)
    highest: float = -_INFINITE
    for parent in range(-1, n):
        if parent >= 0 and room.work.inside[parent]:
            continue
        aim(table, room.work, event, parent)
        guess = first_guess(table, room.work, event, parent)
        best = best_probability(table, room.work, guess, _FINE, _FINE_STEPS)[0]
        row = parent if parent >= 0 else n
        out[row, event] = gain(table, room.work, best)
        highest = max(highest, out[row, event])
    for row in range(n + 1):
        out[row, event] -= highest
    parents[event] = old
    refresh_upwards(table, parents, theta, room.seen, room.work, event)


def attachments(
    table: Table, parents: IntArray, theta: FloatArray, rates: FloatArray
) -> FloatArray:
    """Return the log-likelihood of each event under each parent, all else unchanged.

    Rows are parents, the last one the root; relative to the best parent of each event, -inf for
    events of its own subtree. The edge probability of the event is the best for each parent.
    Parents are written in the meantime.
    """
    n = parents.shape[0]
    room = Room(n, table.genotypes)
    found = np.full((n + 1, n), -np.inf)
    out: cython.double[:, ::1] = found
    with cython.nogil:
        fill_seen(rates[0], rates[1], room.seen)
        refresh_all(table, parents, theta, room.seen, room.work)
        for event in range(n):
            _fill_attachments(table, parents, theta, room, event, out)
    return found
