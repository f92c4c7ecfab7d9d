"""Documents: results as JSON, as each command prints them, and a reader of all files of caprese.

The keys of a version of a format do not change.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from caprese._core.files import FilePath, format_error, replace_file
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import EffectConfidence
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Curated, Step
from caprese.data.inspection import Inspection
from caprese.io.data.reading import Note
from caprese.io.graphs.files import GRAPH_FORMATS, read_graph
from caprese.io.json.codec import decode, encode, envelope, json_content, kind_of, opened
from caprese.io.json.fits import (
    AnyModel,
    decode_fit,
    decode_model,
    encode_fit,
    fit_text,
    model_text,
)
from caprese.methods.fit import Fit

Document = Fit[Any, Any] | Confidence | EffectConfidence | Judgement | AnyModel
T = TypeVar("T")


def _decoded(kind: str, part: str, type_: type[T], path: FilePath, content: Any) -> T:
    with opened(path, content, kind, part) as parts:
        found: T = decode(type_, parts[part], part)
    return found


_decode_confidence = partial(_decoded, "confidence", "confidence", Confidence)
_decode_effects = partial(_decoded, "effects", "confidence", EffectConfidence)
_decode_judgement = partial(_decoded, "judgement", "judgement", Judgement)
_READERS: dict[str, Callable[[FilePath, Any], Document]] = {
    "fit": decode_fit,
    "confidence": _decode_confidence,
    "effects": _decode_effects,
    "judgement": _decode_judgement,
    "model": decode_model,
}


def read_document(path: FilePath) -> Document:
    """Read a fit, a confidence, effects, a judgement or a model; models also from graphs."""
    if Path(path).suffix.lower() in GRAPH_FORMATS:
        return read_graph(path)
    content = json_content(path)
    kind = kind_of(content)
    if kind not in _READERS:
        kinds = " or ".join(f'"caprese {each}"' for each in _READERS)
        raise format_error(path, f'not a file of caprese: expected JSON with "format": {kinds}')
    return _READERS[kind](path, content)


def kind_of_document(document: Document) -> str:
    """Return what a document is, in words."""
    if isinstance(document, EffectConfidence):
        return "bootstrap of effects"
    return type(document).__name__.lower()


def write_confidence(confidence: Confidence, path: FilePath, **about: Any) -> None:
    """Write a confidence to a JSON file; `read_confidence` returns an equal one.

    Parameters
    ----------
    confidence
        The result of a bootstrap.
    path
        The file to write.
    about
        Further fields of the file, such as the method and the kind of bootstrap.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Caprese, bootstrap, datasets
    >>> confidence = bootstrap(Caprese(), datasets.acml(), replicates=10)
    >>> with TemporaryDirectory() as folder:
    ...     write_confidence(confidence, f"{folder}/confidence.json")
    ...     read_confidence(f"{folder}/confidence.json") == confidence
    True
    """
    replace_file(path, confidence_text(confidence, **about))


def confidence_text(confidence: Confidence, **about: Any) -> str:
    """Return a confidence as JSON, as `write_confidence` writes it."""
    return envelope("confidence", {**about, "confidence": encode(confidence)})


def read_confidence(path: FilePath) -> Confidence:
    """Read a confidence from a JSON file of `write_confidence`.

    Raises
    ------
    FormatError
        If the file holds no confidence; the message gives the place and the reason.
    """
    return _decode_confidence(path, json_content(path))


def effects_text(confidence: EffectConfidence, **about: Any) -> str:
    """Return a bootstrap of effects as JSON: tables of rates and effects, and all replicates."""
    content = {
        **about,
        "rates": encode(confidence.rate_table().reset_index().to_dict("records")),
        "effects": encode(confidence.table().to_dict("records")),
        "confidence": encode(confidence),
    }
    return envelope("effects", content)


def write_judgement(judgement: Judgement, path: FilePath) -> None:
    """Write a judgement to a JSON file; `read_judgement` returns an equal one.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Caprese, datasets, judge
    >>> found = judge([Caprese()], datasets.acml(), folds=4)
    >>> with TemporaryDirectory() as folder:
    ...     write_judgement(found, f"{folder}/judged.json")
    ...     read_judgement(f"{folder}/judged.json") == found
    True
    """
    replace_file(path, judgement_text(judgement))


def judgement_text(judgement: Judgement) -> str:
    """Return a judgement as JSON, with its verdict and notes as facts."""
    content = {
        "verdict": encode(judgement.verdict),
        "notes": encode(judgement.notes),
        "gains": encode(dict(zip(judgement.methods, judgement.gains, strict=True))),
        "judgement": encode(judgement),
    }
    return envelope("judgement", content)


def read_judgement(path: FilePath) -> Judgement:
    """Read a judgement from a JSON file of `write_judgement`.

    Raises
    ------
    FormatError
        If the file holds no judgement; the message gives the place and the reason.
    """
    return _decode_judgement(path, json_content(path))


def document_text(document: Document) -> str:
    """Return a document as JSON, as its file holds it."""
    match document:
        case Fit():
            return fit_text(document)
        case Confidence():
            return confidence_text(document)
        case EffectConfidence():
            return effects_text(document)
        case Judgement():
            return judgement_text(document)
        case _:
            return model_text(document)


def comparison_text(
    compared: Sequence[Compared], log: Sequence[Step] = (), judgement: Judgement | None = None
) -> str:
    """Return a comparison as JSON: each fit, and the log-likelihood of the data under its model."""
    content = {
        "compared": [_compared(one) for one in compared],
        "judgement": encode(judgement),
        "log": encode(tuple(log)),
    }
    return envelope("comparison", content)


def inspection_text(found: Inspection, notes: Sequence[Note] = ()) -> str:
    """Return an inspection as JSON: its numbers, its warnings, and the notes of the reader.

    A warning has a `kind`, the `events` it is about, and its `values` by name.
    """
    content = {
        **encode(found),
        "warnings": encode(found.warnings),
        "notes": [str(note) for note in notes],
    }
    return envelope("inspection", content)


def curation_text(curated: Curated, path: FilePath) -> str:
    """Return a curation as JSON: the size of the result, its file, and the log of all steps."""
    content = {
        "output": str(path),
        "samples": len(curated.data.samples),
        "events": list(curated.data.events),
        "digest": curated.data.digest,
        "log": encode(curated.log),
    }
    return envelope("curation", content)


def _compared(one: Compared) -> dict[str, Any]:
    return {
        "fit": encode_fit(one.fit),
        "log_likelihood": encode(one.estimate.log_likelihood),
        "parameters": one.estimate.parameters,
        "bic": encode(one.bic),
        "noise": encode(one.estimate.noise),
    }
