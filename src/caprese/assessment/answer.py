"""Answer: what a judgement says, and the orders that the judged methods know together."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from caprese._core.environment import worker_count
from caprese._core.progress import silent, tell
from caprese._core.workers import in_order
from caprese.assessment.judgement import Judgement
from caprese.assessment.known import KnownOrders, orders_of_mixture
from caprese.assessment.referee import Choice, name_beside
from caprese.data.dataset import Dataset
from caprese.errors import ModelError, ParameterError
from caprese.fitting.stacking import stacking_weights
from caprese.methods import parse_method
from caprese.methods.fit import Fit, Method, new_fit
from caprese.methods.protocols import CombiningMethod


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known after a judgement.

    Parameters
    ----------
    fits
        The judged methods, each fitted to all samples, by name; mixtures are made of these.
    judgement
        How well they predict held-out samples; None of too few samples.
    known
        The orders that they know together, each by its weight in the mixture that was judged; or
        in a mixture of all of them. None if no order is supported, or nothing was judged.
    """

    fits: Mapping[str, Fit[Any, Any]]
    judgement: Judgement | None = None
    known: KnownOrders | None = None

    def place(self, fit: Fit[Any, Any]) -> int | None:
        """Return the place of a fit among the judged methods; None if its method is not judged."""
        for name, own in self.fits.items():
            if own.method == fit.method and self.judgement is not None:
                return self.judgement.methods.index(name)
        return None


def answered(
    judgement: Judgement | Choice,
    data: Dataset,
    *,
    fits: Iterable[Fit[Any, Any]] = (),
    jobs: int | None = None,
) -> Answer:
    """Fit the judged methods to all samples, and say which orders they know together.

    The weights of the methods come from the held-out samples of the judgement, so each method is
    fitted once.

    Parameters
    ----------
    judgement
        The judgement; or the choice of methods, if there are too few samples to judge.
    data
        All samples.
    fits
        Fits to these that there are already.
    jobs
        How many workers; by default as many as there are cores.

    Examples
    --------
    >>> from caprese import datasets, judge
    >>> data = datasets.ovarian()
    >>> found = answered(judge(None, data, budget=0.5), data)
    >>> found.known.first
    ('8q+', '5q-')
    """
    own = {fit.method: fit for fit in fits}
    methods = _methods(judgement, own)
    new = [name for name, each in methods.items() if each not in own and not _mixes(each)]
    tasks = [(methods[name], data) for name in new]
    done = {name: own[each] for name, each in methods.items() if each in own}
    for place, fit in enumerate(in_order(_fitted, tasks, worker_count(jobs))):
        if fit is not None:
            done[new[place]] = fit.on(data)
        tell("fits to all samples", place + 1, len(tasks))
    found = {name: done[name] for name in methods if name in done}
    if isinstance(judgement, Choice):
        return Answer(found)
    return Answer(found, judgement, _known(judgement, methods, found))


def _methods(judgement: Judgement | Choice, own: Collection[Method]) -> dict[str, Method]:
    """Return the methods by name, as far as they can be fitted again."""
    if isinstance(judgement, Choice):
        return judgement.methods()
    chosen = {} if judgement.choice is None else judgement.choice.methods()
    beside = {name_beside(each, chosen): each for each in own}
    found: dict[str, Method] = {}
    for name in judgement.methods:
        known = chosen.get(name, beside.get(name))
        with suppress(ParameterError):  # of a file, or of a method that has no words
            found[name] = parse_method(name) if known is None else known
    return found


def _mixes(method: Method) -> bool:
    return isinstance(method, CombiningMethod)


def _fitted(method: Method, data: Dataset) -> Fit[Any, Any] | None:
    """Return a fit with what is needed of it later; None if the method refuses the data."""
    with silent():
        try:
            fit = new_fit(method, data)
            fit.predictive, fit.estimate  # noqa: B018
        except ModelError:
            return None
    return fit


def _known(
    judgement: Judgement, methods: Mapping[str, Method], fits: Mapping[str, Fit[Any, Any]]
) -> KnownOrders | None:
    """Return what the mixture that was judged knows; if none was, a mixture of all methods."""
    if not judgement.supports_order:
        return None
    mixing = next((each for each in methods.values() if isinstance(each, CombiningMethod)), None)
    weights = stacking_weights if mixing is None else mixing.weights
    parts = {
        name: fit for name, fit in fits.items() if mixing is None or methods[name] in mixing.methods
    }
    if not parts:
        return None
    said = judgement.log_probabilities[[_place(judgement, name) for name in parts]]
    return orders_of_mixture(parts, np.asarray(weights(said)).tolist())


def _place(judgement: Judgement, name: str) -> int:
    """Return the place of a method, of one that learns from seen orders with these."""
    learner = f"{name} + orders"
    return judgement.methods.index(learner if learner in judgement.methods else name)
