"""Ascent to the likeliest or most probable forest: new parents, swaps, and the numbers by EM.

The objective is the log-likelihood, with what seen orders add, plus the logarithm of the prior
density of forest and error rates; with a flat prior, the log-likelihood alone. The numbers of a
forest are its edge probabilities, then the false positive and the false negative rate.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import log_gamma
from cython.cimports.caprese.kernels.elementary import exp, log, log1p, sqrt
from cython.cimports.caprese.kernels.forest_messages import (
    LEAST,
    Forest,
    Table,
    aim,
    best_probability,
    detach,
    fill_reach,
    first_guess,
    gain,
    lift,
    log_likelihood,
    refresh_all,
    refresh_upwards,
    row_of,
    set_forest,
    set_rates,
)
from cython.cimports.caprese.kernels.forest_orders import Orders, fill_bonus, order_gain

from caprese._core.arrays import FloatArray, IntArray, Integer

_MOST_RATE = 0.5 - 1e-6
_BETTER = 1e-7  # what a change must gain, so that rounding does not decide
_ROUGH, _ROUGH_STEPS = 0.1, 8
_FINE, _FINE_STEPS = 1e-6, 40
_WORTH_A_SWAP = 0.5  # a child that is much rarer than its parent cannot take its place
_CLOSE = 0.1  # a rough maximum that misses by more is not refined
_SERIES = 1e5  # the second number of a Beta distribution, beyond which its series is too long
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
        self.rate_log_mass = _log_half_beta(rate_first, rate_second)  # of `rate_log_density`


class Climber:
    """A forest that is improved, and room to do so; `free` says whether the error rates are."""

    def __init__(self, table: Table, prior: Prior, free: cython.bint) -> None:
        n = table.codes.shape[0]
        self.forest, self.prior, self.free = Forest(table), prior, free
        self.orders = Orders(table.order_gains, n)
        self.numbers: FloatArray = np.empty(n + 2)
        # After two steps of EM, and farther in the same direction.
        self.plain: FloatArray = np.empty(n + 2)
        self.far: FloatArray = np.empty(n + 2)
        # On the logit scale, before and after each of the steps.
        self.points: FloatArray = np.empty((3, n + 2))
        # Expected numbers: of samples in which an event has occurred, and of entries that are
        # seen wrongly or rightly where the truth is 0 or 1.
        self.occurred: FloatArray = np.empty(n)
        self.wrong: FloatArray = np.empty(2)
        self.right: FloatArray = np.empty(2)
        # The forest before a swap.
        self.old_parents: IntArray = np.empty(n, dtype=np.int64)
        self.old_theta: FloatArray = np.empty(n)


def _log_half_beta(first: float, second: float) -> float:
    """Return the log integral of x^(first - 1) (1 - x)^(second - 1) from 0 to 1/2, by its series.

    All its terms are positive. With a large second number nearly all mass is below 1/2, and the
    integral to 1 takes its place, by Stirling's formula.
    """
    if second > _SERIES and first < second:
        rest = (second - 0.5) * log1p(first / second) + first * log(first + second) - first
        return log_gamma(first) - rest
    term, total, scale, number = 1.0, 1.0, 0.0, 0.0
    while number < 10.0 * _SERIES and (term > 1e-17 * total or number < second):
        term *= 0.5 * (first + second + number) / (first + 1.0 + number)
        total += term
        number += 1.0
        if total > 1e200:
            term, total, scale = 1e-200 * term, 1e-200 * total, scale + 200.0 * log(10.0)
    return scale + log(total) - log(first) - (first + second) * log(2.0)


def root_advantage(prior: Prior, forest: Forest) -> float:
    """Return the log prior odds of the root, against any one event, as the parent of an event.

    The event is detached, so that it is a root. If it is the only one, all others come after it.
    """
    roots: cython.Py_ssize_t = 0
    for event in range(len(forest.parents)):
        roots += forest.parents[event] < 0
    return prior.forests[roots] - prior.forests[roots - 1] if roots > 1 else 0.0


def rate_log_density(prior: Prior, rate: float) -> float:
    """Return the log prior density of an error rate up to a constant."""
    density: float = 0.0
    if prior.rate_first != 1.0:
        density += (prior.rate_first - 1.0) * log(rate)
    if prior.rate_second != 1.0:
        density += (prior.rate_second - 1.0) * log1p(-rate)
    return density


def _set_numbers(climber: Climber, numbers: FloatArray) -> None:
    n = len(climber.forest.theta)
    climber.forest.theta[:] = numbers[:n]
    set_rates(climber.forest, numbers[n], numbers[n + 1])


def _objective(climber: Climber, numbers: FloatArray) -> float:
    """Return log-likelihood plus log prior density of the rates."""
    n = len(numbers) - 2
    _set_numbers(climber, numbers)
    objective = log_likelihood(climber.forest)
    for rate in range(n, n + 2):
        objective += rate_log_density(climber.prior, numbers[rate])
    return objective


def _count(climber: Climber, event: Integer) -> None:
    """Add what is expected of an event, given all that is seen."""
    present, absent = cython.declare(cython.double[3]), cython.declare(cython.double[3])
    for code in range(3):
        present[code] = absent[code] = 0.0
    for d in range(climber.forest.table.genotypes):
        code = climber.forest.table.codes[event, d]
        times = climber.forest.table.times[d]
        there = times * climber.forest.reach[event, d]
        present[code] += there
        absent[code] += times - there
    climber.occurred[event] = present[0] + present[1] + present[2]
    climber.wrong[0] += absent[1]
    climber.right[0] += absent[0]
    climber.wrong[1] += present[0]
    climber.right[1] += present[1]


def _expectation_step(climber: Climber, numbers: FloatArray) -> None:
    """Improve edge probabilities and rates in place by one step of EM."""
    n = len(numbers) - 2
    _set_numbers(climber, numbers)
    refresh_all(climber.forest)
    fill_reach(climber.forest)
    for rate in range(2):
        climber.wrong[rate] = climber.prior.rate_first - 1.0
        climber.right[rate] = climber.prior.rate_second - 1.0
    for event in range(n):
        _count(climber, event)
    samples: float = 0.0
    for d in range(climber.forest.table.genotypes):
        samples += climber.forest.table.times[d]
    for event in range(n):
        parent = climber.forest.parents[event]
        chances: float = climber.occurred[parent] if parent >= 0 else samples
        if chances > 0.0:
            numbers[event] = _within(climber.occurred[event] / chances, 1.0 - LEAST)
    for rate in range(2):
        total = climber.wrong[rate] + climber.right[rate]
        if climber.free and total > 0.0:
            numbers[n + rate] = _within(climber.wrong[rate] / total, _MOST_RATE)


def _within(number: float, most: float) -> float:
    return min(max(number, LEAST), most)


def _fill_point(climber: Climber, k: Integer) -> None:
    """Set a point to the numbers after so many steps of EM."""
    n = len(climber.plain) - 2
    for at in range(n + 2):
        number = climber.plain[at]
        climber.points[k, at] = log(number if at < n else number + 1e-12) - log1p(-number)


def _extrapolate(climber: Climber) -> None:
    """Go on from two steps of EM by squared extrapolation on the logit scale."""
    n = len(climber.plain) - 2
    climber.far[:] = climber.plain
    change_size: float = 0.0
    bend_size: float = 0.0
    for k in range(n + 2):
        change = climber.points[1, k] - climber.points[0, k]
        bend = climber.points[2, k] - climber.points[1, k] - change
        change_size += change * change
        bend_size += bend * bend
    if not bend_size > 0.0:
        return
    length: float = max(1.0, sqrt(change_size) / sqrt(bend_size))
    for k in range(n + 2 if climber.free else n):
        change = climber.points[1, k] - climber.points[0, k]
        bend = climber.points[2, k] - climber.points[1, k] - change
        far = climber.points[0, k] + 2.0 * length * change + length * length * bend
        climber.far[k] = _within(1.0 / (1.0 + exp(-far)), 1.0 - LEAST if k < n else _MOST_RATE)


def _fit_numbers(climber: Climber, tolerance: float, rounds: Integer) -> float:
    """Improve the numbers for the forest as it is; return the objective.

    EM, accelerated by squared extrapolation on the logit scale where that does not go downhill.
    """
    objective = _objective(climber, climber.numbers)
    for _ in range(rounds):
        climber.plain[:] = climber.numbers
        _fill_point(climber, 0)
        for k in range(1, 3):
            _expectation_step(climber, climber.plain)
            _fill_point(climber, k)
        _extrapolate(climber)
        reached = _objective(climber, climber.far)
        plain = _objective(climber, climber.plain)
        if not reached >= plain:
            climber.far[:] = climber.plain
            reached = plain
        if not reached > objective:
            break
        gained = reached - objective
        objective = reached
        climber.numbers[:] = climber.far
        if gained < tolerance:
            break
    _set_numbers(climber, climber.numbers)
    return objective


def _set_best_theta(forest: Forest, event: Integer) -> None:
    """Set the edge probability of an event to its best value; messages stay up to date."""
    parent = lift(forest, event)
    aim(forest, event, parent)
    forest.theta[event] = best_probability(forest, forest.theta[event], _FINE, _FINE_STEPS)[0]
    forest.parents[event] = parent
    refresh_upwards(forest, event)


def _move_to_best_parent(forest: Forest, orders: Orders, prior: Prior, event: Integer) -> bool:
    """Give an event its best parent; return whether that is another one."""
    old = forest.parents[event]
    detach(forest, event)
    aim(forest, event, old)
    best_theta = best_probability(forest, forest.theta[event], _FINE, _FINE_STEPS)[0]
    best_parent = old
    fill_bonus(orders, forest, root_advantage(prior, forest))
    best = gain(forest, best_theta) + orders.bonus[row_of(forest, old)]
    for parent in range(-1, len(forest.parents)):
        if parent == old or (parent >= 0 and forest.inside[parent]):
            continue
        aim(forest, event, parent)
        bonus = orders.bonus[row_of(forest, parent)]
        reached = best_probability(forest, first_guess(forest), _ROUGH, _ROUGH_STEPS)[0]
        if gain(forest, reached) + bonus + _CLOSE < best:
            continue
        reached = best_probability(forest, reached, _FINE, _FINE_STEPS)[0]
        objective = gain(forest, reached) + bonus
        if objective > best + _BETTER:
            best, best_parent, best_theta = objective, parent, reached
    forest.parents[event] = best_parent
    forest.theta[event] = best_theta
    refresh_upwards(forest, event)
    return best_parent != old


def swap_labels(forest: Forest, one: Integer, other: Integer) -> None:
    """Exchange two events of the forest."""
    parents, theta = forest.parents, forest.theta
    for event in range(len(parents)):
        if parents[event] == one:
            parents[event] = other
        elif parents[event] == other:
            parents[event] = one
    parents[one], parents[other] = parents[other], parents[one]
    theta[one], theta[other] = theta[other], theta[one]


def _try_swap(climber: Climber, event: Integer, keep: cython.bint, objective: float) -> float:
    """Put an event in the place of its parent if that gains; return the objective then.

    With `keep` each of the two keeps its own children, otherwise they exchange them. Messages stay
    up to date; only those of the two and of the events before them change.
    """
    parents, theta = climber.forest.parents, climber.forest.theta
    upper = parents[event]
    climber.old_parents[:] = parents
    climber.old_theta[:] = theta
    if keep:
        parents[event], parents[upper] = parents[upper], event
        theta[event], theta[upper] = theta[upper], theta[event]
    else:
        swap_labels(climber.forest, event, upper)
    refresh_upwards(climber.forest, upper)
    for _ in range(2):
        _set_best_theta(climber.forest, event)
        _set_best_theta(climber.forest, upper)
    reached = log_likelihood(climber.forest) + order_gain(climber.orders, climber.forest)
    if reached > objective + _BETTER:
        return reached
    set_forest(climber.forest, climber.old_parents, climber.old_theta)
    refresh_upwards(climber.forest, event)
    return objective


def _swaps(climber: Climber) -> int:
    """Try every event in the place of its parent; return how many swaps gained."""
    parents, theta = climber.forest.parents, climber.forest.theta
    objective = log_likelihood(climber.forest) + order_gain(climber.orders, climber.forest)
    done: cython.Py_ssize_t = 0
    for event in range(len(parents)):
        for keep in range(2):
            if parents[event] >= 0 and theta[event] > _WORTH_A_SWAP:
                reached = _try_swap(climber, event, keep == 1, objective)
                done += reached > objective
                objective = reached
    return done


def _climb(climber: Climber, passes: Integer) -> float:
    n = len(climber.forest.parents)
    objective = _fit_numbers(climber, 0.1, 5)
    if passes == 0:
        return _fit_numbers(climber, 1e-5, 300)
    for _ in range(passes):
        refresh_all(climber.forest)
        changes: cython.Py_ssize_t = 0
        for event in range(n):
            changes += _move_to_best_parent(climber.forest, climber.orders, climber.prior, event)
        if changes == 0:
            changes += _swaps(climber)
        climber.numbers[:n] = climber.forest.theta
        objective = _fit_numbers(climber, 0.01, 10)
        if changes == 0:
            before = objective
            objective = _fit_numbers(climber, 1e-5, 300)
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

    With what seen orders add. The prior part is that of the rates; the caller adds that of the
    forest.

    Parameters
    ----------
    free
        Whether the error rates are improved, too.
    passes
        How often every event is moved at most; 0: the forest is kept, with its best numbers.
    """
    n, climber = len(parents), Climber(table, prior, free)
    with cython.nogil:
        climber.forest.parents[:] = parents
        climber.numbers[:n] = theta
        climber.numbers[n:] = rates
        objective = _climb(climber, passes) + order_gain(climber.orders, climber.forest)
        parents[:] = climber.forest.parents
        theta[:] = climber.numbers[:n]
        rates[:] = climber.numbers[n:]
    return objective


def attachments(
    table: Table, parents: IntArray, theta: FloatArray, rates: FloatArray
) -> FloatArray:
    """Return the log-likelihood of each event under each parent, all else unchanged.

    Rows are parents, the last one the root; relative to the best parent of each event, -inf for
    events of its own subtree. The edge probability of the event is the best for each parent.
    """
    n, forest = len(parents), Forest(table)
    found = np.full((n + 1, n), -np.inf)
    with cython.nogil:
        set_forest(forest, parents, theta)
        set_rates(forest, rates[0], rates[1])
        refresh_all(forest)
        for event in range(n):
            _fill_attachments(forest, event, found)
    return np.asarray(found)


def _fill_attachments(forest: Forest, event: Integer, out: FloatArray) -> None:
    """Fill the column of an event; see `attachments`."""
    n, old = len(forest.parents), forest.parents[event]
    detach(forest, event)
    highest: float = -_INFINITE
    for parent in range(-1, n):
        if parent >= 0 and forest.inside[parent]:
            continue
        aim(forest, event, parent)
        best = best_probability(forest, first_guess(forest), _FINE, _FINE_STEPS)[0]
        row = parent if parent >= 0 else n
        out[row, event] = gain(forest, best)
        highest = max(highest, out[row, event])
    for row in range(n + 1):
        out[row, event] -= highest
    forest.parents[event] = old
    refresh_upwards(forest, event)
