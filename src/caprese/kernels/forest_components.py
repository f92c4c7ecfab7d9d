"""Components of a mixture of forests: their samples, their weights, and draws from the prior."""

import numpy as np

from caprese.kernels.arrays import fill, sum_of
from caprese.kernels.compiling import kernel
from caprese.kernels.draws import beta_draw, choice, forest_draw, log_gamma_draw, uniform
from caprese.kernels.forest_messages import log_probabilities, seen_probabilities, table_of


@kernel
def component_table(table, members):  # type: ignore[no-untyped-def]
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
    return table_of(codes, times)


@kernel
def component_log_probabilities(table, state, seen):  # type: ignore[no-untyped-def]
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
def draw_members(table, state, found):  # type: ignore[no-untyped-def]
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
def state_log_likelihood(table, state):  # type: ignore[no-untyped-def]
    """Return the log-probability of the data where the chain is, whatever the memberships."""
    seen = seen_probabilities(state.rates[0], state.rates[1])
    return _mixture_log_likelihood(table, component_log_probabilities(table, state, seen))


@kernel
def draw_root_probability(stream, prior, n, roots):  # type: ignore[no-untyped-def]
    """Draw r given the number of roots."""
    share = prior.uniform * np.exp(-(n - 1.0) * np.log(n + 1.0) - prior.forests[roots])
    if uniform(stream) < share:
        return 1.0 / (n + 1.0)
    return beta_draw(stream, prior.first + roots - 1.0, prior.second + n - roots)
