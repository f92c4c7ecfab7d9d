"""caprese atlas."""

from pathlib import Path
from typing import Any

import click

from caprese._core.progress import progress_bars
from caprese._core.words import duration, number_of
from caprese.cli.computing import takes_jobs, takes_seed
from caprese.cli.options.data import curates_folder, curation_of, source_of
from caprese.cli.options.outputs import FORCED, checked_folder, takes_force
from caprese.cli.printing import remark
from caprese.cli.sections import SectionCommand

_LONG = 20  # seconds of an atlas that are said beforehand


@click.command(cls=SectionCommand, short_help="Write a site about many cohorts.")
@curates_folder
@click.option(
    "--budget",
    metavar="TIME",
    default="20s",
    show_default=True,
    help="How long the fits of the judgement of each cohort may take on one core, such as 60s, as "
    "in `caprese judge`.",
)
@takes_seed
@takes_jobs
@click.option("--no-names", is_flag=True, help="Replace the names of samples by numbers.")
@click.option("--title", default="", help="Title of the index.")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    callback=checked_folder,
    help="Folder for the site; an atlas in it is replaced.",
)
@takes_force
def atlas(output: str, **given: Any) -> None:
    """Write a static site about many cohorts.

    FOLDER holds one file or cBioPortal study, also packed, for each cohort. The index has a tile
    for each: the verdict of all methods that the budget allows, what is known of the order,
    subtypes, and what is not known, with a link to its report, as `caprese report` writes it. A
    table of all events says where each comes in which cohort, and can be searched. What cannot be
    read is left out, and named. The options of reading and curation are for all cohorts. Open
    DIR/index.html in a browser, or publish the folder: it needs no network.

    \b
    Examples:
      caprese atlas cohorts -o site
      caprese atlas cohorts --top 15 --budget 5s --no-names -o site
    """
    from caprese.atlas.site import check_folder, entries_of, expected_seconds, write_atlas

    forced = click.get_current_context().meta.get(FORCED, False)
    _check_apart(given["data"], output)
    check_folder(output, force=forced)
    paths = entries_of(given["data"])
    sources = [source_of({**given, "data": path}) for path in paths]
    expected = expected_seconds(len(paths), given["budget"], given["jobs"])
    if expected >= _LONG:
        remark(f"{number_of(len(paths), 'cohort')} will take up to about {duration(expected)}")
    with progress_bars():
        found = write_atlas(
            sources,
            output,
            curation=curation_of(given),
            **{name: given[name] for name in ("budget", "seed", "jobs", "title")},
            names=not given["no_names"],
            force=forced,
        )
    for each in found.left_out:
        remark(f"left out {each.name}: {each.why}")
    click.echo(f"{Path(output, 'index.html')}: {number_of(len(found.cohorts), 'cohort')}")


def _check_apart(folder: str, output: str) -> None:
    """Refuse a site among the cohorts, where the next atlas would find it."""
    inside, top = Path(output).resolve(), Path(folder).resolve()
    if top == inside or top in inside.parents:
        raise click.UsageError(f"--output {output} is inside of {folder}; name another folder")
