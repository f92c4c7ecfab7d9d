"""Options of formats and of seen orders: what values each can have, and how text gives them."""

import os
from collections.abc import Mapping
from errno import ENAMETOOLONG
from os import PathLike
from types import MappingProxyType
from typing import Any

from caprese._core.checks import instance, listed, one_of
from caprese.data.allele_fractions import PAIRS
from caprese.errors import ParameterError
from caprese.io.data.barcodes import LENGTHS, RULES
from caprese.io.data.cbioportal import ROWS, UNKNOWN_PANELS
from caprese.io.data.loci import REGIONS, TOGETHER
from caprese.methods.parameters import YES_OR_NO, ParameterKind, one_word, whole_number


def _level(*levels: int) -> ParameterKind:
    """Return the kind of one of a few whole numbers."""
    parse = whole_number().parse
    return ParameterKind(parse, lambda name, value: one_of(name, value, levels))


def _instance(kind: Any, rule: str) -> ParameterKind:
    return ParameterKind(str, lambda name, value: instance(name, value, kind, rule))


def _check_delimiter(name: str, value: Any) -> None:
    if not isinstance(value, str) or len(value) != 1 or value in '"\r\n\0':
        raise ParameterError(name, "one character, not a quote or line end", value)


def _check_names(name: str, value: Any) -> None:
    given = () if isinstance(value, str) else listed(name, value)
    if not given or not all(isinstance(each, str) and each.strip() for each in given):
        raise ParameterError(name, "a list of names", value)


_NEVER_NONE = {"events", "several", "transpose", "silent", "germline", "copy_number", "per"}
_TEXT = _instance(str, "text")
_WORDS = {"tab": "\t", "\\t": "\t"}

OPTIONS: Mapping[str, ParameterKind] = MappingProxyType(
    {
        "delimiter": ParameterKind(lambda text: _WORDS.get(text, text), _check_delimiter),
        **dict.fromkeys(("sample_names", "transpose", "silent", "germline"), YES_OR_NO),
        **dict.fromkeys(("copy_number", "fusions", "mixed"), YES_OR_NO),
        "events": _instance((str, PathLike, Mapping), "text, or a mapping from genes to events"),
        "barcode": one_word(*LENGTHS),
        "several": one_word(*RULES),
        "gain": _level(1, 2),
        "loss": _level(-1, -2),
        "genes": ParameterKind(
            lambda text: [each.strip() for each in text.split(",")], _check_names
        ),
        "panels": _instance((str, PathLike), "a path"),
        "per": one_word(*ROWS),
        "regions": one_word(*REGIONS),
        "together": one_word(*TOGETHER),
        "unknown_panels": one_word(*UNKNOWN_PANELS),
        **dict.fromkeys(("name", "sheet", "samples", "study"), _TEXT),
        "pairs": one_word(*PAIRS),
        "depth": whole_number(1),
    }
)
"""The options of all formats, and those of seen orders; a name means the same in each."""


def option_value(name: str, text: str) -> Any:
    """Return the value of an option that a user types: yes, -1, gene and kind."""
    return OPTIONS[name].parse(text) if name in OPTIONS else text


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse options with values that they cannot have; whether a format has them, it knows."""
    for name, value in options.items():
        if name in OPTIONS and (value is not None or name in _NEVER_NONE):
            OPTIONS[name].check(name, value)
    for name in ("events", "panels"):
        value = options.get(name)
        if isinstance(value, str | PathLike):
            _check_path(name, value)


def _check_path(name: str, value: "str | PathLike[str]") -> None:
    """Refuse text that cannot be a path, such as one of 5,000 characters."""
    try:
        os.stat(value)
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) or error.errno == ENAMETOOLONG:
            raise ParameterError(name, "a path", value) from None
