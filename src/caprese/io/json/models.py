"""Models as JSON files, such as the true model of a simulation."""

from typing import Any

from caprese._core.files import FilePath, replace_file, shown
from caprese.errors import FormatError, ModelError
from caprese.fitting.estimate import KINDS, own_kind
from caprese.io.json.codec import decode, encode, envelope, json_content, opened
from caprese.models.base import Model, Order

AnyModel = Model | Order  # a poset without rates has an order, and no probabilities


def write_model(model: AnyModel, path: FilePath) -> None:
    """Write a model to a JSON file; `read_model` returns an equal one.

    Parameters
    ----------
    model
        Of a kind of this package, such as `Forest`, or of one that was registered with
        `caprese.extend.register_model`.
    path
        The file to write.

    Raises
    ------
    ModelError
        If its kind is not registered.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Independence
    >>> model = Independence(("8q+", "-7q"), (0.5, 0.25))
    >>> with TemporaryDirectory() as folder:
    ...     write_model(model, f"{folder}/model.json")
    ...     read_model(f"{folder}/model.json") == model
    True
    """
    replace_file(path, model_text(model))


def model_text(model: AnyModel) -> str:
    """Return a model as JSON, as `write_model` writes it."""
    content = encode_model(model)
    if content is None:
        name = type(model).__name__
        raise ModelError(
            f"a {name} has no name in files: register it with "
            f"caprese.extend.register_model(ModelKind(name=..., type={name}))"
        )
    return envelope("model", content)


def encode_model(model: AnyModel) -> dict[str, Any] | None:
    """Return the kind of a model and its content; None if its kind is not registered."""
    kind = own_kind(model)
    return None if kind is None else {"kind": kind.name, "model": encode(model)}


def read_model(path: FilePath) -> AnyModel:
    """Read a model from a JSON file of `write_model`.

    Raises
    ------
    FormatError
        If the file holds no model; the message gives the place and the reason.
    """
    return decode_model(path, json_content(path))


def decode_model(path: FilePath, content: Any) -> AnyModel:
    """Return the model in the content of a JSON file; `path` is for error messages."""
    with opened(path, content, "model", "kind", "model") as parts:
        return model_of(parts)


def model_of(content: dict[str, Any], where: str = "") -> AnyModel:
    """Return the model with this kind and this content."""
    kind = decode(str, content.get("kind"), f"{where}kind")
    if kind not in KINDS:
        known = f"{', '.join(KINDS)}; register your own: caprese.extend.register_model"
        raise FormatError(f"{where}kind must be one of {known}, got {shown(kind)}")
    model: AnyModel = decode(KINDS[kind].type, content.get("model"), f"{where}model")
    return model
