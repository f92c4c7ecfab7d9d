"""How often do tests against a clinical table find what is there, and what is not?

    python verify/clinical.py

Random forests are sampled with errors. One column of a table depends on a true event, another on
nothing. The event is compared as it truly is, as seen, and as corrected: by the true model, and by
the models that two methods infer from the samples.
"""

from dataclasses import replace

import numpy as np
from common import options

from caprese.methods import Caprese, LikelihoodForest
from caprese.models.forest import NoisyForest
from caprese.models.noise import Noise
from caprese.patients.clinical import Clinical
from caprese.patients.groups import as_seen, associations
from caprese.patients.place import place
from caprese.simulation.random_models import ForestRecipe

EVENTS, SAMPLES = 8, 150
RATES = (Noise(0.02, 0.1), Noise(0.05, 0.2), Noise(0.1, 0.3))
SHARES = (0.3, 0.6)  # of samples without and with the event that have the first level
METHODS = {"caprese": Caprese(), "likelihood": LikelihoodForest()}


def p_values(placement, table, event):
    """Return the p-value of each column against the event; 1 where the event does not vary."""
    tests = associations(placement, table).tests
    found = {test.column: test.p_value for test in tests if test.event == event}
    return [found.get(column, 1.0) for column in table.columns]


def data_set(noise, number, seed):
    """Return the p-values of one data set for each way to see the event, and wrong entries."""
    rng = np.random.default_rng([seed, round(1000 * noise.false_negative), number])
    forest = ForestRecipe(events=EVENTS, trees=1 + number % 3).draw(rng)
    before = forest.sample(SAMPLES, rng)
    data = noise.corrupt(before, rng)
    shares = before.values.mean(axis=0)
    event = forest.events[int(np.abs(shares - 0.4).argmin())]
    there = before.values[:, forest.events.index(event)]
    depends = np.where(rng.random(SAMPLES) < np.where(there, SHARES[1], SHARES[0]), "x", "y")
    nothing = rng.choice(["x", "y"], SAMPLES)
    table = Clinical(data.samples, {"depends": tuple(depends), "nothing": tuple(nothing)})
    own = place(NoisyForest(forest, noise), data, simulated=1)
    placements = {
        "true": replace(own, genotypes=before.values),
        "as seen": as_seen(own),
        "corrected by the model itself": own,
    } | {
        f"corrected by {name}": place(method.fit(data), data, corrected=True, simulated=1)
        for name, method in METHODS.items()
    }
    return {name: p_values(each, table, event) for name, each in placements.items()}


def main():
    given = options(__doc__, 400, 40).parse_args()
    for noise in RATES:
        found = [data_set(noise, number, given.seed) for number in range(given.data_sets)]
        rates = f"{noise.false_positive}, {noise.false_negative}"
        print(f"errors {rates}: p < 0.05 (standard error) if it depends; if it does not")
        for name in found[0]:
            shares = (np.array([each[name] for each in found]) < 0.05).mean(axis=0)
            errors = np.sqrt(shares * (1 - shares) / given.data_sets)
            cells = [f"{s:.3f} ({e:.3f})" for s, e in zip(shares, errors, strict=True)]
            print(f"  {name:30}", *cells, flush=True)


if __name__ == "__main__":
    main()
