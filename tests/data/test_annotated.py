"""Data sets as AnnData. The real package is tried where it is installed.

It excludes the newest pandas, with which the other tests are run, so it is not among the packages
of the tests: ``python -m venv E && E/bin/pip install . anndata pytest`` and
``E/bin/python -m pytest tests/data/test_annotated.py``.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from caprese import Dataset, Patients, datasets
from caprese.errors import DatasetError

ROWS = [[1, 0, 1], [0, None, 1], [1, 1, None]]


@pytest.fixture
def data():
    patients = Patients(("Ada", "", "Ada"), (5.0, np.nan, 7.0), ("blood", "", "blood"), (1, 0, 0))
    return Dataset.from_rows(ROWS, events=["8q+", "Xp-", "TP53"], samples="pqr").with_patients(
        patients
    )


def table(entries, layers=(), **obs):
    """The parts of an AnnData that are read."""
    return SimpleNamespace(
        X=entries,
        layers=dict(layers),
        obs=pd.DataFrame(obs, index=["p", "q", "r"]),
        obs_names=pd.Index(["p", "q", "r"]),
        var_names=pd.Index(["8q+", "Xp-", "TP53"]),
    )


ZEROS = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=np.int8)
KNOWN = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 0]], dtype=bool)


@pytest.mark.parametrize(
    "found",
    [
        table(np.array(ROWS, dtype=float)),
        table(ZEROS, {"known": KNOWN}),
        table(csr_matrix(ZEROS), {"known": csr_matrix(KNOWN)}),
        table(ZEROS.astype(np.float32), {"known": KNOWN.astype(float)}),
    ],
    ids=["NaN", "layer", "sparse", "floats"],
)
def test_unknown_entries_are_nan_or_false_in_the_layer(found, data):
    assert Dataset.from_anndata(found) == data.with_patients(None)


def test_a_layer_holds_the_entries_if_it_is_named(data):
    counts = np.array([[3, 0, 4], [0, 0, 9], [1, 7, 0]])
    found = table(counts, {"present": ZEROS, "known": KNOWN})
    assert Dataset.from_anndata(found, "present") == data.with_patients(None)
    with pytest.raises(DatasetError, match=r"^entries must be 0 or 1, got .*3.* at \(0, 0\)$"):
        Dataset.from_anndata(found)
    with pytest.raises(DatasetError, match=r"^the table has no layer 'calls'$"):
        Dataset.from_anndata(found, "calls")


def test_a_table_without_entries_is_refused():
    with pytest.raises(DatasetError, match=r"^the table has no X; name the layer that holds"):
        Dataset.from_anndata(table(None))
    with pytest.raises(DatasetError, match=r"^table must be an AnnData, got list$"):
        Dataset.from_anndata([[1]])


def test_columns_of_obs_are_patients_as_far_as_they_are_there():
    found = Dataset.from_anndata(table(ZEROS, patient=["Ada", None, "Ada"]))
    assert found.patients == Patients(("Ada", "", "Ada"))
    assert Dataset.from_anndata(table(ZEROS, time=[1, 2, 3])).patients is None
    with pytest.raises(DatasetError, match=r"^obs column 'time' must hold numbers, such as days"):
        Dataset.from_anndata(table(ZEROS, patient=["A", "B", "A"], time=["May", "June", "July"]))


def test_without_anndata_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "anndata", None)
    with pytest.raises(DatasetError, match=r"^to_anndata needs anndata: pip install 'anndata>="):
        datasets.acml().to_anndata()


@pytest.fixture
def anndata():
    return pytest.importorskip("anndata", reason="the extra anndata is not installed")


@pytest.mark.parametrize("name", ["acml", "ovarian"])
def test_the_real_package_gives_the_same_data_back(anndata, name):
    given = getattr(datasets, name)()
    found = given.to_anndata()
    assert isinstance(found, anndata.AnnData)
    assert found.shape == given.values.shape
    assert list(found.layers) == []
    assert Dataset.from_anndata(found) == given


def test_the_real_package_keeps_patients_and_what_is_unknown(anndata, data, tmp_path):
    found = data.to_anndata()
    assert found.layers["known"].tolist() == KNOWN.tolist()
    assert found.obs["patient"].tolist() == ["Ada", "", "Ada"]
    assert Dataset.from_anndata(found) == data
    found.write_h5ad(tmp_path / "data.h5ad")
    assert Dataset.from_anndata(anndata.read_h5ad(tmp_path / "data.h5ad")) == data
    in_file = anndata.read_h5ad(tmp_path / "data.h5ad", backed="r")
    assert Dataset.from_anndata(in_file) == data
    in_file.file.close()


def test_the_real_package_takes_parts_of_a_table(anndata, data):
    part = data.to_anndata()[["r", "p"], ["TP53", "8q+"]]
    assert isinstance(part, anndata.AnnData)
    expected = data.take_samples([2, 0]).take_events(["TP53", "8q+"])
    assert Dataset.from_anndata(part) == expected
