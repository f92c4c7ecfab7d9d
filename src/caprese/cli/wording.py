"""The terminal's words for errors: settings as options that a user can type."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from caprese.errors import CapreseError


@contextmanager
def worded(ctx: click.Context) -> Iterator[None]:
    """Turn errors of the library into those of a command, parameters written as options."""
    try:
        yield
    except CapreseError as error:
        raise click.ClickException(error.message(setting(ctx))) from error
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def setting(ctx: click.Context) -> Callable[[str, object], str]:
    """Return how a parameter with a value is written in a command, such as ``--top 20``."""

    def written(parameter: str, value: object) -> str:
        option = _option(ctx, parameter)
        if option is not None:
            return _as_option(option, value)
        if _is_of_a_format(ctx, parameter):
            return f"--read {parameter}" if value is None else f"--read {parameter}={_typed(value)}"
        if parameter == "column":  # of a file of annotations
            return f"FILE:{value}"
        return parameter if value is None else f"{parameter}={_typed(value)}"

    return written


def _option(ctx: click.Context, parameter: str) -> click.Option | None:
    """Return the option of a command for a parameter of Python; None if it has none."""
    name = f"--{parameter.replace('_', '-')}"
    options = [each for each in ctx.command.get_params(ctx) if isinstance(each, click.Option)]
    named = [each for each in options if name in each.opts]
    return next(iter(named or (each for each in options if each.name == parameter)), None)


def _as_option(option: click.Option, value: object) -> str:
    if option.is_flag:
        return (option.secondary_opts if value is False else option.opts)[-1]
    return option.opts[-1] if value is None else f"{option.opts[-1]} {_typed(value)}"


def _is_of_a_format(ctx: click.Context, parameter: str) -> bool:
    """Whether a command reads data, and a format has such an option."""
    if _option(ctx, "read") is None:
        return False
    from inspect import signature

    from caprese.io.data.sources import READERS

    return any(parameter in signature(reader).parameters for reader in READERS.values())


def _typed(value: Any) -> str:
    """Return a value as a user types it in a shell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    return shlex.quote(text)
