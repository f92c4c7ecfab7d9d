"""Moves of error rates: each by itself, both with the edge probabilities, common or of a component.

Rates move on the real line: each by itself, by slice sampling, and both together with the edge
probabilities, on which they depend. Each component has either the common rates or rates of its own.
"""

import cython
from cython.cimports.caprese.kernels.draws import below, beta_draw, normal, uniform
from cython.cimports.caprese.kernels.elementary import exp, log, sqrt
from cython.cimports.caprese.kernels.forest_ascent import Prior, rate_log_density
from cython.cimports.caprese.kernels.forest_messages import (
    log_likelihood,
    parents_first,
    set_forest,
    set_rates,
)
from cython.cimports.caprese.kernels.sweep_room import State, SweepRoom, turn_to

from caprese._core.arrays import FloatArray, Integer, WordArray

_TARGET = 0.3  # of joint moves of rates and probabilities, how many to accept
_INFINITE = float("inf")
_SHRINKS = 200  # of an interval that a slice is searched in
_TRIES = 10_000  # draws of a rate, after which the prior has hardly any mass below 1/2
_LEAST_RATE, _MOST_RATE = 1e-300, 0.5 - 1e-12

_JOINT, _SWITCH = 2, 5  # kinds of moves: where `tried` and `accepted` count them

_COMMON = -1  # the group of the components with the common rates; else a component by itself

# Rates of its own are proposed around the common ones, with one of these deviations.
_NEAR, _WIDER = 0.15, 3.0
_WIDTHS = 3
_LOG_TWO_PI = 1.8378770664093453


def _rate(x: float) -> float:
    """Return the error rate, in (0, 1/2), of a point on the real line."""
    return 0.5 / (1.0 + exp(-x))


def _point(rate: float) -> float:
    """Return the point on the real line of an error rate."""
    return log(rate) - log(0.5 - rate)


def _draw_rate(stream: WordArray, prior: Prior) -> float:
    """Draw an error rate from the prior, below 1/2.

    A prior with hardly any mass there ends at 1/2 like an exponential distribution; one whose rates
    cannot be told from 0 gives the least number.
    """
    rate: float = 0.0
    for _ in range(_TRIES):
        rate = beta_draw(stream, prior.rate_first, prior.rate_second)
        if 0.0 < rate < 0.5:
            return rate
    if rate <= 0.0:
        return _LEAST_RATE
    slope = 2.0 * max(prior.rate_first - prior.rate_second, 1.0)
    return min(max(0.5 + log(uniform(stream)) / slope, 0.25), _MOST_RATE)


def _log_own_odds(state: State, component: Integer) -> float:
    """Return the log prior odds that a component has rates of its own, given all others."""
    own = 0.0
    for other in range(len(state.own)):
        if other != component:
            own += state.own[other]
    return log(1.0 + own) - log(len(state.own) - own)


def _draw_rates(room: SweepRoom, component: Integer) -> None:
    """Draw from the prior whether a component has rates of its own, and these."""
    odds = exp(_log_own_odds(room.state, component))
    room.state.own[component] = uniform(room.state.stream) * (1.0 + odds) < odds
    for which in range(2):
        if room.state.own[component]:
            room.state.rates[component, which] = _draw_rate(room.state.stream, room.settings.prior)
        else:
            room.state.rates[component, which] = room.state.common[which]


def _in_group(room: SweepRoom, component: Integer, group: Integer) -> bool:
    """Whether a component has samples, and the rates of a group."""
    if room.genotypes[component] == 0:
        return False
    return group == (component if room.state.own[component] else _COMMON)


def _rates_log_density(prior: Prior, rates: FloatArray) -> float:
    """Return the log prior density of two rates on the real line, up to a constant."""
    total: float = 0.0
    for which in range(2):
        rate = rates[which]
        if not 0.0 < rate < 0.5:
            return -_INFINITE
        density = rate_log_density(prior, rate)
        total += density + log(rate) + log(1.0 - 2.0 * rate)
    return total


def _log_likelihood_at(
    room: SweepRoom, component: Integer, theta: FloatArray, rates: FloatArray
) -> float:
    """Return the log-likelihood of the samples of a component, with other numbers."""
    turn_to(room, component)
    set_rates(room.moves.forest, rates[0], rates[1])
    set_forest(room.moves.forest, room.state.parents[component], theta[component])
    return log_likelihood(room.moves.forest)


def _rates_objective(
    room: SweepRoom, group: Integer, theta: FloatArray, rates: FloatArray
) -> float:
    """Return the log posterior density of the rates of a group, memberships given."""
    objective = _rates_log_density(room.settings.prior, rates)
    if objective == -_INFINITE:
        return objective
    for component in range(len(room.weights)):
        if _in_group(room, component, group):
            objective += _log_likelihood_at(room, component, theta, rates)
    return objective


def _objective_at(room: SweepRoom, group: Integer, which: Integer, x: float) -> float:
    """Return the objective if one rate is that of a point, which is left in the room."""
    room.rates[which] = _rate(x)
    return _rates_objective(room, group, room.state.theta, room.rates)


def _slice_rate(room: SweepRoom, group: Integer, which: Integer, objective: float) -> float:
    """Draw one rate given all else by slice sampling (Neal 2003); return the objective reached."""
    room.rates[:] = room.now
    level = objective + log(uniform(room.state.stream))
    centre = _point(room.now[which])
    width = 2.0 * sqrt(room.state.proposal[group + 1, 3 + 2 * which]) + 0.05
    low = centre - width * uniform(room.state.stream)
    high = low + width
    for _ in range(20):
        if _objective_at(room, group, which, low) < level:
            break
        low -= width
    for _ in range(20):
        if _objective_at(room, group, which, high) < level:
            break
        high += width
    for _ in range(_SHRINKS):
        x = low + (high - low) * uniform(room.state.stream)
        reached = _objective_at(room, group, which, x)
        if reached >= level:
            room.now[which] = room.rates[which]
            return reached
        if x < centre:
            low = x
        else:
            high = x
    return objective  # where numbers are too large to tell the rate that it has from others


def _carry_theta(
    room: SweepRoom, component: Integer, rates: FloatArray, other: FloatArray
) -> float:
    """Fill the edge probabilities of the room so that each event is seen as often as before.

    The other rates are those to come. Returns the log Jacobian determinant, or -inf where no
    probabilities do so.
    """
    before = 1.0 - rates[0] - rates[1]
    after = 1.0 - other[0] - other[1]
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
        room.carried[event] = (shown - other[0]) / after
        theta = room.carried[event] / above_carried if above_carried > 0.0 else -1.0
        if not 0.0 < theta < 1.0:
            return -_INFINITE
        room.theta[component, event] = theta
        log_determinant += log(before / after * above / above_carried)
    return log_determinant


def _propose_rates(room: SweepRoom, proposal: FloatArray) -> None:
    """Draw rates around those that the group has now, as the joint move has learnt."""
    one, other = normal(room.state.stream), normal(room.state.stream)
    scale = exp(proposal[6])
    deviation = sqrt(proposal[3])
    tilt = proposal[4] / deviation
    rest = sqrt(max(proposal[5] - tilt * tilt, 1e-6))
    room.rates[0] = _rate(_point(room.now[0]) + scale * deviation * one)
    room.rates[1] = _rate(_point(room.now[1]) + scale * (tilt * one + rest * other))


def _joint_move(room: SweepRoom, group: Integer, objective: float) -> tuple[float, bool]:
    """Move both rates, and the edge probabilities so that events are seen as often as before.

    Rates and probabilities depend on each other: with more false positives, events are rarer.
    Returns the objective reached, and whether the move was accepted.
    """
    _propose_rates(room, room.state.proposal[group + 1])
    room.theta[:, :] = room.state.theta
    log_determinant = 0.0
    for component in range(len(room.weights)):
        if _in_group(room, component, group):
            log_determinant += _carry_theta(room, component, room.now, room.rates)
    reached: float = -_INFINITE
    if log_determinant > -_INFINITE:
        reached = _rates_objective(room, group, room.theta, room.rates)
    room.state.tried[_JOINT] += 1
    if log(uniform(room.state.stream)) < reached - objective + log_determinant:
        room.now[:] = room.rates
        room.state.theta[:, :] = room.theta
        room.state.accepted[_JOINT] += 1
        return reached, True
    return objective, False


def _learn(proposal: FloatArray, rates: FloatArray, accepted: cython.bint) -> None:
    """Let the joint move learn the covariance of the rates and its step, during warm-up only."""
    proposal[0] += 1.0
    share = 1.0 / (proposal[0] + 10.0)
    x, y = _point(rates[0]) - proposal[1], _point(rates[1]) - proposal[2]
    proposal[1] += share * x
    proposal[2] += share * y
    proposal[3] += share * (x * x - proposal[3]) + 1e-6
    proposal[4] += share * (x * y - proposal[4])
    proposal[5] += share * (y * y - proposal[5]) + 1e-6
    proposal[6] += ((1.0 if accepted else 0.0) - _TARGET) / sqrt(proposal[0] + 1.0)


def _move_group(room: SweepRoom, group: Integer, learning: cython.bint) -> None:
    """Move both rates of a group, with the edge probabilities and each by itself."""
    if group == _COMMON:
        room.now[:] = room.state.common
    else:
        room.now[:] = room.state.rates[group]
    objective = _rates_objective(room, group, room.state.theta, room.now)
    for _ in range(room.settings.joints):
        objective, accepted = _joint_move(room, group, objective)
        if learning:
            _learn(room.state.proposal[group + 1], room.now, accepted)
    for _ in range(room.settings.slices):
        for which in range(2):
            objective = _slice_rate(room, group, which, objective)
    if group == _COMMON:
        room.state.common[:] = room.now
    for component in range(len(room.weights)):
        if group == (component if room.state.own[component] else _COMMON):
            room.state.rates[component, :] = room.now


def _has_common(room: SweepRoom) -> bool:
    """Whether a component with samples has the common rates."""
    found: cython.bint = False
    for component in range(len(room.weights)):
        found = found or _in_group(room, component, _COMMON)
    return found


def move_rates(room: SweepRoom, learning: cython.bint) -> None:
    """Move all error rates, and which components have their own."""
    if _has_common(room):
        _move_group(room, _COMMON, learning)
    else:
        for which in range(2):
            room.state.common[which] = _draw_rate(room.state.stream, room.settings.prior)
    for component in range(len(room.weights)):
        if room.state.own[component] and room.genotypes[component]:
            _move_group(room, component, learning)
    if len(room.weights) > 1:
        for component in range(len(room.weights)):
            if room.genotypes[component]:
                _switch_rates(room, component, True)
                _switch_rates(room, component, False)
            else:
                _draw_rates(room, component)


def _log_proximity(common: FloatArray, rates: FloatArray) -> float:
    """Return the log-density by which rates are proposed to a component that has the common ones.

    On the real line: a mixture of normal densities around these.
    """
    square = 0.0
    for which in range(2):
        away = _point(rates[which]) - _point(common[which])
        square += away * away
    total, width = 0.0, _NEAR
    for _ in range(_WIDTHS):
        total += exp(-0.5 * square / (width * width)) / (width * width)
        width *= _WIDER
    return log(total / _WIDTHS) - _LOG_TWO_PI if total > 0.0 else -_INFINITE


def _log_leaving(room: SweepRoom, rates: FloatArray) -> float:
    """Return the log prior density of rates of its own, less that by which they are proposed."""
    density = _rates_log_density(room.settings.prior, rates)
    density -= 2.0 * room.settings.prior.rate_log_mass
    return density - _log_proximity(room.state.common, rates)


def _propose_own(state: State, rates: FloatArray) -> None:
    """Draw rates around the common ones."""
    width = _NEAR
    for _ in range(below(state.stream, _WIDTHS)):
        width *= _WIDER
    for which in range(2):
        rates[which] = _rate(_point(state.common[which]) + width * normal(state.stream))


def _switch_rates(room: SweepRoom, component: Integer, carry: cython.bint) -> bool:
    """Give a component rates of its own, or the common ones; return whether it was accepted.

    Its edge probabilities stay, or are carried so that each event is seen as often as before.
    """
    leaves: cython.bint = room.state.own[component] == 0  # the common rates
    if leaves:
        _propose_own(room.state, room.rates)
    else:
        room.rates[:] = room.state.common
    room.now[:] = room.state.rates[component]
    ratio = _log_own_odds(room.state, component)
    ratio += _log_leaving(room, room.rates) if leaves else _log_leaving(room, room.now)
    if not leaves:
        ratio = -ratio
    room.theta[:, :] = room.state.theta
    if carry:
        ratio += _carry_theta(room, component, room.now, room.rates)
    if ratio > -_INFINITE:
        ratio += _log_likelihood_at(room, component, room.theta, room.rates)
        ratio -= _log_likelihood_at(room, component, room.state.theta, room.now)
    room.state.tried[_SWITCH] += 1
    if not log(uniform(room.state.stream)) < ratio:
        return False
    room.state.accepted[_SWITCH] += 1
    room.state.own[component] = leaves
    room.state.rates[component, :] = room.rates
    room.state.theta[component, :] = room.theta[component]
    return True
