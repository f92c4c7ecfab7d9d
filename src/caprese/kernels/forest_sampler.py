"""Markov chain Monte Carlo over forests, edge probabilities, error rates and subtypes.

A sweep moves every event once, swaps some labels, and moves the error rates. All moves leave the
posterior as it is: each is accepted or refused by Metropolis and Hastings, or draws from a
conditional distribution. The prior probability r of being a root is integrated out while
forests move.

Subtypes are the components of a mixture. A sweep draws first which samples belong to which
component; all moves are given these.

Rates move on the real line: each by itself, by slice sampling, and both together with the edge
probabilities, on which they depend.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import (
    beta_draw,
    choice,
    forest_draw,
    log_gamma_draw,
    normal,
    uniform,
)
from cython.cimports.caprese.kernels.elementary import exp, log, sqrt
from cython.cimports.caprese.kernels.event_moves import Room, sweep_events
from cython.cimports.caprese.kernels.forest_ascent import Prior, rate_log_density
from cython.cimports.caprese.kernels.forest_messages import (
    Table,
    fill_seen,
    find_runs,
    log_likelihood,
    log_probabilities,
    parents_first,
)
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, IntArray, Integer, WordArray

_TARGET = 0.3  # of joint moves of rates and probabilities, how many to accept
_INFINITE = float("inf")

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
        Of the weights of the subtypes.
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
        Of the components.
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
    ) -> None:
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
    """The tables of the components, and room for a sweep to work in.

    Parameters
    ----------
    table
        All genotypes. A single component has these, others those that `_fill_table` finds.
    state
        Of the chain that sweeps.
    """

    def __init__(self, table: Table, state: State) -> None:
        components, events = state.parents.shape[0], state.parents.shape[1]
        self.table = Table(events, 0)  # of one component at a time, as `_turn_to` says
        if components == 1:
            self.codes = np.asarray(table.codes)[None]
            self.times = np.asarray(table.times)[None]
            self.ends = np.asarray(table.ends)[None]
        else:
            self.codes = np.empty((components, events, table.genotypes), dtype=np.uint8)
            self.times = np.empty((components, table.genotypes))
            self.ends = np.empty((components, table.genotypes), dtype=np.int64)
        self.genotypes = np.full(components, table.genotypes, dtype=np.int64)
        self.runs = np.full(components, table.runs, dtype=np.int64)
        self.chosen = np.empty(table.genotypes, dtype=np.int64)
        self.log_probabilities = np.empty((components, table.genotypes))
        self.weights = np.empty(components)
        # Edge probabilities and rates to move to; of each event, the probability now and then.
        self.theta, self.rates = np.empty((components, events)), np.empty(2)
        self.from_root, self.carried = np.empty(events), np.empty(events)
        self.moves = Room(events, table.genotypes, state.stream, state.tried, state.accepted)


def _turn_to(room: SweepRoom, component: Integer) -> None:
    """Let the table of the room be that of a component."""
    room.table.codes = room.codes[component]
    room.table.times = room.times[component]
    room.table.ends = room.ends[component]
    room.table.genotypes = room.genotypes[component]
    room.table.runs = room.runs[component]


def _choose_members(members: FloatArray, component: Integer, chosen: IntArray) -> int:
    """Fill `chosen` with the genotypes of a component, those of one sample first.

    Returns how many there are.
    """
    found: cython.Py_ssize_t = 0
    for d in range(members.shape[1]):
        if members[component, d] == 1.0:
            chosen[found] = d
            found += 1
    for d in range(members.shape[1]):
        if members[component, d] > 1.0:
            chosen[found] = d
            found += 1
    return found


def _fill_table(table: Table, state: State, room: SweepRoom, component: Integer) -> None:
    """Fill the table of a component with the genotypes of its samples."""
    number = _choose_members(state.members, component, room.chosen)
    for event in range(table.codes.shape[0]):
        for k in range(number):
            room.codes[component, event, k] = table.codes[event, room.chosen[k]]
    for k in range(number):
        room.times[component, k] = state.members[component, room.chosen[k]]
    room.genotypes[component] = number
    _turn_to(room, component)
    find_runs(room.table)
    room.runs[component] = room.table.runs


def _fill_log_probabilities(table: Table, state: State, room: SweepRoom) -> None:
    """Fill the log of weight times probability, components x genotypes."""
    fill_seen(state.rates[0], state.rates[1], room.moves.seen)
    for component in range(state.parents.shape[0]):
        log_probabilities(
            table,
            state.parents[component],
            state.theta[component],
            room.moves.seen,
            room.moves.work,
            room.log_probabilities[component],
        )
        for d in range(table.genotypes):
            room.log_probabilities[component, d] += state.log_weights[component]


def _mixture_log_likelihood(table: Table, found: FloatArray) -> float:
    """Return the log-probability of all samples, given those of genotypes in each component."""
    total = 0.0
    for d in range(table.genotypes):
        most: float = -_INFINITE
        for component in range(found.shape[0]):
            most = max(most, found[component, d])
        part = 0.0
        for component in range(found.shape[0]):
            part += exp(found[component, d] - most)
        total += table.times[d] * (most + log(part))
    return total


def state_log_likelihood(table: Table, state: State) -> float:
    """Return the log-probability of the data where the chain is, whatever the memberships."""
    room = SweepRoom(table, state)
    with cython.nogil:
        _fill_log_probabilities(table, state, room)
        return _mixture_log_likelihood(table, room.log_probabilities)


def _draw_members(table: Table, state: State, room: SweepRoom) -> None:
    """Draw which samples belong to which component, sample by sample."""
    components = state.parents.shape[0]
    for d in range(table.genotypes):
        for component in range(components):
            state.members[component, d] = 0.0
            room.weights[component] = room.log_probabilities[component, d]
        samples: cython.Py_ssize_t = int(table.times[d])
        for _ in range(samples):
            state.members[choice(state.stream, room.weights, components), d] += 1.0


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


def _rates_objective(
    state: State, theta: FloatArray, rates: FloatArray, prior: Prior, room: SweepRoom
) -> float:
    """Return the log posterior density of the rates on the real line, memberships given."""
    objective = 0.0
    for which in range(2):
        rate = rates[which]
        if not 0.0 < rate < 0.5:
            return -_INFINITE
        objective += rate_log_density(prior, rate) + log(rate) + log(1.0 - 2.0 * rate)
    fill_seen(rates[0], rates[1], room.moves.seen)
    for component in range(state.parents.shape[0]):
        if room.genotypes[component]:
            _turn_to(room, component)
            objective += log_likelihood(
                room.table,
                state.parents[component],
                theta[component],
                room.moves.seen,
                room.moves.work,
            )
    return objective


def _objective_at(state: State, which: Integer, x: float, prior: Prior, room: SweepRoom) -> float:
    """Return the objective if one rate is that of a point, which is left in the room."""
    room.rates[which] = _rate(x)
    return _rates_objective(state, state.theta, room.rates, prior, room)


def _slice_rate(
    state: State, prior: Prior, which: Integer, objective: float, room: SweepRoom
) -> float:
    """Draw one rate given all else by slice sampling (Neal 2003); return the objective reached."""
    room.rates[0], room.rates[1] = state.rates[0], state.rates[1]
    level = objective + log(uniform(state.stream))
    centre = _point(state.rates[which])
    width = 2.0 * sqrt(state.proposal[3 + 2 * which]) + 0.05
    low = centre - width * uniform(state.stream)
    high = low + width
    for _ in range(20):
        if _objective_at(state, which, low, prior, room) < level:
            break
        low -= width
    for _ in range(20):
        if _objective_at(state, which, high, prior, room) < level:
            break
        high += width
    while True:
        x = low + (high - low) * uniform(state.stream)
        reached = _objective_at(state, which, x, prior, room)
        if reached >= level:
            state.rates[which] = room.rates[which]
            return reached
        if x < centre:
            low = x
        else:
            high = x


def _carry_theta(state: State, component: Integer, room: SweepRoom) -> float:
    """Fill the edge probabilities of the room so that each event is seen as often as before.

    The rates of the room are those to come. Returns the log Jacobian determinant, or -inf where
    no probabilities do so.
    """
    before = 1.0 - state.rates[0] - state.rates[1]
    after = 1.0 - room.rates[0] - room.rates[1]
    parents_first(state.parents[component], room.moves.work)
    log_determinant = 0.0
    for position in range(state.parents.shape[1]):
        event = room.moves.work.order[position]
        parent = state.parents[component, event]
        above = room.from_root[parent] if parent >= 0 else 1.0
        above_carried = room.carried[parent] if parent >= 0 else 1.0
        room.from_root[event] = above * state.theta[component, event]
        shown = state.rates[0] + before * room.from_root[event]
        room.carried[event] = (shown - room.rates[0]) / after
        theta = room.carried[event] / above_carried if above_carried > 0.0 else -1.0
        if not 0.0 < theta < 1.0:
            return -_INFINITE
        room.theta[component, event] = theta
        log_determinant += log(before / after * above / above_carried)
    return log_determinant


def _propose_rates(state: State, room: SweepRoom) -> None:
    """Draw the rates of the room around those of the chain, as the joint move has learnt."""
    one, other = normal(state.stream), normal(state.stream)
    scale = exp(state.proposal[6])
    deviation = sqrt(state.proposal[3])
    tilt = state.proposal[4] / deviation
    rest = sqrt(max(state.proposal[5] - tilt * tilt, 1e-6))
    room.rates[0] = _rate(_point(state.rates[0]) + scale * deviation * one)
    room.rates[1] = _rate(_point(state.rates[1]) + scale * (tilt * one + rest * other))


def _joint_move(
    state: State, prior: Prior, objective: float, room: SweepRoom
) -> tuple[float, bool]:
    """Move both rates, and the edge probabilities so that events are seen as often as before.

    Rates and probabilities depend on each other: with more false positives, events are rarer.
    Returns the objective reached, and whether the move was accepted.
    """
    _propose_rates(state, room)
    room.theta[:, :] = state.theta
    log_determinant = 0.0
    for component in range(state.parents.shape[0]):
        if room.genotypes[component]:
            log_determinant += _carry_theta(state, component, room)
    reached: float = -_INFINITE
    if log_determinant > -_INFINITE:
        reached = _rates_objective(state, room.theta, room.rates, prior, room)
    state.tried[_JOINT] += 1
    if log(uniform(state.stream)) < reached - objective + log_determinant:
        state.rates[:] = room.rates
        state.theta[:, :] = room.theta
        state.accepted[_JOINT] += 1
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


def _move_rates(state: State, settings: Settings, room: SweepRoom, learning: cython.bint) -> None:
    """Move both error rates, with the edge probabilities and each by itself."""
    objective = _rates_objective(state, state.theta, state.rates, settings.prior, room)
    for _ in range(settings.joints):
        objective, accepted = _joint_move(state, settings.prior, objective, room)
        if learning:
            _learn(state, accepted)
    for _ in range(settings.slices):
        for which in range(2):
            objective = _slice_rate(state, settings.prior, which, objective, room)


def _sweep(
    table: Table, state: State, settings: Settings, room: SweepRoom, learning: cython.bint
) -> None:
    """Move everything once."""
    components = state.parents.shape[0]
    if components > 1:
        _fill_log_probabilities(table, state, room)
        _draw_members(table, state, room)
        draw_weights(state, settings.dirichlet)
    fill_seen(state.rates[0], state.rates[1], room.moves.seen)
    for component in range(components):
        if components > 1:
            _fill_table(table, state, room, component)
        if room.genotypes[component]:
            _turn_to(room, component)
            sweep_events(
                room.table,
                state.parents[component],
                state.theta[component],
                settings.prior,
                settings.swaps,
                room.moves,
            )
        else:
            draw_component(state, component, settings.prior)
    if settings.free:
        _move_rates(state, settings, room, learning)


def sweep(table: Table, state: State, settings: Settings) -> None:
    """Move everything once, as after warm-up."""
    room = SweepRoom(table, state)
    with cython.nogil:
        _sweep(table, state, settings, room, False)


def _record(
    table: Table,
    state: State,
    settings: Settings,
    room: SweepRoom,
    records: Records,
    draw: Integer,
) -> None:
    """Keep where the chain is."""
    components, n = state.parents.shape[0], state.parents.shape[1]
    records.rates[draw, 0], records.rates[draw, 1] = state.rates[0], state.rates[1]
    for component in range(components):
        roots: cython.Py_ssize_t = 0
        for event in range(n):
            records.parents[draw, component, event] = state.parents[component, event]
            records.theta[draw, component, event] = state.theta[component, event]
            if state.parents[component, event] < 0:
                roots += 1
        records.weights[draw, component] = exp(state.log_weights[component])
        records.root_probability[draw, component] = _draw_root_probability(
            state.stream, settings.prior, n, roots
        )
    _fill_log_probabilities(table, state, room)
    records.log_likelihood[draw] = _mixture_log_likelihood(table, room.log_probabilities)


def run(
    table: Table,
    state: State,
    settings: Settings,
    records: Records,
    start: Integer,
    stop: Integer,
    warm_up: Integer,
    thin: Integer,
) -> None:
    """Sweep from number `start` to `stop`; after warm-up, record every `thin`-th sweep."""
    room = SweepRoom(table, state)
    with cython.nogil:
        for number in range(start, stop):
            _sweep(table, state, settings, room, number < warm_up)
            after = number - warm_up + 1
            if after > 0 and after % thin == 0:
                _record(table, state, settings, room, records, after // thin - 1)
