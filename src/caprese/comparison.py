"""Comparison: several methods on the same data, judged by the same likelihood."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from caprese.dataset import Dataset
from caprese.estimation import MaximumLikelihood, maximum_likelihood
from caprese.hidden import PosetEstimate, fit_rates
from caprese.methods.base import Fit, Method
from caprese.models.poset import Poset

Estimate = MaximumLikelihood | PosetEstimate


@dataclass(frozen=True)
class Compared:
    """A fit, and how likely the data is under its model.

    Parameters
    ----------
    fit
        The answer of a method.
    estimate
        Its forest with the probabilities and error rates, or its poset with the rates and the
        error, that make the data likeliest.
    """

    fit: Fit[Any, Any]
    estimate: Estimate

    @property
    def bic(self) -> float:
        """Bayesian information criterion, of which less is better; each number has its price."""
        price = self.estimate.parameters * math.log(self.fit.samples)
        return price - 2 * self.estimate.log_likelihood


def compare(methods: Sequence[Method], data: Dataset) -> tuple[Compared, ...]:
    """Fit each method to the data, and judge each model by its likelihood with errors.

    A forest as such, with two error rates; a poset as a hidden conjunctive Bayesian network.

    Examples
    --------
    >>> from caprese.datasets import ovarian
    >>> from caprese.methods import Caprese, Oncotree
    >>> for one in compare([Caprese(), Oncotree()], ovarian()):
    ...     print(round(one.estimate.log_likelihood, 2), round(one.bic, 2))
    -377.61 795.42
    -371.09 782.36
    """
    fits = [method.fit(data) for method in methods]
    return tuple(Compared(fit, _estimate(fit.model, data)) for fit in fits)


def _estimate(model: Any, data: Dataset) -> Estimate:
    if isinstance(model, Poset):
        return fit_rates(model, data)
    return maximum_likelihood(model, data)
