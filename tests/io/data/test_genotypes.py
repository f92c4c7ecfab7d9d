from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.genotypes import read_genotypes


@pytest.fixture
def stored(tmp_path):
    def store(text):
        path = tmp_path / "data.txt"
        path.write_text(text)
        return path

    return store


EXPECTED = Dataset.from_genotypes({"0110": 2, "1?00": 1}, events="abcd")


@pytest.mark.parametrize(
    "text",
    [
        "# events: a b c d\n0110  2\n1?00  1\n",
        "#events:a,b,c,d\n# more\n\n0110\t2\n1?00\t1\n",
        "a b c d\n0110 2\n1?00 1\n",
        "a\tb\tc\td\n0110\t2\n1?00\t1",
        "a,b,c,d\r\n0110,2\r\n1?00,1\r\n",
    ],
)
def test_counts_with_named_events(stored, text):
    assert read_genotypes(stored(text)).data == EXPECTED


def test_events_without_names_are_numbered(stored):
    assert read_genotypes(stored("01 3\n")).data.events == ("event 1", "event 2")


def test_names_with_spaces(stored):
    data = read_genotypes(stored("# events: TP53 any, KRAS G12D\n10 1\n")).data
    assert data.events == ("TP53 any", "KRAS G12D")


def test_a_genotype_of_no_sample(stored):
    assert len(read_genotypes(stored("01 3\n11 0\n")).data.values) == 3


def test_the_counts_of_a_repeated_genotype_are_added_and_noted(stored):
    reading = read_genotypes(stored("01 3\n11 1\n01 2\n"))
    assert reading.data.values.sum(axis=0).tolist() == [1, 6]
    assert tuple(map(str, reading.notes)) == (
        "added the counts of 1 genotype with several lines: 01",
    )


@st.composite
def datasets(draw):
    columns = draw(st.integers(1, 4))
    row = st.lists(st.sampled_from([0, 1, None]), min_size=columns, max_size=columns)
    rows = draw(st.lists(row, min_size=1, max_size=6))
    name = st.text("ab +-(", min_size=1, max_size=4).filter(lambda text: text == text.strip())
    names = draw(st.lists(name, min_size=columns, max_size=columns, unique=True))
    return Dataset.from_rows(rows, names)


@given(data=datasets())
def test_the_counts_of_the_genotypes_of_any_data_give_equal_data(data):
    distinct, times = data.genotypes()
    counts = [f"{g}\t{k}\n" for g, k in zip(distinct.samples, times, strict=True)]
    with TemporaryDirectory() as folder:
        path = Path(folder, "data.txt")
        path.write_text("".join(["# events: ", "\t".join(data.events), "\t\n", *counts]))
        again = read_genotypes(path).data
    assert again.events == data.events
    assert again.digest == data.digest


@pytest.mark.parametrize("count", ["5", "05", "0" * 23 + "5"])
def test_zeros_before_a_count_change_nothing(stored, count):
    assert len(read_genotypes(stored(f"01 {count}\n")).data.samples) == 5


@pytest.mark.parametrize(
    "text",
    ["01 3\n# events: a b\n", "a b\n01 3\n# Events: c d\n", "# events: a b\n#events: c d\n01 1\n"],
)
def test_events_are_not_renamed_below_the_genotypes(stored, text):
    with pytest.raises(FormatError, match=r"line [23]: events are named once, before the first"):
        read_genotypes(stored(text))
