"""caprese plot: one command for each kind of picture."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from caprese.cli.options.clinical import read_track
from caprese.cli.options.data import curates_data
from caprese.cli.options.methods import MethodCommand, chosen_methods, fitted, takes_methods
from caprese.cli.options.outputs import writes_pictures
from caprese.cli.options.placing import takes_fit
from caprese.cli.options.plot_context import PlotContext, finish, plot_command
from caprese.cli.options.replicates import takes_replicates
from caprese.cli.printing import say
from caprese.cli.sections import OrderedGroup, SectionCommand

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.data.curation import Curated

_MOST_MODELS = 40  # bars in the picture of distinct models
_WIDE = (6.0, 3.5)  # inches, of a picture with axes


class Pictures(OrderedGroup):
    """Kinds of pictures, each a command."""

    noun = "picture"


@click.group(cls=Pictures, invoke_without_command=True, short_help="Draw pictures.")
@click.pass_context
def plot(ctx: click.Context) -> None:
    """Draw a picture of the data or of a progression; without a kind, list the kinds.

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
@takes_replicates(None, "Number of bootstrap replicates, for the support of the edges.")
@plot_command
def progression(context: PlotContext) -> "Figure":
    """The progression with the frequency of each event; with --replicates, also the support.

    Of a posterior (-m bayes), edges have their posterior probability and other possible parents
    are drawn faintly.

    \b
    Examples:
      caprese plot progression ovarian -o tree.svg
      caprese plot progression ovarian -m bayes -o posterior.svg
      caprese plot progression tumours.csv --replicates 1000 -o tree.pdf -o tree.png
    """
    from caprese.plots import progression_figure

    return progression_figure(context.fit, context.confidence)


@plot.command(cls=MethodCommand)
@click.option("--by-progression", is_flag=True, help="Order the events: parents before children.")
@click.option(
    "--annotation",
    metavar="FILE[:COLUMN]",
    type=click.Path(),
    help="A table of samples and their categories, shown as a track above the events: of two "
    "columns, or with the title of the column to take.",
)
@plot_command
def oncoprint(context: PlotContext, by_progression: bool, annotation: str | None) -> "Figure":
    """The samples and the events they carry.

    \b
    Examples:
      caprese plot oncoprint tumours.csv -o oncoprint.svg
      caprese plot oncoprint tumours.csv --by-progression --annotation stages.csv -o oncoprint.png
    """
    from caprese.methods.fit import order_of
    from caprese.plots import oncoprint_figure

    model = order_of(context.fit) if by_progression else None
    data = context.curated.data
    if annotation is None:
        return oncoprint_figure(data, model=model)
    track = read_track(annotation, data.samples)
    return oncoprint_figure(data, model=model, annotation=track.categories, title=track.title)


@plot.command(cls=MethodCommand)
@takes_replicates(1000)
@plot_command
def support(context: PlotContext) -> "Figure":
    """The support of every possible edge in a bootstrap.

    \b
    Examples:
      caprese plot support ovarian --replicates 10000 -o support.svg
    """
    from caprese.plots import support_figure

    assert context.confidence is not None  # there is a default number of replicates
    return support_figure(context.fit.model, context.confidence)


@plot.command(cls=MethodCommand)
@plot_command
def scores(context: PlotContext) -> "Figure":
    """The score of every pair of events, the edges of the model outlined.

    \b
    Examples:
      caprese plot scores ovarian -o scores.svg
      caprese plot scores ovarian -m oncotree -o weights.svg
    """
    from caprese.methods.evidence import PairEvidence
    from caprese.plots import scores_figure

    evidence = context.fit.evidence
    if not isinstance(evidence, PairEvidence):
        raise click.UsageError(f"--method {context.method} has no scores of pairs of events")
    return scores_figure(context.fit.model, evidence.pair_scores())


@plot.command(cls=MethodCommand)
@partial(plot_command, method="mhn")
def effects(context: PlotContext) -> "Figure":
    """How each event speeds up or slows down each other.

    \b
    Examples:
      caprese plot effects ovarian -o effects.svg
      caprese plot effects ovarian -m mhn --observation yes -o effects.svg
    """
    from caprese.plots import effects_figure

    return effects_figure(context.fit.model)


@plot.command(cls=MethodCommand)
@takes_replicates(1000)
@plot_command
def distinct_models(context: PlotContext) -> "Figure":
    """The distinct models in a bootstrap, and the frequency of each.

    \b
    Examples:
      caprese plot distinct-models ovarian --replicates 10000 -o models.svg
    """
    from caprese.assessment.bootstrap import MOST_DISTINGUISHED
    from caprese.plots import draw_distinct_models

    assert context.confidence is not None  # there is a default number of replicates
    models, times = zip(*context.confidence.distinct_models[:_MOST_MODELS], strict=True)
    distinguished = min(context.confidence.replicates, MOST_DISTINGUISHED)
    own = context.confidence.parent_sets
    figure = _figure()
    draw_distinct_models(
        figure.subplots(),
        [number / distinguished for number in times],
        fitted=models.index(own) if own in models else None,
    )
    return figure


@plot.command(cls=MethodCommand)
@partial(plot_command, method="bayes")
def subtypes(context: PlotContext) -> "Figure":
    """The progression of each subtype of the samples.

    \b
    Examples:
      caprese plot subtypes ovarian -o subtypes.svg
      caprese plot subtypes ovarian -m bayes --subtypes 2 -o subtypes.svg
    """
    from caprese.methods.evidence import SubtypeEvidence
    from caprese.plots import subtypes_figure

    context = context.by_default("subtypes", "auto")
    evidence = context.fit.evidence
    if not isinstance(evidence, SubtypeEvidence) or not evidence.subtypes:
        raise click.UsageError(f"--method {context.method} finds no subtypes; use bayes")
    return subtypes_figure(context.fit)


@plot.command(cls=MethodCommand)
@takes_fit
@plot_command
def patients(context: PlotContext) -> "Figure":
    """The progression with the samples on it, each at the last event that it has reached.

    \b
    Examples:
      caprese plot patients ovarian -o patients.svg
      caprese plot patients tumours.csv --fit model.json -o patients.pdf
    """
    from caprese.plots import patients_figure

    return patients_figure(context.fit, context.placement)


@plot.command(cls=MethodCommand)
@takes_fit
@click.option("--sample", required=True, metavar="NAME", help="The name of the sample.")
@plot_command
def patient(context: PlotContext, sample: str) -> "Figure":
    """One sample: what was seen, what is probably there, and what comes next.

    \b
    Examples:
      caprese plot patient ovarian --sample 3 -o sample.svg
      caprese plot patient tumours.csv --fit model.json --sample 8 -o sample.pdf
    """
    from caprese.plots import patient_card

    return patient_card(context.placement, sample)


@plot.command(cls=SectionCommand)
@curates_data
@takes_methods(("caprese", "oncotree"), show_default=True, help="A method; give two.")
@writes_pictures
def comparison(
    load: "Callable[[], Curated]", methods: tuple[str, ...], output: tuple[str, ...]
) -> None:
    """The progressions of two methods side by side, with differences in colour.

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
        first,
        second,
        titles=(methods[0], methods[1]),
        frequency=first.counts.frequency,
    )
    finish(figure, curated, output)


@plot.command(cls=MethodCommand)
@plot_command
def shrinkage(context: PlotContext) -> "Figure":
    """How `--shrinkage auto` chose the shrinkage.

    \b
    Examples:
      caprese plot shrinkage ovarian -o shrinkage.svg
    """
    from caprese.fitting.shrinkage_choice import ShrinkageChoice
    from caprese.plots import draw_shrinkage_choice

    context = context.by_default("shrinkage", "auto")
    choice = getattr(context.fit.evidence, "choice", None)
    if not isinstance(choice, ShrinkageChoice):
        raise click.UsageError("--shrinkage must be auto: the picture shows how it is chosen")
    figure = _figure()
    draw_shrinkage_choice(figure.subplots(), choice)
    return figure


def _figure() -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=_WIDE, layout="constrained")
