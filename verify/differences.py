"""Do intervals of a difference between two methods cover it over repeated data sets?

    python verify/differences.py [--quick] [--methods caprese,oncotree] [--cell forest:250]

The truth: the expected difference of the held-out scores of two methods, as `judge` computes it
with 5 folds, over all data sets of a size from one distribution; that is, of methods that are
trained on 4/5 of such a data set. Distributions: four of each kind (random forests and timed
posets, both observed with 5 % errors, mutual hazard networks, independent events), with 6, 7, 8
and 8 events. From each, of each size, a quarter of the data sets are drawn; the truth is the mean
of their differences. Counted: how often the 95 % interval holds it, beside that of the error over
samples alone, for each pair of methods. To be between 90 and 98 % of 200.

slow: the same for methods that take longer, with fewer data sets.

independent: in how many of these data sets a gain is declared; to be at most 5 %.
"""

from itertools import combinations

import numpy as np
from common import options

from caprese import (
    CBN,
    HCBN,
    MHN,
    BayesForest,
    Caprese,
    Capri,
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
    judge,
)
from caprese._core.names import event_names
from caprese._core.significance import standard_errors
from caprese.assessment.difference import grouped_mean

EVENTS, SIZES, ERROR = (6, 7, 8, 8), (60, 120, 250, 500), 0.05
LEAST, MOST = 0.9, 0.98
QUICK = {
    "caprese": Caprese(),
    "oncotree": Oncotree(),
    "likelihood": LikelihoodForest(),
    "cbn": CBN(),
    "capri": Capri(),
    "hcbn": HCBN(),
    "mhn": MHN(penalty_strength=0.1),
}
PARTS = ("independence", "caprese", "likelihood", "mhn:penalty_strength=0.1")
SLOW = {
    "bayes": BayesForest(draws=100, warm_up=100),
    "mhn, penalty chosen": MHN(),
    "likelihood": LikelihoodForest(),
    "stack": Stack(parts=PARTS),
}
KINDS = ("forest", "poset", "hazards", "independent")


def truth(kind, events, rng):
    if kind == "forest":
        return NoisyForest(ForestRecipe(events=events, trees=2).draw(rng), Noise(ERROR, ERROR))
    if kind == "poset":
        shape = DagRecipe(events=events).draw(rng).parent_sets
        rates = np.exp(rng.uniform(np.log(0.5), np.log(4), events))
        return NoisyPoset(TimedPoset(event_names(events), shape, rates), error=ERROR)
    if kind == "hazards":
        effects = np.where(
            rng.random((events, events)) < 0.3, rng.normal(0, 1.2, (events, events)), 0
        )
        np.fill_diagonal(effects, 0)
        return Hazards(event_names(events), np.exp(rng.normal(-0.7, 0.7, events)), np.exp(effects))
    return Independence(event_names(events), rng.uniform(0.05, 0.6, events))


def judgements(methods, kind, samples, data_sets, seed):
    """Return the judgements of data sets from each of four distributions of a kind."""
    number, found = KINDS.index(kind), []
    for place, events in enumerate(EVENTS):
        model = truth(kind, events, np.random.default_rng([seed, number, place]))
        for replicate in range(data_sets // len(EVENTS)):
            rng = np.random.default_rng([seed, number, place, samples, replicate])
            drawn = model.sample(samples, rng)
            found.append(judge(methods, drawn, folds=5, jobs=1))
    return np.reshape(np.array(found, dtype=object), (len(EVENTS), -1))


def coverage(found, one, other):
    """Return how often intervals hold the truth: by the error, and by that over samples alone.

    Also how often the interval is below the truth, and above.
    """
    inside, beside = np.zeros(2), np.zeros(2)
    for own in found:
        means = np.array([each.difference(one, other).mean for each in own])
        for each, mean in zip(own, means, strict=True):
            alone = grouped_mean(np.subtract(*each.log_probabilities[[one, other]]), each.groups)
            reach = standard_errors(freedom=len(each.samples) - 1)
            errors = np.array([each.difference(one, other).error, alone.error])
            # Without the own difference, the mean would be as far away as from another data set.
            away = (mean - means.mean()) * (len(own) / (len(own) - 1)) ** 0.5
            inside += abs(away) <= reach * errors
            beside += (away < -reach * errors[0], away > reach * errors[0])
    return np.append(inside, beside) / found.size


def show(methods, data_sets, seed, sizes=SIZES, kinds=KINDS):
    names = [*methods, "independence"]
    every = []
    for kind in kinds:
        for samples in sizes:
            found = judgements(methods, kind, samples, data_sets, seed)
            rows = {
                (one, other): coverage(found, names.index(one), names.index(other))
                for one, other in combinations(names, 2)
            }
            covered = np.array(list(rows.values()))
            every.append(covered)
            lowest = min(rows, key=lambda pair: rows[pair][0])
            print(
                f"{kind:12} {samples:4}: covered {covered[:, 0].mean():.3f}, over samples alone "
                f"{covered[:, 1].mean():.3f}; in 90 to 98 %: {_inside(covered[:, 0])} of "
                f"{len(rows)} pairs, alone {_inside(covered[:, 1])}; lowest "
                f"{rows[lowest][0]:.3f}, {' and '.join(lowest)}",
                flush=True,
            )
            for pair, (share, _, below, above) in rows.items():
                if share < LEAST:
                    print(f"  {' and '.join(pair)}: below the truth {below:.3f}, above {above:.3f}")
            if kind == "independent":
                declared = sum(each.better.any() for each in found.ravel())
                print(f"  a gain declared in {declared} of {found.size}", flush=True)
    for title, covered in zip(("all", "alone"), np.concatenate(every).T[:2], strict=True):
        print(
            f"{title} {len(covered)}: covered {covered.mean():.3f}; in 90 to 98 %: "
            f"{_inside(covered)}, below {(covered < LEAST).sum()}, lowest {covered.min():.3f}",
            flush=True,
        )


def _inside(shares):
    return int(((shares >= LEAST) & (shares <= MOST)).sum())


if __name__ == "__main__":
    parser = options(__doc__, 200, 12)
    parser.add_argument("--methods", help="only these, of those that are not slow")
    parser.add_argument("--cell", help="only data of this kind and size, such as forest:250")
    asked = parser.parse_args()
    print(f"{asked.data_sets} data sets in each cell")
    kind, _, size = (asked.cell or "").partition(":")
    cells = {"sizes": (int(size),), "kinds": (kind,)} if asked.cell else {}
    chosen = asked.methods.split(",") if asked.methods else QUICK
    show({name: QUICK[name] for name in chosen}, asked.data_sets, asked.seed, **cells)
    if not (asked.methods or asked.cell):
        slow = max(8, asked.data_sets // 5)
        print(f"slow methods, {slow} data sets in each cell")
        show(SLOW, slow, asked.seed, sizes=(120,))
