"""--annotation or --clinical, --time, --status: where samples stand against a clinical table."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from caprese._core.words import listing
from caprese.cli.options.completion import files
from caprese.cli.options.declaring import SectionOption, together
from caprese.cli.options.outputs import OutputFile
from caprese.cli.printing import remark
from caprese.recipe.parts import TABLES, Placing, split_column

if TYPE_CHECKING:
    from caprese.io.data.annotations import Annotation
    from caprese.patients.groups import Associations
    from caprese.patients.survival import Survival

_option = partial(click.option, cls=SectionOption, section="Clinical table")
_TESTED = (
    "A table with one row per sample, such as stage and outcome: each column is tested "
    "against each event and against the number of events."
)
_curves = together(
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
)
takes_clinical = together(
    _option("--annotation", metavar="FILE", type=click.Path(), help=_TESTED),
    _curves,
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
takes_clinical_table = together(
    _option("--clinical", metavar="FILE", type=click.Path(), shell_complete=files, help=_TESTED),
    _curves,
)


def clinical_of(given: Mapping[str, Any]) -> Placing:
    """Return what is compared with a clinical table; refuse an option without one it needs."""
    check_curves_of(given, "annotation")
    _check_needs(
        given,
        ("tests", "annotation", ", the table to test against"),
        ("corrected", "annotation", ", the table to compare with"),
    )
    own = given.get("method") is None and given.get("fit_file") is None
    return Placing.among(given if own else {**given, "noise": None})  # else of the method


def check_curves_of(given: Mapping[str, Any], table: str) -> None:
    """Refuse options of curves without this one, which names a table; or without lifelines."""
    _check_needs(
        given,
        ("time", "status", ""),
        ("status", "time", ""),
        ("time", table, ", the table with this column"),
        ("by", "time", " and --status, for curves"),
    )
    if given["time"]:
        from caprese.patients.survival import check_curves

        check_curves()


def _check_needs(given: Mapping[str, Any], *needs: tuple[str, str, str]) -> None:
    for name, other, why in needs:
        if given[name] and given[other] is None:
            raise click.UsageError(f"--{name} needs --{other}{why}")


def ask_for_follow_up(tests: "Associations | None", curves: "Survival | None") -> None:
    """Ask on standard error for the columns of curves, if a table has some and none are drawn."""
    facts = () if tests is None or curves is not None else tests.facts
    named = [str(each.values["column"]) for each in facts if each.kind == "column of follow-up"]
    if named:
        remark(f"{listing(named)}: to compare survival, give --time COLUMN --status COLUMN")


def read_track(text: str, samples: Sequence[str]) -> "Annotation":
    """Return the categories in a file, or in a column of it; refuse those of other samples."""
    from caprese.io.data.annotations import read_annotation

    track = read_annotation(*split_column(text))
    if not track.categories.keys() & set(samples):
        raise click.UsageError(f"--annotation {text} names none of the samples")
    return track
