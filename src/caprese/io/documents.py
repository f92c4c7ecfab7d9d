"""Documents: the JSON that each command prints, and a reader of all files that caprese writes.

The keys of a version of a format do not change.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from caprese._core.files import FilePath, format_error
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import Confidence
from caprese.assessment.effect_bootstrap import EffectConfidence
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Curated, Step
from caprese.data.inspection import Inspection
from caprese.io.data.reading import Note
from caprese.io.graphs.files import GRAPH_FORMATS, read_graph
from caprese.io.json.codec import encode
from caprese.io.json.envelope import envelope, json_content, kind_of
from caprese.io.json.fits import decode_fit, encode_fit
from caprese.io.json.models import AnyModel, decode_model
from caprese.io.json.results import decode_confidence, decode_effects, decode_judgement
from caprese.methods.fit import Fit

Document = Fit[Any, Any] | Confidence | EffectConfidence | Judgement | AnyModel

_VERSION = 1
_READERS: dict[str, Callable[[FilePath, Any], Document]] = {
    "fit": decode_fit,
    "confidence": decode_confidence,
    "effects": decode_effects,
    "judgement": decode_judgement,
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


def comparison_text(
    compared: Sequence[Compared], log: Sequence[Step] = (), judgement: Judgement | None = None
) -> str:
    """Return a comparison as JSON: each fit, and the log-likelihood of the data under its model."""
    content = {
        "compared": [_compared(one) for one in compared],
        "judgement": encode(judgement),
        "log": encode(tuple(log)),
    }
    return envelope("comparison", _VERSION, content)


def inspection_text(found: Inspection, notes: Sequence[Note] = ()) -> str:
    """Return an inspection as JSON: its numbers, its warnings, and the notes of the reader.

    A warning has a `kind`, the `events` it is about, and its `values` by name.
    """
    content = {
        **encode(found),
        "warnings": encode(found.warnings),
        "notes": [str(note) for note in notes],
    }
    return envelope("inspection", _VERSION, content)


def curation_text(curated: Curated, path: FilePath) -> str:
    """Return a curation as JSON: the size of the result, its file, and the log of all steps."""
    content = {
        "output": str(path),
        "samples": len(curated.data.samples),
        "events": list(curated.data.events),
        "digest": curated.data.digest,
        "log": encode(curated.log),
    }
    return envelope("curation", _VERSION, content)


def _compared(one: Compared) -> dict[str, Any]:
    return {
        "fit": encode_fit(one.fit),
        "log_likelihood": encode(one.estimate.log_likelihood),
        "parameters": one.estimate.parameters,
        "bic": encode(one.bic),
        "noise": encode(one.estimate.noise),
    }
