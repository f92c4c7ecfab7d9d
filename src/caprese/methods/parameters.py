"""Parameters of methods: how they are declared, read from text and checked."""

from collections.abc import Callable
from dataclasses import field
from math import inf
from typing import Any, Literal

from caprese.fitting.recovery import NoiseOption
from caprese.models.noise import Noise

Rates = Noise | Literal["estimate"]

MOST = 10**9
"""The largest whole number of a parameter without a bound of its own."""


def number(text: str) -> float:
    """Read a number, as the command line gives it."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"must be a number, got {text!r}") from None


def whole_number(text: str) -> int:
    """Read a whole number, as the command line gives it."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"must be a whole number, got {text!r}") from None


def yes_or_no(text: str) -> bool:
    """Read yes or no, as the command line gives it."""
    if text not in ("yes", "no"):
        raise ValueError(f"must be yes or no, got {text!r}")
    return text == "yes"


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
        Reads its value from text. What it refuses, it says as "must be <rule>, got <value>".
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


def parse_noise(text: str) -> NoiseOption:
    """Read error rates, or the word estimate, as the command line gives them.

    Examples
    --------
    >>> parse_noise("0.1,0.05")
    Noise(false_positive=0.1, false_negative=0.05)
    """
    if text == "estimate":
        return "estimate"
    try:
        positive, negative = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"must be two rates such as 0.1,0.05, or estimate, got {text!r}") from None
    try:
        return Noise(positive, negative)
    except ValueError as error:
        raise ValueError(f"must be two rates: {error}") from None


def parse_rates(text: str) -> Rates:
    """Read error rates, or the word estimate; there is no method without errors here."""
    return parse_noise(text) or "estimate"


def check_rates(noise: object) -> None:
    """Refuse what are neither rates nor the word estimate."""
    if not (noise == "estimate" or isinstance(noise, Noise)):
        raise ValueError(f"noise must be a Noise or 'estimate', got {noise!r}")


def check_numbers(method: object, **rules: tuple[float, float]) -> None:
    """Refuse parameters that are not whole numbers of at least, and at most, these.

    None may exceed `MOST`: beyond it is a typing error, and no number of a compiled loop.
    """
    for name, (least, most) in rules.items():
        value = getattr(method, name)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if whole and value > MOST and most == inf:
            raise ValueError(f"{name} must be at most {MOST:,}, got {value!r}")
        if not (whole and least <= value <= most):
            rule = f"a whole number of at least {least}" + (
                f" and at most {most}" if most < inf else ""
            )
            raise ValueError(f"{name} must be {rule}, got {value!r}")


def check_noise(noise: object) -> None:
    """Refuse what is no noise option."""
    if not (noise is None or noise == "estimate" or isinstance(noise, Noise)):
        raise ValueError(f"noise must be a Noise, 'estimate' or None, got {noise!r}")
