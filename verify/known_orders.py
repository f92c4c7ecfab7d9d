"""Which orders can be known: three lessons, on trees of leukaemias whose orders somebody saw.

    python verify/known_orders.py

1. A hazard network is fitted to the genotypes alone, with orders as seen, and with all of these
   reversed: how well each explains the genotypes, and how often it is right about an order.
2. Methods are judged by held-out genotypes and by held-out orders: the best need not be the same.
3. A hazard network learns from the orders of a share of the patients.

With --genotypes FILE --orders FILE only the third is done, on these data.
"""

from dataclasses import replace

import numpy as np
from common import options, own_data, with_tables
from order_fits import scores

from caprese import MHN, BayesForest, Caprese, Capri, LikelihoodForest, datasets, judge
from caprese.assessment.order_scores import scored_orders
from caprese.data.curation import KeepMostFrequent, curate
from caprese.models.base import pair_order_probabilities

SHARES = (0.0, 0.1, 0.3, 1.0)
FOLDS = 5


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
    given = with_tables(options(__doc__, 5, 1)).parse_args()
    divisions = given.data_sets
    if given.genotypes:
        third_lesson(own_data(given), divisions)
        return
    data = curate(datasets.aml_trees(), [KeepMostFrequent(20)]).data
    print(f"{data!r}, {len(data.orders.ordered_samples())} patients with orders")
    methods = [Caprese(), LikelihoodForest(), Capri(), MHN(), MHN(observation=True)]
    if divisions > 1:
        methods.append(BayesForest(subtypes="auto"))
    first_lesson(data)
    second_lesson(data, methods)
    third_lesson(data, divisions)


if __name__ == "__main__":
    main()
