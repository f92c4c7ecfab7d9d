"""Markov chain Monte Carlo over forests, edge probabilities, error rates and subtypes.

A sweep moves every event once, swaps some labels, and moves the error rates. All moves leave the
posterior as it is: each is accepted or refused by Metropolis and Hastings, or draws from a
conditional distribution. The prior probability r of being a root is integrated out while
forests move.

Subtypes are the components of a mixture. A sweep draws first which samples belong to which
component; all moves are given these.

Orders that were seen within samples are part of what is seen: they count for the forest, or for
that of the component that a sample belongs to.

Rates move on the real line: each by itself, by slice sampling, and both together with the edge
probabilities, on which they depend.
"""

from collections.abc import Sequence

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import (
    beta_draw,
    choice,
    forest_draw,
    log_gamma,
    log_gamma_draw,
    normal,
    uniform,
)
from cython.cimports.caprese.kernels.elementary import exp, log, sqrt
from cython.cimports.caprese.kernels.event_moves import Moves, sweep_events
from cython.cimports.caprese.kernels.forest_ascent import Prior, rate_log_density
from cython.cimports.caprese.kernels.forest_messages import (
    Table,
    find_runs,
    log_likelihood,
    log_probabilities,
    log_sum,
    parents_first,
    set_forest,
    set_rates,
)
from cython.cimports.caprese.kernels.forest_orders import (
    add_order_gains,
    fill_before,
    order_gain,
    pool_gains,
)
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, IntArray, Integer, WordArray

_TARGET = 0.3  # of joint moves of rates and probabilities, how many to accept
_INFINITE = float("inf")

# Where the Dirichlet parameter is learnt: its logarithm is uniform between two ends.
LEAST_DIRICHLET, MOST_DIRICHLET = 0.001, 1.0
_DIRICHLET_MOVES, _DIRICHLET_STEP = 3, 1.5

_JOINT = 2  # kind of the joint move: where `tried` and `accepted` count it, after `event_moves`


class Settings:
    """What stays the same in a chain.

    Parameters
    ----------
    prior
        Of forests and error rates.
    free
        Whether the error rates move.
    dirichlet
        Of the weights of the subtypes; 0: learnt, its logarithm uniform from `LEAST_DIRICHLET` to
        `MOST_DIRICHLET`.
    swaps
        Label swaps a sweep.
    slices
        Moves of each rate by itself, a sweep.
    joints
        Moves of the rates together with the edge probabilities, a sweep.
    """

    def __init__(
        self,
        prior: Prior,
        free: cython.bint,
        dirichlet: float,
        swaps: Integer,
        slices: Integer,
        joints: Integer,
    ) -> None:
        self.prior = prior
        self.free = free
        self.dirichlet = dirichlet
        self.swaps, self.slices, self.joints = swaps, slices, joints


class State:
    """Where a chain is; all arrays are written in place.

    Parameters
    ----------
    parents, theta
        Components x events.
    rates
        False positive, false negative.
    log_weights
        Of the components; `dirichlet` is the parameter of their prior.
    members
        Components x genotypes: how many samples.
    stream
        Of random numbers.
    proposal
        What the joint move of rates and edge probabilities has learnt: a number of draws, two
        means, the covariance (first, both, second), log step.
    tried, accepted
        How many moves, by kind: of events, swaps, joint.
    """

    def __init__(
        self,
        parents: IntArray,
        theta: FloatArray,
        rates: FloatArray,
        log_weights: FloatArray,
        members: FloatArray,
        stream: WordArray,
        proposal: FloatArray,
        tried: IntArray,
        accepted: IntArray,
        dirichlet: FloatArray,
    ) -> None:
        self.dirichlet = dirichlet
        self.parents, self.theta, self.rates = parents, theta, rates
        self.log_weights, self.members = log_weights, members
        self.stream, self.proposal = stream, proposal
        self.tried, self.accepted = tried, accepted


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


class SweepRoom:
    """A chain, the tables of its components, and room for a sweep to work in.

    The forest that moves has one table at a time, as `_turn_to` says. The last of the tables holds
    all genotypes: it is that of a single component, or comes after those of several.
    """

    def __init__(self, table: Table, state: State, settings: Settings) -> None:
        components, events = state.parents.shape[0], state.parents.shape[1]
        tables = components + (components > 1)
        self.state, self.settings = state, settings
        self.power = 1.0  # of the likelihood
        self.table = table  # of all genotypes
        self.codes = np.tile(table.codes, (tables, 1, 1))
        self.times, self.ends = (
            np.empty((tables, len(table.times))),
            np.tile(table.ends, (tables, 1)),
        )
        self.times[:] = table.times
        self.genotypes = np.full(tables, table.genotypes, dtype=np.int64)
        self.runs = np.full(tables, table.runs, dtype=np.int64)
        self.order_gains = np.empty((tables, *np.shape(table.order_gains)))
        self.order_gains[:] = table.order_gains
        self.before = np.zeros_like(table.order_gains, dtype=np.uint8)
        self.chosen = np.empty(table.genotypes, dtype=np.int64)
        self.log_probabilities = np.empty((components, table.genotypes))
        self.weights = np.empty(components)
        # Edge probabilities and rates to move to; of each event, the probability now and then.
        self.theta, self.rates = np.empty((components, events)), np.empty(2)
        self.from_root, self.carried = np.empty(events), np.empty(events)
        one = Table(events, table.genotypes)
        self.moves = Moves(one, state.stream, state.tried, state.accepted)


def _turn_to(room: SweepRoom, table: Integer) -> None:
    """Let the forest that moves have one of the tables."""
    room.moves.forest.table.codes = room.codes[table]
    room.moves.forest.table.times = room.times[table]
    room.moves.forest.table.ends = room.ends[table]
    room.moves.forest.table.genotypes = room.genotypes[table]
    room.moves.forest.table.runs = room.runs[table]
    room.moves.orders.gains = room.order_gains[table]


def _enter(room: SweepRoom, state: State, power: float) -> None:
    """Let the room have another chain, whose likelihood is raised to a power."""
    room.state, room.power = state, power
    room.moves.stream = state.stream
    room.moves.tried, room.moves.accepted = state.tried, state.accepted
    if len(room.weights) == 1:
        for d in range(room.table.genotypes):
            room.times[0, d] = power * room.table.times[d]
        _raise_gains(room, room.table.order_gains, 0)


def _raise_gains(room: SweepRoom, gains: FloatArray, table: Integer) -> None:
    """Fill the gains of seen orders in a table, raised to the power."""
    for one in range(gains.shape[0]):
        for other in range(gains.shape[0]):
            room.order_gains[table, one, other] = room.power * gains[one, other]


def _choose_members(room: SweepRoom, component: Integer) -> int:
    """Find the genotypes of a component, those of one sample first; return how many there are."""
    members, found = room.state.members, cython.cast(cython.Py_ssize_t, 0)
    for d in range(members.shape[1]):
        if members[component, d] == 1.0:
            room.chosen[found] = d
            found += 1
    for d in range(members.shape[1]):
        if members[component, d] > 1.0:
            room.chosen[found] = d
            found += 1
    return found


def _fill_table(room: SweepRoom, component: Integer) -> None:
    """Fill the table of a component with the genotypes of its samples."""
    number = _choose_members(room, component)
    for event in range(room.codes.shape[1]):
        for k in range(number):
            room.codes[component, event, k] = room.table.codes[event, room.chosen[k]]
    for k in range(number):
        room.times[component, k] = room.power * room.state.members[component, room.chosen[k]]
    room.genotypes[component] = number
    _turn_to(room, component)
    find_runs(room.moves.forest.table)
    room.runs[component] = room.moves.forest.table.runs
    if len(room.before):
        pool_gains(room.table, room.state.members[component], room.order_gains[component])
        _raise_gains(room, room.order_gains[component], component)


def _fill_log_probabilities(room: SweepRoom) -> None:
    """Fill the log of weight times probability to the power, components x genotypes."""
    _turn_to(room, len(room.genotypes) - 1)
    set_rates(room.moves.forest, room.state.rates[0], room.state.rates[1])
    for component in range(len(room.weights)):
        set_forest(room.moves.forest, room.state.parents[component], room.state.theta[component])
        log_probabilities(room.moves.forest, room.log_probabilities[component])
        if len(room.weights) > 1 and len(room.before):
            fill_before(room.moves.forest, room.before)
            add_order_gains(room.table, room.before, room.log_probabilities[component])
        for d in range(room.table.genotypes):
            room.log_probabilities[component, d] *= room.power
            room.log_probabilities[component, d] += room.state.log_weights[component]


def _mixture_log_likelihood(room: SweepRoom) -> float:
    """Return the log-probability of all samples where the chain is, whatever the memberships.

    With what seen orders add to it.
    """
    _fill_log_probabilities(room)
    total = 0.0
    for d in range(room.table.genotypes):
        total += room.table.times[d] * log_sum(room.log_probabilities, d)
    if len(room.weights) == 1:
        total += order_gain(room.moves.orders, room.moves.forest)
    return total


def state_log_likelihood(table: Table, state: State, settings: Settings) -> float:
    """Return the log-probability of all samples where the chain is, whatever the memberships."""
    room = SweepRoom(table, state, settings)
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


def draw_component(state: State, component: Integer, prior: Prior) -> None:
    """Draw the forest of a component from the prior."""
    n = state.parents.shape[1]
    root_probability = 1.0 / (n + 1.0)
    if uniform(state.stream) >= prior.uniform:
        root_probability = beta_draw(state.stream, prior.first, prior.second)
    forest_draw(state.stream, root_probability, state.parents[component])
    for event in range(n):
        state.theta[component, event] = uniform(state.stream)


def _draw_root_probability(stream: WordArray, prior: Prior, n: Integer, roots: Integer) -> float:
    """Draw r given the number of roots."""
    share = prior.uniform * exp(-(n - 1.0) * log(n + 1.0) - prior.forests[roots])
    if uniform(stream) < share:
        return 1.0 / (n + 1.0)
    return beta_draw(stream, prior.first + roots - 1.0, prior.second + n - roots)


def _rate(x: float) -> float:
    """Return the error rate, in (0, 1/2), of a point on the real line."""
    return 0.5 / (1.0 + exp(-x))


def _point(rate: float) -> float:
    """Return the point on the real line of an error rate."""
    return log(rate) - log(0.5 - rate)


def _rates_objective(room: SweepRoom, theta: FloatArray, rates: FloatArray) -> float:
    """Return the log posterior density of the rates on the real line, memberships given."""
    objective = 0.0
    for which in range(2):
        rate = rates[which]
        if not 0.0 < rate < 0.5:
            return -_INFINITE
        density = rate_log_density(room.settings.prior, rate)
        objective += density + log(rate) + log(1.0 - 2.0 * rate)
    set_rates(room.moves.forest, rates[0], rates[1])
    for component in range(len(room.weights)):
        if room.genotypes[component]:
            _turn_to(room, component)
            set_forest(room.moves.forest, room.state.parents[component], theta[component])
            objective += log_likelihood(room.moves.forest)
    return objective


def _objective_at(room: SweepRoom, which: Integer, x: float) -> float:
    """Return the objective if one rate is that of a point, which is left in the room."""
    room.rates[which] = _rate(x)
    return _rates_objective(room, room.state.theta, room.rates)


def _slice_rate(room: SweepRoom, which: Integer, objective: float) -> float:
    """Draw one rate given all else by slice sampling (Neal 2003); return the objective reached."""
    stream, rates = room.state.stream, room.state.rates
    room.rates[:] = rates
    level = objective + log(uniform(stream))
    centre = _point(rates[which])
    width = 2.0 * sqrt(room.state.proposal[3 + 2 * which]) + 0.05
    low = centre - width * uniform(stream)
    high = low + width
    for _ in range(20):
        if _objective_at(room, which, low) < level:
            break
        low -= width
    for _ in range(20):
        if _objective_at(room, which, high) < level:
            break
        high += width
    while True:
        x = low + (high - low) * uniform(stream)
        reached = _objective_at(room, which, x)
        if reached >= level:
            rates[which] = room.rates[which]
            return reached
        if x < centre:
            low = x
        else:
            high = x


def _carry_theta(room: SweepRoom, component: Integer) -> float:
    """Fill the edge probabilities of the room so that each event is seen as often as before.

    The rates of the room are those to come. Returns the log Jacobian determinant, or -inf where
    no probabilities do so.
    """
    rates = room.state.rates
    before = 1.0 - rates[0] - rates[1]
    after = 1.0 - room.rates[0] - room.rates[1]
    set_forest(room.moves.forest, room.state.parents[component], room.state.theta[component])
    parents_first(room.moves.forest)
    log_determinant = 0.0
    for position in range(len(room.carried)):
        event = room.moves.forest.order[position]
        parent = room.moves.forest.parents[event]
        above = room.from_root[parent] if parent >= 0 else 1.0
        above_carried = room.carried[parent] if parent >= 0 else 1.0
        room.from_root[event] = above * room.moves.forest.theta[event]
        shown = rates[0] + before * room.from_root[event]
        room.carried[event] = (shown - room.rates[0]) / after
        theta = room.carried[event] / above_carried if above_carried > 0.0 else -1.0
        if not 0.0 < theta < 1.0:
            return -_INFINITE
        room.theta[component, event] = theta
        log_determinant += log(before / after * above / above_carried)
    return log_determinant


def _propose_rates(state: State, rates: FloatArray) -> None:
    """Draw rates around those of the chain, as the joint move has learnt."""
    one, other = normal(state.stream), normal(state.stream)
    scale = exp(state.proposal[6])
    deviation = sqrt(state.proposal[3])
    tilt = state.proposal[4] / deviation
    rest = sqrt(max(state.proposal[5] - tilt * tilt, 1e-6))
    rates[0] = _rate(_point(state.rates[0]) + scale * deviation * one)
    rates[1] = _rate(_point(state.rates[1]) + scale * (tilt * one + rest * other))


def _joint_move(room: SweepRoom, objective: float) -> tuple[float, bool]:
    """Move both rates, and the edge probabilities so that events are seen as often as before.

    Rates and probabilities depend on each other: with more false positives, events are rarer.
    Returns the objective reached, and whether the move was accepted.
    """
    _propose_rates(room.state, room.rates)
    room.theta[:, :] = room.state.theta
    log_determinant = 0.0
    for component in range(len(room.weights)):
        if room.genotypes[component]:
            log_determinant += _carry_theta(room, component)
    reached: float = -_INFINITE
    if log_determinant > -_INFINITE:
        reached = _rates_objective(room, room.theta, room.rates)
    room.state.tried[_JOINT] += 1
    if log(uniform(room.state.stream)) < reached - objective + log_determinant:
        room.state.rates[:] = room.rates
        room.state.theta[:, :] = room.theta
        room.state.accepted[_JOINT] += 1
        return reached, True
    return objective, False


def _learn(state: State, accepted: cython.bint) -> None:
    """Let the joint move learn the covariance of the rates and its step, during warm-up only."""
    proposal = state.proposal
    proposal[0] += 1.0
    share = 1.0 / (proposal[0] + 10.0)
    x, y = _point(state.rates[0]) - proposal[1], _point(state.rates[1]) - proposal[2]
    proposal[1] += share * x
    proposal[2] += share * y
    proposal[3] += share * (x * x - proposal[3]) + 1e-6
    proposal[4] += share * (x * y - proposal[4])
    proposal[5] += share * (y * y - proposal[5]) + 1e-6
    proposal[6] += ((1.0 if accepted else 0.0) - _TARGET) / sqrt(proposal[0] + 1.0)


def _move_rates(room: SweepRoom, learning: cython.bint) -> None:
    """Move both error rates, with the edge probabilities and each by itself."""
    objective = _rates_objective(room, room.state.theta, room.state.rates)
    for _ in range(room.settings.joints):
        objective, accepted = _joint_move(room, objective)
        if learning:
            _learn(room.state, accepted)
    for _ in range(room.settings.slices):
        for which in range(2):
            objective = _slice_rate(room, which, objective)


def _sweep(room: SweepRoom, learning: cython.bint) -> None:
    """Move everything once."""
    components = len(room.weights)
    if components > 1:
        _fill_log_probabilities(room)
        _draw_members(room)
        if room.settings.dirichlet == 0.0:
            _move_dirichlet(room)
        draw_weights(room.state, room.state.dirichlet[0])
    set_rates(room.moves.forest, room.state.rates[0], room.state.rates[1])
    for component in range(components):
        if components > 1:
            _fill_table(room, component)
        if room.genotypes[component]:
            _sweep_component(room, component)
        else:
            draw_component(room.state, component, room.settings.prior)
    if room.settings.free:
        _move_rates(room, learning)


def _sweep_component(room: SweepRoom, component: Integer) -> None:
    """Move the events of one component."""
    parents, theta = room.state.parents[component], room.state.theta[component]
    _turn_to(room, component)
    set_forest(room.moves.forest, parents, theta)
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
    records.rates[draw, :] = room.state.rates
    for component in range(len(room.weights)):
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
    set_rates(room.moves.forest, room.state.rates[0], room.state.rates[1])
    total = 0.0
    for component in range(len(room.weights)):
        if room.genotypes[component]:
            _turn_to(room, component)
            set_forest(
                room.moves.forest, room.state.parents[component], room.state.theta[component]
            )
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
        one.rates[rate], other.rates[rate] = other.rates[rate], one.rates[rate]


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
