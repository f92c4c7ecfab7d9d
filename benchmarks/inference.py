"""Exact inference in a forest with errors: time against events and samples; maximum branching.

    .venv/bin/python benchmarks/inference.py

Prints exponents of growth: 1 is linear. The branching is compared with networkx.
"""

import time

import networkx as nx
import numpy as np

from caprese import ROOT, Forest, Noise, NoisyForest
from caprese.kernels.branching import branching, certain_parents, total_weight


def seconds(work, repeats=3):
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def random_tree(events, rng):
    parents = [ROOT, *(int(rng.integers(0, k)) for k in range(1, events))]
    names = tuple(f"e{k:05d}" for k in range(events))
    return Forest(names, parents, rng.uniform(0.3, 1, events))


def likelihood(events, samples, rng):
    model = NoisyForest(random_tree(events, rng), Noise(0.05, 0.05))
    data = model.sample(samples, rng)
    return seconds(lambda: model.log_likelihood(data))


def exponent(sizes, taken):
    return np.polyfit(np.log(sizes), np.log(taken), 1)[0]


def networkx_weight(weights, root_weights):
    graph = nx.DiGraph()
    n = len(root_weights)
    graph.add_weighted_edges_from(("root", j, root_weights[j]) for j in range(n))
    graph.add_weighted_edges_from(
        (i, j, weights[i, j]) for i in range(n) for j in range(n) if i != j
    )
    return nx.maximum_spanning_arborescence(graph).size(weight="weight")


def main():
    rng = np.random.default_rng(1)
    likelihood(10, 10, rng)
    sizes = (500, 1000, 2000)
    taken = [likelihood(size, 10_000, rng) for size in sizes]
    print(
        "events x 10,000 samples:", *(f"{n}: {t:.3f} s" for n, t in zip(sizes, taken, strict=True))
    )
    print(f"  exponent {exponent(sizes, taken):.2f}")
    sizes = (2500, 5000, 10_000)
    taken = [likelihood(2000, size, rng) for size in sizes]
    print(
        "2,000 events x samples:", *(f"{n}: {t:.3f} s" for n, t in zip(sizes, taken, strict=True))
    )
    print(f"  exponent {exponent(sizes, taken):.2f}")

    batch = rng.normal(size=(200, 20, 20)), rng.normal(size=(200, 20)) - 2
    certain_parents(*batch, 1e-9)
    ours = seconds(lambda: certain_parents(*batch, 1e-9)) / 200
    theirs = seconds(lambda: [networkx_weight(*pair) for pair in zip(*batch, strict=True)], 1) / 200
    lighter = sum(
        total_weight(w, r, branching(w, r)) < networkx_weight(w, r) - 1e-9
        for w, r in zip(*batch, strict=True)
    )
    print(
        f"branching of 20 events: {1e6 * ours:.1f} us with its test for ties, networkx "
        f"{1e6 * theirs:.0f} us, ratio {theirs / ours:.0f}; lighter than networkx: {lighter} of 200"
    )


if __name__ == "__main__":
    main()
