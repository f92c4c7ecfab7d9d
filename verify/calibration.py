"""Do edges come true as often as the posterior says, and do intervals cover?

    python verify/calibration.py

Data of the paper's recipe, pooled over noise from 0 to 0.2 and 50 to 1000 samples. Standard errors
are over data sets.
"""

from itertools import product

import numpy as np
from common import BRIEF, options, simulated

from caprese.fitting.diagnostics import diagnostics
from caprese.fitting.forest_sampler import RunningChains
from caprese.simulation.random_models import ForestRecipe

BINS = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0001)
NOISE = (0.0, 0.05, 0.1, 0.15, 0.2)
SAMPLES = (50, 100, 250, 1000)


def one(recipe, nu, samples, seed, chains):
    """Return stated and true sums by bin, whether the rates are covered, and R-hat."""
    truth, data = simulated(recipe, nu, samples, seed)
    found = RunningChains(data, seed=seed[-1], jobs=1, chains=chains).finished()
    edges = found.parent_probabilities()
    n = len(data.events)
    true = np.zeros((n + 1, n), dtype=bool)
    true[np.where(truth.parents < 0, n, truth.parents), np.arange(n)] = True
    kind = np.digitize(edges, BINS) - 1
    sums = np.array(
        [
            [(kind == k).sum(), edges[kind == k].sum(), true[kind == k].sum()]
            for k in range(len(BINS) - 1)
        ]
    )
    low, high = np.quantile(found.mean_rates, [0.05, 0.95], axis=(0, 1))
    check = diagnostics(found)
    return sums, (low <= nu / 2) & (nu / 2 <= high), check.r_hat, check.effective


def ratio(part, total):
    """Return a ratio of sums with its standard error over data sets."""
    value = part.sum() / total.sum()
    error = np.sqrt(((part - value * total) ** 2).sum()) / total.sum()
    return value, error


def show(trees, sums):
    print(f"trees {trees}: stated   came true (standard error)   edges")
    for k in range(len(BINS) - 1):
        stated, _ = ratio(sums[:, k, 1], sums[:, k, 0])
        true, error = ratio(sums[:, k, 2], sums[:, k, 0])
        print(f"{stated:6.3f}   {true:6.3f} ({error:.3f})   {int(sums[:, k, 0].sum())}", flush=True)


def main():
    parser = options(__doc__, 10, 1)
    parser.add_argument("--events", type=int, default=20)
    given = parser.parse_args()
    rows, covered, checks = [], {nu: [] for nu in NOISE}, []
    for number in range(given.data_sets):  # all cells in turn: what is printed is a fair share
        for trees, nu, samples in product((1, 3), NOISE, SAMPLES):
            recipe = ForestRecipe(events=given.events, trees=trees)
            seed = [given.seed, trees, round(1000 * nu), samples, number]
            part, cover, r_hat, effective = one(recipe, nu, samples, seed, BRIEF)
            rows.append((trees, part))
            covered[nu].append(cover)
            checks.append((r_hat, effective))
        print(f"{len(rows)} data sets", flush=True)
        for trees in ((1, 3), (1,), (3,)):
            show(trees, np.array([part for kind, part in rows if kind in trees]))
    checks = np.array(checks)
    print("coverage of 90 % intervals at fixed noise: false positive, false negative")
    for nu, cover in covered.items():
        share = np.mean(cover, axis=0)
        error = np.sqrt(share * (1 - share) / len(cover))
        print(f"nu {nu:.2f}: {share[0]:.3f} ({error[0]:.3f}), {share[1]:.3f} ({error[1]:.3f})")
    print(f"R-hat above 1.05 in {(checks[:, 0] > 1.05).mean():.3f} of data sets, highest "
          f"{checks[:, 0].max():.3f}; lowest effective size {checks[:, 1].min():.0f}")  # fmt: skip


if __name__ == "__main__":
    main()
