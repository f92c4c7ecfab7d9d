"""Predictions of many draws of forests with errors, or of mixtures of them, for many samples."""

import numpy as np

from caprese.kernels.arrays import fill, ones
from caprese.kernels.compiling import kernel
from caprese.kernels.forest_messages import (
    fill_reach,
    log_probabilities,
    messages,
    refresh_all,
    seen_probabilities,
    table_of,
)


@kernel
def draw_log_probabilities(codes, parents, theta, rates, weights):  # type: ignore[no-untyped-def]
    """Return the log-probability of each genotype under each draw, draws x genotypes.

    Parameters
    ----------
    codes
        Events x genotypes: 0 absent, 1 present, 2 unknown.
    parents, theta
        Draws x components x events.
    rates
        Draws x 2.
    weights
        Draws x components.
    """
    draws, genotypes = len(parents), codes.shape[1]
    result = np.empty((draws, genotypes))
    parts = np.empty((parents.shape[1], genotypes))
    for draw in range(draws):
        _fill_parts(codes, parents[draw], theta[draw], rates[draw], weights[draw], parts)
        for d in range(genotypes):
            result[draw, d] = _log_sum(parts[:, d])
    return result


@kernel
def draw_component_probabilities(codes, parents, theta, rates, weights):  # type: ignore[no-untyped-def]
    """Return the probability that a genotype belongs to each component.

    Draws x components x genotypes.
    """
    draws, components = parents.shape[:2]
    genotypes = codes.shape[1]
    result = np.empty((draws, components, genotypes))
    for draw in range(draws):
        parts = result[draw]
        _fill_parts(codes, parents[draw], theta[draw], rates[draw], weights[draw], parts)
        for d in range(genotypes):
            total = _log_sum(parts[:, d])
            for component in range(components):
                parts[component, d] = np.exp(parts[component, d] - total)
    return result


@kernel
def event_probabilities(codes, parents, theta, rates, weights, shares):  # type: ignore[no-untyped-def]
    """Return the probability that each event is truly there, events x genotypes.

    Parameters
    ----------
    shares
        Draws x genotypes: how much each draw counts for each genotype; sums to 1 over draws.
    """
    draws, components, n = parents.shape
    genotypes = codes.shape[1]
    result = np.zeros((n, genotypes))
    parts = np.empty((components, genotypes))
    table = table_of(codes, ones(genotypes))
    work = messages(n, genotypes)
    for draw in range(draws):
        _fill_parts(codes, parents[draw], theta[draw], rates[draw], weights[draw], parts)
        seen = seen_probabilities(rates[draw, 0], rates[draw, 1])
        total = np.empty(genotypes)
        for d in range(genotypes):
            total[d] = _log_sum(parts[:, d])
        for component in range(components):
            refresh_all(table, parents[draw, component], theta[draw, component], seen, work)
            fill_reach(parents[draw, component], work)
            for d in range(genotypes):
                share = shares[draw, d] * np.exp(parts[component, d] - total[d])
                for event in range(n):
                    result[event, d] += share * work.reach[event, d]
    return result


@kernel
def _fill_parts(codes, parents, theta, rates, weights, parts):  # type: ignore[no-untyped-def]
    """Fill `parts` with log weight plus log-probability, components x genotypes."""
    seen = seen_probabilities(rates[0], rates[1])
    for component in range(len(parents)):
        if weights[component] > 0.0:
            log_probabilities(codes, parents[component], theta[component], seen, parts[component])
            log_weight = np.log(weights[component])
            for d in range(parts.shape[1]):
                parts[component, d] += log_weight
        else:
            fill(parts[component], -np.inf)


@kernel
def _log_sum(values):  # type: ignore[no-untyped-def]
    most, total = -np.inf, 0.0
    for each in values:
        most = max(most, each)
    if most == -np.inf:
        return most
    for each in values:
        total += np.exp(each - most)
    return most + np.log(total)
