"""Does the stack predict as well as its best part, and what do its shortcuts and floors change?

    python verify/stacking.py [--quick]

best: data sets of 250 samples x 8 events, observed with 5 % errors, are drawn from random forests,
timed posets, mutual hazard networks (without errors) and independent events, and judged with 5
folds by the stack and each of its parts. Printed: the mean score of each, the mean difference of
the stack to the best part with its standard error over data sets, and in how many the stack is best
or within 0.01 nats of the best. To be so in most.

few: from 20, 40 and 80 samples of each kind, how well 1000 others are predicted with the
pseudo-observations that pull weights towards equal ones, without them, and with equal weights. On
average over the kinds the first is to be best.

nesting: `judge` takes the weights of a fold from the scores of all other folds. Beside it, each
training part has a stack of its own, fitted to it alone; the difference of both with its standard
error over samples. To be below 0.01.

floors: held-out scores of point estimates with the floors of their predictions and without. With
few samples they must be higher on average.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from common import mean_and_error, options, shown

from caprese import (
    HCBN,
    Caprese,
    DagRecipe,
    ForestRecipe,
    Hazards,
    Independence,
    LikelihoodForest,
    Noise,
    NoisyForest,
    NoisyPoset,
    Oncotree,
    Stack,
    TimedPoset,
    datasets,
    judge,
)
from caprese._core.names import event_names
from caprese.fitting.stacking import held_out_log_probabilities, stacking_weights
from caprese.models.stacked import mixed

EVENTS, SAMPLES, ERROR, FOLDS = 8, 250, 0.05, 5
FRESH, NEAR = 1000, 0.01  # samples to predict; nats
QUICK_PARTS = (
    "independence",
    "caprese",
    "likelihood",
    "bayes:chains=2:draws=50:thin=2:warm_up=50",
    "mhn:penalty_strength=0.02",
    "mhn:penalty_strength=0.1:observation=yes",
)
POINTS = {
    "caprese": Caprese(),
    "oncotree": Oncotree(),
    "likelihood": LikelihoodForest(),
    "hcbn": HCBN(steps=50, restarts=1),
}


def forest(rng):
    return NoisyForest(ForestRecipe(events=EVENTS, trees=2).draw(rng), Noise(ERROR, ERROR))


def poset(rng):
    shape = DagRecipe(events=EVENTS).draw(rng).parent_sets
    rates = np.exp(rng.uniform(np.log(0.5), np.log(4), EVENTS))
    return NoisyPoset(TimedPoset(event_names(EVENTS), shape, rates), error=ERROR)


def hazards(rng):
    shape = (EVENTS, EVENTS)
    effects = np.where(rng.random(shape) < 1 / 3, rng.normal(0, 1, shape), 0)
    np.fill_diagonal(effects, 0.0)
    return Hazards(event_names(EVENTS), np.exp(rng.normal(-0.7, 0.7, EVENTS)), np.exp(effects))


def independent(rng):
    return Independence(event_names(EVENTS), rng.uniform(0.05, 0.6, EVENTS))


KINDS = {"forest": forest, "poset": poset, "hazards": hazards, "independent": independent}


def drawn(kind, number, samples):
    rng = np.random.default_rng([32, list(KINDS).index(kind), number])
    return KINDS[kind](rng).sample(samples, rng)


@dataclass(frozen=True)
class FittedApart:
    """A stack that the judgement does not know for one: it is fitted to each training part."""

    stack: Stack

    def fit(self, data):
        return self.stack.fit(data)


@dataclass(frozen=True)
class WithoutFloor:
    """A method that predicts by the numbers of highest likelihood as they are."""

    method: object

    def fit(self, data):
        fit = self.method.fit(data)
        return replace(fit, method=self, predictor=fit.estimate.model)


def judged(stack, data, **more):
    parts = dict(zip(stack.parts, stack.methods, strict=True))
    return judge({"stack": stack, **parts, **more}, data, folds=FOLDS)


def named(names, rows):
    """Return the mean of each column with its standard error, by name."""
    columns = zip(names, map(shown, np.array(rows).T), strict=True)
    return ", ".join(" ".join(column) for column in columns)


def best(number):
    for kind in KINDS:
        rows = []
        for replicate in range(number):
            found = judged(Stack(), drawn(kind, replicate, SAMPLES))
            rows.append(found.scores)
            behind = np.array(rows)[:, 0] - np.array(rows)[:, 1:].max(axis=1)
            print(f"{kind} {replicate}: {behind[-1]:.4f}", flush=True)
        print(f"{kind}:", named(found.methods, rows))
        mean, error = mean_and_error(behind)
        near = int((behind >= -NEAR).sum())
        print(f"{kind}: stack less best part {mean:.4f} ({error:.4f}); best or near: {near}")


def few(number):
    stack = Stack(parts=QUICK_PARTS)
    learners = [lambda data, own=method: own.fit(data).predictive for method in stack.methods]
    for samples in (20, 40, 80):
        means = []
        for kind in KINDS:
            rows = []
            for replicate in range(number):
                data = drawn(kind, replicate, samples + FRESH)
                training, rest = (
                    data.take_samples(range(*ends))
                    for ends in ((0, samples), (samples, samples + FRESH))
                )
                fit = stack.fit(training)
                likely = np.array([each.log_probabilities(rest) for each in fit.model.models])
                said = held_out_log_probabilities(learners, training, folds=FOLDS, seed=1)
                alone = stacking_weights(np.tile(said, 100))  # hardly anything is added
                equal = np.full(len(alone), 1 / len(alone))
                all_weights = (fit.model.weights, alone, equal)
                of = [mixed(likely, weights).mean() for weights in all_weights]
                rows.append([*of, likely.mean(axis=1).max()])
            names = ("shrunk", "not shrunk", "equal weights", "best part")
            print(kind, f"{samples}:", named(names, rows), flush=True)
            means.append(np.mean(rows, axis=0))
        print(f"all {samples}:", np.mean(means, axis=0).round(3))


def nesting(number):
    data_sets = {"ovarian": datasets.ovarian(), "acml": datasets.acml()}
    for kind in ("forest", "hazards")[:number]:
        data_sets[kind] = drawn(kind, 0, 100)
    for name, data in data_sets.items():
        found = judged(Stack(), data, nested=FittedApart(Stack()))
        place = found.methods.index("nested")
        scores = f"{found.scores[0]:.4f} and {found.scores[place]:.4f} if nested"
        between = found.difference(place, 0)
        print(f"{name}: {scores}, difference {between.mean:.4f} ({between.error:.4f})", flush=True)


def floors(number):
    sets = {"ovarian": [datasets.ovarian()], "acml": [datasets.acml()]}
    for kind, samples in product(KINDS, (50, SAMPLES)):
        sets[f"{kind} {samples}"] = [drawn(kind, k, samples) for k in range(number)]
    for name, cohorts in sets.items():
        without = {f"{key} without": WithoutFloor(method) for key, method in POINTS.items()}
        found = [judge(POINTS | without, data, folds=FOLDS) for data in cohorts]
        for place, method in enumerate(POINTS):
            rows = np.array([each.scores[[place, place + len(POINTS)]] for each in found])
            gain = rows[:, 0] - rows[:, 1]
            if len(rows) > 1:
                print(name, method, shown(rows[:, 0]), "without", shown(rows[:, 1]), shown(gain))
            else:
                print(name, method, f"{rows[0, 0]:.3f} without {rows[0, 1]:.3f}: {gain[0]:.3f}")


if __name__ == "__main__":
    given = options(__doc__, data_sets=20, quick=2).parse_args()
    for part in (best, few, nesting, floors):
        print(part.__name__)
        part(given.data_sets)
