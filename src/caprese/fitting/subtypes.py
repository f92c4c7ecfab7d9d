"""Subtypes: the components of a posterior over mixtures, numbered alike in all draws."""

from dataclasses import dataclass, field, replace

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, frozen
from caprese.data.dataset import Dataset
from caprese.fitting.structure import consensus
from caprese.kernels.functions import product
from caprese.models.forest import Forest
from caprese.models.noise import Noise
from caprese.models.posterior import Posterior

LEAST_SHARE = 0.05  # of the samples, from which on a component counts as a subtype
_ROUNDS = 20


@dataclass(frozen=True, eq=False)
class Subtype(ArrayValue):
    """A group of samples with a forest of its own."""

    weight: float  #: Its share of the population, averaged over the draws.
    forest: Forest  #: The forest on which its draws agree most, with the mean edge probabilities.
    #: Posterior probability of each parent within the subtype: parent row, the last one the root,
    #: child column.
    parent_probabilities: FloatArray
    memberships: FloatArray  #: For each sample the probability that it belongs to the subtype.
    frequencies: FloatArray  #: Frequency of each event among its samples.
    elsewhere: FloatArray  #: Frequency of each event among all other samples.
    marker: str  #: The event by which it differs most from all other samples.
    #: The posterior means of its error rates.
    noise: Noise = field(default=Noise(), metadata={"optional": True})

    def __post_init__(self) -> None:
        for name in ("parent_probabilities", "memberships", "frequencies", "elsewhere"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))


def relabelled(posterior: Posterior, data: Dataset) -> Posterior:
    """Return the posterior with its components numbered alike in all draws, the heaviest first.

    Each draw is matched to the mean memberships of the samples over all draws, which are then
    averaged again, until nothing changes; the first reference is the likeliest draw.
    """
    if posterior.components == 1:
        return posterior
    distinct, times = data.genotypes()
    shares = posterior.component_probabilities(distinct)
    reference = shares[int(posterior.log_likelihood.argmax())]
    orders = np.tile(np.arange(posterior.components), (posterior.draws, 1))
    for _ in range(_ROUNDS):
        before, orders = orders, _matched(shares, reference, times)
        reference = np.take_along_axis(shares, orders[:, :, None], axis=1).mean(axis=0)
        if (orders == before).all():
            break
    heaviest = np.argsort(-product(reference, times), kind="stable")
    return posterior.with_components(orders[:, heaviest].reshape(posterior.weights.shape))


def subtypes(posterior: Posterior, data: Dataset) -> tuple[Subtype, ...]:
    """Return the components, numbered alike in all draws, that hold at least 5 % of the samples."""
    if posterior.components == 1:
        return ()
    memberships = posterior.component_probabilities(data).mean(axis=0)
    kept = np.flatnonzero(memberships.mean(axis=1) >= LEAST_SHARE)
    return tuple(_subtype(posterior, int(part), memberships[part], data) for part in kept)


def _matched(shares: FloatArray, reference: FloatArray, times: IntArray) -> IntArray:
    """Return for each draw which of its components goes where, by the memberships of samples."""
    from scipy.optimize import linear_sum_assignment

    agreement = np.einsum("rg,dcg,g->drc", reference, shares, times)
    return np.array([linear_sum_assignment(-each)[1] for each in agreement])


def _subtype(posterior: Posterior, part: int, members: FloatArray, data: Dataset) -> Subtype:
    alone = posterior.with_components(np.full_like(posterior.parents[:, :, :1, 0], part))
    one = replace(alone, weights=np.ones_like(alone.weights))
    support = one.parent_probabilities()
    parents, _ = consensus(support)
    same = one.parents[:, :, 0] == parents
    total = (one.probabilities[:, :, 0] * same).sum(axis=(0, 1))
    numbers = total / np.maximum(same.sum(axis=(0, 1)), 1)
    inside, outside = _frequencies(data, members), _frequencies(data, 1 - members)
    return Subtype(
        float(posterior.weights[:, :, part].mean()),
        Forest(posterior.events, parents, np.clip(numbers, 0, 1)),
        support,
        members,
        inside,
        outside,
        data.events[int(np.abs(inside - outside).argmax())],
        Noise(*posterior.rates[:, :, part].mean(axis=(0, 1)).tolist()),
    )


def _frequencies(data: Dataset, weights: FloatArray) -> FloatArray:
    known = data.known_mask.astype(float)
    return np.asarray(product(weights, data.values) / np.maximum(product(weights, known), 1e-300))
