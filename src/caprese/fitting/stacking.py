"""Stacking: the weights of a mixture of models, from samples that they were not fitted to."""

from collections.abc import Callable, Sequence

import numpy as np

from caprese._core.arrays import FloatArray, IntArray, sealed
from caprese._core.progress import silent, tell
from caprese.data.counts import Counts, order_by_counts
from caprese.data.dataset import Dataset
from caprese.kernels.functions import exp, log, product
from caprese.models.base import Model
from caprese.models.posterior import Posterior
from caprese.models.stacked import relative_probabilities

ENOUGH = 80  # samples, from which on less than one pseudo-observation is added

_STEPS = 20_000
_GAP = 1e-6  # nats per sample that the mixture may be below the best one
_TINY = 1e-300
_LEAST_LOG = -600.0  # log-probability of a sample, below which draws are as bad as each other


def held_out_log_probabilities(
    learners: Sequence[Callable[[Dataset], Model]], data: Dataset, *, folds: int, seed: int
) -> FloatArray:
    """Return the log-probability of each sample by models learnt from others, learners x samples.

    Each fold is held out once, with all samples of a patient in the same one. Of a single patient
    there is nothing to learn from: no columns.
    The columns are in an order of their own, which depends on genotypes and frequencies only.
    """
    fixed = _in_fixed_order(data)
    samples = len(fixed.samples)
    patients = np.arange(samples) if fixed.patients is None else fixed.patients.numbers
    number = int(patients.max()) + 1
    parts = min(folds, number)
    if parts < 2:
        return np.zeros((len(learners), 0))
    fold_of = (np.random.default_rng(seed).permutation(number) % parts)[patients]
    found = np.empty((len(learners), samples))
    for fold in range(parts):
        training = fixed.take_samples(np.flatnonzero(fold_of != fold))
        rest = fixed.take_samples(np.flatnonzero(fold_of == fold))
        for place, learn in enumerate(learners):
            with silent():
                found[place, fold_of == fold] = learn(training).log_probabilities(rest)
            tell("parts", fold * len(learners) + place + 1, parts * len(learners))
    return found


def chain_weights(posterior: Posterior, data: Dataset) -> FloatArray:
    """Return by how much each chain of a posterior counts, if they found different answers.

    A chain that does not move between modes says nothing of their masses; the weights are those
    under which the samples are most probable, each by a chain that has not seen it: draws count by
    one over the probability that they give it, at most by their mean times the root of their number
    (Ionides 2008, Journal of Computational and Graphical Statistics 17:295-311).

    References
    ----------
    Yao, Vehtari and Gelman (2022), Journal of Machine Learning Research 23(79):1-45.
    """
    distinct, times = data.genotypes()
    chains, draws = posterior.log_likelihood.shape
    seen = posterior.draw_log_probabilities(distinct).reshape(chains, draws, -1)
    return weights_of_chains(seen, times)


def weights_of_chains(log_probabilities: FloatArray, times: IntArray) -> FloatArray:
    """Return these weights from the log-probabilities of genotypes, chains x draws x genotypes.

    Parameters
    ----------
    times
        How many samples have each genotype.
    """
    seen, draws = np.maximum(log_probabilities, _LEAST_LOG), log_probabilities.shape[1]
    shares = exp(seen.min(axis=1, keepdims=True) - seen)
    shares = np.minimum(shares, draws**0.5 * shares.mean(axis=1, keepdims=True))
    least = seen.min(axis=1)
    rest = exp(seen - least[:, None])
    unseen = least + log((shares * rest).sum(axis=1) / shares.sum(axis=1))
    return stacking_weights(np.repeat(unseen, times, axis=1))


def stacking_weights(log_probabilities: FloatArray) -> FloatArray:
    """Return the weights of a mixture under which held-out samples are most probable.

    Pseudo-observations, 80 over the number of samples, are divided equally over the parts: they
    pull the weights of few samples towards equal ones, and vanish. Samples that no part allows do
    not count.

    Parameters
    ----------
    log_probabilities
        Of held-out samples, parts x samples.

    Examples
    --------
    >>> better = np.full((1, 100), -1.0)
    >>> stacking_weights(np.concatenate([better, better - 0.5])).round(2)
    array([0.99, 0.01])
    >>> stacking_weights(np.concatenate([better, better - 0.5])[:, :5]).round(2)
    array([0.54, 0.46])
    """
    parts = len(log_probabilities)
    allowed = np.isfinite(log_probabilities.max(axis=0, initial=-np.inf))
    likely = relative_probabilities(log_probabilities[:, allowed])[0]
    samples = likely.shape[1]
    each = ENOUGH / max(1, samples) / parts
    weights = np.full(parts, 1 / parts)
    for _ in range(_STEPS):  # of EM; its fixed point is the only maximum
        counts = weights * product(likely, 1 / product(weights, likely)) + each
        before, weights = weights, counts / counts.sum()
        if (weights / np.maximum(before, _TINY)).max() - 1 < _GAP:
            break
    return sealed(weights)


def _in_fixed_order(data: Dataset) -> Dataset:
    """Return the data in an order of events and samples that does not depend on the given one."""
    order = order_by_counts(Counts.of(data))
    fixed = data.take_events([data.events[event] for event in order])
    return fixed.take_samples(fixed.sample_order)
