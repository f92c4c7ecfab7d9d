"""Judgement of orders: how well methods say which of two events of a held-out sample came first."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, shaped
from caprese._core.facts import Fact
from caprese._core.names import distinct_names
from caprese._core.significance import SIGNIFICANT, standard_errors
from caprese.assessment.difference import Difference, grouped_mean
from caprese.errors import ModelError

if TYPE_CHECKING:
    import pandas as pd

COIN, FREQUENCY, STRENGTHS = BASELINES = ("coin", "more frequent first", "strength of each event")
"""What methods are compared with: no opinion, frequency, and seen orders without a model."""

LEAST, MOST = 0.01, 0.99  # between which probabilities are scored: no pair decides all
_NESTED = 0.5  # probability from which on a pair counts as nested
_EDGES = np.linspace(0.5, 1, 6)  # of the bins of a calibration
_OPEN = 1e-9  # from 1/2, up to which a pair counts as left open


@dataclass(frozen=True, eq=False, repr=False)
class OrderJudgement(ArrayValue):
    """How probable methods find the orders that were seen in held-out samples.

    Only orders of a confidence of at least 0.9 are scored. A method states the probability of each
    order from the genotype of the sample; 1/2 is no opinion.

    Parameters
    ----------
    methods
        Their names, without independent events. The last three are a coin, the more frequent event
        first, and a strength of each event that was learnt from seen orders of the training part.
    predicts_best
        The name of the method that predicts genotypes best, which may be independence.
    samples, events
        Names.
    pairs
        Pairs x 3: the position of the sample, of the event that was seen first, of the other.
    nested
        How surely each pair is nested, rather than of clones beside each other.
    groups
        The number of the patient of each pair.
    probabilities
        Of the order that was seen, methods x pairs.
    """

    methods: tuple[str, ...]
    predicts_best: str
    samples: tuple[str, ...]
    events: tuple[str, ...]
    pairs: IntArray
    nested: FloatArray
    groups: IntArray
    probabilities: FloatArray

    def __post_init__(self) -> None:
        methods = distinct_names("method", self.methods, ModelError)
        if methods[-len(BASELINES) :] != BASELINES or len(methods) == len(BASELINES):
            raise ModelError(f"methods must be one or more, and then {', '.join(BASELINES)}")
        number = len(np.reshape(self.pairs, (-1, 3)))
        shaped(self, "pairs", (number, 3), np.int64)
        shaped(self, "groups", (number,), np.int64)
        for name, shape in (("nested", (number,)), ("probabilities", (len(methods), number))):
            values = shaped(self, name, shape)
            if not ((values >= 0) & (values <= 1)).all():
                raise ModelError(f"{name} must be probabilities")
        if not number:
            raise ModelError("pairs must be one or more")

    def __repr__(self) -> str:
        pairs = f"{len(self.pairs)} pairs of {self.patients} patients"
        return f"<OrderJudgement: {', '.join(self.methods)} on {pairs}>"

    @property
    def patients(self) -> int:
        """How many patients have an order that is scored."""
        return len(np.unique(self.groups))

    @property
    def hits(self) -> FloatArray:
        """1 where a method finds the order that was seen more probable, 1/2 where it is open."""
        right = (self.probabilities > 0.5).astype(np.float64)
        return np.where(self.left_open, 0.5, right)

    @property
    def left_open(self) -> BoolArray:
        """Where a method has no opinion, methods x pairs."""
        return np.asarray(np.abs(self.probabilities - 0.5) <= _OPEN)

    @property
    def log_scores(self) -> FloatArray:
        """The logarithm of each probability, which is first brought between 0.01 and 0.99."""
        return np.asarray(np.log(np.clip(self.probabilities, LEAST, MOST)))

    @cached_property
    def accuracy(self) -> tuple[Difference, ...]:
        """The share of pairs whose order each method finds, with its standard error."""
        return tuple(map(self._mean, self.hits))

    @cached_property
    def score(self) -> tuple[Difference, ...]:
        """The mean log-probability of a seen order under each method, with its standard error."""
        return tuple(map(self._mean, self.log_scores))

    @property
    def errors(self) -> float:
        """How many standard errors a difference must exceed: 1.96, adjusted by Bonferroni."""
        return standard_errors(1 - SIGNIFICANT / self._judged)

    @property
    def best(self) -> int:
        """The method with the best score; what methods are compared with does not count."""
        return int(np.argmax([score.mean for score in self.score[: self._judged]]))

    @property
    def verdict(self) -> tuple[Fact, ...]:
        """Which method orders best, and whether it beats a coin and frequency."""
        best = self.best
        over_coin = self._mean(self.log_scores[best] - np.log(0.5))
        values: dict[str, float | str] = {
            "method": self.methods[best],
            "accuracy": self.accuracy[best].mean,
            "pairs": len(self.pairs),
            "patients": self.patients,
        }
        if not over_coin.exceeds(self.errors):
            return (Fact("no order better than a coin", values=values), *self._strengths(best))
        over_frequency = self._mean(self.hits[best] - self.hits[self.methods.index(FREQUENCY)])
        beats = over_frequency.exceeds(self.errors)
        compared = {"points": 100 * over_frequency.mean, "error": 100 * over_frequency.error}
        kind = "orders better than frequency" if beats else "orders no better than frequency"
        found = [Fact("orders best", values=values), Fact(kind, values=compared)]
        if self.methods[best] != self.predicts_best:
            found.append(Fact("another predicts best", values={"method": self.predicts_best}))
        return (*found, *self._strengths(best))

    def table(self) -> "pd.DataFrame":
        """Return one row per method: accuracy, log score, coverage; nested and other pairs apart.

        The coverage is the share of pairs that the method does not leave open.
        """
        import pandas as pd

        nested = self.nested >= _NESTED
        parts = {
            f"{name}, {title}": _means(values, chosen)
            for title, chosen in (("nested", nested), ("others", ~nested))
            for name, values in (("accuracy", self.hits), ("log score", self.log_scores))
        }
        return pd.DataFrame(
            {
                "accuracy": [each.mean for each in self.accuracy],
                "accuracy error": [each.error for each in self.accuracy],
                "log score": [each.mean for each in self.score],
                "log score error": [each.error for each in self.score],
                "coverage": 1 - self.left_open.mean(axis=1),
                **parts,
            },
            index=pd.Index(self.methods, name="method"),
        )

    def calibration(self) -> "pd.DataFrame":
        """Return how often the order that a method finds more probable was seen, in five bins.

        One row per method and bin of the stated probability that has pairs: how many, the mean of
        what was stated, and the share that was right.
        """
        import pandas as pd

        columns = ["method", "from", "to", "pairs", "stated", "right"]
        return pd.DataFrame(list(self._bins()), columns=columns).set_index("method")

    def _bins(self) -> Iterator[tuple[Any, ...]]:
        rows = zip(self.methods, self.probabilities, self.hits, self.left_open, strict=True)
        for name, own, hits, left_open in rows:
            stated = np.maximum(own, 1 - own)
            bins = np.clip(np.searchsorted(_EDGES, stated, "right"), 1, len(_EDGES) - 1)
            for place in range(1, len(_EDGES)):
                chosen = (bins == place) & ~left_open
                if chosen.any():
                    low, high = _EDGES[place - 1 : place + 1].round(1).tolist()
                    means = float(stated[chosen].mean()), float(hits[chosen].mean())
                    yield (name, low, high, int(chosen.sum()), *means)

    def _strengths(self, best: int) -> Iterator[Fact]:
        """Yield that strengths of events order better than the best method, where it is so."""
        strengths = self.methods.index(STRENGTHS)
        if self._mean(self.log_scores[strengths] - self.log_scores[best]).exceeds(self.errors):
            yield Fact("strengths order better", values={"accuracy": self.accuracy[strengths].mean})

    @property
    def _judged(self) -> int:
        return len(self.methods) - len(BASELINES)

    def _mean(self, values: FloatArray) -> Difference:
        """Return the mean over pairs, with a standard error over patients."""
        return grouped_mean(values, self.groups)


def _means(values: FloatArray, chosen: BoolArray) -> FloatArray:
    """Return the mean of each row over some pairs; NaN if there are none."""
    if not chosen.any():
        return np.full(len(values), np.nan)
    return np.asarray(values[:, chosen].mean(axis=1))
