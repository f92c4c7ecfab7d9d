"""Stack: a weighted mixture of what several methods predict."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray
from caprese._core.facts import Fact
from caprese._core.progress import silent, tell
from caprese.data.dataset import Dataset
from caprese.errors import ModelError, ParameterError
from caprese.fitting.stacking import ENOUGH, held_out_log_probabilities, stacking_weights
from caprese.methods.evidence import OrdersUsed, chains_disagree, freeze_arrays
from caprese.methods.fit import Fit, Method, new_fit
from caprese.methods.parameters import SEED, ParameterKind, Parameters, option, whole_number
from caprese.methods.protocols import cost_of, learns_from_orders, with_choices
from caprese.methods.registry import parse_method
from caprese.models.base import Model
from caprese.models.stacked import Stacked, mixed

_SHORT = ":draws=100:warm_up=100"  # chains that predict as well as longer ones


@dataclass(frozen=True, eq=False)
class StackEvidence(ArrayValue):
    """How much each part counts, and how well it predicts."""

    parts: tuple[str, ...]  #: The methods, with their parameters.
    weights: FloatArray  #: Of each part; 0 for one that was left out.
    #: The mean log-probability per held-out sample by each part; NaN for one that was left out, and
    #: with a single sample.
    scores: FloatArray
    score: float | None  #: The same of the mixture, with these weights; None of a single sample.
    samples: int  #: Of which the weights were learnt.
    refused: tuple[str, ...]  #: Why each part was left out; empty for one that was not.
    #: The seen orders that entered parts; None if none did.
    orders: OrdersUsed | None = field(default=None, metadata={"optional": True})
    #: Parts whose chains found different answers, so that their edges are not to be used.
    doubted: tuple[str, ...] = field(default=(), metadata={"optional": True})

    def __post_init__(self) -> None:
        freeze_arrays(self, weights=(len(self.parts),), scores=(len(self.parts),))
        if len(self.refused) != len(self.parts):
            raise ModelError("refused must be one reason per part, empty if there is none")

    @property
    def mixed(self) -> tuple[str, ...]:
        """The parts that were not left out."""
        both = zip(self.parts, self.refused, strict=True)
        return tuple(part for part, why in both if not why)

    def notes(self) -> tuple[Fact, ...]:
        """Return the weights, the largest first, and what was left out."""
        order = np.lexsort((np.arange(len(self.parts)), -self.weights)).tolist()
        kept = [place for place in order if not self.refused[place]]
        few = [Fact("weights of few samples", values={"samples": self.samples, "enough": ENOUGH})]
        return (
            Fact("stacked", values={"parts": len(kept), "score": self.score or np.nan}),
            *(self._part(place) for place in kept),
            *(() if self.orders is None else (self.orders.note(),)),
            *(few if self.samples < ENOUGH else ()),
            *(
                Fact("part left out", values={"part": part, "why": why})
                for part, why in zip(self.parts, self.refused, strict=True)
                if why
            ),
        )

    def _part(self, place: int) -> Fact:
        weight, score = float(self.weights[place]), float(self.scores[place])
        return Fact("weight", values={"part": self.parts[place], "weight": weight, "score": score})


@dataclass(frozen=True, repr=False)
class StackFit(Fit[Stacked, StackEvidence]):
    """A mixture of the predictive models of its parts; it predicts as it is."""

    @property
    def predictive(self) -> Stacked:
        """The mixture."""
        return self.model


def parse_parts(text: str) -> tuple[str, ...]:
    """Read methods, separated by semicolons."""
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _check_parts(name: str, value: Any) -> None:
    if not (isinstance(value, tuple) and value and all(isinstance(part, str) for part in value)):
        raise ParameterError(name, "one method or more, each NAME or NAME:PARAMETER=VALUE", value)
    if len(set(value)) < len(value):
        raise ParameterError(name, "different methods", value)
    for part in value:
        parse_method(part)


@dataclass(frozen=True, kw_only=True)
class Stack(Parameters):
    """Predict by a weighted mixture of several methods.

    Each part predicts samples that it was not fitted to; the weights are those under which the
    mixture makes them most probable. Few samples, up to about 80, pull them towards equal ones.

    Parameters
    ----------
    parts
        Methods, each as the command line takes it: NAME or NAME:PARAMETER=VALUE.
    folds
        Parts of the samples, each held out once to learn the weights.
    seed
        Seed of the folds; the same seed gives the same answer.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> fit = Stack(parts=("independence", "caprese", "oncotree")).fit(ovarian())
    >>> dict(zip(fit.evidence.parts, fit.model.weights.round(2).tolist()))
    {'independence': 0.17, 'caprese': 0.41, 'oncotree': 0.41}

    References
    ----------
    Yao et al. (2018), Bayesian Analysis 13:917-1007.
    """

    parts: tuple[str, ...] = option(
        (
            "independence",
            "caprese",
            f"bayes{_SHORT}",
            f"bayes:subtypes=auto{_SHORT}",
            "mhn",
            "mhn:observation=yes",
        ),
        "Methods that are mixed, each METHOD or METHOD:PARAMETER=VALUE.",
        ParameterKind(parse_parts, _check_parts),
        repeat="part",
    )
    folds: int = option(5, "Folds of the samples by which weights are learnt.", whole_number(2))
    seed: int = option(1, "Seed of the folds.", SEED)

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods that are mixed."""
        return tuple(parse_method(part) for part in self.parts)

    @property
    def uses_orders(self) -> bool:
        """Whether any of its parts learns from seen orders."""
        return any(map(learns_from_orders, self.methods))

    def weights(self, log_probabilities: FloatArray) -> FloatArray:
        """Return the weight of each part, from held-out samples: parts x samples."""
        return stacking_weights(log_probabilities)

    def cost(self, data: Dataset) -> float:
        """Return the seconds of one core of a fit: of each part to all data and without each fold.

        Parts that refuse the data cost nothing.
        """
        total = 0.0
        for part in self.methods:
            with suppress(ModelError):
                total += cost_of(part, data)
        return total * (self.folds + 1)

    def fit(self, data: Dataset) -> StackFit:
        """Infer a mixture from a data set; a frame or a 0/1 array is taken for one.

        A part that refuses the data, because of its size, is left out.

        Raises
        ------
        ModelError
            If all parts refuse the data.
        """
        data = Dataset.of(data)
        fits, refused = self._fits(data)
        learners = [_learner(with_choices(fit)) for fit in fits]
        predicted = held_out_log_probabilities(learners, data, folds=self.folds, seed=self.seed)
        return self._of(fits, refused, predicted, data)

    def combined(
        self, fits: Sequence[Fit[Any, Any] | None], log_probabilities: FloatArray, data: Dataset
    ) -> StackFit:
        """Return the mixture of fits of the parts, weighted by held-out samples: fits x samples.

        None for a part that was left out.
        """
        refused = ["was left out" if fit is None else "" for fit in fits]
        done = [fit for fit in fits if fit is not None]
        return self._of(done, refused, log_probabilities, data)

    def _of(
        self,
        fits: Sequence[Fit[Any, Any]],
        refused: Sequence[str],
        predicted: FloatArray,
        data: Dataset,
    ) -> StackFit:
        kept = np.array([not why for why in refused])
        own = self.weights(predicted)
        model = Stacked(tuple(fit.predictive for fit in fits), own)
        weights, scores = np.zeros(len(kept)), np.full(len(kept), np.nan)
        weights[kept] = own
        samples = predicted.shape[1]
        if samples:
            scores[kept] = predicted.mean(axis=1)
        score = float(mixed(predicted, own).mean()) if samples else None
        orders = data.orders if any(learns_from_orders(fit.method) for fit in fits) else None
        evidence = StackEvidence(
            self.parts,
            weights,
            scores,
            score,
            samples,
            tuple(refused),
            OrdersUsed.of(orders),
            tuple(
                part
                for part, fit in zip(compress(self.parts, kept), fits, strict=True)
                if chains_disagree(fit.evidence)
            ),
        )
        return StackFit.of(self, model, evidence, data)

    def _fits(self, data: Dataset) -> tuple[list[Fit[Any, Any]], list[str]]:
        """Return the fits of the parts that take the data, and why each other one does not."""
        fits, refused = [], []
        for place, method in enumerate(self.methods):
            tell("fits", place, len(self.parts))
            try:
                with silent():
                    fit = new_fit(method, data)
                    fit.predictive  # noqa: B018
            except ModelError as error:
                refused.append(str(error))
            else:
                fits.append(fit)
                refused.append("")
        if not fits:
            raise ModelError(f"no part of the stack takes the data: {refused[0]}")
        return fits, refused


def _learner(method: Method) -> Callable[[Dataset], Model]:
    return lambda training: new_fit(method, training).predictive
