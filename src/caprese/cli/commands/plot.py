"""caprese plot: a command for each kind of picture."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.commands.completion import files
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import MethodCommand, chosen_methods, fitted, takes_methods
from caprese.cli.options.outputs import writes_pictures
from caprese.cli.options.plot_context import PlotContext, draws, finish
from caprese.cli.options.replicates import draws_replicates
from caprese.cli.printing import say
from caprese.cli.sections import InOrder, SectionCommand

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.data.curation import Curated

_SHOWN = 40  # models of a spectrum
_WIDE = (6.0, 3.5)  # inches, of a picture with axes


class Pictures(InOrder):
    """Kinds of pictures, each a command."""

    called = "picture"


@click.group(cls=Pictures, invoke_without_command=True, short_help="Draw pictures.")
@click.pass_context
def plot(ctx: click.Context) -> None:
    """Draw a picture of data or of what is inferred from it; without a kind, list them.

    \b
    Examples:
      caprese plot
      caprese plot progression ovarian -o tree.svg
      caprese plot oncoprint tumours.csv --by-progression -o oncoprint.png
    """
    if ctx.invoked_subcommand is None:
        width = max(map(len, plot.commands))
        kinds = {kind: each.get_short_help_str(200) for kind, each in plot.commands.items()}
        lines = [f"{kind:{width}}  {about}" for kind, about in kinds.items()]
        say([*lines, "", "For example: caprese plot progression ovarian -o tree.svg"])


@plot.command(cls=MethodCommand)
@draws_replicates(None)
@draws
def progression(context: PlotContext) -> "Figure":
    """Events under their parents, with frequency, and support if there are replicates.

    \b
    Examples:
      caprese plot progression ovarian -o tree.svg
      caprese plot progression tumours.csv --replicates 1000 -o tree.pdf -o tree.png
    """
    from caprese.plots import progression_figure

    return progression_figure(context.fit, context.confidence)


@plot.command(cls=MethodCommand)
@click.option("--by-progression", is_flag=True, help="Parents before their children.")
@click.option(
    "--annotation",
    metavar="FILE",
    shell_complete=files,
    help="A table of two columns, sample and category: a track above the events.",
)
@draws
def oncoprint(context: PlotContext, by_progression: bool, annotation: str | None) -> "Figure":
    """Which samples carry which events.

    \b
    Examples:
      caprese plot oncoprint tumours.csv -o oncoprint.svg
      caprese plot oncoprint tumours.csv --by-progression --annotation stages.csv -o oncoprint.png
    """
    from caprese.io.data.annotations import read_annotation
    from caprese.plots import oncoprint_figure

    told: dict[str, Any] = {}
    if annotation is not None:
        given = read_annotation(annotation)
        told = {"annotation": given.categories, "title": given.title}
        if not given.categories.keys() & set(context.curated.data.samples):
            raise click.UsageError(f"--annotation {annotation} names none of the samples")
    model = context.fit.model if by_progression else None
    return oncoprint_figure(context.curated.data, model=model, **told)


@plot.command(cls=MethodCommand)
@draws_replicates(1000)
@draws
def support(context: PlotContext) -> "Figure":
    """How often each event was a parent of each other, in a bootstrap.

    \b
    Examples:
      caprese plot support ovarian --replicates 10000 -o support.svg
    """
    from caprese.plots import support_figure

    assert context.confidence is not None  # there are always replicates
    return support_figure(context.fit.model, context.confidence)


@plot.command(cls=MethodCommand)
@draws
def scores(context: PlotContext) -> "Figure":
    """The score of every pair of events, the edges outlined.

    \b
    Examples:
      caprese plot scores ovarian -o scores.svg
      caprese plot scores ovarian -m oncotree -o weights.svg
    """
    from caprese.methods.base import PairEvidence
    from caprese.plots import scores_figure

    evidence = context.fit.evidence
    if not isinstance(evidence, PairEvidence):
        raise click.UsageError(f"--method {context.method} has no score for every pair of events")
    return scores_figure(context.fit.model, evidence.pair_scores())


@plot.command(cls=MethodCommand)
@draws_replicates(1000)
@draws
def spectrum(context: PlotContext) -> "Figure":
    """How many different models a bootstrap finds, and how often each.

    \b
    Examples:
      caprese plot spectrum ovarian --replicates 10000 -o spectrum.svg
    """
    from caprese.assessment.bootstrap import MOST_DISTINGUISHED
    from caprese.plots import draw_distinct_models

    assert context.confidence is not None  # there are always replicates
    models, times = zip(*context.confidence.distinct_models[:_SHOWN], strict=True)
    told_apart = min(context.confidence.replicates, MOST_DISTINGUISHED)
    own = context.confidence.parent_sets
    figure = _sheet()
    draw_distinct_models(
        figure.subplots(),
        [number / told_apart for number in times],
        fitted=models.index(own) if own in models else None,
    )
    return figure


@plot.command(cls=SectionCommand)
@curates_data
@takes_methods(("caprese", "oncotree"), show_default=True, help="A method; give two.")
@writes_pictures
def comparison(
    load: "Callable[[], Curated]", methods: tuple[str, ...], output: tuple[str, ...]
) -> None:
    """What two methods infer, side by side, where they differ coloured.

    \b
    Examples:
      caprese plot comparison ovarian -o comparison.svg
      caprese plot comparison ovarian -m caprese -m oncotree:search=branching -o comparison.svg
    """
    from caprese.plots import comparison_figure

    if len(methods) != 2:
        raise click.UsageError(f"a comparison needs two methods, -m A -m B, got {len(methods)}")
    chosen = chosen_methods(methods)
    curated = load()
    first, second = (fitted(method, curated) for method in chosen)
    figure = comparison_figure(
        first.model,
        second.model,
        titles=(methods[0], methods[1]),
        frequency=first.counts.frequency,
    )
    finish(figure, curated, output)


@plot.command(cls=MethodCommand)
@draws
def shrinkage(context: PlotContext) -> "Figure":
    """How `--shrinkage auto` chose the shrinkage.

    \b
    Examples:
      caprese plot shrinkage ovarian -o shrinkage.svg
    """
    from caprese.plots import draw_shrinkage_choice

    if context.options.get("shrinkage") is None and "shrinkage=" not in context.method:
        context = replace(context, options={**context.options, "shrinkage": "auto"})
    if getattr(context.chosen, "shrinkage", None) != "auto":
        raise click.UsageError("--shrinkage must be auto here: the picture shows how it chooses")
    figure = _sheet()
    draw_shrinkage_choice(figure.subplots(), context.fit.evidence.choice)
    return figure


def _sheet() -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=_WIDE, layout="constrained")
