"""Models as JSON files: a progression alone, such as the truth of a simulation."""

from caprese.errors import CapreseError
from caprese.io.codec import decode, encode
from caprese.io.envelope import envelope, opened
from caprese.io.files import FilePath, format_error, replacing
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest

_VERSION = 1
_KINDS: dict[str, type[Forest] | type[ConjunctiveDag]] = {"forest": Forest, "dag": ConjunctiveDag}


def write_model(model: Forest | ConjunctiveDag, path: FilePath) -> None:
    """Write a forest or a DAG to a JSON file; `read_model` returns an equal one."""
    kind = next(name for name, each in _KINDS.items() if isinstance(model, each))
    with replacing(path) as file:
        file.write(envelope("model", _VERSION, {"kind": kind, "model": encode(model)}))


def read_model(path: FilePath) -> Forest | ConjunctiveDag:
    """Read a forest or a DAG from a JSON file."""
    content = opened(path, "model", _VERSION, ("kind", "model"))
    if content["kind"] not in _KINDS:
        kinds = ", ".join(_KINDS)
        raise format_error(path, f"kind must be one of {kinds}, got {content['kind']!r}")
    try:
        model: Forest | ConjunctiveDag = decode(_KINDS[content["kind"]], content["model"], "model")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return model
