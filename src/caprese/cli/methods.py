"""Options that come from the fields of the methods."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from caprese.methods.base import Method

METHOD_HELP = "How to infer: METHOD, or METHOD:PARAMETER=VALUE for what has no option here."


class MethodCommand(click.Command):
    """A command with the options of all methods, read from their fields when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the command's own parameters and those of the methods it does not have itself."""
        own = super().get_params(ctx)
        taken = {parameter.name for parameter in own}
        return [*own, *(option for option in _options() if option.name not in taken)]


def chosen_method(text: str, options: dict[str, str | None]) -> "Method":
    """Return the method a user named, with the options given."""
    from caprese.methods import make_method, split_method

    try:
        name, given = split_method(text)
        given |= {parameter: value for parameter, value in options.items() if value is not None}
        return make_method(name, given)
    except ValueError as error:
        raise click.UsageError(f"--{error}") from None


def cluster(address: str | None) -> AbstractContextManager[Any]:
    """Return a context in which joblib's work goes to a dask cluster, if there is one."""
    if address is None:
        return nullcontext()
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError("--dask needs the extra dask: pip install 'caprese[dask]'") from None
    from joblib import parallel_config

    try:
        Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"--dask {address}: {error}") from None
    context: AbstractContextManager[Any] = parallel_config(backend="dask")
    return context


def _options() -> list[click.Parameter]:
    from caprese.methods import METHODS

    users: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    for name, method in METHODS.items():
        for field in fields(method):
            users.setdefault(field.name, []).append(name)
            default = "" if field.default is None else f" [default: {field.default}]"
            about.setdefault(field.name, f"{field.metadata['about']}{default}")
    return [
        click.Option(
            [f"--{parameter.replace('_', '-')}", parameter],
            help=f"{', '.join(names)}: {about[parameter]}",
        )
        for parameter, names in users.items()
    ]
