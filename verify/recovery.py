"""The paper's noisy experiment: how far from the true forest is what each method finds?

    python verify/recovery.py

Mean unordered tree edit distance with its standard error over forests, 20 events in one tree or
three, error rates not given. `reach` is the largest distance that was expected in each cell.
"""

import numpy as np
from common import mean_and_error, options, simulated

from caprese.fitting.forest_ascent import ForestPrior, most_probable_forest
from caprese.methods.caprese import Caprese
from caprese.methods.oncotree import Oncotree
from caprese.models.metrics import tree_edit_distances
from caprese.simulation.random_models import ForestRecipe

CELLS = (
    (0.0, 50, {1: 6.6, 3: 8.7}),
    (0.0, 250, {1: 0.8, 3: 1.3}),
    (0.05, 50, {1: 10.1, 3: 11.2}),
    (0.05, 250, {1: 2.9, 3: 3.6}),
    (0.1, 250, {1: 3.8, 3: 5.1}),
    (0.2, 250, {1: 6.8, 3: 7.9}),
    (0.1, 1000, {1: 1.0, 3: 1.7}),
)
PRIORS = {"likeliest": None, "most probable": ForestPrior()}
NAMES = ("CAPRESE 0.01", "CAPRESE 0.5", "oncotree", *PRIORS)


def distances(recipe, nu, samples, seed):
    truth, data = simulated(recipe, nu, samples, seed)
    rules = [
        method.fit(data).model.parents
        for method in (Caprese(shrinkage=0.01), Caprese(shrinkage=0.5), Oncotree())
    ]
    ours = [
        most_probable_forest(data, prior=prior, starts=rules).forest.parents
        for prior in PRIORS.values()
    ]
    return tree_edit_distances(np.array(rules + ours), truth.parents)


def main():
    parser = options(__doc__, 100, 5)
    parser.add_argument("--trees", type=int, nargs="*", default=[1, 3])
    given = parser.parse_args()
    print("trees    nu samples reach   " + "   ".join(f"{name:>13s}" for name in NAMES))
    for trees in given.trees:
        recipe = ForestRecipe(events=20, trees=trees)
        for nu, samples, reach in CELLS:
            found = [
                distances(recipe, nu, samples, [given.seed, trees, number])
                for number in range(given.data_sets)
            ]
            cells = "   ".join(
                f"{mean:6.2f} ({error:4.2f})"
                for mean, error in zip(*mean_and_error(found), strict=True)
            )
            print(f"{trees:5d} {nu:5.2f} {samples:7d} {reach[trees]:5.1f}   {cells}", flush=True)


if __name__ == "__main__":
    main()
