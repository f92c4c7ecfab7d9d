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
        assert tuple(map(str, reading.notes)) == (
            "left out 2 columns whose cells are not entries: Age, Sex",
        )

    def test_so_may_columns_that_are_not_selected(self, table):
        assert read(table, only=["8q+", "Xp-"]).data == EXPECTED

    def test_excluded_columns_of_entries_are_read_so_that_they_can_be_counted(self, table):
        data = read(table, exclude=["Age", "Sex", "Xp-"]).data
        assert data.events == ("8q+", "Xp-")

    def test_a_wanted_column_must_hold_entries_and_the_message_says_how_to_leave_it_out(
        self, table
    ):
        message = (
            r"column 4 \('Sex'\): 'M' is not an entry; .*; exclude=\['Age', 'Sex'\] leaves it out$"
        )
        with pytest.raises(FormatError, match=message):
            read(table, exclude=["Age"])

    def test_all_columns_without_entries_are_named_at_once(self, table):
        table.write_text("sample,Age,8q+,Sex,Xp-,T stage\np,61,1,F,0,II\nq,58,0,M,NA,I\n")
        message = r"line 2, column 2 \('Age'\): .*; exclude=\['Age', 'T stage', 'Sex'\] leaves such"
        with pytest.raises(FormatError, match=message):
            read(table)
        assert read(table, exclude=["Age", "T stage", "Sex"]).data == EXPECTED

    def test_columns_too_many_to_type_are_counted(self, table):
        names = [f"c{k}" for k in range(11)]
        table.write_text(f"sample,a,{','.join(names)}\np,1{',x' * 11}\n")
        message = r"; such are 11 columns: 'c0', .*'c7' and 3 more; exclude leaves out those"
        with pytest.raises(FormatError, match=message):
            read(table)

    def test_a_name_with_a_comma_cannot_be_typed_in_a_list(self, table):
        table.write_text('sample,a,"age, years"\np,1,61\n')
        with pytest.raises(FormatError, match=r"1 column: 'age, years'; exclude leaves"):
            read(table)

    @pytest.mark.parametrize("selection", [{"exclude": ["Age", "Sx"]}, {"only": ["Sex", "Sx"]}])
    def test_a_misspelt_column_is_named_with_the_nearest_one(self, table, selection):
        with pytest.raises(FormatError, match=r"; there is no column 'Sx'; did you mean 'Sex'\?$"):
            read(table, **selection)

    @pytest.mark.parametrize(
        ("name", "end"),
        [
            ("x" * 200, "…x+'; exclude leaves out those it names$"),
            ("a\tb", r"'a.tb'; exclude leaves out those it names$"),
            ("a\nb", r"such are 1 column: 'a.nb'; exclude leaves out those it names$"),
        ],
    )
    def test_a_name_that_cannot_be_typed_is_not_part_of_an_option(self, tmp_path, name, end):
        path = tmp_path / "table.csv"
        path.write_text(f'8q+,"{name}"\n1,61\n0,58\n')
        with pytest.raises(FormatError, match=end) as caught:
            read(path)
        assert "\n" not in str(caught.value)

    def test_a_column_of_the_selection_must_hold_entries(self, table):
        with pytest.raises(
            FormatError, match=r"is not an entry; .*; 'Age' is among the events to keep$"
        ):
            read(table, only=["Age", "8q+"])

    def test_a_damaged_line_below_does_not_hide_the_first_problem(self, table):
        rows = "".join(f"p{k},61,1,M\n" for k in range(300))
        table.write_text(f'sample,Age,a,Sex\n{rows}q,58,1\nr,58,0,"x\n')
        with pytest.raises(
            FormatError, match=r"line 2, column 2 \('Age'\): .*exclude=\['Age', 'Sex'\] "
        ):
            read(table)

    def test_rows_of_a_transposed_table_are_named_too(self, table):
        table.write_text("gene,p,q\nAge,61,58\nTP53,1,0\nSex,M,F\n")
        with pytest.raises(
            FormatError, match=r"; exclude=\['Age', 'Sex'\] leaves such columns out$"
        ):
            read(table, transpose=True)

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
            assert run("curate", str(table), *arguments, "-o", "out.csv", "--force")[0] == 0


class TestTransposedTables:
    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "genes.csv"
        path.write_text(TRANSPOSED)
        return path

    def test_they_are_noticed(self, path):
        note = (
            "the table looks transposed: the columns are named like patients; "
            "transpose=True reads one column per sample"
        )
        reading = read(path)
        assert reading.notes == reading.doubts
        assert [*map(str, reading.doubts)] == [note]

    def test_the_command_line_says_so_before_the_result(self, run, path):
        code, out, err = run("fit", str(path), "--keep-constant", "--keep-identical")
        assert code == 0
        assert err.startswith("caprese: the table looks transposed: ")
        assert out.startswith("caprese (shrinkage 0.5)")

    def test_so_are_genes_down_the_side(self, path):
        path.write_text("Hugo Symbol,p1,p2,p3\nTP53,1,0,1\nKRAS,0,1,1\n")
        assert "its first column is 'Hugo Symbol'" in str(read(path).notes[0])

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
