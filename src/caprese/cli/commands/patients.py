"""caprese patients."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caprese._core.checks import whole
from caprese.cli.options.checked import Checked
from caprese.cli.options.clinical import ClinicalOptions, takes_clinical
from caprese.cli.options.methods import MethodCommand
from caprese.cli.options.outputs import (
    DOCUMENT,
    PAGES,
    PICTURES,
    TABLES,
    OutputFile,
    document,
    frame_table,
    guards_formulas,
    pictures,
    tables,
    takes_output,
    write_files,
)
from caprese.cli.options.placing import fit_and_samples, places_samples
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.options.replicates import takes_seed
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from caprese.data.curation import Curated
    from caprese.patients.orders import Orders
    from caprese.patients.place import Placement
    from caprese.patients.survival import Survival


@click.command(cls=MethodCommand, short_help="Place samples: what is there, what comes next.")
@places_samples
@click.option(
    "--sample",
    "samples",
    multiple=True,
    metavar="NAME",
    help="Print all about this sample. May be given several times.",
)
@click.option(
    "--orders",
    type=Checked(whole, 0),
    metavar="K",
    help="In JSON, also the K likeliest orders in which the events of each sample came about.",
)
@click.option("--no-names", is_flag=True, help="Replace the names of samples by numbers.")
@takes_clinical
@takes_seed
@takes_output(
    OutputFile(DOCUMENT, *TABLES, *PAGES, *PICTURES),
    multiple=True,
    help="Also write to FILE: .csv or .tsv for a table, .json for everything, .html for a page; "
    "with --time, .svg, .png or .pdf for the curves. May be given several times.",
)
@guards_formulas
@saves_recipe
@prints_json
def patients(
    load: "Callable[..., Curated]",
    fit_file: str | None,
    method: str,
    samples: tuple[str, ...],
    orders: int | None,
    no_names: bool,
    clinical: ClinicalOptions,
    seed: int,
    output: tuple[str, ...],
    guard_formulas: bool,
    as_json: bool,
    **options: str | None,
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
    from caprese._core.progress import progress_bars
    from caprese.io.placements import placement_table, placement_text
    from caprese.patients.place import place
    from caprese.recipe.results import compared
    from caprese.report.page import patients_page
    from caprese.text.clinical import association_lines, survival_lines
    from caprese.text.inspection import log_lines
    from caprese.text.patients import placement_lines, sample_lines

    drawn = [path for path in output if path.endswith(PICTURES)]
    if drawn and not clinical.time:
        raise click.UsageError(f"--output {drawn[0]} is for curves: give --time and --status")
    found, curated = fit_and_samples(load, fit_file, method, options)
    with progress_bars():
        placed = place(found, curated.data, seed=seed)
        tests, curves = compared(clinical.placing(), placed, found)
    for sample in samples:
        placed.position(sample)
    names = {name: str(row + 1) if no_names else name for row, name in enumerate(placed.samples)}
    placed = placed.without_names() if no_names else placed
    told = [names[sample] for sample in samples]
    with_document = as_json or any(path.endswith(".json") for path in output)
    wanted = placed.samples if orders and with_document else tuple(told)
    with progress_bars():
        came = _orders(placed, wanted, orders or _FEW)
    title = Path(click.get_current_context().params["data"]).name
    text = partial(placement_text, placed, came, tests, curves)
    page = partial(patients_page, placed, found, title=title, tests=tests, curves=curves)
    guarded = {"guard_formulas": guard_formulas}
    formats = document(text) | tables(placement_table, placed, **guarded)
    formats |= dict.fromkeys(PAGES, lambda _path: page())
    if curves is not None:
        formats |= pictures(partial(_curves_figure, curves))
    tested = [] if clinical.tests is None else [clinical.tests]
    write_files((output, formats), (tested, tables(frame_table, tests, **guarded)))
    style, width = terminal_style(), terminal_width()
    if as_json:
        say(text())
    elif told:
        parts = [["", *sample_lines(placed, sample, came[sample], style, width)] for sample in told]
        say([line for part in parts for line in part][1:])
    else:
        steps = (curated.without_names() if no_names else curated).log
        log = ["", *log_lines(steps)] if steps else []
        more = [] if tests is None else association_lines(tests, names=not no_names, style=style)
        if curves is not None:
            more += ["", *survival_lines(curves, names=not no_names, style=style)]
        say([*placement_lines(placed, style, width), *(["", *more] if more else []), *log])


def _curves_figure(curves: "Survival") -> "Figure":
    from caprese.plots import survival_figure

    return survival_figure(curves)


_FEW = 3  # orders of a sample, if their number is not given


def _orders(placed: "Placement", samples: tuple[str, ...], most: int) -> "dict[str, Orders]":
    """Return the likeliest orders of these samples; equal samples are asked for once."""
    from caprese._core.progress import tell

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
