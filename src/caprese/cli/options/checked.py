"""Values of options, refused by the checks that functions of Python use."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click


class Checked(click.ParamType[Any]):
    """A value that a function of `caprese._core.checks` returns, given the name and these rules."""

    name = "number"

    def __init__(self, check: Callable[..., Any], *rules: Any) -> None:
        self._check, self._rules = check, rules

    def convert(self, value: Any, param: click.Parameter | None, _ctx: click.Context | None) -> Any:
        """Return the value; a text that is no number is checked as it is."""
        option = "value" if param is None else param.opts[-1]
        return self._check(option, _number(value), *self._rules)


def _number(text: Any) -> Any:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
