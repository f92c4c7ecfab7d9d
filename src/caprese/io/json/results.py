"""Results beside fits as JSON files: confidences, bootstraps of effects, judgements."""

from typing import Any, TypeVar

from caprese._core.files import FilePath, replacing
from caprese.assessment.confidence import Confidence
from caprese.assessment.effect_bootstrap import EffectConfidence
from caprese.assessment.judgement import Judgement
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, json_content, opened

T = TypeVar("T")

_VERSION = 1


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
    with replacing(path) as file:
        file.write(confidence_text(confidence, **about))


def confidence_text(confidence: Confidence, **about: Any) -> str:
    """Return a confidence as JSON, as `write_confidence` writes it."""
    return envelope("confidence", _VERSION, {**about, "confidence": encode(confidence)})


def read_confidence(path: FilePath) -> Confidence:
    """Read a confidence from a JSON file of `write_confidence`.

    Raises
    ------
    FormatError
        If the file holds no confidence; the message gives the place and the reason.
    """
    return decode_confidence(path, json_content(path))


def decode_confidence(path: FilePath, content: Any) -> Confidence:
    """Return the confidence in the content of a JSON file; `path` is for error messages."""
    return _decoded(path, content, "confidence", "confidence", Confidence)


def effects_text(confidence: EffectConfidence, **about: Any) -> str:
    """Return a bootstrap of effects as JSON: tables of rates and effects, and all replicates.

    `about` are further fields, such as the method.
    """
    content = {
        **about,
        "rates": encode(confidence.rate_table().reset_index().to_dict("records")),
        "effects": encode(confidence.table().to_dict("records")),
        "confidence": encode(confidence),
    }
    return envelope("effects", _VERSION, content)


def decode_effects(path: FilePath, content: Any) -> EffectConfidence:
    """Return the bootstrap in the content of a JSON file; `path` is for error messages."""
    return _decoded(path, content, "effects", "confidence", EffectConfidence)


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
    with replacing(path) as file:
        file.write(judgement_text(judgement))


def judgement_text(judgement: Judgement) -> str:
    """Return a judgement as JSON, with its verdict and notes as facts."""
    content = {
        "verdict": encode(judgement.verdict),
        "notes": encode(judgement.notes),
        "gains": encode(dict(zip(judgement.methods, judgement.gains, strict=True))),
        "judgement": encode(judgement),
    }
    return envelope("judgement", _VERSION, content)


def read_judgement(path: FilePath) -> Judgement:
    """Read a judgement from a JSON file of `write_judgement`.

    Raises
    ------
    FormatError
        If the file holds no judgement; the message gives the place and the reason.
    """
    return decode_judgement(path, json_content(path))


def decode_judgement(path: FilePath, content: Any) -> Judgement:
    """Return the judgement in the content of a JSON file; `path` is for error messages."""
    return _decoded(path, content, "judgement", "judgement", Judgement)


def _decoded(path: FilePath, content: Any, kind: str, part: str, type_: type[T]) -> T:
    with opened(path, content, kind, _VERSION, (part,)) as parts:
        found: T = decode(type_, parts[part], part)
    return found
