"""Orders: in which order the events of a sample came about, as a whole and pair by pair."""

from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.checks import SEEDS, whole
from caprese._core.words import visible
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ModelError
from caprese.kernels import orders as kernel
from caprese.methods.fit import Fit
from caprese.models.base import (
    AveragedModel,
    Model,
    Order,
    PlacingModel,
    pair_order_probabilities,
)

MOST_EXACT = 14  # events of which all subsets are listed
_PARTS = 200  # of an averaged model, the heaviest ones
_DRAWS = 20_000  # of orders of more events
_ALL, _KEPT = 7, 20  # events whose orders are all considered; orders of each part beyond
_MOST_PAIRS = 50_000_000  # of samples and two events, in an array of all
_STREAM = 0x0D0E  # apart from the streams of other work with the same seed


@dataclass(frozen=True)
class Orders:
    """Orders in which the events of a genotype may have come about, the likeliest first.

    Parameters
    ----------
    orders
        Each a tuple of events, the first to come first.
    probabilities
        Of each order, among all orders of these events.
    errors
        Standard errors of the probabilities; None if they are exact.
    """

    orders: tuple[tuple[str, ...], ...]
    probabilities: tuple[float, ...]
    errors: tuple[float, ...] | None = None


def likeliest_orders(
    model: PlacingModel, genotype: BoolArray, seen: Dataset, *, most: int = 5, seed: int = 1
) -> Orders:
    """Return the likeliest orders in which the events of a true genotype came about.

    An order is as probable as the chain of its steps: in each genotype on the way the next event
    comes with its rate over one plus the sum of all rates, one being the rate of observation.

    Up to 14 events the probabilities are exact. Beyond, they are shares of 20,000 orders
    drawn with weights, and have standard errors. A model that averages over others is averaged over
    the 200 of them that count most for the sample; of more than 7 events, only orders count that
    are among the 20 likeliest of one of these. There are none if the genotype cannot come about.

    Parameters
    ----------
    genotype
        Which events are there, in the order of the events of the model.
    seen
        The sample itself, by which the parts of an averaged model count.
    seed
        For more than 14 events.
    """
    whole("most", most, 1)
    whole("seed", seed, *SEEDS)
    if len(seen.samples) != 1:
        raise ModelError(f"seen must be one sample, got {len(seen.samples)}")
    present = np.flatnonzero(genotype)
    parts = _parts(model, seen)
    if present.size <= MOST_EXACT:
        orders, *numbers = _exact(parts, present, most)
    else:
        orders, *numbers = _drawn(parts, present, most, seed)
    names = np.array(model.events, dtype=object)
    named = tuple(tuple(names[order]) for order in orders)
    return Orders(named, *(tuple(each.tolist()) for each in numbers))


def order_probabilities(
    fitted: Fit[Any, Any] | Model | Order, data: Any, pairs: ArrayLike | None = None
) -> FloatArray:
    """Return how probably one event of a sample came before another.

    Given what was seen of the sample. A forest or a DAG says 1 if the first is an ancestor of the
    second, 0 if it is the other way round, and 1/2 if it leaves the order open; a posterior
    averages this over its draws; a model without an order leaves all pairs open.

    Parameters
    ----------
    fitted
        A fit, of which the predictive model is used; or a model.
    data
        Samples with the events of the model; a frame or a 0/1 array is taken for a data set.
    pairs
        Rows of positions: sample, event, event, both present in the sample. By default all.

    Returns
    -------
    FloatArray
        One number for each pair; of all pairs samples x events x events, NaN where not both are
        present.

    Raises
    ------
    DatasetError
        If pairs are no such positions, or if an array of all would have over 50,000,000 numbers.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> fit = caprese.Caprese().fit(data)
    >>> fit.edges
    (('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('8p-', 'Xp-'))
    >>> events = data.events
    >>> sample = int((data.values.sum(axis=1) == 7).argmax())  # has all events
    >>> orders = caprese.order_probabilities(fit, data)[sample]
    >>> float(orders[events.index("8q+"), events.index("Xp-")])
    1.0
    """
    model = fitted.predictive if isinstance(fitted, Fit) else fitted
    data = Dataset.of(data).without_orders()
    if pairs is not None:
        return pair_order_probabilities(model, data, _checked(np.asarray(pairs), data))
    samples, events = data.values.shape
    if samples * events**2 > _MOST_PAIRS:
        size = f"{samples:,} samples x {events:,} events x {events:,} events"
        raise DatasetError(f"{size} are more than {_MOST_PAIRS:,} numbers; ask for fewer by pairs")
    both = data.values[:, :, None] & data.values[:, None, :]
    every = np.argwhere(np.triu(both, 1))
    first = pair_order_probabilities(model, data, every)
    found = np.full(both.shape, np.nan)
    sample, one, other = every.T
    found[sample, one, other], found[sample, other, one] = first, 1 - first
    return found


def _checked(pairs: IntArray, data: Dataset) -> IntArray:
    """Return pairs as positions; refuse those that are not of two events of a sample."""
    if pairs.size == 0:
        return np.empty((0, 3), dtype=np.int64)
    sizes = (len(data.samples), len(data.events), len(data.events))
    if pairs.ndim != 2 or pairs.shape[1] != 3 or pairs.dtype.kind not in "iu":
        raise DatasetError("pairs must be rows of three positions: sample, event, event")
    if ((pairs < 0) | (pairs >= sizes)).any():
        raise DatasetError("pairs must be positions of samples and events of the data")
    sample, one, other = pairs.T
    wrong = ~(data.values[sample, one] & data.values[sample, other]) | (one == other)
    if wrong.any():
        name = visible(repr(data.samples[sample[wrong.argmax()]]))
        raise DatasetError(f"pairs must be of two events that sample {name} has")
    return pairs


def _parts(model: PlacingModel, seen: Dataset) -> list[tuple[PlacingModel, float]]:
    """Return the models to average over, each with its share."""
    if not isinstance(model, AveragedModel):
        return [(model, 1.0)]
    parts = [(part, float(share[0])) for part, share in model.parts(seen)]
    return sorted(parts, key=lambda part: -part[1])[:_PARTS]


def _exact(
    parts: list[tuple[PlacingModel, float]], present: IntArray, most: int
) -> tuple[IntArray, FloatArray]:
    """Return the likeliest orders by recursion over all subsets."""
    k = present.size
    keep = most if len(parts) == 1 else max(most, _KEPT)
    possible, found = [], []
    for part, share in parts:
        chances = _chances(part, present)
        total, orders, likely = kernel.likeliest_orders(chances, keep)
        if total > 0:
            possible.append((chances, share, total))
            found.append(orders)
    if not possible:
        return np.zeros((0, k), dtype=np.int64), np.zeros(0)
    if len(parts) == 1:
        return present[orders], likely / total
    if k <= _ALL:
        candidates = np.array(list(permutations(range(k))), dtype=np.int64)
    else:
        candidates = np.unique(np.concatenate(found), axis=0)
    whole = sum(share for _, share, _ in possible)
    probabilities = np.zeros(len(candidates))
    for chances, share, total in possible:
        probabilities += share / whole * _path_chances(chances, candidates) / total
    best = np.argsort(-probabilities, kind="stable")[:most]
    best = best[probabilities[best] > 0]
    return present[candidates[best]], probabilities[best]


def _chances(model: PlacingModel, present: IntArray) -> FloatArray:
    """Return how probable each of these events is to come next, in each subset of them."""
    k = present.size
    genotypes = np.zeros((1 << k, len(model.events)), dtype=bool)
    genotypes[:, present] = np.arange(1 << k)[:, None] >> np.arange(k) & 1 == 1
    rates = model.next_rates(genotypes)
    return np.ascontiguousarray(rates[:, present] / (1 + rates.sum(axis=1, keepdims=True)))


def _path_chances(chances: FloatArray, orders: IntArray) -> FloatArray:
    """Return the product of the chances along each order."""
    before = np.zeros(len(orders), dtype=np.int64)
    product = np.ones(len(orders))
    for event in orders.T:
        product *= chances[before, event]
        before |= 1 << event
    return product


def _drawn(
    parts: list[tuple[PlacingModel, float]], present: IntArray, most: int, seed: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the likeliest of drawn orders, with their weighted shares and standard errors.

    An order is drawn step by step among the events of the genotype, by their rates; its weight is
    what its true probability is to that of being drawn.
    """
    rng = np.random.default_rng([_STREAM, seed])
    orders, weights = [], []
    for part, counts in parts:
        order, log_weight = _draw(part, present, -(-_DRAWS // len(parts)), rng)
        if np.isfinite(log_weight).any():
            own = np.exp(log_weight - log_weight.max())
            orders.append(order)
            weights.append(counts * own / own.sum())
    if not orders:
        return np.zeros((0, present.size), dtype=np.int64), np.zeros(0), np.zeros(0)
    weight = np.concatenate(weights)
    weight /= weight.sum()
    each, which = np.unique(np.concatenate(orders), axis=0, return_inverse=True)
    share = np.bincount(which.ravel(), weight).astype(np.float64)
    best = np.argsort(-share, kind="stable")[:most]
    errors = [
        sqrt(float((weight**2 * ((which.ravel() == place) - share[place]) ** 2).sum()))
        for place in best
    ]
    return each[best], share[best], np.array(errors)


def _draw(
    model: PlacingModel, present: IntArray, draws: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    genotypes = np.zeros((draws, len(model.events)), dtype=bool)
    order = np.empty((draws, present.size), dtype=np.int64)
    log_weight = np.zeros(draws)
    rows = np.arange(draws)
    for step in range(present.size):
        rates = model.next_rates(genotypes)
        own = rates[:, present]
        total = own.sum(axis=1)
        with np.errstate(divide="ignore"):
            log_weight += np.log(total) - np.log1p(rates.sum(axis=1))
        target = rng.random(draws) * total
        order[:, step] = present[(own.cumsum(axis=1) <= target[:, None]).sum(axis=1) % present.size]
        genotypes[rows, order[:, step]] = True
    return order, log_weight
