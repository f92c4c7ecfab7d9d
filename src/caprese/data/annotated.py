"""Annotated: data sets as AnnData, as the packages of single cells have their tables."""

from typing import TYPE_CHECKING, Any

import numpy as np

from caprese._core.arrays import FloatArray, frozen
from caprese._core.environment import install_command
from caprese.data.columns import is_missing
from caprese.data.patients import Patients
from caprese.errors import DatasetError

if TYPE_CHECKING:
    from anndata import AnnData

KNOWN = "known"
"""The layer that says which entries were observed."""

PATIENT, TIME, SITE, PRIMARY = "patient", "time", "site", "primary"
"""The columns of `obs` that say whose each sample is, and when and where it was taken."""


def from_anndata(kind: type[Any], table: "AnnData", layer: str | None) -> Any:
    """Return the data set of a table; see `Dataset.from_anndata`."""
    if not all(hasattr(table, name) for name in ("obs_names", "var_names", "layers", "X")):
        raise DatasetError(f"table must be an AnnData, got {type(table).__name__}")
    data = kind.from_rows(_entries(table, layer), list(table.var_names), list(table.obs_names))
    if KNOWN in table.layers:
        known = data.known_mask & _dense(table.layers[KNOWN]).astype(bool)
        data = kind(data.values, data.events, data.samples, known)
    return data.with_patients(_patients(table.obs))


def _entries(table: "AnnData", layer: str | None) -> Any:
    if layer is None:
        if table.X is None:
            raise DatasetError("the table has no X; name the layer that holds the entries")
        return _dense(table.X)
    if layer not in table.layers:
        raise DatasetError(f"the table has no layer {layer!r}")
    return _dense(table.layers[layer])


def _dense(values: Any) -> Any:
    """Return an array of a matrix, which may be sparse or in a file."""
    if hasattr(values, "to_memory"):  # sparse, in a file
        values = values.to_memory()
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values[...])


def _patients(obs: Any) -> Patients | None:
    if PATIENT not in obs:
        return None
    sites = _names(obs[SITE]) if SITE in obs else ()
    primary = np.asarray(obs[PRIMARY], dtype=bool) if PRIMARY in obs else np.empty(0, dtype=bool)
    return Patients(_names(obs[PATIENT]), _times(obs), sites, frozen(primary))


def _names(column: Any) -> tuple[str, ...]:
    return tuple("" if is_missing(name) else str(name) for name in column)


def _times(obs: Any) -> FloatArray:
    if TIME not in obs:
        return np.empty(0)
    try:
        return frozen(obs[TIME], np.float64)
    except (TypeError, ValueError):
        rule = f"obs column {TIME!r} must hold numbers, such as days"
        raise DatasetError(f"{rule}, got {obs[TIME].dtype}") from None


def to_anndata(data: Any) -> "AnnData":
    """Return a data set as a table; see `Dataset.to_anndata`."""
    try:
        from anndata import AnnData
    except ImportError:
        raise DatasetError(f"to_anndata needs anndata: {install_command('anndata')}") from None
    import pandas as pd

    obs = pd.DataFrame(index=pd.Index(list(data.samples), dtype=object))
    if data.patients is not None:
        told = data.patients
        columns = {PATIENT: told.names, TIME: told.times, SITE: told.sites, PRIMARY: told.primary}
        obs = obs.assign(**{name: list(values) for name, values in columns.items()})
    table = AnnData(
        data.values.astype(np.int8),
        obs=obs,
        var=pd.DataFrame(index=pd.Index(list(data.events), dtype=object)),
    )
    if data.known is not None:
        table.layers[KNOWN] = np.array(data.known)
    return table
