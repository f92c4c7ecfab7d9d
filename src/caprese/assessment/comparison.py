"""Comparison: several methods on the same data, judged by the same likelihood."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from caprese._core.checks import listed
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.estimated import Estimate
from caprese.methods.evidence import SubtypeEvidence
from caprese.methods.fit import Fit, Fitted, fit_of
from caprese.models.base import Model, in_order_of


@dataclass(frozen=True)
class Compared:
    """A fit, and how likely the data is under its model.

    Parameters
    ----------
    fit
        The answer of a method.
    estimate
        Its model with the numbers and error rates that make the data likeliest.
    """

    fit: Fit[Any, Any]
    estimate: Estimate[Model]

    @property
    def mixes(self) -> bool:
        """Whether the method found subtypes, so that the stated model is only a part of it."""
        evidence = self.fit.evidence
        return isinstance(evidence, SubtypeEvidence) and len(evidence.subtypes) > 1

    @property
    def log_likelihood(self) -> float | None:
        """The log-likelihood of the data: of the estimated model, or of all subtypes together.

        None for subtypes of a fit that keeps no draws.
        """
        if not self.mixes:
            return self.estimate.log_likelihood
        try:
            found = self.fit.predictive
        except ModelError:
            return None
        data = None if self.fit.data is None else in_order_of(found.events, self.fit.data)
        return None if data is None else float(found.log_probabilities(data).sum())

    @property
    def bic(self) -> float | None:
        """Bayesian information criterion, of which less is better: each parameter has a price.

        None if it is not known how many parameters the model has.
        """
        if self.estimate.parameters is None or self.mixes:
            return None
        price = self.estimate.parameters * math.log(self.fit.samples)
        return price - 2 * self.estimate.log_likelihood


def compare(methods: Sequence[Fitted], data: Dataset) -> tuple[Compared, ...]:
    """Fit each method to the data, and judge each model by its likelihood with errors.

    Each model gets the numbers and error rates of highest likelihood, as `estimate` gives them: a
    forest two error rates, a poset those of a hidden conjunctive Bayesian network.

    Parameters
    ----------
    methods
        Methods, or fits to the data.

    Examples
    --------
    >>> from caprese.data.datasets import ovarian
    >>> from caprese.methods import Caprese, Oncotree
    >>> for one in compare([Caprese(), Oncotree()], ovarian()):
    ...     print(round(one.estimate.log_likelihood, 2), round(one.bic, 2))
    -377.61 795.42
    -371.09 782.36
    """
    data = Dataset.of(data)
    fits = [fit_of(method, data) for method in listed("methods", methods)]
    return tuple(Compared(fit, fit.estimate) for fit in fits)
