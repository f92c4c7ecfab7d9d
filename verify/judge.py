"""Does the judgement prefer the right kind of model, and nothing where there is nothing?

    python verify/judge.py kinds 100
    python verify/judge.py chance 200

kinds: data sets of 500 samples x 7 events, observed with 5 % errors, are drawn from random forests,
conjunctive DAGs, timed posets and independent events, and judged with 5 folds. Counted: in how many
a method of the right kind has the best score or is within one standard error of it; for
independent events, in how many nothing is declared better. To be at least 95 of 100. No method
infers conjunctive DAGs with errors (capri has none), so the true DAG is given, its numbers
estimated in each fold; the hidden conjunctive Bayesian network, which has another distribution, is
counted beside it. The true poset is given beside hcbn too: how often it is right tells what no
search can exceed by much.

chance: data sets of 100 samples x 7 independent events. Counted: in how many a gain over
independence is declared. To be at most 16 of 200.
"""

import sys

import numpy as np

from caprese import (
    HCBN,
    BayesForest,
    Caprese,
    DagRecipe,
    ForestRecipe,
    Independence,
    LikelihoodForest,
    Noise,
    NoisyDag,
    NoisyForest,
    NoisyPoset,
    Oncotree,
    TimedPoset,
    judge,
)
from caprese._core.names import event_names

EVENTS, SAMPLES, FEW_SAMPLES, ERROR = 7, 500, 100, 0.05
FORESTS = {
    "caprese": Caprese(),
    "oncotree": Oncotree(),
    "likelihood": LikelihoodForest(),
    "bayes": BayesForest(chains=2, draws=30, warm_up=30),
}
POSETS = {"hcbn": HCBN(steps=100, restarts=2)}


def forest(rng):
    return NoisyForest(ForestRecipe(events=EVENTS, trees=2).draw(rng), Noise(ERROR, ERROR))


def dag(rng):
    return NoisyDag(DagRecipe(events=EVENTS).draw(rng), Noise(ERROR, ERROR))


def poset(rng):
    shape = DagRecipe(events=EVENTS).draw(rng).parent_sets
    rates = np.exp(rng.uniform(np.log(0.5), np.log(4), EVENTS))
    return NoisyPoset(TimedPoset(event_names(EVENTS), shape, rates), error=ERROR)


def independent(rng):
    return Independence(event_names(EVENTS), rng.uniform(0.05, 0.6, EVENTS))


KINDS = {
    "forest": (forest, tuple(FORESTS)),
    "conjunctive DAG": (dag, ("true DAG",)),
    "timed poset": (poset, tuple(POSETS)),
    "independent events": (independent, ()),
}


def right(found, kinds):
    """Whether a method of the right kind is best, or within one standard error of the best.

    The true structure, if it is given, is no rival of the methods that infer one.
    """
    if not kinds:
        return not found.better.any()
    rivals = [
        place
        for place, name in enumerate(found.methods)
        if name in kinds or not name.startswith("true ")
    ]
    top = max(rivals, key=lambda place: found.scores[place])
    behind = [found.difference(top, found.methods.index(name)) for name in kinds]
    return any(each.mean <= each.error for each in behind)


def kinds(number):
    """Print, for each kind of truth, how often the right kind is best, and the mean gains."""
    counted = dict.fromkeys([*KINDS, "DAG by hcbn", "poset by the true one"], 0)
    gains = {kind: [] for kind in KINDS}
    for replicate in range(number):
        for place, (kind, (draw, names)) in enumerate(KINDS.items()):
            rng = np.random.default_rng([14, place, replicate])
            truth = draw(rng)
            methods = FORESTS | POSETS
            if kind == "conjunctive DAG":
                methods["true DAG"] = truth.dag
            if kind == "timed poset":
                methods["true poset"] = truth.poset
            found = judge(methods, truth.sample(SAMPLES, rng), folds=5, jobs=1)
            counted[kind] += right(found, names)
            if kind == "conjunctive DAG":
                counted["DAG by hcbn"] += right(found, tuple(POSETS))
            if kind == "timed poset":
                counted["poset by the true one"] += right(found, ("true poset",))
            gains[kind].append([gain.mean for gain in found.gains][:-1])
        if (replicate + 1) % 5 == 0:
            print(f"after {replicate + 1}:", counted, flush=True)
    print("truth", "right", *FORESTS, *POSETS, "true structure, if given", sep=" | ")
    for kind, rows in gains.items():
        mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / len(rows) ** 0.5
        shown = [f"{m:.3f} ({e:.3f})" for m, e in zip(mean, error, strict=True)]
        print(kind, f"{counted[kind]} of {number}", *shown, sep=" | ")
    print("conjunctive DAG, right if hcbn is:", counted["DAG by hcbn"])
    print("timed poset, right if the true poset is:", counted["poset by the true one"])


def chance(number):
    """Print in how many data sets of independent events a gain is declared."""
    methods = {name: FORESTS[name] for name in ("caprese", "oncotree", "likelihood")}
    declared = 0
    for replicate in range(number):
        rng = np.random.default_rng([15, replicate])
        found = judge(methods, independent(rng).sample(FEW_SAMPLES, rng), folds=10, jobs=1)
        declared += bool(found.better.any())
        if (replicate + 1) % 25 == 0:
            print(f"declared in {declared} of {replicate + 1}", flush=True)


if __name__ == "__main__":
    {"kinds": kinds, "chance": chance}[sys.argv[1]](int(sys.argv[2]))
