"""Options of every command that draws data anew, and how one ends that was interrupted."""

import sys
from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]

INTERRUPTED = 130


def draws_replicates(
    replicates: int | None, about: str = "How often to draw the samples anew."
) -> Callable[[Command], Command]:
    """Give a command the options of a bootstrap.

    Parameters
    ----------
    replicates
        How many if not told; None to leave that to the command.
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
            "--jobs", type=click.IntRange(1), help="Workers; as many as cores if not told."
        ),
    )

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def end_if_interrupted(done: int, wanted: int) -> None:
    """Say how far a bootstrap came that was interrupted, and end as interrupted programs do."""
    if done < wanted:
        click.echo(f"caprese: interrupted after {done} of {wanted}", err=True)
        sys.exit(INTERRUPTED)
