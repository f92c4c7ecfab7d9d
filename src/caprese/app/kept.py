"""Results between tasks: each part is a pickle that only workers open."""

import pickle
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from caprese.app.answers import Answer
from caprese.errors import CapreseError
from caprese.recipe.results import Results

Part = TypeVar("Part")

_MISSING = {
    "fit": "fit a method first",
    "placement": "place the samples first",
}


def opened(kept: Mapping[str, bytes]) -> Results:
    """Return the results so far."""
    if not kept:
        raise CapreseError("open a file first")
    return Results(**{name: pickle.loads(content) for name, content in kept.items()})


def needed(part: Part | None, name: str) -> Part:
    """Return a part of the results, or say what has to be done before."""
    if part is None:
        raise CapreseError(_MISSING[name])
    return part


def answer(before: Results | None, after: Results, **shown: Any) -> Answer:
    """Return an answer with all parts of the results that have changed."""
    names = [each.name for each in fields(after)]
    parts = {name: (getattr(before, name, None), getattr(after, name)) for name in names}
    changed = {name: now for name, (then, now) in parts.items() if now is not then}
    return Answer(shown, {name: _pickle(part) for name, part in changed.items()})


def _pickle(part: Any) -> bytes | None:
    return None if part is None else pickle.dumps(part, protocol=5)
