"""--fit: samples are placed in a fit from a file, or in one of a method to the data itself."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from caprese.cli.options.methods import chosen_method, fitted

if TYPE_CHECKING:
    from caprese.data.curation import Curated
    from caprese.methods.fit import Fit

_EVERYTHING = {"keep_constant": True, "keep_identical": True, "keep_unknown": True}


takes_fit = click.option(
    "--fit",
    "fit_file",
    metavar="FILE",
    type=click.Path(),
    help="A fit written by `caprese fit -o`; DATA may then be other samples. By default the "
    "method is fitted to DATA.",
)


def fit_and_samples(
    load: "Callable[..., Curated]",
    fit_file: str | None,
    method: str,
    options: Mapping[str, str | None],
) -> "tuple[Fit[Any, Any], Curated]":
    """Return the fit to place samples in, and the samples.

    The samples of a fit from a file are curated only if that was asked for: its events are given,
    and columns of the samples that are none of them may hold anything.
    """
    if fit_file is None:
        chosen = chosen_method(method, dict(options))
        curated = load()
        return fitted(chosen, curated), curated
    _refuse_parameters(options)
    found = _read(fit_file)
    curated = load(**_EVERYTHING, used=found.model.events)
    if found.predictor is None and found.digest == curated.data.digest:
        return found.on(curated.data), curated
    return found, curated


def _refuse_parameters(options: Mapping[str, str | None]) -> None:
    for name in (name for name, value in options.items() if value is not None):
        option = name.replace("_", "-")
        raise click.UsageError(f"--{option} is a parameter of a method; --fit is fitted already")


def _read(path: str) -> "Fit[Any, Any]":
    """Return a fit from a file."""
    from caprese.io.documents import kind_of_document, read_document
    from caprese.methods.fit import Fit

    document = read_document(path)
    if not isinstance(document, Fit):
        kind = kind_of_document(document)
        raise click.UsageError(f"--fit {path} is a {kind}, not a fit")
    return document
