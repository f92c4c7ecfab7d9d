"""How a progression is inferred: methods, one file each, all listed in METHODS."""

from collections.abc import Mapping
from dataclasses import fields

from caprese._core.checks import one_of
from caprese.errors import CapreseError, ParameterError
from caprese.methods.bayes import BayesForest
from caprese.methods.caprese import Caprese
from caprese.methods.capri import Capri
from caprese.methods.cbn import CBN
from caprese.methods.fit import Method
from caprese.methods.hcbn import HCBN
from caprese.methods.independence import IndependentEvents
from caprese.methods.likelihood import LikelihoodForest
from caprese.methods.mhn import MHN
from caprese.methods.oncotree import Oncotree
from caprese.methods.parameters import typed, written_parameters
from caprese.methods.registry import Methods, check_declared

METHODS = Methods(
    {
        "caprese": Caprese,
        "oncotree": Oncotree,
        "likelihood": LikelihoodForest,
        "bayes": BayesForest,
        "capri": Capri,
        "hcbn": HCBN,
        "cbn": CBN,
        "mhn": MHN,
        "independence": IndependentEvents,
    }
)
"""All methods by name: those of this package, of installed packages, and those that were added."""

_MANY = 6  # parameters, above which only those that were changed are shown


def register_method(name: str, method: type[Method]) -> None:
    """Add a method to `METHODS`, so that every command and every file knows it by this name.

    A package that is installed needs no call: it declares an entry point ``caprese.methods``.

    Raises
    ------
    ParameterError
        If another method has this name, or it is not declared as a method must be.

    Examples
    --------
    >>> register_method("caprese", Oncotree)
    Traceback (most recent call last):
    caprese.errors.ParameterError: name must be another than that of Caprese, got 'caprese'
    """
    check_declared(name, method)
    known = METHODS.get(name, method)
    if known is not method:
        raise ParameterError("name", f"another than that of {known.__name__}", name)
    METHODS[name] = method


def name_of(method: Method) -> str:
    """Return the name a method is listed under; the name of its class if it is not listed."""
    kind = type(method)
    return next((name for name, listed in METHODS.items() if listed is kind), kind.__name__)


def describe(method: Method) -> str:
    """Return a method in words: its name and its parameters.

    Of a method with many parameters only those that are not at their defaults.

    Examples
    --------
    >>> describe(Caprese(shrinkage=0.1))
    'caprese (shrinkage 0.1)'
    >>> describe(BayesForest(subtypes="auto"))
    'bayes (subtypes auto)'
    """
    shown = written_parameters(method)
    if len(shown) > _MANY:
        usual = {field.name: field.default for field in fields(method)}
        shown = {name: value for name, value in shown.items() if value != usual[name]}
    given = ((name, typed(value)) for name, value in shown.items() if value is not None)
    settings = ", ".join(f"{name} {value}" for name, value in given)
    return f"{name_of(method)} ({settings})" if settings else name_of(method)


def parse_method(text: str) -> Method:
    """Read a method and its parameters, written NAME or NAME:PARAMETER=VALUE."""
    return make_method(*split_method(text))


def split_method(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a method and its parameters as text."""
    name, *settings = text.split(":")
    if not all("=" in setting for setting in settings):
        raise ParameterError("method", "NAME or NAME:PARAMETER=VALUE", text)
    return name, {parameter: value for parameter, _, value in (s.partition("=") for s in settings)}


def make_method(name: str, given: Mapping[str, str]) -> Method:
    """Return the method of this name, with parameters read from text."""
    kind = method_named(name)
    known = {field.name: field for field in fields(kind)}
    for parameter in given:
        one_of(f"parameter of {name}", parameter, known)
    parsed = {each: known[each].metadata["parse"](text) for each, text in given.items()}
    return kind(**parsed)


def method_named(name: str) -> type[Method]:
    """Return the type of the method of this name, or say why there is none."""
    if name not in METHODS and name in METHODS.problems:
        raise CapreseError(METHODS.problems[name])
    return METHODS[one_of("method", name, METHODS)]
