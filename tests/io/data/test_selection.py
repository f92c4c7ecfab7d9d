"""Columns that are no events, and tables that lie on their side."""

import pytest

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data.sources import read

TABLE = "patient,Age,8q+,Sex,Xp-\np,61,1,F,0\nq,58,0,M,NA\n"
EXPECTED = Dataset.from_rows([[1, 0], [0, None]], events=["8q+", "Xp-"], samples=["p", "q"])
TRANSPOSED = "gene,TCGA-02-0001-01,TCGA-02-0002-01,TCGA-02-0003-01\nTP53,1,0,1\nKRAS,0,NA,1\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


class TestColumns:
    def test_excluded_columns_may_hold_anything(self, table):
        reading = read(table, exclude=["Age", "Sex"])
        assert reading.data == EXPECTED
        assert reading.left_out == ("Age", "Sex")
        assert reading.notes == ("left out 2 columns whose cells are not entries: Age, Sex",)

    def test_so_may_columns_that_are_not_selected(self, table):
        assert read(table, only=["8q+", "Xp-"]).data == EXPECTED

    def test_excluded_columns_of_entries_are_read_so_that_they_can_be_counted(self, table):
        data = read(table, exclude=["Age", "Sex", "Xp-"]).data
        assert data.events == ("8q+", "Xp-")

    def test_a_wanted_column_must_hold_entries_and_the_message_says_how_to_leave_it_out(
        self, table
    ):
        message = r"column 4 \('Sex'\): 'M' is not an entry; .*; --exclude leaves out a column"
        with pytest.raises(FormatError, match=message):
            read(table, exclude=["Age"])

    def test_nothing_would_be_left(self, table):
        table.write_text("sample,Age\np,61\n")
        with pytest.raises(FormatError, match="no column with entries would be left"):
            read(table, exclude=["Age"])

    def test_on_the_command_line(self, run, table):
        code, out, _ = run("curate", str(table), "--exclude", "Age,Sex", "-o", "out.csv")
        assert code == 0
        assert out.startswith("left out 2 columns whose cells are not entries: Age, Sex\n")
        for arguments in (
            ["--only", "8q+,Xp-", "--keep-constant"],
            ["--exclude", "Age,Sex", "--merge", "any=8q+,Xp-", "--keep-constant"],
        ):
            assert run("curate", str(table), *arguments, "-o", "out.csv")[0] == 0


class TestTransposedTables:
    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "genes.csv"
        path.write_text(TRANSPOSED)
        return path

    def test_they_are_noticed(self, path):
        note = (
            "the table looks transposed: the columns are named like patients; "
            "--transpose reads one column per sample"
        )
        assert read(path).notes == (note,)

    def test_so_are_genes_down_the_side(self, path):
        path.write_text("Hugo Symbol,p1,p2,p3\nTP53,1,0,1\nKRAS,0,1,1\n")
        assert "its first column is 'Hugo Symbol'" in read(path).notes[0]

    def test_they_are_read_on_request(self, path):
        reading = read(path, transpose=True)
        samples = [f"TCGA-02-000{k}-01" for k in (1, 2, 3)]
        rows = [[1, 0], [0, None], [1, 1]]
        assert reading.data == Dataset.from_rows(rows, ["TP53", "KRAS"], samples)
        assert reading.notes == ()

    def test_rows_that_are_no_events_can_be_left_out(self, path):
        path.write_text(TRANSPOSED + "age,61,58,70\n")
        reading = read(path, transpose=True, exclude=["age"])
        assert reading.data.events == ("TP53", "KRAS")
        assert reading.left_out == ("age",)

    def test_messages_speak_of_events_in_rows(self, path):
        path.write_text(TRANSPOSED + "TP53,1,1,1\n")
        with pytest.raises(FormatError, match="event 'TP53' is also in line 2; names must differ"):
            read(path, transpose=True)

    def test_on_the_command_line(self, run, path):
        code, out, _ = run("inspect", str(path), "--transpose")
        assert code == 0
        assert out.startswith("samples            3\nevents             2")

    def test_an_ordinary_wide_table_is_not_called_transposed(self, path):
        path.write_text("sample,TP53,KRAS,EGFR\np,1,0,1\nq,0,1,1\n")
        assert read(path).notes == ()
