"""Random posets, and genotypes observed with errors, as the kernels take them."""

import numpy as np


def drawn_parents(rng, events, density=0.3):
    """Return the parents of a random poset, as sets; events in a random order."""
    order, parents = rng.permutation(events), np.zeros(events, np.int64)
    for place, event in enumerate(order):
        for earlier in order[:place]:
            if rng.random() < density:
                parents[event] |= 1 << int(earlier)
    return parents


def drawn_ancestors(rng, events, density=0.3):
    """Return the ancestors of a random poset, as sets."""
    ancestors = drawn_parents(rng, events, density)
    for _ in range(events):
        for event in range(events):
            for parent in range(events):
                if ancestors[event] >> parent & 1:
                    ancestors[event] |= ancestors[parent]
    return ancestors


def drawn_genotypes(rng, events, number, unknown=0.0):
    """Return genotypes as sets, how often each was seen, and what is known of each, sorted."""
    bits = 1 << np.arange(events)
    known = (rng.random((number, events)) >= unknown) @ bits
    genotypes = (rng.random((number, events)) < rng.random(events)) @ bits & known
    order = np.lexsort((genotypes, known))
    times = rng.integers(1, 4, number).astype(float)
    return genotypes[order], times, known[order]
