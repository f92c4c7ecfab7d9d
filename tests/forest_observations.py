"""Random forests with observations of them, as the kernels take them, and sums in logarithms."""

import numpy as np

from caprese import Forest, Noise
from caprese.models.forest import ROOT, log_parameters

NOISES = [
    Noise(0.05, 0.1),
    Noise(0, 0),
    Noise(0, 0.2),
    Noise(1e-3, 0),
    Noise(1e-200, 1e-120),
    Noise(1e-300, 1e-300),
    Noise(0.4, 0.5),
]


def drawn_forest(rng, events):
    """Return a forest with stars and chains, and with probabilities of 0, of 1, and near them."""
    parents = [ROOT]
    star = rng.random() < 0.5
    for event in range(1, events):
        alone, first = rng.random() < 0.1, star and rng.random() < 0.9
        parents.append(ROOT if alone else 0 if first else int(rng.integers(event)))
    extreme = rng.choice([0, 1, 1e-250, 1 - 1e-7], size=events)
    return parents, np.where(rng.random(events) < 0.2, extreme, rng.random(events))


def drawn_codes(rng, samples, events):
    """Return observations with a random share of unknown entries."""
    codes = rng.choice(3, size=(samples, events), p=rng.dirichlet([1, 1, 0.3]))
    return codes.astype(np.uint8)


def model_of(parents, probabilities, noise):
    forest = Forest(tuple(map(str, range(len(parents)))), parents, probabilities)
    return log_parameters(forest, noise)


def in_logarithms(codes, order, parents, log_p, log_q, log_observed):
    """Return the log-probability of each sample, and the probability of each event given it."""
    occurred, absent = log_observed[1][codes.T], log_observed[0][codes.T]
    total, posterior = np.zeros(len(codes)), np.empty(codes.shape)
    for event in order[::-1]:
        either = np.logaddexp(log_p[event] + occurred[event], log_q[event] + absent[event])
        sure = np.where(np.isneginf(either), 0, either)
        posterior[:, event] = np.exp(log_p[event] + occurred[event] - sure)
        if parents[event] == ROOT:
            total += either
        else:
            occurred[parents[event]] += either
            absent[parents[event]] += absent[event]
    for event in order:
        if parents[event] != ROOT:
            posterior[:, event] *= posterior[:, parents[event]]
    return total, posterior
