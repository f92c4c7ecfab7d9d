"""1,000 bootstrap replicates, compared with recorded times of R and with a lower bound.

    .venv/bin/python benchmarks/bootstrap.py

R's times (TRONCO 2.41.1 for CAPRESE, Oncotree 0.3.5, on two cores of the same kind of machine) are
recorded, not measured here. The lower bound is measured: the matrix product that counts pairs by
weights, replicates x distinct genotypes x pairs of events in float64, without resampling, scoring
or counting of edges.
"""

import resource
import time

import numpy as np

from caprese import Caprese, Dataset, Oncotree, bootstrap, datasets

REPLICATES = 1000
RECORDED = {  # seconds of R for 1,000 replicates
    (87, 7): {"caprese": 7.1, "oncotree": 0.69},
    (250, 20): {"caprese": 25.9, "oncotree": 4.2},
    (1000, 100): {"caprese": 502.0, "oncotree": 189.0},
}


def best_of(repeats, work):
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def floor(data, rng):
    distinct, _ = data.genotypes()
    i, j = np.triu_indices(len(data.events))
    pairs = (distinct.values[:, i] & distinct.values[:, j]).astype(float)
    weights = rng.integers(0, 3, size=(REPLICATES, len(pairs))).astype(float)
    return best_of(5, lambda: weights @ pairs)


def main():
    rng = np.random.default_rng(1)
    print("samples x events   method                 seconds   R / ours   ours / floor")
    for (samples, events), recorded in RECORDED.items():
        values = rng.random((samples, events)) < rng.uniform(0.1, 0.7, events)
        data = Dataset(values, tuple(f"e{k}" for k in range(events)))
        if (samples, events) == (87, 7):
            data = datasets.ovarian()
        least = floor(data, rng)
        for name, method in (
            ("caprese", Caprese()),
            ("oncotree", Oncotree()),
            ("oncotree branching", Oncotree(search="branching")),
        ):
            run = lambda method=method, data=data: bootstrap(  # noqa: E731
                method, data, replicates=REPLICATES, seed=1
            )
            run()
            ours = best_of(5, run)
            times = recorded.get(name.split()[0], np.nan) / ours
            print(
                f"{samples:7d} x {events:<6d}   {name:20s} {ours:9.4f} {times:10.0f}"
                f" {ours / least:14.2f}"
            )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = best_of(
        1, lambda: bootstrap(Caprese(), datasets.ovarian(), replicates=1_000_000, seed=1)
    )
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"one million ovarian replicates: {seconds:.2f} s, memory grew by {grown:.0f} MB")


if __name__ == "__main__":
    main()
