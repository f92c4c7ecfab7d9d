"""Place: where each sample stands in a progression, and what tends to come next.

What was seen of a sample is taken as it is, unless error rates are given. What comes next is said
by models that have a clock, and given the genotype that is shown.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, sealed
from caprese._core.checks import SEEDS, whole
from caprese._core.facts import Fact
from caprese._core.progress import tell
from caprese._core.words import described, did_you_mean, listing
from caprese.data.dataset import Dataset
from caprese.data.inspection import exclusive
from caprese.errors import ModelError, ParameterError
from caprese.fitting.estimate import placing, with_rates
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import A_FIT, Fit, Method
from caprese.methods.protocols import rates_given
from caprese.models.base import (
    AveragedModel,
    GroupedModel,
    MixedModel,
    Model,
    PlacingModel,
    has_clock,
)
from caprese.models.noise import Noise, ObservedWithErrors
from caprese.models.states import mixture_median, next_chances
from caprese.patients.orders import Orders, likeliest_orders

if TYPE_CHECKING:
    import pandas as pd

UNUSUAL = 0.01  # typicality below which a sample does not fit the model
INTERVAL = 0.9  # of the number of events
_AT_ONCE = 20_000  # distinct genotypes
_STREAM = 0x9A7E  # apart from the streams of other work with the same seed
_SAME = 1e-9  # difference of two log-probabilities that counts for nothing
_HARDLY_EVER = 0.1  # times as often together as by chance, below which events exclude each other
_SLOWEST = 1e-12  # rate of an event that no part expects

NO_CLOCK = (
    "this model has no clock, so it does not say what comes next; "
    "the methods stack, mhn and hcbn do"
)


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
    clock
        The model that says what comes next; None if there is none.
    data
        What was seen, in the events of the model; events that the samples lack are unknown.
    event_probabilities
        The probability that each event is truly there; 0 or 1 where it was seen or not, unless the
        placement is corrected.
    genotypes
        The genotype that is shown: as it was seen, with unknown entries as they most probably are;
        of a corrected placement the most probable true genotype.
    log_probabilities
        Of each sample.
    typicality
        For each sample the share of samples drawn from the model that are at most as probable; 0
        if the sample cannot be.
    counts
        For each sample the expected number of events that are truly there, and the ends of an
        interval that holds the number with at least 90 % probability: samples x 3.
    next_probabilities
        The probability that each event is the next one, given the genotype that is shown: 0 for
        what it has. All are NaN without a clock.
    waiting_medians
        The median time until each event comes, if nothing else came before it, in units of the
        mean time at which samples are taken; NaN where it cannot come.
    frequencies
        How frequent each event is in the data of the fit; NaN if that is not known.
    subtypes
        The probability of each subtype, samples x subtypes; of no subtypes, samples x 0.
    corrected
        Whether errors of what was seen are corrected.
    given
        The error rates that were given for this; None for those of the model.
    lacking
        Events of the model that the samples do not have; taken as unknown.
    surplus
        Events of the samples that the model does not have; not used.
    simulated, seed
        How many samples were drawn to measure typicality, and from which seed.
    basis
        Why samples are placed in this model, if it was chosen by a judgement.
    """

    model: PlacingModel
    clock: PlacingModel | None
    data: Dataset
    event_probabilities: FloatArray
    genotypes: BoolArray
    log_probabilities: FloatArray
    typicality: FloatArray
    counts: FloatArray
    next_probabilities: FloatArray
    waiting_medians: FloatArray
    subtypes: FloatArray
    frequencies: FloatArray
    corrected: bool = False
    given: Noise | None = None
    lacking: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    simulated: int = 0
    seed: int = 1
    basis: tuple[Fact, ...] = ()

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
        """The error rates by which entries are corrected; None if none are."""
        if not self.corrected or self.given is not None:
            return self.given if self.corrected else None
        told = self.model.with_errors() if isinstance(self.model, MixedModel) else self.model
        return told.noise if isinstance(told, ObservedWithErrors) else None

    @property
    def timed(self) -> bool:
        """Whether there is a model with a clock, which says what comes next."""
        return self.clock is not None

    @property
    def by_frequency(self) -> bool:
        """Whether no method predicts better than independent events, so that frequencies are told.

        This includes that nothing else is said of what comes next.
        """
        return any(fact.kind.startswith("frequencies") for fact in self.basis)

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

        Of all events that the genotype shown does not have.
        """
        chances = np.nan_to_num(self.next_probabilities)
        return np.where(chances.max(axis=1) > 0, chances.argmax(axis=1), -1)

    def lacked(self, row: int) -> list[int]:
        """Return the positions of the events that a row lacks, the most frequent first.

        None if it is not known how frequent they are.
        """
        lacking = np.flatnonzero(~self.genotypes[row] & np.isfinite(self.frequencies)).tolist()
        return sorted(lacking, key=lambda k: (-self.frequencies[k], self.events[k]))

    def position(self, sample: str) -> int:
        """Return the row of a sample; a name that is not there is a `ModelError`."""
        if not isinstance(sample, str) or sample not in self.samples:
            hint = did_you_mean(str(sample), self.samples)
            raise ModelError(f"there is no sample {sample!r}{hint}")
        return self.samples.index(sample)

    def next_events(self, sample: str) -> tuple[NextEvent, ...]:
        """Return the events that may come next in a sample, the most probable first.

        Only those that the genotype shown does not have.

        Raises
        ------
        ModelError
            If there is no such sample, or if the model has no clock.
        """
        row = self.position(sample)
        if not self.timed:
            raise ModelError(NO_CLOCK)
        return self.coming(row)

    def coming(self, row: int) -> tuple[NextEvent, ...]:
        """Return the events that may come next in a row; none if the model has no clock."""
        chances, waits = self.next_probabilities[row], self.waiting_medians[row]
        found = [
            NextEvent(self.events[k], float(chances[k]), float(waits[k]))
            for k in np.flatnonzero(chances > 0)
        ]
        return tuple(sorted(found, key=lambda each: (-each.probability, each.event)))

    def orders(self, sample: str, most: int = 5) -> Orders:
        """Return the likeliest orders in which the events of a sample came about.

        Of the genotype that is shown; none if it cannot come about in the model. See
        `caprese.patients.orders.likeliest_orders`.
        """
        row = self.position(sample)
        seen, model = self.data.take_samples([row]), self.clock or self.model
        return likeliest_orders(model, self.genotypes[row], seen, most=most, seed=self.seed)

    def without_names(self) -> "Placement":
        """Return the placement with samples named by their numbers, 1, 2, 3, ..."""
        numbers = tuple(str(row + 1) for row in range(len(self.samples)))
        return replace(self, data=replace(self.data, samples=numbers))

    def table(self) -> "pd.DataFrame":
        """Return one row per sample: what was seen, what is shown, and what comes next.

        Names of several events are joined by semicolons. The last columns are the probability that
        each event is truly there, and that it is the next one.

        Examples
        --------
        >>> import caprese
        >>> data = caprese.datasets.acml()
        >>> placed = place(caprese.Caprese().fit(data), data)
        >>> placed.table().loc["1", ["seen", "likeliest", "next"]].tolist()
        ['', '', '']
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
    fitted: Fit[Any, Any] | Model,
    data: Any,
    *,
    clock: Model | None = None,
    noise: Noise | None = None,
    corrected: bool | None = None,
    simulated: int = 10_000,
    seed: int = 1,
) -> Placement:
    """Return where each sample stands in a progression, and what tends to come next.

    The samples may be others than those that were fitted. Events are matched by name: those that
    the samples lack are taken as unknown, those that the model lacks are named and not used.

    Of two events that are mutually exclusive in the data of a fit, together less than a tenth as
    often as by chance, one comes next after the other as much more seldom.

    Parameters
    ----------
    fitted
        A fit, of which the predictive model is used; or a model.
    data
        The samples; a frame or a 0/1 array is taken for a data set.
    clock
        A model of the same events that says what comes next; by default the model itself, if it has
        a clock. Forests, DAGs and independent events have none.
    noise
        Error rates by which what was seen is corrected; by default those that the method was given.
    corrected
        Whether events may have been missed, or seen wrongly. By default only if error rates were
        given: here, to the method, or with the model itself. Rates that were estimated depend on
        the model being right.
    simulated
        How many samples are drawn from the model to measure how typical each sample is.
    seed
        For these samples.

    Raises
    ------
    ModelError
        If no event is in model and data, or if the model does not say where samples stand.

    Examples
    --------
    >>> import caprese
    >>> data = caprese.datasets.ovarian()
    >>> placed = caprese.place(caprese.MHN().fit(data), data)
    >>> placed
    <Placement: 87 samples x 7 events>
    >>> placed.next_events("3")[0].event
    '1q+'
    """
    whole("simulated", simulated, 1)
    whole("seed", seed, *SEEDS)
    if isinstance(fitted, Method):
        raise ParameterError("fitted", A_FIT, fitted)
    if not (isinstance(fitted, Fit) or hasattr(fitted, "log_probabilities")):
        raise ParameterError("fitted", "a fit or a model, and data the second", fitted)
    fit = fitted if isinstance(fitted, Fit) else None
    given = noise if fit is None or noise is not None else rates_given(fit.method)
    if corrected is None:
        corrected = fit is None or given is not None
    predictive = fitted if fit is None else fit.predictive
    model = placing(predictive if given is None else with_rates(predictive, given))
    timed = model if clock is None else placing(clock)
    if timed.events != model.events:
        raise ModelError("a clock must have the events of the model in the same order")
    clocked = timed if has_clock(timed) else None
    seen, lacking, surplus = matched(Dataset.of(data), model.events)
    frequencies = np.full(len(model.events), np.nan) if fit is None else fit.counts.frequency
    distinct, which = seen.distinct()
    rows = np.arange(len(distinct.samples))
    parts = []
    for start in range(0, len(rows), _AT_ONCE):
        tell("samples placed", start, len(rows))
        block = distinct.take_samples(rows[start : start + _AT_ONCE])
        parts.append(_answers(model, clocked, block, _rarer(fit), corrected=corrected))
    answers = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    likely = answers["log_probabilities"]
    answers["typicality"] = _typicality(model, distinct, likely, simulated, seed)
    answers["subtypes"] = _subtypes(fitted, model, distinct)
    return Placement(
        model,
        clocked,
        seen,
        **{name: sealed(values[which]) for name, values in answers.items()},
        frequencies=sealed(np.asarray(frequencies, dtype=np.float64)),
        corrected=corrected and isinstance(model, ObservedWithErrors),
        given=given,
        lacking=lacking,
        surplus=surplus,
        simulated=simulated,
        seed=seed,
        basis=(),
    )


def _rarer(fit: Fit[Any, Any] | None) -> FloatArray | None:
    """Return how much rarer pairs are together than by chance: 1 unless they hardly ever are."""
    if fit is None:
        return None
    counts, position = fit.counts, {event: k for k, event in enumerate(fit.counts.events)}
    found = np.ones((len(position), len(position)))
    for pair in exclusive(counts):
        i, j = position[pair.first], position[pair.second]
        chance = float(counts.first[i, j]) * float(counts.second[i, j]) / pair.total
        if pair.joint < _HARDLY_EVER * chance:
            found[i, j] = found[j, i] = pair.joint / chance
    return found


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


def _answers(
    model: PlacingModel,
    clock: PlacingModel | None,
    data: Dataset,
    rarer: FloatArray | None,
    *,
    corrected: bool,
) -> dict[str, Any]:
    """Return what the model says of each sample; of samples that cannot be, what was seen."""
    log_probabilities = model.log_probabilities(data)
    cannot_be = ~np.isfinite(log_probabilities)
    truth, genotypes = model.event_probabilities(data), model.likeliest_genotypes(data)
    genotypes = np.where(cannot_be[:, None], data.values, genotypes)
    if corrected:
        counts = _counts(model.count_probabilities(data))
    else:
        truth = np.where(data.known_mask, data.values, truth)
        genotypes = np.where(data.known_mask, data.values, genotypes)
        counts = _counts(_numbers_of_events(truth))
    nexts = np.full(truth.shape, np.nan)
    waits = nexts.copy()
    if clock is not None:
        nexts, waits = _coming(clock, data, genotypes, rarer)
    for matrix in (truth, nexts, waits):
        matrix[cannot_be] = np.nan
    counts[cannot_be] = data.values[cannot_be].sum(axis=1)[:, None]
    return {
        "event_probabilities": truth,
        "genotypes": genotypes,
        "log_probabilities": log_probabilities,
        "counts": counts,
        "next_probabilities": nexts,
        "waiting_medians": waits,
    }


def _coming(
    model: PlacingModel, data: Dataset, genotypes: BoolArray, rarer: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return the probability that each event is the next one, and the median time until it comes.

    Given the genotype that is shown; where entries are unknown, over what they may be.
    """
    nexts, waits = np.zeros(genotypes.shape), np.full(genotypes.shape, np.nan)
    known: IntArray = np.flatnonzero(data.known_mask.all(axis=1))
    if known.size:
        nexts[known], waits[known] = _given(model, data.take_samples(known), genotypes[known])
    rest = np.delete(np.arange(len(genotypes)), known)
    if rest.size:
        partly = data.take_samples(rest)
        nexts[rest], waits[rest] = model.next_probabilities(partly), model.waiting_medians(partly)
    nexts = np.where(genotypes, 0.0, nexts)
    if rarer is not None:
        nexts *= np.where(genotypes[:, :, None], np.minimum(rarer, 1.0), 1.0).min(axis=1)
    total = nexts.sum(axis=1, keepdims=True)
    return nexts / np.where(total > 0, total, 1.0), np.where(genotypes, np.nan, waits)


def _given(
    model: PlacingModel, data: Dataset, genotypes: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return what comes next in genotypes; parts of a model count by what was seen of a sample."""
    parts = model.parts(data) if isinstance(model, AveragedModel) else [(model, np.ones(1))]
    rates, shares = [], []
    for part, share in parts:
        rates.append(part.next_rates(genotypes))
        shares.append(np.broadcast_to(share, len(genotypes)))
    speeds, weights = np.array(rates), np.array(shares)
    nexts = np.einsum("pr,prk->rk", weights, [next_chances(each) for each in rates])
    comes = np.where(speeds > 0, weights[:, :, None], 0.0)
    speeds = np.maximum(speeds, _SLOWEST)
    columns = range(genotypes.shape[1])
    waits = [mixture_median(speeds[:, :, k].T, comes[:, :, k].T) for k in columns]
    return nexts, np.array(waits).T


def _numbers_of_events(chances: FloatArray) -> FloatArray:
    """Return the probability of 0, 1, ... events, each independently there with its own."""
    found = np.zeros((len(chances), chances.shape[1] + 1))
    found[:, 0] = 1.0
    for chance in chances.T:
        found[:, 1:] = found[:, 1:] * (1 - chance[:, None]) + found[:, :-1] * chance[:, None]
        found[:, 0] *= 1 - chance
    return found


def _counts(chances: FloatArray) -> FloatArray:
    """Return the mean and the ends of a central interval of the number of events."""
    numbers = np.arange(chances.shape[1])
    below = chances.cumsum(axis=1)
    tail = (1 - INTERVAL) / 2
    low = (below <= tail).sum(axis=1)
    high = (below < 1 - tail - _SAME).sum(axis=1)
    return np.column_stack([(chances * numbers).sum(axis=1), low, high]).astype(float)


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
