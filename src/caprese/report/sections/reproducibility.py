"""What to cite, how to repeat it, and what the words mean."""

import inspect
import platform
import re
from importlib.metadata import version

from caprese._core.words import visible
from caprese.methods import describe
from caprese.methods.base import Method
from caprese.report.analysis import Analysis, OrderedAnalysis
from caprese.report.content import Code, Facts, Paragraph, Reference, Section
from caprese.text.sentences import told

_PACKAGES = ("caprese", "numpy", "scipy", "numba", "pandas", "joblib", "matplotlib")
_PAPER = Reference(
    "Olde Loohuis L, Caravagna G, Graudenzi A, Ramazzotti D, Mauri G, Antoniotti M, Mishra B "
    "(2014). Inferring tree causal models of cancer progression with probability raising. PLoS ONE "
    "9(10): e108358.",
    "https://doi.org/10.1371/journal.pone.0108358",
)
_ENDLESS = 4000  # signs of a command


def citation(analysis: Analysis) -> Section:
    """Return the paper of the program, and those of the method."""
    papers = references(analysis.fit.method)
    own = [each for each in papers if not _PAPER.text.startswith(each.text.split(" et al.")[0])]
    text = told("If this report enters a publication, please cite:")
    return Section("cite", "How to cite", (Paragraph(text), _PAPER, *own))


def references(method: Method) -> tuple[Reference, ...]:
    """Return the publications a method names in its documentation.

    Examples
    --------
    >>> from caprese.methods import Oncotree
    >>> [reference.text[:13] for reference in references(Oncotree())]
    ['Desper et al.', 'Szabo and Bou']
    """
    _, _, below = (inspect.getdoc(type(method)) or "").partition("References\n----------\n")
    text = " ".join(below.split())
    return tuple(Reference(each) for each in re.split(r"(?<=\d\.) (?=[A-Z])", text) if each)


def repetition(analysis: Analysis, command: str) -> Section:
    """Return all that is needed to get the same report again."""
    counted = (
        {"Replicates": str(analysis.confidence.replicates)}
        if isinstance(analysis, OrderedAnalysis)
        else {}
    )
    facts = {
        "Method": describe(analysis.fit.method),
        **counted,
        "Seed": str(analysis.seed),
        "Digest of the data": analysis.fit.digest,
        "Python": platform.python_version(),
        **{name: version(name) for name in _PACKAGES},
    }
    made = (
        (
            Paragraph(told("This command makes the same file again, to the last byte:")),
            Code(visible(command, _ENDLESS)),
        )
        if command
        else ()
    )
    where = Paragraph(
        told(
            "The [digest] tells whether the data is the same; the [seed] fixes all that is random."
        )
    )
    listed = Facts(tuple(((name,), (value,)) for name, value in facts.items()))
    return Section("repeat", "How to repeat this", (*made, where, listed))
