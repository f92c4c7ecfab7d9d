"""Parameters of methods: how they are declared, read from text and checked."""

from collections.abc import Callable
from dataclasses import field
from math import inf
from typing import Any, Literal

from caprese._core.checks import whole
from caprese.errors import ParameterError
from caprese.fitting.recovery import NoiseOption
from caprese.models.noise import Noise

Rates = Noise | Literal["estimate"]

_RATES = "two rates such as 0.1,0.05 (a Noise), or estimate"


def number(text: str) -> Any:
    """Read a number, as the command line gives it; another text, such as auto, stays a text."""
    try:
        return float(text)
    except ValueError:
        return text


def whole_number(text: str) -> Any:
    """Read a whole number, as the command line gives it; another text stays a text."""
    try:
        return int(text)
    except ValueError:
        return text


def yes_or_no(text: str) -> Any:
    """Read yes or no, as the command line gives it; another text stays a text."""
    return {"yes": True, "no": False}.get(text, text)


def option(
    default: Any, about: str, parse: Callable[[str], Any] = number, repeat: str | None = None
) -> Any:
    """Declare a parameter of a method.

    Parameters
    ----------
    default
        Its default value.
    about
        One sentence on what it does, for the help of the command line.
    parse
        Reads its value from text. What it cannot read stays a text, for the method to refuse.
    repeat
        The name of the option of the command line that may be repeated to give several values,
        which are parsed together, separated by semicolons; None if there is one value only.
    """
    return field(default=default, metadata={"about": about, "parse": parse, "repeat": repeat})


def noise_option() -> NoiseOption:
    """Declare the parameter by which a method allows for errors."""
    about = "Error rates to allow for: FALSE_POSITIVE,FALSE_NEGATIVE, or the word estimate."
    declared: NoiseOption = option(None, about, parse=parse_noise)
    return declared


def parse_noise(text: str) -> Any:
    """Read error rates, as the command line gives them; another text, as estimate, stays a text.

    Examples
    --------
    >>> parse_noise("0.1,0.05")
    Noise(false_positive=0.1, false_negative=0.05)
    """
    try:
        positive, negative = map(float, text.split(","))
    except ValueError:
        return text
    return Noise(positive, negative)


def check_rates(noise: object) -> None:
    """Refuse what are neither rates nor the word estimate."""
    if not (noise == "estimate" or isinstance(noise, Noise)):
        raise ParameterError("noise", _RATES, noise)


def check_numbers(method: object, **rules: tuple[float, float]) -> None:
    """Refuse parameters that are not whole numbers of at least, and at most, these."""
    for name, (least, most) in rules.items():
        whole(name, getattr(method, name), int(least), None if most == inf else int(most))


def check_noise(noise: object) -> None:
    """Refuse what is no noise option."""
    if not (noise is None or noise == "estimate" or isinstance(noise, Noise)):
        raise ParameterError("noise", _RATES, noise)
