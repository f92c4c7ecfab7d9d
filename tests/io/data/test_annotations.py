"""Categories of samples, read from a table of two columns."""

import pytest

from caprese import FormatError
from caprese.io.data.annotations import read_annotation


def test_categories_are_read_by_sample(tmp_path):
    path = tmp_path / "stages.tsv"
    path.write_text("patient\tstage\np1\tII\np 2\t III\np3\t\n")
    found = read_annotation(path)
    assert found.title == "stage"
    assert found.categories == {"p1": "II", "p 2": "III"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sample,stage\np1,II\np1,II\n", "line 3, column 1: sample 'p1' is also in line 2"),
        ("sample,stage\np1,II\np1,\n", "line 3, column 1: sample 'p1' is also in line 2"),
        ("sample,stage\np1,\np1,\n", "line 3, column 1: sample 'p1' is also in line 2"),
        ("sample,stage\np1,II,III\n", "line 2: 3 fields, expected 2: sample, category"),
        (
            "sample,stage,sex\n",
            "line 1: 3 columns: 'stage', 'sex'; column='stage' reads the first of them",
        ),
    ],
)
def test_a_bad_table_is_refused_by_place(tmp_path, text, line):
    path = tmp_path / "stages.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=line):
        read_annotation(path)
