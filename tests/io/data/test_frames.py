import numpy as np
import openpyxl
import pandas
import polars
import pytest

from caprese.data.dataset import Dataset
from caprese.errors import FormatError
from caprese.io.data import frames
from caprese.io.data.frames import read_excel, read_parquet

EXPECTED = Dataset.from_rows([[1, 0], [None, 1]], events=["8q+", "Xp-"], samples=["p", "q"])
COLUMNS = {"8q+": [1, None], "Xp-": [0, 1]}


class TestParquet:
    def test_names_in_the_index_of_pandas(self, tmp_path):
        pandas.DataFrame(COLUMNS, index=["p", "q"]).to_parquet(tmp_path / "data.parquet")
        assert read_parquet(tmp_path / "data.parquet").data == EXPECTED

    def test_names_in_a_first_column_of_text(self, tmp_path):
        polars.DataFrame({"tumour": ["p", "q"], **COLUMNS}).write_parquet(tmp_path / "data.parquet")
        assert read_parquet(tmp_path / "data.parquet").data == EXPECTED

    def test_names_in_a_column_that_is_given(self, tmp_path):
        polars.DataFrame({**COLUMNS, "donor": ["p", "q"]}).write_parquet(tmp_path / "data.parquet")
        assert read_parquet(tmp_path / "data.parquet", samples="donor").data == EXPECTED

    def test_no_names_and_booleans(self, tmp_path):
        polars.DataFrame({"a": [True, None]}).write_parquet(tmp_path / "data.parquet")
        data = read_parquet(tmp_path / "data.parquet").data
        assert data == Dataset.from_rows([[1], [None]], events=["a"])


class TestExcel:
    def test_a_sheet_as_pandas_writes_it(self, tmp_path):
        frame = pandas.DataFrame(COLUMNS, index=["p", "q"])
        frame.to_excel(tmp_path / "data.xlsx")
        assert read_excel(tmp_path / "data.xlsx").data == EXPECTED

    def test_words_numbers_and_blank_rows(self, tmp_path):
        book = openpyxl.Workbook()
        for row in [("sample", "8q+", "Xp-"), (), ("p", "yes", 0.0), ("q", "NA", True)]:
            book.active.append(row)
        book.save(tmp_path / "data.xlsx")
        assert read_excel(tmp_path / "data.xlsx").data == EXPECTED

    def test_another_sheet(self, tmp_path):
        book = openpyxl.Workbook()
        book.active.append(["notes"])
        for row in [("sample", "8q+", "Xp-"), ("p", 1, 0), ("q", None, 1)]:
            book.create_sheet("calls") if "calls" not in book.sheetnames else None
            book["calls"].append(row)
        book.save(tmp_path / "data.xlsx")
        assert read_excel(tmp_path / "data.xlsx", sheet="calls").data == EXPECTED


class TestParquetFiles:
    def stored(self, tmp_path, frame):
        path = tmp_path / "data.parquet"
        frame.to_parquet(path)
        return path

    @pytest.mark.parametrize("index", [[5, 6], pandas.RangeIndex(5, 7), [2, 9]])
    def test_an_index_of_numbers_names_the_samples(self, tmp_path, index):
        frame = pandas.DataFrame({"a": [1, 0], "b": [0, 1]}, index=index)
        data = read_parquet(self.stored(tmp_path, frame)).data
        assert data.samples == tuple(map(str, index))
        assert data.events == ("a", "b")

    def test_a_range_from_zero_only_numbers_the_rows(self, tmp_path):
        frame = pandas.DataFrame({"a": [1, 0], "b": [0, 1]})
        assert read_parquet(self.stored(tmp_path, frame)).data.samples == ("1", "2")

    def test_columns_that_are_no_events_are_left_out(self, tmp_path):
        frame = pandas.DataFrame(
            {"a": [True, None], "age": [61, 58], "sex": ["F", "M"]}, index=["p", "q"]
        )
        path = self.stored(tmp_path, frame)
        reading = read_parquet(path, exclude=["age", "sex"])
        assert reading.data == Dataset.from_rows([[1], [None]], ["a"], ["p", "q"])
        assert reading.left_out == ("sex", "age")
        with pytest.raises(
            FormatError, match=r"column 'sex' holds .*; exclude=\['age', 'sex'\] leaves it"
        ):
            read_parquet(path, exclude=["age"])
        with pytest.raises(FormatError, match=r"column 'age', row 1: entries must be .*, got 61"):
            read_parquet(path, exclude=["sex"])
        with pytest.raises(
            FormatError, match=r"; exclude=\['sex', 'age'\] leaves such columns out$"
        ):
            read_parquet(path)

    def test_several_batches_of_rows_and_columns(self, tmp_path, monkeypatch):
        monkeypatch.setattr(frames, "_BATCH", 7)
        monkeypatch.setattr(frames, "_TOGETHER", 2)
        entries = np.random.default_rng(1).integers(0, 2, (20, 5))
        frame = pandas.DataFrame(entries, columns=list("abcde"))
        assert (read_parquet(self.stored(tmp_path, frame)).data.values == entries).all()
