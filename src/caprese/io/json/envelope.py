"""Envelope: the fields of a JSON file that name its format, version and program."""

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from typing import Any

from caprese._core.budget import budget, share, size_words
from caprese._core.files import (
    PER_CHARACTER,
    FilePath,
    format_error,
    over_budget,
    shown,
    text_lines,
)
from caprese._core.words import visible
from caprese.errors import CapreseError, FormatError
from caprese.io.json.codec import text

_PREFIX = "caprese "
_VERSION = 1  # of all formats
_PACKED = re.compile(r'\s*"packed": "[A-Za-z0-9+/=]*"\s*')  # one text, and no other object
_PER_PACKED = 4  # bytes of memory for each of its characters


def envelope(kind: str, content: dict[str, Any]) -> str:
    """Return content as JSON, with the name and version of its format."""
    header = {"format": _PREFIX + kind, "version": _VERSION, "program": _program()}
    return text(header | content) + "\n"


def json_content(path: FilePath) -> Any:
    """Return the content of a JSON file."""
    try:
        return json.loads("".join(_bounded(path)))
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}"
        raise format_error(path, problem, line=error.lineno, column=error.colno) from None
    except FormatError:
        raise
    except ValueError:  # Python does not convert numbers of thousands of digits
        raise format_error(path, "not JSON of caprese: a number has too many digits") from None
    except RecursionError:
        raise format_error(path, "not a file of caprese: nested too deeply") from None


def _bounded(path: FilePath) -> Iterator[str]:
    """Yield the lines of a file, as long as the objects in it fit into the budget."""
    room = budget()
    with closing(text_lines(path)) as lines:
        for line in lines:
            room -= len(line) * (_PER_PACKED if _PACKED.fullmatch(line) else PER_CHARACTER)
            if room < 0:
                raise over_budget(path, f"more than {size_words(share(PER_CHARACTER))} of JSON")
            yield line


def kind_of(content: Any) -> str | None:
    """Return the kind that the envelope names: fit, confidence, model; None without an envelope."""
    name = content.get("format") if isinstance(content, dict) else None
    if not isinstance(name, str) or not name.startswith(_PREFIX):
        return None
    return name.removeprefix(_PREFIX)


@contextmanager
def opened(path: FilePath, content: Any, kind: str, *parts: str) -> Iterator[dict[str, Any]]:
    """Check the kind, version and parts of an envelope; errors about its content name the file."""
    if kind_of(content) != kind:
        problem = f'not a caprese {kind}: expected JSON with "format": "caprese {kind}"'
        raise format_error(path, problem)
    if content.get("version") != _VERSION:
        given, program = content.get("version"), content.get("program")
        given = f"format version {_short(given)}, written by {_short(program)}"
        raise format_error(path, f"{given}; this program, {_program()}, reads version {_VERSION}")
    for missing in [name for name in parts if name not in content]:
        raise format_error(path, f"{missing!r} is missing")
    try:
        yield content
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
        # A type that checks its fields less strictly than ours may raise any of these.
        problem = f"not a valid {kind}: {shown(str(error) or type(error).__name__)}"
        raise format_error(path, problem) from error


def _short(value: Any) -> str:
    return visible(repr(value))


def _program() -> str:
    return f"caprese {version('caprese')}"
