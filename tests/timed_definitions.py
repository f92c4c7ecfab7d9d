"""Timed forests by definition: a Markov chain over all genotypes, and the matrix exponential."""

import numpy as np
from scipy.linalg import expm

from caprese import ROOT


def generator(parents, rates):
    """The rates between genotypes, event k in bit k; rows sum to 0."""
    n = len(parents)
    matrix = np.zeros((2**n, 2**n))
    for state in range(2**n):
        for event in range(n):
            there = parents[event] == ROOT or state >> parents[event] & 1
            if there and not state >> event & 1:
                matrix[state, state | 1 << event] = rates[event]
                matrix[state, state] -= rates[event]
    return matrix


def seen_chances(codes, noise):
    """How probable what was seen is in each genotype."""
    n = len(codes)
    found = np.ones(2**n)
    for state in range(2**n):
        for event, code in enumerate(codes):
            if code != 2:
                wrong = noise.false_negative if state >> event & 1 else noise.false_positive
                found[state] *= 1 - wrong if code == (state >> event & 1) else wrong
    return found


def history_probability(forest, noise, codes, elapsed, pace=1.0, gap_rate=1.0):
    """How probable visits are: the times before them are known, or NaN and exponential."""
    matrix = generator(forest.parents, forest.rates)
    one = np.eye(len(matrix))
    likely = one[0]
    for visit, (seen, time) in enumerate(zip(codes, elapsed, strict=True)):
        rate = gap_rate if visit else pace
        step = rate * np.linalg.inv(rate * one - matrix) if np.isnan(time) else expm(time * matrix)
        likely = likely @ step * seen_chances(seen, noise)
    return likely.sum()
