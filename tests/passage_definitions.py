"""Processes of events by their definition: a generator matrix, and one path at a time."""

import numpy as np
from scipy.linalg import expm


def all_genotypes(n):
    """All sets of events, event k in bit k, as rows."""
    return (np.arange(1 << n)[:, None] >> np.arange(n)) & 1 == 1


def rate(model, factors, genotype, event):
    """The rate of an event in a genotype, by the definition of each kind of model."""
    if genotype[event]:
        return 0.0
    if hasattr(model, "effects"):
        return factors[event] * model.rates[event] * np.prod(model.effects[genotype, event])
    waits = [parent for parent in model.parent_sets[event] if not genotype[parent]]
    return 0.0 if waits else factors[event] * model.rates[event]


def sampling_rate(model, genotype):
    return np.prod(model.observation[genotype]) if hasattr(model, "effects") else 1.0


def generator(model, factors):
    """Rates from the genotype of the row to that of the column."""
    n = len(model.events)
    matrix = np.zeros((1 << n, 1 << n))
    for state, genotype in enumerate(all_genotypes(n)):
        for event in range(n):
            speed = rate(model, factors, genotype, event)
            matrix[state, state | 1 << event] += speed
            matrix[state, state] -= speed
    return matrix


def reached_by(model, factors, goal, start, time):
    """How probably a goal is reached by a time: matrix exponential, the goal absorbs."""
    matrix = generator(model, factors)
    matrix[goal] = 0.0
    return expm(matrix * time)[start][goal].sum()


def observed(model, factors, start):
    """The probability that the next sample is taken in each genotype: a dense solve."""
    taken = [sampling_rate(model, genotype) for genotype in all_genotypes(len(model.events))]
    leave = np.diag(taken) - generator(model, factors)
    return np.linalg.solve(leave.T, np.eye(len(taken))[start]) * taken


def reached_before_sample(model, factors, goal, start):
    """How probably a goal is reached before the next sample is taken."""
    taken = [sampling_rate(model, genotype) for genotype in all_genotypes(len(model.events))]
    matrix = np.diag(taken) - generator(model, factors)
    matrix[goal] = np.eye(len(taken))[goal]
    return np.linalg.solve(matrix, goal.astype(float))[start]


def path(model, factors, genotype, rng):
    """Times of all events and of the sample, one event after the other."""
    genotype, clock, times = np.array(genotype), 0.0, {}
    sample = None
    while True:
        speeds = np.array([rate(model, factors, genotype, k) for k in range(len(genotype))])
        taken = 0.0 if sample is not None else sampling_rate(model, genotype)
        total = speeds.sum() + taken
        if total == 0:
            return times, sample
        clock += rng.exponential() / total
        drawn = rng.choice(len(speeds) + 1, p=np.append(speeds, taken) / total)
        if drawn == len(speeds):
            sample = clock
        else:
            genotype[drawn] = True
            times[drawn] = clock
