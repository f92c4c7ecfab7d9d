"""Fits and models as JSON files; a fit is a model, its evidence, and the method with parameters."""

from contextlib import suppress
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from caprese._core.words import visible
from caprese.data.counts import Counts
from caprese.errors import CapreseError, FormatError
from caprese.io.json.codec import (
    decode,
    decode_model,
    encode,
    encode_model,
    parameters,
    require,
)
from caprese.methods import METHODS, name_of
from caprese.methods.fit import Fit, Method
from caprese.methods.parameters import written_parameters
from caprese.models.base import Model

_MOST_ENTRIES = 500_000  # of data whose predictive model is estimated to be written
_PARTS = ("samples", "digest", "model", "evidence", "counts", "recovery", "log")


def encode_fit(fit: Fit[Any, Any]) -> dict[str, Any]:
    """Return the content of a fit; the additional fields of a subclass of `Fit` come last."""
    return {
        "method": encode_method(fit.method),
        **{name: encode(getattr(fit, name)) for name in _PARTS},
        "predictive": _encode_predictive(fit),
        **{name: encode(getattr(fit, name)) for name in _additional(type(fit))},
    }


def decode_fit(content: dict[str, Any]) -> Fit[Any, Any]:
    """Return the fit with this content."""
    require(content, ("method", *_PARTS))
    method = _decode_method(content["method"])
    answer, model, evidence = _answer_types(type(method))
    hints = get_type_hints(answer) | {"model": model, "evidence": evidence}
    more = _additional(answer)
    require(content, more)
    given = {name: decode(hints[name], content[name], name) for name in (*_PARTS, *more)}
    _check_counts(given["counts"], given["samples"])
    predictor = _decode_predictive(content.get("predictive"))
    return answer(method=method, predictor=predictor, **given)


def _encode_predictive(fit: Fit[Any, Any]) -> dict[str, Any] | None:
    """Return the predictive model of a fit, for the file.

    None if there is none, if the fit keeps it in a part of its own, or if its estimation is slow.
    """
    with suppress(CapreseError):
        _ = replace(fit, data=None, predictor=None).predictive
        return None  # among the other parts of the fit
    if fit.predictor is None and fit.samples * len(fit.model.events) > _MOST_ENTRIES:
        return None
    try:
        model = fit.predictive
    except CapreseError:
        return None
    return encode_model(model)


def _decode_predictive(content: Any) -> Model | None:
    """Return the predictive model; None in a file without one."""
    if content is None:
        return None
    model = decode_model(decode(dict, content, "predictive"), "predictive.")
    if not isinstance(model, Model):
        raise FormatError("predictive: expected a model with probabilities")
    return model


def encode_method(method: Method) -> dict[str, Any]:
    """Return the name and the parameters of a method."""
    return {"name": name_of(method), "parameters": encode(written_parameters(method))}


def _decode_method(content: Any) -> Method:
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


def _check_counts(counts: Counts, samples: int) -> None:
    ordered = (0, counts.joint, counts.first, counts.total, samples)
    if not all((low <= high).all() for low, high in pairwise(map(np.asarray, ordered))):
        raise FormatError("counts: expected 0 <= joint <= first <= total <= samples")
