"""Judgement: how well methods predict samples that they have not seen, and what follows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, shaped
from caprese._core.facts import CHAINS_DISAGREE, Fact
from caprese._core.names import distinct_names
from caprese._core.significance import SIGNIFICANT, standard_errors
from caprese._core.words import described
from caprese.assessment.difference import Difference, difference_of, patient_mean
from caprese.assessment.order_judgement import OrderJudgement
from caprese.assessment.plan import Plan
from caprese.assessment.referee import Choice
from caprese.assessment.series_judgement import SeriesJudgement
from caprese.assessment.yardstick import NOTABLE_GAIN, Yardstick
from caprese.errors import ModelError

if TYPE_CHECKING:
    import pandas as pd

Values = dict[str, float | str]

_TIMES = 1000  # less probable than under independence, from which a sample is worth a word


@dataclass(frozen=True)
class Doubt:
    """What fits of a method say against themselves.

    Parameters
    ----------
    method
        Its name.
    what
        In a few words, such as ``chains do not agree``.
    parts
        In how many training parts.
    """

    method: str
    what: str
    parts: int


@dataclass(frozen=True)
class Word:
    """What a judgement says of the order as a whole.

    Parameters
    ----------
    supported
        Whether any method predicts held-out samples better than independent events.
    verdict
        Which method predicts best, or that none predicts anything.
    cautions
        What not to conclude from it.
    """

    supported: bool
    verdict: tuple[Fact, ...]
    cautions: tuple[Fact, ...] = ()


@dataclass(frozen=True, eq=False)
class Judgement(ArrayValue):
    """How well methods predict held-out samples.

    Parameters
    ----------
    methods
        Their names.
    reference
        The position of independent events among them.
    events, samples
        Names.
    groups
        The number of the group of each sample; all different if there are no groups.
    log_probabilities
        Of each held-out sample, methods x samples, the mean over all repetitions.
    entry_log_scores, entry_briers, entry_aucs
        Methods x events: each observed entry of a held-out sample, predicted from the rest of the
        sample. The mean log-probability of what was observed; the mean squared error of the
        probability; and the probability that, of two samples of one fold, the one with the event
        has the higher prediction.
    entries, pairs
        How many entries of each event were predicted, and how many pairs of samples with and
        without it were compared.
    unmodelled
        Methods x events: in how many training parts an event was not part of the model, so that it
        was predicted by its frequency.
    given
        Whether the structure of each was given, so that only its numbers were estimated.
    seen
        Whether the structure of each was learnt from the data that is judged.
    folds, held_out, repeats, seed
        How many folds, how many of them were held out, how often, and the seed.
    digest
        Fingerprint of the data.
    orders
        How well the methods order events, if orders were seen; else None.
    choice
        How the methods were chosen within a budget; None if they were given.
    part_scores
        Methods x training parts: the mean log-probability of all samples, held out or not, by what
        was learnt from each training part, repetition by repetition; None in older files.
    plan
        With how many samples what is open would be decided; None unless it was asked for.
    yardstick
        What a pairwise model without an order predicts; None where that would take long.
    doubts
        What fits to training parts say against themselves, such as chains that do not agree.
    series
        How well later samples of patients are predicted; None if no patient has several samples of
        known order.
    """

    methods: tuple[str, ...]
    reference: int
    events: tuple[str, ...]
    samples: tuple[str, ...]
    groups: IntArray
    log_probabilities: FloatArray
    entry_log_scores: FloatArray
    entry_briers: FloatArray
    entry_aucs: FloatArray
    entries: IntArray
    pairs: IntArray
    unmodelled: IntArray
    given: tuple[bool, ...]
    seen: tuple[bool, ...]
    folds: int
    held_out: int
    repeats: int
    seed: int
    digest: str
    orders: OrderJudgement | None = None
    choice: Choice | None = field(default=None, metadata={"optional": True})
    part_scores: FloatArray | None = field(default=None, metadata={"optional": True})
    plan: Plan | None = field(default=None, metadata={"optional": True})
    yardstick: Yardstick | None = field(default=None, metadata={"optional": True})
    doubts: tuple[Doubt, ...] = field(default=(), metadata={"optional": True})
    series: SeriesJudgement | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        methods = distinct_names("method", self.methods, ModelError)
        m, e, s = len(methods), len(self.events), len(self.samples)
        shaped(self, "log_probabilities", (m, s))
        for name in ("entry_log_scores", "entry_briers", "entry_aucs"):
            shaped(self, name, (m, e))
        counts = {"groups": (s,), "entries": (e,), "pairs": (e,), "unmodelled": (m, e)}
        for name, shape in counts.items():
            if (shaped(self, name, shape, np.int64) < 0).any():
                raise ModelError(f"{name} must not be negative")
        if self.part_scores is not None:
            shaped(self, "part_scores", (m, self.held_out * self.repeats))
        if self.yardstick is not None:
            shaped(self.yardstick, "log_probabilities", (s,))
            shaped(self.yardstick, "part_scores", (self.held_out * self.repeats,))
        if not s:
            raise ModelError("samples must be one or more")
        if min(self.folds, self.held_out, self.repeats) < 1:
            raise ModelError("folds, held_out and repeats must be 1 or more")
        if not 0 <= self.reference < m:
            raise ModelError(f"reference must be one of {m} methods, got {self.reference}")
        if len(self.given) != m or len(self.seen) != m:
            raise ModelError(f"given and seen must be one per method, {m}")
        object.__setattr__(self, "methods", methods)

    def __repr__(self) -> str:
        size = f"{len(self.samples)} samples x {len(self.events)} events"
        best = (
            f"{self.methods[self.best]} predicts best"
            if self.better.any()
            else "none beyond chance"
        )
        return f"<Judgement: {', '.join(self.methods)} on {size}; {best}>"

    def _repr_html_(self) -> str:
        return described(repr(self), self.table())

    @cached_property
    def scores(self) -> FloatArray:
        """Mean log-probability per held-out sample of each method; each group counts once."""
        return np.array([patient_mean(own, self.groups).mean for own in self.log_probabilities])

    @property
    def errors(self) -> float:
        """How many standard errors a difference must exceed, adjusted by Bonferroni.

        For one method 1.96, and a little more of few samples or groups (Student's t).
        """
        level = 1 - SIGNIFICANT / max(1, len(self.methods) - 1)
        return standard_errors(level, max(1, len(np.unique(self.groups)) - 1))

    @property
    def impossible(self) -> IntArray:
        """How many held-out samples each method calls impossible."""
        return np.asarray(np.isneginf(self.log_probabilities).sum(axis=1))

    def difference(self, one: int, other: int) -> Difference:
        """Return by how much one method predicts better than another, paired over samples.

        The standard error is over repeated data sets, see `over_data_sets`; over groups, if there
        are any. It is that of the mean difference of methods that are trained on as many samples as
        here, on data sets of this size.
        """
        if one == other:
            return Difference(0.0, 0.0)
        parts = np.full((len(self.methods), self.held_out * self.repeats), np.nan)
        parts = parts if self.part_scores is None else self.part_scores
        return self._difference(
            (self.log_probabilities[one], self.log_probabilities[other]), (parts[one], parts[other])
        )

    @cached_property
    def gains(self) -> tuple[Difference, ...]:
        """By how much each method predicts better than independent events."""
        return tuple(self.difference(k, self.reference) for k in range(len(self.methods)))

    @property
    def better(self) -> BoolArray:
        """Which methods predict better than independent events, beyond chance."""
        return np.array([gain.exceeds(self.errors) for gain in self.gains])

    @cached_property
    def best(self) -> int:
        """The method with the best score; among those beyond chance, if there are any."""
        among = self.better if self.better.any() else np.ones(len(self.methods), dtype=bool)
        return int(np.where(among, self.scores, -np.inf).argmax())

    @property
    def supports_order(self) -> bool:
        """Whether any method predicts better than independent events, beyond chance."""
        return bool(self.better.any())

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of methods that were not judged; `choice` has the reasons."""
        return () if self.choice is None else tuple(each.name for each in self.choice.left_out)

    @property
    def detectable(self) -> float:
        """The gain over independence, in nats per sample, that half of the methods would show.

        By their standard errors, a gain is significant from there on; NaN if no method has one.
        """
        needed = [self.errors * gain.error for gain in self.gains if 0 < gain.error < np.inf]
        return float(np.median(needed)) if needed else np.nan

    @property
    def verdict(self) -> tuple[Fact, ...]:
        """What the judgement says: which methods predict best, or that none predicts anything."""
        if self.choice is not None and len(self.methods) == 1:
            return (Fact("nothing judged", values={"budget": self.choice.budget}),)
        if not self.better.any():
            kind = "no order supported" if self.held_out == self.folds else "split undecided"
            tried = np.delete(self.methods, self.reference).tolist()
            values: Values = {"samples": len(self.samples), "methods": ", ".join(tried)}
            values |= {"number": len(tried)}
            supported = Fact(kind, values={**values, "gain": self.detectable})
            return (supported, *self._worse_than_independence())
        gain = self.gains[self.best]
        values = {"method": self.methods[self.best], "gain": gain.mean, "error": gain.error}
        kind = "predicts best of those judged" if self.beyond_budget else "predicts best"
        values |= {"number": len(self.methods) - 1} if self.beyond_budget else {}
        return (Fact(kind, values=values), *self._others())

    @property
    def word(self) -> Word:
        """The verdict with its cautions, to stand beside what rests on it."""
        return Word(self.supports_order, self.verdict, self.cautions)

    @property
    def disagreeing(self) -> tuple[str, ...]:
        """Methods of which most fits to training parts have chains that found different answers."""
        most = self.held_out * self.repeats / 2
        doubted = [each for each in self.doubts if each.what == CHAINS_DISAGREE]
        return tuple(each.method for each in doubted if each.parts > most)

    @property
    def cautions(self) -> tuple[Fact, ...]:
        """What follows from the verdict if the fits of the best method mostly doubt themselves."""
        name = self.methods[self.best]
        if not (self.supports_order and name in self.disagreeing):
            return ()
        own = (each for each in self.doubts if (each.method, each.what) == (name, CHAINS_DISAGREE))
        values: Values = {"method": name, "fits": sum(each.parts for each in own)}
        return (Fact("best disagrees", values={**values, "of": self.held_out * self.repeats}),)

    @property
    def beyond_budget(self) -> tuple[str, ...]:
        """The methods that the budget left out, though they take the data."""
        return () if self.choice is None else tuple(each.name for each in self.choice.too_dear)

    @property
    def next_steps(self) -> tuple[Fact, ...]:
        """What to do next: what would tell more, the most useful first."""
        steps = []
        if self.beyond_budget:
            steps.append(Fact("judge more", values={"methods": ", ".join(self.beyond_budget)}))
        if not self.supports_order:
            steps.append(Fact("more samples", values={"samples": len(self.samples)}))
        elif self.orders is None:
            steps.append(Fact("see orders"))
        else:
            steps.append(Fact("use the answer"))
        return tuple(steps)

    @property
    def notes(self) -> tuple[Fact, ...]:
        """What to know about it: samples, events, what fits say against themselves, directions."""
        seen = [
            Fact("structure has seen the samples", values={"method": name})
            for name in compress(self.methods, self.seen)
        ]
        impossible = [
            Fact("impossible samples", values={"method": name, "samples": int(number)})
            for name, number in zip(self.methods, self.impossible.tolist(), strict=True)
            if number
        ]
        unlikely = [*impossible, *self._nearly_impossible()]
        unseen = [] if self.orders is not None else [Fact("directions not judged")]
        return (
            *seen,
            *unlikely,
            *self._unmodelled_facts(),
            *self._doubtful_fits(),
            *self._beyond_methods(),
            *unseen,
        )

    def table(self) -> "pd.DataFrame":
        """Return one row per method: its score, gain over independence, and distance to the best.

        Examples
        --------
        >>> from caprese import Caprese, datasets, judge
        >>> found = judge([Caprese()], datasets.ovarian(), folds=5)
        >>> found.table()[["score", "gain", "gain error"]].round(2)
                      score  gain  gain error
        method
        caprese       -4.53  0.33        0.16
        independence  -4.86  0.00        0.00
        """
        import pandas as pd

        behind = [self.difference(self.best, k) for k in range(len(self.methods))]
        return pd.DataFrame(
            {
                "score": self.scores,
                "gain": [gain.mean for gain in self.gains],
                "gain error": [gain.error for gain in self.gains],
                "better": self.better,
                "behind best": [each.mean for each in behind],
                "behind best error": [each.error for each in behind],
                "impossible": self.impossible,
                **self.entry_scores(),
            },
            index=pd.Index(self.methods, name="method"),
        )

    def event_table(self) -> "pd.DataFrame":
        """Return one row per event and method: how well a hidden entry of it is predicted."""
        import pandas as pd

        index = pd.MultiIndex.from_product((self.events, self.methods), names=("event", "method"))
        return pd.DataFrame(
            {
                "entries": np.repeat(self.entries, len(self.methods)),
                "log score": self.entry_log_scores.T.ravel(),
                "Brier score": self.entry_briers.T.ravel(),
                "AUC": self.entry_aucs.T.ravel(),
            },
            index=index,
        )

    def entry_scores(self) -> dict[str, FloatArray]:
        """Return the scores of hidden entries over all events, by title; one for each method."""
        return {
            "log score": _weighted(self.entry_log_scores, self.entries),
            "Brier score": _weighted(self.entry_briers, self.entries),
            "AUC": _weighted(self.entry_aucs, self.pairs),
        }

    def _difference(
        self, log_probabilities: tuple[FloatArray, FloatArray], parts: tuple[FloatArray, FloatArray]
    ) -> Difference:
        """Return by how much one predicts better, from samples and from means of training parts."""
        return difference_of(
            log_probabilities, parts, self.groups, self.folds, self.held_out, self.repeats
        )

    def _beyond_methods(self) -> Iterator[Fact]:
        """Yield that pairs of events predict clearly better than any method, where it is so."""
        if self.yardstick is None or self.part_scores is None:
            return
        top = int(self.scores.argmax())
        more = self._difference(
            (self.yardstick.log_probabilities, self.log_probabilities[top]),
            (self.yardstick.part_scores, self.part_scores[top]),
        )
        reach = standard_errors(freedom=max(1, len(np.unique(self.groups)) - 1))
        if more.mean > NOTABLE_GAIN and more.exceeds(reach):
            names = tuple(name for pair in self.yardstick.apart for name in pair)
            values: Values = {"difference": more.mean, "error": more.error}
            yield Fact("pairs predict better", names, values)

    def _others(self) -> Iterator[Fact]:
        """Yield for each other method with a structure whether it is worse than the best."""
        for place in np.argsort(-self.scores, kind="stable").tolist():
            if place not in (self.best, self.reference):
                worse, values = self._behind(self.best, place)
                higher = self.difference(place, self.best).mean
                if higher > 0:  # so it is not among those beyond chance
                    yield Fact("scores higher", values=dict(values) | {"difference": higher})
                else:
                    yield Fact("predicts worse" if worse else "predicts as well", values=values)

    def _worse_than_independence(self) -> Iterator[Fact]:
        for place in range(len(self.methods)):
            worse, values = self._behind(self.reference, place)
            if worse:
                yield Fact("worse than independence", values=values)

    def _behind(self, one: int, other: int) -> tuple[bool, Values]:
        """Return whether another method is clearly worse than this one, and by how much."""
        found = self.difference(one, other)
        worse = found.exceeds(self.errors) or bool(np.isposinf(found.mean))
        name = self.methods[other]
        return worse, {"method": name, "difference": found.mean, "error": found.error}

    def _nearly_impossible(self) -> Iterator[Fact]:
        usual = self.log_probabilities[self.reference]
        for name, own in zip(self.methods, self.log_probabilities, strict=True):
            odd = own[np.isfinite(own) & (own < usual - np.log(_TIMES))]
            if odd.size:
                values = {"samples": odd.size, "times": _TIMES, "lowest": float(odd.min())}
                yield Fact("nearly impossible samples", values={"method": name, **values})

    def _doubtful_fits(self) -> Iterator[Fact]:
        """Yield what fits say against themselves; of methods that say the same together."""
        alike: dict[str, list[str]] = {}
        for name in self.methods:
            own = [f"{each.what} in {each.parts}" for each in self.doubts if each.method == name]
            if own:
                alike.setdefault(", ".join(own), []).append(name)
        for what, names in alike.items():
            values: Values = {"methods": ", ".join(names), "doubts": what}
            yield Fact("doubtful fits", values={**values, "parts": self.held_out * self.repeats})

    def _unmodelled_facts(self) -> Iterator[Fact]:
        """Yield which events were left to their frequency, by methods that learn a structure."""
        learns = ~np.array(self.given) & (np.arange(len(self.methods)) != self.reference)
        times = self.unmodelled[learns].max(axis=0, initial=0)
        if times.any():
            values = {"most": int(times.max()), "parts": self.held_out * self.repeats}
            yield Fact("dropped in training", tuple(compress(self.events, times)), values)
        for name, given, own in zip(self.methods, self.given, self.unmodelled, strict=True):
            if given and own.any():
                yield Fact("not in the model", tuple(compress(self.events, own)), {"method": name})


def _weighted(scores: FloatArray, weights: IntArray) -> FloatArray:
    """Return the mean over events, each as often as it was scored."""
    if not weights.any():
        return np.full(len(scores), np.nan)
    return np.asarray(scores[:, weights > 0] @ weights[weights > 0] / weights.sum())
