"""Does the recovery of counts from noise give better trees? Tree edit distance against noise.

    .venv/bin/python benchmarks/recovery.py [TREES SAMPLES]

Random trees of 20 events by the paper's recipe, one data set each, shrinkage 0.5: plain CAPRESE,
CAPRESE with the true rates, and CAPRESE with noise="estimate". Distances are unordered (twice the
events outside the largest set with the same ancestor relations) and ordered (Zhang-Shasha,
siblings by name); in parentheses the standard error of the mean difference from plain.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from caprese import Caprese, Counts, Noise, tree_edit_distance
from caprese.fitting.recovery import estimate_rates, likeliest
from shapes import random_forest

LEVELS = (0.0, 0.025, 0.05, 0.1, 0.15, 0.2)
EVENTS = 20


def one_tree(seed, nu, samples):
    rng = np.random.default_rng([seed, int(1000 * nu)])
    truth, noise = random_forest(rng, EVENTS), Noise.uniform(nu)
    data = noise.corrupt(truth.sample(samples, rng), rng)
    counts, method = Counts.of(data), Caprese(shrinkage=0.5)
    rounds, _ = estimate_rates(method.infer_parents, data, counts)
    given = method.infer_parents(noise.recover_counts(counts))
    answers = [
        method.fit(data).model,
        replace(truth, parents=given),
        likeliest(rounds).estimate.forest,
    ]
    return [
        [tree_edit_distance(truth, found, ordered=ordered) for ordered in (False, True)]
        for found in answers
    ]


def main():
    trees, samples = map(int, sys.argv[1:3] or (200, 250))
    print(f"{trees} trees of {EVENTS} events, {samples} samples, shrinkage 0.5")
    print("   nu   unordered: plain    given     estimated    ordered: plain  given estimated")
    for nu in LEVELS:
        found = np.array(
            Parallel(n_jobs=2)(delayed(one_tree)(seed, nu, samples) for seed in range(trees))
        )
        mean = found.mean(axis=0)
        error = (found - found[:, :1]).std(axis=0) / np.sqrt(trees)
        print(
            f"{nu:6.3f}          {mean[0, 0]:6.2f} {mean[1, 0]:6.2f} ({error[1, 0]:.2f})"
            f" {mean[2, 0]:6.2f} ({error[2, 0]:.2f})"
            f"        {mean[0, 1]:6.2f} {mean[1, 1]:6.2f} {mean[2, 1]:6.2f}"
        )


if __name__ == "__main__":
    main()
