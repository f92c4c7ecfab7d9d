"""Markov chain Monte Carlo over forests, edge probabilities, error rates and subtypes.

A sweep moves every event once, swaps some labels, and moves the error rates. All moves leave the
posterior as it is: each is accepted or refused by Metropolis and Hastings, or draws from a
conditional distribution. The prior probability r of being a root is integrated out while
forests move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from caprese.kernels.arrays import copy_into, copy_rows, fill, sum_of
from caprese.kernels.compiling import kernel
from caprese.kernels.draws import (
    below,
    beta_draw,
    choice,
    forest_draw,
    log_gamma_draw,
    normal,
    uniform,
)
from caprese.kernels.forest_ascent import Prior, rate_log_density, root_advantage, swap_labels
from caprese.kernels.forest_messages import (
    Table,
    aim,
    best_probability,
    detach,
    first_guess,
    gain,
    log_likelihood,
    log_normal_mass,
    log_probabilities,
    messages,
    refresh_all,
    refresh_upwards,
    seen_probabilities,
)

_ROUGH, _ROUGH_STEPS = 0.1, 6
_SIDE = 5  # points of the approximation on either side of the best_probability
_POINTS = 2 * _SIDE + 3
_DROP = 8.0  # how far the approximation falls to an end where the density is 0
_ELSEWHERE = 0.02  # share of proposals that ignore the approximation
_TARGET = 0.3  # of joint moves of rates and probabilities, how many to accept

# What was tried and what was accepted, by kind of move.
EVENT, SWAP, JOINT = 0, 1, 2


class Settings(NamedTuple):
    """What stays the same in a chain."""

    prior: Prior
    free: bool  # whether the error rates move
    dirichlet: float  # of the weights of the subtypes
    swaps: int  # label swaps a sweep
    slices: int  # moves of each rate by itself, a sweep
    joints: int  # moves of the rates together with the edge probabilities, a sweep


class State(NamedTuple):
    """Where a chain is; all arrays are written in place."""

    parents: NDArray[np.int64]  # components x events
    theta: NDArray[np.float64]  # components x events
    rates: NDArray[np.float64]  # false positive, false negative
    log_weights: NDArray[np.float64]  # of the components
    members: NDArray[np.float64]  # components x genotypes: how many samples
    stream: NDArray[np.uint64]
    proposal: NDArray[np.float64]  # what the joint move has learnt: see `_learn`
    tried: NDArray[np.int64]  # by kind of move
    accepted: NDArray[np.int64]


class Records(NamedTuple):
    """What is kept of a chain, a row for each draw."""

    parents: NDArray[np.int32]
    theta: NDArray[np.float64]
    rates: NDArray[np.float64]
    weights: NDArray[np.float64]
    root_probability: NDArray[np.float64]
    log_likelihood: NDArray[np.float64]


@kernel
def _fill_pieces(table, work, theta, first, second, points, log_densities):  # type: ignore[no-untyped-def]
    """Approximate the density of an edge probability by pieces with a linear logarithm.

    Points are spaced by the curvature at the maximum, and ever closer to an end that is near.
    Returns the log integral.
    """
    spread = 1.0 / (abs(first) + np.sqrt(second) + 1e-3)
    spacing = (0.6, 1.3, 2.2, 3.5, 6.0)
    points[0], points[_POINTS - 1], points[_SIDE + 1] = 0.0, 1.0, theta
    nearer = 1.0
    for k in range(_SIDE):
        nearer *= 0.5
        points[_SIDE - k] = max(theta - spacing[k] * spread, theta * nearer)
        points[_SIDE + 2 + k] = min(theta + spacing[k] * spread, 1.0 - (1.0 - theta) * nearer)
    for k in range(1, _POINTS - 1):
        log_densities[k] = gain(table, work, points[k])
    log_densities[0] = max(gain(table, work, 0.0), log_densities[1] - _DROP)
    log_densities[_POINTS - 1] = max(gain(table, work, 1.0), log_densities[_POINTS - 2] - _DROP)
    top = log_densities[_SIDE + 1]
    total = 0.0
    for k in range(_POINTS - 1):
        total += np.exp(_log_piece(points, log_densities, k) - top)
    return top + np.log(total)


@kernel
def _log_piece(points, log_densities, k):  # type: ignore[no-untyped-def]
    """Return the log integral over one piece."""
    width, rise = points[k + 1] - points[k], log_densities[k + 1] - log_densities[k]
    if width <= 0.0:
        return -np.inf
    if abs(rise) < 1e-6:
        return np.log(width) + log_densities[k] + 0.5 * rise
    if rise > 0.0:
        return np.log(width) + log_densities[k + 1] + np.log(-np.expm1(-rise) / rise)
    return np.log(width) + log_densities[k] + np.log(np.expm1(rise) / rise)


@kernel
def _draw_theta(stream, points, log_densities, log_mass):  # type: ignore[no-untyped-def]
    """Draw an edge probability from the approximation."""
    if uniform(stream) < _ELSEWHERE:
        return uniform(stream)
    rest = uniform(stream)
    chosen = _SIDE
    for k in range(_POINTS - 1):
        mass = np.exp(_log_piece(points, log_densities, k) - log_mass)
        if mass > 0.0:
            chosen = k
            rest -= mass
            if rest <= 0.0:
                break
    width, rise = (
        points[chosen + 1] - points[chosen],
        log_densities[chosen + 1] - log_densities[chosen],
    )
    u = uniform(stream)
    if abs(rise) < 1e-6:
        along = u
    elif rise > 0.0:
        along = 1.0 + np.log(u + (1.0 - u) * np.exp(-rise)) / rise
    else:
        along = np.log1p(u * np.expm1(rise)) / rise
    return min(max(points[chosen] + along * width, 1e-15), 1.0 - 1e-15)


@kernel
def _log_proposal(theta, points, log_densities, log_mass):  # type: ignore[no-untyped-def]
    """Return the log-density of the approximation."""
    k = 0
    while k < _POINTS - 2 and theta >= points[k + 1]:
        k += 1
    width = points[k + 1] - points[k]
    objective = log_densities[k]
    if width > 0.0:
        objective += (log_densities[k + 1] - log_densities[k]) * (theta - points[k]) / width
    return np.log((1.0 - _ELSEWHERE) * np.exp(objective - log_mass) + _ELSEWHERE)


class Room(NamedTuple):
    """Room to work in: of events, of points, and of parents weighed against each other."""

    inside: NDArray[np.bool_]
    weights: NDArray[np.float64]
    candidates: NDArray[np.int64]
    peaks: NDArray[np.float64]  # candidates x (theta, first, second derivative)
    points: NDArray[np.float64]
    log_densities: NDArray[np.float64]


@kernel
def _room(events):  # type: ignore[no-untyped-def]
    return Room(
        np.empty(events, dtype=np.bool_),
        np.empty(events + 1),
        np.empty(events + 1, dtype=np.int64),
        np.empty((events + 1, 3)),
        np.empty(_POINTS),
        np.empty(_POINTS),
    )


@kernel
def _weigh_parents(table, parents, prior, work, event, room):  # type: ignore[no-untyped-def]
    """Weigh all possible parents of a detached event; return how many there are.

    A weight approximates the logarithm of the posterior mass of a parent, whatever the edge
    probability, by a normal density around the best one.
    """
    n = len(parents)
    roots = 0
    for other in range(n):
        roots += parents[other] < 0 and other != event
    advantage = root_advantage(prior, roots)
    found = 0
    for parent in range(-1, n):
        if parent >= 0 and room.inside[parent]:
            continue
        aim(work, event, parent)
        guess = first_guess(table, work, event, parent)
        theta, first, second = best_probability(table, work, guess, _ROUGH, _ROUGH_STEPS)
        weight = gain(table, work, theta) + log_normal_mass(theta, first, second)
        room.candidates[found] = parent
        room.weights[found] = weight + (advantage if parent < 0 else 0.0)
        room.peaks[found, 0], room.peaks[found, 1], room.peaks[found, 2] = theta, first, second
        found += 1
    return found, advantage


@kernel
def _log_importance(table, work, event, k, theta, advantage, room):  # type: ignore[no-untyped-def]
    """Return log target less log proposal at a parent and an edge probability.

    Leaves the approximation under this parent in the room.
    """
    parent = room.candidates[k]
    aim(work, event, parent)
    at, first, second = room.peaks[k]
    log_mass = _fill_pieces(table, work, at, first, second, room.points, room.log_densities)
    return _log_importance_here(table, work, k, theta, advantage, room, log_mass)


@kernel
def _log_importance_here(table, work, k, theta, advantage, room, log_mass):  # type: ignore[no-untyped-def]
    target = gain(table, work, theta) + (advantage if room.candidates[k] < 0 else 0.0)
    proposal = _log_proposal(theta, room.points, room.log_densities, log_mass)
    return target - room.weights[k] - proposal


@kernel
def _move_event(table, parents, theta, seen, prior, work, event, room, stream):  # type: ignore[no-untyped-def]
    """Draw a new parent and edge probability of an event; return whether it was accepted.

    The proposal does not depend on where the event hangs now, so that the ratio of target to
    proposal at the new and the old place decides.
    """
    old_parent, old_theta = parents[event], theta[event]
    detach(table, parents, theta, seen, work, event, room.inside)
    found, advantage = _weigh_parents(table, parents, prior, work, event, room)
    old = 0
    for k in range(found):
        if room.candidates[k] == old_parent:
            old = k
    new = choice(stream, room.weights, found)
    aim(work, event, room.candidates[new])
    at, first, second = room.peaks[new]
    log_mass = _fill_pieces(table, work, at, first, second, room.points, room.log_densities)
    new_theta = _draw_theta(stream, room.points, room.log_densities, log_mass)
    ratio = _log_importance_here(table, work, new, new_theta, advantage, room, log_mass)
    if new == old:
        ratio -= _log_importance_here(table, work, old, old_theta, advantage, room, log_mass)
    else:
        ratio -= _log_importance(table, work, event, old, old_theta, advantage, room)
    accepted = np.log(uniform(stream)) < ratio
    if accepted:
        parents[event], theta[event] = room.candidates[new], new_theta
    else:
        parents[event] = old_parent
    refresh_upwards(table, parents, theta, seen, work, event)
    return accepted


@kernel
def _swap_some(table, parents, theta, seen, swaps, state):  # type: ignore[no-untyped-def]
    """Exchange the places of an event and its parent, or of any two events, so many times."""
    n = len(parents)
    if n < 2 or swaps == 0:
        return
    objective = log_likelihood(table, parents, theta, seen)
    for k in range(swaps):
        one = below(state.stream, n)
        other = parents[one]
        if k % 2 == 1:
            other = below(state.stream, n)
        if other < 0 or other == one:
            continue
        state.tried[SWAP] += 1
        swap_labels(parents, theta, one, other)
        reached = log_likelihood(table, parents, theta, seen)
        if np.log(uniform(state.stream)) < reached - objective:
            objective = reached
            state.accepted[SWAP] += 1
        else:
            swap_labels(parents, theta, one, other)


@kernel
def _sweep_events(table, parents, theta, seen, settings, state, room):  # type: ignore[no-untyped-def]
    """Move every event of one component once, then swap labels."""
    n = len(parents)
    work = messages(n, len(table.times))
    refresh_all(table, parents, theta, seen, work)
    for event in range(n):
        state.tried[EVENT] += 1
        state.accepted[EVENT] += _move_event(
            table, parents, theta, seen, settings.prior, work, event, room, state.stream
        )
    _swap_some(table, parents, theta, seen, settings.swaps, state)


@kernel
def _rate(x):  # type: ignore[no-untyped-def]
    """Return the error rate, in (0, 1/2), of a point on the real line."""
    return 0.5 / (1.0 + np.exp(-x))


@kernel
def _point(rate):  # type: ignore[no-untyped-def]
    """Return the point on the real line of an error rate."""
    return np.log(rate) - np.log(0.5 - rate)


@kernel
def _rates_objective(tables, state, theta, rates, prior):  # type: ignore[no-untyped-def]
    """Return the log posterior density of the rates on the real line, memberships given."""
    objective = 0.0
    for rate in rates:
        if not 0.0 < rate < 0.5:
            return -np.inf
        objective += rate_log_density(prior, rate) + np.log(rate) + np.log(1.0 - 2.0 * rate)
    seen = seen_probabilities(rates[0], rates[1])
    for component in range(len(tables)):
        if len(tables[component].times):
            objective += log_likelihood(
                tables[component], state.parents[component], theta[component], seen
            )
    return objective


@kernel
def _slice_rate(tables, state, prior, which, objective):  # type: ignore[no-untyped-def]
    """Draw one rate given all else by slice sampling (Neal 2003); return the objective reached."""
    stream, rates = state.stream, state.rates.copy()
    level = objective + np.log(uniform(stream))
    centre = _point(state.rates[which])
    width = 2.0 * np.sqrt(state.proposal[3 + 2 * which]) + 0.05
    low = centre - width * uniform(stream)
    high = low + width
    for _ in range(20):
        rates[which] = _rate(low)
        if _rates_objective(tables, state, state.theta, rates, prior) < level:
            break
        low -= width
    for _ in range(20):
        rates[which] = _rate(high)
        if _rates_objective(tables, state, state.theta, rates, prior) < level:
            break
        high += width
    while True:
        x = low + (high - low) * uniform(stream)
        rates[which] = _rate(x)
        reached = _rates_objective(tables, state, state.theta, rates, prior)
        if reached >= level:
            state.rates[which] = rates[which]
            return reached
        if x < centre:
            low = x
        else:
            high = x


@kernel
def _carry_theta(parents, theta, rates, moved, out):  # type: ignore[no-untyped-def]
    """Fill `out` with the edge probabilities that keep how often each event is seen.

    Returns the log Jacobian determinant, or -inf where no probabilities do so.
    """
    n = len(parents)
    before, after = 1.0 - rates[0] - rates[1], 1.0 - moved[0] - moved[1]
    order = np.empty(n, dtype=np.int64)
    from_root = np.empty(n)
    carried = np.empty(n)
    _order(parents, order)
    log_determinant = 0.0
    for event in order:
        parent = parents[event]
        above = from_root[parent] if parent >= 0 else 1.0
        above_carried = carried[parent] if parent >= 0 else 1.0
        from_root[event] = above * theta[event]
        shown = rates[0] + before * from_root[event]
        carried[event] = (shown - moved[0]) / after
        out[event] = carried[event] / above_carried if above_carried > 0.0 else -1.0
        if not 0.0 < out[event] < 1.0:
            return -np.inf
        log_determinant += np.log(before / after * above / above_carried)
    return log_determinant


@kernel
def _order(parents, order):  # type: ignore[no-untyped-def]
    from_parents = 0
    placed = np.zeros(len(parents), dtype=np.bool_)
    while from_parents < len(parents):
        for event in range(len(parents)):
            if not placed[event] and (parents[event] < 0 or placed[parents[event]]):
                order[from_parents] = event
                placed[event] = True
                from_parents += 1


@kernel
def _joint_move(tables, state, prior, objective):  # type: ignore[no-untyped-def]
    """Move both rates, and the edge probabilities so that events are seen as often as before.

    Rates and probabilities depend on each other: with more false positives, events are rarer.
    """
    stream, proposal = state.stream, state.proposal
    one, other = normal(stream), normal(stream)
    scale = np.exp(proposal[6])
    deviation = np.sqrt(proposal[3])
    moved = np.empty(2)
    moved[0] = _rate(_point(state.rates[0]) + scale * deviation * one)
    tilt = proposal[4] / deviation
    rest = np.sqrt(max(proposal[5] - tilt * tilt, 1e-6))
    moved[1] = _rate(_point(state.rates[1]) + scale * (tilt * one + rest * other))
    theta = state.theta.copy()
    log_determinant = 0.0
    for component in range(len(tables)):
        if len(tables[component].times):
            log_determinant += _carry_theta(
                state.parents[component], state.theta[component], state.rates, moved,
                theta[component],
            )  # fmt: skip
    reached = -np.inf
    if log_determinant > -np.inf:
        reached = _rates_objective(tables, state, theta, moved, prior)
    state.tried[JOINT] += 1
    if np.log(uniform(stream)) < reached - objective + log_determinant:
        copy_into(state.rates, moved)
        copy_rows(state.theta, theta)
        state.accepted[JOINT] += 1
        return reached, True
    return objective, False


@kernel
def _learn(state, accepted):  # type: ignore[no-untyped-def]
    """Let the joint move learn the covariance of the rates and its step, during warm-up only.

    `proposal` holds a number of draws, two means, the covariance (first, both, second), log step.
    """
    proposal = state.proposal
    proposal[0] += 1.0
    share = 1.0 / (proposal[0] + 10.0)
    x, y = _point(state.rates[0]) - proposal[1], _point(state.rates[1]) - proposal[2]
    proposal[1] += share * x
    proposal[2] += share * y
    proposal[3] += share * (x * x - proposal[3]) + 1e-6
    proposal[4] += share * (x * y - proposal[4])
    proposal[5] += share * (y * y - proposal[5]) + 1e-6
    proposal[6] += ((1.0 if accepted else 0.0) - _TARGET) / np.sqrt(proposal[0] + 1.0)


@kernel
def _move_rates(tables, state, settings, learning):  # type: ignore[no-untyped-def]
    prior = settings.prior
    objective = _rates_objective(tables, state, state.theta, state.rates, prior)
    for _ in range(settings.joints):
        objective, accepted = _joint_move(tables, state, prior, objective)
        if learning:
            _learn(state, accepted)
    for _ in range(settings.slices):
        for which in range(2):
            objective = _slice_rate(tables, state, prior, which, objective)


@kernel
def _component_table(table, members):  # type: ignore[no-untyped-def]
    """Return the genotypes of one component, those of one sample first."""
    n = len(table.codes)
    number, singles = 0, 0
    for d in range(len(members)):
        number += members[d] > 0.0
        singles += members[d] == 1.0
    chosen = np.empty(number, dtype=np.int64)
    single, several = 0, singles
    for d in range(len(members)):
        if members[d] == 1.0:
            chosen[single] = d
            single += 1
        elif members[d] > 0.0:
            chosen[several] = d
            several += 1
    codes = np.empty((n, number), dtype=np.uint8)
    for event in range(n):
        for k in range(number):
            codes[event, k] = table.codes[event, chosen[k]]
    times = np.empty(number)
    for k in range(number):
        times[k] = members[chosen[k]]
    return Table(codes, times, singles)


@kernel
def _component_log_probabilities(table, state, seen):  # type: ignore[no-untyped-def]
    """Return the log of weight times probability, components x genotypes."""
    components = len(state.parents)
    found = np.empty((components, len(table.times)))
    for component in range(components):
        log_probabilities(
            table.codes, state.parents[component], state.theta[component], seen, found[component]
        )
        for d in range(len(table.times)):
            found[component, d] += state.log_weights[component]
    return found


@kernel
def _mixture_log_likelihood(table, found):  # type: ignore[no-untyped-def]
    total = 0.0
    for d in range(len(table.times)):
        most = -np.inf
        for component in range(len(found)):
            most = max(most, found[component, d])
        part = 0.0
        for component in range(len(found)):
            part += np.exp(found[component, d] - most)
        total += table.times[d] * (most + np.log(part))
    return total


@kernel
def _draw_members(table, state, found):  # type: ignore[no-untyped-def]
    """Draw which samples belong to which component, sample by sample."""
    components = len(found)
    for component in range(components):
        fill(state.members[component], 0.0)
    weights = np.empty(components)
    for d in range(len(table.times)):
        for component in range(components):
            weights[component] = found[component, d]
        for _ in range(int(table.times[d])):
            state.members[choice(state.stream, weights, components), d] += 1.0


@kernel
def draw_weights(state, dirichlet):  # type: ignore[no-untyped-def]
    """Draw the weights of the components given how many samples each has."""
    components = len(state.log_weights)
    most = -np.inf
    for component in range(components):
        shape = dirichlet + sum_of(state.members[component])
        state.log_weights[component] = log_gamma_draw(state.stream, shape)
        most = max(most, state.log_weights[component])
    total = 0.0
    for component in range(components):
        total += np.exp(state.log_weights[component] - most)
    for component in range(components):
        state.log_weights[component] -= most + np.log(total)


@kernel
def draw_component(state, component, prior):  # type: ignore[no-untyped-def]
    """Draw the forest of a component from the prior."""
    n = state.parents.shape[1]
    root_probability = 1.0 / (n + 1.0)
    if uniform(state.stream) >= prior.uniform:
        root_probability = beta_draw(state.stream, prior.first, prior.second)
    forest_draw(state.stream, root_probability, state.parents[component])
    for event in range(state.parents.shape[1]):
        state.theta[component, event] = uniform(state.stream)


@kernel
def sweep(table, state, settings, learning):  # type: ignore[no-untyped-def]
    """Move everything once."""
    components, n = state.parents.shape
    room = _room(n)
    seen = seen_probabilities(state.rates[0], state.rates[1])
    if components > 1:
        _draw_members(table, state, _component_log_probabilities(table, state, seen))
        draw_weights(state, settings.dirichlet)
        tables = [_component_table(table, state.members[0])]
        for component in range(1, components):
            tables.append(_component_table(table, state.members[component]))  # noqa: PERF401
    else:
        tables = [table]
    for component in range(components):
        if len(tables[component].times):
            _sweep_events(
                tables[component], state.parents[component], state.theta[component], seen,
                settings, state, room,
            )  # fmt: skip
        else:
            draw_component(state, component, settings.prior)
    if settings.free:
        _move_rates(tables, state, settings, learning)


@kernel
def _draw_root_probability(stream, prior, n, roots):  # type: ignore[no-untyped-def]
    """Draw r given the number of roots."""
    share = prior.uniform * np.exp(-(n - 1.0) * np.log(n + 1.0) - prior.forests[roots])
    if uniform(stream) < share:
        return 1.0 / (n + 1.0)
    return beta_draw(stream, prior.first + roots - 1.0, prior.second + n - roots)


@kernel
def _record(table, state, settings, records, draw):  # type: ignore[no-untyped-def]
    n = state.parents.shape[1]
    copy_rows(records.parents[draw], state.parents)
    copy_rows(records.theta[draw], state.theta)
    copy_into(records.rates[draw], state.rates)
    for component in range(len(state.parents)):
        records.weights[draw, component] = np.exp(state.log_weights[component])
        roots = 0
        for event in range(n):
            roots += state.parents[component, event] < 0
        records.root_probability[draw, component] = _draw_root_probability(
            state.stream, settings.prior, n, roots
        )
    records.log_likelihood[draw] = state_log_likelihood(table, state)


@kernel
def state_log_likelihood(table, state):  # type: ignore[no-untyped-def]
    """Return the log-probability of the data where the chain is, whatever the memberships."""
    seen = seen_probabilities(state.rates[0], state.rates[1])
    return _mixture_log_likelihood(table, _component_log_probabilities(table, state, seen))


@kernel
def run(table, state, settings, records, start, stop, warm_up, thin):  # type: ignore[no-untyped-def]
    """Sweep from number `start` to `stop`; after warm-up, record every `thin`-th sweep."""
    for number in range(start, stop):
        sweep(table, state, settings, number < warm_up)
        after = number - warm_up + 1
        if after > 0 and after % thin == 0:
            _record(table, state, settings, records, after // thin - 1)
