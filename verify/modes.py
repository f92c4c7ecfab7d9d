"""Does the sampler give each mode its weight, where the weights are known by enumeration?

    python verify/modes.py

Three events, error rates given: all 16 forests by quadrature over their edge probabilities. The
data are random counts of genotypes in which events are nearly always together, so that several
forests, each the reverse or a re-rooting of another, are about as good; there must be at least two
with 10 % of the posterior. Every probability of a parent is compared with the exact one, in Monte
Carlo errors; of plain chains, and of those with a ladder of tempered ones.
"""

from itertools import product

import numpy as np
from common import options, shown

import forest_definitions as definitions
from caprese.data.dataset import Dataset
from caprese.fitting.diagnostics import effective_size
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.models.noise import Noise

NOISE = (0.05, 0.1)
GENOTYPES = np.array(list(product((0, 1), repeat=3)))
POINTS = 60  # for each edge probability


def exact(counts, prior):
    """Return the posterior of every forest of three events."""
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    nodes, weights = (nodes + 1) / 2, weights / 2
    grid = np.array(np.meshgrid(nodes, nodes, nodes, indexing="ij")).reshape(3, -1)
    volume = np.prod(np.meshgrid(weights, weights, weights, indexing="ij"), axis=0).ravel()
    errors = np.array(
        [[definitions.error_probability(seen, truth, *NOISE) for truth in GENOTYPES]
         for seen in GENOTYPES]
    )  # fmt: skip
    found = {}
    for parents in definitions.all_forests(3):
        truths = np.array([definitions._on_grid(truth, parents, grid) for truth in GENOTYPES])
        height = counts @ np.log(errors @ truths)
        top = height.max()
        mass = np.log(np.exp(height - top) @ volume) + top
        chance = definitions.log_prior(parents, prior.first, prior.second, prior.uniform(3))
        found[parents] = mass + chance
    top = max(found.values())
    total = sum(np.exp(value - top) for value in found.values())
    return {parents: np.exp(value - top) / total for parents, value in found.items()}


def several_modes(seed):
    """Return counts of genotypes of which at least two forests have 10 % of the posterior."""
    rng = np.random.default_rng(seed)
    while True:
        together = rng.integers(60, 200, 2)
        counts = np.array([together[0], *rng.integers(4, 30, 6), together[1]])
        found = exact(counts, ForestPrior())
        if sorted(found.values())[-2] > 0.1:
            return counts, found


def parents_of(posterior):
    table = np.zeros((4, 3))
    for parents, value in posterior.items():
        table[list(parents), [0, 1, 2]] += value  # the root, -1, is the last row
    return table


def main():
    given = options(__doc__, 40, 4).parse_args()
    rows = []
    for number in range(given.data_sets):
        counts, posterior = several_modes([given.seed, number])
        data = Dataset(np.repeat(GENOTYPES.astype(bool), counts, axis=0), tuple("abc"))
        right = parents_of(posterior)
        row = []
        for tempered in (False, True):
            drawn = RunningChains(
                data, seed=number, noise=Noise(*NOISE), jobs=1, chains=Chains(tempered=tempered)
            ).finished()
            found = drawn.parent_probabilities()
            worst, ratio = np.abs(found - right).max(), []
            for parent, child in np.argwhere((right > 0.02) & (right < 0.98)):
                has = drawn.parents[..., 0, child] == (-1 if parent == 3 else parent)
                size = max(1.0, effective_size(has.astype(float)))
                chance = right[parent, child]
                error = np.sqrt(chance * (1 - chance) / size)
                ratio.append((found[parent, child] - chance) / error)
            row.append((worst, np.abs(ratio).max(), np.mean(np.square(ratio))))
        rows.append(row)
    kinds = "plain chains", "with a ladder"
    for name, each in zip(kinds, np.array(rows).swapaxes(0, 1), strict=True):
        print(
            f"{name}: largest error {each[:, 0].max():.3f}, mean of the largest "
            f"{each[:, 0].mean():.3f}; within 4 Monte Carlo errors {shown(each[:, 1] < 4)}; "
            f"mean square of errors in Monte Carlo errors {each[:, 2].mean():.2f}"
        )


if __name__ == "__main__":
    main()
