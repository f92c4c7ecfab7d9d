"""Fits as JSON files: everything a fit holds, and what made it."""

import json
from importlib.metadata import version
from typing import Any, get_args, get_type_hints

from caprese.counts import Counts
from caprese.errors import CapreseError, FormatError
from caprese.io.codec import decode, encode, parameters, text
from caprese.io.files import FilePath, format_error, replacing, text_lines
from caprese.methods import METHODS, name_of
from caprese.methods.base import Fit, Method, Recovery

FORMAT = "caprese fit"
VERSION = 1


def write_fit(fit: Fit[Any, Any], path: FilePath) -> None:
    """Write a fit to a JSON file; `read_fit` returns an equal one."""
    with replacing(path) as file:
        file.write(fit_text(fit))


def fit_text(fit: Fit[Any, Any]) -> str:
    """Return a fit as JSON.

    Examples
    --------
    >>> from caprese.datasets import acml
    >>> from caprese.methods import Caprese
    >>> print(fit_text(Caprese().fit(acml())))
    {
      "format": "caprese fit",
      "version": 1,
      "program": "caprese ...",
      "method": {
        "name": "caprese",
        "parameters": {
          "shrinkage": 0.5
        }
      },
      "samples": 64,
      "digest": "...",
      "model": {
        "events": ["SETBP1 missense", "ASXL1 indel", "ASXL1 nonsense"],
        "parents": [-1, -1, 0],
    ...
    """
    content = {
        "format": FORMAT,
        "version": VERSION,
        "program": f"caprese {version('caprese')}",
        "method": {"name": name_of(fit.method), "parameters": encode(fit.method)},
        "samples": fit.samples,
        "digest": fit.digest,
        "model": encode(fit.model),
        "evidence": encode(fit.evidence),
        "counts": encode(fit.counts),
        "recovery": encode(fit.recovery),
    }
    return text(content) + "\n"


def read_fit(path: FilePath) -> Fit[Any, Any]:
    """Read a fit from a JSON file."""
    text = "".join(text_lines(path))
    try:
        return _fit(_content(text))
    except CapreseError as error:
        raise format_error(path, str(error)) from None


def _content(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"{place}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError("not a caprese fit: nested too deeply") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FormatError(f'not a caprese fit: expected JSON with "format": "{FORMAT}"')
    if content.get("version") != VERSION:
        raise FormatError(
            f"format version {content.get('version')!r}, written by {content.get('program')!r}; "
            f"this program, caprese {version('caprese')}, reads version {VERSION}"
        )
    return content


def _fit(content: dict[str, Any]) -> Fit[Any, Any]:
    expected = ["method", "samples", "digest", "model", "evidence", "counts", "recovery"]
    for missing in [name for name in expected if name not in content]:
        raise FormatError(f"{missing!r} is missing")
    method = _method(content["method"])
    model, evidence = get_args(get_type_hints(type(method).fit)["return"])
    return Fit(
        method,
        decode(model, content["model"], "model"),
        decode(evidence, content["evidence"], "evidence"),
        decode(Counts, content["counts"], "counts"),
        decode(int, content["samples"], "samples"),
        decode(str, content["digest"], "digest"),
        decode(Recovery | None, content["recovery"], "recovery"),
    )


def _method(content: Any) -> Method:
    name = decode(dict, content, "method").get("name")
    if name not in METHODS:
        raise FormatError(f"method: {name!r} is not one of {', '.join(METHODS)}")
    given = parameters(METHODS[name], content.get("parameters"), "method.parameters")
    try:
        return METHODS[name](**given)
    except ValueError as error:
        raise FormatError(f"method: {error}") from None
