"""Options of commands that bootstrap, and what an interruption (Ctrl-C) does."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from caprese._core.exits import INTERRUPTED

if TYPE_CHECKING:
    from caprese.assessment.confidence import Confidence
    from caprese.assessment.effect_bootstrap import EffectConfidence
    from caprese.data.dataset import Dataset
    from caprese.methods.fit import Fit

Command = Callable[..., Any]
Found = TypeVar("Found")


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
    from caprese.assessment.bootstrap import bootstrap

    return _until_interrupted(bootstrap, fit, data, settings)


def bootstrapped_effects(
    fit: "Fit[Any, Any]", data: "Dataset", **settings: Any
) -> "EffectConfidence":
    """Return the result of a bootstrap of effects; after an interruption, what is done so far."""
    from caprese.assessment.effect_bootstrap import bootstrap_effects

    return _until_interrupted(bootstrap_effects, fit, data, settings)


def _until_interrupted(
    run: Callable[..., Found], fit: "Fit[Any, Any]", data: "Dataset", settings: dict[str, Any]
) -> Found:
    from caprese._core.progress import progress_bars
    from caprese.assessment.bootstrap import BootstrapInterrupted

    with progress_bars():
        try:
            return run(fit, data, **settings)
        except BootstrapInterrupted as interruption:
            if interruption.confidence is None:
                raise
            return cast("Found", interruption.confidence)


def exit_if_interrupted(done: int, requested: int) -> None:
    """Say how many replicates an interrupted bootstrap completed, and exit with code 130."""
    if done < requested:
        click.echo(f"caprese: interrupted after {done} of {requested} replicates", err=True)
        sys.exit(INTERRUPTED)
