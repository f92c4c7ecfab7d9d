"""Moves of the error rates, given which samples belong to which component.

Rates move on the real line: each by itself, by slice sampling, and both together with the edge
probabilities, on which they depend.
"""

import numpy as np

from caprese.kernels.arrays import copy_into, copy_rows
from caprese.kernels.compiling import kernel
from caprese.kernels.draws import normal, uniform
from caprese.kernels.forest_ascent import rate_log_density
from caprese.kernels.forest_messages import log_likelihood, parents_first, seen_probabilities

_TARGET = 0.3  # of joint moves of rates and probabilities, how many to accept

JOINT = 2
"""The kind of the joint move: where `tried` and `accepted` count it, after `event_moves`."""


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
    parents_first(parents, order)
    room = np.empty((2, n))
    from_root, carried = room[0], room[1]
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
def move_rates(tables, state, settings, learning):  # type: ignore[no-untyped-def]
    """Move both error rates, with the edge probabilities and each by itself."""
    prior = settings.prior
    objective = _rates_objective(tables, state, state.theta, state.rates, prior)
    for _ in range(settings.joints):
        objective, accepted = _joint_move(tables, state, prior, objective)
        if learning:
            _learn(state, accepted)
    for _ in range(settings.slices):
        for which in range(2):
            objective = _slice_rate(tables, state, prior, which, objective)
