"""Which orders can be known: three lessons, on trees of leukaemias whose orders somebody saw.

    python verify/known_orders.py

0. Methods are fitted to the genotypes alone: how often are they right about the orders of the same
   patients, and how probable do they find them? Standard errors are over patients.
1. A hazard network is fitted to the genotypes alone, with orders as seen, and with all of these
   reversed: how well each explains the genotypes, and how often it is right about an order.
2. Methods are judged by held-out genotypes and by held-out orders: the best need not be the same.
3. A hazard network learns from the orders of a share of the patients.

With --genotypes FILE --orders FILE only the third is done, on these data; with --part 0 the table.
"""

from dataclasses import replace

import numpy as np
from common import options, own_data, with_tables
from order_fits import scores

from caprese import HCBN, MHN, BayesForest, Caprese, Capri, LikelihoodForest, datasets, judge
from caprese.assessment.order_judgement import BASELINES, OrderJudgement
from caprese.assessment.order_scores import baselines, scored_orders
from caprese.data.curation import KeepMostFrequent, curate
from caprese.models.base import pair_order_probabilities

SHARES = (0.0, 0.1, 0.3, 1.0)
FOLDS = 5
TENFOLD = 10
IN_SAMPLE = {
    "caprese": Caprese(),
    "bayes, subtypes auto": BayesForest(subtypes="auto"),
    "mhn": MHN(),
    "mhn, symmetric penalty": MHN(penalty="symmetric", penalty_strength="auto"),
    "mhn with observation": MHN(observation=True, penalty_strength="auto"),
    "hcbn, 12 events": HCBN(),
}


def reversed_orders(data):
    """Return the data with every seen order turned round."""
    orders = data.orders
    pairs = orders.pairs[:, [0, 2, 1]]
    return data.with_orders(replace(orders, pairs=pairs))


def accuracy(model, data):
    """Return the share of seen orders that a model finds the more probable ones."""
    found = pair_order_probabilities(model, data, scored_orders(data))
    return np.where(found == 0.5, 0.5, found > 0.5).mean()


def with_some_orders(data, share, rng):
    """Return the data with the orders of a share of the patients that have any."""
    ordered = data.orders.ordered_samples()
    kept = rng.permutation(ordered)[: round(share * len(ordered))]
    chosen = np.isin(data.orders.pairs[:, 0], kept)
    if not chosen.any():
        return data.without_orders()
    orders = data.orders
    some = replace(
        orders,
        pairs=orders.pairs[chosen],
        confidence=orders.confidence[chosen],
        nested=orders.nested[chosen],
    )
    return data.with_orders(some)


def divided(data, folds, seed):
    """Yield the training part and the rest of each fold."""
    fold = np.random.default_rng(seed).permutation(len(data.samples)) % folds
    for place in range(folds):
        yield data.take_samples(fold != place), data.take_samples(fold == place)


def in_sample(data):
    """Print what methods that saw the genotypes alone say of the orders of the same patients."""
    print("0. right about an order and log score of an order, with standard errors; pairs")
    pairs, plain = scored_orders(data), data.without_orders()
    said = dict(zip(BASELINES, held_out_baselines(data), strict=True))
    show(data, said)
    for name, method in IN_SAMPLE.items():
        if "12 events" in name:
            few = curate(data, [KeepMostFrequent(12)]).data
            model = method.fit(few.without_orders()).predictive
            show(few, {name: pair_order_probabilities(model, few, scored_orders(few))})
        else:
            model = method.fit(plain).predictive
            show(data, {name: pair_order_probabilities(model, data, pairs)})


def held_out_baselines(data):
    """Return what coin, frequency and strengths say of each order, learnt from other patients."""
    pairs = scored_orders(data)
    found = np.empty((len(BASELINES), len(pairs)))
    fold = np.random.default_rng(1).permutation(len(data.samples)) % TENFOLD
    for place in range(TENFOLD):
        found[:, fold[pairs[:, 0]] == place] = baselines(data, np.flatnonzero(fold == place))
    return found


def show(data, said):
    """Print accuracy and log score of what is said of the scored orders."""
    pairs = scored_orders(data)
    rows = [*said.values(), *np.full((len(BASELINES), len(pairs)), 0.5)]
    names = (*(f"{name} " for name in said), *BASELINES)
    nested = np.ones(len(pairs))
    whole = (data.samples, data.events, pairs, nested, pairs[:, 0], np.array(rows))
    found = OrderJudgement(names, "independence", *whole)
    for name, right, score in zip(said, found.accuracy, found.score, strict=False):
        print(
            f"   {name:24} {right.mean:.3f} ({right.error:.3f}) {score.mean:.3f} "
            f"({score.error:.3f}) of {len(pairs)}",
            flush=True,
        )


def first_lesson(data):
    print("1. the same genotypes, fitted with orders as seen, unknown and reversed")
    method = MHN(penalty_strength=1 / len(data.samples), load="events")
    cases = {
        "as seen": data,
        "unknown": data.without_orders(),
        "reversed": reversed_orders(data),
    }
    for name, case in cases.items():
        model = method.fit(case).model
        explained = model.log_probabilities(data).mean()
        print(f"   {name:10} {explained:8.3f} per sample, right in {accuracy(model, data):.2f}")


def second_lesson(data, methods):
    print("2. held-out genotypes and held-out orders")
    found = judge(methods, data, folds=FOLDS, jobs=1)
    table = found.orders.table()
    for name in table.index:
        genotypes = found.scores[found.methods.index(name)] if name in found.methods else np.nan
        row = table.loc[name]
        print(
            f"   {name:24} {genotypes:8.3f}  right {row['accuracy']:.2f} ± "
            f"{row['accuracy error']:.2f}, log score {row['log score']:.2f}"
        )


def third_lesson(data, divisions):
    print("3. learning from the orders of a share of the patients, held-out")
    for share in SHARES:
        numbers = []
        for seed in range(1, divisions + 1):
            rng = np.random.default_rng([seed, round(100 * share)])
            orders, genotypes = [], []
            for training, rest in divided(data, FOLDS, seed):
                model = MHN().fit(with_some_orders(training, share, rng)).predictive
                genotypes.append(model.log_probabilities(rest.without_orders()))
                orders.append(pair_order_probabilities(model, rest, scored_orders(rest)))
            numbers.append(scores(np.concatenate(orders), np.concatenate(genotypes)))
        shown = zip(np.mean(numbers, axis=0), np.std(numbers, axis=0), strict=True)
        print(
            f"   {share:4.0%} of patients: right, log score, genotypes",
            *(f"{mean:.3f} ± {spread:.3f}" for mean, spread in shown),
            "(deviation over divisions)",
            flush=True,
        )


def main():
    parser = with_tables(options(__doc__, 5, 1))
    parser.add_argument("--part", type=int, choices=(0, 3), default=3, help="of the user's data")
    given = parser.parse_args()
    divisions = given.data_sets
    if given.genotypes:
        data = own_data(given)
        third_lesson(data, divisions) if given.part else in_sample(data)
        return
    data = curate(datasets.aml_trees(), [KeepMostFrequent(20)]).data
    print(f"{data!r}, {len(data.orders.ordered_samples())} patients with orders")
    methods = [Caprese(), LikelihoodForest(), Capri(), MHN(), MHN(observation=True)]
    if divisions > 1:
        methods.append(BayesForest(subtypes="auto"))
    in_sample(data)
    first_lesson(data)
    second_lesson(data, methods)
    third_lesson(data, divisions)


if __name__ == "__main__":
    main()
