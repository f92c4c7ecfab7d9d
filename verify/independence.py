"""Prediction of fresh samples where events are independent, against the independence model.

    python verify/independence.py

Frequencies are drawn evenly from (0.05, 0.6). The loss is in nats a sample: the mean
log-probability of fresh samples under independence, with frequencies (count + 1) / (samples + 2),
less that under the posterior. It is to be at most 0.015 from 64 samples on, and 0.03 with
subtypes found by themselves.
"""

import numpy as np
from common import BRIEF, options, shown

from caprese.data.dataset import Dataset
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.forest_sampler import (
    AUTO_COMPONENTS,
    RunningChains,
)

CELLS = ((8, 30), (8, 80), (11, 64), (20, 64), (20, 128), (20, 250), (12, 250))
FRESH = 500


def loss(events, samples, seed, prior, components, chains):
    rng = np.random.default_rng(seed)
    names = tuple(f"e{k:02d}" for k in range(events))
    frequency = rng.uniform(0.05, 0.6, events)
    data = Dataset(rng.random((samples, events)) < frequency, names)
    fresh = Dataset(rng.random((FRESH, events)) < frequency, names)
    guessed = (data.values.sum(axis=0) + 1) / (samples + 2)
    independent = np.log(np.where(fresh.values, guessed, 1 - guessed)).sum(axis=1)
    found = RunningChains(
        data, seed=seed[-1], prior=prior, jobs=1, components=components,
        dirichlet=None, chains=chains,
    ).finished()  # fmt: skip
    return (independent - found.log_probabilities(fresh)).mean()


def main():
    parser = options(__doc__, 60, 5)
    parser.add_argument("--cells", type=int, nargs="*", default=range(len(CELLS)))
    parser.add_argument("--first", type=float, default=ForestPrior().first)
    parser.add_argument("--second", type=float, default=ForestPrior().second)
    parser.add_argument("--cost", type=float, default=ForestPrior().cost)
    parser.add_argument("--components", type=int, nargs="*", default=[1, AUTO_COMPONENTS])
    given = parser.parse_args()
    prior = ForestPrior(first=given.first, second=given.second, cost=given.cost)
    print(f"{prior}; loss with standard error")
    for components in given.components:
        for events, samples in (CELLS[cell] for cell in given.cells):
            losses = [
                loss(events, samples, [given.seed, events, samples, k], prior, components, BRIEF)
                for k in range(given.data_sets)
            ]
            print(f"{components} component(s), {events} x {samples}: {shown(losses)}", flush=True)


if __name__ == "__main__":
    main()
