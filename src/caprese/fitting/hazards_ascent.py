"""Hazards ascent: rates and effects of highest penalised likelihood; strength of the penalty.

All parameters are logarithms in one matrix: in row i and column j the effect of event i on event j,
on the diagonal the base rates; in a further column, if the rate of observation may change, the
effects on it; and in a last one, if there is a load, what is added to the effects of all others on
each event.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen
from caprese._core.progress import tell
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.dense_hazards import DenseObservations
from caprese.fitting.stacking import stacking_weights
from caprese.kernels import hazards
from caprese.kernels.functions import exp, log, product
from caprese.kernels.threads import over_spans, small_products
from caprese.models.hazards import (
    Hazards,
    Lattices,
    is_dense,
    sub_lattices,
)

Penalty = Literal["l1", "l2", "symmetric"]
PENALTIES: tuple[Penalty, ...] = get_args(Penalty)
Rule = Literal["average", "auto"]
RULES: tuple[Rule, ...] = get_args(Rule)
Load = Literal["none", "common", "events"]
LOADS: tuple[Load, ...] = get_args(Load)

SMOOTHING = 1e-5  # |x| is replaced by sqrt(x^2 + SMOOTHING), as the package mhn does
_LIMIT = float(log(1e6))  # of all parameters: beyond, they cannot be told from infinity
STEPS = 5000
_FLAT = 1e-7  # slope at which an ascent ends
_LIMIT_REACHED = 1  # the status of scipy's L-BFGS-B
_CLOSE = 1e-3  # difference up to which rough maxima are climbed to the top, to be compared
_STRONGER = 4.0  # times the penalty, or weaker, at whose maxima further ascents start
_EXACT, _ROUGH = 1e-12, 1e-7  # relative gain at which an ascent ends: of an answer, of one fold
_LEAST, _MOST = -3, 6  # powers of 2 over the number of samples, from which a strength is chosen
_STRIDES: dict[Rule, int] = {"auto": 1, "average": 2}  # from one power to the next

_PILOT, _ROUNDS = 2.0, 2  # penalty times samples, and ascents, by which dense samples are drawn
_VERY_ROUGH = 1e-5  # relative gain at which these end

_LIGHT = 4.0  # times the squares of loads less their mean: a normal prior of deviation 0.35
_WORSE = 0.01  # log-probability per sample below the best, at which the search has passed it
_WORTH_THREADS = 1e5  # states times events: about a millisecond of each step
_PATIENCE = 2  # strengths that are worse, after which it ends


@dataclass(frozen=True)
class Observations:
    """The distinct observations of a data set, all in the same order.

    They share few sub-lattices, with seen orders or without. Last come dense ones, in thinned ones.
    """

    events: tuple[str, ...]
    present: BoolArray  # distinct observations x events
    known: BoolArray
    lattices: Lattices
    times: FloatArray  # how often each was observed
    dense: DenseObservations

    @classmethod
    def of(cls, data: Dataset) -> "Observations":
        """Return the observations of a data set."""
        distinct, which = data.distinct()
        codes = distinct.codes()
        dense = is_dense(codes)
        seen = sorted(_seen_orders(data, which).items())
        times = np.bincount(which, minlength=len(codes)).astype(np.float64)
        for (kind, _), number in seen:
            times[kind] -= number
        plain = np.flatnonzero(dense & (times > 0))
        thin: list[tuple[_Seen, float]] = [((kind, ()), times[kind]) for kind in plain.tolist()]
        thin += [each for each in seen if dense[each[0][0]]]
        seen = [each for each in seen if not dense[each[0][0]]]
        plain = np.flatnonzero((times > 0) & ~dense)
        kinds = np.array([*plain.tolist(), *(kind for (kind, _), _ in seen)], dtype=np.int64)
        often = np.array([*times[plain], *(float(number) for _, number in seen)])
        pairs = [
            (len(plain) + row, *pair) for row, ((_, own), _) in enumerate(seen) for pair in own
        ]
        lattices, order = sub_lattices(codes[kinds], *_rows_and_confidence(pairs))
        last = np.array([kind for (kind, _), _ in thin], dtype=np.int64)
        rows = np.concatenate([kinds[order], last])
        often = np.array([*often[order], *(float(number) for _, number in thin)])
        orders = tuple(_columns(own) for (_, own), _ in thin)
        found = DenseObservations(codes[last], orders)
        return cls(data.events, codes[rows] == 1, codes[rows] < 2, lattices, often, found)

    def drawn_at(self, parameters: FloatArray) -> "Observations":
        """Return the same with the sub-lattices of dense ones drawn by these parameters."""
        return replace(self, dense=self.dense.drawn_at(*_rates_and_effects(parameters)))

    def tallies(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how often each event is present and absent, in observations made so many times."""
        return times @ self.present, times @ (self.known & ~self.present)

    def varied(self, times: FloatArray) -> BoolArray:
        """Return which events are present in some of these observations and absent in others."""
        present, absent = self.tallies(times)
        return np.asarray((present > 0) & (absent > 0))


_Seen = tuple[int, tuple[tuple[int, int, float], ...]]  # a genotype, and what is seen of its orders


def _seen_orders(data: Dataset, which: IntArray) -> Counter[_Seen]:
    """Return how many samples have each genotype with the same seen orders, of those with any."""
    found: Counter[_Seen] = Counter()
    if data.orders is not None:
        starts, (_, *events) = data.orders.by_sample(), data.orders.pairs.T
        columns = (*(each.tolist() for each in events), data.orders.confidence.tolist())
        for sample in data.orders.ordered_samples().tolist():
            own = slice(starts[sample], starts[sample + 1])
            found[
                int(which[sample]), tuple(zip(*(each[own] for each in columns), strict=True))
            ] += 1
    return found


def _columns(pairs: tuple[tuple[int, int, float], ...]) -> tuple[IntArray, IntArray, FloatArray]:
    earlier, later, confidence = np.array(pairs).reshape(-1, 3).T
    return earlier.astype(np.int64), later.astype(np.int64), confidence.astype(np.float64)


def _rows_and_confidence(
    pairs: list[tuple[int, int, int, float]],
) -> tuple[IntArray, FloatArray]:
    rows = np.array(pairs, dtype=np.float64).reshape(-1, 4)
    return rows[:, :3].astype(np.int64), rows[:, 3].copy()


class Maximum(NamedTuple):
    """Where an ascent ended, and whether before it reached its limit of steps."""

    parameters: FloatArray
    converged: bool


@dataclass(frozen=True)
class Objective:
    """The penalised log-likelihood per sample, which is maximised."""

    penalty: Penalty
    strength: float
    observation: bool  # whether events may change the rate of observation
    load: Load = "none"  # what is added to all effects: nothing, one number, one for each event

    def value(
        self, parameters: FloatArray, seen: Observations, times: FloatArray
    ) -> tuple[float, FloatArray]:
        """Return the objective and its slopes, of observations made so many times."""
        loaded, samples = self.loaded(parameters, seen, times), times.sum()
        own, load = np.split(parameters, [len(parameters) + self.observation], axis=1)
        total, slopes = log_likelihood(loaded, seen, times)
        size, price = _PENALTIES[self.penalty](_effects(own))
        value = total / samples - self.strength * size
        by_own = slopes / samples - self.strength * price
        if self.load == "none":
            return value, by_own
        varied = seen.varied(times)
        unlike = (np.diag(varied) - _average(varied)) @ load
        by_effect = (slopes[:, : len(own)] * _pairs(varied)).sum(axis=0)
        by_load = self._spreading(varied) @ by_effect[:, None] - 2 * _LIGHT * unlike
        value -= _LIGHT * float((unlike**2).sum()) / samples
        return value, np.hstack([by_own, by_load / samples])

    def loaded(self, parameters: FloatArray, seen: Observations, times: FloatArray) -> FloatArray:
        """Return the parameters without a column of the load, which is added to the effects."""
        if self.load == "none":
            return parameters
        varied, found = seen.varied(times), parameters[:, :-1].copy()
        found[:, : len(found)] += _pairs(varied) * (self._spreading(varied) @ parameters[:, -1])
        return found

    def load_factor(self, parameters: FloatArray, seen: Observations) -> float:
        """Return the factor by which the load changes a rate, in the geometric mean."""
        varied = seen.varied(seen.times)
        if self.load == "none" or not varied.any():
            return 1.0
        return float(exp(parameters[varied, -1:].mean()).item())

    def _spreading(self, varied: BoolArray) -> FloatArray:
        """Return the matrix by which the column of the load becomes what is added on each event."""
        return _average(varied) if self.load == "common" else np.diag(varied.astype(np.float64))

    def best_maximum(self, seen: Observations) -> Maximum:
        """Return the best of three maxima, as there are many.

        One ascent starts from independent events, one from the few effects of a stronger penalty,
        one from the many of a weaker penalty on their squares.
        """
        few = replace(self, strength=_STRONGER * self.strength)
        many = replace(self, strength=self.strength / _STRONGER, penalty="l2")
        climb = partial(self.maximum, seen, seen.times)
        starts = [each.maximum(seen, seen.times, tolerance=_ROUGH) for each in (few, many)]
        first = [None, *(start.parameters for start in starts)]
        ends = [climb(start=start, tolerance=_ROUGH).parameters for start in first]
        heights = [self.value(end, seen, seen.times)[0] for end in ends]
        exact = [
            climb(start=end)
            for end, height in zip(ends, heights, strict=True)
            if height >= max(heights) - _CLOSE
        ]
        return max(exact, key=lambda end: self.value(end.parameters, seen, seen.times)[0])

    def maximum(
        self,
        seen: Observations,
        times: FloatArray,
        *,
        start: FloatArray | None = None,
        tolerance: float = _EXACT,
    ) -> Maximum:
        """Return a maximum, by L-BFGS from independent events or from a start.

        An event that is never or always seen says nothing of its effects: it gets the odds of one
        more success and failure as its rate, and effects of 1.
        """
        from scipy.optimize import minimize

        first, bounds = self.start_and_bounds(seen, times)
        shape = first.shape
        if start is not None:
            first = np.clip(start, *bounds)

        def loss(flat: FloatArray) -> tuple[float, FloatArray]:
            value, slopes = self.value(flat.reshape(shape), seen, times)
            return -value, -slopes.ravel()

        with small_products():
            found = minimize(
                loss,
                first.ravel(),
                jac=True,
                method="L-BFGS-B",
                bounds=np.column_stack([bound.ravel() for bound in bounds]),
                options={"maxiter": STEPS, "maxfun": 2 * STEPS, "ftol": tolerance, "gtol": _FLAT},
            )
        return Maximum(np.asarray(found.x).reshape(shape), found.get("status") != _LIMIT_REACHED)

    def start_and_bounds(
        self, seen: Observations, times: FloatArray
    ) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
        """Return the odds of the events as rates, without effects; and bounds of all parameters."""
        n = len(seen.events)
        present, absent = seen.tallies(times)
        constant = (present == 0) | (absent == 0)
        odds = (present + constant) / (absent + constant)
        first = np.zeros((n, n + self.observation + (self.load != "none")))
        np.fill_diagonal(first, np.clip(log(odds), -_LIMIT, _LIMIT))
        fixed = np.zeros(first.shape, dtype=bool)
        fixed[constant] = True
        fixed[:, :n] |= constant
        return first, (np.where(fixed, first, -_LIMIT), np.where(fixed, first, _LIMIT))


def log_likelihood(
    parameters: FloatArray, seen: Observations, times: FloatArray
) -> tuple[float, FloatArray]:
    """Return the log-likelihood of observations, and its slopes by all parameters."""
    n = len(parameters)
    rates, effects = _rates_and_effects(parameters)
    exact, thin = np.split(times, [len(times) - len(seen.dense.codes)])
    total, by_rate, by_effect = hazards.log_likelihood(rates, effects, exact, *seen.lattices)
    dense = seen.dense.log_likelihood(rates, effects, thin)
    total, by_rate, by_effect = total + dense[0], by_rate + dense[1], by_effect + dense[2]
    slopes = np.empty_like(parameters)
    slopes[:, :n] = by_effect
    slopes[:, n:] = -by_effect.sum(axis=1, keepdims=True)
    np.fill_diagonal(slopes, by_rate)
    return total, slopes


def log_chances(parameters: FloatArray, seen: Observations) -> FloatArray:
    """Return the log-probability of each observation."""
    rates, effects = _rates_and_effects(parameters)
    exact = log(hazards.chances(rates, effects, *seen.lattices))
    return np.concatenate([exact, seen.dense.log_chances(rates, effects)])


def _rates_and_effects(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return base rates and effects, relative to those on observation."""
    n = len(parameters)
    relative = parameters[:, :n] - parameters[:, n:].sum(axis=1, keepdims=True)
    np.fill_diagonal(relative, 0.0)
    return exp(parameters.diagonal()), exp(relative)


def observations(data: Dataset) -> Observations:
    """Return the observations of a data set; sub-lattices of dense ones are drawn near its maximum.

    First by independent events, then twice by rough maxima of the likelihood of what was drawn.
    """
    seen = Observations.of(data)
    if not len(seen.dense.codes):
        return seen
    objective = Objective("l1", _PILOT / seen.times.sum(), observation=False)
    end, _ = objective.start_and_bounds(seen, seen.times)
    for _ in range(_ROUNDS):
        seen = seen.drawn_at(end)
        end = objective.maximum(seen, seen.times, start=end, tolerance=_VERY_ROUGH).parameters
    return seen.drawn_at(end)


def as_hazards(events: tuple[str, ...], parameters: FloatArray) -> Hazards:
    """Return the model that has these parameters."""
    n = len(events)
    effects = exp(parameters[:, :n])
    np.fill_diagonal(effects, 1.0)
    return Hazards(events, exp(parameters.diagonal()), effects, exp(parameters[:, n:]).ravel())


def _average(varied: BoolArray) -> FloatArray:
    """Return the matrix that replaces the numbers of events that vary by their mean."""
    return np.asarray(np.outer(varied, varied) / max(1, varied.sum()))


def _pairs(varied: BoolArray) -> BoolArray:
    """Return which effects a load is added to: those of events that vary on each other."""
    return np.asarray(varied[:, None] & varied & ~np.eye(len(varied), dtype=bool))


def _effects(parameters: FloatArray) -> FloatArray:
    """Return the parameters without the base rates, which have no penalty."""
    effects = parameters.copy()
    np.fill_diagonal(effects, 0.0)
    return effects


def _l1(effects: FloatArray) -> tuple[float, FloatArray]:
    sizes = np.sqrt(effects**2 + SMOOTHING)
    return float(sizes.sum() - np.trace(sizes)), effects / sizes


def _l2(effects: FloatArray) -> tuple[float, FloatArray]:
    return float((effects**2).sum()), 2 * effects


def _symmetric(effects: FloatArray) -> tuple[float, FloatArray]:
    pairs, observed = np.split(effects, [len(effects)], axis=1)
    sizes = np.sqrt(pairs**2 + pairs.T**2 - pairs * pairs.T + SMOOTHING)
    alone = np.sqrt(observed**2 + SMOOTHING)
    price = np.hstack([(2 * pairs - pairs.T) / (2 * sizes), observed / alone])
    return float(np.triu(sizes, 1).sum() + alone.sum()), price


_PENALTIES: dict[Penalty, Callable[[FloatArray], tuple[float, FloatArray]]] = {
    "l1": _l1,
    "l2": _l2,
    "symmetric": _symmetric,
}


@dataclass(frozen=True, eq=False)
class StrengthChoice(ArrayValue):
    """How well penalties of several strengths predict held-out samples."""

    strengths: FloatArray  #: From the strongest.
    scores: FloatArray  #: For each the log-probability per held-out sample.
    #: The standard error of the difference between each score and the best, paired over samples.
    errors: FloatArray
    #: Of each strength in the prediction; that of the one that was chosen is 1.
    weights: FloatArray

    def __post_init__(self) -> None:
        for name in ("strengths", "scores", "errors", "weights"):
            array = frozen(getattr(self, name), np.float64)
            if array.shape != (max(1, len(self.strengths)),):
                raise ModelError(f"{name} must be one number per strength, got {array.shape}")
            object.__setattr__(self, name, array)

    @property
    def best(self) -> int:
        """Position of the strength that predicts best."""
        return int(self.scores.argmax())

    @property
    def strength(self) -> float:
        """The strength of the stated network: the geometric mean by weight."""
        most = int(self.weights.argmax())
        if self.weights[most] == 1:
            return float(self.strengths[most])
        return float(exp(product(self.weights, log(self.strengths))).item())


class Path(NamedTuple):
    """How strengths of the penalty predict, and what an average needs of all samples."""

    choice: StrengthChoice
    maxima: tuple[FloatArray, ...]  # parameters at each strength, without a column of the load


def choose_strength(
    seen: Observations, objective: Objective, rule: Rule, *, folds: int, seed: int
) -> Path | None:
    """Weigh strengths of the penalty by cross-validation; None if there is only one sample.

    From 64 over the number of samples, with which hardly an effect is left, to 1/8 over it, or
    until weaker ones predict worse; each ascent starts from the end of the one before. Of a sample
    with seen orders the genotype is predicted, and the orders given the genotype.
    """
    samples = int(seen.times.sum())
    folds = min(folds, samples)
    if folds < 2:
        return None
    held_out = _folds(seen.times, folds, seed)
    whole = [seen.times] if rule == "average" else []
    training = [*(seen.times - times for times in held_out), *whole]
    powers = range(_MOST, _LEAST - 1, -_STRIDES[rule])
    predicted, maxima = list[FloatArray](), list[FloatArray]()
    ends: Sequence[FloatArray | None] = [None] * len(training)
    for power in powers:
        objective = replace(objective, strength=2.0**power / samples)
        ends = found = _climb_all(seen, objective, training, ends)
        networks = [
            objective.loaded(end, seen, own) for end, own in zip(found, training, strict=True)
        ]
        predicted.append(np.array([log_chances(each, seen) for each in networks[:folds]]))
        maxima += networks[folds:]
        tell("penalty strengths", len(predicted), len(powers))
        scores = [float(np.average(each, weights=held_out)) for each in predicted]
        after = np.array(scores[int(np.argmax(scores)) :])
        if (after < after[0] - _WORSE).sum() >= _PATIENCE:
            break
    best = int(np.argmax(scores))
    differences = np.array(predicted) - predicted[best]
    errors = np.array([np.sqrt(_variance(each, held_out) / samples) for each in differences])
    strengths = 2.0 ** np.array(powers[: len(predicted)]) / samples
    if rule == "average":
        often = held_out.ravel().astype(np.int64)
        each_sample = np.repeat(np.reshape(predicted, (len(predicted), -1)), often, axis=1)
        weights = stacking_weights(each_sample)
    else:
        enough = np.array(scores) + errors >= scores[best]
        weights = np.where(np.arange(len(scores)) == int(enough.argmax()), 1.0, 0.0)
    return Path(StrengthChoice(strengths, np.array(scores), errors, weights), tuple(maxima))


def _climb_all(
    seen: Observations,
    objective: Objective,
    training: Sequence[FloatArray],
    starts: Sequence[FloatArray | None],
) -> list[FloatArray]:
    """Return a maximum for each of several parts of the samples, on all cores."""

    def climb(first: int, last: int) -> list[FloatArray]:
        return [
            objective.maximum(seen, training[part], start=starts[part], tolerance=_ROUGH).parameters
            for part in range(first, last)
        ]

    _, starts_of, *_ = seen.lattices
    work = float((2.0 ** np.diff(starts_of)).sum()) * len(seen.events)
    least = 1 if work > _WORTH_THREADS else len(training)
    with small_products():  # not only in each thread: the first that ends would undo it for all
        return [end for ends in over_spans(climb, len(training), least) for end in ends]


def _folds(times: FloatArray, folds: int, seed: int) -> FloatArray:
    """Return how often each observation is in each fold, folds x observations."""
    samples = np.repeat(np.arange(len(times)), times.astype(np.int64))
    fold = np.random.default_rng(seed).permutation(len(samples)) % folds
    found = np.zeros((folds, len(times)))
    np.add.at(found, (fold, samples), 1.0)
    return found


def _variance(values: FloatArray, times: FloatArray) -> float:
    total = (times * (values - np.average(values, weights=times)) ** 2).sum()
    return float(total / max(1.0, times.sum() - 1))
