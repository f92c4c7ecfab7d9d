"""Predictor: what samples are placed by, as it follows from a judgement of methods."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.facts import Fact
from caprese._core.words import percent
from caprese.assessment.difference import Difference, over_data_sets, patient_mean
from caprese.assessment.judgement import Judgement
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError
from caprese.fitting.estimate import can_place
from caprese.fitting.stacking import stacking_weights
from caprese.methods.fit import Fit, Method, new_fit
from caprese.methods.independence import IndependentEvents
from caprese.methods.protocols import CombiningMethod, rates_given
from caprese.models.base import Model, has_clock
from caprese.models.independence import Independence
from caprese.models.noise import Noise
from caprese.models.stacked import Stacked, mixed
from caprese.patients.place import Placement, place

_LEAST = 0.01  # weight of a clock that is worth a word


class Frequencies(Independence):
    """Independent events, the frequencies of which are taken for rates.

    By itself no clock; in a mixture it shrinks what clocks say towards the frequencies.
    """

    untimed: ClassVar[bool] = False


@dataclass(frozen=True, eq=False)
class Predictor:
    """What samples are placed by, and why.

    Parameters
    ----------
    fit
        Of the method that says how far samples are, and what is there; of independent events if no
        method predicts better than these.
    clock
        The model that says what comes next; None for that of the fit, if it has a clock.
    facts
        What the judgement says, and what follows from it.
    noise
        Error rates that were given, by which what was seen is corrected.
    """

    fit: Fit[Any, Any]
    clock: Model | None = None
    facts: tuple[Fact, ...] = ()
    noise: Noise | None = None

    def place(self, data: Dataset, *, seed: int = 1) -> Placement:
        """Return where samples stand, with these facts."""
        settings: Any = {"clock": self.clock, "noise": self.noise, "seed": seed}
        return replace(place(self.fit, data, **settings), basis=self.facts)


def predictor(
    judgement: Judgement,
    methods: Mapping[str, Method],
    data: Dataset,
    *,
    noise: Noise | None = None,
    fits: Mapping[str, Fit[Any, Any]] | None = None,
) -> Predictor:
    """Return what samples are placed by, after a judgement of methods.

    They are placed by a mixture of methods, if one was judged; else by the method that predicts
    best. What comes next is said by the judged methods that have a clock, together and with the
    frequencies of the events, by the weights under which they predict held-out samples best. Each
    has to predict better than independent events; otherwise only frequencies are known.

    Parameters
    ----------
    judgement
        How well the methods predict samples that they have not seen.
    methods
        The judged methods by name.
    data
        All samples.
    noise
        Error rates that are given to each method that allows for errors.
    fits
        Fits to the data that there are already, by the name of the method.

    Examples
    --------
    >>> from caprese import HCBN, Oncotree, datasets, judge
    >>> methods = {"oncotree": Oncotree(), "hcbn": HCBN()}
    >>> found = predictor(judge(methods, datasets.ovarian()), methods, datasets.ovarian())
    >>> [fact.kind for fact in found.facts]
    ['predicts best', 'placed by', 'clocks']
    >>> [type(model).__name__ for model in found.clock.models]
    ['Frequencies', 'NoisyPoset']
    """
    fitted = _Fitted(judgement, methods, data, noise, dict(fits or {}))
    verdict = judgement.verdict[0]
    best = next(fitted.better(), None)
    if best is None:
        nothing = Fact("frequencies instead")
        return Predictor(IndependentEvents().fit(data), facts=(verdict, nothing))
    clock, fact = fitted.clock()
    facts: tuple[Fact, ...] = (verdict, *judgement.cautions, fitted.placed_by(best), fact)
    if noise is not None and not fitted.allows_for_errors(best):
        facts, noise = (*facts, Fact("rates not used")), None
    if clock is None:
        clock = IndependentEvents().fit(data).predictive  # which is none
    return Predictor(fitted.fit(best), clock, facts, noise)


@dataclass
class _Fitted:
    """The judged methods, each fitted to all samples when it is needed."""

    judgement: Judgement
    methods: Mapping[str, Method]
    data: Dataset
    noise: Noise | None
    done: dict[str, Fit[Any, Any]]

    def better(self) -> Iterator[str]:
        """Yield what predicts better than independent events: mixtures first, then by score."""
        found = self.judgement
        ranked = np.argsort(-found.scores, kind="stable").tolist()
        names = [found.methods[k] for k in ranked if found.better[k]]
        names = [name for name in names if name in self.methods]
        for name in sorted(names, key=lambda name: not self._mixes(name)):
            if can_place(self.fit(name).predictive):
                yield name

    def placed_by(self, name: str) -> Fact:
        """Return which method places the samples; why, if it is not the one that predicts best."""
        values: dict[str, float | str] = {"method": name}
        best = self.judgement.methods[self.judgement.best]
        if name == best:
            return Fact("placed by", values=values)
        kind = "placed by mixture" if self._mixes(name) else "placed by another"
        return Fact(kind, values={**values, "best": best})

    def allows_for_errors(self, name: str) -> bool:
        """Whether a method, or a part of a mixture that was judged, was fitted with given rates."""
        own = [part for part in self._parts(name) if part is not None] or [name]
        return any(rates_given(self.fit(part).method) is not None for part in own)

    def fit(self, name: str) -> Fit[Any, Any]:
        """Return the fit of a method; of a mixture with the weights of the judgement."""
        if name not in self.done:
            method, parts = self.methods[name], self._parts(name)
            if not (isinstance(method, CombiningMethod) and any(parts)):
                self.done[name] = self._corrected(method) or new_fit(method, self.data)
            else:
                fits = [None if part is None else self.fit(part) for part in parts]
                said = [self._said(part) for part in parts if part is not None]
                self.done[name] = method.combined(fits, np.array(said), self.data)
        return self.done[name]

    def clock(self) -> tuple[Model | None, Fact]:
        """Return the mixture of clocks and frequencies, and its parts or why there is none."""
        names = [
            name
            for name in self.judgement.methods
            if name in self.methods
            and not any(self._parts(name))
            and has_clock(self.fit(name).predictive)
        ]
        if not names:
            return None, Fact("no clock judged")
        usual = self._said(self.judgement.methods[self.judgement.reference])
        said = np.array([usual, *map(self._said, names)])
        weights = stacking_weights(said)
        gain = self._gain(mixed(said, weights) - usual)
        better = [self.judgement.better[self.judgement.methods.index(name)] for name in names]
        if not (any(better) or gain.exceeds(self.judgement.errors)):
            return None, Fact("no clock supported")
        alone: Any = IndependentEvents().fit(self.data).predictive
        shrinking = Frequencies(alone.events, alone.frequencies)
        model = Stacked((shrinking, *(self.fit(name).predictive for name in names)), weights)
        order = np.argsort(-weights, kind="stable").tolist()
        all_names = ("frequencies", *names)
        said_by = [f"{all_names[k]} ({percent(weights[k])})" for k in order if weights[k] > _LEAST]
        return model, Fact("clocks", values={"parts": ", ".join(said_by)})

    def _gain(self, paired: FloatArray) -> Difference:
        """Return a mean difference, with a standard error over data sets that is not too small."""
        found = self.judgement
        groups, unknown = len(np.unique(found.groups)), np.full((1, 1), np.nan)
        mean = patient_mean(paired, found.groups)
        return over_data_sets(mean, groups, unknown, found.folds, found.held_out)

    def _said(self, name: str) -> FloatArray:
        own = self.judgement.log_probabilities[self.judgement.methods.index(name)]
        return np.asarray(own)

    def _mixes(self, name: str) -> bool:
        return isinstance(self.methods[name], CombiningMethod)

    def _parts(self, name: str) -> list[str | None]:
        """Return the names of the parts of a mixture; None for one that was not judged."""
        mixture = self.methods[name]
        named = {self.methods[own]: own for own in self.judgement.methods if own in self.methods}
        own = mixture.methods if isinstance(mixture, CombiningMethod) else ()
        return [named.get(part) for part in own]

    def _corrected(self, method: Method) -> Fit[Any, Any] | None:
        """Return the fit of a method with the given error rates.

        None if it does not take any, has some of its own, or refuses these for the data.
        """
        takes: Any = method
        has = "noise" in {each.name for each in fields(takes)}
        if self.noise is None or not has or isinstance(takes.noise, Noise):
            return None
        try:
            return new_fit(replace(takes, noise=self.noise), self.data)
        except CapreseError:
            return None
