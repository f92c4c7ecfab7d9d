"""caprese whatif."""

from collections.abc import Mapping
from typing import Any

import click

import caprese
from caprese._core.progress import progress_bars
from caprese.cli.computing import fitted, foretell, takes_replicates
from caprese.cli.options.data import curates_data, load
from caprese.cli.options.declaring import SectionOption
from caprese.cli.options.interventions import change_of, takes_change
from caprese.cli.options.methods import (
    MethodCommand,
    chosen_method,
    parameters_in,
    takes_method,
)
from caprese.cli.options.outputs import PICTURES, OutputFile, guards_formulas, takes_output
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.recipe.parts import DOCUMENT, TABLES

_GENOTYPES = 5  # that are printed


@click.command(cls=MethodCommand, short_help="Say what follows if events are blocked or slowed.")
@curates_data
@takes_method("mhn")
@takes_change
@click.option(
    "--carried",
    metavar="EVENTS",
    help="Begin with what a patient carries: A,B,C, or an empty text for none of the events. By "
    "default time begins with the progression.",
)
@takes_replicates(None, "Resample the data so many times for intervals; by default there are none.")
@takes_output(
    OutputFile(DOCUMENT, *TABLES, *PICTURES, holds="whatif"),
    multiple=True,
    help="Also write to FILE: .csv or .tsv for the table; .json for everything, with the "
    "distribution of genotypes; .svg, .png or .pdf for a picture. May be given several times.",
)
@guards_formulas
@prints_json
def whatif(output: tuple[str, ...], guard_formulas: bool, as_json: bool, **given: Any) -> None:
    """Say what follows, in a model, if events are blocked or slowed.

    DATA may also be a fit written by `caprese fit -o model.json`. Prints how probably a target is
    reached before the next sample is taken, and the median time until then, without and with the
    intervention; without --block and --slow, this for each single event blocked, what delays the
    target most first. It is a consequence of the model, no advice for treatment. Times need a model
    with a clock, such as mhn, hcbn or stack; of others only probabilities are said.

    \b
    Examples:
      caprese whatif ovarian --target 8p-
      caprese whatif ovarian -m hcbn --block 8q+
      caprese whatif ovarian --slow 8q+=0.5 --target 8p- -o whatif.svg
      caprese whatif model.json --block 8q+
      caprese whatif tumours.csv --events 4 -o ranking.csv
    """
    from caprese.io.what_if import what_if_text
    from caprese.recipe.formats import what_if_formats, write_files
    from caprese.text.columns import separated
    from caprese.text.inspection import log_lines
    from caprese.text.what_if import what_if_lines

    change = change_of(given)
    if not (change["block"] or change["slow"]) and change["target"] is None:
        raise click.UsageError(
            "name what is to be reached, --target EVENT or --events K, or an event to block, "
            "--block EVENT"
        )
    fit = _fit(given)
    found = _answer(fit, change, given)
    write_files((output, what_if_formats(found, guard_formulas=guard_formulas)))
    if as_json:
        say(what_if_text(found))
        return
    lines = what_if_lines(found, terminal_style(), terminal_width(), most=_GENOTYPES)
    say(separated(lines, log_lines(fit.log) if isinstance(fit, caprese.Fit) else []))


def _answer(fit: Any, change: Mapping[str, Any], given: Mapping[str, Any]) -> "caprese.WhatIf":
    carried = given["carried"]
    settings = {
        "carried": None if carried is None else [name for name in carried.split(",") if name],
        "replicates": given["replicates"] or 0,
        "seed": given["seed"],
        "jobs": given["jobs"],
    }
    if given["replicates"]:
        if getattr(fit, "data", None) is None:
            raise click.UsageError(
                "--replicates resamples the data: give DATA with --method, not a fit"
            )
        foretell([fit.method], fit.data, given["replicates"])
    with progress_bars():
        if change["block"] or change["slow"]:
            return caprese.intervene(fit, **change, **settings)
        return caprese.rank_blocks(fit, change["target"], **settings)


def _fit(given: Mapping[str, Any]) -> Any:
    """Return the fit or the model of a file; of data the fit of the method to it."""
    from caprese.io.documents import kind_of_document, read_document

    path = given["data"]
    if not path.lower().endswith(DOCUMENT):
        return fitted(chosen_method(given), load(given).curated(), more=given["replicates"] or 0)
    ctx = click.get_current_context()
    typed = [
        each
        for each in ctx.command.params
        if (isinstance(each, SectionOption) or each.name == "method")
        and ctx.get_parameter_source(each.name or "") is click.core.ParameterSource.COMMANDLINE
    ]
    names = [each.opts[-1] for each in typed] or [f"--{each}" for each in parameters_in(given)]
    if names:
        raise click.UsageError(f"{names[0]} is for data; {path} is fitted already")
    document = read_document(path)
    if not (isinstance(document, caprese.Fit) or hasattr(document, "log_probabilities")):
        raise click.UsageError(f"{path} is a {kind_of_document(document)}, not a fit")
    return document
