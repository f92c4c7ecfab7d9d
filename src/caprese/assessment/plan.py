"""Plan: with how many samples a verdict, or a direction, is to be expected; see `planning`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


SHARE = 0.8
"""Of data sets in which what is needed is to decide."""


@dataclass(frozen=True)
class Needed:
    """A number of samples, with a 90 % interval for the chance of simulation; infinite if none is.

    Beyond a million samples it counts as infinite, too.
    """

    samples: float
    low: float
    high: float


@dataclass(frozen=True)
class Simulated:
    """What was seen in simulated data sets of one size.

    Parameters
    ----------
    samples, data_sets
        How many samples in each, and how many data sets.
    gain
        The mean gain over independent events, in nats per sample.
    error
        The mean standard error of a gain.
    supported
        In which share of the data sets an order is supported.
    """

    samples: int
    data_sets: int
    gain: float
    error: float
    supported: float


@dataclass(frozen=True)
class PlannedDirection:
    """How many samples would decide which of two events came first.

    Parameters
    ----------
    earlier, later
        As the fit has them.
    per_sample
        By how much each sample is expected to change the logarithm of the odds of this order.
    needed
        Samples from which on the odds are expected to be 20, in 80 % of data sets.
    """

    earlier: str
    later: str
    per_sample: float
    needed: Needed


@dataclass(frozen=True)
class Plan:
    """How many samples would decide what a judgement leaves open.

    Parameters
    ----------
    method
        The method whose fit to all samples was taken for the truth.
    samples
        How many samples there are.
    order
        Samples with which an order would be supported in 80 % of data sets; None if one is.
    simulated
        What was seen in simulated data sets.
    directions
        Of the edges of the fit whose direction is not determined.
    """

    method: str
    samples: int
    order: Needed | None
    simulated: tuple[Simulated, ...]
    directions: tuple[PlannedDirection, ...]

    def table(self) -> "pd.DataFrame":
        """Return one row per question: how many samples would decide it, with an interval.

        Examples
        --------
        >>> needed = Needed(samples=290, low=220, high=410)
        >>> Plan("caprese", 64, needed, (), ()).table()
          question  samples  low  high
        0    order      290  220   410
        """
        import pandas as pd

        asked = [("order", self.order)] if self.order is not None else []
        asked += [(f"{each.earlier} before {each.later}", each.needed) for each in self.directions]
        rows = [(name, each.samples, each.low, each.high) for name, each in asked]
        return pd.DataFrame(rows, columns=["question", "samples", "low", "high"])
