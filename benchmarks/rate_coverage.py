"""Do 95 % intervals of the error rates contain the truth in 95 of 100 data sets?

    .venv/bin/python benchmarks/rate_coverage.py [DATA_SETS]

Random trees of 20 events by the paper's recipe, 250 samples, both rates uniform in 0.05 to 0.15;
the true tree is given.
"""

import sys
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from caprese import Noise, NoisyForest, fit_forest, rate_intervals
from shapes import random_forest


def one(seed):
    rng = np.random.default_rng(seed)
    truth, noise = random_forest(rng, 20), Noise(*map(float, rng.uniform(0.05, 0.15, 2)))
    data = NoisyForest(truth, noise).sample(250, rng)
    estimate = fit_forest(truth, data)
    intervals = rate_intervals(estimate, data)
    covered = [
        low <= getattr(noise, name) <= high
        for name in ("false_positive", "false_negative")
        for low, high in [getattr(intervals, name)]
    ]
    falls = (np.diff(estimate.history) < 0).any()
    return [*covered, falls, not estimate.converged]


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    found = np.array(Parallel(n_jobs=2)(delayed(one)(seed) for seed in range(number)))
    positive, negative, falls, stuck = found.sum(axis=0)
    print(
        f"{number} data sets: covered {positive} false positive, {negative} false negative rates;"
    )
    print(f"likelihood fell in {falls}, not converged {stuck}")


if __name__ == "__main__":
    main()
