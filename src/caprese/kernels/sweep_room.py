"""A chain of the sampler of forests, and what its moves share: tables of genotypes by component."""

import cython
import numpy as np
from cython.cimports.caprese.kernels.draws import beta_draw, forest_draw, uniform
from cython.cimports.caprese.kernels.event_moves import Moves
from cython.cimports.caprese.kernels.forest_ascent import Prior
from cython.cimports.caprese.kernels.forest_messages import (
    Table,
    find_runs,
    log_probabilities,
    set_forest,
    set_rates,
)
from cython.cimports.caprese.kernels.forest_orders import add_order_gains, fill_before, pool_gains

from caprese._core.arrays import FloatArray, IntArray, Integer, WordArray


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
        Components x (false positive, false negative).
    common
        The rates of all components that have none of their own.
    own
        Of each component, 1 if its rates are its own. How often is Beta(1, 1), and integrated out.
    log_weights
        Of the components; `dirichlet` is the parameter of their prior.
    members
        Components x genotypes: how many samples.
    stream
        Of random numbers.
    proposal
        What the joint move of rates and edge probabilities has learnt, of the common rates and
        then of those of each component: a number of draws, two means, the covariance (first, both,
        second), log step.
    tried, accepted
        How many moves, by kind: of events, swaps, joint, reversals, insertions, switches between
        common rates and those of a component, splits and unions of components.
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
        common: FloatArray,
        own: IntArray,
    ) -> None:
        self.dirichlet, self.common, self.own = dirichlet, common, own
        self.parents, self.theta, self.rates = parents, theta, rates
        self.log_weights, self.members = log_weights, members
        self.stream, self.proposal = stream, proposal
        self.tried, self.accepted = tried, accepted


class SweepRoom:
    """A chain, the tables of its components, and room for a sweep to work in.

    The forest that moves has one table at a time, as `turn_to` says. The last of the tables holds
    all genotypes: it is that of a single component, or comes after those of several.
    """

    def __init__(self, table: Table, state: State, settings: Settings) -> None:
        components, events = state.parents.shape[0], state.parents.shape[1]
        tables = components + (components > 1)
        self.state, self.settings = state, settings
        self.power = 1.0  # of the likelihood
        self.table = table  # of all genotypes
        self.samples = float(np.sum(table.times))
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
        self.now, self.old_weights = np.empty(2), np.empty(2)  # rates of what moves
        self.from_root, self.carried = np.empty(events), np.empty(events)
        # Of two components that are split or united: how many samples of each genotype there are
        # in both, and in each of two clusters; what the two were; the clusters.
        self.pool = np.empty(table.genotypes)
        self.parts = np.empty((2, table.genotypes))
        self.old_parents = np.empty((2, events), dtype=np.int64)
        self.old_theta = np.empty((2, events))
        self.frequencies, self.log_odds = np.empty((2, events)), np.empty((2, events))
        one = Table(events, table.genotypes)
        self.moves = Moves(one, state.stream, state.tried, state.accepted)


def turn_to(room: SweepRoom, table: Integer) -> None:
    """Let the forest that moves have one of the tables."""
    room.moves.forest.table.codes = room.codes[table]
    room.moves.forest.table.times = room.times[table]
    room.moves.forest.table.ends = room.ends[table]
    room.moves.forest.table.genotypes = room.genotypes[table]
    room.moves.forest.table.runs = room.runs[table]
    room.moves.orders.gains = room.order_gains[table]


def raise_gains(room: SweepRoom, gains: FloatArray, table: Integer) -> None:
    """Fill the gains of seen orders in a table, raised to the power."""
    for one in range(gains.shape[0]):
        for other in range(gains.shape[0]):
            room.order_gains[table, one, other] = room.power * gains[one, other]


def _choose_members(room: SweepRoom, members: FloatArray) -> int:
    """Find the genotypes of some samples, those of one sample first; return how many there are."""
    found = cython.cast(cython.Py_ssize_t, 0)
    for d in range(len(members)):
        if members[d] == 1.0:
            room.chosen[found] = d
            found += 1
    for d in range(len(members)):
        if members[d] > 1.0:
            room.chosen[found] = d
            found += 1
    return found


def fill_table(room: SweepRoom, component: Integer, members: FloatArray) -> None:
    """Fill the table of a component with so many samples of each genotype, and turn to it."""
    number = _choose_members(room, members)
    for event in range(room.codes.shape[1]):
        for k in range(number):
            room.codes[component, event, k] = room.table.codes[event, room.chosen[k]]
    for k in range(number):
        room.times[component, k] = room.power * members[room.chosen[k]]
    room.genotypes[component] = number
    turn_to(room, component)
    find_runs(room.moves.forest.table)
    room.runs[component] = room.moves.forest.table.runs
    if len(room.before):
        pool_gains(room.table, members, room.order_gains[component])
        raise_gains(room, room.order_gains[component], component)


def set_component(room: SweepRoom, component: Integer) -> None:
    """Let the forest that moves be that of a component, with its rates."""
    set_rates(room.moves.forest, room.state.rates[component, 0], room.state.rates[component, 1])
    set_forest(room.moves.forest, room.state.parents[component], room.state.theta[component])


def fill_component(room: SweepRoom, component: Integer) -> None:
    """Fill the row of a component; the forest that moves has all genotypes."""
    set_component(room, component)
    log_probabilities(room.moves.forest, room.log_probabilities[component])
    if len(room.weights) > 1 and len(room.before):
        fill_before(room.moves.forest, room.before)
        add_order_gains(room.table, room.before, room.log_probabilities[component])
    for d in range(room.table.genotypes):
        room.log_probabilities[component, d] *= room.power
        room.log_probabilities[component, d] += room.state.log_weights[component]


def draw_component(state: State, component: Integer, prior: Prior) -> None:
    """Draw the forest of a component from the prior."""
    n = state.parents.shape[1]
    root_probability = 1.0 / (n + 1.0)
    if uniform(state.stream) >= prior.uniform:
        root_probability = beta_draw(state.stream, prior.first, prior.second)
    forest_draw(state.stream, root_probability, state.parents[component])
    for event in range(n):
        state.theta[component, event] = uniform(state.stream)
