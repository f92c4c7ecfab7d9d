"""Recovery: infer from the counts as they were before errors, with rates given or estimated."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from caprese.arrays import BoolArray
from caprese.counts import Counts
from caprese.dataset import Dataset
from caprese.errors import DatasetError
from caprese.estimation import maximum_likelihood, rate_intervals
from caprese.methods.base import E, Fit, Method, Recovery, hang, option
from caprese.models.forest import Forest
from caprese.models.noise import Noise
from caprese.rounds import Rule, estimate_rates, likeliest
from caprese.scores import TRIFLE

NoiseOption = Noise | Literal["estimate"] | None


@dataclass(frozen=True)
class Inferred:
    """A forest, the counts it was inferred from, and the counts of the data."""

    forest: Forest
    clean: Counts
    counts: Counts
    recovery: Recovery | None

    @property
    def hidden(self) -> BoolArray:
        """Events that errors alone explain: seen, or missed, no more often than they would be."""
        seen = self.clean.never & ~self.counts.never
        missed = self.clean.always & ~self.counts.always
        return np.asarray(seen | missed)

    def answer(self, method: Method, evidence: E, data: Dataset) -> Fit[Forest, E]:
        """Return the fit of a method that found this."""
        samples, digest = len(data.samples), data.digest
        return Fit(method, self.forest, evidence, self.counts, samples, digest, self.recovery)


def noise_option() -> NoiseOption:
    """Declare the parameter by which a method allows for errors."""
    about = "Error rates to allow for: FALSE_POSITIVE,FALSE_NEGATIVE, or the word estimate."
    declared: NoiseOption = option(None, about, parse=parse_noise)
    return declared


def parse_noise(text: str) -> NoiseOption:
    """Read error rates, or the word estimate, as the command line gives them.

    Examples
    --------
    >>> parse_noise("0.1,0.05")
    Noise(false_positive=0.1, false_negative=0.05)
    """
    if text == "estimate":
        return "estimate"
    try:
        positive, negative = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"must be two rates such as 0.1,0.05, or estimate, got {text!r}") from None
    try:
        return Noise(positive, negative)
    except ValueError as error:
        raise ValueError(f"must be two rates: {error}") from None


def check_noise(noise: object) -> None:
    """Refuse what is no noise option."""
    if not (noise is None or noise == "estimate" or isinstance(noise, Noise)):
        raise ValueError(f"noise must be a Noise, 'estimate' or None, got {noise!r}")


def clean_counts(counts: Counts, noise: NoiseOption) -> Counts:
    """Return the counts as they were before the given errors; rates cannot be estimated here."""
    if noise == "estimate":
        raise ValueError("counts alone do not tell the noise; fit the data")
    return counts if noise is None else noise.recover_counts(counts)


def infer(rule: Rule, noise: NoiseOption, data: Dataset) -> Inferred:
    """Infer a forest by a rule on pair counts, before errors if there are any to allow for.

    Parameters
    ----------
    rule
        Gives the parents that follow from pair counts.
    noise
        The rates of the errors, ``"estimate"`` or None.
    """
    counts = Counts.of(data)
    if noise is None:
        return Inferred(hang(counts, rule(counts)), counts, counts, None)
    if noise == "estimate":
        return _estimated(rule, data, counts)
    _check_possible(noise, counts)
    clean = noise.recover_counts(counts)
    forest = hang(clean, rule(clean))
    best = maximum_likelihood(forest, data, noise=noise)
    possible = np.isfinite(best.log_likelihood)  # not so if some sample cannot be, errors or not
    recovery = Recovery(noise, best.log_likelihood, None, 0, settled=True)
    return Inferred(best.forest if possible else forest, clean, counts, recovery)


def _estimated(rule: Rule, data: Dataset, counts: Counts) -> Inferred:
    rounds, settled = estimate_rates(rule, data, counts)
    best = likeliest(rounds)
    estimate = best.estimate
    intervals = rate_intervals(estimate, data)
    recovery = Recovery(estimate.noise, estimate.log_likelihood, intervals, len(rounds), settled)
    return Inferred(estimate.forest, best.clean, counts, recovery)


def _check_possible(noise: Noise, counts: Counts) -> None:
    for event, seen, frequency in zip(counts.events, counts.present, counts.frequency, strict=True):
        if seen and frequency < noise.false_positive - TRIFLE:
            raise DatasetError(
                f"event {event!r} is in {frequency:.1%} of the samples; a false positive rate of "
                f"{noise.false_positive:g} alone would show it in more"
            )
        if frequency > 1 - noise.false_negative + TRIFLE:
            raise DatasetError(
                f"event {event!r} is in {frequency:.1%} of the samples; a false negative rate of "
                f"{noise.false_negative:g} would show it in at most {1 - noise.false_negative:.1%}"
            )
