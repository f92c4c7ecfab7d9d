"""Planning: with how many samples a judgement would support an order, and data a direction.

Data sets of a few sizes are drawn from a fitted model and judged; what is needed is read from
curves that are fitted to them.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from statistics import NormalDist
from typing import Any

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.checks import SEEDS, seconds, whole
from caprese._core.progress import silent, tell
from caprese.assessment.directions import CLEAR, Rests, directions, is_quick_to_turn
from caprese.assessment.held_out import Candidate, gain_of
from caprese.assessment.judgement import Judgement
from caprese.assessment.plan import SHARE, Needed, Plan, PlannedDirection, Simulated
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, ModelError
from caprese.fitting.estimate import predictive
from caprese.fitting.turned import lost_by_turning
from caprese.methods import parse_method
from caprese.methods.fit import Method, OrderedFit, new_fit
from caprese.methods.protocols import CombiningMethod, cost_of

PLAN_BUDGET = 10.0
"""Seconds of computation that a plan takes by default."""

_SIZES = (1, 2, 4)  # times the samples at hand
_FEWEST, _MOST = 6, 20  # data sets of each size
_PER_ENTRY = (
    2.6e-6  # seconds of a fit where hardly any order is there, so that error rates are open
)
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
) -> Plan:
    """Return with how many samples an order, and the directions of its edges, would be decided.

    The fit of the best method that states an order, and that the budget allows, is taken for the
    truth. Data sets of the same size, twice and four times as many samples are drawn from it and
    judged by this method, with the threshold and the folds of the judgement. The gain approaches a
    limit by 1 / samples, its error falls by their square root; with these curves the number of
    samples is found with which an order is supported in 80 % of data sets.

    The logarithm of the odds of an order of two events against the other grows linearly with
    samples. By how much is measured on larger data sets from the fit, in which each edge is turned
    round; needed are odds of 20. If both orders are equally probable no number decides.

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

    Examples
    --------
    >>> from caprese import Caprese, datasets, judge
    >>> data = datasets.acml()
    >>> found = plan(judge([Caprese()], data), data)
    >>> found.method, found.samples, len(found.simulated)
    ('caprese', 64, 3)
    """
    data = Dataset.of(data).without_orders()
    left = seconds("budget", budget)
    start = judgement.seed if seed is None else whole("seed", seed, *SEEDS)
    name, fit, number, cost = _affordable(judgement, _methods(judgement, methods), data, left)
    method = fit.method
    truth = predictive(fit.estimate, len(data.samples))
    simulated: list[tuple[int, FloatArray, FloatArray]] = []
    if not judgement.supports_order:
        announce(cost)
        for place, times in enumerate(_SIZES):
            size = times * len(data.samples)
            tell("simulated data sets", place * number, len(_SIZES) * number)
            simulated.append((size, *_judged(truth, method, judgement, size, number, start)))
    return Plan(
        name,
        len(data.samples),
        order_needed(simulated, judgement.errors) if simulated else None,
        tuple(_summary(*each, judgement.errors) for each in simulated),
        tuple(_directions(fit, truth, start)),
    )


def plan_within(
    judgement: Judgement,
    data: Dataset,
    budget: float | str,
    announce: Callable[[float], object] = _not_announced,
) -> Plan | None:
    """Return a plan of the usual budget, or of a smaller one that is given for a whole report.

    None if no method that states an order is quick enough.
    """
    try:
        least = min(PLAN_BUDGET, seconds("budget", budget))
        return plan(judgement, data, budget=least, announce=announce)
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


def _affordable(
    judgement: Judgement, methods: Mapping[str, Method], data: Dataset, budget: float
) -> tuple[str, OrderedFit[Any, Any], int, float]:
    """Return the fit of the best method with an order that is quick, how often to judge it, cost.

    The cost is that of the simulation, in seconds.
    """
    tried = False
    for place in np.argsort(-judgement.scores, kind="stable").tolist():
        name = judgement.methods[place]
        method = methods.get(name)
        if method is None or place == judgement.reference or isinstance(method, CombiningMethod):
            continue
        once = cost_of(method, data) * judgement.held_out * sum(_SIZES)
        if once * _FEWEST > budget:
            tried = True
            continue
        fit = new_fit(method, data).on(data)
        if isinstance(fit, OrderedFit):
            once += _PER_ENTRY * data.values.size * judgement.held_out * sum(_SIZES)
            number = min(max(int(budget / once), _FEWEST), _MOST) if once else _MOST
            return name, fit, number, number * once
    raise ModelError(
        "no method that states an order is quick enough for the budget of a plan"
        if tried
        else "a plan needs a method that states an order among those judged"
    )


def _judged(
    truth: Any, method: Method, judgement: Judgement, size: int, number: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Return gains over independent events, and their errors, in data sets of this size."""
    folds, held_out = judgement.folds, judgement.held_out
    found = []
    for replicate in range(number):
        rng = np.random.default_rng([seed, size, replicate])
        with silent():
            drawn = truth.sample(size, rng)
            found.append(gain_of(method, drawn, folds=folds, held_out=held_out, seed=seed))
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


def _directions(fit: OrderedFit[Any, Any], truth: Any, seed: int) -> Iterator[PlannedDirection]:
    """Yield how many samples each direction needs that the data do not determine."""
    data = fit.data
    if data is None or not is_quick_to_turn(fit.model, data):
        return
    place = {event: k for k, event in enumerate(fit.model.events)}
    size = max(_AT_LEAST, max(_SIZES) * len(data.samples))
    drawn = [
        truth.sample(size, np.random.default_rng([seed, 0, replicate]))
        for replicate in range(_TURNED)
    ]
    for each in directions(fit):
        if each.rests is not Rests.OPEN:
            continue
        pair = place[each.earlier], place[each.later]
        lost = [lost_by_turning(fit.model, *pair, own) for own in drawn]
        known = np.array([value for value in lost if value is not None])
        if len(known) == _TURNED:
            mean, needed = direction_needed(known, size)
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
