"""Hazards errors: the error rates of observation that are likeliest together with a network."""

from dataclasses import replace

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.fitting.ascent import ascend
from caprese.fitting.hazards_ascent import ROUGH, Objective, Observations, log_chances
from caprese.kernels.functions import exp, log, product
from caprese.models.noise import Noise

_PENALTY = 2.0  # over the number of samples: the strength at which errors are estimated
_SECOND = 20.0  # parameter of the Beta prior of both rates; the first is 1
_FIRST = np.array([-4.0, -2.0])  # log-odds of twice the rates, where the ascent starts
_FARTHEST = 12.0
_STEP = 1e-4  # of differences


def likeliest_errors(seen: Observations, objective: Objective) -> Noise:
    """Return the most probable error rates, both below 1/2.

    They are found together with the network, at a moderate strength of the penalty, so that they do
    not hang on its choice. Errors look like weak effects, so each rate has a Beta(1, 20) prior.
    """
    samples = float(seen.times.sum())
    objective = replace(objective, strength=_PENALTY / samples)
    first, (low, high) = objective.start_and_bounds(seen, seen.times)
    blurred = seen.with_errors(_errors(_FIRST))

    def height(flat: FloatArray) -> tuple[float, FloatArray]:
        network, odds = flat[:-2].reshape(first.shape), flat[-2:]
        here = blurred.with_errors(_errors(odds))
        value, slopes = objective.value(network, here, seen.times)
        loaded = objective.loaded(network, seen, seen.times)
        sides = [[_height(loaded, here, odds + way * step) for way in (1, -1)] for step in _STEPS]
        by_odds = [(up - down) / (2 * _STEP) for up, down in sides]
        value += _log_prior(odds) / samples
        return value, np.append(slopes.ravel(), np.array(by_odds) / samples)

    start = objective.maximum(blurred, seen.times, tolerance=ROUGH).parameters
    ends = np.full(2, _FARTHEST)
    bounds = np.append(low.ravel(), -ends), np.append(high.ravel(), ends)
    found = ascend(height, np.append(start.ravel(), _FIRST), bounds, gain=1e-9)
    return _errors(found.point[-2:])


_STEPS = _STEP * np.eye(2)


def _errors(odds: FloatArray) -> Noise:
    return Noise(*(0.5 / (1 + exp(-odds))).tolist())


def _height(network: FloatArray, seen: Observations, odds: FloatArray) -> float:
    """Return the log-probability of the observations, and of the error rates by their prior."""
    chances = log_chances(network, seen.with_errors(_errors(odds)))
    return float(product(seen.times, chances)) + _log_prior(odds)


def _log_prior(odds: FloatArray) -> float:
    return float((_SECOND - 1) * log(1 - _errors(odds).rates).sum())
