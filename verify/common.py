"""What the verification scripts share: draws from the prior, tables with standard errors."""

import argparse
import sys
from pathlib import Path

import numpy as np

from caprese import read_dataset, read_orders
from caprese._core.names import event_names
from caprese.data.dataset import Dataset
from caprese.fitting.forest_sampler import Chains
from caprese.kernels.draws import beta_draw, forest_draw
from caprese.models.noise import Noise

BRIEF = Chains(chains=2, draws=250, thin=2, warm_up=150)  # many data sets, not long chains

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # the literal definitions


def prior_draw(prior, events, seed, components=1, dirichlet=1.0):
    """Return parents and edge probabilities (components x events), rates (of each), weights."""
    rng = np.random.default_rng(seed)
    stream = np.array([rng.integers(2**63)], dtype=np.uint64)
    parents = np.empty((components, events), dtype=np.int64)
    for row in parents:
        root_probability = 1 / (events + 1)
        if rng.random() >= prior.uniform(events):
            root_probability = beta_draw(stream, float(prior.first), float(prior.second))
        forest_draw(stream, root_probability, row)
    rates = np.tile([rate_draw(prior, rng), rate_draw(prior, rng)], (components, 1))
    if components > 1:
        for own in np.flatnonzero(rng.random(components) < rng.random()):
            rates[own] = rate_draw(prior, rng), rate_draw(prior, rng)
    if not dirichlet:  # it is learnt
        dirichlet = 10 ** rng.uniform(-3, 0)
    weights = rng.dirichlet(np.full(components, dirichlet))
    return parents, rng.random((components, events)), rates, weights


def rate_draw(prior, rng):
    while True:
        rate = rng.beta(prior.rate_first, prior.rate_second)
        if rate < 0.5:
            return rate


def codes_draw(parents, theta, rates, weights, samples, rng):
    """Return what is seen of so many samples of a mixture, samples x events, 0 and 1."""
    kind = rng.choice(len(weights), size=samples, p=weights)
    seen = np.empty((samples, parents.shape[1]), dtype=np.uint8)
    for component in range(len(weights)):
        rows = np.flatnonzero(kind == component)
        truth = rng.random((len(rows), parents.shape[1])) < theta[component]
        for event in downward(parents[component]):
            if parents[component, event] >= 0:
                truth[:, event] &= truth[:, parents[component, event]]
        chance = rng.random(truth.shape)
        false_positive, false_negative = rates[component]
        seen[rows] = np.where(truth, chance >= false_negative, chance < false_positive)
    return seen


def downward(parents):
    """Return the events, each after its parent."""
    order = [event for event in range(len(parents)) if parents[event] < 0]
    for event in order:
        order.extend(np.flatnonzero(parents == event).tolist())
    return order


def dataset(codes):
    return Dataset(codes.astype(bool), tuple(f"e{k:03d}" for k in range(codes.shape[1])))


def simulated(recipe, nu, samples, seed):
    """Return a random forest, and data drawn from it with the noise of the paper."""
    rng = np.random.default_rng(seed)
    forest = recipe.draw(rng)
    return forest, Noise.uniform(nu).corrupt(forest.sample(samples, rng), rng)


def growth(events, rng):
    """Return a random growing tumour, from which genotypes and the events after them are drawn.

    Clones grow by a factor for each of their events, of which half need another event to act; each
    new cell may have one more event. A tumour is seen when it has a size that is drawn for it, so
    that fast ones are seen early; it shows the events of most of its cells. The next event is the
    first that most cells have later.
    """
    clones = (np.arange(1 << events)[:, None] >> np.arange(events) & 1).astype(bool)
    with_event = np.arange(1 << events)[:, None] | 1 << np.arange(events)
    mutation = np.exp(rng.uniform(np.log(3e-4), np.log(3e-3), events))
    speed = rng.uniform(0.05, 0.3, events)
    other = (np.arange(events) + rng.integers(1, events, events)) % events
    needs = rng.random(events) < 0.5
    growth = 1 + np.minimum(0.03 + (clones & (clones[:, other] | ~needs)) @ speed, 0.9)

    def draw(samples, rng, start=100.0, largest=1e9):
        size = np.exp(rng.uniform(np.log(1e4), np.log(1e8), samples))
        cells = np.zeros((samples, 1 << events))
        cells[:, 0] = start
        seen = np.zeros((samples, events), dtype=bool)
        taken, following = np.zeros(samples, dtype=bool), np.full(samples, -1)
        left = np.arange(samples)
        while left.size:
            now = cells[left]
            row, clone = np.nonzero(now)
            now[row, clone] = rng.poisson(now[row, clone] * growth[clone])
            for event in range(events):
                own = ~clones[clone, event]
                at, before = row[own], clone[own]
                new = np.minimum(rng.poisson(now[at, before] * mutation[event]), now[at, before])
                np.add.at(now, (at, before), -new)
                np.add.at(now, (at, with_event[before, event]), new)
            now[now.sum(axis=1) == 0, 0] = start  # died out
            cells[left], total = now, now.sum(axis=1)
            most = now @ clones > 0.5 * total[:, None]
            reached = ~taken[left] & (total >= size[left])
            seen[left[reached]], taken[left[reached]] = most[reached], True
            later = most & ~seen[left] & taken[left][:, None]
            came = later.any(axis=1)
            following[left[came]] = np.where(later, now @ clones, -1)[came].argmax(axis=1)
            left = left[~came & ~(taken[left] & (total >= largest))]
        return Dataset(seen, event_names(events)), following

    return draw


def options(about, data_sets, quick):
    """Return a parser of the number of data sets and the seed."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=data_sets, help="in each cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_const", const=quick, dest="data_sets",
                        help="minutes instead of an hour; decides little")  # fmt: skip
    return parser


def with_tables(parser):
    """Let a parser take genotypes and orders of the user's own."""
    parser.add_argument("--genotypes", help="a table of samples x events; then only this is done")
    parser.add_argument("--orders", help="the orders that were seen in these samples")
    return parser


def own_data(given):
    """Return the data of the user's own tables."""
    return read_dataset(given.genotypes).with_orders(read_orders(given.orders))


def gain(before, after):
    """Return by which factor a mean over data sets has become smaller, with its standard error."""
    factor = np.mean(before) / np.mean(after)
    of_each = np.asarray(before) / np.mean(before) - np.asarray(after) / np.mean(after)
    return f"{factor:.2f} ({factor * np.std(of_each, ddof=1) / np.sqrt(len(of_each)):.2f})"


def mean_and_error(values):
    """Return the mean and its standard error."""
    values = np.asarray(values, dtype=float)
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


def shown(values):
    """Return a mean with its standard error as text."""
    mean, error = mean_and_error(values)
    return f"{mean:.3f} ({error:.3f})"
