"""--annotation, --time, --status, --tests: where samples stand against a clinical table."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.outputs import TABLES, OutputFile
from caprese.cli.sections import SectionOption

if TYPE_CHECKING:
    from caprese.recipe.parts import Placing

Command = Callable[..., Any]

_option = partial(click.option, cls=SectionOption, section="Clinical table")
_OPTIONS = (
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
        help="Compare the most probable genotypes instead of what was seen.",
    ),
    _option(
        "--tests", type=OutputFile(*TABLES), help="Also write all tests to FILE, .csv or .tsv."
    ),
)


@dataclass(frozen=True)
class ClinicalOptions:
    """What was asked of a clinical table."""

    annotation: str | None
    time: str | None
    status: str | None
    by: str | None
    corrected: bool
    tests: str | None  # file to write

    def placing(self) -> "Placing":
        """Return what was asked, as a recipe has it."""
        from caprese.recipe.parts import Placing

        return Placing(
            annotation=self.annotation,
            time=self.time,
            status=self.status,
            by=self.by,
            corrected=self.corrected,
        )


_FIELDS = fields(ClinicalOptions)


def takes_clinical(command: Command) -> Command:
    """Give a command the options of a clinical table; it is called with `clinical`."""

    @wraps(command)
    def wrapped(**given: Any) -> Any:
        options = ClinicalOptions(**{each.name: given.pop(each.name) for each in _FIELDS})
        _check(options)
        return command(clinical=options, **given)

    finished: Command = wrapped
    for option in reversed(_OPTIONS):
        finished = option(finished)
    return finished


def _check(options: ClinicalOptions) -> None:
    """Refuse an option without the one that it needs."""
    needs = (
        ("time", "status", ""),
        ("status", "time", ""),
        ("time", "annotation", ", the table with this column"),
        ("by", "time", " and --status, for curves"),
        ("tests", "annotation", ", the table to test against"),
        ("corrected", "annotation", ", the table to compare with"),
    )
    for given, other, why in needs:
        if getattr(options, given) and getattr(options, other) is None:
            raise click.UsageError(f"--{given} needs --{other}{why}")
