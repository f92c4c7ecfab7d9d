"""Data sets per second: simulate, fit CAPRESE and oncotrees, and compute their distances.

    .venv/bin/python benchmarks/throughput.py

20 events, 250 samples, noise 0.1; R needs 16 ms for the two fits of one data set alone.
"""

import time

from joblib import Parallel, delayed

from caprese.models.noise import Noise
from caprese.simulation.recipes import ForestRecipe
from caprese.studies.base import METHODS, Simulations

TREES, REPLICATES = 400, 10
COMPARED = {name: METHODS[name] for name in ("CAPRESE 0.5", "oncotree")}


def work(seed, trees):
    study = Simulations(trees=trees, replicates=REPLICATES, seed=seed)
    study.distances(ForestRecipe(), Noise.uniform(0.1), 250, COMPARED)


def main():
    with Parallel(n_jobs=2) as pool:
        pool(delayed(work)(seed, 1) for seed in range(2))
        start = time.perf_counter()
        pool(delayed(work)(seed, TREES // 2) for seed in range(2))
        seconds = time.perf_counter() - start
    number = TREES * REPLICATES
    print(f"{number} data sets in {seconds:.2f} s: {number / seconds:.0f} a second")
    print(f"R's two fits alone: 62 a second; ratio {number / seconds / 62.5:.0f}")


if __name__ == "__main__":
    main()
