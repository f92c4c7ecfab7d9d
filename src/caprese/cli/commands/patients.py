"""caprese patients."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.checks import whole
from caprese._core.progress import progress_bars, tell
from caprese.cli.computing import foretell, takes_seed, tell_of_judgement
from caprese.cli.options.clinical import ask_for_follow_up, clinical_of, takes_clinical
from caprese.cli.options.context import Context, takes_fit
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import Checked
from caprese.cli.options.interventions import takes_change
from caprese.cli.options.methods import MethodCommand, placing_method, takes_method
from caprese.cli.options.outputs import PICTURES, OutputFile, guards_formulas, takes_output
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.recipe.parts import DOCUMENT, PAGES, TABLES

if TYPE_CHECKING:
    from caprese.patients.orders import Orders


@click.command(cls=MethodCommand, short_help="Place samples: what is there, what comes next.")
@curates_data
@takes_fit
@takes_method(None, "Place samples by one method,")
@click.option(
    "--budget",
    metavar="TIME",
    help="How long all fits of the judgement may take on one core, such as 60s or 2m, as in "
    "`caprese judge`.  [default: 60s]",
)
@click.option(
    "--sample",
    "samples",
    multiple=True,
    metavar="NAME",
    help="Print all about this sample. May be given several times.",
)
@click.option(
    "--likeliest-orders",
    type=Checked(whole, 0),
    metavar="K",
    help="In JSON, also the K likeliest orders in which the events of each sample came about.",
)
@click.option("--no-names", is_flag=True, help="Replace the names of samples by numbers.")
@takes_change
@takes_clinical
@takes_seed
@takes_output(
    OutputFile(DOCUMENT, *TABLES, *PAGES, *PICTURES, holds="patients"),
    multiple=True,
    help="Also write to FILE: .csv or .tsv for a table, .json for everything, .html for a page; "
    "with --time, .svg, .png or .pdf for the curves. May be given several times.",
)
@guards_formulas
@saves_recipe
@prints_json
def patients(
    samples: tuple[str, ...],
    likeliest_orders: int | None,
    no_names: bool,
    seed: int,
    output: tuple[str, ...],
    guard_formulas: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Say of each sample where it stands, and what tends to come next.

    First judges all methods that the budget allows, as `caprese judge` does, or the one that
    --method names. What predicts better than independent events, and has a clock, says what
    probably comes next; if nothing does, only frequencies are printed. What was seen of a sample is
    taken as it is, unless --noise gives the error rates of the assay: then what was probably missed
    or seen wrongly is corrected. Prints for each sample how many events it has come through, how
    typical it is of the model, and the event that probably comes next. With --block or --slow, also
    how soon a target comes with this intervention, by default the next event: a consequence of the
    model, no advice for treatment.

    \b
    Examples:
      caprese patients ovarian
      caprese patients ovarian --noise 0.02,0.1 --sample 8
      caprese patients ovarian -m mhn -o patients.csv
      caprese patients tumours.csv --fit model.json -o patients.csv -o patients.html
      caprese patients tumours.csv --annotation clinical.csv
      caprese patients ovarian -m mhn --block 8q+ --target 8p-
    """
    from caprese.patients.predictor import Predictor
    from caprese.recipe.formats import document, frame_tables, placement_formats, write_files
    from caprese.recipe.results import compared, outlooks, predicting
    from caprese.text.clinical import association_lines, survival_lines
    from caprese.text.columns import separated
    from caprese.text.inspection import log_lines
    from caprese.text.patients import placement_lines, sample_lines
    from caprese.text.what_if import sample_outlook_lines

    clinical, tests = replace(clinical_of(given), seed=seed), given["tests"]
    drawn = [path for path in output if path.endswith(PICTURES)]
    if drawn and not clinical.time:
        raise click.UsageError(f"--output {drawn[0]} is for curves: give --time and --status")
    context = Context(given)
    curated = context.curated
    if given["fit_file"] is not None:
        found = Predictor(context.fit)
    else:
        method, loaded = placing_method(given), load(given)
        if method is not None:
            foretell([method], curated.data)
        with progress_bars():
            found = predicting(clinical, method, loaded, curated, announce=tell_of_judgement)
    with progress_bars():
        placed = found.place(curated.data, seed=seed)
        tested, curves = compared(clinical, placed, found.fit)
    ask_for_follow_up(tested, curves)
    for sample in samples:
        placed.position(sample)
    names = {name: str(row + 1) if no_names else name for row, name in enumerate(placed.samples)}
    placed = placed.without_names() if no_names else placed
    told = [names[sample] for sample in samples]
    changed = outlooks(clinical, placed, found.fit)
    with_document = as_json or any(path.endswith(".json") for path in output)
    wanted = placed.samples if likeliest_orders and with_document else tuple(told)
    with progress_bars():
        came = _orders(placed, wanted, likeliest_orders or _FEW)
    title = Path(given["data"]).name
    guard = {"guard_formulas": guard_formulas}
    formats = placement_formats(
        placed, found.fit, tested, curves, changed, title=title, orders=came, **guard
    )
    write_files((output, formats), ([tests] if tests else [], frame_tables(tested, **guard)))
    style, width = terminal_style(), terminal_width()
    what_if = [] if changed is None else sample_outlook_lines(changed, style, width, told)
    if as_json:
        say(document(formats))
    elif told:
        each_sample = (sample_lines(placed, each, came[each], style, width) for each in told)
        say(separated(*each_sample, what_if))
    else:
        shown: Any = {"names": not no_names, "style": style}
        parts = [
            placement_lines(placed, style, width),
            what_if,
            [] if tested is None else association_lines(tested, **shown),
            [] if curves is None else survival_lines(curves, **shown),
            log_lines((curated.without_names() if no_names else curated).log),
        ]
        say(separated(*parts))


_FEW = 3  # orders of a sample, if their number is not given


def _orders(
    placed: "caprese.Placement", samples: tuple[str, ...], most: int
) -> "dict[str, Orders]":
    """Return the likeliest orders of these samples; equal samples are asked for once."""
    done: dict[bytes, Orders] = {}
    found = {}
    for number, sample in enumerate(samples):
        tell("orders", number, len(samples))
        row = placed.position(sample)
        key = placed.data.values[row].tobytes() + placed.known[row].tobytes()
        if key not in done:
            done[key] = placed.orders(sample, most)
        found[sample] = done[key]
    return found
