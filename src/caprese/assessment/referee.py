"""Referee: which methods to judge within a budget; decided by size alone, never by the clock."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from caprese._core.checks import seconds
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.methods import METHODS, describe, method_text, name_of, parse_method
from caprese.methods.fit import Method
from caprese.methods.independence import IndependentEvents
from caprese.methods.parameters import settings_of
from caprese.methods.protocols import CombiningMethod, NamedMethod, cost_of, learns_from_orders

BUDGET = 60.0
"""Seconds of computation that a judgement takes by default."""


@dataclass(frozen=True)
class Considered:
    """A method that might be judged.

    Parameters
    ----------
    name
        Its short name, under which a judgement shows it.
    method
        The method with its parameters, as the command line takes it.
    seconds
        Of one core, which its fits to all training parts cost. 0 for a mixture whose parts are
        judged too, and for a method that refuses the data.
    refused
        Why the method does not take the data; empty if it does.
    """

    name: str
    method: str
    seconds: float
    refused: str = ""


@dataclass(frozen=True)
class Choice:
    """Which methods are judged within a budget, and which are left out.

    Parameters
    ----------
    budget
        Seconds of one core.
    judged
        The methods that are judged.
    left_out
        Those that cost too much, or refuse the data.
    """

    budget: float
    judged: tuple[Considered, ...]
    left_out: tuple[Considered, ...] = ()

    @property
    def seconds(self) -> float:
        """What the judgement costs on one core."""
        return fsum(each.seconds for each in self.judged)

    def without(self, refused: Mapping[str, str]) -> "Choice":
        """Return the choice, some methods of which refused a part of the data, with reasons."""
        out = tuple(
            replace(each, refused=refused[each.name])
            for each in self.judged
            if each.name in refused
        )
        judged = tuple(each for each in self.judged if each.name not in refused)
        return Choice(self.budget, judged, (*self.left_out, *out))

    def methods(self) -> dict[str, Method]:
        """Return the methods that are judged, by name."""
        return {each.name: parse_method(each.method) for each in self.judged}

    @property
    def too_dear(self) -> tuple[Considered, ...]:
        """The methods that the budget left out, which take the data."""
        return tuple(each for each in self.left_out if not each.refused)

    def beside(
        self, also: Iterable[Method], data: Dataset, fits: int
    ) -> tuple[dict[str, Method], "Choice"]:
        """Return further methods, which change nothing about the choice, by name.

        Each may cost the budget once more; the choice that is returned names those that do not
        take the data, or cost more.
        """
        chosen = self.methods()
        found: dict[str, Method] = {}
        out = []
        for method in also:
            if method in chosen.values() or method in found.values():
                continue
            name = name_beside(method, (*chosen, *found))
            costs, refusals = _costs([method], data, fits)
            cost = costs.get(method, 0.0)
            if method in costs and cost <= self.budget:
                found[name] = method
            else:
                out.append(Considered(name, name, cost, refusals.get(method, "")))
        return found, replace(self, left_out=(*self.left_out, *out))


def name_beside(method: Method, taken: Iterable[str]) -> str:
    """Return the name of a method that is judged beside those of a choice: short by its defaults.

    Examples
    --------
    >>> from caprese import Caprese
    >>> name_beside(Caprese(), ()), name_beside(Caprese(shrinkage=0.3), ())
    ('caprese', 'caprese (shrinkage 0.3)')
    """
    name = name_of(method)
    usual = name in METHODS and METHODS[name]() == method
    return name if usual and name not in taken else describe(method)


def choose(
    data: Dataset, *, fits: int, budget: float | str = BUDGET, shared: bool = True
) -> Choice:
    """Choose methods whose fits together cost no more than a budget.

    All registered methods are considered, by their defaults, except those that are judged only
    where they are named, such as `timed`. Mixtures come first, with their parts,
    which are fitted once and judged too, in place of the same method by its defaults; then the
    cheapest methods. Independent events are always judged. The choice depends on the size of the
    data alone, so it is the same everywhere.

    Parameters
    ----------
    data
        The data to be judged.
    fits
        To how many training parts each method is fitted.
    budget
        Seconds of one core, or a text such as ``2m``.
    shared
        Whether the parts of a mixture are all that it needs, as where all folds are held out.

    Examples
    --------
    >>> from caprese import datasets
    >>> choice = choose(datasets.ovarian(), fits=5, budget=1)
    >>> [each.name for each in choice.judged]
    ['independence', 'cbn', 'likelihood', 'caprese', 'oncotree', 'capri', 'hcbn']
    >>> [each.name for each in choice.left_out]
    ['bayes', 'bayes:subtypes=auto', 'mhn', 'mhn:observation=yes', 'stack']
    """
    left = whole = seconds("budget", budget)
    mixtures, single = _candidates()
    if not shared:
        mixtures, single = [], [*single, *mixtures]
    costs, refusals = _costs(single, data, fits)
    chosen: list[Method] = [IndependentEvents()]
    bundles = [(*mixture.methods, mixture) for mixture in mixtures]
    for bundle in (*bundles, *((each,) for each in sorted(costs, key=costs.__getitem__))):
        new = [each for each in bundle if each not in chosen and each not in refusals]
        cost = fsum(costs.get(each, 0.0) for each in new)
        if cost <= left:
            chosen += new
            left -= cost
    costs |= {each: _more(each, chosen, costs) for each in mixtures}
    found = [
        Considered(name, method_text(method), costs.get(method, 0.0), refusals.get(method, ""))
        for method, name in _names([*single, *mixtures]).items()
    ]
    taken = {method_text(each): place for place, each in enumerate(chosen)}
    judged = sorted((each for each in found if each.method in taken), key=lambda e: taken[e.method])
    return Choice(whole, tuple(judged), tuple(each for each in found if each.method not in taken))


def _candidates() -> tuple[list[CombiningMethod], list[Method]]:
    """Return the registered mixtures, and all other methods: parts of mixtures, or defaults.

    Methods that are judged only where they are named are left out.
    """
    known = [kind() for kind in METHODS.values()]
    every = [each for each in known if not (isinstance(each, NamedMethod) and each.only_by_name)]
    mixtures = [each for each in every if isinstance(each, CombiningMethod)]
    parts = [part for mixture in mixtures for part in mixture.methods]
    kinds = {type(each) for each in (*parts, *mixtures)}
    return mixtures, [*dict.fromkeys(parts), *(each for each in every if type(each) not in kinds)]


def _costs(
    methods: Iterable[Method], data: Dataset, fits: int
) -> tuple[dict[Method, float], dict[Method, str]]:
    """Return what all fits of each method cost, with seen orders too; or why it refuses data."""
    costs: dict[Method, float] = {}
    refusals: dict[Method, str] = {}
    for method in methods:
        twice = data.orders is not None and learns_from_orders(method)
        try:
            costs[method] = cost_of(method, data) * fits * (1 + twice)
        except ModelError as error:
            refusals[method] = str(error)
    return costs, refusals


def _more(
    mixture: CombiningMethod, chosen: Sequence[Method], costs: Mapping[Method, float]
) -> float:
    """Return what the parts of a mixture cost that are not judged anyway."""
    return fsum(costs.get(each, 0.0) for each in mixture.methods if each not in chosen)


def _names(methods: Iterable[Method]) -> dict[Method, str]:
    """Return a short name of each method: with the parameters by which those of a kind differ."""
    alike: dict[str, list[Method]] = defaultdict(list)
    for method in methods:
        alike[name_of(method)].append(method)
    names: dict[Method, str] = {}
    for name, several in alike.items():
        settings = [settings_of(each) for each in several]
        for method, own in zip(several, settings, strict=True):
            differs = [
                f"{parameter}={value}"
                for parameter, value in own.items()
                if any(other.get(parameter) != value for other in settings)
            ]
            names[method] = ":".join([name, *differs])
    return names
