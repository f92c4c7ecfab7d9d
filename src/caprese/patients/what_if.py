"""What if: what follows, in a model, when events are blocked or slowed.

A blocked event has rate 0 from now on, a slowed one its rate times a factor; nothing else of the
model changes. That is a consequence of the model, and as right as the model.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, sealed
from caprese._core.checks import SEEDS, instance, number, whole
from caprese._core.environment import worker_count
from caprese._core.progress import tell
from caprese._core.words import did_you_mean, number_of
from caprese.assessment.bootstrap import refits, source_of, spans
from caprese.errors import ModelError, ParameterError
from caprese.fitting.estimate import placing
from caprese.methods.fit import A_FIT, Fit, Method
from caprese.methods.protocols import with_choices
from caprese.models.base import AncestralModel, MixedModel, Model, PlacingModel, has_clock
from caprese.models.passage import (
    Goal,
    ListedPassage,
    Part,
    Reach,
    SimulatedPassage,
    distinct_genotypes,
    passage,
)
from caprese.patients.averaged_over import FEW, parts_of, untimed_genotypes, untimed_reach
from caprese.patients.outlooks import (
    Interval,
    Intervention,
    Outlook,
    Slowed,
    Target,
    WhatIf,
    time_factors,
)
from caprese.patients.rests_on import undetermined_orders

ENDS = (0.05, 0.95)  # of intervals, as shares of replicates or draws
NO_CLOCK = "this model has no clock, so it does not say {what}; the methods stack, mhn and hcbn do"


@dataclass(frozen=True, eq=False)
class Change:
    """An intervention: events that are blocked and slowed, and the factor of each event's rate."""

    blocked: tuple[str, ...]
    slowed: Slowed
    factors: FloatArray

    @classmethod
    def of(
        cls, model: Model, block: Iterable[str] | str, slow: Mapping[str, float] | None
    ) -> "Change":
        """Return an intervention in events that the model has."""
        blocked = tuple(dict.fromkeys((block,) if isinstance(block, str) else block))
        slowed = dict(instance("slow", {} if slow is None else slow, Mapping, "factors by event"))
        if not (blocked or slowed):
            raise ModelError("name an event to block, or one to slow with a factor")
        factors = np.ones(len(model.events))
        for event, factor in slowed.items():
            place = position(model.events, event)
            factors[place] = number(f"the factor of {event!r}", factor, 0, ends="(]")
        for event in blocked:
            if event in slowed:
                raise ModelError(f"{event!r} is blocked, so it cannot be slowed as well")
            factors[position(model.events, event)] = 0.0
        if slowed and not has_clock(model):
            raise ModelError(NO_CLOCK.format(what="what a slowed event delays"))
        return cls(blocked, tuple((name, float(f)) for name, f in slowed.items()), sealed(factors))

    def check(self, events: tuple[str, ...], target: Target) -> None:
        """Refuse a target that is blocked itself."""
        goal_of(events, target)
        if target in self.blocked:
            raise ModelError(f"the target {target!r} is blocked itself; block another event")


def position(events: tuple[str, ...], event: object) -> int:
    """Return the place of an event; a name that is not there is a `ModelError`."""
    if not isinstance(event, str) or event not in events:
        hint = did_you_mean(str(event), events)
        raise ModelError(f"the model has no event {event!r}{hint}")
    return events.index(event)


def goal_of(events: tuple[str, ...], target: Target) -> Goal:
    """Return what is to be reached: an event, or so many of the events of the model."""
    if isinstance(target, str):
        return Goal(event=position(events, target))
    if whole("target", target, 1) > len(events):
        held = number_of(len(events), "event")
        raise ModelError(f"the model has {held}, so {target} of them are never reached")
    return Goal(number=target)


@dataclass(frozen=True)
class Question:
    """Interventions and targets, all pairs of which are asked for, and where the process begins."""

    changes: tuple[Change, ...]
    targets: tuple[Target, ...]
    carried: tuple[str, ...] | None
    simulated: int
    seed: int

    def __post_init__(self) -> None:
        whole("simulated", self.simulated, 1)
        whole("seed", self.seed, *SEEDS)

    def __call__(self, fit: Fit[Any, Any]) -> FloatArray:
        """Return probabilities and median times in a fit: outlooks x without, with, twice."""
        model = model_of(fit)
        return self.numbers(parts_of(model, self.carried), timed=has_clock(model))[0]

    def numbers(self, parts: Sequence[Part], *, timed: bool) -> tuple[FloatArray, FloatArray, bool]:
        """Return the numbers, their standard errors, and whether any are of simulated paths."""
        events = parts[0].model.events
        goals = [goal_of(events, target) for target in self.targets]
        usual = self._reaches(parts, np.ones(len(events)), goals, timed)
        found, errors, simulated = [], [], usual[1]
        for place, change in enumerate(self.changes):
            tell("interventions", place, len(self.changes))
            changed = self._reaches(parts, change.factors, goals, timed)
            simulated |= changed[1]
            for pair in zip(usual[0], changed[0], strict=True):
                found.append([*(each.probability[0] for each in pair)])
                found[-1] += [each.median[0] for each in pair]
                errors.append(np.max([[*each[2], *each[3]] for each in pair], axis=0))
        return np.array(found), np.array(errors), simulated

    def _reaches(
        self, parts: Sequence[Part], factors: FloatArray, goals: Sequence[Goal], timed: bool
    ) -> tuple[list[Reach], bool]:
        if not timed:
            return untimed_reach(parts, factors == 0, goals), False
        found = self.passage(parts, factors)
        return [found.reach(goal) for goal in goals], found.simulated

    def passage(
        self, parts: Sequence[Part], factors: FloatArray
    ) -> ListedPassage | SimulatedPassage:
        """Return the passage from what is carried, at these factors of all rates."""
        start = np.isin(parts[0].model.events, self.carried or ())[None]
        return passage(parts, factors, start, simulated=self.simulated, seed=self.seed)


def intervene(
    fitted: Fit[Any, Any] | Model,
    *,
    block: Iterable[str] | str = (),
    slow: Mapping[str, float] | None = None,
    target: Target | None = None,
    carried: Iterable[str] | None = None,
    replicates: int = 0,
    simulated: int = 10_000,
    seed: int = 1,
    jobs: int | None = None,
) -> Intervention:
    """Return what follows in a model when events are blocked or slowed.

    A blocked event has rate 0, a slowed one its rate times a factor; nothing else changes. Exact,
    as long as the true genotypes of the model can be listed, up to 131,072 of them; else paths are
    simulated. A mixture is averaged over its parts that have a clock. A model without a clock says
    only how probably events are there when samples are taken, and only what blocking does.

    Parameters
    ----------
    fitted
        A fit, of which the predictive model is used; or a model.
    block, slow
        Events to block; events to slow, with a factor for each, such as 0.5.
    target
        An event, or a number of events, that is to be reached; by default each event by itself.
    carried
        The events that a patient carries, who lacks all others; time begins now. By default nothing
        is known of the sample, and time begins with the progression.
    replicates
        From how many resamples of the data intervals are; they need a fit with its data. Those of a
        posterior are from its draws.
    simulated
        How many paths are simulated where genotypes cannot be listed.
    seed
        For the paths and the replicates.
    jobs
        Number of workers for the replicates; by default the number of cores.

    Raises
    ------
    ModelError
        If there is no such event, if the target itself is blocked, or if the model lacks what is
        asked for, such as a clock.

    Examples
    --------
    >>> from caprese import TimedPoset
    >>> chain = TimedPoset(("a", "b"), ((), (0,)), rates=(1.0, 3.0))
    >>> slowed = intervene(chain, slow={"a": 0.5}, target="b").outlooks[0]
    >>> slowed.probability, round(slowed.probability_with, 3)
    (0.375, 0.25)
    >>> round(slowed.median_time, 2), round(slowed.median_time_with, 2), round(slowed.factor, 1)
    (1.06, 1.75, 1.7)
    >>> intervene(chain, block="a", target="b").outlooks[0].median_time_with
    inf
    """
    model = model_of(fitted)
    change = Change.of(model, block, slow)
    targets: tuple[Target, ...] = tuple(e for e in model.events if e not in change.blocked)
    if target is not None:
        change.check(model.events, target)
        targets = (target,)
    if not targets:
        raise ModelError("all events are blocked, so none is left to be reached")
    asked = Question((change,), targets, _carried(model, carried), simulated, seed)
    found = _answer(fitted, model, asked, replicates, jobs)
    genotypes, shares = _genotypes(model, asked)
    own = {each.name: getattr(found, each.name) for each in fields(WhatIf)}
    return Intervention(**own, genotypes=genotypes, shares=shares)


def rank_blocks(
    fitted: Fit[Any, Any] | Model,
    target: Target,
    *,
    carried: Iterable[str] | None = None,
    replicates: int = 0,
    simulated: int = 10_000,
    seed: int = 1,
    jobs: int | None = None,
) -> WhatIf:
    """Return what blocking each single event does to a target; what delays it most comes first.

    Parameters are those of `intervene`. Events that are carried already are left out.

    Examples
    --------
    >>> from caprese import TimedPoset
    >>> poset = TimedPoset(("a", "b", "c"), ((), (0,), ()), rates=(1.0, 3.0, 1.0))
    >>> for found in rank_blocks(poset, 2).outlooks:
    ...     print(*found.blocked, round(found.median_time, 2), round(found.median_time_with, 2))
    a 0.85 inf
    b 0.85 1.23
    c 0.85 1.06
    """
    model = model_of(fitted)
    there = _carried(model, carried)
    goal_of(model.events, target)
    left = [event for event in model.events if event != target and event not in (there or ())]
    if not left:
        raise ModelError("there is no event left that could be blocked")
    changes = tuple(Change.of(model, (event,), None) for event in left)
    asked = Question(changes, (target,), there, simulated, seed)
    found = _answer(fitted, model, asked, replicates, jobs)
    return replace(found, outlooks=tuple(sorted(found.outlooks, key=_most_delaying)))


def _most_delaying(found: Outlook) -> tuple[Any, ...]:
    delay = 1.0 if np.isnan(found.factor) else found.factor
    return round(-delay, 9), round(found.difference, 9), found.blocked


def model_of(fitted: Fit[Any, Any] | Model) -> PlacingModel:
    """Return the model that answers: the predictive one of a fit, or the model itself."""
    if isinstance(fitted, Method) or not (
        isinstance(fitted, Fit) or hasattr(fitted, "log_probabilities")
    ):
        raise ParameterError("fitted", "a fit or a model" if fitted is None else A_FIT, fitted)
    return placing(fitted.predictive if isinstance(fitted, Fit) else fitted)


def _carried(model: Model, carried: Iterable[str] | None) -> tuple[str, ...] | None:
    if carried is None:
        return None
    if not has_clock(model):
        raise ModelError(NO_CLOCK.format(what="what comes after the events that are carried"))
    given = tuple(dict.fromkeys((carried,) if isinstance(carried, str) else carried))
    for event in given:
        position(model.events, event)
    return given


def _answer(
    fitted: Fit[Any, Any] | Model,
    model: PlacingModel,
    asked: Question,
    replicates: int,
    jobs: int | None,
) -> WhatIf:
    timed = has_clock(model)
    parts = parts_of(model, asked.carried)
    numbers, errors, simulated = asked.numbers(parts, timed=timed)
    if whole("replicates", replicates):
        drawn = _replicates(fitted, asked, replicates, worker_count(jobs))
    else:
        drawn = _draws(model, parts, asked)
    pairs = [(change, target) for change in asked.changes for target in asked.targets]
    rows = zip(pairs, numbers.tolist(), errors.tolist(), _intervals(drawn, len(pairs)), strict=True)
    outlooks = tuple(
        Outlook(change.blocked, change.slowed, target, *own, *error, *interval)
        for (change, target), own, error, interval in rows
    )
    return WhatIf(
        model.events,
        _flagged(fitted, outlooks) if isinstance(fitted, Fit) else outlooks,
        timed,
        asked.carried,
        asked.simulated if simulated else 0,
        asked.seed,
        len(drawn),
    )


def _flagged(fit: Fit[Any, Any], outlooks: Sequence[Outlook]) -> tuple[Outlook, ...]:
    """Return outlooks with the orders that the data do not determine, where anything changes."""
    changed = [each for each in outlooks if each.difference]
    asked = [
        (
            (*each.blocked, *(event for event, _ in each.slowed)),
            each.target if isinstance(each.target, str) else None,
        )
        for each in changed
    ]
    pairs = undetermined_orders(fit, asked)
    if pairs is None:
        return tuple(outlooks)
    own = iter(pairs)
    return tuple(
        replace(each, undetermined=next(own) if each.difference else ()) for each in outlooks
    )


def _replicates(
    fitted: Fit[Any, Any] | Model, asked: Question, replicates: int, jobs: int
) -> FloatArray:
    """Return the numbers in fits to resamples of the data: replicates x outlooks x 4.

    What the method chose from the data is kept, unless it mixes what it could choose from.
    """
    if not isinstance(fitted, Fit) or fitted.data is None:
        raise ModelError("replicates need a fit with its data, which are resampled: fit.on(data)")
    source = source_of(fitted, fitted.data, "nonparametric", None, asked.seed)
    mixes = isinstance(fitted.predictive, MixedModel)
    method = fitted.method if mixes else with_choices(fitted)
    found: list[FloatArray] = []
    for own in refits(method, source, spans(replicates), jobs, asked):
        found += own
        tell("replicates", len(found), replicates)
    return np.array(found)


def _draws(model: PlacingModel, parts: Sequence[Part], asked: Question) -> FloatArray:
    """Return the numbers in the draws of a posterior: draws x outlooks x 4; none of other models.

    A draw may be a mixture, the parts of which follow each other.
    """
    if not isinstance(model, AncestralModel):
        return np.zeros((0, 1, 4))
    each = len(parts) // min(model.draws, FEW)
    alone = [Part(part.model, np.ones(1)) for part in parts]
    found = [asked.numbers([part], timed=has_clock(model))[0] for part in alone]
    shares = np.array([part.shares[0] for part in parts]).reshape(-1, each, 1, 1)
    mixed = (np.array(found).reshape(-1, each, *found[0].shape) * shares).sum(axis=1)
    return np.asarray(mixed / shares.sum(axis=1))


def _intervals(drawn: FloatArray, outlooks: int) -> Iterator[tuple[Interval | None, ...]]:
    """Yield intervals of the difference of probabilities and the factor of times."""
    for place in range(outlooks):
        if not len(drawn):
            yield None, None
            continue
        usual, changed, time, time_with = drawn[:, place].T
        factors = time_factors(time, time_with)
        sure = np.isfinite(time).all()
        yield _interval(changed - usual), _interval(factors) if sure else None


def _interval(values: FloatArray) -> Interval:
    low, high = np.quantile(values, ENDS, method="inverted_cdf").tolist()
    return low, high


def _genotypes(model: PlacingModel, asked: Question) -> tuple[BoolArray, FloatArray]:
    """Return true genotypes when samples are taken, with probabilities without and with."""
    parts, factors = parts_of(model, asked.carried), asked.changes[0].factors
    sides = []
    for each in (np.ones(len(factors)), factors):
        if has_clock(model):
            sides.append(asked.passage(parts, each).genotypes())
        else:
            sides.append(
                untimed_genotypes(parts, each == 0, simulated=asked.simulated, seed=asked.seed)
            )
    present = np.concatenate([side[0] for side in sides])
    shares = [np.pad(side[1], (0, len(present) - len(side[1]))) for side in sides]
    shares[1] = np.roll(shares[1], len(sides[0][0]))
    genotypes, usual = distinct_genotypes(present, shares[0])
    changed = distinct_genotypes(present, shares[1])[1]
    there = (usual > 0) | (changed > 0)
    order = np.lexsort((-changed, -usual))
    order = order[there[order]]
    return genotypes[order], np.column_stack([usual, changed])[order]
