"""Speed of a judgement: ten folds of simulated data of 250 samples x 20 events.

python benchmarks/judge.py
"""

import time

import numpy as np

from caprese import (
    BayesForest,
    Caprese,
    ForestRecipe,
    LikelihoodForest,
    Noise,
    NoisyForest,
    Oncotree,
    datasets,
    judge,
)

QUICK = (Caprese(), Oncotree(), LikelihoodForest())


def seconds(methods, data):
    start = time.perf_counter()
    judge(methods, data)
    return time.perf_counter() - start


def main() -> None:
    """Print how long ten folds take, with and without sampling a posterior."""
    rng = np.random.default_rng(1)
    data = NoisyForest(ForestRecipe(events=20).draw(rng), Noise(0.05, 0.05)).sample(250, rng)
    judge([*QUICK, BayesForest(draws=5, warm_up=5)], datasets.acml(), folds=2)  # compiles
    for name, methods in (("without bayes", QUICK), ("with bayes", (*QUICK, BayesForest()))):
        print(f"10 folds of 250 x 20, {name}: {seconds(methods, data):.1f} s")


if __name__ == "__main__":
    main()
