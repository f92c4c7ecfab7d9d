"""Options of every command that resamples data, and how one ends that was interrupted."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from caprese.assessment.confidence import Confidence

Command = Callable[..., Any]

INTERRUPTED = 130


def draws_replicates(
    replicates: int | None, about: str = "How often to resample."
) -> Callable[[Command], Command]:
    """Give a command the options of a bootstrap.

    Parameters
    ----------
    replicates
        The default; None to leave it to the command.
    about
        Help of the option.
    """
    options = (
        click.option(
            "--replicates",
            type=click.IntRange(1, 10**9),
            default=replicates,
            show_default=replicates is not None,
            help=about,
        ),
        click.option("--seed", type=click.IntRange(0), default=1, show_default=True),
        click.option(
            "--jobs", type=click.IntRange(1), help="Workers; by default as many as cores."
        ),
    )

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def bootstrapped(work: "Callable[[], Confidence]") -> "Confidence":
    """Return the result of a bootstrap with a bar; of an interrupted one, what was done by then."""
    from caprese._core.progress import progress_bars
    from caprese.assessment.bootstrap import BootstrapInterrupted

    with progress_bars():
        try:
            return work()
        except BootstrapInterrupted as interruption:
            if interruption.confidence is None:
                raise
            return interruption.confidence


def end_if_interrupted(done: int, wanted: int) -> None:
    """Say how far a bootstrap came that was interrupted, and end as interrupted programs do."""
    if done < wanted:
        click.echo(f"caprese: interrupted after {done} of {wanted}", err=True)
        sys.exit(INTERRUPTED)
