"""What the benchmarks share: time of the processor, rivals in the same process, growth.

Times are those of the processor, of all threads together: they hardly depend on what else runs.
Ours and a rival's take turns, so that a slow moment hits both; the smallest of several counts.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from caprese import Dataset, ForestRecipe, Noise

Work = Callable[[], Any]


@dataclass(frozen=True, kw_only=True)
class Rival:
    """Another way to the same result, or to a part of it that cannot be avoided.

    Parameters
    ----------
    name
        The program, and what it does.
    seconds
        What it took, in the same process, in turns with ours.
    """

    name: str
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table.

    Parameters
    ----------
    what
        The operation, with the size of its input.
    seconds
        Of the processor; None where nobody has measured it yet.
    rival
        None where there is none in this process.
    found
        A number of the answer, such as its log-likelihood, so that speed is not bought with it.
    note
        What else to know, such as dated times of other programs.
    """

    what: str
    seconds: float | None
    rival: Rival | None = None
    found: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times ours the rival took."""
        if self.rival is None or not self.seconds:
            return None
        return self.rival.seconds / self.seconds


@dataclass(frozen=True, kw_only=True)
class Section:
    """Rows of one operation, and how its time grows.

    Parameters
    ----------
    growth
        By what it grows: the exponent of a power of it, or a factor for each further one.
    """

    title: str
    rows: tuple[Row, ...]
    growth: dict[str, float] = field(default_factory=dict)


def cpu(work: Work) -> float:
    """Return the seconds of the processor that a call takes, in all threads together."""
    start = time.process_time()
    work()
    return time.process_time() - start


def fastest(work: Work, repeats: int = 3) -> float:
    """Return the smallest time of several calls."""
    return min(cpu(work) for _ in range(repeats))


def in_turns(ours: Work, theirs: Work, repeats: int = 3) -> tuple[float, float]:
    """Return the smallest times of both, called in turns."""
    times = np.array([(cpu(ours), cpu(theirs)) for _ in range(repeats)])
    first, second = times.min(axis=0)
    return float(first), float(second)


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """Return the power of the size that the time grows with: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def factor(sizes: list[float], seconds: list[float]) -> float:
    """Return by how much the time is multiplied for each further unit of the size."""
    return float(np.exp(np.polyfit(sizes, np.log(seconds), 1)[0]))


def simulated(events: int, samples: int, *, noise: float = 0.05, seed: int = 1) -> Dataset:
    """Return samples of a random tree by the paper's recipe, observed with errors."""
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=events).draw(rng)
    return Noise.uniform(noise).corrupt(forest.sample(samples, rng), rng)


def independent(events: int, samples: int, *, seed: int = 1) -> Dataset:
    """Return samples of independent events, of all frequencies between 0.1 and 0.7."""
    rng = np.random.default_rng(seed)
    values = rng.random((samples, events)) < rng.uniform(0.1, 0.7, events)
    return Dataset(values, tuple(f"e{k}" for k in range(events)))
