"""Envelope: a JSON file that says what is in it, and which program wrote it."""

import json
from importlib.metadata import version
from typing import Any

from caprese._core.files import FilePath, text_lines
from caprese.errors import FormatError
from caprese.io.json.codec import text

_OURS = "caprese "


def envelope(kind: str, number: int, content: dict[str, Any]) -> str:
    """Return content as JSON, under the name and number of its format."""
    opening = {"format": _OURS + kind, "version": number, "program": _program()}
    return text(opening | content) + "\n"


def json_content(path: FilePath) -> Any:
    """Return what stands in a JSON file."""
    try:
        return json.loads("".join(text_lines(path)))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"{path}: {place}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(f"{path}: not of caprese: nested too deeply") from None


def kind_of(content: Any) -> str | None:
    """Return what content is called in its envelope: fit, confidence, model; None without one."""
    name = content.get("format") if isinstance(content, dict) else None
    return name.removeprefix(_OURS) if isinstance(name, str) and name.startswith(_OURS) else None


def opened(
    path: FilePath, content: Any, kind: str, number: int, parts: tuple[str, ...]
) -> dict[str, Any]:
    """Return the content of an envelope that must be of this kind and have these parts."""
    if kind_of(content) != kind:
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
    return dict(content)


def _program() -> str:
    return f"caprese {version('caprese')}"
