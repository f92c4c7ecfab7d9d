"""What pictures are drawn from: data, a fit, a bootstrap, each computed when it is first used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

from caprese.cli.options.cost import cost_of_picture
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import chosen_method, fitted, method_option
from caprese.cli.options.outputs import writes_pictures
from caprese.cli.options.placing import fit_and_samples
from caprese.cli.printing import remark, say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.assessment.confidence import Confidence
    from caprese.data.curation import Curated
    from caprese.methods.fit import Fit, Method
    from caprese.patients.place import Placement

Command = Callable[..., Any]

_OWN = ("replicates", "seed", "jobs")  # without replicates, the seed is a parameter of a method


@dataclass(frozen=True)
class PlotContext:
    """The options of a plot command, and what is computed from them."""

    load: "Callable[..., Curated]"
    method: str
    options: Mapping[str, str | None]  # parameters of the method
    fit_file: str | None = None
    replicates: int | None = None  # None if no bootstrap is needed
    seed: int = 1
    jobs: int | None = None

    @cached_property
    def chosen(self) -> "Method":
        """The method with its parameters."""
        return chosen_method(self.method, self.options)

    @cached_property
    def curated(self) -> "Curated":
        """The data, and the log of its curation."""
        return self.load() if self.fit_file is None else self._fit_and_samples[1]

    @cached_property
    def fit(self) -> "Fit[Any, Any]":
        """The fit of the method to the data, or the one of a file."""
        if self.fit_file is not None:
            return self._fit_and_samples[0]
        return fitted(self.chosen, self.curated, more=self.replicates or 0)

    @cached_property
    def placement(self) -> "Placement":
        """Where the samples stand."""
        from caprese.patients.place import place

        return place(self.fit, self.curated.data)

    @cached_property
    def confidence(self) -> "Confidence | None":
        """The result of the bootstrap; None without replicates. An interruption is not caught."""
        from caprese._core.progress import progress_bars
        from caprese.assessment.bootstrap import bootstrap

        if self.replicates is None:
            return None
        settings: Any = {name: getattr(self, name) for name in _OWN}
        with progress_bars():
            return bootstrap(self.fit, self.curated.data, **settings)

    def by_default(self, parameter: str, value: str) -> "PlotContext":
        """Return the context with a parameter that was not given, if the method has it."""
        offered = parameter in {field.name for field in fields(self.chosen)}
        if not offered or self.options.get(parameter) or f"{parameter}=" in self.method:
            return self
        return replace(self, options={**self.options, parameter: value})

    @cached_property
    def _fit_and_samples(self) -> "tuple[Fit[Any, Any], Curated]":
        return fit_and_samples(self.load, self.fit_file, self.method, self.options)


def plot_command(function: "Callable[..., Figure]", method: str = "caprese") -> Command:
    """Make a command of a function of a `PlotContext`, and of its own options, to a figure."""
    own = list(signature(function).parameters)[1:]

    @curates_data
    @method_option(method)
    @writes_pictures
    @wraps(function)
    def command(output: tuple[str, ...], **given: Any) -> None:
        mine = {name: given.pop(name) for name in own}
        names = ("fit_file", *(_OWN if "replicates" in given else ()))
        settings = {name: given.pop(name) for name in names if name in given}
        context = PlotContext(cache(given.pop("load")), given.pop("method"), given, **settings)
        _ = context.chosen  # bad parameters are refused before the data is read
        remark(cost_of_picture(len(context.curated.data.events)))
        finish(function(context, **mine), context.curated, output)

    return command


def finish(figure: "Figure", curated: "Curated", output: Sequence[str]) -> None:
    """Write a picture; print the log of the curation, and the files."""
    from caprese.recipe.formats import pictures, write_files
    from caprese.text.inspection import log_lines

    write_files((output, pictures(lambda: figure)))
    say([*log_lines(curated.log), *output])
