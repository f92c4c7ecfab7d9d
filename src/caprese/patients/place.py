"""Place: where each sample stands in a progression, and what tends to come next."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed
from caprese._core.checks import SEEDS, whole
from caprese._core.progress import tell
from caprese._core.words import described, did_you_mean, listing
from caprese.data.dataset import Dataset
from caprese.errors import ModelError, ParameterError
from caprese.fitting.estimate import placing
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import A_FIT, Fit, Method
from caprese.models.base import GroupedModel, Model, PlacingModel
from caprese.models.noise import Noise, ObservedWithErrors
from caprese.patients.orders import Orders, likeliest_orders

if TYPE_CHECKING:
    import pandas as pd

UNUSUAL = 0.01  # typicality below which a sample does not fit the model
INTERVAL = 0.9  # of the number of events
_AT_ONCE = 20_000  # distinct genotypes
_STREAM = 0x9A7E  # apart from the streams of other work with the same seed
_SAME = 1e-9  # difference of two log-probabilities that counts for nothing


@dataclass(frozen=True)
class NextEvent:
    """An event that may come next: its probability, and the median time until it comes."""

    event: str
    probability: float
    median_time: float


@dataclass(frozen=True, eq=False)
class Placement(ArrayValue):
    """Where samples stand; all arrays are samples x events of the model, unless said otherwise.

    Parameters
    ----------
    model
        The model they are placed in.
    data
        What was seen, in the events of the model; events that the samples lack are unknown.
    event_probabilities
        The probability that each event is truly there.
    genotypes
        The most probable true genotype.
    log_probabilities
        Of each sample.
    typicality
        For each sample the share of samples drawn from the model that are at most as probable; 0
        if the sample cannot be.
    counts
        For each sample the expected number of events that are truly there, and the ends of an
        interval that holds the number with at least 90 % probability: samples x 3.
    next_probabilities
        The probability that each event is the next one.
    waiting_medians
        The median time until each event comes, if nothing else came before it, in units of the
        mean time at which samples are taken; NaN where it cannot come.
    subtypes
        The probability of each subtype, samples x subtypes; of no subtypes, samples x 0.
    lacking
        Events of the model that the samples do not have; taken as unknown.
    surplus
        Events of the samples that the model does not have; not used.
    simulated, seed
        How many samples were drawn to measure typicality, and from which seed.
    """

    model: PlacingModel
    data: Dataset
    event_probabilities: FloatArray
    genotypes: BoolArray
    log_probabilities: FloatArray
    typicality: FloatArray
    counts: FloatArray
    next_probabilities: FloatArray
    waiting_medians: FloatArray
    subtypes: FloatArray
    lacking: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    simulated: int = 0
    seed: int = 1

    def __repr__(self) -> str:
        parts = [f"{len(self.samples)} samples x {len(self.events)} events"]
        parts += [f"{len(self.unusual)} do not fit the model"] * bool(self.unusual)
        for what, names in (("lack", self.lacking), ("have more", self.surplus)):
            parts += [f"they {what}: {listing(names)}"] * bool(names)
        return f"<Placement: {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        return described(repr(self), self.table())

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events of the model."""
        return self.data.events

    @property
    def samples(self) -> tuple[str, ...]:
        """Names of the samples."""
        return self.data.samples

    @property
    def noise(self) -> Noise | None:
        """The error rates of the model, by which entries are corrected; None if it has none."""
        return self.model.noise if isinstance(self.model, ObservedWithErrors) else None

    @property
    def known(self) -> BoolArray:
        """Which entries were observed."""
        return self.data.known_mask

    @property
    def unusual(self) -> tuple[str, ...]:
        """Samples that do not fit the model: their typicality is below 0.01."""
        return tuple(compress(self.samples, self.typicality < UNUSUAL))

    @property
    def missed(self) -> BoolArray:
        """Events that are probably there though they were not seen, or not known."""
        return self.genotypes & ~self.data.values

    @property
    def wrongly_seen(self) -> BoolArray:
        """Events that were seen though they are probably not there."""
        return self.data.values & ~self.genotypes

    @cached_property
    def following(self) -> IntArray:
        """The position of the event that most probably comes next in each sample; -1 if none may.

        Among those that are not in its most probable genotype.
        """
        to_come = np.where(self.genotypes, 0.0, np.nan_to_num(self.next_probabilities))
        return np.where(to_come.max(axis=1) > 0, to_come.argmax(axis=1), -1)

    def position(self, sample: str) -> int:
        """Return the row of a sample; a name that is not there is a `ModelError`."""
        if not isinstance(sample, str) or sample not in self.samples:
            hint = did_you_mean(str(sample), self.samples)
            raise ModelError(f"there is no sample {sample!r}{hint}")
        return self.samples.index(sample)

    def next_events(self, sample: str) -> tuple[NextEvent, ...]:
        """Return the events that may come next in a sample, the most probable first.

        Only those that are not in its most probable genotype.
        """
        row = self.position(sample)
        chances, waits = self.next_probabilities[row], self.waiting_medians[row]
        found = [
            NextEvent(self.events[k], float(chances[k]), float(waits[k]))
            for k in np.flatnonzero(~self.genotypes[row] & (chances > 0))
        ]
        return tuple(sorted(found, key=lambda each: (-each.probability, each.event)))

    def orders(self, sample: str, most: int = 5) -> Orders:
        """Return the likeliest orders in which the events of a sample came about.

        Of its most probable true genotype; see `caprese.patients.orders.likeliest_orders`.
        """
        row = self.position(sample)
        seen = self.data.take_samples([row])
        return likeliest_orders(self.model, self.genotypes[row], seen, most=most, seed=self.seed)

    def without_names(self) -> "Placement":
        """Return the placement with samples named by their numbers, 1, 2, 3, ..."""
        numbers = tuple(str(row + 1) for row in range(len(self.samples)))
        return replace(self, data=replace(self.data, samples=numbers))

    def table(self) -> "pd.DataFrame":
        """Return one row per sample: what was seen, what is probably there, and what comes next.

        Names of several events are joined by semicolons. The last columns are the probability that
        each event is truly there, and that it is the next one.

        Examples
        --------
        >>> import caprese
        >>> data = caprese.datasets.acml()
        >>> placed = place(caprese.Caprese().fit(data), data)
        >>> placed.table().loc["1", ["seen", "likeliest", "next"]].tolist()
        ['', '', 'SETBP1 missense']
        """
        import pandas as pd

        columns = {
            name: pd.Series(entries, dtype=object if isinstance(entries, list) else None)
            for name, entries in self.columns().items()
        }
        table = pd.DataFrame(columns)
        table.index = pd.Index(self.samples, name="sample", dtype=object)
        return table

    def columns(self) -> dict[str, Any]:
        """Return the columns of the table by title: lists of text, or arrays of numbers."""
        best, rows, names = self.following, np.arange(len(self.samples)), (*self.events, "")
        something = best >= 0
        chance = self.next_probabilities[rows, best]
        columns: dict[str, Any] = {
            "seen": _joined(self.events, self.data.values),
            "unknown": _joined(self.events, ~self.known),
            "likeliest": _joined(self.events, self.genotypes),
            "missed": _joined(self.events, self.missed & self.known),
            "wrongly_seen": _joined(self.events, self.wrongly_seen),
            "events": self.counts[:, 0],
            "events_low": self.counts[:, 1].astype(int),
            "events_high": self.counts[:, 2].astype(int),
            "log_probability": self.log_probabilities,
            "typicality": self.typicality,
            "fits": self.typicality >= UNUSUAL,
            "next": [names[k] for k in best],
            "next_probability": np.where(something, chance, np.nan),
            "next_median_time": np.where(something, self.waiting_medians[rows, best], np.nan),
        }
        if self.subtypes.shape[1]:
            columns["subtype"] = self.subtypes.argmax(axis=1) + 1
            columns["subtype_probability"] = self.subtypes.max(axis=1)
        for what, matrix in (
            ("probability", self.event_probabilities),
            ("next", self.next_probabilities),
        ):
            columns |= {f"{what}: {name}": matrix[:, k] for k, name in enumerate(self.events)}
        return columns


def place(
    fitted: Fit[Any, Any] | Model, data: Any, *, simulated: int = 10_000, seed: int = 1
) -> Placement:
    """Return where each sample stands in a progression, and what tends to come next.

    The samples may be others than those that were fitted. Events are matched by name: those that
    the samples lack are taken as unknown, those that the model lacks are named and not used.

    Parameters
    ----------
    fitted
        A fit, of which the predictive model is used; or a model.
    data
        The samples; a frame or a 0/1 array is taken for a data set.
    simulated
        How many samples are drawn from the model to measure how typical each sample is.
    seed
        For these samples.

    Raises
    ------
    ModelError
        If no event is in model and data, or if the model does not say what comes next.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> placed = caprese.place(caprese.Caprese().fit(data), data)
    >>> placed
    <Placement: 87 samples x 7 events; 1 do not fit the model>
    >>> placed.orders("3").orders[0]
    ('5q-', '4q-', '8q+', '3q+')
    >>> placed.next_events("3")[0].event
    '8p-'
    """
    whole("simulated", simulated, 1)
    whole("seed", seed, *SEEDS)
    if isinstance(fitted, Method):
        raise ParameterError("fitted", A_FIT, fitted)
    if not (isinstance(fitted, Fit) or hasattr(fitted, "log_probabilities")):
        raise ParameterError("fitted", "a fit or a model, and data the second", fitted)
    model = placing(fitted.predictive if isinstance(fitted, Fit) else fitted)
    seen, lacking, surplus = matched(Dataset.of(data), model.events)
    distinct, which = seen.distinct()
    rows = np.arange(len(distinct.samples))
    parts = []
    for start in range(0, len(rows), _AT_ONCE):
        tell("samples placed", start, len(rows))
        parts.append(_answers(model, distinct.take_samples(rows[start : start + _AT_ONCE])))
    answers = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    likely = answers["log_probabilities"]
    answers["typicality"] = _typicality(model, distinct, likely, simulated, seed)
    answers["subtypes"] = _subtypes(fitted, model, distinct)
    return Placement(
        model,
        seen,
        **{name: sealed(values[which]) for name, values in answers.items()},
        lacking=lacking,
        surplus=surplus,
        simulated=simulated,
        seed=seed,
    )


def matched(
    data: Dataset, events: tuple[str, ...]
) -> tuple[Dataset, tuple[str, ...], tuple[str, ...]]:
    """Return the data in these events, those that it lacks, and those that are too many."""
    lacking = tuple(event for event in events if event not in data.events)
    surplus = tuple(event for event in data.events if event not in events)
    if len(lacking) == len(events):
        raise ModelError(
            f"model and data have no event in common: {events[0]!r}, ... against "
            f"{surplus[0]!r}, ...{did_you_mean(surplus[0], events)}"
        )
    columns = [data.events.index(event) if event in data.events else -1 for event in events]
    there = np.array(columns) >= 0
    values, known = data.values[:, columns] & there, data.known_mask[:, columns] & there
    return Dataset(sealed(values), events, data.samples, sealed(known)), lacking, surplus


def _answers(model: PlacingModel, data: Dataset) -> dict[str, Any]:
    """Return what the model says of each sample; of samples that cannot be, what was seen."""
    log_probabilities = model.log_probabilities(data)
    cannot_be = ~np.isfinite(log_probabilities)
    truth = model.event_probabilities(data)
    nexts, waits = model.next_probabilities(data), model.waiting_medians(data)
    for matrix in (truth, nexts, waits):
        matrix[cannot_be] = np.nan
    return {
        "event_probabilities": truth,
        "genotypes": np.where(cannot_be[:, None], data.values, model.likeliest_genotypes(data)),
        "log_probabilities": log_probabilities,
        "counts": _counts(model.count_probabilities(data), cannot_be, data),
        "next_probabilities": nexts,
        "waiting_medians": waits,
    }


def _counts(chances: FloatArray, cannot_be: BoolArray, data: Dataset) -> FloatArray:
    """Return the mean and the ends of a central interval of the number of events."""
    numbers = np.arange(chances.shape[1])
    below = chances.cumsum(axis=1)
    tail = (1 - INTERVAL) / 2
    low = (below <= tail).sum(axis=1)
    high = (below < 1 - tail - _SAME).sum(axis=1)
    found = np.column_stack([(chances * numbers).sum(axis=1), low, high]).astype(float)
    found[cannot_be] = data.values[cannot_be].sum(axis=1)[:, None]
    return found


def _typicality(
    model: PlacingModel, distinct: Dataset, own: FloatArray, simulated: int, seed: int
) -> FloatArray:
    """Return for each sample the share of drawn samples that are at most as probable.

    Of a sample with unknown entries, the drawn ones are compared in the entries it has.
    """
    drawn = model.sample(simulated, np.random.default_rng([_STREAM, seed]))
    drawn, which = drawn.take_events(distinct.events).distinct()
    times = np.bincount(which)
    masks, mask_of = np.unique(distinct.known_mask, axis=0, return_inverse=True)
    found = np.empty(len(own))
    for place, mask in enumerate(masks):
        tell("typicality", place, len(masks))
        rows: IntArray = np.flatnonzero(mask_of.ravel() == place)
        seen = replace(drawn, known=sealed(np.tile(mask, (len(drawn.samples), 1))))
        likely = model.log_probabilities(seen)
        order = np.argsort(likely)
        so_far = np.append(0, times[order].cumsum())
        found[rows] = so_far[np.searchsorted(likely[order], own[rows] + _SAME, side="right")]
    return np.where(np.isfinite(own), (found + 1) / (simulated + 1), 0.0)


def _subtypes(fitted: Fit[Any, Any] | Model, model: Model, data: Dataset) -> FloatArray:
    """Return the probability of each subtype that the fit names; of a model alone, of each group.

    Groups come in the order of their weights, so the first ones are those that have a name.
    """
    named = None
    if isinstance(fitted, Fit) and isinstance(fitted.evidence, SubtypeEvidence):
        named = len(fitted.evidence.subtypes)
    if not isinstance(model, GroupedModel) or named == 0:
        return np.zeros((len(data.samples), 0))
    groups = model.group_probabilities(data)
    return groups[:, :named] if groups.shape[1] > 1 else groups[:, :0]


def _joined(events: tuple[str, ...], chosen: BoolArray) -> list[str]:
    """Return the names of the chosen events of each row, joined by semicolons."""
    return ["; ".join(events[k] for k in np.flatnonzero(row)) for row in chosen]
