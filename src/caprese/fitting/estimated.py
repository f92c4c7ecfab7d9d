"""Estimate: a model with the numbers of highest likelihood, and whether they converged.

An iteration that reached its limit still has an answer, the best that it came to, so nothing is
raised. The answer has a field `converged`; the evidence of a fit keeps it, and makes a note of the
fit from it. Chains have `Diagnostics` in its place, and rounds of recovery `settled`.
"""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from caprese._core.arrays import FloatArray
from caprese._core.facts import Fact
from caprese.data.dataset import Dataset
from caprese.models.base import Model
from caprese.models.noise import Noise

_SAME = 0.01  # difference of log-likelihood below which two searches found the same

M = TypeVar("M", bound=Model, covariant=True)


@dataclass(frozen=True)
class Estimate(Generic[M]):
    """A model with the numbers, and the error rates, of highest likelihood.

    Parameters
    ----------
    model
        The model with these numbers: what it says of observed data.
    log_likelihood
        Log-probability of the data.
    parameters
        How many numbers were estimated; None if that is not known.
    noise
        The error rates; None for a model without errors.
    converged
        Whether the iteration that found the numbers ended before it reached its limit.
    """

    model: M
    log_likelihood: float
    parameters: int | None = None
    noise: Noise | None = None
    converged: bool = True

    @classmethod
    def of(cls, model: Any, data: Dataset, parameters: int | None = None) -> "Estimate[Any]":
        """Return a model as it is, with the likelihood of the data."""
        return cls(model, float(model.log_probabilities(data).sum()), parameters)


def convergence_field() -> Any:
    """Return a field of evidence: whether it converged; files of earlier versions lack it."""
    return field(default=True, metadata={"optional": True})


def convergence_notes(steps: int, *, converged: bool) -> tuple[Fact, ...]:
    """Return the note on an iteration of at most so many steps; none if it converged."""
    if converged:
        return ()
    return (Fact("not converged", values={"steps": steps}, doubt="did not converge"),)


def searches_note(kind: str, ends: FloatArray) -> Fact:
    """Return the note on searches that ended at these likelihoods: how many found the best."""
    best = int((ends > ends.max() - _SAME).sum())
    doubt = "several optima" if best < len(ends) else ""
    return Fact(kind, values={"best": best, kind: len(ends)}, doubt=doubt)
