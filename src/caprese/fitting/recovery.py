"""Recovery: infer from the counts as they were before errors, with rates given or estimated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.scores import RELATIVE_TOLERANCE
from caprese.errors import DatasetError, ParameterError
from caprese.fitting.forest_em import ForestEstimate, RateIntervals, fit_forest, rate_intervals
from caprese.fitting.structure import forest_from_parents
from caprese.models.forest import Forest
from caprese.models.noise import Noise

ROUNDS = 10

NoiseOption = Noise | Literal["estimate"] | None
ParentRule = Callable[[Counts], IntArray]


@dataclass(frozen=True)
class Recovery:
    """The errors a fit allowed for."""

    noise: Noise  #: Their rates, given or estimated.
    log_likelihood: float  #: Of the data, under the model and these rates.
    intervals: RateIntervals | None  #: 95 % intervals for the rates; None if they were given.
    #: How often a forest was inferred and its rates estimated, to infer again from the counts
    #: recovered with them; the likeliest is the answer. 0 if the rates were given.
    rounds: int
    settled: bool  #: Whether the forest no longer changed in the last round.


@dataclass(frozen=True)
class Inferred:
    """A forest, the counts it was inferred from, and the counts of the data."""

    forest: Forest
    clean: Counts
    counts: Counts
    recovery: Recovery | None

    @property
    def hidden(self) -> BoolArray:
        """Events that errors alone explain: observed, or missed, no more often than by error."""
        seen = self.clean.never & ~self.counts.never
        missed = self.clean.always & ~self.counts.always
        return np.asarray(seen | missed)


def clean_counts(counts: Counts, noise: NoiseOption) -> Counts:
    """Return the counts as they were before the given errors; rates cannot be estimated here."""
    if noise == "estimate":
        raise ParameterError("noise", "error rates or None where there are counts alone", noise)
    return counts if noise is None else noise.recover_counts(counts)


def infer(rule: ParentRule, noise: NoiseOption, data: Dataset) -> Inferred:
    """Infer a forest by a rule on pair counts, before errors if there are any to allow for."""
    counts = Counts.of(data)
    if noise is None:
        return Inferred(forest_from_parents(counts, rule(counts)), counts, counts, None)
    if noise == "estimate":
        return _estimated(rule, data, counts)
    _check_possible(noise, counts)
    clean = noise.recover_counts(counts)
    forest = forest_from_parents(clean, rule(clean))
    best = fit_forest(forest, data, noise=noise)
    possible = np.isfinite(best.log_likelihood)  # not so if some sample cannot be, errors or not
    recovery = Recovery(noise, best.log_likelihood, None, 0, settled=True)
    return Inferred(best.forest if possible else forest, clean, counts, recovery)


def _estimated(rule: ParentRule, data: Dataset, counts: Counts) -> Inferred:
    rounds, settled = estimate_rates(rule, data, counts)
    best = likeliest(rounds)
    likelihood, intervals = best.estimate.log_likelihood, rate_intervals(best.estimate, data)
    recovery = Recovery(best.estimate.model.noise, likelihood, intervals, len(rounds), settled)
    return Inferred(best.estimate.forest, best.clean, counts, recovery)


def _check_possible(noise: Noise, counts: Counts) -> None:
    for event, seen, frequency in zip(counts.events, counts.present, counts.frequency, strict=True):
        if seen and frequency < noise.false_positive - RELATIVE_TOLERANCE:
            raise DatasetError(
                f"event {event!r} is in {frequency:.1%} of the samples; a false positive rate of "
                f"{noise.false_positive:g} alone would show it in more"
            )
        if frequency > 1 - noise.false_negative + RELATIVE_TOLERANCE:
            raise DatasetError(
                f"event {event!r} is in {frequency:.1%} of the samples; a false negative rate of "
                f"{noise.false_negative:g} would show it in at most {1 - noise.false_negative:.1%}"
            )


@dataclass(frozen=True)
class Round:
    """Counts, and the rates that are likeliest for the forest inferred from them."""

    clean: Counts
    estimate: ForestEstimate


def estimate_rates(
    rule: ParentRule, data: Dataset, counts: Counts, most: int = ROUNDS
) -> tuple[list[Round], bool]:
    """Infer, estimate the rates by maximum likelihood, recover the counts, and infer again.

    Returns all rounds, and whether the forest no longer changed in the last.
    """
    clean, parents = counts, rule(counts)
    rounds: list[Round] = []
    while True:
        estimate = fit_forest(unweighted(data.events, parents), data)
        rounds.append(Round(clean, estimate))
        clean = estimate.model.noise.recover_counts(counts)
        before, parents = parents, rule(clean)
        if np.array_equal(parents, before) or len(rounds) >= most:
            return rounds, np.array_equal(parents, before)


def likeliest(rounds: list[Round]) -> Round:
    """Return the round whose forest makes the data likeliest.

    Better than the last: over 200 simulated trees of 20 events with noise 0.1 the mean tree edit
    distance is 6.9 for the likeliest round, 7.7 for the last, and 8.6 without recovery.
    """
    return max(rounds, key=lambda each: each.estimate.log_likelihood)


def unweighted(events: tuple[str, ...], parents: IntArray) -> Forest:
    """Return the forest of these parents, its probabilities yet to be estimated."""
    return Forest(events, parents, np.full(len(events), 0.5))
