"""Hidden conjunctive Bayesian networks: likelihood reached and time, beside the C program's.

    .venv/bin/python benchmarks/hcbn.py

The C program (ct-cbn 0.1.04b, 50 annealing steps at temperature 1) took 7 to 17 s on the ovarian
data on one thread, where it reached -371.403 at best, and 442 s on two threads on 10 events x 100
samples. Those times come from another run on a like machine; the ratios are so rounded down.
"""

import time

import numpy as np

from caprese import HCBN, ForestRecipe, Noise, Poset, datasets, fit_poset

PAPER = {"steps": 50, "temperature": 1, "restarts": 1, "ascent": False}
OVARIAN_SECONDS, TEN_EVENTS_SECONDS = 7.0, 442.0


def timed(method, data):
    start = time.perf_counter()
    fit = method.fit(data)
    return fit.evidence.log_likelihood, time.perf_counter() - start


def simulated(events, samples, seed):
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=events).draw(rng)
    return Noise.uniform(0.05).corrupt(forest.sample(samples, rng), rng)


def searches(name, data, c_seconds, seeds):
    for label, settings in (("as the paper ran it", PAPER), ("default", {})):
        runs = [timed(HCBN(seed=seed, **settings), data) for seed in range(seeds)]
        heights, taken = np.array(runs).T
        print(
            f"{name}, {label}: log-likelihood {heights.min():.3f} to {heights.max():.3f}, "
            f"{taken.min():.3f} to {taken.max():.3f} s, "
            f"at least {c_seconds / taken.max():.0f} times the C program's speed"
        )


def growth():
    """One more event more than doubles the time: the states of the empty poset double."""
    for events in (7, 10, 13, 16):
        data = simulated(events, 100, 1)
        empty = Poset(data.events, ((),) * events)
        start = time.perf_counter()
        fit_poset(empty, data)
        climb = time.perf_counter() - start
        taken = timed(HCBN(**PAPER), data)[1]
        print(f"{events} events: rates of the empty poset {climb:.3f} s, 50 steps {taken:.2f} s")


def main():
    timed(HCBN(**PAPER), datasets.acml())  # compiles
    timed(HCBN(steps=1, restarts=1), datasets.acml())
    searches("ovarian", datasets.ovarian(), OVARIAN_SECONDS, 10)
    searches("10 events x 100 samples", simulated(10, 100, 1), TEN_EVENTS_SECONDS, 3)
    growth()


if __name__ == "__main__":
    main()
