"""Refits: the replicates of a bootstrap, and what a method infers from each."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal, TypeVar, get_args

from caprese._core.checks import one_of
from caprese._core.progress import silent
from caprese.data.dataset import Dataset
from caprese.errors import ParameterError
from caprese.fitting.estimate import with_errors
from caprese.methods.fit import Fit, Method
from caprese.methods.protocols import SeededMethod
from caprese.models.noise import Noise
from caprese.simulation.replicates import Repeats, Replicates, Resamples, draws_like

Kind = Literal["nonparametric", "parametric", "statistical"]
"""Samples taken from the data with replacement, simulated from the model, or all with other seeds.
"""

T = TypeVar("T")


def source_of(
    fit: Fit[Any, Any],
    data: Dataset,
    kind: Kind,
    noise: Noise | Literal["estimate"] | None,
    seed: int,
) -> Replicates:
    """Return the replicates of the data of a fit."""
    one_of("kind", kind, get_args(Kind))
    if kind != "parametric" and noise is not None:
        raise ParameterError("noise", f"None in a {kind} bootstrap", noise)
    if kind == "nonparametric":
        return Resamples.of(data, seed)
    if kind == "statistical":
        if not isinstance(fit.method, SeededMethod):
            rule = "another, because this method draws no random numbers"
            raise ParameterError("kind", rule, kind)
        return Repeats(data, seed)
    if not isinstance(noise, Noise | None):
        one_of("noise", noise, ("estimate",))
    if noise == "estimate":
        return draws_like(data, fit.predictive, seed)
    model = fit.model if noise is None else with_errors(fit.model, fit.counts, noise)
    return draws_like(data, model, seed)


def refits(
    method: Method,
    source: Replicates,
    replicates: int,
    jobs: int,
    taken: Callable[[Fit[Any, Any]], T],
    *,
    step: int = 1,
) -> Iterator[list[T]]:
    """Fit a method to each replicate; yield what is taken of the fits, in order, some at a time."""
    from joblib import Parallel, delayed

    starts = range(0, replicates, step)
    yield from Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_fitted)(method, source, range(start, min(start + step, replicates)), taken)
        for start in starts
    )


def _fitted(
    method: Method, source: Replicates, numbers: range, taken: Callable[[Fit[Any, Any]], T]
) -> list[T]:
    with silent():
        return [taken(_refitted(method, source, replicate)) for replicate in numbers]


def _refitted(method: Method, source: Replicates, replicate: int) -> Fit[Any, Any]:
    if isinstance(source, Repeats):
        method = replace(method, seed=source.seed_of(replicate))
    return method.fit(source.dataset(replicate))
