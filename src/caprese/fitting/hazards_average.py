"""Hazards average: strengths of the penalty, and kinds of networks, weighed by held-out samples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, frozen
from caprese._core.progress import tell
from caprese.errors import ModelError
from caprese.fitting.hazards_ascent import (
    ROUGH,
    Objective,
    Observations,
    log_chances,
)
from caprese.fitting.stacking import stacking_weights
from caprese.kernels.functions import exp, log, product
from caprese.kernels.threads import over_spans

Rule = Literal["average", "auto"]
RULES: tuple[Rule, ...] = get_args(Rule)

_LEAST, _MOST = -3, 6  # powers of 2 over the number of samples, from which a strength is chosen
_STRIDES: dict[Rule, int] = {"auto": 1, "average": 2}  # from one power to the next
_WORSE = 0.01  # log-probability per sample below the best, at which the search has passed it
_WORTH_THREADS = 1e5  # states times events: about a millisecond of each step
_PATIENCE = 2  # strengths that are worse, after which it ends


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
        """The strength of the stated network: the geometric mean by weight, in two digits.

        More would depend on the processor.
        """
        most = int(self.weights.argmax())
        if self.weights[most] == 1:
            return float(self.strengths[most])
        return float(f"{exp(product(self.weights, log(self.strengths))).item():.2g}")


class Path(NamedTuple):
    """How strengths of the penalty predict, and what an average needs of all samples."""

    choice: StrengthChoice
    maxima: tuple[FloatArray, ...]  # parameters at each strength, without a column of the load
    weights: FloatArray  # of each of these in an average of genotypes
    order_weights: FloatArray | None  # in one of orders given genotypes; None: the same


def choose_strength(
    seen: Observations,
    objective: Objective,
    rule: Rule,
    *,
    folds: int,
    seed: int,
    beside: Sequence[Objective] = (),
) -> Path | None:
    """Weigh strengths of the penalty by cross-validation; None if there is only one sample.

    From 64 over the number of samples, with which hardly an effect is left, to 1/8 over it, or
    until weaker ones predict worse; each ascent starts from the end of the one before. Of a sample
    with seen orders the genotype is predicted, and the orders given the genotype. Where times make
    ascents long, only one fold is held out, and no others take part.

    Parameters
    ----------
    beside
        Others whose networks take part in an average. They are fitted without seen orders.
    """
    folds = min(folds, int(seen.times.sum()))
    if folds < 2:
        return None
    held_out = _folds(seen.times, folds, seed)
    if seen.long:
        held_out, beside = held_out[:1], ()
    found = list(_tried(seen, objective, rule, held_out))
    choice = _choice(found, seen, rule, held_out)
    if not beside:
        return Path(choice, tuple(each.maximum for each in found), choice.weights, None)
    plain, own = seen.without_orders(), len(found)
    observing = [objective.observation] * own
    for each in beside:
        found += _tried(plain, each, rule, held_out)
        observing += [each.observation] * (len(found) - len(observing))
    genotypes = _predicted(found, plain)
    weights = _stacked(genotypes, held_out)
    if plain is not seen:
        by_order = _order_weights(_predicted(found, seen) - genotypes, held_out)
    elif any(observing[own:]) and not objective.observation:
        by_order = _weights_of_some(genotypes, ~np.array(observing), held_out)
    else:
        by_order = None
    return Path(choice, tuple(each.maximum for each in found), weights, by_order)


def _order_weights(predicted: FloatArray, held_out: FloatArray) -> FloatArray:
    """Return weights under which the held-out orders are most probable, given the genotypes.

    Samples of which nothing was seen do not count.
    """
    ordered = (predicted != 0).any(axis=(0, 1))
    return _stacked(predicted[:, :, ordered], held_out[:, ordered])


def _weights_of_some(predicted: FloatArray, chosen: BoolArray, held_out: FloatArray) -> FloatArray:
    """Return the weights of some networks under which held-out samples are most probable."""
    weights = np.zeros(len(predicted))
    weights[chosen] = _stacked(predicted[chosen], held_out)
    return weights


class _Tried(NamedTuple):
    strength: float
    networks: tuple[FloatArray, ...]  # of the training part of each fold
    maximum: FloatArray  # of all samples, for an average; else that of the last fold


def _tried(
    seen: Observations, objective: Objective, rule: Rule, held_out: FloatArray
) -> Iterator[_Tried]:
    """Yield strengths, the strongest first, until weaker ones predict worse."""
    samples, folds = seen.times.sum(), len(held_out)
    whole = [seen.times] if rule == "average" else []
    training = [*(seen.times - times for times in held_out), *whole]
    powers, scores = range(_MOST, _LEAST - 1, -_STRIDES[rule]), list[float]()
    ends: Sequence[FloatArray | None] = [None] * len(training)
    for power in powers:
        objective = replace(objective, strength=2.0**power / samples)
        ends = found = _climb_all(seen, objective, training, ends)
        networks = [
            objective.loaded(end, seen, own) for end, own in zip(found, training, strict=True)
        ]
        one = _Tried(objective.strength, tuple(networks[:folds]), networks[-1])
        yield one
        scores.append(float(np.average(_predicted([one], seen)[0], weights=held_out)))
        tell("penalty strengths", len(scores), len(powers))
        after = np.array(scores[int(np.argmax(scores)) :])
        if (after < after[0] - _WORSE).sum() >= _PATIENCE:
            return


def _predicted(found: Sequence[_Tried], seen: Observations) -> FloatArray:
    """Return the log-probability of each observation, strengths x folds x observations."""
    return np.array([[log_chances(each, seen) for each in own.networks] for own in found])


def _choice(
    found: Sequence[_Tried], seen: Observations, rule: Rule, held_out: FloatArray
) -> StrengthChoice:
    """Return how strengths predict held-out samples, and the weights that follow."""
    predicted = _predicted(found, seen)
    scores = np.array([np.average(each, weights=held_out) for each in predicted])
    best, samples = int(scores.argmax()), held_out.sum()
    variances = np.array([_variance(each, held_out) for each in predicted - predicted[best]])
    errors = np.sqrt(variances / samples)
    if rule == "average":
        weights = _stacked(predicted, held_out)
    else:
        enough = scores + errors >= scores[best]
        weights = np.where(np.arange(len(scores)) == int(enough.argmax()), 1.0, 0.0)
    return StrengthChoice(np.array([each.strength for each in found]), scores, errors, weights)


def _stacked(predicted: FloatArray, held_out: FloatArray) -> FloatArray:
    """Return the weights of networks under which held-out samples are most probable."""
    often = held_out.ravel().astype(np.int64)
    return stacking_weights(np.repeat(predicted.reshape(len(predicted), -1), often, axis=1))


def _climb_all(
    seen: Observations,
    objective: Objective,
    training: Sequence[FloatArray],
    starts: Sequence[FloatArray | None],
) -> list[FloatArray]:
    """Return a maximum for each of several parts of the samples, on all cores."""

    def climb(first: int, last: int) -> list[FloatArray]:
        return [
            objective.maximum(seen, training[part], start=starts[part], tolerance=ROUGH).parameters
            for part in range(first, last)
        ]

    _, starts_of, *_ = seen.lattices
    states = (2.0 ** np.diff(starts_of)).sum() if seen.series is None else seen.series.states
    work = float(states) * len(seen.events)
    least = 1 if work > _WORTH_THREADS else len(training)
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
