"""Hamming distance from random trees of 10 events, on data drawn as each kind of model has it.

    .venv/bin/python benchmarks/own_model.py

A forest lets its events occur or not, once their parents have; a timed poset lets them wait, and
ends all waiting at once when the sample is taken. The trees and the chance of each event given its
parent are the same.
"""

import numpy as np

from caprese import (
    HCBN,
    Caprese,
    ForestRecipe,
    NoisyPoset,
    Noise,
    NoisyForest,
    Oncotree,
    TimedPoset,
    hamming_distance,
)
from caprese.models.base import parent_sets

TREES, SAMPLES = 40, 200
METHODS = {"CAPRESE 0.5": Caprese(), "oncotree": Oncotree(), "h-CBN": HCBN()}


def drawn(forest, noise, rng):
    """Data of the forest, and of the timed poset of the same tree."""
    odds = forest.probabilities / (1 - forest.probabilities)
    timed = TimedPoset(forest.events, parent_sets(forest.adjacency()), odds)
    return {
        "forest": NoisyForest(forest, noise).sample(SAMPLES, rng),
        "timed poset": NoisyPoset(timed, noise.false_positive).sample(SAMPLES, rng),
    }


def main():
    for nu in (0.0, 0.1):
        noise = Noise.uniform(nu)
        far = {}
        for tree in range(TREES):
            rng = np.random.default_rng([1, tree])
            forest = ForestRecipe(events=10).draw(rng)
            for kind, data in drawn(forest, noise, rng).items():
                for name, method in METHODS.items():
                    distance = hamming_distance(forest, method.fit(data).model)
                    far.setdefault((kind, name), []).append(distance)
        for (kind, name), distances in far.items():
            print(f"noise {nu:g}, data of a {kind}: {name} {np.mean(distances):.2f}")


if __name__ == "__main__":
    main()
