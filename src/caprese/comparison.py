"""Comparison: several methods on the same data, judged by the same likelihood."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from caprese.dataset import Dataset
from caprese.estimation import MaximumLikelihood, maximum_likelihood
from caprese.methods.base import Fit, Method


@dataclass(frozen=True)
class Compared:
    """A fit, and how likely the data is under its forest.

    Parameters
    ----------
    fit
        The answer of a method.
    estimate
        Its forest with the probabilities and error rates that make the data likeliest.
    """

    fit: Fit[Any, Any]
    estimate: MaximumLikelihood

    @property
    def bic(self) -> float:
        """Bayesian information criterion, of one probability for each event and two error rates."""
        parameters = len(self.fit.model.events) + 2
        return parameters * math.log(self.fit.samples) - 2 * self.estimate.log_likelihood


def compare(methods: Sequence[Method], data: Dataset) -> tuple[Compared, ...]:
    """Fit each method to the data, and judge each forest by its likelihood with errors.

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
    return tuple(Compared(fit, maximum_likelihood(fit.model, data)) for fit in fits)
