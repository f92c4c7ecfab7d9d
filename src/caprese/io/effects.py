"""Bootstraps of effects as files: JSON with all replicates, or a table of the effects."""

from functools import partial
from typing import Any

from caprese._core.files import FilePath
from caprese.assessment.effect_bootstrap import EffectConfidence
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, opened
from caprese.io.text.cells import quoted_cell

_VERSION = 1


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


def effects_table(
    confidence: EffectConfidence, *, delimiter: str = ",", guard_formulas: bool = False
) -> str:
    """Return the effects, with intervals and shares, as a table in text."""
    table = confidence.table()
    quoted = partial(quoted_cell, guard_formulas=guard_formulas)
    lines = [delimiter.join(table.columns)]
    for _, cause, event, *numbers in table.itertuples():
        cells = [quoted(cause), quoted(event), *(f"{number:.6g}" for number in numbers)]
        lines.append(delimiter.join(cells))
    return "\n".join(lines) + "\n"


def decode_effects(path: FilePath, content: Any) -> EffectConfidence:
    """Return the bootstrap in the content of a JSON file; `path` is for error messages."""
    with opened(path, content, "effects", _VERSION, ("confidence",)) as parts:
        confidence: EffectConfidence = decode(EffectConfidence, parts["confidence"], "confidence")
    return confidence
