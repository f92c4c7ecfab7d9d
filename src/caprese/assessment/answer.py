"""Answer: what a judgement says, and the orders that the judged methods know together."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.environment import worker_count
from caprese._core.facts import Fact
from caprese._core.progress import silent, tell
from caprese._core.significance import KNOWN
from caprese._core.workers import in_order
from caprese.assessment.judgement import Judgement, Word
from caprese.assessment.known import KnownOrders, orders_of_mixture
from caprese.assessment.planning import plan_within
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
    weights
        Of those that a mixture consists of: the mixture that was judged, or one of all of them.
        None if nothing was judged.
    """

    fits: Mapping[str, Fit[Any, Any]]
    judgement: Judgement | None = None
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def word(self) -> Word:
        """What held-out samples say of any order."""
        few = Word(False, (Fact("too few to judge"),))
        return few if self.judgement is None else self.judgement.word

    @property
    def refuted(self) -> bool:
        """Whether methods were judged, and none supports an order."""
        judged = self.judgement
        return judged is not None and len(judged.methods) > 1 and not judged.supports_order

    @property
    def undecided(self) -> bool:
        """Whether more samples are to decide: an order, or which of two events comes first."""
        return self.refuted or (self.known is not None and not self.known.firm)

    def planned(
        self, data: Dataset, budget: float | str, announce: Callable[[float], object]
    ) -> "Answer":
        """Return the answer with the number of samples that would decide what is undecided."""
        if self.judgement is None or not self.undecided or self.judgement.plan is not None:
            return self
        found = plan_within(self.judgement, data, budget, announce, self.fits)
        return replace(self, judgement=replace(self.judgement, plan=found))

    @cached_property
    def known(self) -> KnownOrders | None:
        """The orders that they know together; None if no order is supported."""
        found = self.judgement
        return self.stated() if found is not None and found.supports_order else None

    def stated(self, threshold: float = KNOWN) -> KnownOrders:
        """Return what the mixture states of the order of events; known is none that is unsupported.

        Methods whose fits mostly have chains that found different answers do not count.
        """
        parts = {name: self.fits[name] for name in self.weights} or self.fits
        found = orders_of_mixture(
            parts,
            [self.weights.get(name, 1.0) for name in parts],
            threshold=threshold,
            doubted=() if self.judgement is None else self.judgement.disagreeing,
        )
        return replace(found, word=self.word)

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
    return Answer(found, judgement, _weights(judgement, methods, found))


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


def _weights(
    judgement: Judgement, methods: Mapping[str, Method], fits: Iterable[str]
) -> dict[str, float]:
    """Return the weights in the mixture that was judged; if none was, in one of all methods."""
    mixing = next((each for each in methods.values() if isinstance(each, CombiningMethod)), None)
    weights = stacking_weights if mixing is None else mixing.weights
    parts = [name for name in fits if mixing is None or methods[name] in mixing.methods]
    if not parts:
        return {}
    said = judgement.log_probabilities[[_place(judgement, name) for name in parts]]
    return dict(zip(parts, np.asarray(weights(said)).tolist(), strict=True))


def _place(judgement: Judgement, name: str) -> int:
    """Return the place of a method, of one that learns from seen orders with these."""
    learner = f"{name} + orders"
    return judgement.methods.index(learner if learner in judgement.methods else name)
