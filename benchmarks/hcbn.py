"""Hidden conjunctive Bayesian networks: log-likelihood and time, compared with the C program.

    .venv/bin/python benchmarks/hcbn.py

The C program (ct-cbn 0.1.04b, 50 annealing steps at temperature 1) took 7 to 17 s on the ovarian
data on one thread, with a best log-likelihood of -371.403, and 442 s on two threads on 10 events x
100 samples. Those times were measured earlier on a similar machine; ratios are lower bounds.
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
        log_likelihoods, taken = np.array(runs).T
        print(
            f"{name}, {label}: log-likelihood {log_likelihoods.min():.3f} to "
            f"{log_likelihoods.max():.3f}, "
            f"{taken.min():.3f} to {taken.max():.3f} s, "
            f"at least {c_seconds / taken.max():.0f} times the C program's speed"
        )


def growth():
    """Each further event more than doubles the time: the states of the empty poset double."""
    for events in (7, 10, 13, 16):
        data = simulated(events, 100, 1)
        start = time.perf_counter()
        fit_poset(Poset(data.events, ((),) * events), data)
        empty = time.perf_counter() - start
        taken = timed(HCBN(**PAPER), data)[1]
        print(f"{events} events: rates of the empty poset {empty:.3f} s, 50 steps {taken:.2f} s")


def main():
    timed(HCBN(**PAPER), datasets.acml())  # compiles
    timed(HCBN(steps=1, restarts=1), datasets.acml())
    searches("ovarian", datasets.ovarian(), OVARIAN_SECONDS, 10)
    searches("10 events x 100 samples", simulated(10, 100, 1), TEN_EVENTS_SECONDS, 3)
    growth()


if __name__ == "__main__":
    main()
