"""Options of commands that bootstrap, and what an interruption (Ctrl-C) does."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from caprese._core.checks import MOST, whole
from caprese._core.environment import INTERRUPTED
from caprese.cli.options.checked import Checked

if TYPE_CHECKING:
    from caprese.data.dataset import Dataset
    from caprese.methods.fit import Fit

Command = Callable[..., Any]

takes_seed = click.option(
    "--seed",
    type=Checked(whole, 0, 2**63 - 1),
    default=1,
    show_default=True,
    help="Seed of the random numbers.",
)
takes_jobs = click.option(
    "--jobs", type=Checked(whole, 1), help="Number of workers; by default the number of cores."
)
takes_dask = click.option(
    "--dask", metavar="ADDRESS", help="Address of a dask cluster that does the work."
)


def takes_replicates(
    replicates: int | None, about: str = "Number of bootstrap replicates."
) -> Callable[[Command], Command]:
    """Give a command the options of a bootstrap; without a default the command chooses one."""
    takes_number = click.option(
        "--replicates",
        type=Checked(whole, 1, MOST),
        default=replicates,
        show_default=replicates is not None,
        help=about,
    )
    return lambda command: takes_number(takes_seed(takes_jobs(command)))


def bootstrapped(fit: "Fit[Any, Any]", data: "Dataset", **settings: Any) -> Any:
    """Return a bootstrap of edges or effects; after an interruption, of the replicates so far."""
    from caprese._core.progress import progress_bars
    from caprese.assessment.bootstrap import BootstrapInterrupted, bootstrap
    from caprese.assessment.effects import bootstrap_effects, has_effects

    with progress_bars():
        try:
            return (bootstrap_effects if has_effects(fit) else bootstrap)(fit, data, **settings)
        except BootstrapInterrupted as interruption:
            if interruption.confidence is None:
                raise
            return interruption.confidence


def cluster(address: str | None) -> AbstractContextManager[Any]:
    """Return a context in which joblib runs on a dask cluster, if an address is given."""
    if address is None:
        return nullcontext()
    try:
        from distributed import Client
    except ImportError:
        from caprese._core.environment import install_command

        raise click.UsageError(f"--dask needs distributed: {install_command('dask')}") from None
    from joblib import parallel_config

    try:
        Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--dask {address}: {error}") from None
    context: AbstractContextManager[Any] = parallel_config(backend="dask")
    return context


def exit_if_interrupted(done: int, requested: int) -> None:
    """Say how many replicates an interrupted bootstrap completed, and exit with code 130."""
    if done < requested:
        click.echo(f"caprese: interrupted after {done} of {requested} replicates", err=True)
        sys.exit(INTERRUPTED)
