"""Documents: results as JSON, as each command prints them, and a reader of all files of caprese.

The keys of a version of a format do not change.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from caprese._core.checks import instance
from caprese._core.files import FilePath, format_error, replace_file
from caprese.assessment.comparison import Compared
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import EffectConfidence
from caprese.assessment.group_comparison import GroupComparison
from caprese.assessment.judgement import Judgement
from caprese.assessment.known import KnownOrders
from caprese.assessment.seeding import Seeding
from caprese.data.curation import Curated, Step
from caprese.data.inspection import Inspection
from caprese.io.data.reading import Note
from caprese.io.graphs.files import GRAPH_FORMATS, read_graph
from caprese.io.json.codec import (
    AnyModel,
    content_of,
    decode,
    decode_model,
    encode,
    envelope,
    json_content,
    kind_of,
    model_content,
    require,
)
from caprese.io.json.fits import decode_fit, encode_fit, encode_method
from caprese.methods.fit import A_FIT, Fit, Method

Document = Fit[Any, Any] | Confidence | EffectConfidence | Judgement | KnownOrders | AnyModel


def _part(name: str, kind: type[Any], content: dict[str, Any]) -> Any:
    require(content, (name,))
    return decode(kind, content[name], name)


def _model(content: dict[str, Any]) -> AnyModel:
    require(content, ("kind", "model"))
    return decode_model(content)


_DECODERS: Mapping[str, Callable[[dict[str, Any]], Document]] = {
    "fit": decode_fit,
    "confidence": partial(_part, "confidence", Confidence),
    "effects": partial(_part, "confidence", EffectConfidence),
    "judgement": partial(_part, "judgement", Judgement),
    "known": partial(_part, "known", KnownOrders),
    "model": _model,
}


def read_document(path: FilePath) -> Document:
    """Read a fit, a confidence, effects, a judgement or a model; models also from graphs."""
    if Path(path).suffix.lower() in GRAPH_FORMATS:
        return read_graph(path)
    content = json_content(path)
    kind = kind_of(content)
    if kind not in _DECODERS:
        kinds = " or ".join(f'"caprese {each}"' for each in _DECODERS)
        raise format_error(path, f'not a file of caprese: expected JSON with "format": {kinds}')
    document: Document = content_of(path, content, kind, _DECODERS[kind])
    return document


def _read(kind: str, path: FilePath) -> Any:
    return content_of(path, json_content(path), kind, _DECODERS[kind])


def kind_of_document(document: Document) -> str:
    """Return what a document is, in words."""
    if isinstance(document, EffectConfidence):
        return "bootstrap of effects"
    if isinstance(document, KnownOrders):
        return "list of known orders"
    return type(document).__name__.lower()


def document_text(document: Document, **about: Any) -> str:
    """Return a document as JSON, as its file holds it; `about` are further fields, the first."""
    kind, content = _content(document)
    return envelope(kind, about | content)


def _content(document: Document) -> tuple[str, dict[str, Any]]:
    """Return the kind of a document, and the fields of its file."""
    match document:
        case Fit():
            return "fit", encode_fit(document)
        case Confidence():
            return "confidence", {"confidence": encode(document)}
        case EffectConfidence():
            rates = document.rate_table().reset_index().to_dict("records")
            effects = document.table().to_dict("records")
            tables = {"rates": encode(rates), "effects": encode(effects)}
            return "effects", {**tables, "confidence": encode(document)}
        case Judgement():
            gains = dict(zip(document.methods, document.gains, strict=True))
            said = {"verdict": document.verdict, "cautions": document.cautions}
            said |= {"next": document.next_steps}
            facts = {**said, "notes": document.notes, "gains": gains}
            return "judgement", {**encode(facts), "judgement": encode(document)}
        case KnownOrders():
            names = ("supported", "orders", "disagreements", "unplaced", "weaker")
            stated = {name: getattr(document, name) for name in names}
            return "known", {**encode(stated), "known": encode(document)}
    return "model", model_content(document)


def write_fit(fit: Fit[Any, Any], path: FilePath) -> None:
    """Write a fit to a JSON file; `read_fit` returns an equal one.

    The fit of a method that is not in `caprese.METHODS` can be written too; to read it, first add
    the method under the name of its class: ``caprese.METHODS["Nesting"] = Nesting``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Caprese, datasets
    >>> fit = Caprese().fit(datasets.acml())
    >>> with TemporaryDirectory() as folder:
    ...     write_fit(fit, f"{folder}/fit.json")
    ...     read_fit(f"{folder}/fit.json") == fit
    True
    """
    replace_file(path, document_text(instance("fit", fit, Fit, A_FIT)))


def read_fit(path: FilePath) -> Fit[Any, Any]:
    """Read a fit from a JSON file of `write_fit`.

    Raises
    ------
    FormatError
        If the file holds no fit; the message gives the place and the reason.
    """
    fit: Fit[Any, Any] = _read("fit", path)
    return fit


def write_model(model: AnyModel, path: FilePath) -> None:
    """Write a model to a JSON file; `read_model` returns an equal one.

    Parameters
    ----------
    model
        Of a kind of this package, such as `Forest`, or of one that was registered with
        `caprese.extend.register_model`.
    path
        The file to write.

    Raises
    ------
    ModelError
        If its kind is not registered.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Independence
    >>> model = Independence(("8q+", "-7q"), (0.5, 0.25))
    >>> with TemporaryDirectory() as folder:
    ...     write_model(model, f"{folder}/model.json")
    ...     read_model(f"{folder}/model.json") == model
    True
    """
    replace_file(path, document_text(model))


def read_model(path: FilePath) -> AnyModel:
    """Read a model from a JSON file of `write_model`.

    Raises
    ------
    FormatError
        If the file holds no model; the message gives the place and the reason.
    """
    model: AnyModel = _read("model", path)
    return model


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
    replace_file(path, document_text(confidence, **about))


def read_confidence(path: FilePath) -> Confidence:
    """Read a confidence from a JSON file of `write_confidence`.

    Raises
    ------
    FormatError
        If the file holds no confidence; the message gives the place and the reason.
    """
    confidence: Confidence = _read("confidence", path)
    return confidence


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
    replace_file(path, document_text(judgement))


def read_judgement(path: FilePath) -> Judgement:
    """Read a judgement from a JSON file of `write_judgement`.

    Raises
    ------
    FormatError
        If the file holds no judgement; the message gives the place and the reason.
    """
    judgement: Judgement = _read("judgement", path)
    return judgement


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


def groups_text(
    found: GroupComparison, title: str, method: Method, log: Sequence[Step] = ()
) -> str:
    """Return a comparison of groups as JSON: each two groups, each two events, and all numbers."""
    content = {
        "by": title,
        "method": encode_method(method),
        "overall": [
            {"group": found.groups[one], "other_group": found.groups[other], "p_value": p_value}
            for (one, other), p_value in zip(found.pairs, found.overall.tolist(), strict=True)
        ],
        "orders": found.table().to_dict("records"),
        "groups": encode(found),
        "log": encode(tuple(log)),
    }
    return envelope("groups", content)


def seeding_text(found: Seeding, log: Sequence[Step] = ()) -> str:
    """Return as JSON which events follow seeding: all numbers of each event."""
    content = {
        "patients": found.patients,
        "events": found.table().to_dict("records"),
        "log": encode(tuple(log)),
    }
    return envelope("seeding", content)


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
        "log_likelihood": encode(one.log_likelihood),
        "parameters": one.estimate.parameters,
        "bic": encode(one.bic),
        "noise": encode(one.estimate.noise),
    }
