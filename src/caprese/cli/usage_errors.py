"""Errors of the command line itself, each as one line."""

import re
from collections.abc import Iterator, Sequence

import click

from caprese._core.words import did_you_mean

_WHOLE = re.compile(r"[0-9]{1,30}")
_LARGE = 10_000  # number from which on an option may be why memory does not suffice


def usage_message(error: click.ClickException) -> str:
    """Return what was wrong with the arguments of a command."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        return _no_such_option(error.option_name, error.ctx)
    return error.format_message()


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


def _no_such_option(name: str, ctx: click.Context) -> str:
    """Suggest a similar option, or name the commands that have this one."""
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
