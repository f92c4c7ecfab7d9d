"""Floors: what a model predicts is no surer than the number of its samples allows.

A point estimate may call a sample impossible that only was not seen before. Numbers of highest
likelihood are stated as they are; predictions have a floor.
"""

from dataclasses import replace

import numpy as np

from caprese.models.dag import NoisyDag
from caprese.models.forest import NoisyForest
from caprese.models.noise import Noise
from caprese.models.poset import NoisyPoset
from caprese.models.timed_forest import NoisyTimedForest

_RATE = 0.5  # errors that every data set is taken to have, at least


def floored_forest(model: NoisyForest, samples: int) -> NoisyForest:
    """Return a forest whose numbers are no closer to 0 and 1 than so many samples allow.

    Probabilities are at least 1 / (s + 2), which is one success after s failures by the rule of
    succession, and at most 1 less that; error rates are at least 0.5 / s.

    Examples
    --------
    >>> from caprese.models.forest import ROOT, Forest
    >>> sure = NoisyForest(Forest(("a", "b"), (ROOT, 0), (1.0, 0.3)), Noise())
    >>> floored_forest(sure, 8)
    NoisyForest(forest=Forest(events=('a', 'b'), parents=(-1, 0), probabilities=(0.9, 0.3)),
                noise=Noise(false_positive=0.0625, false_negative=0.0625))
    """
    least = 1 / (samples + 2)
    probabilities = np.clip(model.forest.probabilities, least, 1 - least)
    forest = replace(model.forest, probabilities=probabilities)
    return NoisyForest(forest, floored_noise(model.noise, samples))


def floored_dag(model: NoisyDag, samples: int) -> NoisyDag:
    """Return a conjunctive DAG with the floors of `floored_forest`."""
    least = 1 / (samples + 2)
    dag = replace(model.dag, probabilities=np.clip(model.dag.probabilities, least, 1 - least))
    return NoisyDag(dag, floored_noise(model.noise, samples))


def floored_poset(model: NoisyPoset, samples: int) -> NoisyPoset:
    """Return a poset with the floors of `floored_forest`; rates are odds of probabilities."""
    most = samples + 1.0
    poset = replace(model.poset, rates=np.clip(model.poset.rates, 1 / most, most))
    return NoisyPoset(poset, max(model.error, _least_rate(samples)))


def floored_timed_forest(model: NoisyTimedForest, samples: int) -> NoisyTimedForest:
    """Return a timed forest with the floors of `floored_poset`, for both error rates."""
    most = samples + 1.0
    forest = replace(model.forest, rates=np.clip(model.forest.rates, 1 / most, most))
    return NoisyTimedForest(forest, floored_noise(model.noise, samples))


def floored_noise(noise: Noise, samples: int) -> Noise:
    """Return error rates of at least 0.5 / s; less where the other one leaves no room."""
    least, (positive, negative) = _least_rate(samples), noise.rates.tolist()
    return Noise(
        max(positive, min(least, (1 - negative) / 2)), max(negative, min(least, (1 - positive) / 2))
    )


def _least_rate(samples: int) -> float:
    return _RATE / max(2, samples)  # of one sample that of two: the two rates sum to less than 1
