"""Fits and bootstraps: their options and costs, progress, and what an interruption does."""

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

import caprese
from caprese._core.budget import size_words
from caprese._core.checks import MOST, SEEDS, whole
from caprese._core.environment import INTERRUPTED, check_extra
from caprese._core.progress import progress_bars
from caprese._core.words import duration, number_of
from caprese.cli.options.declaring import Checked, Option, together
from caprese.cli.printing import remark

if TYPE_CHECKING:
    from caprese.assessment.referee import Choice
    from caprese.data.curation import Curated

_PATIENCE = 10  # seconds for a cluster to answer, and for a worker to appear
_LONG = 20  # seconds of a judgement that are said beforehand
_MANY = 1000  # events from which pairs of events take memory that is worth a word
# Bytes of memory for counts, scores and evidence; measured at 2,000 and 5,000 events.
_PER_PAIR = 60
_PER_PAIR_RESAMPLED = 100  # with the votes and the replicates in progress
_SECONDS_PER_PAIR = 2e-7  # of a method that needs only counts of pairs; measured on one core

takes_seed = click.option(
    "--seed",
    type=Checked(whole, *SEEDS),
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
) -> Option:
    """Give a command the options of a bootstrap; without a default the command chooses one."""
    takes_number = click.option(
        "--replicates",
        type=Checked(whole, 1, MOST),
        default=replicates,
        show_default=replicates is not None,
        help=about,
    )
    return together(takes_number, takes_seed, takes_jobs)


def cost_of_fit(events: int) -> str:
    """Return what a fit to so many events will take."""
    return _said(events, f"a fit takes {_memory(_PER_PAIR * events**2)}")


def cost_of_bootstrap(method: "caprese.extend.Method", events: int, replicates: int) -> str:
    """Return what a bootstrap will take."""
    from caprese.methods.protocols import is_quick

    seconds = _SECONDS_PER_PAIR * events**2 * replicates
    time = f" and {duration(seconds)} on one core" if is_quick(method) else ""
    memory = _memory(_PER_PAIR_RESAMPLED * events**2)
    return _said(events, f"{replicates:,} replicates take {memory}{time}")


def cost_of_picture(events: int) -> str:
    """Return a warning that a picture of so many events is large."""
    return _said(events, "a picture takes minutes and shows little; select some with --top")


def _said(events: int, cost: str) -> str:
    return f"{events:,} events: {cost}" if events >= _MANY else ""


def _memory(size: float) -> str:
    return f"about {size_words(float(f'{size:.2g}'))} of memory"


def fitted(
    method: "caprese.extend.Method", curated: "Curated", more: int = 0
) -> "caprese.Fit[Any, Any]":
    """Return the fit to curated data, with the log of the curation; show the progress.

    What is said beforehand of the memory includes as many more fits, those of a bootstrap.
    """
    from caprese.methods.fit import new_fit

    _say_cost(method, curated.data, more)
    with progress_bars():
        return replace(new_fit(method, curated.data), log=curated.log)


def fitted_so_far(
    method: "caprese.extend.Method", curated: "Curated"
) -> "tuple[caprese.Fit[Any, Any], bool]":
    """Return the fit to curated data as far as it was done, and whether it was interrupted.

    An interruption before there is anything to look at, and of a method that cannot be stopped, is
    passed on.
    """
    from caprese.methods.protocols import GradualMethod

    if not isinstance(method, GradualMethod):
        return fitted(method, curated), False
    _say_cost(method, curated.data)
    with progress_bars():
        running, interrupted = method.running_fit(curated.data), False
        try:
            deque(running, maxlen=0)
        except KeyboardInterrupt:
            interrupted = True
            if not running.done:
                raise
    return replace(running.fit, log=curated.log), interrupted


def _say_cost(method: "caprese.extend.Method", data: "caprese.Dataset", more: int = 0) -> None:
    from caprese.text.fits import unused_orders

    events = len(data.events)
    remark(unused_orders(method, data))
    remark(cost_of_bootstrap(method, events, more) if more else cost_of_fit(events))
    foretell([method], data)


def foretell(methods: "Iterable[object]", data: "caprese.Dataset", times: int = 1) -> None:
    """Say on standard error about how long a number of fits of each method will take, if long."""
    from caprese.text.fits import expected_time

    for method in methods:
        remark(expected_time(method, data, times))


def tell_of_judgement(choice: "Choice") -> None:
    """Say on standard error how long a judgement will take, if long."""
    if choice.seconds > _LONG:
        cost = f"about {duration(choice.seconds)} of one core"
        others = number_of(len(choice.judged) - 1, "method")  # beside independent events
        remark(f"judging {others} will take {cost}")


def bootstrapped(fit: "caprese.Fit[Any, Any]", data: "caprese.Dataset", **settings: Any) -> Any:
    """Return a bootstrap of edges or effects; after an interruption, of the replicates so far."""
    from caprese.assessment.bootstrap import BootstrapInterrupted
    from caprese.assessment.effects import has_effects
    from caprese.text.fits import answered_by_posterior

    resampled = caprese.bootstrap_effects if has_effects(fit) else caprese.bootstrap
    remark(answered_by_posterior(fit, settings["replicates"]))
    foretell([fit.method], data, settings["replicates"])
    with progress_bars():
        try:
            return resampled(fit, data, **settings)
        except BootstrapInterrupted as interruption:
            if interruption.confidence is None:
                raise
            return interruption.confidence


@contextmanager
def cluster(address: str | None, jobs: int | None = None) -> Iterator[int | None]:
    """Run what joblib runs on a dask cluster, if an address is given; return the number of jobs.

    It is entered before anything is computed, as a cluster may not be there.
    """
    if address is None:
        yield jobs
        return
    check_extra("--dask", "distributed", "dask")
    from distributed import Client
    from joblib import parallel_config

    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--dask {address}: {' '.join(str(error).split())}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            none = f"the cluster has no worker; start one with: dask worker {address}"
            raise click.UsageError(f"--dask {address}: {none}") from None
        with parallel_config(backend="dask"):
            yield jobs or sum(client.ncores().values())


def exit_if_interrupted(done: int, requested: int) -> None:
    """Say how many replicates an interrupted bootstrap completed, and exit with code 130."""
    if done < requested:
        exit_interrupted(f" after {done} of {requested} replicates")


def exit_interrupted(after: str = "") -> NoReturn:
    """Say that a command was interrupted, and exit with code 130."""
    click.echo(f"caprese: interrupted{after}", err=True)
    sys.exit(INTERRUPTED)
