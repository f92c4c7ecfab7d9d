"""Splits and unions of the components of a mixture, memberships summed over."""

import cython
from cython.cimports.caprese.kernels.draws import below, choice, log_gamma, log_gamma_draw, uniform
from cython.cimports.caprese.kernels.elementary import exp, log, log1p
from cython.cimports.caprese.kernels.event_moves import build
from cython.cimports.caprese.kernels.forest_messages import set_rates
from cython.cimports.caprese.kernels.sweep_room import (
    SweepRoom,
    draw_component,
    fill_component,
    fill_table,
    turn_to,
)

from caprese._core.arrays import FloatArray, Integer

_SPLIT = 6  # kind of the move: where `tried` and `accepted` count it
_CLUSTERINGS = 5  # steps of EM
_MOST_BIAS = 4.0  # of the log odds of the second cluster


def split_or_unite(room: SweepRoom) -> bool:
    """Split a component and one without samples, or unite two; return whether it was accepted.

    Two components are chosen, the first by weight, and all their samples. Only who these are is
    used to propose: two clusters of them, and a forest built from each; or one forest built from
    all, and a second one that is drawn from the prior. Memberships are summed over, and drawn if
    the move is accepted. Each way is the way back of the other.
    """
    one: cython.Py_ssize_t = choice(room.state.stream, room.state.log_weights, len(room.weights))
    other: cython.Py_ssize_t = below(room.state.stream, len(room.weights) - 1)
    other += other >= one
    samples = _pool(room, one, other)
    if samples == 0.0:
        return False
    clustered = _divide(room, samples)  # samples in the second cluster
    _keep(room, one, other)
    splits: cython.bint = uniform(room.state.stream) < 0.5
    ratio: float = -_pair_log_density(room, one, other, samples, clustered, not splits, False)
    ratio += _pair_log_density(room, one, other, samples, clustered, splits, True)
    ratio += room.state.log_weights[one] - room.old_weights[0]  # by which it is chosen
    room.state.tried[_SPLIT] += 1
    if not log(uniform(room.state.stream)) < ratio:
        _restore(room, one, other)
        return False
    room.state.accepted[_SPLIT] += 1
    _share_pool(room, one, other)
    return True


def _pool(room: SweepRoom, one: Integer, other: Integer) -> float:
    """Fill how many samples of each genotype are in either component; return how many there are."""
    total = 0.0
    for d in range(room.table.genotypes):
        room.pool[d] = room.state.members[one, d] + room.state.members[other, d]
        total += room.pool[d]
    return total


def _keep(room: SweepRoom, one: Integer, other: Integer) -> None:
    """Remember two components."""
    room.old_parents[0, :] = room.state.parents[one]
    room.old_parents[1, :] = room.state.parents[other]
    room.old_theta[0, :], room.old_theta[1, :] = room.state.theta[one], room.state.theta[other]
    room.old_weights[0] = room.state.log_weights[one]
    room.old_weights[1] = room.state.log_weights[other]


def _restore(room: SweepRoom, one: Integer, other: Integer) -> None:
    """Let two components be what they were."""
    room.state.parents[one, :] = room.old_parents[0]
    room.state.parents[other, :] = room.old_parents[1]
    room.state.theta[one, :], room.state.theta[other, :] = room.old_theta[0], room.old_theta[1]
    room.state.log_weights[one] = room.old_weights[0]
    room.state.log_weights[other] = room.old_weights[1]


def _pair_log_density(
    room: SweepRoom,
    one: Integer,
    other: Integer,
    samples: float,
    clustered: float,
    splits: cython.bint,
    draw: cython.bint,
) -> float:
    """Return the log posterior density of two components, less that of proposing them.

    Either as they are, or as they are drawn.
    """
    total: float = 0.0
    if splits:
        total += _build(room, one, room.parts[0], draw) + _build(room, other, room.parts[1], draw)
    else:
        total += _build(room, one, room.pool, draw)
        clustered = 0.0
        if draw:
            draw_component(room.state, other, room.settings.prior)
    total += _divide_weight(room, one, other, samples - clustered, clustered, draw)
    turn_to(room, len(room.genotypes) - 1)
    fill_component(room, one)
    fill_component(room, other)
    for d in range(room.table.genotypes):
        if room.pool[d] > 0.0:
            high = max(room.log_probabilities[one, d], room.log_probabilities[other, d])
            low = min(room.log_probabilities[one, d], room.log_probabilities[other, d])
            both: float = log1p(exp(low - high))
            total += room.pool[d] * (high + both)
    return total


def _build(room: SweepRoom, component: Integer, members: FloatArray, draw: cython.bint) -> float:
    """Build the forest of a component from samples, or the one that it has.

    Returns its log prior density, less that of building it.
    """
    fill_table(room, component, members)
    set_rates(room.moves.forest, room.state.rates[component, 0], room.state.rates[component, 1])
    parents, theta = room.state.parents[component], room.state.theta[component]
    built = build(room.moves, room.settings.prior, parents, theta, draw)
    roots: cython.Py_ssize_t = 0
    for event in range(len(parents)):
        roots += parents[event] < 0
    return room.settings.prior.forests[roots] - built


def _divide_weight(
    room: SweepRoom, one: Integer, other: Integer, first: float, second: float, draw: cython.bint
) -> float:
    """Return the log prior density of the weights of two components, less that of proposing them.

    They are proposed as if so many samples were known to belong to each.
    """
    weights, shape = room.state.log_weights, room.state.dirichlet[0]
    both: float = _log_sum_of_two(weights[one], weights[other])
    if draw:
        weights[one] = log_gamma_draw(room.state.stream, shape + first)
        weights[other] = log_gamma_draw(room.state.stream, shape + second)
        drawn = _log_sum_of_two(weights[one], weights[other])
        weights[one] += both - drawn
        weights[other] += both - drawn
    total: float = -first * (weights[one] - both) - second * (weights[other] - both)
    total += log_gamma(shape + first) + log_gamma(shape + second) - 2.0 * log_gamma(shape)
    return total + log_gamma(2.0 * shape) - log_gamma(2.0 * shape + first + second)


def _log_sum_of_two(one: float, other: float) -> float:
    return max(one, other) + log1p(exp(-abs(one - other)))


def _share_pool(room: SweepRoom, one: Integer, other: Integer) -> None:
    """Draw which samples of two components belong to which."""
    for d in range(room.table.genotypes):
        apart = room.log_probabilities[one, d] - room.log_probabilities[other, d]
        room.state.members[one, d] = room.state.members[other, d] = 0.0
        samples: cython.Py_ssize_t = int(room.pool[d])
        for _ in range(samples):
            if uniform(room.state.stream) * (1.0 + exp(-apart)) < 1.0:
                room.state.members[one, d] += 1.0
            else:
                room.state.members[other, d] += 1.0


def _divide(room: SweepRoom, samples: float) -> float:
    """Divide the pool into two clusters of independent events, by EM from two random samples.

    Odds against the second one are drawn first, so that it may be small. Returns how many samples
    are in it.
    """
    bias = _MOST_BIAS * uniform(room.state.stream)
    for cluster in range(2):
        _seed_cluster(room, cluster, samples)
    for _ in range(_CLUSTERINGS):
        _assign(room, bias, False)
        for cluster in range(2):
            _fit_cluster(room, cluster)
    return _assign(room, bias, True)


def _seed_cluster(room: SweepRoom, cluster: Integer, samples: float) -> None:
    """Let a cluster be like a random sample of the pool."""
    rest = uniform(room.state.stream) * samples
    d: cython.Py_ssize_t = 0
    while d < room.table.genotypes - 1 and rest >= room.pool[d]:
        rest -= room.pool[d]
        d += 1
    for event in range(room.table.codes.shape[0]):
        code = room.table.codes[event, d]
        room.frequencies[cluster, event] = 0.7 if code == 1 else 0.3 if code == 0 else 0.5


def _fit_cluster(room: SweepRoom, cluster: Integer) -> None:
    """Let the frequencies of a cluster be those of its samples."""
    for event in range(room.table.codes.shape[0]):
        seen: float = 0.5
        known: float = 1.0
        for d in range(room.table.genotypes):
            if room.pool[d] > 0.0 and room.table.codes[event, d] < 2:
                known += room.parts[cluster, d]
                seen += room.parts[cluster, d] * room.table.codes[event, d]
        room.frequencies[cluster, event] = seen / known


def _assign(room: SweepRoom, bias: float, draw: cython.bint) -> float:
    """Divide the samples of each genotype over two clusters, or draw in which each is.

    Returns how many are in the second.
    """
    for event in range(room.table.codes.shape[0]):
        one, other = room.frequencies[0, event], room.frequencies[1, event]
        room.log_odds[1, event] = log(other / one)
        room.log_odds[0, event] = log((1.0 - other) / (1.0 - one))
    second: float = 0.0
    for d in range(room.table.genotypes):
        odds: float = -bias
        for event in range(room.table.codes.shape[0]):
            if room.table.codes[event, d] < 2:
                odds += room.log_odds[room.table.codes[event, d], event]
        share: float = room.pool[d] / (1.0 + exp(-odds))
        if draw and room.pool[d] > 0.0:
            chance = share / room.pool[d]
            samples: cython.Py_ssize_t = int(room.pool[d])
            share = 0.0
            for _ in range(samples):
                share += uniform(room.state.stream) < chance
        room.parts[0, d], room.parts[1, d] = room.pool[d] - share, share
        second += share
    return second
