"""caprese patients."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.checks import whole
from caprese._core.progress import progress_bars, tell
from caprese.cli.computing import takes_seed
from caprese.cli.options.clinical import clinical_of, takes_clinical
from caprese.cli.options.context import Context, takes_fit
from caprese.cli.options.data import curates_data
from caprese.cli.options.declaring import Checked
from caprese.cli.options.methods import MethodCommand, takes_method
from caprese.cli.options.outputs import PICTURES, OutputFile, guards_formulas, takes_output
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.recipe.parts import DOCUMENT, PAGES, TABLES

if TYPE_CHECKING:
    from caprese.patients.orders import Orders


@click.command(cls=MethodCommand, short_help="Place samples: what is there, what comes next.")
@curates_data
@takes_fit
@takes_method()
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

    What was seen of a sample may be wrong or incomplete. Prints what is probably there, how many
    events it has come through, how typical it is of the model, and the event that probably
    comes next.

    \b
    Examples:
      caprese patients ovarian
      caprese patients ovarian -m bayes --sample 8
      caprese patients tumours.csv --fit model.json -o patients.csv -o patients.html
      caprese patients tumours.csv --annotation clinical.csv
    """
    from caprese.recipe.formats import document, frame_tables, placement_formats, write_files
    from caprese.recipe.results import compared
    from caprese.text.clinical import association_lines, survival_lines
    from caprese.text.columns import separated
    from caprese.text.inspection import log_lines
    from caprese.text.patients import placement_lines, sample_lines

    clinical, tests = clinical_of(given), given["tests"]
    drawn = [path for path in output if path.endswith(PICTURES)]
    if drawn and not clinical.time:
        raise click.UsageError(f"--output {drawn[0]} is for curves: give --time and --status")
    context = Context(given)
    found, curated = context.fit, context.curated
    with progress_bars():
        placed = caprese.place(found, curated.data, seed=seed)
        tested, curves = compared(clinical, placed, found)
    for sample in samples:
        placed.position(sample)
    names = {name: str(row + 1) if no_names else name for row, name in enumerate(placed.samples)}
    placed = placed.without_names() if no_names else placed
    told = [names[sample] for sample in samples]
    with_document = as_json or any(path.endswith(".json") for path in output)
    wanted = placed.samples if likeliest_orders and with_document else tuple(told)
    with progress_bars():
        came = _orders(placed, wanted, likeliest_orders or _FEW)
    title = Path(given["data"]).name
    guard = {"guard_formulas": guard_formulas}
    formats = placement_formats(placed, found, tested, curves, title=title, orders=came, **guard)
    write_files((output, formats), ([tests] if tests else [], frame_tables(tested, **guard)))
    style, width = terminal_style(), terminal_width()
    if as_json:
        say(document(formats))
    elif told:
        say(separated(*(sample_lines(placed, each, came[each], style, width) for each in told)))
    else:
        shown: Any = {"names": not no_names, "style": style}
        parts = [
            placement_lines(placed, style, width),
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
