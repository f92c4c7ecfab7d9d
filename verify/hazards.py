"""Are the parameters of mutual hazard networks recovered, and does the judgement prefer them?

    python verify/hazards.py [--quick]

recovery: data sets are drawn from random networks of 7 events, a third of the effects not 1
(logarithms standard normal). Printed for growing numbers of samples, with standard errors over data
sets: the root mean squared error of the logarithms of base rates and effects, and that of no
effects at all; in how many of the strong effects (threefold or more) the direction is right; and
the Kullback-Leibler divergence of the fitted from the true distribution, exact over all genotypes,
beside that of the network without effects. All are to fall as the number of samples grows.

judge: data sets of 500 samples x 7 events from such networks, judged with 5 folds beside the
methods that infer forests and posets. Counted: in how many mhn has the best score, or is within one
standard error of it. To be at least 95 of 100.

intervals: the share of effects that their 90 % intervals contain, of all and of those that are not
1, on data of such networks. Of all it is to be 85 to 95 %.

errors: samples of such networks, seen with 2 % false positives and 10 % false negatives, or without
errors. For the default, for these error rates given and for estimated ones: the divergence of the
fitted from the true distribution of true genotypes and of observations, and the estimated rates.
"""

from itertools import product

import numpy as np
from common import options, shown

from caprese import (
    HCBN,
    MHN,
    BayesForest,
    Caprese,
    Dataset,
    Hazards,
    LikelihoodForest,
    Noise,
    NoisyHazards,
    Oncotree,
    judge,
)
from caprese._core.names import event_names

EVENTS, JUDGED = 7, 500
STRONG = np.log(3)
RIVALS = {
    "caprese": Caprese(),
    "oncotree": Oncotree(),
    "likelihood": LikelihoodForest(),
    "bayes": BayesForest(chains=2, draws=30, warm_up=30),
    "hcbn": HCBN(steps=100, restarts=2),
    "mhn": MHN(),
    "mhn:observation": MHN(observation=True),
}


def truth(rng):
    """Return a random network: base rates around one half, a third of the effects not 1."""
    effects = np.where(rng.random((EVENTS, EVENTS)) < 1 / 3, rng.normal(0, 1, (EVENTS, EVENTS)), 0)
    np.fill_diagonal(effects, 0.0)
    return Hazards(event_names(EVENTS), np.exp(rng.normal(-0.7, 0.7, EVENTS)), np.exp(effects))


def divergence(true, found):
    """Return the Kullback-Leibler divergence over all genotypes, in nats."""
    rows = np.arange(1 << EVENTS)[:, None] >> np.arange(EVENTS) & 1
    every = Dataset.from_rows(rows, true.events)
    expected = true.log_probabilities(every)
    return float(np.exp(expected) @ (expected - found.log_probabilities(every)))


def _direction(effects):
    """Return 1 or -1 for what speeds up or slows down by more than a tenth, else 0."""
    return np.sign(effects) * (abs(effects) > np.log(1.1))


def measured(true, data):
    """Return the errors of one fit, and what they would be without effects."""
    fit, alone = MHN().fit(data).model, MHN(penalty_strength=100.0).fit(data).model
    pairs = ~np.eye(EVENTS, dtype=bool)
    effects, found = np.log(true.effects)[pairs], np.log(fit.effects)[pairs]
    strong = abs(effects) > STRONG
    return (
        np.sqrt(np.mean((np.log(fit.rates) - np.log(true.rates)) ** 2)),
        np.sqrt(np.mean((found - effects) ** 2)),
        np.sqrt(np.mean(effects**2)),
        np.mean(_direction(found[strong]) == np.sign(effects[strong])) if strong.any() else np.nan,
        divergence(true, fit),
        divergence(true, alone),
    )


def recovery(replicates, seed):
    """Print the errors by the number of samples."""
    print(f"{replicates} networks of {EVENTS} events; mean (standard error)")
    names = ("rates", "effects", "no effects", "directions", "divergence", "without effects")
    print("samples", *names, sep=" | ")
    for samples in (250, 1000, 4000, 16000):
        rows = []
        for replicate in range(replicates):
            rng = np.random.default_rng([seed, 17, replicate])
            true = truth(rng)
            rows.append(measured(true, true.sample(samples, rng)))
        columns = np.array(rows).T
        print(samples, *(shown(each[~np.isnan(each)]) for each in columns), sep=" | ", flush=True)


def judged(replicates, seed):
    """Print how often mhn is best or as good as the best, and the mean gains."""
    right, gains = 0, []
    for replicate in range(replicates):
        rng = np.random.default_rng([seed, 18, replicate])
        found = judge(RIVALS, truth(rng).sample(JUDGED, rng), folds=5, jobs=1)
        top = int(np.argmax(found.scores))
        behind = found.difference(top, found.methods.index("mhn"))
        right += behind.mean <= behind.error
        gains.append([gain.mean for gain in found.gains][:-1])
        if (replicate + 1) % 10 == 0:
            print(f"judge: mhn best or as good in {right} of {replicate + 1}", flush=True)
    for name, column in zip(RIVALS, np.array(gains).T, strict=True):
        print(f"gain of {name}: {shown(column)}")


def covered(replicates, seed):
    """Print how many effects are within their intervals, by the number of samples."""
    pairs = ~np.eye(EVENTS, dtype=bool)
    for samples in (500, 2000):
        rows = []
        for replicate in range(replicates):
            rng = np.random.default_rng([seed, 40, replicate])
            true = truth(rng)
            fit = MHN(penalty_strength=0.01, intervals=True).fit(true.sample(samples, rng))
            low, high = fit.evidence.effect_intervals
            inside = (low < true.effects) & (true.effects < high)
            rows.append((inside[pairs].mean(), inside[pairs & (true.effects != 1)].mean()))
        print(
            f"intervals, {samples} samples: all, not 1", *map(shown, np.array(rows).T), flush=True
        )


def errors(replicates, seed):
    """Print the divergences of true genotypes and observations, and the estimated rates."""
    for samples, noise in product((500, 2000), (Noise(0.02, 0.1), Noise())):
        print(f"errors: {samples} samples, rates {noise}; truth, observations, estimated rates")
        rows = {"none": [], "given": [], "estimated": []}
        for replicate in range(replicates):
            rng = np.random.default_rng([seed, 41, replicate])
            seen = NoisyHazards(truth(rng), noise)
            data = seen.sample(samples, rng)
            for name, allowed in zip(rows, (None, noise, "estimate"), strict=True):
                fit = MHN(noise=allowed).fit(data)
                found = (divergence(seen.hazards, fit.model), divergence(seen, fit.predictive))
                rates = Noise() if fit.evidence.noise is None else fit.evidence.noise
                rows[name].append((*found, *rates.rates))
        for name, found in rows.items():
            print(name, *map(shown, np.array(found).T), sep=" | ", flush=True)


def main():
    """Run all, on fewer data sets with --quick."""
    given = options(__doc__, data_sets=100, quick=5).parse_args()
    recovery(given.data_sets, given.seed)
    covered(given.data_sets, given.seed)
    errors(given.data_sets, given.seed)
    judged(given.data_sets, given.seed)


if __name__ == "__main__":
    main()
