"""Does the comparison of groups keep its level, and does it find groups that differ?

    python verify/groups.py [--quick]

From random forests of 7 events with 10 % errors two groups of 60 samples are drawn: both from the
same forest, or each from a forest of its own. Printed, with standard errors over data sets: in
which share the overall p-value is at most 0.05, to be at most that for the same forest as far as
the error allows; in which share any order of two events is below 0.05 after adjustment; and, of
the same forest, the mean of the overall p-values, to be about 1/2.
"""

import numpy as np
from common import options, shown

from caprese import Caprese, Dataset, ForestRecipe, Noise, NoisyForest, compare_groups

EVENTS, SAMPLES, ERROR, PERMUTATIONS = 7, 60, 0.1, 99


def drawn(truth, rng):
    return NoisyForest(truth, Noise(ERROR, ERROR)).sample(SAMPLES, rng).values


def compared(first, second, rng):
    values = np.concatenate([drawn(first, rng), drawn(second, rng)])
    names = tuple(f"s{k}" for k in range(2 * SAMPLES))
    groups = {name: "AB"[k >= SAMPLES] for k, name in enumerate(names)}
    data = Dataset(values, first.events, names)
    return compare_groups(Caprese(), data, groups, permutations=PERMUTATIONS, jobs=1)


def main(data_sets, seed):
    recipe = ForestRecipe(events=EVENTS)
    found = {"the same forest": [], "forests of their own": []}
    for replicate in range(data_sets):
        rng = np.random.default_rng([seed, replicate])
        first, second = recipe.draw(rng), recipe.draw(rng)
        for kind, other in zip(found, (first, second), strict=True):
            each = compared(first, other, rng)
            overall = float(each.overall[0])
            found[kind].append((overall <= 0.05, each.adjusted.min() <= 0.05, overall))
        if (replicate + 1) % 20 == 0:
            print(f"after {replicate + 1}: {np.mean(found['the same forest'], axis=0)}", flush=True)
    for kind, rows in found.items():
        overall, any_order, p_values = np.array(rows, dtype=float).T
        print(f"{kind}: overall p at most 0.05 in {shown(overall)}, any order in "
              f"{shown(any_order)}, mean p {shown(p_values)}")  # fmt: skip


if __name__ == "__main__":
    asked = options(__doc__, 300, 9).parse_args()
    main(asked.data_sets, asked.seed)
