"""Planning: with how many samples a judgement would support an order, and data a direction.

Data sets of a few sizes are drawn from a fitted model and judged; what is needed is read from
curves that are fitted to them.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.checks import SEEDS, seconds, whole
from caprese._core.progress import silent, tell
from caprese.assessment.directions import (
    CLEAR,
    Direction,
    Rests,
    directions,
    is_quick_to_turn,
)
from caprese.assessment.held_out import Candidate, gain_of
from caprese.assessment.judgement import Judgement
from caprese.assessment.plan import SHARE, Needed, Plan, PlannedDirection, Simulated
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, ModelError
from caprese.fitting.estimate import estimate, predictive
from caprese.fitting.turned import lost_by_turning
from caprese.methods import parse_method
from caprese.methods.fit import Fit, Method, OrderedFit, new_fit
from caprese.methods.protocols import CombiningMethod, cost_of

PLAN_BUDGET = 10.0
"""Seconds of computation that a plan takes by default."""

_SIZES = (1, 2, 4)  # times the samples at hand
_FEWEST, _MOST = 6, 20  # data sets of each size
_NUMBERS = 2e-6  # seconds to find the numbers of a structure, for each entry
_MOST_SAMPLES = 1_000_000  # beyond which no number is named
_TURNED, _AT_LEAST = 8, 500  # data sets whose edges are turned round, and samples in each
_SURE = NormalDist().inv_cdf(SHARE)
_INTERVAL = NormalDist().inv_cdf(0.95)  # standard errors to each side of a 90 % interval
_SAME = 1e-6  # nats per sample up to which both orders are as probable


def _not_announced(_seconds: float) -> None:
    pass


def plan(
    judgement: Judgement,
    data: Dataset,
    *,
    methods: Mapping[str, Candidate] | None = None,
    budget: float | str = PLAN_BUDGET,
    seed: int | None = None,
    announce: Callable[[float], object] = _not_announced,
    fits: Mapping[str, Fit[Any, Any]] | None = None,
) -> Plan:
    """Return with how many samples an order, and the directions of its edges, would be decided.

    The fit of the best method that states an order, and that the budget allows, is taken for the
    truth. Data sets of the same size, twice and four times as many samples are drawn from it and
    judged by this method, with the threshold and the folds of the judgement. The gain approaches a
    limit by 1 / samples, its error falls by their square root; with these curves the number of
    samples is found with which an order is supported in 80 % of data sets.

    The logarithm of the odds of an order of two events against the other grows linearly with
    samples. By how much is measured on larger data sets from the fit, in which each edge is turned
    round; needed are odds of 20. If both orders are equally probable no number decides. Directions
    are left out if the budget is too small for them.

    Parameters
    ----------
    judgement
        Of the data.
    data
        What was judged, after curation.
    methods
        Methods by the names of the judgement; by default those that its names say.
    budget
        Seconds of one core, or a text such as ``2m``; by the size of the data, never by the clock.
    seed
        Of the simulated data sets; by default that of the judgement.
    announce
        Called with the seconds of one core that the simulation takes, before it begins.
    fits
        Fits to the data that there are already, by the name of the method.

    Examples
    --------
    >>> from caprese import Caprese, datasets, judge
    >>> data = datasets.acml()
    >>> found = plan(judge([Caprese()], data), data, budget=2)
    >>> found.method, found.samples, len(found.simulated)
    ('caprese', 64, 3)
    """
    data = Dataset.of(data).without_orders()
    left = seconds("budget", budget)
    start = judgement.seed if seed is None else whole("seed", seed, *SEEDS)
    truth = _affordable(judgement, _methods(judgement, methods), data, left, start, fits or {})
    once = 0.0 if judgement.supports_order else truth.cost(judgement)
    turned, cost = _turned_within(truth, left - _FEWEST * once)
    number = min(_MOST, int((left - cost) / once)) if once else 0
    announce(cost + number * once)
    simulated: list[tuple[int, FloatArray, FloatArray]] = []
    for place, size in enumerate(truth.sizes if number else ()):
        tell("simulated data sets", place * number, len(_SIZES) * number)
        simulated.append((size, *_judged(truth, judgement, size, number)))
    return Plan(
        truth.name,
        len(data.samples),
        order_needed(simulated, judgement.errors) if simulated else None,
        tuple(_summary(*each, judgement.errors) for each in simulated),
        tuple(_directions(truth, turned)),
    )


def plan_within(
    judgement: Judgement,
    data: Dataset,
    budget: float | str,
    announce: Callable[[float], object] = _not_announced,
    fits: Mapping[str, Fit[Any, Any]] | None = None,
) -> Plan | None:
    """Return a plan of the usual budget, or of a smaller one that is given for a whole report.

    None if no method that states an order is quick enough.
    """
    try:
        least = min(PLAN_BUDGET, seconds("budget", budget))
        return plan(judgement, data, budget=least, announce=announce, fits=fits)
    except ModelError:
        return None


def _methods(judgement: Judgement, methods: Mapping[str, Candidate] | None) -> dict[str, Method]:
    """Return the methods of a judgement by name, as far as names tell."""
    found: dict[str, Any] = dict(methods or {})
    if judgement.choice is not None:
        found |= judgement.choice.methods()
    for name in judgement.methods:
        if name not in found:
            try:
                found[name] = parse_method(name)
            except CapreseError:  # a file, or the description of a method
                continue
    return {name: each for name, each in found.items() if isinstance(each, Method)}


@dataclass(frozen=True)
class _Truth:
    """The fit that is taken for the truth, and what is drawn from it."""

    name: str
    fit: OrderedFit[Any, Any]
    data: Dataset
    seed: int
    supported: bool  # whether an order is, by the judgement

    @cached_property
    def model(self) -> Any:
        """The model from which data sets are drawn."""
        return predictive(self.fit.estimate, len(self.data.samples))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Samples in the data sets that are judged."""
        return tuple(times * len(self.data.samples) for times in _SIZES)

    def drawn(self, size: int, *stream: int) -> Dataset:
        """Return a data set of a stream of random numbers."""
        drawn: Dataset = self.model.sample(size, np.random.default_rng([self.seed, *stream]))
        return drawn

    def cost(self, judgement: Judgement) -> float:
        """Return the seconds in which one data set of each size is judged."""
        first = (self.drawn(size, size, 0) for size in self.sizes)
        each = (cost_of(self.fit.method, own) + self.numbers(own) for own in first)
        return judgement.held_out * math.fsum(each)

    def numbers(self, data: Dataset) -> float:
        """Return about the seconds in which the numbers of one structure are found."""
        return _NUMBERS * data.genotypes()[0].values.size

    @cached_property
    def large(self) -> tuple[Dataset, ...]:
        """The data sets in which edges are turned round."""
        size = max(_AT_LEAST, *self.sizes)
        return tuple(self.drawn(size, 0, replicate) for replicate in range(_TURNED))


def _affordable(
    judgement: Judgement,
    methods: Mapping[str, Method],
    data: Dataset,
    budget: float,
    seed: int,
    fits: Mapping[str, Fit[Any, Any]],
) -> _Truth:
    """Return the best method that states an order, and that the budget allows to be judged."""
    tried = False
    for place in np.argsort(-judgement.scores, kind="stable").tolist():
        name = judgement.methods[place]
        method = methods.get(name)
        if method is None or place == judgement.reference or isinstance(method, CombiningMethod):
            continue
        most = budget / (_FEWEST * judgement.held_out)
        if cost_of(method, data) * len(_SIZES) > most:
            tried = True
            continue
        fit = fits[name] if name in fits else new_fit(method, data)
        if not isinstance(fit, OrderedFit):
            continue
        truth = _Truth(name, fit.on(data), data, seed, judgement.supports_order)
        if truth.supported or _FEWEST * truth.cost(judgement) <= budget:
            return truth
        tried = True
    raise ModelError(
        "no method that states an order is quick enough for the budget of a plan"
        if tried
        else "a plan needs a method that states an order among those judged"
    )


def _judged(
    truth: _Truth, judgement: Judgement, size: int, number: int
) -> tuple[FloatArray, FloatArray]:
    """Return gains over independent events, and their errors, in data sets of this size."""
    settings: Any = {"folds": judgement.folds, "held_out": judgement.held_out}
    found = []
    for replicate in range(number):
        with silent():
            drawn = truth.drawn(size, size, replicate)
            found.append(gain_of(truth.fit.method, drawn, seed=truth.seed, **settings))
    gains, errors = np.array([(each.mean, each.error) for each in found]).T
    return gains, errors


def _summary(size: int, gains: FloatArray, errors: FloatArray, threshold: float) -> Simulated:
    share = float((gains > threshold * errors).mean())
    return Simulated(size, len(gains), float(gains.mean()), float(errors.mean()), share)


def order_needed(simulated: list[tuple[int, FloatArray, FloatArray]], threshold: float) -> Needed:
    """Return the number of samples from the curves of gain and error.

    The gain is a + b / n, fitted with weights n, as its variance falls like 1 / n; the error and
    the spread of gains fall like 1 / sqrt(n).
    """
    sizes = np.concatenate([np.full(len(gains), float(size)) for size, gains, _ in simulated])
    gains = np.concatenate([gains for _, gains, _ in simulated])
    error = float(np.mean([np.sqrt(size) * errors.mean() for size, _, errors in simulated]))
    spread = float(np.sqrt(np.mean([size * gains.var(ddof=1) for size, gains, _ in simulated])))
    design = np.column_stack([np.ones_like(sizes), 1 / sizes])
    inverse = np.linalg.inv(design.T @ (sizes[:, None] * design))
    limit, slope = inverse @ (design.T @ (sizes * gains))
    unsure = _INTERVAL * spread * math.sqrt(inverse[0, 0])
    reach = threshold * error + _SURE * spread
    return Needed(
        _first(limit, slope, reach),
        _first(limit + unsure, slope, reach),
        _first(limit - unsure, slope, reach),
    )


def _first(limit: float, slope: float, reach: float) -> float:
    """Return the least n from which on limit + slope / n is at least reach / sqrt(n)."""
    if limit <= 0:
        return math.inf
    inner = reach**2 - 4 * limit * slope
    if inner < 0:  # the gain is beyond reach everywhere
        return 1.0
    root = (reach + math.sqrt(inner)) / (2 * limit)
    return math.inf if root**2 > _MOST_SAMPLES else max(1.0, math.ceil(root**2))


def _turned_within(truth: _Truth, budget: float) -> tuple[list[Direction], float]:
    """Return the directions that the data do not determine, and the cost of planning them.

    None if there are none, or if they cost more than the budget.
    """
    fit = truth.fit
    if not fit.edges or not is_quick_to_turn(fit.model, truth.data):
        return [], 0.0
    asked = [each for each in directions(fit) if each.rests is Rests.OPEN]
    cost = (len(fit.edges) + 1) * truth.numbers(truth.data)
    if asked:
        cost += (len(asked) + 1) * math.fsum(map(truth.numbers, truth.large))
    return (asked, cost) if cost <= budget else ([], 0.0)


def _directions(truth: _Truth, asked: Iterable[Direction]) -> Iterator[PlannedDirection]:
    """Yield how many samples each direction needs."""
    model = truth.fit.model
    place = {event: k for k, event in enumerate(model.events)}
    likelihoods: list[float] = []
    for each in asked:
        likelihoods = likelihoods or [estimate(model, own).log_likelihood for own in truth.large]
        pair = place[each.earlier], place[each.later]
        lost = [
            lost_by_turning(model, *pair, own, stated)
            for own, stated in zip(truth.large, likelihoods, strict=True)
        ]
        known = np.array([value for value in lost if value is not None])
        if len(known) == _TURNED:
            mean, needed = direction_needed(known, len(truth.large[0].samples))
            yield PlannedDirection(each.earlier, each.later, mean, needed)


def direction_needed(lost: FloatArray, size: int) -> tuple[float, Needed]:
    """Return the log-odds per sample, and from how many samples on they are clear."""
    mean, spread = float(lost.mean()) / size, float(lost.std(ddof=1)) / math.sqrt(size)
    unsure = _INTERVAL * spread / math.sqrt(size * len(lost))
    low, high = (_clear(each, spread) for each in (mean + unsure, mean - unsure))
    return mean, Needed(_clear(mean, spread), low, high)


def _clear(mean: float, spread: float) -> float:
    """Return the least n from which on n mean - z sqrt(n) spread is at least log 20."""
    if mean <= _SAME:
        return math.inf
    root = (_SURE * spread + math.sqrt((_SURE * spread) ** 2 + 4 * mean * CLEAR)) / (2 * mean)
    return math.inf if root**2 > _MOST_SAMPLES else max(1.0, math.ceil(root**2))
