"""Confidences as JSON files, with what was bootstrapped and how."""

from typing import Any

from caprese._core.files import FilePath, format_error, replacing
from caprese.assessment.confidence import Confidence
from caprese.errors import CapreseError
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, json_content, opened

_VERSION = 1
_PARTS = ("confidence",)


def write_confidence(confidence: Confidence, path: FilePath, **about: Any) -> None:
    """Write a confidence to a JSON file; `read_confidence` returns an equal one.

    Parameters
    ----------
    about
        What else the file should tell: the method, the kind of bootstrap.
    """
    with replacing(path) as file:
        file.write(confidence_text(confidence, **about))


def confidence_text(confidence: Confidence, **about: Any) -> str:
    """Return a confidence as JSON, as `write_confidence` writes it."""
    return envelope("confidence", _VERSION, {**about, "confidence": encode(confidence)})


def read_confidence(path: FilePath) -> Confidence:
    """Read a confidence from a JSON file."""
    return decode_confidence(path, json_content(path))


def decode_confidence(path: FilePath, content: Any) -> Confidence:
    """Return the confidence in the content of a JSON file, which messages name."""
    parts = opened(path, content, "confidence", _VERSION, _PARTS)
    try:
        confidence: Confidence = decode(Confidence, parts["confidence"], "confidence")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return confidence
