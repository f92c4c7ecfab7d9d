"""Judgements as JSON files."""

from typing import Any

from caprese._core.files import FilePath, replacing
from caprese.assessment.judgement import Judgement
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, json_content, opened

_VERSION = 1


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
    with opened(path, content, "judgement", _VERSION, ("judgement",)) as parts:
        judgement: Judgement = decode(Judgement, parts["judgement"], "judgement")
    return judgement
