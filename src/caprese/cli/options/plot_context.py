"""What pictures are drawn from: data, a fit, a bootstrap, each computed when it is first used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

from caprese.cli.options.cost import cost_of_picture
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import chosen_method, fitted, takes_method
from caprese.cli.options.outputs import write_pictures, writes_pictures
from caprese.cli.printing import remark, say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.assessment.confidence import Confidence
    from caprese.data.curation import Curated
    from caprese.methods.fit import Fit, Method

Command = Callable[..., Any]


@dataclass(frozen=True)
class PlotContext:
    """The options of a plot command, and what is computed from them."""

    load: "Callable[[], Curated]"
    method: str
    options: Mapping[str, str | None]  # parameters of the method
    replicates: int | None = None  # None if no bootstrap is needed
    seed: int = 1
    jobs: int | None = None

    @cached_property
    def chosen(self) -> "Method":
        """The method with its parameters."""
        return chosen_method(self.method, dict(self.options))

    @cached_property
    def curated(self) -> "Curated":
        """The data, and the log of its curation."""
        return self.load()

    @cached_property
    def fit(self) -> "Fit[Any, Any]":
        """The fit of the method to the data."""
        return fitted(self.chosen, self.curated, more=self.replicates or 0)

    @cached_property
    def confidence(self) -> "Confidence | None":
        """The result of the bootstrap; None without replicates. An interruption is not caught."""
        from caprese._core.progress import progress_bars
        from caprese.assessment.bootstrap import bootstrap

        if self.replicates is None:
            return None
        with progress_bars():
            return bootstrap(
                self.fit,
                self.curated.data,
                replicates=self.replicates,
                seed=self.seed,
                jobs=self.jobs,
            )


def plot_command(function: "Callable[..., Figure]") -> Command:
    """Make a command of a function of a `PlotContext`, and of its own options, to a figure."""
    own = list(signature(function).parameters)[1:]

    @curates_data
    @takes_method
    @writes_pictures
    @wraps(function)
    def command(output: tuple[str, ...], **given: Any) -> None:
        mine = {name: given.pop(name) for name in own}
        # Without replicates the seed is one of the parameters of a method.
        names = ("replicates", "seed", "jobs") if "replicates" in given else ()
        settings = {name: given.pop(name) for name in names}
        context = PlotContext(cache(given.pop("load")), given.pop("method"), given, **settings)
        _ = context.chosen  # bad parameters are refused before the data is read
        remark(cost_of_picture(len(context.curated.data.events)))
        finish(function(context, **mine), context.curated, output)

    return command


def finish(figure: "Figure", curated: "Curated", output: Sequence[str]) -> None:
    """Write a picture; print the log of the curation, and the files."""
    from caprese.text.curation import log_lines

    write_pictures(output, figure)
    say([*log_lines(curated.log), *output])
