"""What the verification scripts share: draws from the prior, tables with standard errors."""

import argparse
import sys
from pathlib import Path

import numpy as np

from caprese.data.dataset import Dataset
from caprese.fitting.forest_sampler import Chains
from caprese.kernels.draws import beta_draw, forest_draw
from caprese.models.noise import Noise

BRIEF = Chains(chains=2, draws=250, thin=2, warm_up=150)  # many data sets, not long chains

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # the literal definitions


def prior_draw(prior, events, seed, components=1, dirichlet=1.0):
    """Return parents and edge probabilities (components x events), rates and weights."""
    rng = np.random.default_rng(seed)
    stream = np.array([rng.integers(2**63)], dtype=np.uint64)
    parents = np.empty((components, events), dtype=np.int64)
    for row in parents:
        root_probability = 1 / (events + 1)
        if rng.random() >= prior.uniform(events):
            root_probability = beta_draw(stream, float(prior.first), float(prior.second))
        forest_draw(stream, root_probability, row)
    rates = np.array([rate_draw(prior, rng), rate_draw(prior, rng)])
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
        seen[rows] = np.where(truth, chance >= rates[1], chance < rates[0])
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


def options(about, data_sets, quick):
    """Return a parser of the number of data sets and the seed."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=data_sets, help="in each cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_const", const=quick, dest="data_sets",
                        help="minutes instead of an hour; decides little")  # fmt: skip
    return parser


def mean_and_error(values):
    """Return the mean and its standard error."""
    values = np.asarray(values, dtype=float)
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


def shown(values):
    """Return a mean with its standard error as text."""
    mean, error = mean_and_error(values)
    return f"{mean:.3f} ({error:.3f})"
