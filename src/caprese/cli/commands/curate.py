"""caprese inspect, caprese curate."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from caprese.cli.commands.completion import files
from caprese.cli.options.data import curates_data, reads_data
from caprese.cli.options.outputs import table_to_write
from caprese.cli.printing import prints_json, say, terminal_style
from caprese.cli.sections import SectionCommand

if TYPE_CHECKING:
    from caprese.data.curation import Curated
    from caprese.io.data.reading import Reading


@click.command(cls=SectionCommand, short_help="Tell what to know of the data.")
@reads_data
@prints_json
def inspect(load: "Callable[[], Reading]", as_json: bool) -> None:
    """Tell what a careful analyst wants to know of the data before fitting.

    How large it is, how frequent each event, what is unknown, constant, identical, exclusive; and
    warnings of what may spoil a fit, with what to do about it.

    \b
    Examples:
      caprese inspect tumours.csv
      caprese inspect cohort.maf.gz --read barcode=patient
    """
    from caprese.data.inspection import inspect as inspected
    from caprese.io.documents import inspection_text
    from caprese.text.inspection import inspection_lines

    reading = load()
    found = inspected(reading.data)
    if as_json:
        say(inspection_text(found, reading.notes))
        return
    notes = ["", "On the way in:", *(f"  {note}" for note in reading.notes)]
    say([*inspection_lines(found, terminal_style()), *(notes if reading.notes else [])])


@click.command(cls=SectionCommand, short_help="Write the data after curation.")
@curates_data
@click.option(
    "-o",
    "--output",
    callback=table_to_write,
    metavar="FILE",
    required=True,
    shell_complete=files,
    help="Where to write the table.",
)
@prints_json
def curate(load: "Callable[[], Curated]", output: str, as_json: bool) -> None:
    """Write the data as a table after curation, and print the log of all that was done to it.

    Events in all or none of the samples are dropped, identical events merged, samples of which
    nothing is known dropped; each can be switched off. `caprese fit` does the same by itself.

    \b
    Examples:
      caprese curate cohort.maf.gz --at-least 0.05 -o table.csv
      caprese curate my_study/ --top 20 --hypermutated 100 -o table.csv
    """
    from caprese._core.words import number_of
    from caprese.io.data.tables import write_dataset
    from caprese.io.documents import curation_text
    from caprese.text.curation import log_lines

    curated = load()
    write_dataset(curated.data, output)
    if as_json:
        say(curation_text(curated, output))
        return
    samples, events = map(len, (curated.data.samples, curated.data.events))
    size = f"{number_of(samples, 'sample')} x {number_of(events, 'event')}"
    say([*log_lines(curated.log), f"{output}: {size}"])
