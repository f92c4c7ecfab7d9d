"""What do seen orders give a mutual hazard network, and what do they cost?

    python verify/order_fits.py [--quick]

trees: 20 events of the AML trees, five folds of patients, mean over five divisions. For each load,
without and with the seen orders of the training patients: accuracy and mean log score over the
pairs of the held-out patients (probabilities clipped to [.01, .99], ties 1/2), and the
log-probability per held-out genotype. With orders the default is to reach .64 and -.64, and to
predict no more than .005 worse than without.

simulated: random networks of 8 events, effects as in hazards.py or with strengths of events on top,
of whose samples 30 % have a known order. The same figures on 4,000 other samples, and the
largest difference, over ten bins, between how probable orders are said to be and how often they are
right: of the true network at most .03.

cohort: as large as a modern study, 2,519 samples x 20 events of a random network with strengths of
events, of which 752 have two pairs of events whose order was read off allele fractions, with a
confidence of .9 to 1 that is right as often as it says. Held-out by five folds: the scores as above
and, for a fit of a given penalty, processor time per distinct genotype with its orders. Orders are
to cost less than .005 per genotype and at most twice the time.

With --genotypes FILE --orders FILE only the first is done, on these data.
"""

import time

import numpy as np
from common import options, own_data, with_tables

from caprese import MHN, Hazards, datasets
from caprese._core.names import event_names
from caprese.assessment.order_scores import scored_orders
from caprese.data.seen_orders import SeenOrders
from caprese.models.base import pair_order_probabilities

EVENTS, TESTED, SHARE = 8, 4000, 0.3
FREQUENT = 20  # events of the trees
LOADS = ("none", "common", "events")
COHORT = {"samples": 2519, "events": 20, "ordered": 752, "pairs": 2}


def clipped(model, data):
    """Return how probable the seen orders of the data are."""
    return np.clip(model.order_probabilities(data, data.orders.pairs), 0.01, 0.99)


def scores(orders, genotypes):
    """Return accuracy and log score of orders, and the log-probability per genotype."""
    right = np.where(np.isclose(orders, 0.5), 0.5, orders > 0.5)
    return right.mean(), np.log(np.clip(orders, 0.01, 0.99)).mean(), genotypes.mean()


def held_out(method, data, seed, *, ordered):
    """Return the scores of the patients of five folds, each predicted from the others."""
    fold = np.random.default_rng(seed).permutation(len(data.samples)) % 5
    orders, genotypes = [], []
    for each in range(5):
        training = data.take_samples(np.flatnonzero(fold != each))
        rest = data.take_samples(np.flatnonzero(fold == each))
        model = method.fit(training if ordered else training.without_orders()).predictive
        found = pair_order_probabilities(model, rest, scored_orders(rest))
        orders.append(found)
        genotypes.append(model.log_probabilities(rest.without_orders()))
    return scores(np.concatenate(orders), np.concatenate(genotypes))


def trees():
    """Return the AML trees with their most frequent events."""
    data = datasets.aml_trees()
    most = np.argsort(-data.frequency, kind="stable")[:FREQUENT]
    return data.take_events([data.events[event] for event in most])


def seen(data, divisions, loads=LOADS):
    """Print the scores on data with seen orders, without and with these."""
    print(f"{data!r}: accuracy, log score, log-probability per genotype")
    for load in loads:
        for ordered in (False, True):
            found = [
                held_out(MHN(load=load), data, seed + 1, ordered=ordered)
                for seed in range(divisions)
            ]
            print(f"load {load}, {'with' if ordered else 'without'} orders", end=": ")
            print(*(f"{number:.4f}" for number in np.mean(found, axis=0)), flush=True)


def truth(rng, strengths, events=EVENTS, rate=None):
    """Return a random network, a third of its effects not 1, with strengths of events or not."""
    shape = (events, events)
    effects = np.where(rng.random(shape) < 1 / 3, rng.normal(0, 0.8, shape), 0)
    effects += strengths * rng.normal(0.3, 0.8, events)
    np.fill_diagonal(effects, 0.0)
    rates = np.exp(rng.normal(-1 - 0.8 * strengths if rate is None else rate, 0.7, events))
    return Hazards(event_names(events), rates, np.exp(effects))


def drawn(model, samples, rng, share=1.0):
    """Return samples, a share of them with the order of all their events."""
    drawn = model.trajectories(samples, rng)
    data, rows = drawn.data, []
    for sample, order in zip(data.samples, drawn.orders(), strict=True):
        if rng.random() < share:
            rows += [(sample, a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    return data.with_orders(SeenOrders.from_rows(rows))


def largest_difference(orders):
    """Return by how much the orders of a bin are said to be more or less probable than they are."""
    said = np.concatenate([orders, 1 - orders])
    right = np.repeat([1.0, 0.0], len(orders))
    bins = np.minimum((said * 10).astype(int), 9)
    full = [bins == each for each in range(10) if (bins == each).sum() >= 100]
    return max(abs(said[own].mean() - right[own].mean()) for own in full)


def simulated(replicates, seed):
    """Print the scores on simulated data, and the largest difference of a bin."""
    print("simulated: accuracy, log score, log-probability per genotype; largest difference")
    for strengths in (0, 1):
        for samples in (300, 1000):
            found = {name: [] for name in ("truth", "without orders", *LOADS)}
            for replicate in range(replicates):
                rng = np.random.default_rng([seed, 31, replicate])
                true = truth(rng, strengths)
                data, rest = drawn(true, samples, rng, SHARE), drawn(true, TESTED, rng)
                models = {load: MHN(load=load).fit(data).model for load in LOADS}
                models |= {"truth": true, "without orders": MHN().fit(data.without_orders()).model}
                for name, model in models.items():
                    found[name].append((clipped(model, rest), model.log_probabilities(rest)))
            for name, parts in found.items():
                orders, genotypes = map(np.concatenate, zip(*parts, strict=True))
                shown = (*scores(orders, genotypes), largest_difference(orders))
                about = f"{samples} samples, strengths {'yes' if strengths else 'no'}, {name}"
                print(about, *(f"{number:.3f}" for number in shown), flush=True)


def cohort(replicates, seed):
    """Print the scores on data of the size of a modern study, and what orders cost."""
    print("cohort: accuracy, log score, log-probability per genotype; milliseconds per genotype")
    for replicate in range(replicates):
        rng = np.random.default_rng([seed, 32, replicate])
        data = seen_in_some(truth(rng, 1, COHORT["events"], rate=-3.2), rng)
        for ordered in (False, True):
            found = held_out(MHN(), data, replicate + 1, ordered=ordered)
            each = data if ordered else data.without_orders()
            kinds = {
                (tuple(row), own)
                for row, own in zip(each.values.tolist(), of_each(each), strict=True)
            }
            start = time.process_time()
            MHN(penalty_strength=0.001, load="events").fit(each)
            cost = 1e3 * (time.process_time() - start) / len(kinds)
            print("with" if ordered else "without", "orders:", end=" ")
            print(*(f"{number:.4f}" for number in found), f"{cost:.2f}", flush=True)


def of_each(data):
    """Return the seen orders of each sample, as a value."""
    found = [[] for _ in data.samples]
    rows = () if data.orders is None else data.orders.rows()
    place = {sample: row for row, sample in enumerate(data.samples)}
    for seen in rows:
        found[place[seen.sample]].append((seen.earlier, seen.later, seen.confidence))
    return [tuple(sorted(own)) for own in found]


def seen_in_some(model, rng):
    """Return samples, some of them with pairs of events whose order is surely or probably known."""
    drawn = model.trajectories(COHORT["samples"], rng)
    rows, ordered = [], 0
    for sample, order in zip(drawn.data.samples, drawn.orders(), strict=True):
        if len(order) < 2 or ordered == COHORT["ordered"]:
            continue
        ordered += 1
        pairs = {
            tuple(sorted(rng.choice(len(order), 2, replace=False).tolist()))
            for _ in range(COHORT["pairs"])
        }
        for first, second in sorted(pairs):
            confidence = round(rng.uniform(0.9, 1), 3)
            pair = order[first], order[second]
            rows.append((sample, *(pair if rng.random() < confidence else pair[::-1]), confidence))
    return drawn.data.with_orders(SeenOrders.from_rows(rows))


def main():
    """Run all, with fewer divisions and networks with --quick."""
    given = with_tables(options(__doc__, data_sets=20, quick=2)).parse_args()
    divisions = min(5, given.data_sets)
    if given.genotypes:
        seen(own_data(given), divisions, loads=("auto",))
        return
    seen(trees(), divisions)
    simulated(given.data_sets, given.seed)
    cohort(min(5, given.data_sets), given.seed)


if __name__ == "__main__":
    main()
