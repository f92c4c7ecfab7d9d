"""The log of a curation as text."""

import pytest

from caprese import Dataset, datasets
from caprese.data.curation import (
    DropUnknownSamples,
    KeepEvents,
    MergeEvents,
    curate,
    split,
)
from caprese.text.inspection import log_lines


@pytest.mark.parametrize(
    ("curated", "lines"),
    [
        (curate(datasets.ovarian()), []),
        (
            MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1").apply(datasets.acml()),
            [
                "merged 2 events into ASXL1, present where any is: ASXL1 indel (9 of 64), "
                "ASXL1 nonsense (5 of 64)"
            ],
        ),
        (
            MergeEvents(["8q+", "3q+"], into="gain", keep_members=True).apply(datasets.ovarian()),
            ["added gain beside 2 events, present where any is: 3q+ (48 of 87), 8q+ (61 of 87)"],
        ),
        (
            KeepEvents(["8q+", "17p-"], must_exist=False).apply(datasets.ovarian()),
            [
                "skipped 1 event, not among the events: 17p-",
                "dropped 6 events, not in the list: 1q+ (38 of 87), 3q+ (48 of 87), "
                "4q- (44 of 87), 5q- (46 of 87), 8p- (41 of 87) and 1 more",
            ],
        ),
        (
            split(curate(Dataset.from_rows([[1, 1], [0, 0]], "ab")), "a / b"),
            [
                "merged 2 events into a / b, identical: a (1 of 2), b (1 of 2)",
                "split a / b into 2 events, identical: a (1 of 2), b (1 of 2)",
            ],
        ),
        (
            DropUnknownSamples().apply(Dataset.from_rows([[1], [None]], "a", "pq")),
            ["dropped 1 sample, no event known: q (0 of 1)"],
        ),
    ],
    ids=["nothing", "merge", "add", "skip", "split", "samples"],
)
def test_each_step_is_one_line(curated, lines):
    assert log_lines(curated.log) == lines
