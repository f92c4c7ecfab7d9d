"""Confidences as JSON files, with the method and the kind of bootstrap."""

from typing import Any

from caprese._core.files import FilePath, replacing
from caprese.assessment.confidence import Confidence
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, json_content, opened

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
    with opened(path, content, "confidence", _VERSION, ("confidence",)) as parts:
        confidence: Confidence = decode(Confidence, parts["confidence"], "confidence")
    return confidence
