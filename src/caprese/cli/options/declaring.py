"""How options are declared: in a section of the help, several at once, with checked values."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click

from caprese._core.checks import whole

Command = Callable[..., Any]
Option = Callable[[Command], Command]
"""What gives a command an option, or several."""

OWN = "Options"


class SectionOption(click.Option):
    """An option that the help lists in a named section."""

    def __init__(self, *names: Any, section: str = OWN, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


def together(*options: Option) -> Option:
    """Return options as one; the help lists them in this order."""

    def added(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return added


class Checked(click.ParamType[Any]):
    """A value that a function of `caprese._core.checks` returns, given the name and these rules."""

    name = "number"

    def __init__(self, check: Callable[..., Any], *rules: Any) -> None:
        self._check, self._rules = check, rules

    def convert(self, value: Any, param: click.Parameter | None, _ctx: click.Context | None) -> Any:
        """Return the value; a text that is no number is checked as it is."""
        option = "value" if param is None else param.opts[-1]
        kinds = (int,) if self._check is whole else (int, float)
        return self._check(option, _number(value, kinds), *self._rules)


def _number(text: Any, kinds: tuple[type, ...]) -> Any:
    for kind in kinds if isinstance(text, str) else ():
        with suppress(ValueError):
            return kind(text)
    return text
