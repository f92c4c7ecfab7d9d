"""Timeline: at which place in the order of all events each event comes, over what a fit allows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, shaped
from caprese._core.checks import SEEDS, whole
from caprese._core.names import by_name, distinct_names
from caprese.errors import ModelError
from caprese.methods.fit import Fit
from caprese.models.base import AncestralModel, MixedModel, Model, Order, PlacingModel, has_clock
from caprese.models.passage import Part, Paths, Process
from caprese.patients.averaged_over import parts_of, truth_of

_DRAWS = 2000
_STREAM = 0x71  # apart from the streams of other work with the same seed


@dataclass(frozen=True, eq=False)
class Timeline(ArrayValue):
    """Draws of the order of all events, each event at its place from first to last.

    Parameters
    ----------
    events
        Distinct names.
    places
        Draws x events: the place of each event, from 1.

    Examples
    --------
    >>> found = Timeline(("a", "b"), np.array([[1, 2], [1, 2], [2, 1]]))
    >>> found.means.round(2).tolist(), found.intervals(0.5).tolist()
    ([1.33, 1.67], [[1.0, 1.5], [1.5, 2.0]])
    """

    events: tuple[str, ...]
    places: IntArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", distinct_names("event", self.events, ModelError))
        shaped(self, "places", (len(self.places), len(self.events)), np.int64)

    def __repr__(self) -> str:
        return f"<Timeline: {len(self.events)} events, {len(self.places)} draws>"

    @property
    def means(self) -> FloatArray:
        """The mean place of each event."""
        return np.asarray(self.places.mean(axis=0))

    @property
    def sequence(self) -> tuple[int, ...]:
        """Positions of the events by their mean place, the first to come first, then by name."""
        means = self.means.round(9).tolist()
        return tuple(
            sorted(range(len(means)), key=lambda event: (means[event], self.events[event]))
        )

    def intervals(self, share: float) -> FloatArray:
        """Return the interval in the middle that holds this share of the places, events x 2."""
        ends = [(1 - share) / 2, (1 + share) / 2]
        return np.asarray(np.quantile(self.places, ends, axis=0).T)


def timeline(fitted: Fit[Any, Any] | Model | Order, *, seed: int = 1) -> Timeline:
    """Return at which place in the order of all events each event comes.

    Of 2,000 orders that are drawn. A posterior and a mixture draw from each part by its weight. In
    a model with a clock events come by their rates, until none is left. In a forest or a DAG each
    event comes after its parents and before its children, and all orders of a forest with this
    property are equally probable; those of a DAG nearly.

    Parameters
    ----------
    fitted
        A fit, of which the predictive model is used; or a model.
    seed
        Of the random numbers.

    Raises
    ------
    ModelError
        If the model says nothing of the order of events.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> found = timeline(Caprese().fit(datasets.ovarian()))
    >>> [found.events[event] for event in found.sequence][:2]
    ['8q+', '5q-']
    """
    model = fitted.predictive if isinstance(fitted, Fit) else fitted
    return timeline_of([(model, 1.0)], seed=seed)


def timeline_of(models: Iterable[tuple[Any, float]], *, seed: int = 1) -> Timeline:
    """Return the timeline of a mixture of models, each with its weight; see `timeline`."""
    whole("seed", seed, *SEEDS)
    parts = [
        (part, weight * float(share[0]))
        for model, weight in _stating(models)
        for part, share in _parts(model)
    ]
    if not parts:
        raise ModelError("the model says nothing of the order of events, so there is no timeline")
    events = tuple(parts[0][0].events)
    weights = np.array([weight for _, weight in parts])
    rng = np.random.default_rng([_STREAM, seed])
    numbers = rng.multinomial(_DRAWS, weights / weights.sum()).tolist()
    drawn = [
        _times(model, number, rng)[:, [model.events.index(event) for event in events]]
        for (model, _), number in zip(parts, numbers, strict=True)
        if number
    ]
    return Timeline(events, _places(np.concatenate(drawn), by_name(events), rng))


def _stating(models: Iterable[tuple[Any, float]]) -> Iterator[tuple[Any, float]]:
    """Yield the models that say something of the order, also those within mixtures."""
    for model, weight in models:
        if isinstance(model, MixedModel):
            yield from _stating(zip(model.models, weight * model.weights, strict=True))
        elif has_clock(model) or isinstance(truth_of(model), Order | AncestralModel):
            yield model, weight


def _parts(model: Any) -> list[Part]:
    """Return the models of true genotypes that a model averages over, with their weights."""
    if isinstance(model, PlacingModel):
        return parts_of(model, None)
    return [Part(truth_of(model), np.ones(1))]


def _times(model: Any, number: int, rng: np.random.Generator) -> FloatArray:
    """Return times at which the events come, draws x events; infinite for those that never do."""
    if not has_clock(model):
        return _times_of_order(model, number, rng)
    none = np.zeros(len(model.events), dtype=bool)
    return Paths.of(Process(model, np.ones(len(model.events))), none, number, rng).times


def _times_of_order(order: Order, number: int, rng: np.random.Generator) -> FloatArray:
    """Return times of which all orders that a forest allows are equally probable.

    Each event waits after its parents, at a rate of the number of events from it on: so the next
    one is in a branch with a probability that is the share of the events that are left there.
    """
    above = order.ancestors()
    rates = above.sum(axis=1) + 1.0
    named = by_name(order.events)
    times = np.empty((number, len(rates)))
    times[:, named] = rng.exponential(size=times.shape) / rates[named]
    parents = order.adjacency()
    for event in np.argsort(above.sum(axis=0), kind="stable").tolist():
        own = np.flatnonzero(parents[:, event])
        if own.size:
            times[:, event] += times[:, own].max(axis=1)
    return times


def _places(times: FloatArray, named: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the place of each event by its time; equal times, as those of never, by chance."""
    ties = np.empty(times.shape)
    ties[:, named] = rng.random(times.shape)
    order = np.lexsort((ties, times), axis=-1)
    places = np.empty(times.shape, dtype=np.int64)
    np.put_along_axis(places, order, np.arange(1, times.shape[1] + 1)[None], axis=1)
    return places
