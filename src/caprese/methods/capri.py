"""CAPRI: prima facie causes, and of these the parents of highest score; tested patterns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.facts import Fact
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.patterns import (
    NO_EVENT,
    Pattern,
    PatternColumn,
    Refused,
    canonical,
    evaluated,
    expanded,
    split_patterns,
)
from caprese.data.scores import PairCounts
from caprese.errors import DatasetError, ModelError, ParameterError, Remedy
from caprese.fitting.dags import table_of
from caprese.fitting.parent_search import (
    EQUAL_SCORES,
    FoundParents,
    Score,
    best_parent_sets,
    single_gains,
)
from caprese.fitting.prima_facie import (
    Decision,
    Measure,
    Outcome,
    PrimaFacie,
    pair_probabilities,
    prima_facie,
)
from caprese.fitting.recovery import NoiseOption, Recovery, infer
from caprese.fitting.structure import over_batch
from caprese.kernels.pairwise_parents import caprese_parents
from caprese.methods.evidence import (
    PairScores,
    Reason,
    ReasonedEvidence,
    first_reason,
    freeze_arrays,
    same_samples,
)
from caprese.methods.fit import OrderedFit
from caprese.methods.parameters import (
    SEED,
    ParameterKind,
    Parameters,
    noise_option,
    number,
    one_word,
    option,
    whole_number,
)
from caprese.models.dag import ConditionalDag
from caprese.models.noise import Noise
from caprese.simulation.replicates import Resamples

if TYPE_CHECKING:
    import pandas as pd

_SHRINKAGE = 0.5  # of the forest by which error rates are estimated


@dataclass(frozen=True, eq=False)
class CapriEvidence(ReasonedEvidence):
    """Which relations were tested, what became of each, and the scores of sets of parents.

    Matrices are parent row, child column; patterns are the last rows and columns.
    """

    events: tuple[str, ...]  #: Names of the events.
    #: The patterns that were tested, each written as ``NAME = XOR(A, B)``.
    patterns: tuple[str, ...]
    #: Patterns that say nothing in this data: name, why, and the column that it equals.
    refused: tuple[tuple[str, str, str], ...]
    #: What the next two matrices hold: ``"share"`` of the resamples in which a relation holds,
    #: ``"p-value"`` of a rank test of them, or ``"ratio"`` of probabilities of the data itself.
    measure: Measure
    priority: FloatArray  #: Whether i is earlier than j; NaN where the pair was not tested.
    raising: FloatArray  #: Whether i raises the probability of j; NaN likewise.
    #: P(X >= k), the probability of at least as many common samples by chance.
    co_occurrence: FloatArray
    #: What became of each pair: 0 not tested, or dropped because of 1 time, 2 raising, 3 a loop or
    #: 4 the score, or 5 a parent.
    outcome: IntArray
    #: Pairs whose direction nothing in the data decides, so that their names did.
    by_name: BoolArray
    gain: FloatArray  #: How much i, as the only parent of j, adds to the score; of events only.
    score_name: Score  #: Which score parents were chosen by.
    scores: FloatArray  #: The score of the chosen parents of each column.
    empty_scores: FloatArray  #: That without parents.
    next_scores: FloatArray  #: That of the next best set of parents; NaN where there is no other.
    next_parents: tuple[tuple[int, ...], ...]  #: The next best set of parents.
    #: The best parents of each pattern: tested, but not part of the model.
    pattern_parents: tuple[tuple[int, ...], ...]
    proven: BoolArray  #: Whether no set of parents can score more than the chosen one.
    reasons: tuple[Reason, ...]  #: Why each event has the parents it has.

    def __post_init__(self) -> None:
        n, size = len(self.events), len(self.events) + len(self.patterns)
        shapes: dict[str, tuple[int, ...]] = {"gain": (n, n)}
        for name in ("priority", "raising", "co_occurrence", "outcome", "by_name"):
            shapes[name] = (size, size)
        for name in ("scores", "empty_scores", "next_scores", "proven"):
            shapes[name] = (size,)
        freeze_arrays(self, **shapes)
        if not np.isin(self.outcome, list(Outcome)).all():
            raise ModelError(f"outcome must be 0 to {max(Outcome)}")
        for name, length in (("next_parents", size), ("pattern_parents", len(self.patterns))):
            sets = getattr(self, name)
            if len(sets) != length or any(not 0 <= k < size for each in sets for k in each):
                raise ModelError(f"{name} must be {length} sets of columns below {size}")

    @cached_property
    def columns_tested(self) -> tuple[str, ...]:
        """Names of the rows and columns: the events, then the patterns."""
        return (*self.events, *(Pattern.parse(text).name for text in self.patterns))

    def columns(self, _model: ConditionalDag) -> dict[str, FloatArray]:
        """Return how much the parents of each event add to its score; NaN without parents."""
        n = len(self.events)
        chosen = (self.outcome == Outcome.PARENT).any(axis=0)[:n]
        return {"gain": np.where(chosen, (self.scores - self.empty_scores)[:n], np.nan)}

    def pair_scores(self) -> PairScores:
        """Return how much each event, as the only parent, adds to the score of another."""
        n = len(self.events)
        return PairScores("gain", self.gain, np.asarray(self.outcome >= Outcome.SCORE)[:n, :n])

    def table(self) -> "pd.DataFrame":
        """Return one row for each pair that was tested, with its tests and what became of it."""
        import pandas as pd

        names = np.array(self.columns_tested, dtype=object)
        i, j = np.nonzero(self.outcome != Outcome.NOT_TESTED)
        words = np.array([Outcome(k).name.lower() for k in range(len(Outcome))], dtype=object)
        return pd.DataFrame(
            {
                "parent": names[i],
                "child": names[j],
                f"priority {self.measure}": self.priority[i, j],
                f"raising {self.measure}": self.raising[i, j],
                "co_occurrence": self.co_occurrence[i, j],
                "outcome": words[self.outcome[i, j]],
            }
        )

    def notes(self) -> tuple[Fact, ...]:
        """Return how relations were decided, what could not be, and what became of patterns."""
        return (*self._relation_facts(), *self._pattern_facts())

    def _relation_facts(self) -> Iterator[Fact]:
        n = len(self.events)
        outcomes = {
            each.name.lower(): int((self.outcome[:n, :n] == each).sum()) for each in Outcome
        }
        yield Fact("relations", values={"measure": self.measure, **outcomes})
        for pair in np.argwhere(self.by_name & (self.outcome >= Outcome.SCORE)):
            yield Fact("direction by name", self._names(pair))
        less = (self.scores - self.next_scores)[:n]
        if tied := self._names(np.flatnonzero(less < EQUAL_SCORES)):
            yield Fact("equal parent sets", tied)
        if unproven := self._names(np.flatnonzero(~self.proven)):
            yield Fact("search not complete", unproven, doubt="search not complete")

    def _pattern_facts(self) -> Iterator[Fact]:
        for name, why, other in self.refused:
            yield Fact("pattern refused", (name, other) if other else (name,), {"why": why})
        idle = []
        for column, text in enumerate(self.patterns, start=len(self.events)):
            name, formula = self.columns_tested[column], str(Pattern.parse(text).formula)
            if effects := self._names(np.flatnonzero(self.outcome[column] == Outcome.PARENT)):
                yield Fact("pattern effects", (name, *effects), {"formula": formula})
            else:
                idle.append(name)
            if causes := self._names(self.pattern_parents[column - len(self.events)]):
                yield Fact("pattern causes", (name, *causes))
        if idle:
            yield Fact("patterns without effect", tuple(idle))

    def _names(self, columns: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.columns_tested[k] for k in columns)

    def remark(self, event: int, reason: Reason, counts: Counts, _dag: ConditionalDag) -> Fact:
        """Return why an event has the parents it has."""
        following = tuple(sorted(self._names(self.next_parents[event])))
        outcome = self.outcome[:, event]
        values: dict[str, float | str] = {
            "score": self.score_name,
            "candidates": int((outcome >= Outcome.SCORE).sum()),
            "less": float(self.scores[event] - self.next_scores[event]),
        }
        match reason:
            case Reason.EDGE:
                values["parents"] = int((outcome == Outcome.PARENT).sum())
                values["gain"] = float(self.scores[event] - self.empty_scores[event])
                return Fact("best parents", following, values)
            case Reason.FILTERED:
                return Fact("candidates too weak", following, values)
            case Reason.NO_PARENT:
                fallen = (Outcome.TIME, Outcome.RAISING, Outcome.LOOP)
                lost = {each.name.lower(): int((outcome == each).sum()) for each in fallen}
                return Fact("no candidate", values=lost)
            case Reason.TIED:
                return same_samples(counts, event)
            case _:
                return Fact(str(reason))


def parse_patterns(text: str) -> tuple[str, ...]:
    """Read patterns, separated by semicolons, as the command line gives them."""
    found = tuple(map(canonical, split_patterns(text)))
    if not found:
        raise ParameterError("patterns", "NAME = XOR(A, B)", text)
    return found


def parse_events(text: str) -> tuple[str, ...]:
    """Read names of events, separated by semicolons, as the command line gives them."""
    names = tuple(name.strip() for name in text.split(";") if name.strip())
    return () if names == (NO_EVENT,) else names


def _check_texts(name: str, value: Any) -> None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ParameterError(name, "a tuple of texts", value)


_PATTERNS = ParameterKind(parse_patterns, _check_texts)
_EVENTS = ParameterKind(parse_events, _check_texts)


@dataclass(frozen=True, kw_only=True)
class Capri(Parameters):
    """Infer a DAG by CAPRI: prima facie causes, and of these the parents of highest score.

    An event may be a parent of another if it is more frequent and raises its probability. Of these
    candidates each event gets the set of highest score, which is found exactly.

    Parameters
    ----------
    score
        By which parents are chosen: ``"bic"``, ``"aic"`` or ``"loglik"``, the log-likelihood less
        log(n)/2, 1 or 0 for each probability of the tables.
    decide
        How relations are decided. ``"share"``: by the share of the resamples in which the parent is
        more frequent, and raises the probability. ``"rank"``: by Mann and Whitney's tests of the
        resampled probabilities, as TRONCO does.
    resamples
        How often the data is resampled; 0 to decide by the data itself.
    level
        A relation holds in at least 1 - `level` of the resamples; or the p-value of its rank test
        is less than `level`. Where neither of two events is clearly the more frequent one, the
        stronger direction is tested.
    noise
        Error rates that probabilities are corrected for before they are compared;
        ``"estimate"`` takes those that are likeliest for the forest of CAPRESE.
    max_parents
        The largest number of parents of an event; None for no limit below 16.
    patterns
        Patterns to test as parents, and as effects, such as ``"RAS = XOR(KRAS, NRAS)"``;
        ``"homologous"``, one for each gene with several events; ``"pairs XOR(A, B, C)"``, one for
        each pair.
    cause, effect
        Events that may cause a pattern, or be its effect, where it does not name its own; None for
        all events that are not part of it.
    seed
        Of the resamples; the same seed gives the same answer.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> Capri().fit(ovarian()).model.edges
    (('8q+', '3q+'), ('5q-', '4q-'), ('8q+', '8p-'), ('5q-', '8p-'), ('8p-', 'Xp-'))

    References
    ----------
    Ramazzotti et al. (2015), Bioinformatics 31:3016-3026.
    """

    score: Score = option(
        "bic", "How parents are scored: bic, aic or loglik.", one_word(*get_args(Score))
    )
    decide: Decision = option(
        "share",
        "How relations are decided from resamples: share or rank.",
        one_word(*get_args(Decision)),
    )
    resamples: int = option(
        100, "Resamples of the data; 0 to decide by the data itself.", whole_number()
    )
    level: float = option(
        0.05, "Share of resamples in which a relation may fail, or its p-value.", number(0, 1, "()")
    )
    noise: NoiseOption = noise_option()
    max_parents: int | None = option(None, "Largest number of parents of an event.", whole_number())
    patterns: tuple[str, ...] = option(
        (),
        'Pattern to test, such as "RAS = XOR(KRAS, NRAS)"; or homologous; or "pairs XOR(A, B, C)".',
        _PATTERNS,
        repeat="pattern",
    )
    cause: tuple[str, ...] | None = option(
        None, "Event that may cause patterns, or none; all by default.", _EVENTS, repeat="cause"
    )
    effect: tuple[str, ...] | None = option(
        None,
        "Event that may be an effect of patterns, or none; all by default.",
        _EVENTS,
        repeat="effect",
    )
    seed: int = option(1, "Seed of the resamples.", SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "patterns", tuple(canonical(str(each)) for each in self.patterns))
        for name in ("cause", "effect"):
            given = getattr(self, name)
            object.__setattr__(self, name, None if given is None else tuple(map(str, given)))
            if given is not None and not self.patterns:
                remedy = Remedy("patterns", None, "gives one")
                raise ParameterError(name, "omitted without a pattern", given, remedy=remedy)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit. Fitted to 7 to 60 events, without patterns."""
        return 0.006 + 1e-5 * len(data.events) ** 2

    def fit(self, data: Dataset) -> OrderedFit[ConditionalDag, CapriEvidence]:
        """Infer the DAG of a data set.

        Raises
        ------
        DatasetError
            If a pattern names an event that the data does not have.
        """
        data = Dataset.of(data)
        tested = self._tested(data)
        recovery = self._recovery(data)
        noise = recovery.noise if recovery is not None else self.noise
        assert noise != "estimate"  # which has a recovery
        counts = Counts.of(tested.data)
        resamples = Resamples.of(tested.data, self.seed)
        relations = prima_facie(
            counts,
            resamples.counts(0, self.resamples) if self.resamples else None,
            tested.allowed,
            tested.members,
            decide=self.decide,
            level=self.level,
            noise=noise,
        )
        found = best_parent_sets(
            tested.data.values,
            tested.data.known,
            tested.data.events,
            relations.candidates,
            self.score,
            self.max_parents,
        )
        own = Counts.of(data) if tested.patterns else counts
        model = _dag(data.events, tested, found)
        evidence = self._evidence(tested, own, noise, relations, found)
        return OrderedFit.of(self, model, evidence, data, counts=own, recovery=recovery)

    def within(self, part: Dataset, whole: Dataset) -> "Capri":
        """Return the method without what names events of the whole that the part does not have."""
        expanded(self.patterns, whole, self.effect, self.cause)
        missing = set(whole.events) - set(part.events)

        def left(given: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if given is None else tuple(each for each in given if each not in missing)

        if not self.patterns:
            return self
        kept = replace(self, cause=left(self.cause), effect=left(self.effect))
        patterns = tuple(text for text in self.patterns if kept._fits(text, part))
        if not patterns:
            return replace(self, patterns=(), cause=None, effect=None)
        return replace(kept, patterns=patterns)

    def _fits(self, text: str, data: Dataset) -> bool:
        """Whether the data has all events of a pattern."""
        try:
            expanded([text], data, self.effect, self.cause)
        except DatasetError:
            return False
        return True

    def pair_score(self, counts: PairCounts, _evidence: CapriEvidence) -> FloatArray:
        """Return how much i, as the only parent of j, adds to the score of j."""
        return single_gains(counts, self.score)

    def _tested(self, data: Dataset) -> "_Tested":
        """Return the data with a column for each pattern, and which columns may be related."""
        patterns = expanded(self.patterns, data, self.effect, self.cause)
        columns, refused = evaluated(patterns, data)
        n = len(data.events)
        place = {event: k for k, event in enumerate(data.events)}
        allowed = np.zeros((n + len(columns), n + len(columns)), dtype=bool)
        allowed[:n, :n] = ~np.eye(n, dtype=bool)
        members: list[tuple[int, ...]] = [(k,) for k in range(n)]
        for k, column in enumerate(columns, start=n):
            allowed[k, [place[event] for event in column.pattern.effects or ()]] = True
            allowed[[place[event] for event in column.pattern.causes or ()], k] = True
            members.append(tuple(place[event] for event in column.pattern.formula.members))
        own = tuple(Pattern(each.pattern.name, each.pattern.formula) for each in columns)
        return _Tested(_with_columns(data, columns), own, refused, allowed, tuple(members))

    def _recovery(self, data: Dataset) -> Recovery | None:
        """Return the error rates of highest likelihood, if they are asked for."""
        if self.noise != "estimate":
            return None
        return infer(
            lambda counts: over_batch(caprese_parents, counts, _SHRINKAGE), "estimate", data
        ).recovery

    def _evidence(
        self,
        tested: "_Tested",
        counts: Counts,
        noise: Noise | None,
        relations: PrimaFacie,
        found: tuple[FoundParents, ...],
    ) -> CapriEvidence:
        n = len(counts.events)
        outcome = relations.outcome.copy()
        outcome[relations.candidates] = Outcome.SCORE
        for column, each in enumerate(found):
            outcome[list(each.parents), column] = Outcome.PARENT
        return CapriEvidence(
            **vars(relations) | {"outcome": outcome},
            events=counts.events,
            patterns=tuple(map(str, tested.patterns)),
            refused=tuple((each.name, each.why, each.event) for each in tested.refused),
            gain=single_gains(counts, self.score),
            score_name=self.score,
            scores=np.array([each.score for each in found]),
            empty_scores=np.array([each.empty_score for each in found]),
            next_scores=np.array([each.next_score for each in found]),
            next_parents=tuple(each.next_parents for each in found),
            pattern_parents=tuple(each.parents for each in found[n:]),
            proven=np.array([each.proven for each in found]),
            reasons=_reasons(counts, noise, outcome[:, :n]),
        )


class _Tested(NamedTuple):
    """Data with a column for each pattern, and what is known of the columns."""

    data: Dataset
    patterns: tuple[Pattern, ...]
    refused: tuple[Refused, ...]
    allowed: BoolArray
    members: tuple[tuple[int, ...], ...]


def _with_columns(data: Dataset, columns: Sequence[PatternColumn]) -> Dataset:
    if not columns:
        return data
    names = (*data.events, *(column.pattern.name for column in columns))
    values = np.column_stack([data.values, *(column.present for column in columns)])
    known = np.column_stack([data.known_mask, *(column.known for column in columns)])
    return Dataset(values, names, data.samples, known, patients=data.patients)


def _dag(
    events: tuple[str, ...], tested: _Tested, found: tuple[FoundParents, ...]
) -> ConditionalDag:
    """Return the DAG of the parents found for events, with the tables of the data."""
    n, values, sure = len(events), tested.data.values, tested.data.known_mask
    used = sorted({k - n for each in found[:n] for k in each.parents if k >= n})
    return ConditionalDag(
        events,
        tuple(tuple(k for k in each.parents if k < n) for each in found[:n]),
        tuple(
            table_of(values[:, j], sure[:, j], [(values[:, k], sure[:, k]) for k in each.parents])
            for j, each in enumerate(found[:n])
        ),
        tuple(str(tested.patterns[k]) for k in used),
        tuple(tuple(used.index(k - n) for k in each.parents if k >= n) for each in found[:n]),
    )


def _reasons(counts: Counts, noise: Noise | None, outcome: IntArray) -> tuple[Reason, ...]:
    clean = np.diagonal(pair_probabilities(counts, noise).first)
    return first_reason(
        (counts.never, Reason.NEVER),
        (counts.always, Reason.ALWAYS),
        ((clean <= 0) | (clean >= 1), Reason.NOISE),
        ((outcome == Outcome.PARENT).any(axis=0), Reason.EDGE),
        (counts.identical.any(axis=0), Reason.TIED),
        ((outcome == Outcome.SCORE).any(axis=0), Reason.FILTERED),
        (np.ones(len(counts.events), dtype=bool), Reason.NO_PARENT),
    )
