"""caprese inspect, caprese curate."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from caprese.cli.data import curates_data, file_name, reads_data

if TYPE_CHECKING:
    from caprese.curation import Curated
    from caprese.io.reading import Reading


@click.command()
@reads_data
def inspect(load: "Callable[[], Reading]") -> None:
    """Tell what a careful analyst wants to know of the data before fitting.

    \b
    Examples:
      caprese inspect tumours.csv
      caprese inspect cohort.maf.gz --read barcode=patient
    """
    from caprese.inspection import inspect as inspected
    from caprese.report.inspection_text import inspection_lines

    reading = load()
    lines = inspection_lines(inspected(reading.data))
    if reading.notes:
        lines += ["", "On the way in:", *(f"  {note}" for note in reading.notes)]
    click.echo("\n".join(lines))


@click.command()
@curates_data
@click.option(
    "-o",
    "--output",
    callback=file_name,
    metavar="FILE",
    required=True,
    help="Where to write the table.",
)
def curate(load: "Callable[[], Curated]", output: str) -> None:
    """Write the data as a table after curation, and print the log of all that was done to it.

    Events in all or none of the samples are dropped, identical events merged, samples of which
    nothing is known dropped; each can be switched off. `caprese fit` does the same by itself.

    \b
    Examples:
      caprese curate cohort.maf.gz --at-least 0.05 -o table.csv
      caprese curate study/ --read per=patient --top 20 --hypermutated 100 -o table.csv
    """
    from caprese.io.tables import write_table
    from caprese.report.columns import number_of
    from caprese.report.log_text import log_lines

    curated = load()
    write_table(curated.data, output)
    samples, events = map(len, (curated.data.samples, curated.data.events))
    size = f"{number_of(samples, 'sample')} x {number_of(events, 'event')}"
    click.echo("\n".join([*log_lines(curated.log), f"{output}: {size}"]))
