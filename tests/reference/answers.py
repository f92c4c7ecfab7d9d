"""The stored answers of other programs; see README.md beside this file."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from caprese import Dataset

_HERE = Path(__file__).parent


@cache
def ovarian_answers() -> dict[str, Any]:
    return json.loads((_HERE / "ovarian_expected.json").read_text())


@cache
def hcbn_answers() -> list[dict[str, Any]]:
    """Ten runs of h-CBN on the ovarian data."""
    return json.loads((_HERE / "hcbn_expected.json").read_text())["ovarian_cgh"]


@cache
def oracles() -> list[tuple[dict[str, Any], Dataset]]:
    """The 60 random data sets, each with what the other programs answer."""
    answers = json.loads((_HERE / "oracle_answers.json").read_text())
    with np.load(_HERE / "oracle_datasets.npz") as tables:
        return [(answer, _dataset(tables[f"X{answer['id']:03d}"])) for answer in answers]


def _dataset(table: np.ndarray) -> Dataset:
    return Dataset.from_rows(table, [f"e{column}" for column in range(table.shape[1])])


@cache
def paired_resamples() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """1,000 resamples of the ovarian data, and the parents R's programs found in each."""
    rows = np.loadtxt(_HERE / "ov_paired_bootstrap_idx.csv.gz", delimiter=",", dtype=int)
    found = np.loadtxt(
        _HERE / "ov_paired_bootstrap_parents.csv.gz", delimiter=",", dtype=int, skiprows=1
    )
    names = ("oncotree", "caprese_0.01", "caprese_0.5")
    return rows, dict(zip(names, np.split(found - 1, 3, axis=1), strict=True))


@cache
def bootstrap_answers() -> dict[str, Any]:
    return json.loads((_HERE / "ov_nonparametric_R10000.json").read_text())
