"""Estimate: the numbers of a given model under which data is most likely.

The one table of the kinds of models: what each is called in files, which estimator belongs to it,
how many numbers it has, how samples are placed in it. A new kind is added by `register_model`.
"""

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ModelError, ParameterError
from caprese.fitting.dags import fit_dag, fit_tables
from caprese.fitting.estimated import Estimate
from caprese.fitting.floors import (
    floored_dag,
    floored_forest,
    floored_poset,
    floored_timed_forest,
)
from caprese.fitting.forest_em import RateIntervals, fit_forest, rate_intervals, recovered_edges
from caprese.fitting.poset_em import fit_poset
from caprese.fitting.timed_likelihood import fit_timed_forest
from caprese.models.base import MixedModel, Model, PlacingModel, Sampled
from caprese.models.dag import ConditionalDag, ConjunctiveDag, NoisyConditionalDag, NoisyDag
from caprese.models.forest import Forest, NoisyForest
from caprese.models.hazards import Hazards, NoisyHazards
from caprese.models.independence import Independence
from caprese.models.noise import Noise
from caprese.models.noisy import Observed
from caprese.models.poset import NoisyPoset, Poset, TimedPoset
from caprese.models.posterior import Posterior
from caprese.models.stacked import Stacked
from caprese.models.timed_forest import NoisyTimedForest, TimedForest

_PLACING = sorted(set(dir(PlacingModel)) - set(dir(Model)))  # what placing needs beyond a model


@dataclass(frozen=True, kw_only=True)
class ModelKind:
    """What the package has to know of a kind of model, beyond the methods of the model itself.

    Parameters
    ----------
    name
        What it is called in files and titles, such as "forest".
    type
        Its class, a frozen dataclass: files hold its fields, by their declared types.
    estimate
        Returns the model with the numbers under which data is most likely. None: a model is taken
        as it is.
    parameters
        Returns how many numbers of a model were estimated, if it is taken as it is. None: not
        known, and there is no BIC.
    placed
        Returns the model in which samples are placed. None: the model itself, if it is a
        `PlacingModel`.
    with_errors
        Returns what to draw samples with errors from, given the model, the pair counts of the data
        and the error rates. None: samples of the model, with errors added.
    error_intervals
        Returns intervals of the error rates of an estimate, given the estimate, the data and the
        keyword `level`. None: there are none.
    floored
        Returns the model by which samples are predicted, no surer than the number of samples
        allows, given that number. None: the model itself.

    Examples
    --------
    >>> kind_of(Independence(("a", "b"), (0.5, 0.2))).name
    'independence'
    """

    name: str
    type: type[Any]
    estimate: Callable[[Any, Dataset], Estimate[Any]] | None = None
    parameters: Callable[[Any], int] | None = None
    placed: Callable[[Any], PlacingModel] | None = None
    with_errors: Callable[[Any, Counts, Noise], Sampled] | None = None
    error_intervals: Callable[..., RateIntervals] | None = None
    floored: Callable[[Any, int], Any] | None = None

    def __post_init__(self) -> None:
        if not (isinstance(self.type, type) and is_dataclass(self.type)):
            raise ParameterError("type", "a dataclass", self.type)


def register_model(kind: ModelKind) -> None:
    """Add a kind of model: files, estimates, comparisons and placements then know it.

    Raises
    ------
    ParameterError
        If another class has the same name.
    """
    known = KINDS.get(kind.name, kind).type
    if known is not kind.type:
        rule = f"another than that of {known.__module__}.{known.__qualname__}"
        raise ParameterError("name", rule, kind.name)
    KINDS[kind.name] = kind


def kind_of(model: Any) -> ModelKind:
    """Return the kind of a model: that of its class, or of the nearest that it inherits from."""
    kinds = {each.type: each for each in KINDS.values()}
    return next((kinds[each] for each in type(model).__mro__ if each in kinds), _NOT_REGISTERED)


def own_kind(model: Any) -> ModelKind | None:
    """Return the kind of exactly this class, as files need it; None if it is not registered."""
    return next((kind for kind in KINDS.values() if kind.type is type(model)), None)


def kind_name(model: Any) -> str:
    """Return what a model is called, such as forest or dag; the name of its class if unknown."""
    kind = own_kind(model)
    return type(model).__name__ if kind is None else kind.name


def estimate(model: Any, data: Dataset) -> Estimate[Any]:
    """Return a model with the numbers and error rates under which the data is most likely.

    A forest, timed or not, and a conjunctive DAG get two error rates, a poset becomes a hidden
    conjunctive Bayesian network with one, a conditional DAG gets the tables of the data. A mutual
    hazard network keeps its numbers: they are its structure, and without the penalty they would fit
    the data too closely. A model of another kind is taken as it is too, unless it was registered
    with an estimator: see `caprese.extend.register_model`.

    Parameters
    ----------
    model
        Its structure is used; its numbers are not, if its kind has an estimator.
    data
        The samples; unknown entries are summed over.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> from caprese.models.forest import ROOT
    >>> forest = Forest(ovarian().events, (ROOT, 0, ROOT, 2, 0, ROOT, 4), (0.5,) * 7)
    >>> best = estimate(forest, ovarian())
    >>> round(best.log_likelihood, 2), best.parameters
    (-377.61, 9)
    """
    kind = kind_of(model)
    if kind.estimate is not None:
        return kind.estimate(model, data)
    return Estimate.of(model, data, None if kind.parameters is None else kind.parameters(model))


def predictive(found: Estimate[Any], samples: int) -> Any:
    """Return the model of an estimate as it predicts: no surer than so many samples allow.

    Error rates are at least 0.5 / s and probabilities within [1 / (s + 2), 1 - 1 / (s + 2)], of
    point estimates that have no prior; the estimate keeps its own numbers.
    """
    floored = kind_of(found.model).floored
    return found.model if floored is None else floored(found.model, samples)


def error_intervals(
    model: Any, found: Estimate[Any], data: Dataset, level: float
) -> RateIntervals | None:
    """Return intervals for the error rates of the estimate of a model; None if it has none."""
    intervals = kind_of(model).error_intervals
    return None if intervals is None else intervals(found, data, level=level)


def with_errors(model: Any, counts: Counts, noise: Noise) -> Sampled:
    """Return a model to draw from, its samples observed with errors at given rates.

    A forest gets the edge probabilities recovered from the pair counts, as Oncotree's generator
    has it; any other model keeps its own numbers, unless its kind says otherwise.
    """
    own = kind_of(model).with_errors
    return Observed(model, noise) if own is None else own(model, counts, noise)


def with_rates(model: Any, noise: Noise) -> Any:
    """Return a model, or a mixture of models, with error rates that were given in place of its own.

    A model without errors, or with draws of rates, is returned as it is.
    """
    if isinstance(model, MixedModel):
        parts = tuple(with_rates(part, noise) for part in model.models)
        if isinstance(model, Stacked):
            return replace(model, models=parts)
        return Stacked(parts, model.weights)
    has_rates = isinstance(getattr(model, "noise", None), Noise) and is_dataclass(model)
    return replace(model, noise=noise) if has_rates and "noise" in model.__dict__ else model


def can_place(model: Any) -> bool:
    """Whether a model, or its kind, says where samples stand."""
    try:
        placing(model)
    except ModelError:
        return False
    return True


def placing(model: Any) -> PlacingModel:
    """Return the model in which samples are placed; refuse one that lacks what that needs."""
    placed = kind_of(model).placed
    if placed is not None:
        return placed(model)
    if isinstance(model, PlacingModel):
        return model
    missing = ", ".join(name for name in _PLACING if not hasattr(model, name))
    raise ModelError(
        f"a {kind_name(model)} does not say what comes next, so samples have no place in it: "
        f"it lacks {missing}; add them, or register the model with "
        "caprese.extend.ModelKind(..., placed=...)"
    )


def frequencies(data: Dataset) -> Independence:
    """Return the independence model of a data set, one success and one failure added to each event.

    Examples
    --------
    >>> frequencies(Dataset.from_rows([[1, 0], [1, 0]], events="ab")).frequencies
    array([0.75, 0.25])
    """
    present, known = data.tallies()
    return Independence(data.events, (present + 1) / (known + 2))


def _fit_frequencies(_model: Independence, data: Dataset) -> Estimate[Independence]:
    return Estimate.of(frequencies(data), data, len(data.events))


def _number_of_hazards(model: Hazards) -> int:
    return len(model.events) + model.number_of_effects()


def _recovered_forest(model: Forest, counts: Counts, noise: Noise) -> NoisyForest:
    return NoisyForest(replace(model, probabilities=recovered_edges(model, counts, noise)), noise)


_NOT_REGISTERED = ModelKind(name="", type=ModelKind)
KINDS: dict[str, ModelKind] = {
    kind.name: kind
    for kind in (
        ModelKind(
            name="forest",
            type=Forest,
            estimate=fit_forest,
            with_errors=_recovered_forest,
            error_intervals=rate_intervals,
        ),
        ModelKind(name="dag", type=ConjunctiveDag, estimate=fit_dag),
        ModelKind(name="conditional dag", type=ConditionalDag, estimate=fit_tables),
        ModelKind(name="poset", type=Poset, estimate=fit_poset),
        ModelKind(name="timed poset", type=TimedPoset, estimate=fit_poset),
        ModelKind(name="timed forest", type=TimedForest, estimate=fit_timed_forest),
        ModelKind(name="hazards", type=Hazards, parameters=_number_of_hazards),
        ModelKind(name="independence", type=Independence, estimate=_fit_frequencies),
        ModelKind(name="noisy forest", type=NoisyForest, floored=floored_forest),
        ModelKind(name="noisy dag", type=NoisyDag, floored=floored_dag),
        ModelKind(name="noisy conditional dag", type=NoisyConditionalDag),
        ModelKind(name="noisy hazards", type=NoisyHazards),
        ModelKind(name="noisy poset", type=NoisyPoset, floored=floored_poset),
        ModelKind(name="noisy timed forest", type=NoisyTimedForest, floored=floored_timed_forest),
        ModelKind(name="posterior", type=Posterior),
        ModelKind(name="stacked", type=Stacked, placed=Stacked.placed),
    )
}
