"""The formats of files: what makes the content of a file, by its suffix."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from caprese._core.checks import one_of
from caprese._core.files import MULTIQC, all_or_none, replace_file
from caprese.assessment.answer import Answer
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import EffectConfidence
from caprese.assessment.judgement import Judgement
from caprese.assessment.known import KnownOrders
from caprese.io.documents import Document, document_text
from caprese.io.graphs.files import graph_text
from caprese.io.json.fits import encode_method
from caprese.io.multiqc import Section, answer_section, judgement_section, progression_section
from caprese.io.placements import placement_table, placement_text
from caprese.io.text.cells import frame_text
from caprese.io.what_if import what_if_text
from caprese.methods.fit import Fit
from caprese.patients.groups import Associations
from caprese.patients.orders import Orders
from caprese.patients.outlooks import WhatIf
from caprese.patients.place import Placement
from caprese.patients.survival import Survival
from caprese.patients.what_if_samples import SampleOutlooks
from caprese.plots import (
    figure_bytes,
    judgement_figure,
    known_figure,
    progression_figure,
    survival_figure,
    what_if_figure,
)
from caprese.recipe.parts import DOCUMENT, PAGES, PICTURES, TABLES, Bootstrap, suffix_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Formats = Mapping[str, Callable[[str], str | bytes]]
"""What makes the content of a file, given its path, by its suffix, or by none for all others."""

_ANY_OTHER = ""


def write_files(*written: tuple[Sequence[str], Formats]) -> None:
    """Write files in the formats of their suffixes, after the content of all is complete."""
    contents = {path: _content(path, formats) for paths, formats in written for path in paths}
    with all_or_none():
        for path, content in contents.items():
            replace_file(path, content if isinstance(content, bytes) else _coded(content))


def _coded(text: str) -> bytes:
    return text.encode(errors="backslashreplace")  # lone surrogates, as in names of files


def _content(path: str, formats: Formats) -> str | bytes:
    suffix = suffix_of(path)
    if suffix not in formats and _ANY_OTHER not in formats:
        one_of(f"the suffix of {path}", suffix, formats)
    return formats.get(suffix, formats.get(_ANY_OTHER, str))(path)


def document(formats: Formats) -> str:
    """Return a result as JSON, as a command prints it."""
    return str(formats[DOCUMENT](DOCUMENT))


def tables(text: Callable[..., str]) -> Formats:
    """Return the formats of what a function writes as a table with a delimiter."""

    def table(path: str) -> str:
        return text(delimiter="," if suffix_of(path) == ".csv" else "\t")

    return dict.fromkeys(TABLES, table)


def frame_tables(found: Any, *, guard_formulas: bool) -> Formats:
    """Return the formats of the frame of a result."""
    return tables(lambda **how: frame_text(found.table(), guard_formulas=guard_formulas, **how))


def pictures(draw: Callable[[], "Figure"]) -> Formats:
    """Return the formats of a figure."""
    return dict.fromkeys(PICTURES, lambda path: figure_bytes(draw(), suffix_of(path)[1:]))


def multiqc(section: Callable[[], Section]) -> Formats:
    """Return the formats of a section of MultiQC."""
    return dict.fromkeys(MULTIQC, lambda path: section().text(path))


def formats_of(
    found: Document,
    support: Confidence | None = None,
    *,
    text: str | None = None,
    guard_formulas: bool = False,
) -> Formats:
    """Return the formats of a result; its document may be another text, such as of the support."""
    document: Formats = {DOCUMENT: lambda _path: document_text(found) if text is None else text}
    if isinstance(found, Judgement):
        tables = multiqc(partial(judgement_section, found))
        return {**document, **tables, **pictures(partial(judgement_figure, found))}
    if isinstance(found, KnownOrders):
        return {**document, **pictures(partial(known_figure, found))}
    if isinstance(found, EffectConfidence):
        return {**document, **frame_tables(found, guard_formulas=guard_formulas)}
    assert not isinstance(found, Confidence)  # it is converted together with its fit
    guard: Any = {"guard_formulas": guard_formulas}
    graphs = {_ANY_OTHER: lambda path: graph_text(found, path, support, **guard)}
    others = {**pictures(partial(progression_figure, found, support)), **graphs}
    return {**document, **multiqc(partial(progression_section, found, support)), **others}


def report_formats(page: Callable[[str], str], answer: Answer | None) -> Formats:
    """Return the formats of a report; whatever is not for MultiQC is the page."""
    return {**multiqc(partial(answer_section, answer or Answer({}))), _ANY_OTHER: page}


def support_formats(
    fit: Fit[Any, Any],
    found: Confidence | EffectConfidence,
    asked: Bootstrap,
    *,
    guard_formulas: bool,
) -> Formats:
    """Return the formats of a fit with its support, or of effects with theirs."""
    about: Any = {"method": encode_method(fit.method), "kind": asked.kind}
    guard: Any = {"guard_formulas": guard_formulas}
    if isinstance(found, EffectConfidence):
        return formats_of(found, text=document_text(found, **about), **guard)
    text = document_text(found, **about, noise=asked.errors)
    return formats_of(fit, found, text=text, **guard)


def what_if_formats(found: WhatIf, *, guard_formulas: bool) -> Formats:
    """Return the formats of what follows when events are blocked or slowed."""
    return {
        DOCUMENT: lambda _path: what_if_text(found),
        **frame_tables(found, guard_formulas=guard_formulas),
        **pictures(partial(what_if_figure, found)),
    }


def placement_formats(
    placed: Placement,
    fit: Fit[Any, Any],
    tests: Associations | None,
    curves: Survival | None,
    outlooks: SampleOutlooks | None,
    *,
    title: str,
    orders: Mapping[str, Orders],
    guard_formulas: bool,
) -> Formats:
    """Return the formats of where samples stand; pictures are of the curves."""

    def page(_path: str) -> str:
        from caprese.report.page import patients_page

        return patients_page(placed, fit, title=title, tests=tests, curves=curves)

    return {
        DOCUMENT: lambda _path: placement_text(placed, orders, tests, curves, outlooks),
        **tables(partial(placement_table, placed, outlooks, guard_formulas=guard_formulas)),
        **dict.fromkeys(PAGES, page),
        **({} if curves is None else pictures(partial(survival_figure, curves))),
    }
