"""Outlooks: how targets are reached without an intervention, and with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray
from caprese._core.words import described, number_of
from caprese.patients.rests_on import Pairs

if TYPE_CHECKING:
    import pandas as pd

Target = str | int
"""What is to be reached: the name of an event, or a number of events."""

Slowed = tuple[tuple[str, float], ...]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Outlook:
    """How a target is reached without an intervention, and with it.

    Parameters
    ----------
    blocked, slowed
        The events that are blocked; those that are slowed, with the factor of each.
    target
        An event, or a number of events.
    probability, probability_with
        How probably it is reached before the next sample is taken; of a model without a clock, by
        the time at which samples are taken.
    median_time, median_time_with
        The median time until it is reached, in units of the mean time until a sample is taken;
        infinite if it is not reached with probability 1/2, NaN without a clock.
    probability_error, median_time_error
        The larger standard error of both, if they were simulated; else 0.
    difference_interval, factor_interval
        Between which values `difference` and `factor` are with 90 %; None if that is not known.
    undetermined
        Orders of two events that this rests on, and that the data do not determine; None if that
        was not looked at.
    """

    blocked: tuple[str, ...]
    slowed: Slowed
    target: Target
    probability: float
    probability_with: float
    median_time: float
    median_time_with: float
    probability_error: float = 0.0
    median_time_error: float = 0.0
    difference_interval: Interval | None = None
    factor_interval: Interval | None = None
    undetermined: Pairs | None = None

    @property
    def difference(self) -> float:
        """By how much the intervention changes the probability."""
        return round(self.probability_with - self.probability, 12) + 0.0

    @property
    def factor(self) -> float:
        """How many times as long the median time is; NaN if it is infinite without it, too."""
        return float(time_factors(np.array(self.median_time), np.array(self.median_time_with)))


@dataclass(frozen=True, eq=False)
class WhatIf(ArrayValue):
    """What follows from one intervention or from several.

    Parameters
    ----------
    events
        The events of the model.
    outlooks
        One for each target, or for each intervention.
    timed
        Whether the model has a clock.
    carried
        The events that are there at the start; None for the start of the progression.
    simulated, seed
        How many paths were simulated, 0 if everything is exact; and the seed.
    replicates
        From how many replicates of the data, or draws of a posterior, intervals are; 0 if there are
        none.
    """

    events: tuple[str, ...]
    outlooks: tuple[Outlook, ...]
    timed: bool
    carried: tuple[str, ...] | None = None
    simulated: int = 0
    seed: int = 1
    replicates: int = 0

    def __repr__(self) -> str:
        first = self.outlooks[0]
        asked = number_of(len(self.outlooks), "outlook")
        return f"<{type(self).__name__}: {asked}; {_named(first.blocked, first.slowed)}, ...>"

    def _repr_html_(self) -> str:
        return described(repr(self), self.table())

    @property
    def undetermined(self) -> Pairs | None:
        """Orders that any outlook rests on, and that the data do not determine; None if unknown."""
        found = [each.undetermined for each in self.outlooks]
        if any(each is None for each in found):
            return None
        return tuple(dict.fromkeys(pair for each in found if each for pair in each))

    def table(self) -> "pd.DataFrame":
        """Return one row for each outlook."""
        import pandas as pd

        return pd.DataFrame([outlook_row(each) for each in self.outlooks])


@dataclass(frozen=True, eq=False, repr=False)
class Intervention(WhatIf):
    """What follows from one intervention: an outlook for each target, and the genotypes.

    Parameters
    ----------
    genotypes
        True genotypes, the most probable without the intervention first.
    shares
        How probably a sample is taken in each: genotypes x without, with.
    """

    genotypes: BoolArray = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    shares: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))

    def genotype_table(self) -> "pd.DataFrame":
        """Return how probably samples have each genotype, without the intervention and with it."""
        import pandas as pd

        names = np.array(self.events, dtype=object)
        chosen = ["; ".join(names[row]) for row in self.genotypes]
        columns = {"genotype": chosen, "without": self.shares[:, 0], "with": self.shares[:, 1]}
        return pd.DataFrame(columns)


def outlook_row(found: Outlook) -> dict[str, Any]:
    """Return an outlook as a row of a table; no number where it is not known."""
    low, high = found.difference_interval or (np.nan, np.nan)
    least, most = found.factor_interval or (np.nan, np.nan)
    return {
        "blocked": "; ".join(found.blocked),
        "slowed": slowed_text(found.slowed),
        "target": str(found.target),
        "probability": found.probability,
        "probability_with": found.probability_with,
        "difference": found.difference,
        "difference_low": low,
        "difference_high": high,
        "median_time": found.median_time,
        "median_time_with": found.median_time_with,
        "factor": found.factor,
        "factor_low": least,
        "factor_high": most,
        "probability_error": found.probability_error,
        "median_time_error": found.median_time_error,
        "undetermined": "; ".join(f"{one} before {other}" for one, other in found.undetermined)
        if found.undetermined
        else "",
    }


def slowed_text(slowed: Slowed) -> str:
    """Return slowed events with their factors, as a table has them."""
    return "; ".join(_factors_of(slowed))


def _factors_of(slowed: Slowed) -> list[str]:
    return [f"{event}={factor:g}" for event, factor in slowed]


def _named(blocked: Sequence[str], slowed: Slowed) -> str:
    return ", ".join([*(f"{event} blocked" for event in blocked), *_factors_of(slowed)])


def time_factors(times: FloatArray, changed: FloatArray) -> FloatArray:
    """Return times with an intervention over those without; NaN if these are infinite or 0."""
    usable = np.isfinite(times) & (times > 0)
    return np.where(usable, changed / np.where(usable, times, 1.0), np.nan)
