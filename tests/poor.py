"""Degenerate data sets, for which every method, and the report, must give an answer."""

from caprese import Dataset

POOR = {
    "one event": Dataset.from_rows([[1], [0], [1]], events=["a"]),
    "one sample": Dataset.from_rows([[1, 0, 1]], events="abc"),
    "one sample, one event": Dataset.from_rows([[0]], events=["a"]),
    "all absent": Dataset.from_rows([[0, 0], [0, 0]], events="ab"),
    "all present": Dataset.from_rows([[1, 1], [1, 1]], events="ab"),
    "identical": Dataset.from_rows([[1, 1, 0], [0, 0, 1], [1, 1, 1]], events="abc"),
    "nothing known": Dataset.from_rows([[None, None], [None, None]], events="ab"),
    "an event unknown": Dataset.from_rows([[1, None], [0, None], [1, None]], events="ab"),
    "never known together": Dataset.from_rows([[1, None], [None, 1], [0, None]], events="ab"),
}
