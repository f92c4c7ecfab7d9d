"""h-CBN: hidden conjunctive Bayesian networks, by simulated annealing over posets."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.facts import Fact
from caprese._core.names import places
from caprese._core.progress import silent
from caprese.data.counts import Counts, order_by_counts
from caprese.data.dataset import Dataset
from caprese.data.visits import Times, Visits
from caprese.errors import ModelError, ParameterError
from caprese.fitting.estimated import Estimate, convergence_field, convergence_notes
from caprese.fitting.forest_ascent import most_probable_forest, pairwise_starts
from caprese.fitting.poset_em import STEPS, fit_poset, observations
from caprese.fitting.poset_search import Found, PosetSearch
from caprese.fitting.structure import over_batch
from caprese.fitting.timed_posets import fit_poset_in_time
from caprese.kernels.pairwise_parents import caprese_parents
from caprese.methods.evidence import (
    Reason,
    ReasonedEvidence,
    TimesUsed,
    freeze_arrays,
    searched_reasons,
)
from caprese.methods.fit import OrderedFit
from caprese.methods.parameters import (
    POSITIVE,
    SEED,
    YES_OR_NO,
    ParameterKind,
    Parameters,
    option,
    times_option,
    whole_number,
)
from caprese.models.base import parent_sets
from caprese.models.poset import NoisyPoset, Poset, TimedPoset
from caprese.models.states import check_lattice

Start = Literal["several", "empty", "caprese"]

_LITTLE = 0.05  # log-likelihood below which the gain of parents is called little
_MANY_EVENTS = 14  # from which on a fit takes longer than a moment
_SAME = 0.01  # difference of log-likelihood below which two searches found the same


@dataclass(frozen=True, eq=False)
class HCBNEvidence(ReasonedEvidence):
    """What the search found, and what each event's parents are worth."""

    #: For each event the log-likelihood its parents add: what is lost if it waits for nothing, with
    #: rates and error re-estimated. NaN for events without parents.
    gain: FloatArray
    peaks: FloatArray  #: The log-likelihood each search ended at, those from the best end last.
    log_likelihood: float  #: Of the data, under the poset with its rates and error.
    error: float  #: The rate at which an entry is wrong.
    reasons: tuple[Reason, ...]  #: Why each event has the parents it has.
    converged: bool = convergence_field()  #: Whether rates and error converged.
    #: Where each of the first searches started; files of earlier versions lack it.
    places: tuple[str, ...] = field(default=(), metadata={"optional": True})
    #: How many different posets the searches ended at; 0 in files of earlier versions.
    ends: int = field(default=0, metadata={"optional": True})
    #: What was learnt from the times of samples; None if they were not used.
    times: TimesUsed | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        freeze_arrays(self, gain=(len(self.reasons),), peaks=(len(self.peaks),))
        if len(self.peaks) < max(1, len(self.places)):
            raise ModelError("peaks must be one log-likelihood per search, of one or more")
        if not np.isfinite(self.peaks.max()):
            raise ModelError("the highest of the peaks must be finite")

    def columns(self, _poset: Poset) -> dict[str, FloatArray]:
        """Return the log-likelihood the parents of each event add; NaN at the root."""
        return {"gain": self.gain}

    def notes(self) -> tuple[Fact, ...]:
        """Return the log-likelihood and the error rate, and how sure the search is of them."""
        return (
            Fact(
                "likeliest poset",
                values={"log-likelihood": self.log_likelihood, "error": self.error},
            ),
            *(() if self.times is None else self.times.notes()),
            *self._searches(),
            *convergence_notes(STEPS, converged=self.converged),
        )

    def _searches(self) -> Iterator[Fact]:
        """Return how many searches found the best, and where the others ended."""
        same = self.peaks > self.peaks.max() - _SAME
        first = len(self.places) or len(same)
        values = {"best": int(same[:first].sum()), "searches": first}
        if first < len(same):
            values |= {"best again": int(same[first:].sum()), "again": len(same) - first}
        yield Fact("searches", values=values, doubt="" if same.all() else "several optima")
        if not same.all():
            gap = float(self.peaks.max() - self.peaks[~same].max())
            yield Fact("other ends", values={"posets": self.ends, "gap": gap})
        reached = {place for place, one in zip(self.places, same, strict=False) if one}
        below = tuple(place for place in dict.fromkeys(self.places) if place not in reached)
        if reached and below:
            yield Fact("starts below", values=dict.fromkeys(below, 1))
        if len(same) > 1 and same.sum() == 1:
            yield Fact("found once")

    def remark(self, event: int, reason: Reason, _counts: Counts, poset: Poset) -> Fact:
        """Return why an event has the parents it has."""
        if reason is Reason.EDGE:
            gain, parents = float(self.gain[event]), len(poset.parent_sets[event])
            kind = "likelihood gain" if gain >= _LITTLE else "little gain"
            return Fact(kind, values={"parents": parents, "gain": gain})
        return Fact("no gain") if reason is Reason.NO_PARENT else Fact(str(reason))


def _check_start(name: str, value: Any) -> None:
    if not (isinstance(value, Poset) or value in get_args(Start)):
        raise ParameterError(name, f"{' or '.join(get_args(Start))} or a Poset", value)


@dataclass(frozen=True, kw_only=True)
class HCBN(Parameters):
    """Infer a poset with waiting times and errors: a hidden conjunctive Bayesian network.

    Posets are searched by simulated annealing: a random move, the rates and the error that fit
    best, and a worse poset accepted as the temperature allows. Then, by default, every move is
    tried until none improves the likelihood, and the best end is annealed again. Up to 20 events;
    each more than doubles the time.

    Parameters
    ----------
    steps
        Steps of annealing in each search.
    temperature
        Of the first step; it falls to a twentieth.
    restarts
        Searches, each with its own random stream; the likeliest poset is the answer.
    ascent
        Whether ascents follow, until no move improves the likelihood: from the better half of the
        distinct posets that annealing found, then after as many new annealings of the best end, two
        at a time, from twice the temperature and in half the steps.
    start
        Where searches start: from the ``"empty"`` poset, from the ``"caprese"`` forest, from a
        `Poset`, or from ``"several"`` in turn: the empty poset, the caprese forest and the
        likeliest forest.
    seed
        A whole number, not negative; the same seed gives the same answer.
    times
        What of the times of samples is used: see `Visits`. Posets are searched as for samples at
        unknown times; then times choose between the ends of the searches, and give the rates.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> fit = HCBN().fit(ovarian())
    >>> fit.model.edges
    (('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('5q-', '8p-'), ('5q-', 'Xp-'))
    >>> round(fit.evidence.log_likelihood, 2)
    -371.29

    As the paper ran it:

    >>> paper = HCBN(steps=50, temperature=1, restarts=1, ascent=False)

    References
    ----------
    Gerstung et al. (2009), Bioinformatics 25:2809-2815. Beerenwinkel et al. (2007), Bernoulli
    13:893-909.
    """

    steps: int = option(200, "Steps of annealing in each search.", whole_number())
    temperature: float = option(
        3.0, "Temperature of the first step, in log-likelihood.", POSITIVE, expert=True
    )
    restarts: int = option(6, "Searches; the likeliest poset is the answer.", whole_number(1))
    ascent: bool = option(
        True,
        "Whether ascents follow until no move improves the likelihood, yes or no.",
        YES_OR_NO,
        expert=True,
    )
    start: Start | Poset = option(
        "several",
        "Where searches start: the empty poset, the caprese forest, or several places in turn.",
        ParameterKind(str, _check_start),
        expert=True,
    )
    seed: int = option(1, "Seed of the searches.", SEED)
    times: Times = times_option(later=True)

    def fit(self, data: Dataset) -> OrderedFit[TimedPoset, HCBNEvidence]:
        """Infer the poset of a data set.

        Raises
        ------
        ModelError
            If there are more than 20 events.
        """
        data = Dataset.of(data)
        counts = Counts.of(data)
        searches = self._searches(data, counts)
        estimate, used = _estimate(searches, data), None
        if self.times != "unknown":
            estimate, used = _estimate_in_time(searches, data, self.times)
        poset = estimate.model.poset
        evidence = HCBNEvidence(
            _gains(estimate, data, self.times),
            np.array([found.log_likelihood for found in searches]),
            estimate.log_likelihood,
            estimate.model.error,
            searched_reasons(counts, poset),
            estimate.converged,
            tuple(self._places[k % len(self._places)] for k in range(self.restarts)),
            len({found.adjacency.tobytes() for found in searches}),
            used,
        )
        predictor = None if used is None else estimate.model
        return OrderedFit.of(self, poset, evidence, data, counts=counts, predictor=predictor)

    def likeliest(self, data: Dataset) -> Estimate[NoisyPoset]:
        """Return the poset that `fit` finds, with its rates and its error, and no account of it.

        What the parents of each event are worth takes a twentieth of a fit, more in a short one.
        """
        data = Dataset.of(data)
        return _estimate(self._searches(data, Counts.of(data)), data)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: its searches pass sets of events.

        Fitted to 7 to 15 events with the default searches.
        """
        events = len(data.events)
        check_lattice(events)
        usual = HCBN()
        searches = (self.steps * self.restarts) / (usual.steps * usual.restarts)
        return 0.01 + 3e-4 * searches * 2.0**events

    def expected_seconds(self, data: Dataset) -> float:
        """Return about how long a fit takes on this machine; 0 with fewer than 14 events."""
        data = Dataset.of(data)
        if len(data.events) < _MANY_EVENTS:
            return 0.0
        typical = replace(self, start="caprese")
        return typical._search(data, Counts.of(data)).expected_seconds()

    def _searches(self, data: Dataset, counts: Counts) -> tuple[Found, ...]:
        """Anneal with the events in an order that follows from the data, and turn back."""
        back = np.argsort(order_by_counts(counts))
        return tuple(
            Found(each.adjacency[np.ix_(back, back)], each.rates[back], each.log_likelihood)
            for each in self._search(data, counts).results()
        )

    def _search(self, data: Dataset, counts: Counts) -> PosetSearch:
        order = order_by_counts(counts)
        return PosetSearch(
            observations(data.take_events([data.events[event] for event in order])),
            tuple(start[np.ix_(order, order)] for start in self._starts(data, counts)),
            np.flatnonzero(~(counts.never | counts.always)[order]),
            steps=self.steps,
            temperature=self.temperature,
            restarts=self.restarts,
            ascent=self.ascent,
            seed=self.seed,
        )

    @property
    def _places(self) -> tuple[str, ...]:
        """Where searches start, in turn."""
        if isinstance(self.start, Poset):
            return ("given",)
        return ("empty", "caprese", "likeliest") if self.start == "several" else (self.start,)

    def _starts(self, data: Dataset, counts: Counts) -> Iterator[BoolArray]:
        """Return who is a parent of whom where the searches start."""
        n = len(counts.events)
        varies = ~(counts.never | counts.always)
        for place in self._places[: self.restarts]:
            if isinstance(self.start, Poset):
                order = places(self.start.events, counts.events, "start and data")
                yield self.start.adjacency()[np.ix_(order, order)]
            elif place == "empty":
                yield np.zeros((n, n), dtype=bool)
            else:
                parents = over_batch(caprese_parents, counts, 0.5)
                if place == "likeliest":
                    with silent():
                        ascent = most_probable_forest(
                            data, prior=None, starts=pairwise_starts(data)
                        )
                    parents = ascent.forest.parents
                yield (parents == np.arange(n)[:, None]) & np.logical_and.outer(varies, varies)


def _estimate(searches: tuple[Found, ...], data: Dataset) -> Estimate[NoisyPoset]:
    """Return the likeliest of the posets that were found, with its rates and error."""
    best = max(searches, key=lambda found: found.log_likelihood)
    return fit_poset(TimedPoset(data.events, parent_sets(best.adjacency), best.rates), data)


def _estimate_in_time(
    searches: tuple[Found, ...], data: Dataset, times: Times
) -> tuple[Estimate[NoisyPoset], TimesUsed]:
    """Return the likeliest of the posets that were found, by the histories of patients."""
    distinct = {found.adjacency.tobytes(): found for found in searches}
    ends = sorted(distinct.values(), key=lambda found: -found.log_likelihood)
    fits = [fit_poset_in_time(_estimate((each,), data).model, data, times) for each in ends]
    best = max(fits, key=lambda fit: fit.estimate.log_likelihood)
    mean = {"mean_time": best.mean_time, "mean_gap": best.mean_gap}
    return best.estimate, TimesUsed.of(Visits.of(data, times), **mean)


def _gains(estimate: Estimate[NoisyPoset], data: Dataset, times: Times) -> FloatArray:
    """Return the log-likelihood that is lost if an event waits for nothing."""
    poset = estimate.model.poset
    gain = np.full(len(poset.events), np.nan)
    for event, parents in enumerate(poset.parent_sets):
        if parents:
            without = poset.adjacency()
            without[:, event] = False
            alone = fit_poset(Poset(poset.events, parent_sets(without)), data)
            if times != "unknown":
                alone = fit_poset_in_time(alone.model, data, times).estimate
            gain[event] = estimate.log_likelihood - alone.log_likelihood
    return gain
