"""Fits and models as JSON files; a fit is a model, its evidence, and the method with parameters."""

from dataclasses import fields
from itertools import pairwise
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from caprese._core.files import FilePath, replace_file, shown
from caprese._core.words import visible
from caprese.data.counts import Counts
from caprese.data.curation import Step
from caprese.errors import CapreseError, FormatError, ModelError
from caprese.fitting.estimate import KINDS, own_kind
from caprese.fitting.recovery import Recovery
from caprese.io.json.codec import decode, encode, envelope, json_content, opened, parameters
from caprese.methods import METHODS, name_of
from caprese.methods.fit import Fit, Method
from caprese.models.base import Model, Order

AnyModel = Model | Order  # a poset without rates has an order, and no probabilities

_MOST_ENTRIES = 500_000  # of data whose predictive model is estimated to be written
_PARTS = ("method", "samples", "digest", "model", "evidence", "counts", "recovery", "log")


def write_fit(fit: Fit[Any, Any], path: FilePath) -> None:
    """Write a fit to a JSON file; `read_fit` returns an equal one.

    The fit of a method that is not in `caprese.METHODS` can be written too; to read it, first add
    the method under the name of its class: ``caprese.METHODS["Nesting"] = Nesting``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from caprese import Caprese, datasets
    >>> fit = Caprese().fit(datasets.acml())
    >>> with TemporaryDirectory() as folder:
    ...     write_fit(fit, f"{folder}/fit.json")
    ...     read_fit(f"{folder}/fit.json") == fit
    True
    """
    replace_file(path, fit_text(fit))


def fit_text(fit: Fit[Any, Any]) -> str:
    """Return a fit as JSON, as `write_fit` writes it."""
    return envelope("fit", encode_fit(fit))


def read_fit(path: FilePath) -> Fit[Any, Any]:
    """Read a fit from a JSON file of `write_fit`.

    Raises
    ------
    FormatError
        If the file holds no fit; the message gives the place and the reason.
    """
    return decode_fit(path, json_content(path))


def encode_fit(fit: Fit[Any, Any]) -> dict[str, Any]:
    """Return the content of a fit; the additional fields of a subclass of `Fit` come last."""
    return {
        "method": encode_method(fit.method),
        "samples": fit.samples,
        "digest": fit.digest,
        "model": encode(fit.model),
        "evidence": encode(fit.evidence),
        "counts": encode(fit.counts),
        "recovery": encode(fit.recovery),
        "log": encode(fit.log),
        "predictive": encode_predictive(fit),
        **{name: encode(getattr(fit, name)) for name in _additional(type(fit))},
    }


def decode_fit(path: FilePath, content: Any) -> Fit[Any, Any]:
    """Return the fit in the content of a JSON file; `path` is for error messages."""
    with opened(path, content, "fit", *_PARTS) as parts:
        return _fit(parts)


def encode_predictive(fit: Fit[Any, Any]) -> dict[str, Any] | None:
    """Return the predictive model of a fit; None if it has none, or its estimation is slow."""
    if fit.predictor is None and fit.samples * len(fit.model.events) > _MOST_ENTRIES:
        return None
    try:
        model = fit.predictive
    except CapreseError:
        return None
    return encode_model(model)


def decode_predictive(content: Any) -> Model | None:
    """Return the predictive model; None in a file without one."""
    if content is None:
        return None
    model = model_of(decode(dict, content, "predictive"), "predictive.")
    if not isinstance(model, Model):
        raise FormatError("predictive: expected a model with probabilities")
    return model


def encode_method(method: Method) -> dict[str, Any]:
    """Return the name and the parameters of a method."""
    return {"name": name_of(method), "parameters": encode(method)}


def decode_method(content: Any) -> Method:
    """Return the method with this name and these parameters."""
    name = decode(dict, content, "method").get("name")
    if not isinstance(name, str) or name not in METHODS:
        unknown = visible(repr(name))
        known = f"{', '.join(METHODS)}; register your own: caprese.METHODS[{unknown}] = ..."
        raise FormatError(f"method: {unknown} is not one of {known}")
    given = parameters(METHODS[name], content.get("parameters"), "method.parameters")
    try:
        return METHODS[name](**given)
    except ValueError as error:
        raise FormatError(f"method: {error}") from None


def _additional(kind: type[Fit[Any, Any]]) -> tuple[str, ...]:
    """Return the names of the fields that a subclass of `Fit` adds."""
    common = {field.name for field in fields(Fit)}
    return tuple(field.name for field in fields(kind) if field.name not in common)


def _answer_types(method: type[Method]) -> tuple[type[Fit[Any, Any]], Any, Any]:
    """Return the types of the fit, the model and the evidence that a method declares."""
    declared = get_type_hints(method.fit).get("return")
    kind: Any = get_origin(declared) or declared
    while len(get_args(declared)) != 2:  # a subclass declares them in its base
        bases = getattr(get_origin(declared) or declared, "__orig_bases__", ())
        if not bases:
            rule = "must declare what it returns, such as OrderedFit[Forest, Evidence]"
            raise FormatError(f"method: {method.__name__}.fit {rule}")
        (declared, *_) = bases
    return (kind, *get_args(declared))


def _counts(content: Any, samples: int) -> Counts:
    counts: Counts = decode(Counts, content, "counts")
    ordered = (0, counts.joint, counts.first, counts.total, samples)
    if not all((low <= high).all() for low, high in pairwise(map(np.asarray, ordered))):
        raise FormatError("counts: expected 0 <= joint <= first <= total <= samples")
    return counts


def _fit(content: dict[str, Any]) -> Fit[Any, Any]:
    samples = decode(int, content["samples"], "samples")
    method = decode_method(content["method"])
    answer, model, evidence = _answer_types(type(method))
    hints = get_type_hints(answer)
    more = _additional(answer)
    for missing in [name for name in more if name not in content]:
        raise FormatError(f"{missing!r} is missing")
    return answer(
        method,
        decode(model, content["model"], "model"),
        decode(evidence, content["evidence"], "evidence"),
        _counts(content["counts"], samples),
        samples,
        decode(str, content["digest"], "digest"),
        decode(Recovery | None, content["recovery"], "recovery"),
        decode(tuple[Step, ...], content["log"], "log"),
        predictor=decode_predictive(content.get("predictive")),
        **{name: decode(hints[name], content[name], name) for name in more},
    )


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
