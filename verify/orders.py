"""Do orders from allele fractions come true as often as their confidence says?

    python verify/orders.py

Reads are simulated: 3 to 6 events a sample, depths of about 50 to 1000, overdispersion 0.005,
purity from 0.3 to 1. In chains, each event is in a part of the cells of the one before; in trees,
clones branch at random. Printed are the confidence stated, how often the order was right with the
standard error over samples, and the number of pairs.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from common import options

from caprese.data.allele_fractions import OVERDISPERSION, Variants, orders_of_fractions

BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001)


def chain(events, rng):
    """Return fractions of cells in the order of the events, and which pairs are nested."""
    fractions = np.sort(rng.random(events))[::-1]
    fractions[0] = 1 if rng.random() < 0.5 else fractions[0]
    return fractions, np.ones((events, events), dtype=bool)


def tree(events, rng):
    """Return the same of a tree whose clones have random sizes; later events have later numbers."""
    parents = [-1, *(int(rng.integers(-1, k)) for k in range(1, events))]
    nested = np.eye(events, dtype=bool)
    for child, parent in enumerate(parents):
        if parent >= 0:
            nested[:, child] |= nested[:, parent]
    sizes = rng.dirichlet(np.ones(events + 1))[1:]  # some cells have none of the events
    return nested @ sizes, nested


def simulated(kind, samples, events, rng):
    """Return reads of samples whose events have the order of their numbers, and nested pairs."""
    found = [kind(events, rng) for _ in range(samples)]
    purity = rng.uniform(0.3, 1, samples).repeat(events)
    depth = np.maximum(50, np.exp(rng.normal(5.3, 0.8, samples * events)).astype(int))
    share = np.concatenate([fractions for fractions, _ in found]) * purity / 2
    strength = 1 / OVERDISPERSION - 1
    reads = rng.binomial(depth, rng.beta(share * strength, (1 - share) * strength))
    names = tuple(f"e{k}" for k in range(events)), tuple(map(str, range(samples)))
    return Variants(
        names[1], names[0],
        np.arange(samples).repeat(events), np.tile(np.arange(events), samples),
        reads.astype(float), depth.astype(float), purity,
        np.full(depth.shape, 2.0), np.ones(depth.shape, dtype=bool),
    ), np.array([nested for _, nested in found])  # fmt: skip


def pairs_of(variants, nested, mixed=False):
    """Return the sample, the confidence, whether it was right and whether nested of each pair."""
    orders = orders_of_fractions(variants).orders
    orders = orders.mixed() if mixed else orders
    sample, earlier, later = orders.pairs.T
    return (
        sample,
        orders.confidence,
        earlier < later,
        nested[sample, earlier, later] | nested[sample, later, earlier],
    )


def show(title, sample, stated, right):
    print(title)
    for low, high in pairwise(BINS):
        here = (stated >= low) & (stated < high)
        if here.sum() < 2:
            continue
        share = right[here].mean()
        of_samples = np.bincount(sample[here], right[here] - share)
        error = np.sqrt((of_samples**2).sum()) / here.sum()
        print(f"  {stated[here].mean():.3f}   {share:.3f} ({error:.3f})   {here.sum()}", flush=True)


def whole_rankings(kind, samples, events, rng):
    """Print how probable the ranking of all events is, by pairs, and how often it is right."""
    variants, _ = simulated(kind, samples, events, rng)
    stated = {}
    for pairs in ("all", "neighbours"):
        orders = orders_of_fractions(variants, pairs=pairs).orders
        number = np.bincount(orders.pairs[:, 0], minlength=samples)
        logs = np.bincount(orders.pairs[:, 0], np.log(orders.confidence), minlength=samples)
        stated[pairs] = np.exp(logs)
        wrong = np.bincount(
            orders.pairs[:, 0], orders.pairs[:, 1] > orders.pairs[:, 2], minlength=samples
        )
    complete = number == events - 1
    right = (wrong == 0)[complete]
    print(
        f"{events} events: all {stated['all'][complete].mean():.3f}, neighbours "
        f"{stated['neighbours'][complete].mean():.3f}, right {right.mean():.3f} "
        f"({right.std() / np.sqrt(len(right)):.3f})", flush=True,
    )  # fmt: skip


def main():
    given = options(__doc__, 20_000, 2_000).parse_args()
    for events in range(3, 7):
        rng = np.random.default_rng([given.seed, events])
        sample, stated, right, _ = pairs_of(*simulated(chain, given.data_sets, events, rng))
        show(f"chains of {events} events", sample, stated, right)
    for title, known in (("known", True), ("unknown", False)):
        rng = np.random.default_rng([given.seed, 10])
        variants, nested = simulated(tree, given.data_sets, 5, rng)
        if not known:
            variants = replace(variants, purity=np.ones_like(variants.purity))
        sample, stated, right, within = pairs_of(variants, nested)
        show(
            f"trees of 5 events, purity {title}, nested pairs",
            sample[within],
            stated[within],
            right[within],
        )
        show("all pairs", sample, stated, right)
        show("all pairs, mixed", *pairs_of(variants, nested, mixed=True)[:3])
    print("the whole ranking in chains: product of the confidences, and how often it was right")
    for events in range(3, 7):
        whole_rankings(
            chain, given.data_sets, events, np.random.default_rng([given.seed, 20, events])
        )


if __name__ == "__main__":
    main()
