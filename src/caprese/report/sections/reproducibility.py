"""Citation, and how to reproduce the report."""

import inspect
import platform
import re
from collections.abc import Iterator
from importlib.metadata import version

from caprese._core.words import visible
from caprese.io.documents import document_text
from caprese.methods import describe
from caprese.methods.fit import Method
from caprese.report.analysis import Analysis
from caprese.report.content import (
    Block,
    Code,
    Download,
    Inside,
    Paragraph,
    Properties,
    Reference,
    section,
)
from caprese.text.sentences import phrase

_PACKAGES = ("caprese", "numpy", "scipy", "pandas", "joblib", "matplotlib")
_PAPER = Reference(
    "Olde Loohuis L, Caravagna G, Graudenzi A, Ramazzotti D, Mauri G, Antoniotti M, Mishra B "
    "(2014). Inferring tree causal models of cancer progression with probability raising. PLoS ONE "
    "9(10): e108358.",
    "https://doi.org/10.1371/journal.pone.0108358",
)
_LONGEST_COMMAND = 4000  # characters
_LARGEST_FIT = 2**20  # characters; a larger one would slow the page down


@section("citation", "Citation")
def citation_section(method: Method) -> Iterator[Block | Inside]:
    """Return the paper of the program, and those of the method."""
    yield Inside.of("What to cite.").later
    yield Paragraph.of("Please cite in publications that use this report:")
    yield _PAPER
    for each in references(method):
        if not _PAPER.text.startswith(each.text.split(" et al.")[0]):
            yield each


def references(method: Method) -> tuple[Reference, ...]:
    """Return the publications that the docstring of a method refers to."""
    _, _, below = (inspect.getdoc(type(method)) or "").partition("References\n----------\n")
    text = " ".join(below.split())
    return tuple(Reference(each) for each in re.split(r"(?<=\d\.) (?=[A-Z])", text) if each)


@section("reproducibility", "Reproducibility")
def reproducibility_section(
    analysis: Analysis, command: str = "", python: str = "", recipe: str = ""
) -> Iterator[Block | Inside]:
    """Return all that is needed to produce the same report again; see `write_report`."""
    yield Inside.of("The command, the fit as a file, the seed and the versions.").later
    order, seed, size = analysis.order, analysis.seed, {}
    if order is not None:
        size = {f"{order.support.noun.capitalize()}s": str(order.support.number)}
        if order.confidence is None:
            seed = getattr(order.fit.method, "seed", seed)
    properties = {
        "Method": describe(analysis.fit.method),
        **size,
        "Seed": str(seed),
        "Digest of the data": analysis.fit.digest,
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
    }
    yield from _repeat(command, python, recipe)
    text = document_text(analysis.fit)
    if len(text) <= _LARGEST_FIT:
        kept = phrase("the fit, for the command caprese show and for read_fit in Python")
        yield Download("fit.json", text, kept)
    about = "The [digest] identifies the data; the [seed] determines all random numbers."
    yield Paragraph.of(about)
    yield Properties(tuple(((name,), (value,)) for name, value in properties.items()))


def _repeat(command: str, python: str, recipe: str) -> Iterator[Block]:
    if command:
        yield Paragraph.of("This command produces exactly the same file:")
        yield Code(visible(command, _LONGEST_COMMAND))
    if recipe:
        about = phrase("the whole analysis as a file, for the command caprese run")
        yield Download("analysis.toml", recipe, about)
    if python:
        yield Paragraph.of("The same fit in Python:")
        yield Code(python)
