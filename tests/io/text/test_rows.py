"""Rows of delimited and of tab-separated text, with the lines in which they start."""

from caprese.io.text.delimited import delimited, tabbed, usual


def test_rows_have_the_lines_of_the_file(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('# 2014\n8q+;"a;b"\n\n1;0\n')
    with delimited(path) as (delimiter, rows):
        assert list(rows) == [(2, ["8q+", "a;b"]), (4, ["1", "0"])]
    assert delimiter == ";"


def test_the_usual_width_is_that_of_most_rows_or_the_first():
    assert [usual([3, 4, 4]), usual([2, 3])] == [4, 2]


def test_a_tab_separated_file_has_comments_a_header_and_rows(tmp_path):
    path = tmp_path / "data.maf"
    path.write_text("#version 2.4\nHugo_Symbol\tCenter\nTP53\tours\n")
    with tabbed(path) as table:
        assert [table.column("hugo_symbol"), table.find("center"), table.find("age")] == [
            0,
            1,
            None,
        ]
        assert list(table.rows()) == [(3, ["TP53", "ours"])]
