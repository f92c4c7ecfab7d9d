"""What a sample of the posterior says about samples of patients: predictions by averaging."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import FloatArray, sealed
from caprese.data.dataset import Dataset
from caprese.fitting.forest_sampler import ForestSamples
from caprese.fitting.genotype_table import observation_codes
from caprese._core.names import places


def predictive_log_probabilities(samples: ForestSamples, data: Dataset) -> FloatArray:
    """Return the log-probability of each sample, averaged over all draws.

    Parameters
    ----------
    samples
        Draws from the posterior.
    data
        Samples that were not used to draw them, with the same events.

    Examples
    --------
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.fitting.forest_sampler import Chains, sample_forests
    >>> samples = sample_forests(ovarian(), seed=1, chains=Chains(chains=2, draws=50))
    >>> predictive_log_probabilities(samples, ovarian().take_samples([0, 1])).shape
    (2,)
    """
    found = draw_log_probabilities(samples, data)
    most = found.max(axis=0)
    return sealed(most + np.log(np.exp(found - most).mean(axis=0)))


def draw_log_probabilities(samples: ForestSamples, data: Dataset) -> FloatArray:
    """Return the log-probability of each sample under each draw, draws x samples.

    Draws of all chains stand one after another.
    """
    from caprese.kernels import forest_predictions

    codes, inverse = _codes(samples, data)
    found: FloatArray = forest_predictions.draw_log_probabilities(codes, *_draws(samples))
    return sealed(found[:, inverse])


def component_probabilities(samples: ForestSamples, data: Dataset) -> FloatArray:
    """Return the probability of each component for each sample, draws x components x samples."""
    from caprese.kernels import forest_predictions

    codes, inverse = _codes(samples, data)
    found: FloatArray = forest_predictions.draw_component_probabilities(codes, *_draws(samples))
    return sealed(found[..., inverse])


def predictive_event_probabilities(
    samples: ForestSamples, data: Dataset, *, new: bool = True
) -> FloatArray:
    """Return the probability that each event is truly there, samples x events.

    Parameters
    ----------
    samples
        Draws from the posterior.
    data
        The samples in question.
    new
        Whether they were not used to draw from the posterior. A draw then counts by how well it
        predicts the sample; draws that already know the sample count alike.
    """
    from caprese.kernels import forest_predictions

    codes, inverse = _codes(samples, data)
    draws = _draws(samples)
    heights: FloatArray = np.zeros((len(draws[0]), codes.shape[1]))
    if new:
        heights = forest_predictions.draw_log_probabilities(codes, *draws)
    shares = np.exp(heights - heights.max(axis=0))
    shares /= shares.sum(axis=0)
    found: FloatArray = forest_predictions.event_probabilities(codes, *(*draws, shares))
    order = [samples.events.index(event) for event in data.events]
    return sealed(np.ascontiguousarray(found.T[inverse][:, order]))


def _codes(samples: ForestSamples, data: Dataset) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the distinct genotypes, events as in the draws, and which each sample has."""
    order = places(data.events, samples.events, "draws and data")
    codes = np.ascontiguousarray(observation_codes(data)[:, order])
    _, first, inverse = np.unique(
        codes.view(f"V{codes.shape[1]}").ravel(), return_index=True, return_inverse=True
    )
    return np.ascontiguousarray(codes[first].T), inverse.ravel()


def _draws(samples: ForestSamples) -> tuple[NDArray[Any], ...]:
    """Return the draws of all chains as the compiled loops take them."""
    arrays = (samples.parents, samples.probabilities, samples.rates, samples.weights)
    return tuple(array.reshape(-1, *array.shape[2:]).copy() for array in arrays)
