"""Models as JSON files: a progression alone, such as the truth of a simulation."""

from caprese.errors import CapreseError
from caprese.io.codec import decode, encode
from caprese.io.envelope import envelope, opened
from caprese.io.files import FilePath, format_error, replacing
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest
from caprese.models.poset import Poset, TimedPoset

Model = Forest | ConjunctiveDag | Poset | TimedPoset

_VERSION = 1
_KINDS: dict[str, type[Model]] = {
    "forest": Forest,
    "dag": ConjunctiveDag,
    "poset": Poset,
    "timed poset": TimedPoset,
}


def write_model(model: Model, path: FilePath) -> None:
    """Write a forest, a DAG or a poset to a JSON file; `read_model` returns an equal one."""
    kind = next(name for name, each in _KINDS.items() if type(model) is each)
    with replacing(path) as file:
        file.write(envelope("model", _VERSION, {"kind": kind, "model": encode(model)}))


def read_model(path: FilePath) -> Model:
    """Read a forest, a DAG or a poset from a JSON file."""
    content = opened(path, "model", _VERSION, ("kind", "model"))
    if content["kind"] not in _KINDS:
        kinds = ", ".join(_KINDS)
        raise format_error(path, f"kind must be one of {kinds}, got {content['kind']!r}")
    try:
        model: Model = decode(_KINDS[content["kind"]], content["model"], "model")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return model
