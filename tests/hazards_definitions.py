"""Mutual hazard networks by their definition: matrices over all sets of events."""

import numpy as np

from caprese import Dataset


def states(n):
    """All sets of events, event k in bit k, as rows."""
    return (np.arange(1 << n)[:, None] >> np.arange(n)) & 1 == 1


def generator(model):
    """The rates of all transitions: from the state of the column to that of the row."""
    n = len(model.events)
    matrix = np.zeros((1 << n, 1 << n))
    for state, present in enumerate(states(n)):
        for event in np.flatnonzero(~present):
            rate = model.rates[event] * np.prod(model.effects[present, event])
            matrix[state | 1 << event, state] += rate
            matrix[state, state] -= rate
    return matrix


def observation_rates(model):
    """The rate at which samples are taken, in all states."""
    return np.array([np.prod(model.observation[row]) for row in states(len(model.events))])


def probabilities(model):
    """The probability to be observed in each state, by a dense solve."""
    rates = observation_rates(model)
    start = np.eye(len(rates))[0]
    return rates * np.linalg.solve(np.diag(rates) - generator(model), start)


def random_hazards(rng, n, *, observation=True, spread=1.0):
    """A model with effects of both kinds."""
    from caprese import Hazards

    effects = np.exp(rng.normal(0, spread, (n, n)))
    np.fill_diagonal(effects, 1.0)
    biased = np.exp(rng.normal(0, 0.5, n)) if observation else np.empty(0)
    return Hazards(tuple("abcdefghijkl"[:n]), np.exp(rng.normal(0, 1, n)), effects, biased)


def drawn(samples, n, seed, *, unknown=0.0):
    """Samples of a random network, some entries unknown."""
    rng = np.random.default_rng(seed)
    data = random_hazards(rng, n, observation=False, spread=0.7).sample(samples, rng)
    if not unknown:
        return data
    known = rng.random(data.values.shape) >= unknown
    return Dataset(data.values & known, data.events, data.samples, known)


def numerical_slopes(function, at, step=1e-5):
    """The slopes of a function, by differences."""
    slopes = np.empty_like(at)
    for place in np.ndindex(at.shape):
        moved = np.zeros_like(at)
        moved[place] = step
        slopes[place] = (function(at + moved) - function(at - moved)) / (2 * step)
    return slopes
