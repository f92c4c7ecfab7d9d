"""The terminal's words for errors: one line each, settings as options that a user can type."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from caprese._core.words import did_you_mean
from caprese.errors import CapreseError

_WHOLE = re.compile(r"[0-9]{1,30}")
_LARGE = 10_000  # number from which on an option may be why memory does not suffice


@contextmanager
def worded(ctx: click.Context) -> Iterator[None]:
    """Turn errors of the library into those of a command, parameters written as options."""
    try:
        yield
    except CapreseError as error:
        raise click.ClickException(error.message(setting(ctx))) from error
    except ValueError as error:
        raise click.ClickException(str(error)) from error


_OF_CURATION = ("only", "exclude")  # options of commands that curate what they read


def setting(ctx: click.Context) -> Callable[[str, object], str]:
    """Return how a parameter with a value is written in a command, such as ``--top 20``."""

    def written(parameter: str, value: object) -> str:
        option = _option(ctx, parameter)
        if option is not None:
            return _as_option(option, value)
        if parameter in _OF_CURATION:
            return f"--{parameter} {'NAMES' if value is None else _typed(value)} of caprese fit"
        if chosen := _option_of_a_format(ctx, parameter):
            return chosen if value is None else f"{chosen}={_typed(value)}"
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


def _option_of_a_format(ctx: click.Context, parameter: str) -> str | None:
    """Return how a command sets an option of a format, or of seen orders; None if none has it."""
    if _option(ctx, "read") is None:
        return None
    from inspect import signature

    from caprese.io.data.seen_orders import ORDER_OPTIONS
    from caprese.io.data.sources import READERS

    if any(parameter in signature(reader).parameters for reader in READERS.values()):
        return f"--read {parameter}"
    return f"--read-orders {parameter}" if parameter in ORDER_OPTIONS else None


def _typed(value: Any) -> str:
    """Return a value as a user types it in a shell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    return shlex.quote(text)


def memory_message(reason: str, arguments: Sequence[str]) -> str:
    """Return that memory does not suffice, with the options whose large numbers may be why."""
    large = [text for text, number in _numbers(arguments) if number >= _LARGE]
    if not large:
        return f"not enough memory: {reason}"
    return f"not enough memory for {', '.join(large)}: choose less ({reason})"


def _numbers(arguments: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield options and parameters of methods that are whole numbers, as they were typed."""
    for before, word in zip(("", *arguments), arguments, strict=False):
        if before.startswith("-") and _WHOLE.fullmatch(word):
            yield f"{before} {word}", int(word)
        for setting in word.split(":"):
            name, equals, number = setting.partition("=")
            if equals and _WHOLE.fullmatch(number):
                yield f"{name} {number}", int(number)


def usage_message(error: click.ClickException) -> str:
    """Return what was wrong; for an option, suggest a similar one or name commands that have it."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error.format_message()
    name, ctx = error.option_name, error.ctx
    own = [option for each in ctx.command.get_params(ctx) for option in _names(each)]
    root = ctx.find_root().command
    commands = root.commands if isinstance(root, click.Group) else {}
    others = [
        other for other, each in commands.items() if any(name in _names(it) for it in each.params)
    ]
    have = f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else ""
    return f"{ctx.info_name} has no option {name!r}" + (did_you_mean(name, own) or have)


def _names(parameter: click.Parameter) -> list[str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    return [name for name in names if name.startswith("-")]
