"""caprese inspect, caprese curate."""

from typing import TYPE_CHECKING, Any

import click

import caprese
from caprese._core.files import replace_file
from caprese._core.words import number_of, visible
from caprese.cli.options.data import curates_data, load, reads_data
from caprese.cli.options.outputs import OutputFile, guards_formulas, takes_output
from caprese.cli.options.overwriting import refuse_other_table
from caprese.cli.options.recipes import saves_recipe
from caprese.cli.printing import prints_json, say, terminal_style, terminal_width
from caprese.cli.sections import SectionCommand
from caprese.cli.wording import setting
from caprese.recipe.parts import TABLES
from caprese.text.columns import separated

if TYPE_CHECKING:
    from caprese.recipe.loading import Loaded

_LONGEST_NOTE = 1000  # characters


@click.command(cls=SectionCommand, short_help="Describe the data and warn of problems.")
@reads_data
@prints_json
def inspect(as_json: bool, **given: Any) -> None:
    """Describe the data, and warn of problems, before a method is fitted.

    Prints the size of the data, the frequency of each event, and unknown entries; events that are
    constant, identical or mutually exclusive; and warnings of what may make a fit unreliable, with
    advice.

    \b
    Examples:
      caprese inspect tumours.csv
      caprese inspect cohort.maf.gz --read barcode=patient
    """
    from caprese.io.documents import inspection_text
    from caprese.text.inspection import inspection_lines

    reading = load(given).reading
    found = caprese.inspect(reading.data)
    if as_json:
        say(inspection_text(found, reading.notes))
        return
    notes = [f"  {visible(note.message(), _LONGEST_NOTE)}" for note in reading.notes]
    lines = inspection_lines(found, terminal_style(), terminal_width())
    say(separated(lines, ["While reading:", *notes] if notes else []))


@click.command(cls=SectionCommand, short_help="Write the curated data as a table.")
@curates_data
@takes_output(
    OutputFile(*TABLES, ".xlsx", ".parquet", holds="table", one_format=True),
    help="File for the table: .csv, .tsv or .txt; .xlsx for Excel; .parquet.",
)
@click.option(
    "--suggest",
    metavar="FILE",
    type=OutputFile(".csv", holds="suggestion"),
    help="Write a table of events to look at, with reasons, to FILE, .csv. Edit its column `use`, "
    "and give it back with --only.",
)
@guards_formulas
@saves_recipe
@prints_json
def curate(
    output: str | None, suggest: str | None, guard_formulas: bool, as_json: bool, **given: Any
) -> None:
    """Curate the data, write it as a table, and print a log of all changes.

    By default, events present in all or no samples are dropped, identical events are merged, and
    samples without any known entry are dropped. `caprese fit` curates in the same way.

    \b
    Examples:
      caprese curate cohort.maf.gz --at-least 0.05 -o table.csv
      caprese curate my_study/ --top 20 --hypermutated 100 -o table.xlsx
      caprese curate my_study/ --suggest events.csv
    """
    from caprese.io.data.frames import write_data
    from caprese.io.documents import curation_text
    from caprese.text.inspection import log_lines

    if output is None and suggest is None:
        raise click.UsageError("Missing option '-o' / '--output', or --suggest")
    loaded = load(given)
    if suggest is not None:
        _suggest(suggest, loaded, quiet=output is not None)
    if output is None:
        return
    curated = loaded.curated()
    refuse_other_table("--output", output, curated.data)
    write_data(curated.data, output, guard_formulas=guard_formulas)
    if as_json:
        say(curation_text(curated, output))
        return
    samples, events = map(len, (curated.data.samples, curated.data.events))
    size = f"{number_of(samples, 'sample')} x {number_of(events, 'event')}"
    say([*log_lines(curated.log), f"{output}: {size}"])


def _suggest(path: str, loaded: "Loaded", *, quiet: bool) -> None:
    """Write a suggestion, and unless it is to be `quiet` print it.

    Its names are those of the data before curation, as --only takes them.
    """
    from caprese.data.suggestion import suggest
    from caprese.text.suggestion import suggestion_lines, suggestion_table

    found = suggest(loaded.reading.data, loaded.reading.variants())
    replace_file(path, suggestion_table(found))
    used = sum(each.use for each in found.events)
    say(
        separated(
            [] if quiet else suggestion_lines(found, setting(click.get_current_context())),
            [f"{path}: {used} of {number_of(len(found.events), 'event')} proposed"],
        )
    )
