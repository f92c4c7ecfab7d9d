"""Every exception raised on purpose.

An error is a fact, as findings are: what is wrong, the parameter that it depends on, and a setting
that would help. `str` words it for Python; the terminal and the page name settings their own way.
"""

from collections.abc import Callable
from dataclasses import dataclass

Setting = Callable[[str, object], str]
"""How a parameter with a value is written, such as ``top=20``; without a value if it is None."""


_LONGEST = 300  # characters of a value in a message


def in_python(parameter: str, value: object) -> str:
    """Return a parameter as a call of Python has it: ``top=20``, or ``top`` without a value."""
    return parameter if value is None else f"{parameter}={value!r}"


@dataclass(frozen=True)
class Remedy:
    """A setting that would help.

    Parameters
    ----------
    parameter
        Its name, as functions of Python take it.
    value
        What to set it to; None if that is for the user to choose.
    effect
        What it then does, such as "keeps events that do not vary".
    """

    parameter: str
    value: object
    effect: str

    def message(self, setting: Setting = in_python) -> str:
        """Return the advice, the parameter written in a given way; a long value is cut."""
        value = self.value
        if isinstance(value, str) and len(value) > _LONGEST:
            value = f"{value[:_LONGEST]}…"
        return f"{setting(self.parameter, value)} {self.effect}"


class CapreseError(Exception):
    """The root of all errors of this package: what is wrong, and a setting that would help."""

    def __init__(self, what: str, *, remedy: Remedy | None = None) -> None:
        super().__init__(what)
        self.remedy = remedy

    def __str__(self) -> str:
        return self.message()

    def what(self, _setting: Setting = in_python) -> str:
        """Return what is wrong, parameters written in a given way."""
        return str(self.args[0])

    def message(self, setting: Setting = in_python) -> str:
        """Return what is wrong and what would help, on one line."""
        advice = "" if self.remedy is None else f"; {self.remedy.message(setting)}"
        return f"{self.what(setting)}{advice}"


class ParameterError(CapreseError, ValueError):
    """A parameter with a value that it cannot have, and the value that was probably meant.

    Examples
    --------
    >>> raise ParameterError("shrinkage", "in [0, 1]", 2)
    Traceback (most recent call last):
    caprese.errors.ParameterError: shrinkage must be in [0, 1], got 2
    """

    def __init__(
        self,
        parameter: str,
        rule: str,
        value: object,
        *,
        meant: str | None = None,
        remedy: Remedy | None = None,
    ) -> None:
        super().__init__(parameter, remedy=remedy)
        self.args = (parameter, rule, value)
        self.parameter, self.rule, self.value = parameter, rule, value
        self.meant = meant

    def what(self, setting: Setting = in_python) -> str:
        """Return the rule and the value that breaks it."""
        similar = "" if self.meant is None else f"; did you mean {self.meant!r}?"
        got = _shown(self.value)
        return f"{setting(self.parameter, None)} must be {self.rule}, got {got}{similar}"


def _shown(value: object) -> str:
    """Return a value on one line; of one that takes several, such as a table, what it is."""
    text = repr(value)
    if "\n" in text:
        return f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 300  # characters of a value


class DatasetError(CapreseError, ValueError):
    """Observations that do not make a data set."""


class ModelError(CapreseError, ValueError):
    """Parameters that do not make a model."""


class FormatError(CapreseError, ValueError):
    """A file that cannot be read or written; the message names path, line and column, if any."""


class ConvergenceError(CapreseError, RuntimeError):
    """A search that reached its limit without an answer.

    An iteration that has an answer, but did not converge, says so in the field `converged` of it.
    """
