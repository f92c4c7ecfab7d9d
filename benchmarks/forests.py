"""What a sweep of the sampler over forests and an ascent cost, and how that grows.

    .venv/bin/python benchmarks/forests.py

Both look at every pair of events in every distinct genotype: the last column, nanoseconds for each
of these, should hardly depend on the size. The asked times are 1.3, 20 and 165 ms a sweep, 0.1 and
0.9 s an ascent from one start.
"""

import time

import numpy as np

from caprese import ForestRecipe, Noise
from caprese.fitting.forest_ascent import most_probable_forest
from caprese.fitting.forest_sampler import Chains, sample_forests
from caprese.fitting.genotype_table import GenotypeTable

SIZES = ((20, 250, 400), (50, 500, 40), (100, 1000, 8))


def simulated(events, samples, seed):
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=events).draw(rng)
    return Noise.uniform(0.1).corrupt(forest.sample(samples, rng), rng)


def seconds(work, repeats=3):
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main():
    small = simulated(5, 20, 1)
    brief = Chains(chains=1, draws=1, thin=1, warm_up=0)
    sample_forests(small, seed=1, chains=brief)  # compiles
    most_probable_forest(small)
    print("events samples   ms a sweep   with rates and swaps   ns a pair, genotype   ascent, s")
    for events, samples, sweeps in SIZES:
        data = simulated(events, samples, 1)
        start = [most_probable_forest(data, perturbed=0).forest.parents]
        bare, full = (
            seconds(
                lambda chains=chains, data=data, start=start: sample_forests(
                    data, seed=1, chains=chains, jobs=1, starts=start
                )
            )
            / sweeps
            for chains in (
                Chains(chains=1, draws=1, thin=1, warm_up=sweeps - 1, swaps=0, slices=0, joints=0),
                Chains(chains=1, draws=1, thin=1, warm_up=sweeps - 1),
            )
        )
        ascent = seconds(lambda data=data: most_probable_forest(data, perturbed=0), 2)
        unit = bare / events**2 / len(GenotypeTable.of(data).times)
        print(
            f"{events:6d} {samples:7d} {1e3 * bare:12.2f} {1e3 * full:22.2f}"
            f" {1e9 * unit:21.2f} {ascent:11.2f}"
        )


if __name__ == "__main__":
    main()
