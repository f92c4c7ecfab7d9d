"""--annotation, --time, --status, --tests: where samples stand against a clinical table."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.declaring import SectionOption, together
from caprese.cli.options.outputs import OutputFile
from caprese.recipe.parts import TABLES, Placing, split_column

if TYPE_CHECKING:
    from caprese.io.data.annotations import Annotation

_option = partial(click.option, cls=SectionOption, section="Clinical table")
takes_clinical = together(
    _option(
        "--annotation",
        metavar="FILE",
        type=click.Path(),
        help="A table with one row per sample, such as stage and outcome: each column is tested "
        "against each event and against the number of events.",
    ),
    _option(
        "--time",
        metavar="COLUMN",
        help="Column of the times of follow-up, for Kaplan-Meier curves and a log-rank test.",
    ),
    _option(
        "--status",
        metavar="COLUMN",
        help="Column of the status at these times: 0/1, alive/dead, LIVING/DECEASED, 1:DECEASED.",
    ),
    _option(
        "--by",
        metavar="WHAT",
        help="Groups of the curves: branch, progress, thirds, subtype, or the name of an event. "
        "[default: progress]",
    ),
    _option(
        "--corrected",
        is_flag=True,
        help="Compare the genotypes that --noise corrects, instead of what was seen.",
    ),
    _option(
        "--tests",
        type=OutputFile(*TABLES, holds="tests"),
        help="Also write all tests to FILE, .csv or .tsv.",
    ),
)


def clinical_of(given: Mapping[str, Any]) -> Placing:
    """Return what is compared with a clinical table; refuse an option without one it needs."""
    needs = (
        ("time", "status", ""),
        ("status", "time", ""),
        ("time", "annotation", ", the table with this column"),
        ("by", "time", " and --status, for curves"),
        ("tests", "annotation", ", the table to test against"),
        ("corrected", "annotation", ", the table to compare with"),
    )
    for name, other, why in needs:
        if given[name] and given[other] is None:
            raise click.UsageError(f"--{name} needs --{other}{why}")
    if given["time"]:
        from caprese.patients.survival import check_curves

        check_curves()
    own = given.get("method") is None and given.get("fit_file") is None
    return Placing.among(given if own else {**given, "noise": None})  # else of the method


def read_track(text: str, samples: Sequence[str]) -> "Annotation":
    """Return the categories in a file, or in a column of it; refuse those of other samples."""
    from caprese.io.data.annotations import read_annotation

    track = read_annotation(*split_column(text))
    if not track.categories.keys() & set(samples):
        raise click.UsageError(f"--annotation {text} names none of the samples")
    return track
