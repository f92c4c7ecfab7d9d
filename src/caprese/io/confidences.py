"""Confidences as JSON files, with what was bootstrapped and how."""

from typing import Any

from caprese.confidence import Confidence
from caprese.errors import CapreseError
from caprese.io.codec import decode, encode
from caprese.io.envelope import envelope, opened
from caprese.io.files import FilePath, format_error, replacing

_VERSION = 1
_PARTS = ("confidence",)


def write_confidence(confidence: Confidence, path: FilePath, **about: Any) -> None:
    """Write a confidence to a JSON file; `read_confidence` returns an equal one.

    Parameters
    ----------
    about
        What else the file should tell: the method, the kind of bootstrap.
    """
    content = {**about, "confidence": encode(confidence)}
    with replacing(path) as file:
        file.write(envelope("confidence", _VERSION, content))


def read_confidence(path: FilePath) -> Confidence:
    """Read a confidence from a JSON file."""
    content = opened(path, "confidence", _VERSION, _PARTS)
    try:
        confidence: Confidence = decode(Confidence, content["confidence"], "confidence")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return confidence
