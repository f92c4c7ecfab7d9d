"""Estimate: the numbers of a given model under which data is most likely.

The one place that knows which estimator belongs to which kind of model. A new kind registers its
own: ``@estimate.register``.
"""

from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, Protocol

from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.conditional_tables import TablesEstimate, fit_tables
from caprese.fitting.dag_em import DagEstimate, fit_dag
from caprese.fitting.forest_em import (
    ForestEstimate,
    RateIntervals,
    fit_forest,
    rate_intervals,
    recovered_edges,
)
from caprese.fitting.poset_em import PosetEstimate, fit_poset
from caprese.models.base import Model, Sampled, numbers_of
from caprese.models.conditional import ConditionalDag
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest, NoisyForest
from caprese.models.hazards import Hazards
from caprese.models.independence import Independence
from caprese.models.noise import Corrupted, Noise
from caprese.models.poset import Poset


class Estimate(Protocol):
    """A model with the numbers, and the error rates, of highest likelihood."""

    @property
    def model(self) -> Model:
        """The model with these numbers: what it says of observed data."""

    @property
    def log_likelihood(self) -> float:
        """Log-probability of the data."""

    @property
    def parameters(self) -> int:
        """How many numbers were estimated."""

    @property
    def noise(self) -> Noise | None:
        """The error rates; None for a model without errors."""


@dataclass(frozen=True)
class GivenNumbers:
    """A model that is taken as it is.

    Parameters
    ----------
    model
        The model.
    log_likelihood
        Of the data.
    parameters
        How many numbers the model has.
    """

    model: Model
    log_likelihood: float
    parameters: int

    @property
    def noise(self) -> Noise | None:
        """None: the model says itself what it takes for errors."""
        return None


@singledispatch
def estimate(model: Any, data: Dataset) -> Estimate:
    """Return a model with the numbers and error rates under which the data is most likely.

    A forest and a conjunctive DAG get two error rates, a poset becomes a hidden conjunctive
    Bayesian network with one, a conditional DAG gets the tables of the data. A mutual hazard
    network keeps its numbers: they are its structure, and without the penalty they would fit the
    data too closely. A model of another kind is taken as it is too, unless its kind was registered
    with ``estimate.register``.

    Parameters
    ----------
    model
        Its structure is used; its numbers are not, if its kind has an estimator.
    data
        The samples; unknown entries are summed over.

    Examples
    --------
    >>> from caprese.data.embedded import ovarian
    >>> from caprese.models.forest import ROOT
    >>> forest = Forest(ovarian().events, (ROOT, 0, ROOT, 2, 0, ROOT, 4), (0.5,) * 7)
    >>> best = estimate(forest, ovarian())
    >>> round(best.log_likelihood, 2), best.parameters
    (-377.61, 9)
    """
    log_likelihood = float(model.log_probabilities(data).sum())
    numbers = sum(values.size for values in numbers_of(model).values())
    return GivenNumbers(model, log_likelihood, numbers)


@estimate.register
def _forest(model: Forest, data: Dataset) -> ForestEstimate:
    return fit_forest(model, data)


@estimate.register
def _poset(model: Poset, data: Dataset) -> PosetEstimate:
    return fit_poset(model, data)


@estimate.register
def _dag(model: ConjunctiveDag, data: Dataset) -> DagEstimate:
    return fit_dag(model, data)


@estimate.register
def _conditional_dag(model: ConditionalDag, data: Dataset) -> TablesEstimate:
    return fit_tables(model, data)


@estimate.register
def _hazards(model: Hazards, data: Dataset) -> GivenNumbers:
    log_likelihood = float(model.log_probabilities(data).sum())
    return GivenNumbers(model, log_likelihood, len(model.events) + model.number_of_effects())


@estimate.register
def _independence(_model: Independence, data: Dataset) -> GivenNumbers:
    best = frequencies(data)
    return GivenNumbers(best, float(best.log_probabilities(data).sum()), len(best.events))


@singledispatch
def error_intervals(_found: Any, _data: Dataset, _level: float) -> RateIntervals | None:
    """Return intervals for the error rates of an estimate; None for a kind that has none."""
    return None


@error_intervals.register
def _forest_intervals(found: ForestEstimate, data: Dataset, level: float) -> RateIntervals:
    return rate_intervals(found, data, level=level)


@singledispatch
def with_errors(model: Any, _counts: Counts, noise: Noise) -> Sampled:
    """Return a model to draw from, its samples observed with errors at given rates.

    A forest gets the edge probabilities recovered from the pair counts, as Oncotree's generator
    has it; any other model keeps its own numbers.
    """
    return Corrupted(model, noise)


@with_errors.register
def _noisy_forest(model: Forest, counts: Counts, noise: Noise) -> NoisyForest:
    return NoisyForest(replace(model, probabilities=recovered_edges(model, counts, noise)), noise)


def frequencies(data: Dataset) -> Independence:
    """Return the independence model of a data set, one success and one failure added to each event.

    Examples
    --------
    >>> frequencies(Dataset.from_rows([[1, 0], [1, 0]], events="ab")).frequencies
    array([0.75, 0.25])
    """
    known = data.values.shape[0] if data.known is None else data.known.sum(axis=0)
    present = data.values if data.known is None else data.values & data.known
    return Independence(data.events, (present.sum(axis=0) + 1) / (known + 2))
