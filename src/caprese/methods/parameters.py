"""Parameters of methods: how they are declared, read from text and checked."""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from math import inf
from typing import Any, Literal

from caprese._core import checks
from caprese.data.visits import TIMES, Times
from caprese.errors import ParameterError
from caprese.fitting.recovery import NoiseOption
from caprese.models.noise import Noise

Rates = Noise | Literal["estimate"]


@dataclass(frozen=True)
class ParameterKind:
    """What values a parameter can have, and how they are written as text.

    Parameters
    ----------
    parse
        Returns the value that a text stands for; what it cannot read stays a text.
    check
        Raises a `ParameterError` for a value that cannot be, given the name and the value.
    """

    parse: Callable[[str], Any]
    check: Callable[[str, Any], object]


def number(low: float = -inf, high: float = inf, ends: str = "[]") -> ParameterKind:
    """Return the kind of a number within bounds; a round bracket in `ends` excludes that bound.

    Examples
    --------
    >>> number(0, 1, "[)").check("share", 1)
    Traceback (most recent call last):
    caprese.errors.ParameterError: share must be in [0, 1), got 1
    """
    return ParameterKind(
        _reader(float), lambda name, value: checks.number(name, value, low, high, ends)
    )


def whole_number(least: int = 0, most: int | None = None) -> ParameterKind:
    """Return the kind of a whole number within bounds, which it may reach."""
    return ParameterKind(_reader(int), lambda name, value: checks.whole(name, value, least, most))


def one_word(*words: str) -> ParameterKind:
    """Return the kind of one of several words."""
    return ParameterKind(str, lambda name, value: checks.one_of(name, value, words))


def or_word(kind: ParameterKind, *words: str) -> ParameterKind:
    """Return the kind of a value, or one of several words."""

    def check(name: str, value: Any) -> None:
        try:
            (isinstance(value, str) and value in words) or kind.check(name, value)
        except ParameterError as error:
            raise ParameterError(name, f"{error.rule} or {' or '.join(words)}", value) from None

    return ParameterKind(kind.parse, check)


def or_auto(kind: ParameterKind) -> ParameterKind:
    """Return the kind of a value, or the word auto, which leaves the choice to the data."""
    return or_word(kind, "auto")


def typed(value: object) -> str:
    """Return a value as a user types it, in a command, in a recipe or on the page."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Noise):
        return f"{value.false_positive!r},{value.false_negative!r}"
    if not isinstance(value, tuple | list):
        return str(value)
    rates = value and all(isinstance(each, int | float) for each in value)
    return ("," if rates else "; ").join(map(str, value))


def parse_noise(text: str) -> Any:
    """Read error rates such as 0.1,0.05; another text, such as estimate, stays a text."""
    try:
        positive, negative = map(float, text.split(","))
    except ValueError:
        return text
    return Noise(positive, negative)


def check_rates(name: str, value: Any) -> Any:
    """Return two error rates or the word estimate; refuse everything else."""
    if value == "estimate" or isinstance(value, Noise):
        return value
    noise = "" if isinstance(value, str) else " (a Noise)"
    raise ParameterError(name, f"two rates such as 0.1,0.05{noise}, or estimate", value)


def _check_truth(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ParameterError(name, "yes or no (True or False)", value)


def _reader(kind: Callable[[str], Any]) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return kind(text)
        except ValueError:
            return text

    return read


_TRUTH = dict.fromkeys(("yes", "true", "on"), True) | dict.fromkeys(("no", "false", "off"), False)
YES_OR_NO = ParameterKind(lambda text: _TRUTH.get(text.lower(), text), _check_truth)
ERROR_RATES = ParameterKind(parse_noise, check_rates)
POSITIVE = number(0, ends="(]")
NOT_NEGATIVE = number(0)
SEED = whole_number(*checks.SEEDS)


def option(
    default: Any,
    about: str,
    kind: ParameterKind,
    repeat: str | None = None,
    *,
    expert: bool = False,
    later: bool = False,
) -> Any:
    """Declare a parameter of a method.

    Parameters
    ----------
    default
        Its default value; None is always allowed where it is the default.
    about
        One sentence on what it does, for the help of the command line.
    kind
        What values it can have, and how they are read from text.
    repeat
        The name of the option of the command line that may be repeated to give several values,
        which are parsed together, separated by semicolons; None if there is one value only.
    expert
        Whether few users change it, such as a prior; help lists it apart.
    later
        Whether it came after the method had been released: files of earlier versions lack it, and
        where it has its default, files and `repr` of this version leave it out.
    """
    declared = {"about": about, "parse": kind.parse, "check": kind.check, "repeat": repeat}
    return field(default=default, metadata=declared | {"expert": expert, "optional": later})


def noise_option(*, later: bool = False) -> NoiseOption:
    """Declare the parameter by which a method may allow for errors."""
    about = "Error rates to allow for: FALSE_POSITIVE,FALSE_NEGATIVE, or the word estimate."
    declared: NoiseOption = option(None, about, ERROR_RATES, later=later)
    return declared


def times_option(*, later: bool = False) -> Times:
    """Declare the parameter that says what of the times of samples a fit uses."""
    about = f"What of the times of samples is used: {', '.join(TIMES)}."
    declared: Times = option("unknown", about, one_word(*TIMES), later=later)
    return declared


def check_parameters(method: Any) -> None:
    """Refuse a method with a parameter that has a value it cannot have, by its name."""
    for each in fields(method):
        value = getattr(method, each.name)
        if not (value is None and each.default is None):
            each.metadata["check"](each.name, value)


def written_parameters(method: Any) -> dict[str, Any]:
    """Return the parameters by name, without later ones that have their default."""
    values = {each: getattr(method, each.name) for each in fields(method)}
    return {
        each.name: value
        for each, value in values.items()
        if not (each.metadata.get("optional") and value == each.default)
    }


def changed(part: Any) -> dict[str, Any]:
    """Return the fields of a method or of a part that are not at their defaults."""
    values = {each.name: (getattr(part, each.name), _default(each)) for each in fields(part)}
    return {name: value for name, (value, default) in values.items() if value != default}


def _default(declared: "Field[Any]") -> Any:
    factory = declared.default_factory
    return declared.default if factory is MISSING else factory()


def settings_of(method: Any) -> dict[str, str]:
    """Return the parameters of a method that are not at their defaults, as a user types them."""
    return {name: typed(value) for name, value in changed(method).items()}


class Parameters:
    """What methods of this package have in common: parameters that are checked at once."""

    def __post_init__(self) -> None:
        check_parameters(self)

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in written_parameters(self).items())
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name, as scikit-learn asks for them, for example to clone."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
