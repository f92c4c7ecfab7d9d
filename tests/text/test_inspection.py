"""An inspection as text."""

import numpy as np
from hypothesis import given

from caprese.data.curation import MergeIdentical, curate
from caprese.data.dataset import Dataset
from caprese.data.datasets import ovarian
from caprese.data.inspection import inspect
from caprese.text.inspection import inspection_lines, log_lines
from strategies import datasets


def panels(samples=250, events=300, seed=0):
    """Return data of a realistic size, with everything unusual in it."""
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


def test_the_lines_of_a_small_table():
    rows = [[1, 1, None, 0, 1, 1]] * 6 + [[0, 0, 1, 0, 1, 0]] * 5 + [[0, 0, 0, 0, 1, 1]]
    data = Dataset.from_rows(rows, ["a", "b", "c", "no", "all", "d"])
    assert (
        "\n".join(inspection_lines(inspect(data)))
        == """\
samples            12
events             6, of which 4 vary
entries            72, 6 (8.3 %) unknown
events per sample  2 to 4, median 3; samples without events: 0
genotypes          3 distinct; samples with the most frequent one: 6

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
equally frequent pairs that raise each other's probability, so neither is first: none
pairs never known in the same sample: none

warnings: 1
! Unknown in more than 30 % of samples: c (50 %). Edges to and from such an event rest on few \
samples; check their support."""
    )


def test_data_without_problems():
    lines = inspection_lines(inspect(ovarian()))
    assert lines[2:5] == [
        "entries            609, all known",
        "events per sample  0 to 7, median 4; samples without events: 6",
        "genotypes          42 distinct; samples with the most frequent one: 9",
    ]
    first = lines.index("groups of samples with the same genotype: 23")
    assert lines[first + 1] == "  12, 27, 29, 31 and 5 more"
    assert lines[first + 4 : first + 6] == ["  … 20 more", "groups of identical events: none"]
    assert lines[-1] == "warnings: none"


def test_large_data_fits_on_a_page():
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


def test_a_limited_comparison_of_pairs_says_so():
    values = np.random.default_rng(0).random((40, 1001)) < 0.5
    lines = inspection_lines(inspect(Dataset(values, tuple(f"e{k}" for k in range(1001)))))
    assert "pairs of the 1000 most frequent events that vary:" in lines


@given(datasets())
def test_every_data_set_gives_printable_lines(data):
    lines = inspection_lines(inspect(data)) + log_lines(curate(data, [MergeIdentical()]).log)
    assert all(line.isprintable() for line in lines)


def test_hostile_names_stay_on_their_line():
    names = ["a\nb", "\x1b[31mred", "x" * 10_000]
    data = Dataset.from_rows([[1, 1, 0], [0, 0, 1]], names, samples=["p\nq", "y" * 9000])
    lines = inspection_lines(inspect(data)) + log_lines(curate(data).log)
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) <= 602
