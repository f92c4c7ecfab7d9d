"""Prediction of held-out samples: what was learnt from a training part says of all events."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.curation import Rule, Step, Why, curate
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ModelError
from caprese.fitting.estimate import estimate, frequencies, predictive
from caprese.methods.fit import Fit, Method, new_fit
from caprese.methods.protocols import NamingMethod
from caprese.models.base import Model, pair_order_probabilities
from caprese.models.independence import Independence

_ROWS = 10_000  # of samples with a changed entry that are scored at once

Members = Mapping[str, tuple[str, ...]]
"""For each event of a model, the events of the data that it stands for."""


class Prediction(NamedTuple):
    """What a method says of the held-out samples of one split."""

    log_probabilities: FloatArray
    present: FloatArray  # the probability that each entry is 1, given the rest; NaN if unknown
    unmodelled: tuple[str, ...]
    orders: FloatArray  # the probabilities of the seen orders that are scored
    training: FloatArray  # the log-probabilities of the samples that were learnt from
    doubts: tuple[str, ...] = ()  # what was learnt says against itself
    later: Any = None  # a `SeriesPrediction`, if later samples of patients are predicted


@dataclass(frozen=True, eq=False)
class Predictor:
    """A distribution over all events of the data, learnt from a training part.

    An event that the model lacks is predicted by its frequency. Of events that were merged because
    they were identical, the first that is known stands for the composite; each other one agrees
    with it as often as in the training part, one agreement and one disagreement added.
    """

    model: Model | None  # if any event was left to model
    members: Members
    agreement: Mapping[str, float]  # the probability that a member agrees with the first
    frequencies: Independence  # of all events of the data
    doubts: tuple[str, ...] = ()  # what the fit says against itself

    @classmethod
    def of(
        cls,
        model: Model | None,
        members: Members,
        training: Dataset,
        doubts: tuple[str, ...] = (),
    ) -> "Predictor":
        """Return a model with what the training part says of events that it lacks or merges."""
        agreement = {
            event: (int((agrees & known).sum()) + 1) / (int(known.sum()) + 2)
            for agrees, known, event in copies(training, members)
        }
        return cls(model, members, agreement, frequencies(training), doubts)

    @property
    def unmodelled(self) -> tuple[str, ...]:
        """Events that are predicted by their frequency alone."""
        modelled = {event for events in self.members.values() for event in events}
        return tuple(event for event in self.frequencies.events if event not in modelled)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample, over all events."""
        total = np.zeros(len(data.samples))
        places = [self.frequencies.events.index(event) for event in self.unmodelled]
        if places:
            left = Independence(self.unmodelled, self.frequencies.frequencies[places])
            total += left.log_probabilities(data.take_events(self.unmodelled))
        if self.model is not None:
            total += self.model.log_probabilities(composed(data, self.members))
        for agrees, known, event in copies(data, self.members):
            chance = self.agreement[event]
            total += np.where(known, np.where(agrees, np.log(chance), np.log1p(-chance)), 0.0)
        return total

    def entry_probabilities(self, data: Dataset, log_observed: FloatArray) -> FloatArray:
        """Return the probability that each entry is observed as 1, given the rest of its sample.

        From the probabilities of both completions, of which `log_observed` is one. NaN where the
        entry is unknown; where both are impossible, the frequency of the event.
        """
        n, events = data.values.shape
        known, one_event = data.known_mask, np.eye(events, dtype=bool)
        changed = np.empty((n, events))
        step = max(1, _ROWS // n)
        for block in (slice(first, first + step) for first in range(0, events, step)):
            values = (one_event[block, None] ^ data.values).reshape(-1, events)
            mask = np.tile(known, (len(values) // n, 1))
            found = self.log_probabilities(Dataset(values, data.events, (), mask))
            changed[:, block] = found.reshape(-1, n).T
        with np.errstate(invalid="ignore", over="ignore"):
            as_observed = 1 / (1 + np.exp(changed - log_observed[:, None]))
        present = np.where(data.values, as_observed, 1 - as_observed)
        places = [self.frequencies.events.index(event) for event in data.events]
        usual = np.broadcast_to(self.frequencies.frequencies[places], present.shape)
        neither = np.isneginf(changed) & np.isneginf(log_observed)[:, None]
        return np.where(known, np.where(neither, usual, present), np.nan)

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the first event of each pair came before the second.

        1/2 where the model lacks one of them, has them as one event, or takes one for absent, as a
        member of a composite whose first member is absent.
        """
        place = {event: k for k, own in enumerate(self.members.values()) for event in own}
        column = np.array([place.get(event, -1) for event in data.events], dtype=np.int64)
        sample, first, second = pairs.T
        asked = np.column_stack([sample, column[first], column[second]])
        stated = (asked >= 0).all(axis=1) & (asked[:, 1] != asked[:, 2])
        found = np.full(len(pairs), 0.5)
        if self.model is not None and stated.any():
            seen = composed(data, self.members)
            stated &= seen.values[sample, asked[:, 1]] & seen.values[sample, asked[:, 2]]
            found[stated] = pair_order_probabilities(self.model, seen, asked[stated])
        return found


@dataclass(frozen=True)
class Learnt:
    """A method, to be fitted to each training part after curation by rules."""

    method: Method
    rules: tuple[Rule, ...]
    orders: bool = False  # whether it learns from seen orders, too

    def learn(self, training: Dataset) -> Predictor:
        """Return what the method learns from a training part."""
        if not self.orders:
            training = training.without_orders()
        try:
            curated = curate(training, self.rules)
        except DatasetError:  # no event, or no sample, is left
            return Predictor.of(None, {}, training)
        members = members_of(curated.data.events, training.events, curated.log)
        method = self.method
        if isinstance(method, NamingMethod):
            method = method.within(curated.data, training)
        fit = new_fit(method, curated.data).on(curated.data)
        doubts = tuple(note.doubt for note in fit.evidence.notes() if note.doubt)
        return Predictor.of(fit.predictive, members, training, doubts)


@dataclass(frozen=True)
class Given:
    """A model whose structure is given; only its numbers are estimated from each training part."""

    model: Any
    members: Members

    @classmethod
    def of(cls, fitted: Any, data: Dataset) -> "Given":
        """Return a fit or a model as one to be judged: its events must be in the data."""
        model, log = (fitted.model, fitted.log) if isinstance(fitted, Fit) else (fitted, ())
        return cls(model, members_of(model.events, data.events, log))

    def learn(self, training: Dataset) -> Predictor:
        """Return the model with the numbers that it gets from a training part."""
        found = estimate(self.model, composed(training, self.members))
        model = predictive(found, len(training.samples))
        doubts = () if found.converged else ("did not converge",)
        return Predictor.of(model, self.members, training, doubts)


def members_of(events: Sequence[str], given: Sequence[str], log: Sequence[Step]) -> Members:
    """Return, for each event after curation, the events before it that it stands for."""
    merged = {step.composite: step.events for step in log if step.why == Why.IDENTICAL}
    found: dict[str, tuple[str, ...]] = {}
    for event in events:
        members = (event,) if event in given else merged.get(event, tuple(event.split(" / ")))
        if not set(members) <= set(given):
            raise ModelError(
                f"event {event!r} is not in the data that is judged, nor merged from identical "
                "events of it"
            )
        found[event] = members
    return found


def composed(data: Dataset, members: Members) -> Dataset:
    """Return the data of the events of a model: of a composite, its first known member."""
    parts = list(_parts(data, members))
    values = np.column_stack([first for _, _, _, first in parts])
    known = np.column_stack([known.any(axis=1) for _, _, known, _ in parts])
    return Dataset(values, tuple(members), data.samples, known)


def copies(data: Dataset, members: Members) -> Iterator[tuple[BoolArray, BoolArray, str]]:
    """Yield for each member of a composite whether it agrees with the first known member.

    Also whether it is known and not itself the first.
    """
    composites = {event: names for event, names in members.items() if len(names) > 1}
    for names, values, known, first in _parts(data, composites):
        for k, name in enumerate(names):
            yield values[:, k] == first, known[:, k] & known[:, :k].any(axis=1), name


def _parts(
    data: Dataset, members: Members
) -> Iterator[tuple[tuple[str, ...], BoolArray, BoolArray, BoolArray]]:
    """Yield the members of each event, their values, which are known, and the first known value."""
    place = {event: k for k, event in enumerate(data.events)}
    for names in members.values():
        columns = [place[name] for name in names]
        values, known = data.values[:, columns], data.known_mask[:, columns]
        first = np.take_along_axis(values, known.argmax(axis=1)[:, None], axis=1)
        yield names, values, known, first[:, 0]
