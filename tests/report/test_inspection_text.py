"""An inspection and a log as text."""

import numpy as np
import pytest
from hypothesis import given

from caprese.data.curation import (
    DropUnknownSamples,
    KeepEvents,
    MergeEvents,
    MergeIdentical,
    curate,
    split,
)
from caprese.data.dataset import Dataset
from caprese.data.embedded import acml, ovarian
from caprese.data.inspection import inspect
from caprese.text.curation import log_lines
from caprese.text.inspection import inspection_lines
from strategies import datasets


def panels(samples=250, events=300, seed=0):
    """Return data as large as life, with everything odd in it."""
    rng = np.random.default_rng(seed)
    values = rng.random((samples, events)) < rng.beta(0.5, 4, events)
    known = rng.random((samples, events)) < rng.choice([1, 0.9, 0.6], events)
    values[:, :10] = rng.random((samples, 1)) < 0.4
    values[:, 10:14] = ~values[:, :1]
    values[:, 14], values[:, 15] = True, False
    values[:2, 0] ^= True
    values[:, 20:28] = rng.random((samples, 8)) < 0.3
    values[5:9], known[5:9] = values[4], known[4]
    known[:, 0:14] = True
    known[: samples // 2, 20:24], known[samples // 2 :, 24:28] = False, False
    known[:, 30] = False
    return Dataset(values, tuple(f"gene{k}" for k in range(events)), known=known)


def test_a_small_table_reads_as_it_should():
    rows = [[1, 1, None, 0, 1, 1]] * 6 + [[0, 0, 1, 0, 1, 0]] * 5 + [[0, 0, 0, 0, 1, 1]]
    data = Dataset.from_rows(rows, ["a", "b", "c", "no", "all", "d"])
    assert (
        "\n".join(inspection_lines(inspect(data)))
        == """\
samples            12
events             6; those that vary: 4
entries            72, 6 (8.3 %) unknown
events per sample  2 to 4, median 3; samples with none: 0
genotypes          3 distinct; samples with the commonest: 6

event  present  known  frequency  unknown  remark
c            5      6     83.3 %   50.0 %  often unknown
d            7     12     58.3 %    0.0 %
a            6     12     50.0 %    0.0 %
b            6     12     50.0 %    0.0 %

events never known: none
events never seen: no
events always seen: all
groups of samples with the same genotype: 2
  1, 2, 3, 4 and 2 more
  10, 11, 7, 8 and 1 more
groups of identical events: 1
  a, b
nearly identical pairs: none
mutually exclusive pairs: none
equally frequent pairs, which cannot be ordered: none
pairs never known in the same sample: none

warnings: 1
! Unknown in more than 30 % of samples: c (50 %). Where few samples know an event, edges to \
and from it rest on little; look at their support."""
    )


def test_large_data_fits_a_page():
    lines = inspection_lines(inspect(panels()))
    assert len(lines) <= 60
    text = "\n".join(lines)
    for title in (
        "groups of samples with the same genotype: 1",
        "groups of identical events: 2",
        "nearly identical pairs: 9",
        "events always seen: gene14",
        "events never known: gene30",
        "… 6 more",
        "pairs never known in the same sample: 16",
    ):
        assert title in text
    (pair,) = [line for line in lines if line.startswith("  gene") and "Jaccard" in line][:1]
    assert pair.split(": ")[1].startswith("together in ")
    assert any("adjusted p " in line for line in lines)


def test_a_comparison_of_some_events_only_says_so():
    values = np.random.default_rng(0).random((40, 1001)) < 0.5
    lines = inspection_lines(inspect(Dataset(values, tuple(f"e{k}" for k in range(1001)))))
    assert "pairs of the 1000 most frequent events that vary:" in lines


@given(datasets())
def test_every_data_set_can_be_shown_on_lines_of_its_own(data):
    lines = inspection_lines(inspect(data)) + log_lines(curate(data, [MergeIdentical()]).log)
    assert all(line.isprintable() for line in lines)


def test_hostile_names_stay_on_their_line():
    names = ["a\nb", "\x1b[31mred", "x" * 10_000]
    data = Dataset.from_rows([[1, 1, 0], [0, 0, 1]], names, samples=["p\nq", "y" * 9000])
    lines = inspection_lines(inspect(data)) + log_lines(curate(data).log)
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) <= 602


@pytest.mark.parametrize(
    ("curated", "lines"),
    [
        (curate(ovarian()), []),
        (
            MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1").apply(acml()),
            [
                "merged 2 events into ASXL1, present where any is: ASXL1 indel (9 of 64), "
                "ASXL1 nonsense (5 of 64)"
            ],
        ),
        (
            MergeEvents(["8q+", "3q+"], into="gain", keep_members=True).apply(ovarian()),
            ["added gain beside 2 events, present where any is: 3q+ (48 of 87), 8q+ (61 of 87)"],
        ),
        (
            KeepEvents(["8q+", "17p-"], must_exist=False).apply(ovarian()),
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
