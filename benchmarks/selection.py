"""Is the shrinkage chosen from the data as good as the better of the paper's two values?

    .venv/bin/python benchmarks/selection.py [TREES]

Random trees of 20 events by the paper's recipe, one data set each; mean unordered tree edit
distance with shrinkage 0.01, 0.5 and auto, and how auto compares with the better of the two.
"""

import sys

import numpy as np
from joblib import Parallel, delayed

from caprese import Caprese, Counts, Noise
from caprese.fitting.shrinkage_choice import choose_shrinkage
from caprese.models.metrics import tree_edit_distances
from caprese.simulation.random_models import ForestRecipe


def parents(counts, shrinkage):
    return Caprese(shrinkage=shrinkage).infer_parents(counts)


def one_tree(seed, nu, samples):
    rng = np.random.default_rng([seed, round(1000 * nu), samples])
    truth, noise = ForestRecipe().draw(rng), Noise.uniform(nu)
    data = noise.corrupt(truth.sample(samples, rng), rng)
    chosen = choose_shrinkage(parents, data).shrinkage
    counts = Counts.of(data)
    found = np.array([parents(counts, shrinkage) for shrinkage in (0.01, 0.5, chosen)])
    return [*tree_edit_distances(found, truth.parents), chosen]


def main():
    trees = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print("   nu  samples    0.01     0.5    auto   auto / better   mean choice")
    means = []
    for nu in (0.0, 0.05, 0.1, 0.15):
        for samples in (50, 150, 250):
            found = np.array(
                Parallel(n_jobs=2)(delayed(one_tree)(seed, nu, samples) for seed in range(trees))
            )
            small, middle, auto, choice = found.mean(axis=0)
            means.append((small, middle, auto))
            print(
                f"{nu:5.2f} {samples:8d} {small:7.2f} {middle:7.2f} {auto:7.2f}"
                f" {auto / min(small, middle):12.3f} {choice:12.2f}",
                flush=True,
            )
    small, middle, auto = np.mean(means, axis=0)
    print(f"mean           {small:7.2f} {middle:7.2f} {auto:7.2f}")


if __name__ == "__main__":
    main()
