"""Options of commands that bootstrap, and what an interruption (Ctrl-C) does."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.cost import cost_of_bootstrap
from caprese.cli.options.methods import foretell
from caprese.cli.printing import remark

if TYPE_CHECKING:
    from caprese.assessment.confidence import Confidence
    from caprese.data.dataset import Dataset
    from caprese.methods.base import Fit

Command = Callable[..., Any]

INTERRUPTED = 130  # exit code, by the convention of shells

takes_seed = click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Seed of the random numbers.",
)
takes_jobs = click.option(
    "--jobs", type=click.IntRange(1), help="Number of workers; by default the number of cores."
)


def takes_replicates(
    replicates: int | None, about: str = "Number of bootstrap replicates."
) -> Callable[[Command], Command]:
    """Give a command the options of a bootstrap; without a default the command chooses one."""
    takes_number = click.option(
        "--replicates",
        type=click.IntRange(1, 10**9),
        default=replicates,
        show_default=replicates is not None,
        help=about,
    )
    return lambda command: takes_number(takes_seed(takes_jobs(command)))


def bootstrapped(fit: "Fit[Any, Any]", data: "Dataset", **settings: Any) -> "Confidence":
    """Return the result of a bootstrap; after an interruption, of the replicates done so far."""
    from caprese._core.progress import progress_bars
    from caprese.assessment.bootstrap import BootstrapInterrupted, bootstrap

    remark(cost_of_bootstrap(fit.method, len(data.events), settings["replicates"]))
    foretell([fit.method], data, settings["replicates"])
    with progress_bars():
        try:
            return bootstrap(fit, data, **settings)
        except BootstrapInterrupted as interruption:
            if interruption.confidence is None:
                raise
            return interruption.confidence


def exit_if_interrupted(done: int, requested: int) -> None:
    """Say how many replicates an interrupted bootstrap completed, and exit with code 130."""
    if done < requested:
        click.echo(f"caprese: interrupted after {done} of {requested} replicates", err=True)
        sys.exit(INTERRUPTED)
