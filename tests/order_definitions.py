"""Orders of events by their definition: all permutations, each a chain of steps."""

from itertools import permutations

import numpy as np


def paths(model, present):
    """Every order of these events, and the probability of its steps; then the sample is taken."""
    for order in permutations(present):
        row, chance = np.zeros((1, len(model.events)), dtype=bool), 1.0
        for event in order:
            rates = model.next_rates(row)[0]
            chance *= rates[event] / (1 + rates.sum())
            row[0, event] = True
        yield order, chance / (1 + model.next_rates(row).sum())


def order_probability(model, present, first, second):
    """How probably one event of a true genotype came before the other."""
    if first not in present or second not in present:
        return 0.5 + ((first in present) - (second in present)) / 2
    chances = np.array([(chance, chance * (order.index(first) < order.index(second)))
                        for order, chance in paths(model, present)])  # fmt: skip
    total, before = chances.sum(axis=0)
    return before / total


def log_probability(model, present, seen):
    """Log-probability of a genotype and of orders that were seen, (earlier, later, confidence)."""
    total = 0.0
    for order, chance in paths(model, present):
        for earlier, later, confidence in seen:
            right = order.index(earlier) < order.index(later)
            chance *= confidence if right else 1 - confidence  # noqa: PLW2901
        total += chance
    return np.log(total)
