"""Envelope: a JSON file that says what is in it, and which program wrote it."""

import json
from importlib.metadata import version
from typing import Any

from caprese.errors import FormatError
from caprese.io.codec import text
from caprese.io.files import FilePath, text_lines


def envelope(kind: str, number: int, content: dict[str, Any]) -> str:
    """Return content as JSON, under the name and number of its format."""
    opening = {"format": f"caprese {kind}", "version": number, "program": _program()}
    return text(opening | content) + "\n"


def opened(path: FilePath, kind: str, number: int, parts: tuple[str, ...]) -> dict[str, Any]:
    """Return the content of a JSON file that must be of this kind and have these parts."""
    try:
        content = json.loads("".join(text_lines(path)))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"{path}: {place}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(f"{path}: not a caprese {kind}: nested too deeply") from None
    if not isinstance(content, dict) or content.get("format") != f"caprese {kind}":
        raise FormatError(
            f'{path}: not a caprese {kind}: expected JSON with "format": "caprese {kind}"'
        )
    if content.get("version") != number:
        raise FormatError(
            f"{path}: format version {content.get('version')!r}, written by "
            f"{content.get('program')!r}; this program, {_program()}, reads version {number}"
        )
    for missing in [name for name in parts if name not in content]:
        raise FormatError(f"{path}: {missing!r} is missing")
    return content


def _program() -> str:
    return f"caprese {version('caprese')}"
