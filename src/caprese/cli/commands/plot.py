"""caprese plot: one command for each kind of picture."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese.cli.computing import cost_of_picture, fitted, takes_replicates
from caprese.cli.options.clinical import read_track
from caprese.cli.options.context import Context, takes_fit
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Option, together
from caprese.cli.options.methods import MethodCommand, chosen_methods, takes_method, takes_methods
from caprese.cli.options.outputs import writes_pictures
from caprese.cli.printing import remark, say
from caprese.cli.sections import OrderedGroup, SectionCommand

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from caprese.data.curation import Curated

_MOST_MODELS = 40  # bars in the picture of distinct models
_WIDE = (6.0, 3.5)  # inches, of a picture with axes


@click.group(cls=OrderedGroup, invoke_without_command=True, short_help="Draw pictures.")
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


plot.noun = "picture"


def picture(
    *options: Option, method: str = "caprese", **defaults: Any
) -> "Callable[[Callable[..., Figure]], click.Command]":
    """Make a command of a function of a `Context`, and of its own options, to a figure.

    The defaults are those of parameters of the method.
    """

    def made(function: "Callable[..., Figure]") -> click.Command:
        @plot.command(cls=MethodCommand)
        @together(*options, curates_data, takes_method(method), writes_pictures)
        @wraps(function)
        def command(output: tuple[str, ...], **given: Any) -> None:
            context = Context(given, defaults)
            _ = context.chosen  # bad parameters are refused before the data is read
            remark(cost_of_picture(len(context.curated.data.events)))
            own = {name: given[name] for name in list(signature(function).parameters)[1:]}
            _finish(function(context, **own), context.curated, output)

        return command

    return made


@picture(takes_replicates(None, "Number of bootstrap replicates, for the support of the edges."))
def progression(context: Context) -> "Figure":
    """The progression with the frequency of each event; with --replicates, also the support.

    Of a posterior (-m bayes), edges have their posterior probability and other possible parents
    are drawn faintly.

    \b
    Examples:
      caprese plot progression ovarian -o tree.svg
      caprese plot progression ovarian -m bayes -o posterior.svg
      caprese plot progression tumours.csv --replicates 1000 -o tree.pdf -o tree.png
    """
    return caprese.plots.progression_figure(context.fit, context.confidence)


@picture(
    click.option(
        "--by-progression", is_flag=True, help="Order the events: parents before children."
    ),
    click.option(
        "--annotation",
        metavar="FILE[:COLUMN]",
        type=click.Path(),
        help="A table of samples and their categories, shown as a track above the events: of two "
        "columns, or with the title of the column to take.",
    ),
)
def oncoprint(context: Context, by_progression: bool, annotation: str | None) -> "Figure":
    """The samples and the events they carry.

    \b
    Examples:
      caprese plot oncoprint tumours.csv -o oncoprint.svg
      caprese plot oncoprint tumours.csv --by-progression --annotation stages.csv -o oncoprint.png
    """
    from caprese.methods.fit import order_of

    model = order_of(context.fit) if by_progression else None
    data, shown = context.curated.data, dict[str, Any]()
    if annotation is not None:
        track = read_track(annotation, data.samples)
        shown = {"annotation": track.categories, "title": track.title}
    return caprese.plots.oncoprint_figure(data, model=model, **shown)


@picture(takes_replicates(1000))
def support(context: Context) -> "Figure":
    """The support of every possible edge in a bootstrap.

    \b
    Examples:
      caprese plot support ovarian --replicates 10000 -o support.svg
    """
    assert context.confidence is not None  # there is a default number of replicates
    return caprese.plots.support_figure(context.fit.model, context.confidence)


@picture()
def scores(context: Context) -> "Figure":
    """The score of every pair of events, the edges of the model outlined.

    \b
    Examples:
      caprese plot scores ovarian -o scores.svg
      caprese plot scores ovarian -m oncotree -o weights.svg
    """
    evidence = context.fit.evidence
    if not isinstance(evidence, caprese.extend.PairEvidence):
        raise click.UsageError(
            f"--method {context.given['method']} has no scores of pairs of events"
        )
    return caprese.plots.scores_figure(context.fit.model, evidence.pair_scores())


@picture(method="mhn")
def effects(context: Context) -> "Figure":
    """How each event speeds up or slows down each other.

    \b
    Examples:
      caprese plot effects ovarian -o effects.svg
      caprese plot effects ovarian -m mhn --observation yes -o effects.svg
    """
    return caprese.plots.effects_figure(context.fit.model)


@picture(takes_replicates(1000))
def distinct_models(context: Context) -> "Figure":
    """The distinct models in a bootstrap, and the frequency of each.

    \b
    Examples:
      caprese plot distinct-models ovarian --replicates 10000 -o models.svg
    """
    from caprese.assessment.bootstrap import MOST_DISTINGUISHED

    assert context.confidence is not None  # there is a default number of replicates
    models, times = zip(*context.confidence.distinct_models[:_MOST_MODELS], strict=True)
    distinguished = min(context.confidence.replicates, MOST_DISTINGUISHED)
    own = context.confidence.parent_sets
    fitted = models.index(own) if own in models else None
    figure, axes = _axes()
    caprese.plots.draw_distinct_models(axes, [n / distinguished for n in times], fitted=fitted)
    return figure


@picture(method="bayes", subtypes="auto")
def subtypes(context: Context) -> "Figure":
    """The progression of each subtype of the samples.

    \b
    Examples:
      caprese plot subtypes ovarian -o subtypes.svg
      caprese plot subtypes ovarian -m bayes --subtypes 2 -o subtypes.svg
    """
    evidence = context.fit.evidence
    if not isinstance(evidence, caprese.extend.SubtypeEvidence) or not evidence.subtypes:
        raise click.UsageError(f"--method {context.given['method']} finds no subtypes; use bayes")
    return caprese.plots.subtypes_figure(context.fit)


@picture(takes_fit)
def patients(context: Context) -> "Figure":
    """The progression with the samples on it, each at the last event that it has reached.

    \b
    Examples:
      caprese plot patients ovarian -o patients.svg
      caprese plot patients tumours.csv --fit model.json -o patients.pdf
    """
    return caprese.plots.patients_figure(context.fit, context.placement)


@picture(
    takes_fit,
    click.option("--sample", required=True, metavar="NAME", help="The name of the sample."),
)
def patient(context: Context, sample: str) -> "Figure":
    """One sample: what was seen, what is probably there, and what comes next.

    \b
    Examples:
      caprese plot patient ovarian --sample 3 -o sample.svg
      caprese plot patient tumours.csv --fit model.json --sample 8 -o sample.pdf
    """
    return caprese.plots.patient_card(context.placement, sample)


@plot.command(cls=SectionCommand)
@curates_data
@takes_methods(("caprese", "oncotree"), show_default=True, help="A method; give two.")
@writes_pictures
def comparison(methods: tuple[str, ...], output: tuple[str, ...], **given: Any) -> None:
    """The progressions of two methods side by side, with differences in colour.

    \b
    Examples:
      caprese plot comparison ovarian -o comparison.svg
      caprese plot comparison ovarian -m caprese -m oncotree:search=branching -o comparison.svg
    """
    if len(methods) != 2:
        raise click.UsageError(f"a comparison needs two methods, -m A -m B, got {len(methods)}")
    chosen = chosen_methods(methods)
    curated = load(given).curated()
    first, second = (fitted(method, curated) for method in chosen)
    shown: Any = {"titles": methods, "frequency": first.counts.frequency}
    _finish(caprese.plots.comparison_figure(first, second, **shown), curated, output)


@picture()
def order(context: Context) -> "Figure":
    """How probably each event comes before each other; orders that were seen are outlined.

    \b
    Examples:
      caprese plot order ovarian -m bayes -o order.svg
      caprese plot order tumours.csv --orders orders.csv -o order.svg
    """
    return caprese.plots.order_figure(caprese.known_orders(context.fit))


@picture()
def timeline(context: Context) -> "Figure":
    """When each event comes: its places in the order of all events.

    \b
    Examples:
      caprese plot timeline ovarian -o timeline.svg
      caprese plot timeline tumours.csv -m mhn -o timeline.pdf
    """
    return caprese.plots.timeline_figure(caprese.timeline(context.fit))


@picture()
def trees(context: Context) -> "Figure":
    """The trees that were seen in samples, with the orders of a model in colour.

    \b
    Examples:
      caprese plot trees aml_trees -o trees.svg
      caprese plot trees tumours.csv --orders orders.csv -o trees.svg
    """
    seen = context.curated.data.orders
    if seen is None:
        raise click.UsageError("the data has no orders seen within samples: give them by --orders")
    return caprese.plots.trees_figure(seen, caprese.known_orders(context.fit))


@picture(shrinkage="auto")
def shrinkage(context: Context) -> "Figure":
    """How `--shrinkage auto` chose the shrinkage.

    \b
    Examples:
      caprese plot shrinkage ovarian -o shrinkage.svg
    """
    from caprese.fitting.shrinkage_choice import ShrinkageChoice

    choice = getattr(context.fit.evidence, "choice", None)
    if not isinstance(choice, ShrinkageChoice):
        raise click.UsageError("--shrinkage must be auto: the picture shows how it is chosen")
    figure, axes = _axes()
    caprese.plots.draw_shrinkage_choice(axes, choice)
    return figure


def _axes() -> "tuple[Figure, Axes]":
    from matplotlib.figure import Figure

    figure = Figure(figsize=_WIDE, layout="constrained")
    return figure, figure.subplots()


def _finish(figure: "Figure", curated: "Curated", output: Sequence[str]) -> None:
    """Write a picture; print the log of the curation, and the files."""
    from caprese.recipe.formats import pictures, write_files
    from caprese.text.inspection import log_lines

    write_files((output, pictures(lambda: figure)))
    say([*log_lines(curated.log), *output])
