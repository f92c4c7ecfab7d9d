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
def oracles() -> list[tuple[dict[str, Any], Dataset]]:
    """The 60 random data sets, each with what the other programs answer."""
    answers = json.loads((_HERE / "oracle_answers.json").read_text())
    with np.load(_HERE / "oracle_datasets.npz") as tables:
        return [(answer, _dataset(tables[f"X{answer['id']:03d}"])) for answer in answers]


def _dataset(table: np.ndarray) -> Dataset:
    return Dataset.from_rows(table, [f"e{column}" for column in range(table.shape[1])])
