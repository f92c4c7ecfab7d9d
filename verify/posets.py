"""How often do searches of posets from other starts end higher than the default search?

    python verify/posets.py [--genotypes FILE]

Data sets are the embedded ones, if given the 10 and 12 most frequent genes of a file with the lines
"sample chromosome gene ...", and simulated ones of 6 to 12 events, 100 to 1,000 samples and error
rates of 1 to 10 %: of posets, forests, hazards, independent events and mixtures of two posets. Each
is fitted by default, then from other single starts, at other temperatures, with other seeds.
Printed are, of each kind, the share of data sets in which any of them is likelier by more than
0.001, with its standard error, and by how much at most; then the same of all data sets for each of
the other searches, and of the default in the other direction.
"""

from itertools import product
from pathlib import Path

import numpy as np
from common import mean_and_error, options

from caprese import HCBN, Dataset, Hazards, NoisyPoset, Poset, TimedPoset, datasets
from caprese._core.names import event_names
from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe

KINDS = ("poset", "forest", "hazards", "independent", "mixture")
HIGHER = 1e-3  # of the log-likelihood
STARTS, TEMPERATURES = ("empty", "caprese", "random"), (1.0, 20.0)


def noisy_poset(events, rng, error):
    order, density = rng.permutation(events), rng.uniform(0.1, 0.5)
    above = np.zeros((events, events), dtype=bool)
    for late, early in ((j, i) for j in range(events) for i in range(j)):
        above[order[early], order[late]] = rng.random() < density
    reached = above.copy()
    for middle in order:
        reached |= np.outer(reached[:, middle], reached[middle])
    cover = above & ~(reached.astype(int) @ reached > 0)
    parents = tuple(tuple(np.flatnonzero(column).tolist()) for column in cover.T)
    rates = np.exp(rng.normal(0.5, 0.8, events))
    return NoisyPoset(TimedPoset(event_names(events), parents, rates), error)


def simulated(kind, rng):
    events, samples = int(rng.integers(6, 13)), int(rng.choice([100, 200, 400, 1000]))
    error, names = rng.uniform(0.01, 0.1), event_names(events)
    if kind in ("poset", "mixture"):
        parts = [samples]
        if kind == "mixture":
            first = int(rng.integers(samples // 4, 3 * samples // 4))
            parts = [first, samples - first]
        values = [noisy_poset(events, rng, error).sample(part, rng).values for part in parts]
        return Dataset(np.vstack(values), names)
    if kind == "forest":
        clean = ForestRecipe(events=events).draw(rng).sample(samples, rng)
    elif kind == "hazards":
        effects = rng.normal(0, 1, (events, events)) * (rng.random((events, events)) < 0.4)
        np.fill_diagonal(effects, 0)
        rates = np.exp(rng.normal(-1, 0.8, events))
        clean = Hazards(names, rates, np.exp(effects)).sample(samples, rng)
    else:
        clean = Dataset(rng.random((samples, events)) < rng.uniform(0.05, 0.8, events), names)
    return Dataset(Noise(error, error).corrupt(clean, rng).values, names)


def most_frequent(data, number):
    order = np.argsort(-data.values.sum(axis=0), kind="stable")[:number]
    return data.take_events([data.events[k] for k in order])


def genotypes(path):
    lines = [line.split() for line in Path(path).read_text().splitlines() if line.strip()]
    samples, genes = (sorted({line[k] for line in lines}) for k in (0, 2))
    values = np.zeros((len(samples), len(genes)), dtype=bool)
    for line in lines:
        values[samples.index(line[0]), genes.index(line[2])] = True
    return Dataset(values, genes, samples)


def observed(path):
    yield "ovarian", datasets.ovarian()
    yield "acml", datasets.acml()
    yield "aml_trees, 10 events", most_frequent(datasets.aml_trees(), 10)
    for number in (10, 12) if path else ():
        yield f"genotypes, {number} events", most_frequent(genotypes(path), number)


def others(data, seed):
    """Return the likelihood that each other search reaches."""
    rng = np.random.default_rng([5, seed])
    found = {}
    for number, (start, temperature) in enumerate(product(STARTS, TEMPERATURES)):
        given = Poset.of(noisy_poset(len(data.events), rng, 0.1).poset)
        first = Poset(data.events, given.parent_sets) if start == "random" else start
        method = HCBN(start=first, temperature=temperature, seed=100 * seed + number + 2)
        found[start, temperature] = method.likeliest(data).log_likelihood
    return found


def main():
    parser = options(__doc__, 20, 2)
    parser.add_argument("--genotypes")
    given = parser.parse_args()
    above = {}
    for name, data in observed(given.genotypes):
        above[name] = [gaps(data, given.seed)]
    for number, kind in enumerate(KINDS):
        drawn = (
            simulated(kind, np.random.default_rng([given.seed, number, k]))
            for k in range(given.data_sets)
        )
        above[kind] = [gaps(data, given.seed) for data in drawn]
    print(f"{'data':22} {'any other higher':>18} {'by at most':>11}")
    for kind, found in above.items():
        highest = [max(each.values()) for each in found]
        print(f"{kind:22} {share(highest):>18} {max(0, *highest):11.3f}")
    every = [each for found in above.values() for each in found]
    print(f"\n{'start, temperature':22} {'higher':>18} {'lower':>18}")
    for each in every[0]:
        ahead = np.array([found[each] for found in every])
        what = f"{each[0]}, {each[1]:g}"
        print(f"{what:22} {share(ahead):>18} {share(-ahead):>18}")


def gaps(data, seed):
    """Return how much higher than the default search the others end."""
    default = HCBN().likeliest(data).log_likelihood
    return {each: found - default for each, found in others(data, seed).items()}


def share(values):
    """Return the share that is positive, with its standard error."""
    higher = np.asarray(values) > HIGHER
    if len(higher) == 1:
        return "yes" if higher[0] else "no"
    return "{:.3f} ({:.3f})".format(*mean_and_error(higher))


if __name__ == "__main__":
    main()
