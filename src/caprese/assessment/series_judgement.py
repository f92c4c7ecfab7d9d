"""Judgement of series: how well methods predict a later sample of a patient from an earlier one."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, shaped
from caprese._core.facts import Fact
from caprese._core.names import distinct_names
from caprese._core.significance import SIGNIFICANT, standard_errors
from caprese.assessment.difference import Difference, patient_mean
from caprese.errors import ModelError

if TYPE_CHECKING:
    import pandas as pd

NOTHING, FREQUENCIES = BASELINES = ("nothing changes", "frequencies")
"""What methods are compared with: the same small chance for all that may come; frequencies."""


@dataclass(frozen=True, eq=False, repr=False)
class SeriesJudgement(ArrayValue):
    """How probable methods find later samples of held-out patients, given the earlier ones.

    A pair is a sample, and the one before it of the same patient and site. Predicted is what is
    known of events that are absent in the earlier sample. A method with a clock starts from the
    earlier sample; the time between both is exponential, and unknown but for its mean, which is
    that under which the pairs of the training part are most probable.

    Parameters
    ----------
    methods
        Their names: those with a clock, then what they are compared with.
    events
        Names.
    earlier, later
        The samples of each pair.
    groups
        The number of the patient of each pair.
    log_probabilities
        Of each later sample, methods x pairs.
    entries
        Entries x 2: the pair and the event of each entry that was predicted.
    came
        Whether the event came.
    probabilities
        That it did, given the earlier sample and the rest of the later one, methods x entries.
    lost
        How many events of earlier samples are absent in later ones; these are not predicted.
    """

    methods: tuple[str, ...]
    events: tuple[str, ...]
    earlier: tuple[str, ...]
    later: tuple[str, ...]
    groups: IntArray
    log_probabilities: FloatArray
    entries: IntArray
    came: BoolArray
    probabilities: FloatArray
    lost: int

    def __post_init__(self) -> None:
        methods = distinct_names("method", self.methods, ModelError)
        if methods[-len(BASELINES) :] != BASELINES:
            raise ModelError(f"methods must end with {', '.join(BASELINES)}")
        pairs, entries = len(self.later), len(np.reshape(self.entries, (-1, 2)))
        shaped(self, "groups", (pairs,), np.int64)
        shaped(self, "log_probabilities", (len(methods), pairs))
        shaped(self, "entries", (entries, 2), np.int64)
        shaped(self, "came", (entries,), np.bool_)
        shaped(self, "probabilities", (len(methods), entries))
        if len(self.earlier) != pairs or not pairs:
            raise ModelError("earlier and later must be the samples of one pair or more")

    def __repr__(self) -> str:
        return f"<SeriesJudgement: {', '.join(self.methods)} on {len(self.later)} later samples>"

    @property
    def patients(self) -> int:
        """How many patients have a later sample that is predicted."""
        return len(np.unique(self.groups))

    @cached_property
    def scores(self) -> tuple[Difference, ...]:
        """The mean log-probability of a later sample by each method; each patient counts once."""
        return tuple(patient_mean(each, self.groups) for each in self.log_probabilities)

    @property
    def entry_scores(self) -> FloatArray:
        """The log-probability of what was seen of each entry, methods x entries."""
        with np.errstate(divide="ignore"):
            return np.log(np.where(self.came, self.probabilities, 1 - self.probabilities))

    def gain(self, method: int, over: str = NOTHING) -> Difference:
        """Return by how much a method predicts better than one that all are compared with."""
        other = self.log_probabilities[self.methods.index(over)]
        with np.errstate(invalid="ignore"):
            return patient_mean(self.log_probabilities[method] - other, self.groups)

    @property
    def best(self) -> int:
        """The method with the best score; what methods are compared with counts too."""
        return int(np.argmax([score.mean for score in self.scores]))

    @property
    def errors(self) -> float:
        """How many standard errors a gain must exceed, adjusted by Bonferroni."""
        tried = max(1, len(self.methods) - len(BASELINES))
        return standard_errors(1 - SIGNIFICANT / tried, max(1, self.patients - 1))

    @property
    def verdict(self) -> tuple[Fact, ...]:
        """Which method predicts later samples best, and whether it beats all comparisons."""
        values: dict[str, float | str] = {
            "samples": len(self.later),
            "patients": self.patients,
            "came": int(self.came.sum()),
        }
        clocks = [score.mean for score in self.scores[: -len(BASELINES)]]
        if not clocks:
            return (Fact("series without a clock", values=values),)
        top = int(np.argmax(clocks))
        harder = max(BASELINES, key=lambda name: self.scores[self.methods.index(name)].mean)
        gain = self.gain(top, harder)
        values |= {"method": self.methods[top], "other": harder}
        values |= {"difference": gain.mean, "error": gain.error}
        kind = "series predicted" if gain.exceeds(self.errors) else "series not predicted"
        lost = (Fact("events lost", values={"events": self.lost}),) * (self.lost > 0)
        return (Fact(kind, values=values), *lost)

    def table(self) -> "pd.DataFrame":
        """Return one row per method: score, gains over what it is compared with, with errors."""
        import pandas as pd

        over = {name: [self.gain(k, name) for k in range(len(self.methods))] for name in BASELINES}
        columns = {"score": [score.mean for score in self.scores]}
        for name, gains in over.items():
            columns |= {f"gain over {name}": [gain.mean for gain in gains]}
            columns |= {f"error over {name}": [gain.error for gain in gains]}
        columns |= {
            "entry log score": self.entry_scores.mean(axis=1).tolist(),
            "impossible": np.isneginf(self.log_probabilities).sum(axis=1).tolist(),
        }
        return pd.DataFrame(columns, index=pd.Index(self.methods, name="method"))

    def event_table(self) -> "pd.DataFrame":
        """Return one row per event and method: how often it came, and how well that is predicted.

        The log score is the mean over all samples in which it may have come; of those in which it
        came, `expected` is the mean probability that was stated.
        """
        import pandas as pd

        rows = []
        for event in np.unique(self.entries[:, 1]).tolist():
            own = self.entries[:, 1] == event
            came = own & self.came
            for name, scores, stated in zip(
                self.methods, self.entry_scores, self.probabilities, strict=True
            ):
                expected = float(stated[came].mean()) if came.any() else np.nan
                numbers = (int(own.sum()), int(came.sum()), float(scores[own].mean()), expected)
                rows.append((self.events[event], name, *numbers))
        titles = ["event", "method", "entries", "came", "log score", "expected"]
        return pd.DataFrame(rows, columns=titles).set_index(titles[:2])
