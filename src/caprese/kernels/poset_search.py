"""Search over posets by maximum likelihood: simulated annealing, then hill climbing.

A fitted poset is a tuple of its parents, its point (rates, then the error rate) and its maximised
log-likelihood. Both searches take a few steps and return their state, so that the caller can report
progress and stop them. Limits and target are those of `poset_em.maximise_likelihood`. Python calls
`search` only: what it calls is compiled once for all of it.
"""

import math

import numpy as np

from caprese.kernels.arrays import copy_into
from caprese.kernels.compiling import kernel
from caprese.kernels.poset_em import maximise_likelihood
from caprese.kernels.posets import KINDS, ancestor_sets, equal, neighbour
from caprese.kernels.random import next_state, random_bits

_ATTEMPTS = 1000  # to draw a possible move; nearly every draw is one
_UNIT = 2.0**-53


@kernel
def search(current, best, free, data, refit, annealing, climbing, limits):  # type: ignore[no-untyped-def]
    """Fit the current poset if asked to, then anneal for a while, then climb for a while.

    Parameters
    ----------
    annealing
        Temperatures and the state of the random stream, as `_anneal` takes them.
    climbing
        The number of the next move, how many have failed, which, and how many to try, as
        `_hill_climb` takes them.

    Returns
    -------
    current, best
        The current poset, and the best one so far.
    state, at, failed
        Where annealing and climbing go on.
    """
    temperatures, state = annealing
    at, failed, tried, moves = climbing
    if refit:
        current = best = _fitted(current[0], current[1], data, limits, -np.inf)
    current, best, state = _anneal(current, best, free, data, temperatures, state, limits)
    current, at, failed = _hill_climb(current, free, data, at, failed, tried, moves, limits)
    return current, best, state, at, failed


@kernel
def _fitted(parents, point, data, limits, target):  # type: ignore[no-untyped-def]
    """Return the fitted poset, starting from the point of another.

    The starting rates are moderate: where rates tend to infinity the likelihood is flat, and its
    gradient does not lead back.
    """
    n = len(parents)
    rates = np.empty(n)
    for event in range(n):
        rates[event] = min(max(point[event], 0.1), 10.0)
    rates, error, log_likelihood, _converged = maximise_likelihood(
        ancestor_sets(parents), rates, point[n], data, limits, target
    )
    best_point = np.empty(n + 1)
    copy_into(best_point, rates)
    best_point[n] = error
    return parents, best_point, log_likelihood


@kernel
def _anneal(current, best, free, data, temperatures, state, limits):  # type: ignore[no-untyped-def]
    """Take one annealing step at each temperature, a random move of the events `free`.

    A step that lowers the log-likelihood is taken with probability exp(change / temperature).
    Returns the current poset, the best one so far, and the state of the random stream.
    """
    for temperature in temperatures:
        candidate, state = _random_neighbour(current[0], free, state)
        state = next_state(state)
        chance = np.float64(random_bits(state) >> np.uint64(11)) * _UNIT
        target = current[2] + temperature * math.log(max(chance, _UNIT))
        other = _fitted(candidate, current[1], data, limits, target)
        if other[2] >= target:
            current = other
            if current[2] > best[2]:
                best = current
    return current, best, state


@kernel
def _hill_climb(current, free, data, at, failed, tried, moves, limits):  # type: ignore[no-untyped-def]
    """Try a number of moves in turn, from number `at` on, and take each that improves.

    Returns the current poset, the number of the next move, and how many in a row have failed.
    Where they led to is in `tried`: several moves may lead to the same poset.
    """
    m = len(free)
    for _ in range(moves):
        kind, one, other = at // (m * m), free[at // m % m], free[at % m]
        candidate = neighbour(current[0], kind, one, other)
        at = (at + 1) % (KINDS * m * m)
        new = not equal(candidate, current[0])
        for before in range(failed):
            new = new and not equal(candidate, tried[before])
        copy_into(tried[failed], candidate)
        failed += 1
        if new:
            target = current[2] + limits[1]
            better = _fitted(candidate, current[1], data, limits, target)
            if better[2] > target:
                current, failed = better, 0
        if failed == len(tried):
            break
    return current, at, failed


@kernel
def _random_neighbour(parents, free, state):  # type: ignore[no-untyped-def]
    """Return the poset after a random move; the poset itself, if no move is possible."""
    for _ in range(_ATTEMPTS):
        state = next_state(state)
        draw = np.int64(random_bits(state) >> np.uint64(1))
        kind, draw = draw % KINDS, draw // KINDS
        one, draw = free[draw % len(free)], draw // len(free)
        candidate = neighbour(parents, kind, one, free[draw % len(free)])
        if not equal(candidate, parents):
            return candidate, state
    return parents, state
