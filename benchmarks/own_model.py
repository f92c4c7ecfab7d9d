"""Hamming distance from random trees of 10 events, on data of forests and of timed posets.

    .venv/bin/python benchmarks/own_model.py

In a forest an event occurs or not, once its parent has; in a timed poset it occurs after a waiting
time, unless the sample is taken before. The trees, and the probability of each event given its
parent, are the same.
"""

import numpy as np

from caprese import (
    HCBN,
    Caprese,
    ForestRecipe,
    Noise,
    NoisyForest,
    NoisyPoset,
    Oncotree,
    TimedPoset,
    hamming_distance,
)
from caprese.models.base import parent_sets

TREES, SAMPLES = 40, 200
METHODS = {"CAPRESE 0.5": Caprese(), "oncotree": Oncotree(), "h-CBN": HCBN()}


def drawn(forest, noise, rng):
    """Return data of the forest, and of the timed poset of the same tree."""
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
