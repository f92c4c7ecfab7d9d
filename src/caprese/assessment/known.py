"""Known: which orders of events a fit knows, over all models that it averages over or mixes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed, shaped
from caprese._core.checks import number
from caprese._core.names import distinct_names
from caprese._core.significance import KNOWN, SUBSTANTIAL
from caprese.assessment.directions import Direction, Rests, losses, odds_of, times_seen
from caprese.assessment.judgement import Word
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.methods import name_of
from caprese.methods.evidence import MixtureEvidence, OrderPosterior, chains_disagree
from caprese.methods.fit import Fit, OrderedFit
from caprese.models.base import (
    AncestralModel,
    HiddenModel,
    MixedModel,
    Order,
    OrderingModel,
    in_order_of,
    pair_order_probabilities,
)

if TYPE_CHECKING:
    import pandas as pd

_SUM = 1e-6  # by which weights may miss 1


@dataclass(frozen=True)
class KnownOrder:
    """One event that comes before another: how probably, and what the direction rests on."""

    earlier: str
    later: str
    probability: float
    direction: Direction


@dataclass(frozen=True, eq=False)
class KnownOrders(ArrayValue):
    """How probably each event comes before each other, and which of these orders are known.

    An order is known if its probability is at least the threshold, unless parts with a fifth of the
    weight say the opposite, or seen orders do beyond chance. Orders that contradict each other,
    because they form a cycle, are not known; nor is any where no order is supported.

    Parameters
    ----------
    events, frequency
        The events, and the share of the samples that carry each.
    parts, weights
        The models that state orders, and the weight of each; the weights sum to 1.
    by_part
        ``[part, i, j]``: how probably i comes before j by each part. The two orders of a pair may
        sum to less than 1, where a part leaves the pair open.
    stating
        The share of the whole that these parts have; the rest states no order.
    seen
        ``[i, j]``: in how many samples i was surely seen before j.
    lost
        ``[i, j]``: how much less probable the data is if j comes before i, in nats; NaN where that
        is not known.
    threshold
        The least probability of an order that is known, above 1/2.
    doubted
        Parts whose chains found different answers: their orders do not count.
    word
        What held-out samples say of any order; None if that was not asked.

    Examples
    --------
    >>> before = [[[0.0, 0.9, 0.6], [0.0, 0.0, 0.2], [0.0, 0.1, 0.0]]]
    >>> nothing = np.zeros((3, 3))
    >>> found = KnownOrders(tuple("abc"), np.ones(3), ("bayes",), np.ones(1), before, 1.0,
    ...                     nothing, nothing)
    >>> [(each.earlier, each.later, each.probability) for each in found.orders]
    [('a', 'b', 0.9)]
    >>> found.unplaced
    ('c',)
    """

    events: tuple[str, ...]
    frequency: FloatArray
    parts: tuple[str, ...]
    weights: FloatArray
    by_part: FloatArray
    stating: float
    seen: IntArray
    lost: FloatArray
    threshold: float = KNOWN
    doubted: tuple[str, ...] = field(default=(), metadata={"optional": True})
    word: Word | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", distinct_names("event", self.events, ModelError))
        n, parts = len(self.events), len(self.parts)
        shaped(self, "frequency", (n,))
        weights, by_part = shaped(self, "weights", (parts,)), shaped(self, "by_part", (parts, n, n))
        shaped(self, "seen", (n, n), np.int64)
        shaped(self, "lost", (n, n))
        number("threshold", self.threshold, 0.5, 1)
        number("stating", self.stating, 0, 1)
        if not ((weights >= 0).all() and (not parts or abs(weights.sum() - 1) <= _SUM)):
            raise ModelError(f"weights must sum to 1 and not be negative, got {weights.tolist()}")
        both = by_part + np.swapaxes(by_part, 1, 2)
        if not ((by_part >= 0).all() and (both <= 1 + _SUM).all()):
            raise ModelError("by_part must be probabilities; the two of a pair are at most 1")

    def __repr__(self) -> str:
        return f"<KnownOrders: {int(self.known.sum())} orders of {len(self.events)} events>"

    @property
    def supported(self) -> bool:
        """Whether held-out samples support any order, as far as they were asked."""
        return self.word is None or self.word.supported

    @cached_property
    def probabilities(self) -> FloatArray:
        """How probably i comes before j, over all parts."""
        return sealed(np.tensordot(self.weights, self.by_part, axes=1))

    @cached_property
    def places(self) -> FloatArray:
        """The share of the other events that probably come before each, from 0 to 1.

        Events whose order is open count half; an event of which no order is stated is at 1/2.
        """
        before, others = self.probabilities, max(len(self.events) - 1, 1)
        return sealed(0.5 + (before.sum(axis=0) - before.sum(axis=1)) / (2 * others))

    @cached_property
    def known(self) -> BoolArray:
        """Whether i is known to come before j; chains of known orders have no cycle."""
        likely = self.probabilities >= self.threshold
        agreed = likely & ~self._opposed & self.supported
        reached = _reached(agreed)
        return sealed(agreed & ~reached.T)

    @cached_property
    def disputed(self) -> BoolArray:
        """Whether some firmly say that i comes before j, and others the opposite."""
        firm = self._weight_of(self.by_part >= self.threshold) >= SUBSTANTIAL
        likely = self.probabilities >= self.threshold
        return sealed((firm | likely) & self._opposed & self.supported)

    @cached_property
    def drawn(self) -> BoolArray:
        """The known orders that do not follow from others: i before k and k before j."""
        reached = _reached(self.known).astype(np.int64)
        return sealed(self.known & ~((self.known.astype(np.int64) @ reached) > 0))

    @cached_property
    def faded(self) -> BoolArray:
        """The weaker orders that neither follow from others nor contradict a chain of them."""
        both = (self.known | self._tenable).astype(np.int64)
        return sealed(self._tenable & ~((both @ _reached(both > 0)) > 0))

    @property
    def sequence(self) -> tuple[str, ...]:
        """The events by time: those first that fewest others probably come before, then by name.

        Where the order of two events is left open, each counts half.
        """
        ahead = self.probabilities.sum(axis=0) - self.probabilities.sum(axis=1)
        return tuple(
            self.events[k]
            for k in sorted(range(len(ahead)), key=lambda k: (round(ahead[k], 9), self.events[k]))
        )

    @property
    def orders(self) -> tuple[KnownOrder, ...]:
        """The orders of `drawn`, the most probable first."""
        return tuple(self._orders(self.drawn))

    @property
    def firm(self) -> tuple[KnownOrder, ...]:
        """Those of the orders whose direction rests on something."""
        return tuple(each for each in self.orders if each.direction.rests != Rests.OPEN)

    @cached_property
    def determined(self) -> BoolArray:
        """Whether i is known to come before j by `firm` orders, or a chain of such orders."""
        found = np.zeros_like(self.known)
        for each in self._orders(self.known):
            place = self.events.index(each.earlier), self.events.index(each.later)
            found[place] = each.direction.rests != Rests.OPEN
        return sealed(_reached(found))

    @property
    def disagreements(self) -> tuple[KnownOrder, ...]:
        """Orders that parts disagree on, each pair once, as the more probable order has it."""
        once = self.disputed | self.disputed.T
        chosen = self.probabilities + np.triu(np.full_like(self.probabilities, 1e-12))
        return tuple(self._orders(once & (chosen > chosen.T)))

    @property
    def weaker(self) -> int:
        """How many orders are more probable than not, but neither known nor disputed."""
        return int(self._weak.sum())

    @property
    def contradicted(self) -> int:
        """How many of the weaker orders a chain of others contradicts."""
        return int((self._weak & ~self._tenable).sum())

    @property
    def apart(self) -> tuple[str, ...]:
        """Events with no order that is known or faded."""
        drawn = self.drawn | self.faded
        return self._named(np.asarray(~(drawn | drawn.T).any(axis=0)))

    @property
    def placed(self) -> tuple[str, ...]:
        """Events with a known order, in the order of the events."""
        return self._named(self._later | self._earlier)

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Events whose place is not known."""
        return self._named(~(self._later | self._earlier))

    @property
    def first(self) -> tuple[str, ...]:
        """Events that are known to come before others, and after none."""
        return self._named(self._earlier & ~self._later)

    def order(self, earlier: str, later: str) -> KnownOrder:
        """Return how probable one order is, whether known or not, and what it rests on."""
        i, j = (self.events.index(event) for event in (earlier, later))
        lost = None if np.isnan(self.lost[i, j]) else float(self.lost[i, j])
        counts = int(self.seen[i, j]), int(self.seen[j, i])
        direction = Direction(earlier, later, *counts, lost)
        return KnownOrder(earlier, later, float(self.probabilities[i, j]), direction)

    def table(self) -> "pd.DataFrame":
        """Return one row for each known order, with its probability and what it rests on."""
        import pandas as pd

        rows = [
            (each.earlier, each.later, each.probability, str(each.direction.rests))
            for each in self._orders(self.known)
        ]
        return pd.DataFrame(rows, columns=["earlier", "later", "probability", "rests on"])

    def _orders(self, chosen: BoolArray) -> Iterator[KnownOrder]:
        pairs = [(self.events[i], self.events[j]) for i, j in np.argwhere(chosen).tolist()]
        found = [self.order(*pair) for pair in pairs]
        yield from sorted(found, key=lambda each: (-each.probability, each.earlier, each.later))

    @cached_property
    def _weak(self) -> BoolArray:
        neither = ~(self.known | self.disputed | self.disputed.T) & self.supported
        return np.asarray(neither & (self.probabilities > 0.5))

    @cached_property
    def _tenable(self) -> BoolArray:
        return self._weak & ~_reached(self.known | self._weak).T

    @property
    def _earlier(self) -> BoolArray:
        return np.asarray(self.known.any(axis=1))

    @property
    def _later(self) -> BoolArray:
        return np.asarray(self.known.any(axis=0))

    def _named(self, chosen: BoolArray) -> tuple[str, ...]:
        return tuple(self.events[place] for place in np.flatnonzero(chosen))

    def _weight_of(self, which: BoolArray) -> FloatArray:
        return np.tensordot(self.weights, which.astype(np.float64), axes=1)

    @cached_property
    def _opposed(self) -> BoolArray:
        """Whether substantial parts, or seen orders, say that j comes before i."""
        against = self._weight_of(self.by_part > 0.5).T >= SUBSTANTIAL
        for i, j in np.argwhere(self.seen > 0).tolist():
            against[j, i] |= self.order(self.events[j], self.events[i]).direction.contradicted
        return against


def known_orders(fit: Fit[Any, Any], *, threshold: float = KNOWN) -> KnownOrders:
    """Return which orders of events a fit knows.

    How probably one event comes before another is, by a posterior, the share of its draws in which
    it is an ancestor of the other; by a forest or a DAG, 1 for ancestors; by a hazard network, the
    mean over the samples that carry both, and 0 if none does. A mixture weights its parts; those
    that state no order, or whose chains found different answers, do not count.

    Parameters
    ----------
    fit
        With the data it was made from, see `Fit.on`.
    threshold
        The least probability of an order that is known, above 1/2.

    Raises
    ------
    ModelError
        If the fit has no data.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> found = known_orders(Caprese().fit(datasets.ovarian()))
    >>> [(each.earlier, each.later, str(each.direction.rests)) for each in found.orders][1]
    ('8p-', 'Xp-', 'not determined by these data')
    """
    if fit.data is None:
        raise ModelError("known orders need the data of the fit: fit.on(data)")
    data = in_order_of(fit.model.events, fit.data)
    return _known(_parts(fit, data), data, fit.counts.frequency, threshold)


def order_matrix(fit: Fit[Any, Any]) -> FloatArray:
    """Return `KnownOrders.probabilities` of a fit, without what they rest on.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> order_matrix(Caprese().fit(datasets.acml())).sum()
    np.float64(1.0)
    """
    if fit.data is None:
        raise ModelError("orders need the data of the fit: fit.on(data)")
    data = in_order_of(fit.model.events, fit.data)
    total, before = 0.0, np.zeros((len(data.events),) * 2)
    for each in _parts(fit, data):
        if not each.doubted:
            total += each.weight
            before = before + each.weight * each.before
    return before / total if total else before


def states_one_order(fit: Fit[Any, Any]) -> bool:
    """Whether a fit states one order of events, without saying how probable it is.

    Examples
    --------
    >>> from caprese import MHN, Caprese, datasets
    >>> [states_one_order(method.fit(datasets.acml())) for method in (Caprese(), MHN())]
    [True, False]
    """
    averaged = isinstance(fit.evidence, OrderPosterior) or isinstance(fit.model, MixedModel)
    return isinstance(fit, OrderedFit) and not averaged


def orders_of_mixture(
    fits: Mapping[str, Fit[Any, Any]],
    weights: Sequence[float],
    *,
    threshold: float = KNOWN,
    doubted: Collection[str] = (),
) -> KnownOrders:
    """Return which orders a mixture of several fits to the same data knows, as of a stack of them.

    Fits whose chains found different answers do not count, nor those that are said to be doubted.

    Examples
    --------
    >>> from caprese import Caprese, Oncotree, datasets
    >>> fits = {"c": Caprese().fit(datasets.acml()), "o": Oncotree().fit(datasets.acml())}
    >>> orders_of_mixture(fits, [0.5, 0.5]).parts
    ('c', 'o')
    """
    first, *_ = fits.values()
    events, counts = first.model.events, first.counts
    if first.data is None:
        raise ModelError("known orders need the data of the fits: fit.on(data)")
    data = in_order_of(events, first.data)
    parts = (
        _stated(
            name,
            float(weight),
            fit.predictive,
            data,
            name in doubted or chains_disagree(fit.evidence),
        )
        for (name, fit), weight in zip(fits.items(), weights, strict=True)
    )
    return _known(chain.from_iterable(parts), data, counts.frequency, threshold)


def _known(
    parts: "Iterable[_Stating]", data: Dataset, frequency: FloatArray, threshold: float
) -> KnownOrders:
    every = [each for each in parts if each.weight > 0]
    stating = [each for each in every if not each.doubted]
    events = data.events
    total, n = sum(each.weight for each in stating), len(events)
    return KnownOrders(
        events,
        frequency,
        tuple(each.name for each in stating),
        np.array([each.weight / total for each in stating]),
        np.array([each.before for each in stating]).reshape(-1, n, n),
        min(total, 1.0),
        times_seen(data.orders, events),
        _lost(stating, data),
        threshold,
        tuple(each.name for each in every if each.doubted),
    )


@dataclass(frozen=True)
class _Stating:
    """What one model says of the order of events."""

    name: str
    weight: float
    before: FloatArray
    draws: int | None = None  # of a posterior
    order: Order | None = None  # of a point estimate
    doubted: bool = False  # whether its chains found different answers


def _parts(fit: Fit[Any, Any], data: Dataset) -> Iterator[_Stating]:
    if isinstance(fit.model, MixedModel):
        mixed = fit.evidence if isinstance(fit.evidence, MixtureEvidence) else None
        for place, model in enumerate(fit.model.models):
            name = mixed.mixed[place] if mixed else f"part {place + 1}"
            doubted = mixed is not None and name in mixed.doubted
            yield from _stated(name, float(fit.model.weights[place]), model, data, doubted)
    elif isinstance(fit.evidence, OrderPosterior):
        evidence = fit.evidence
        found = evidence.ancestor_probabilities, evidence.diagnostics.draws
        yield _Stating(name_of(fit.method), 1.0, *found, doubted=chains_disagree(fit.evidence))
    else:
        yield from _stated(name_of(fit.method), 1.0, fit.model, data)


def _stated(
    name: str, weight: float, model: Any, data: Dataset, doubted: bool = False
) -> Iterator[_Stating]:
    own = model.truth if isinstance(model, HiddenModel) else model
    if isinstance(own, AncestralModel):
        yield _Stating(name, weight, own.ancestor_probabilities(), own.draws, doubted=doubted)
    elif isinstance(own, Order):
        yield _Stating(name, weight, own.ancestors().astype(np.float64), order=own)
    elif isinstance(own, OrderingModel):
        yield _Stating(name, weight, _mean_over_samples(own, data))


def _mean_over_samples(model: OrderingModel, data: Dataset) -> FloatArray:
    """Return the mean probability of each order over the samples that carry both; 0 without any."""
    distinct, times = data.without_orders().genotypes()
    both = distinct.values[:, :, None] & distinct.values[:, None, :]
    pairs = np.argwhere(np.triu(both, 1))
    first = pair_order_probabilities(model, distinct, pairs)
    genotype, one, other = pairs.T
    total, carriers = np.zeros((2, *both.shape[1:]))
    np.add.at(total, (one, other), times[genotype] * first)
    np.add.at(total, (other, one), times[genotype] * (1 - first))
    np.add.at(carriers, (one, other), times[genotype])
    return np.asarray(total / np.maximum(carriers + carriers.T, 1))


def _lost(stating: list[_Stating], data: Dataset) -> FloatArray:
    """Return what the data loses by the opposite of each order, as `Direction` has it.

    By the posteriors among the parts if there are any, else by the heaviest model with edges.
    """
    posteriors = [each for each in stating if each.draws is not None]
    if posteriors:
        weights = [each.weight for each in posteriors]
        before = np.average([each.before for each in posteriors], axis=0, weights=weights)
        return odds_of(before, min(each.draws or 1 for each in posteriors))
    with_edges = [each for each in stating if each.order is not None]
    heaviest = max(with_edges, key=lambda each: each.weight, default=None)
    if heaviest is None or heaviest.order is None:
        return np.full((len(data.events),) * 2, np.nan)
    return losses(heaviest.order, data)


def _reached(before: BoolArray) -> BoolArray:
    """Return whether a chain of orders leads from i to j, for every pair."""
    found = before.copy()
    for middle in range(len(found)):
        found |= found[:, middle, None] & found[middle]
    return found
