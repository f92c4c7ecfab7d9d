"""Markov chain Monte Carlo over forests, edge probabilities, error rates and subtypes.

A sweep moves every event once, swaps some labels, and moves the error rates. All moves leave the
posterior as it is: each is accepted or refused by Metropolis and Hastings, or draws from a
conditional distribution. The prior probability r of being a root is integrated out while
forests move.

Subtypes are the components of a mixture. A sweep first moves their forests, with the memberships
of samples summed over, then draws which samples belong to which component; what follows is given
these.

Orders that were seen within samples are part of what is seen: they count for the forest, or for
that of the component that a sample belongs to.
"""

from collections.abc import Sequence

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import (
    below,
    beta_draw,
    choice,
    log_gamma,
    log_gamma_draw,
    normal,
    uniform,
)
from cython.cimports.caprese.kernels.elementary import exp, log, log1p
from cython.cimports.caprese.kernels.event_moves import sweep_events
from cython.cimports.caprese.kernels.forest_ascent import Prior
from cython.cimports.caprese.kernels.forest_messages import Table, log_likelihood, log_sum
from cython.cimports.caprese.kernels.forest_orders import order_gain
from cython.cimports.caprese.kernels.rate_moves import move_rates
from cython.cimports.caprese.kernels.split_moves import split_or_unite
from cython.cimports.caprese.kernels.sweep_room import (
    Settings,
    State,
    SweepRoom,
    draw_component,
    fill_component,
    fill_table,
    raise_gains,
    set_component,
    turn_to,
)
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, Integer, WordArray

_INFINITE = float("inf")

_LEAST_COUNT = 0.5  # samples that are expected in a component whose forest moves with all of them
_LEAST_LOG = -690.0  # log-probabilities below this count as this, where they are divided by
_EARLY_SPLITS = 4  # splits and unions that are tried in a sweep of the warm-up
_WEIGHT_MOVES, _WEIGHT_STEP = 12, 1.0  # how many in a sweep, and how far, of the log odds

# Where the Dirichlet parameter is learnt: its logarithm is uniform between two ends.
LEAST_DIRICHLET, MOST_DIRICHLET = 0.001, 1.0
_DIRICHLET_MOVES, _DIRICHLET_STEP = 3, 1.5


class Records:
    """What is kept of a chain, a row for each draw."""

    def __init__(
        self,
        parents: NDArray[np.int32],
        theta: FloatArray,
        rates: FloatArray,
        weights: FloatArray,
        root_probability: FloatArray,
        log_likelihood: FloatArray,
    ) -> None:
        self.parents, self.theta, self.rates, self.weights = parents, theta, rates, weights
        self.root_probability, self.log_likelihood = root_probability, log_likelihood


def _enter(room: SweepRoom, state: State, power: float) -> None:
    """Let the room have another chain, whose likelihood is raised to a power."""
    room.state, room.power = state, power
    room.moves.stream = state.stream
    room.moves.tried, room.moves.accepted = state.tried, state.accepted
    if len(room.weights) == 1:
        for d in range(room.table.genotypes):
            room.times[0, d] = power * room.table.times[d]
        raise_gains(room, room.table.order_gains, 0)


def _fill_log_probabilities(room: SweepRoom) -> None:
    """Fill the log of weight times probability to the power, components x genotypes."""
    turn_to(room, len(room.genotypes) - 1)
    for component in range(len(room.weights)):
        fill_component(room, component)


def _summed(room: SweepRoom) -> float:
    """Return the log-probability of all samples by what is filled, memberships summed over."""
    total: float = 0.0
    for d in range(room.table.genotypes):
        total += room.table.times[d] * log_sum(room.log_probabilities, d)
    return total


def _mixture_log_likelihood(room: SweepRoom) -> float:
    """Return the log-probability of all samples where the chain is, whatever the memberships.

    With what seen orders add to it.
    """
    _fill_log_probabilities(room)
    total = _summed(room)
    if len(room.weights) == 1:
        total += order_gain(room.moves.orders, room.moves.forest)
    return total


def state_log_likelihood(
    table: Table, state: State, settings: Settings, power: float = 1.0
) -> float:
    """Return the log-probability of all samples where the chain is, whatever the memberships.

    That of each sample, given its component, is raised to a power.
    """
    room = SweepRoom(table, state, settings)
    room.power = power
    with cython.nogil:
        return _mixture_log_likelihood(room)


def _draw_members(room: SweepRoom) -> None:
    """Draw which samples belong to which component, sample by sample."""
    components = len(room.weights)
    for d in range(room.table.genotypes):
        for component in range(components):
            room.state.members[component, d] = 0.0
            room.weights[component] = room.log_probabilities[component, d]
        samples: cython.Py_ssize_t = int(room.table.times[d])
        for _ in range(samples):
            chosen = choice(room.state.stream, room.weights, components)
            room.state.members[chosen, d] += 1.0


def _log_chance(room: SweepRoom, dirichlet: float) -> float:
    """Return the log-probability of the memberships, whatever the weights, up to a constant."""
    components, total = len(room.weights), 0.0
    found: float = log_gamma(components * dirichlet) - components * log_gamma(dirichlet)
    for component in range(components):
        found += log_gamma(dirichlet + room.weights[component])
        total += room.weights[component]
    return found - log_gamma(components * dirichlet + total)


def _move_dirichlet(room: SweepRoom) -> None:
    """Move the Dirichlet parameter, given how many samples each component has."""
    for component in range(len(room.weights)):
        room.weights[component] = 0.0
        for d in range(room.table.genotypes):
            room.weights[component] += room.state.members[component, d]
    before = _log_chance(room, room.state.dirichlet[0])
    for _ in range(_DIRICHLET_MOVES):
        moved = room.state.dirichlet[0] * exp(_DIRICHLET_STEP * normal(room.state.stream))
        chance = log(uniform(room.state.stream))
        if LEAST_DIRICHLET < moved < MOST_DIRICHLET:
            after = _log_chance(room, moved)
            if chance < after - before:
                room.state.dirichlet[0], before = moved, after


def draw_weights(state: State, dirichlet: float) -> None:
    """Draw the weights of the components given how many samples each has."""
    components = state.parents.shape[0]
    most: float = -_INFINITE
    for component in range(components):
        shape: float = dirichlet
        for d in range(state.members.shape[1]):
            shape += state.members[component, d]
        state.log_weights[component] = log_gamma_draw(state.stream, shape)
        most = max(most, state.log_weights[component])
    total = 0.0
    for component in range(components):
        total += exp(state.log_weights[component] - most)
    for component in range(components):
        state.log_weights[component] -= most + log(total)


def _set_weight(room: SweepRoom, component: Integer, log_weight: float) -> float:
    """Give a component another weight; return by how much its logarithm changes."""
    change = log_weight - room.state.log_weights[component]
    room.state.log_weights[component] = log_weight
    for d in range(room.table.genotypes):
        room.log_probabilities[component, d] += change
    return change


def _move_weights(room: SweepRoom) -> None:
    """Divide the weights of two components anew, memberships summed over, some times.

    Where components overlap, weights hardly move given the memberships.
    """
    weights = room.state.log_weights
    reached = _summed(room)
    for _ in range(_WEIGHT_MOVES):
        one = below(room.state.stream, len(room.weights))
        other: cython.Py_ssize_t = below(room.state.stream, len(room.weights) - 1)
        other += other >= one
        old_one: float = weights[one]
        old_other: float = weights[other]
        both = max(old_one, old_other) + log1p(exp(-abs(old_one - old_other)))
        odds = old_one - old_other + _WEIGHT_STEP * normal(room.state.stream)
        change = _set_weight(room, one, both - max(-odds, 0.0) - log1p(exp(-abs(odds))))
        change += _set_weight(room, other, weights[one] - odds)
        after = _summed(room)
        ratio = after - reached + room.state.dirichlet[0] * change
        if log(uniform(room.state.stream)) < ratio:
            reached = after
        else:
            _set_weight(room, one, old_one)
            _set_weight(room, other, old_other)


def _draw_root_probability(stream: WordArray, prior: Prior, n: Integer, roots: Integer) -> float:
    """Draw r given the number of roots."""
    share = prior.uniform * exp(-(n - 1.0) * log(n + 1.0) - prior.forests[roots])
    if uniform(stream) < share:
        return 1.0 / (n + 1.0)
    return beta_draw(stream, prior.first + roots - 1.0, prior.second + n - roots)


def _sweep(room: SweepRoom, learning: cython.bint) -> None:
    """Move everything once."""
    components = len(room.weights)
    mixed: cython.bint = components > 1 and room.power == 1.0 and not len(room.before)
    if components > 1:
        _fill_log_probabilities(room)
        if mixed:
            for component in range(components):
                if _counts(room, component):
                    _sweep_mixed(room, component)
            _move_weights(room)
        _draw_members(room)
        if room.settings.dirichlet == 0.0:
            _move_dirichlet(room)
        draw_weights(room.state, room.state.dirichlet[0])
        if not len(room.before):
            for _ in range(_EARLY_SPLITS if learning else 1):
                split_or_unite(room)
    for component in range(components):
        if components > 1:
            fill_table(room, component, room.state.members[component])
        if room.genotypes[component] == 0:
            draw_component(room.state, component, room.settings.prior)
        elif not (mixed and _counts(room, component)):
            turn_to(room, component)
            _sweep_component(room, component)
    if room.settings.free:
        move_rates(room, learning)


def _counts(room: SweepRoom, component: Integer) -> bool:
    """Whether a component has so much weight that samples of all others count for its forest."""
    least = log(_LEAST_COUNT) - log(max(room.samples, 1.0))
    return room.state.log_weights[component] > least


def _sweep_mixed(room: SweepRoom, component: Integer) -> None:
    """Move the events of one component, whatever the memberships."""
    turn_to(room, len(room.genotypes) - 1)
    _mix(room, component)
    _sweep_component(room, component)
    room.moves.forest.mixed = False
    fill_component(room, component)


def _mix(room: SweepRoom, component: Integer) -> None:
    """Let the forest that moves be part of the mixture."""
    room.moves.forest.mixed = True
    own = room.state.log_weights[component]
    for d in range(room.table.genotypes):
        shift = max(log_sum(room.log_probabilities, d), _LEAST_LOG)
        rest: float = 0.0
        for other in range(len(room.weights)):
            if other != component:
                rest += exp(room.log_probabilities[other, d] - shift)
        room.moves.forest.rest[d] = rest
        room.moves.forest.factor[d] = exp(own - shift)


def _sweep_component(room: SweepRoom, component: Integer) -> None:
    """Move the events of one component, given the genotypes of the forest that moves."""
    parents, theta = room.state.parents[component], room.state.theta[component]
    set_component(room, component)
    sweep_events(room.moves, room.settings.prior, room.settings.swaps)
    parents[:] = room.moves.forest.parents
    theta[:] = room.moves.forest.theta


def sweep(table: Table, state: State, settings: Settings) -> None:
    """Move everything once, as after warm-up."""
    room = SweepRoom(table, state, settings)
    with cython.nogil:
        _sweep(room, False)


def _record(room: SweepRoom, records: Records, draw: Integer) -> None:
    """Keep where the chain is."""
    n = len(room.carried)
    for component in range(len(room.weights)):
        records.rates[draw, component, :] = room.state.rates[component]
        roots: cython.Py_ssize_t = 0
        for event in range(n):
            records.parents[draw, component, event] = room.state.parents[component, event]
            records.theta[draw, component, event] = room.state.theta[component, event]
            if room.state.parents[component, event] < 0:
                roots += 1
        records.weights[draw, component] = exp(room.state.log_weights[component])
        records.root_probability[draw, component] = _draw_root_probability(
            room.state.stream, room.settings.prior, n, roots
        )
    records.log_likelihood[draw] = _mixture_log_likelihood(room)


def _members_log_likelihood(room: SweepRoom) -> float:
    """Return the log-probability of all samples, memberships given, with that of seen orders."""
    total = 0.0
    for component in range(len(room.weights)):
        if room.genotypes[component]:
            turn_to(room, component)
            set_component(room, component)
            total += log_likelihood(room.moves.forest)
            total += order_gain(room.moves.orders, room.moves.forest)
    return total / room.power


def _exchange(one: State, other: State) -> None:
    """Let two chains go on from where the other is; each keeps what its moves have learnt."""
    for component in range(one.parents.shape[0]):
        one.log_weights[component], other.log_weights[component] = (
            other.log_weights[component],
            one.log_weights[component],
        )
        one.own[component], other.own[component] = other.own[component], one.own[component]
        for rate in range(2):
            one.rates[component, rate], other.rates[component, rate] = (
                other.rates[component, rate],
                one.rates[component, rate],
            )
        for event in range(one.parents.shape[1]):
            one.parents[component, event], other.parents[component, event] = (
                other.parents[component, event],
                one.parents[component, event],
            )
            one.theta[component, event], other.theta[component, event] = (
                other.theta[component, event],
                one.theta[component, event],
            )
        for d in range(one.members.shape[1]):
            one.members[component, d], other.members[component, d] = (
                other.members[component, d],
                one.members[component, d],
            )
    one.dirichlet[0], other.dirichlet[0] = other.dirichlet[0], one.dirichlet[0]
    for rate in range(2):
        one.common[rate], other.common[rate] = other.common[rate], one.common[rate]


def run(
    table: Table,
    rungs: Sequence[State],
    powers: FloatArray,
    settings: Settings,
    records: Records,
    start: Integer,
    stop: Integer,
    thin: Integer,
    learning: cython.bint,
) -> None:
    """Sweep from number `start` to `stop`, and record every `thin`-th sweep.

    Parallel tempering: the likelihood of each rung is raised to a power, that of the first to 1.
    After a sweep of all, neighbours may exchange where they are: every other pair in turn.
    """
    room = SweepRoom(table, rungs[0], settings)
    reached = np.empty(len(rungs))
    for number in range(start, stop):
        for k in range(len(rungs)):
            _enter(room, rungs[k], powers[k])
            reached[k] = _swept(room, learning)
        for k in range(number % 2, len(rungs) - 1, 2):
            ratio = (powers[k] - powers[k + 1]) * (reached[k + 1] - reached[k])
            if log(uniform(rungs[k].stream)) < ratio:
                _exchange(rungs[k], rungs[k + 1])
        if (number + 1) % thin == 0:
            _enter(room, rungs[0], powers[0])
            with cython.nogil:
                _record(room, records, (number + 1) // thin - 1)


def _swept(room: SweepRoom, learning: cython.bint) -> float:
    """Sweep; return the log-probability of all samples, memberships given."""
    with cython.nogil:
        _sweep(room, learning)
        return _members_log_likelihood(room)
