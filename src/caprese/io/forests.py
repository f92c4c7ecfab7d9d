"""Forests as JSON files: a progression alone, such as the truth of a simulation."""

from caprese.errors import CapreseError
from caprese.io.codec import decode, encode
from caprese.io.envelope import envelope, opened
from caprese.io.files import FilePath, format_error, replacing
from caprese.models.forest import Forest

_VERSION = 1


def write_forest(forest: Forest, path: FilePath) -> None:
    """Write a forest to a JSON file; `read_forest` returns an equal one."""
    with replacing(path) as file:
        file.write(envelope("forest", _VERSION, {"forest": encode(forest)}))


def read_forest(path: FilePath) -> Forest:
    """Read a forest from a JSON file."""
    content = opened(path, "forest", _VERSION, ("forest",))
    try:
        forest: Forest = decode(Forest, content["forest"], "forest")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return forest
