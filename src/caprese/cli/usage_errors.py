"""Usage errors, each as one line."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import click

from caprese._core.spelling import did_you_mean

_WHOLE = re.compile(r"[0-9]{1,30}")
_LARGE = 10_000  # number from which on an option may be why memory does not suffice


def usage_message(error: click.ClickException) -> str:
    """Return what was wrong with the arguments of a command."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        return _no_such_option(error.option_name, error.ctx)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _bad_value(error, error.param)
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


def _bad_value(error: click.BadParameter, parameter: click.Parameter) -> str:
    """Return the rule for a value and what was given, in the words of all other messages."""
    rule = _rule(parameter.type)
    given, _, reason = error.message.partition(" is not ")
    if rule is None or not reason:
        return error.format_message()
    name = next(iter(_names(parameter)[-1:]), parameter.human_readable_name)
    return f"{name} must be {rule}, got {given}"


def _rule(kind: Any) -> str | None:
    if isinstance(kind, click.Choice):
        return f"one of {', '.join(map(str, kind.choices))}"
    noun = {"integer": "a whole number", "float": "a number"}.get(kind.name.split(" ")[0])
    if noun is None:
        return None
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        return f"{noun} from {low:,} to {high:,}"
    return noun if low is None else f"{noun} from {low:,}"


def _no_such_option(name: str, ctx: click.Context) -> str:
    own = [option for each in ctx.command.get_params(ctx) for option in _names(each)]
    problem = f"{ctx.info_name} has no option {name!r}"
    return problem + (did_you_mean(name, own) or _other_commands(name, ctx))


def _other_commands(name: str, ctx: click.Context) -> str:
    """Return the end of the message that names the commands with such an option."""
    root = ctx.find_root().command
    commands = root.commands if isinstance(root, click.Group) else {}
    others = [
        other
        for other, command in commands.items()
        if any(name in _names(each) for each in command.params)
    ]
    return f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else ""


def _names(parameter: click.Parameter) -> list[str]:
    names = [*parameter.opts, *parameter.secondary_opts]
    return [name for name in names if name.startswith("-")]
