"""Ascent to the likeliest or most probable forest: new parents, swaps, and the numbers by EM.

The objective is the log-likelihood plus the logarithm of the prior density of forest and error
rates; with a flat prior, the log-likelihood alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import copy_into, fill, norm, sum_of
from caprese.kernels.compiling import kernel
from caprese.kernels.forest_messages import (
    LEAST,
    aim,
    best_probability,
    detach,
    fill_reach,
    first_guess,
    gain,
    lift,
    log_likelihood,
    messages,
    refresh_all,
    refresh_upwards,
    seen_probabilities,
)

_MOST_RATE = 0.5 - 1e-6
_BETTER = 1e-7  # what a change must gain, so that rounding does not decide
_ROUGH, _ROUGH_STEPS = 0.1, 8
_FINE, _FINE_STEPS = 1e-6, 40
_WORTH_A_SWAP = 0.5  # a child that is much rarer than its parent cannot take its place
_CLOSE = 0.1  # a rough maximum that misses by more is not refined


class Prior(NamedTuple):
    """Numbers of the prior.

    Forests are uniform with probability `uniform`, else they have roots with a probability
    r ~ Beta(first, second); error rates are Beta(rate_first, rate_second) below 1/2.
    """

    first: float
    second: float
    uniform: float
    rate_first: float
    rate_second: float
    forests: NDArray[np.float64]  # by the number of roots, the log-probability of a forest


@kernel(borrows=True)
def root_advantage(prior, roots):  # type: ignore[no-untyped-def]
    """Return the log prior odds of the root, against any one event, as the parent of an event.

    Parameters
    ----------
    roots
        How many of the other events are roots; none if all others come after the event.
    """
    return prior.forests[roots + 1] - prior.forests[roots] if roots > 0 else 0.0


@kernel(borrows=True)
def rate_log_density(prior, rate):  # type: ignore[no-untyped-def]
    """Return the log prior density of an error rate up to a constant."""
    density = 0.0
    if prior.rate_first != 1.0:
        density += (prior.rate_first - 1.0) * np.log(rate)
    if prior.rate_second != 1.0:
        density += (prior.rate_second - 1.0) * np.log1p(-rate)
    return density


@kernel
def _objective(table, parents, theta, rates, prior):  # type: ignore[no-untyped-def]
    """Return log-likelihood plus log prior density of the rates."""
    seen = seen_probabilities(rates[0], rates[1])
    objective = log_likelihood(table, parents, theta, seen)
    return objective + rate_log_density(prior, rates[0]) + rate_log_density(prior, rates[1])


@kernel
def _expectation_step(table, parents, theta, rates, prior, free, work):  # type: ignore[no-untyped-def]
    """Improve edge probabilities and rates in place by one step of EM."""
    n, times = len(parents), table.times
    seen = seen_probabilities(rates[0], rates[1])
    refresh_all(table, parents, theta, seen, work)
    fill_reach(parents, work)
    occurred = np.zeros(n)
    counts = np.zeros((2, 3))
    for event in range(n):
        reach, codes = work.reach[event], table.codes[event]
        for d in range(len(times)):
            weighted = times[d] * reach[d]
            occurred[event] += weighted
            counts[1, codes[d]] += weighted
            counts[0, codes[d]] += times[d] - weighted
    total = sum_of(times)
    for event in range(n):
        chances = occurred[parents[event]] if parents[event] >= 0 else total
        if chances > 0.0:
            theta[event] = min(max(occurred[event] / chances, LEAST), 1.0 - LEAST)
    if free:
        for rate in range(2):
            wrong = counts[rate, 1 - rate] + prior.rate_first - 1.0
            right = counts[rate, rate] + prior.rate_second - 1.0
            if wrong + right > 0.0:
                rates[rate] = min(max(wrong / (wrong + right), LEAST), _MOST_RATE)


@kernel
def fit_numbers(table, parents, theta, rates, prior, free, work, tolerance, rounds):  # type: ignore[no-untyped-def]
    """Improve edge probabilities and rates in place for the forest as it is; return the objective.

    EM, accelerated by squared extrapolation on the logit scale where that does not go downhill.
    """
    n = len(parents)
    points = np.empty((3, n + 2))
    change, bend = np.empty(n + 2), np.empty(n + 2)
    trial_theta, trial_rates = theta.copy(), rates.copy()
    objective = _objective(table, parents, theta, rates, prior)
    for _ in range(rounds):
        copy_into(trial_theta, theta)
        copy_into(trial_rates, rates)
        for k in range(3):
            if k:
                _expectation_step(table, parents, trial_theta, trial_rates, prior, free, work)
            for event in range(n):
                points[k, event] = np.log(trial_theta[event]) - np.log1p(-trial_theta[event])
            for rate in range(2):
                moved = np.log(trial_rates[rate] + 1e-12) - np.log1p(-trial_rates[rate])
                points[k, n + rate] = moved
        for k in range(n + 2):
            change[k] = points[1, k] - points[0, k]
            bend[k] = points[2, k] - points[1, k] - change[k]
        size = norm(bend)
        plain_theta, plain_rates = trial_theta.copy(), trial_rates.copy()
        if size > 0.0:
            length = max(1.0, norm(change) / size)
            for k in range(n + 2 if free else n):
                far = points[0, k] + 2.0 * length * change[k] + length * length * bend[k]
                moved = 1.0 / (1.0 + np.exp(-far))
                if k < n:
                    trial_theta[k] = min(max(moved, LEAST), 1 - LEAST)
                else:
                    trial_rates[k - n] = min(max(moved, LEAST), _MOST_RATE)
        reached = _objective(table, parents, trial_theta, trial_rates, prior)
        plain = _objective(table, parents, plain_theta, plain_rates, prior)
        if not reached >= plain:
            trial_theta, trial_rates, reached = plain_theta, plain_rates, plain
        if not reached > objective:
            break
        gained, objective = reached - objective, reached
        copy_into(theta, trial_theta)
        copy_into(rates, trial_rates)
        if gained < tolerance:
            break
    return objective


@kernel
def _best_theta(table, parents, theta, seen, work, event):  # type: ignore[no-untyped-def]
    """Set the edge probability of an event to its best value; messages stay up to date."""
    parent = lift(table, parents, theta, seen, work, event)
    aim(work, event, parent)
    theta[event] = best_probability(table, work, theta[event], _FINE, _FINE_STEPS)[0]
    parents[event] = parent
    refresh_upwards(table, parents, theta, seen, work, event)


@kernel
def _best_parent(table, parents, theta, seen, prior, work, event, inside):  # type: ignore[no-untyped-def]
    """Give an event its best parent; return whether that is another one."""
    n = len(parents)
    old = parents[event]
    detach(table, parents, theta, seen, work, event, inside)
    roots = 0
    for other in range(n):
        roots += parents[other] < 0 and other != event
    aim(work, event, old)
    best_theta = best_probability(table, work, theta[event], _FINE, _FINE_STEPS)[0]
    best_parent = old
    best = gain(table, work, best_theta)
    advantage = root_advantage(prior, roots)
    if old < 0:
        best += advantage
    for parent in range(-1, n):
        if parent == old or (parent >= 0 and inside[parent]):
            continue
        aim(work, event, parent)
        guess = first_guess(table, work, event, parent)
        bonus = advantage if parent < 0 else 0.0
        reached = best_probability(table, work, guess, _ROUGH, _ROUGH_STEPS)[0]
        if gain(table, work, reached) + bonus + _CLOSE < best:
            continue
        reached = best_probability(table, work, reached, _FINE, _FINE_STEPS)[0]
        objective = gain(table, work, reached) + bonus
        if objective > best + _BETTER:
            best, best_parent, best_theta = objective, parent, reached
    parents[event] = best_parent
    theta[event] = best_theta
    refresh_upwards(table, parents, theta, seen, work, event)
    return best_parent != old


@kernel
def swap_labels(parents, theta, one, other):  # type: ignore[no-untyped-def]
    """Exchange two events of the forest, in place."""
    n = len(parents)
    for event in range(n):
        if parents[event] == one:
            parents[event] = other
        elif parents[event] == other:
            parents[event] = one
    parents[one], parents[other] = parents[other], parents[one]
    theta[one], theta[other] = theta[other], theta[one]


@kernel
def _try_swap(table, parents, theta, seen, work, event, keep, objective):  # type: ignore[no-untyped-def]
    """Put an event in the place of its parent if that gains; return the objective then.

    With `keep` each of the two keeps its own children, otherwise they exchange them. Messages stay
    up to date; only those of the two and of the events before them change.
    """
    upper = parents[event]
    tried, tried_theta = parents.copy(), theta.copy()
    if keep:
        tried[event], tried[upper] = parents[upper], event
        tried_theta[event], tried_theta[upper] = theta[upper], theta[event]
    else:
        swap_labels(tried, tried_theta, event, upper)
    refresh_upwards(table, tried, tried_theta, seen, work, upper)
    for _ in range(2):
        _best_theta(table, tried, tried_theta, seen, work, event)
        _best_theta(table, tried, tried_theta, seen, work, upper)
    reached = log_likelihood(table, tried, tried_theta, seen)
    if reached > objective + _BETTER:
        copy_into(parents, tried)
        copy_into(theta, tried_theta)
        return reached
    refresh_upwards(table, parents, theta, seen, work, event)
    return objective


@kernel
def _swaps(table, parents, theta, seen, work):  # type: ignore[no-untyped-def]
    """Try every event in the place of its parent; return how many swaps gained."""
    objective = log_likelihood(table, parents, theta, seen)
    done = 0
    for event in range(len(parents)):
        for keep in (False, True):
            if parents[event] >= 0 and theta[event] > _WORTH_A_SWAP:
                reached = _try_swap(table, parents, theta, seen, work, event, keep, objective)
                done += reached > objective
                objective = reached
    return done


@kernel
def ascend(table, parents, theta, rates, prior, free, passes):  # type: ignore[no-untyped-def]
    """Climb from a forest, in place, until nothing gains; return log-likelihood plus log prior.

    The prior part is that of the rates; the caller adds that of the forest.
    """
    n = len(parents)
    work = messages(n, len(table.times))
    inside = np.empty(n, dtype=np.bool_)
    objective = fit_numbers(table, parents, theta, rates, prior, free, work, 0.1, 5)
    for _ in range(passes):
        seen = seen_probabilities(rates[0], rates[1])
        refresh_all(table, parents, theta, seen, work)
        changes = 0
        for event in range(n):
            changes += _best_parent(table, parents, theta, seen, prior, work, event, inside)
        if changes == 0:
            changes += _swaps(table, parents, theta, seen, work)
        objective = fit_numbers(table, parents, theta, rates, prior, free, work, 0.01, 10)
        if changes == 0:
            before = objective
            objective = fit_numbers(table, parents, theta, rates, prior, free, work, 1e-5, 300)
            if objective - before < 0.01:
                break
    return objective


@kernel
def attachments(table, parents, theta, rates):  # type: ignore[no-untyped-def]
    """Return the log-likelihood of each event under each parent, all else unchanged.

    Rows are parents, the last one the root; relative to the best parent of each event, -inf for
    events of its own subtree. The edge probability of the event is the best for each parent.
    """
    n = len(parents)
    work = messages(n, table.codes.shape[1])
    seen = seen_probabilities(rates[0], rates[1])
    inside = np.empty(n, dtype=np.bool_)
    found = np.empty((n + 1, n))
    for parent in range(n + 1):
        fill(found[parent], -np.inf)
    refresh_all(table, parents, theta, seen, work)
    for event in range(n):
        old = parents[event]
        detach(table, parents, theta, seen, work, event, inside)
        for parent in range(-1, n):
            if parent >= 0 and inside[parent]:
                continue
            aim(work, event, parent)
            best = best_probability(
                table, work, first_guess(table, work, event, parent), _FINE, _FINE_STEPS
            )[0]
            found[parent, event] = gain(table, work, best)  # -1 is the last row
        highest = -np.inf
        for parent in range(n + 1):
            highest = max(highest, found[parent, event])
        for parent in range(n + 1):
            found[parent, event] -= highest
        parents[event] = old
        refresh_upwards(table, parents, theta, seen, work, event)
    return found
