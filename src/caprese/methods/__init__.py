"""How a progression is inferred: methods, one file each, all listed in METHODS."""

from collections.abc import Mapping
from dataclasses import fields

from caprese._core.checks import one_of
from caprese.errors import ParameterError
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

METHODS: dict[str, type[Method]] = {
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

_MANY = 6  # parameters, above which only those that were changed are shown


def name_of(method: Method) -> str:
    """Return the name a method is listed under; the name of its class if it is not listed.

    Examples
    --------
    >>> name_of(Caprese(shrinkage=0.1))
    'caprese'
    """
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
    shown = [(field, getattr(method, field.name)) for field in fields(method)]
    if len(shown) > _MANY:
        shown = [(field, value) for field, value in shown if value != field.default]
    given = ((field.name, _as_option(value)) for field, value in shown if value is not None)
    settings = ", ".join(f"{name} {value}" for name, value in given)
    return f"{name_of(method)} ({settings})" if settings else name_of(method)


def _as_option(value: object) -> str:
    """Return a value as the command line takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def parse_method(text: str) -> Method:
    """Read a method and its parameters from text, as the command line gives it.

    Parameters
    ----------
    text
        A name, then any number of ``:PARAMETER=VALUE``.

    Examples
    --------
    >>> parse_method("oncotree:search=branching")
    Oncotree(search='branching', noise=None)
    """
    return make_method(*split_method(text))


def split_method(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a method and its parameters as text.

    Examples
    --------
    >>> split_method("caprese:shrinkage=0.1")
    ('caprese', {'shrinkage': '0.1'})
    """
    name, *settings = text.split(":")
    if not all("=" in setting for setting in settings):
        raise ParameterError("method", "NAME or NAME:PARAMETER=VALUE", text)
    return name, {parameter: value for parameter, _, value in (s.partition("=") for s in settings)}


def make_method(name: str, given: Mapping[str, str]) -> Method:
    """Return the method of this name, with parameters read from text.

    Raises
    ------
    ParameterError
        If there is no such method or parameter, or a value cannot be.
    """
    one_of("method", name, METHODS)
    known = {field.name: field for field in fields(METHODS[name])}
    for parameter in given:
        one_of(f"parameter of {name}", parameter, known)
    parsed = {each: known[each].metadata["parse"](text) for each, text in given.items()}
    return METHODS[name](**parsed)
