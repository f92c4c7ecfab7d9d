"""--annotation, --time, --status, --tests: where samples stand against a clinical table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.completion import files
from caprese.cli.options.outputs import checked_tests
from caprese.cli.sections import SectionOption

if TYPE_CHECKING:
    from caprese.recipe.parts import Placing

Command = Callable[..., Any]

_SECTION = "Clinical table"
_OPTIONS = (
    click.option(
        "--annotation",
        cls=SectionOption,
        section=_SECTION,
        metavar="FILE",
        shell_complete=files,
        help="A table with one row per sample, such as stage and outcome: each column is tested "
        "against each event and against the number of events.",
    ),
    click.option(
        "--time",
        cls=SectionOption,
        section=_SECTION,
        metavar="COLUMN",
        help="Column of the times of follow-up, for Kaplan-Meier curves and a log-rank test.",
    ),
    click.option(
        "--status",
        cls=SectionOption,
        section=_SECTION,
        metavar="COLUMN",
        help="Column of the status at these times: 0/1, alive/dead, LIVING/DECEASED, 1:DECEASED.",
    ),
    click.option(
        "--by",
        cls=SectionOption,
        section=_SECTION,
        metavar="WHAT",
        help="Groups of the curves: branch, progress, thirds, subtype, or the name of an event. "
        "[default: progress]",
    ),
    click.option(
        "--corrected",
        cls=SectionOption,
        section=_SECTION,
        is_flag=True,
        help="Compare the most probable genotypes instead of what was seen.",
    ),
    click.option(
        "--tests",
        cls=SectionOption,
        section=_SECTION,
        metavar="FILE",
        callback=checked_tests,
        shell_complete=files,
        help="Also write all tests to FILE, .csv or .tsv.",
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
    tests: str | None = None  # file to write

    @property
    def survival(self) -> bool:
        """Whether curves are asked for."""
        return self.time is not None

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


def takes_clinical(command: Command) -> Command:
    """Give a command the options of a clinical table; it is called with `clinical`."""

    @wraps(command)
    def wrapped(**given: Any) -> Any:
        names = ("annotation", "time", "status", "by", "corrected", "tests")
        options = ClinicalOptions(**{name: given.pop(name) for name in names})
        _check(options)
        return command(clinical=options, **given)

    finished: Command = wrapped
    for option in reversed(_OPTIONS):
        finished = option(finished)
    return finished


def _check(options: ClinicalOptions) -> None:
    if (options.time is None) != (options.status is None):
        given, other = ("time", "status") if options.status is None else ("status", "time")
        raise click.UsageError(f"--{given} needs --{other}")
    if options.time is not None and options.annotation is None:
        raise click.UsageError("--time needs --annotation, the table with this column")
    if options.by is not None and options.time is None:
        raise click.UsageError("--by divides the samples for curves; give --time and --status")
    if options.tests is not None and options.annotation is None:
        raise click.UsageError("--tests are those against a clinical table; give --annotation")
    if options.corrected and options.annotation is None:
        raise click.UsageError("--corrected is for comparisons with a table; give --annotation")
