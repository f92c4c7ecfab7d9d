"""Dataset: the observed 0/1 table."""

import copy
import pickle
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, DatasetError
from strategies import datasets, entries, rows

COPIES = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "deepcopy": copy.deepcopy,
}


def small() -> Dataset:
    return Dataset.from_rows([[1, 0], [1, None], [0, 0]], events=["8q+", "Xp-"], samples="pqr")


class TestRows:
    @given(rows())
    def test_rows_are_kept_as_they_are(self, table):
        data = Dataset.from_rows(table, [f"e{k}" for k in range(len(table[0]))])
        assert entries(data) == table

    def test_every_way_to_write_a_table_gives_the_same_data(self):
        plain = [[1, 0], [0, 1], [1, 1]]
        expected = Dataset.from_rows(plain, "ab")
        for dtype in (bool, np.int8, np.uint8, np.int64, np.float32, np.float64, object):
            assert Dataset.from_rows(np.array(plain, dtype=dtype), "ab") == expected
        assert Dataset.from_rows([[True, False], [False, True], [True, True]], "ab") == expected
        assert Dataset.from_rows((tuple(row) for row in plain), "ab") == expected
        assert Dataset.from_rows([[1.0, np.int8(0)], [False, np.True_], [1, 1]], "ab") == expected
        assert Dataset(np.array(plain, dtype=bool), ("a", "b")) == expected

    @pytest.mark.parametrize(
        "table",
        [
            [[1, None], [0, 1]],
            [[1, float("nan")], [0, 1]],
            [[True, None], [False, True]],
            np.array([[1, np.nan], [0, 1]]),
            np.array([[1, np.nan], [0, 1]], dtype=np.float32),
            np.array([[1, None], [0, 1]], dtype=object),
            np.array([[1, np.nan], [0, 1]], dtype=object),
        ],
    )
    def test_none_and_nan_are_unknown(self, table):
        assert entries(Dataset.from_rows(table, "ab")) == [[1, None], [0, 1]]

    def test_unknown_entries_hold_false_whatever_was_given(self):
        data = Dataset(np.ones((2, 1), dtype=bool), ("a",), known=np.array([[True], [False]]))
        assert data.values.tolist() == [[True], [False]]

    def test_a_mask_without_unknown_entries_is_none(self):
        everything = np.ones((2, 2), dtype=bool)
        data = Dataset(np.eye(2, dtype=bool), ("a", "b"), known=everything)
        assert data.known is None
        assert data == Dataset(np.eye(2, dtype=bool), ("a", "b"))

    def test_samples_are_numbered_from_one(self):
        assert Dataset.from_rows([[1], [0]], "a").samples == ("1", "2")

    def test_names_become_text(self):
        data = Dataset.from_rows([[1, 0]], events=[7, 8], samples=[9])
        assert (data.events, data.samples) == (("7", "8"), ("9",))

    @pytest.mark.parametrize(
        ("table", "events", "text"),
        [
            ([[1]], "a", "<Dataset: 1 sample x 1 event>"),
            ([[1, 0], [0, 0]], "ab", "<Dataset: 2 samples x 2 events>"),
            ([[1, None]], "ab", "<Dataset: 1 sample x 2 events, 1 entry unknown>"),
            ([[None], [None]], "a", "<Dataset: 2 samples x 1 event, 2 entries unknown>"),
        ],
    )
    def test_the_repr_gives_the_size_and_the_number_of_unknown_entries(self, table, events, text):
        assert repr(Dataset.from_rows(table, events)) == text


class TestRefusals:
    def test_every_refusal_is_a_caprese_error_and_a_value_error(self):
        assert issubclass(DatasetError, CapreseError)
        assert issubclass(DatasetError, ValueError)

    @pytest.mark.parametrize(
        ("build", "message"),
        [
            (
                lambda: Dataset(np.ones(3, dtype=bool), ("a",)),
                r"values must be samples x events, got 1 dimension\(s\)",
            ),
            (
                lambda: Dataset(np.ones((2, 2, 2), dtype=bool), ("a", "b")),
                r"values must be samples x events, got 3 dimension\(s\)",
            ),
            (
                lambda: Dataset(np.ones((0, 2), dtype=bool), ("a", "b")),
                "a data set needs at least one sample and one event, got 0 x 2",
            ),
            (
                lambda: Dataset(np.ones((2, 0), dtype=bool), ()),
                "a data set needs at least one sample and one event, got 2 x 0",
            ),
            (
                lambda: Dataset(
                    np.ones((2, 1), dtype=bool), ("a",), known=np.ones((1, 2), dtype=bool)
                ),
                r"known must have the shape of values, \(2, 1\), got \(1, 2\)",
            ),
            (
                lambda: Dataset.from_rows([[1, 0], [0, 2]], "ab"),
                r"entries must be 0 or 1, got 2 at \(1, 1\)",
            ),
            (
                lambda: Dataset.from_rows([[1, "1"]], "ab"),
                r"entries must be 0 or 1, got '1' at \(0, 1\)",
            ),
            (
                lambda: Dataset.from_rows(np.array([[1.0, -0.5]]), "ab"),
                r"entries must be 0 or 1, got np.float64\(-0.5\) at \(0, 1\)",
            ),
            (
                lambda: Dataset(np.array([[1.0, np.nan]]), ("a", "b")),
                r"entries must be 0 or 1, got np.float64\(nan\) at \(0, 1\)",
            ),
            (
                lambda: Dataset(np.ones((1, 1), dtype=bool), ("a",), known=np.array([[3]])),
                r"entries must be 0 or 1, got np.int64\(3\) at \(0, 0\)",
            ),
            (
                lambda: Dataset.from_rows([[1, 0], [1, 0, 1], [1]], "ab"),
                "row 2 has 3 entries, row 1 has 2",
            ),
            (lambda: Dataset.from_rows([[1, 0]], "abc"), "expected 2 event names, got 3"),
            (
                lambda: Dataset.from_rows([[1], [0]], "a", samples="pqr"),
                "expected 2 sample names, got 3",
            ),
            (lambda: Dataset.from_rows([[1, 0]], ["a", ""]), "event 2 has an empty name"),
            (lambda: Dataset.from_rows([[1, 0]], ["a", " \t"]), "event 2 has an empty name"),
            (
                lambda: Dataset.from_rows([[1], [0]], "a", ["p", ""]),
                "sample 2 has an empty name",
            ),
            (
                lambda: Dataset.from_rows([[1, 0, 1, 0]], "abcb"),
                "event name 'b' appears 2 times; names must differ",
            ),
            (
                lambda: Dataset.from_rows([[1], [0], [1]], "a", "ppp"),
                "sample name 'p' appears 3 times; names must differ",
            ),
        ],
    )
    def test_the_message_names_the_position_and_the_rule(self, build, message):
        with pytest.raises(DatasetError, match=f"^(?:{message})$"):
            build()

    @pytest.mark.parametrize(
        "build",
        [
            lambda: Dataset.from_rows([], ["a"]),
            lambda: Dataset.from_rows([[], []], []),
            lambda: Dataset.from_rows(np.empty((0, 1), dtype=object), ["a"]),
            lambda: Dataset.from_genotypes({}, ["a"]),
            lambda: Dataset.from_genotypes({"1": 0}, ["a"]),
            lambda: Dataset.from_frame(pd.DataFrame({"a": []})),
            lambda: Dataset.from_frame(pd.DataFrame(index=["p"])),
            lambda: Dataset.from_frame(pl.DataFrame({"a": []})),
            lambda: Dataset.from_frame(pa.table({"a": pa.array([], pa.int8())})),
        ],
    )
    def test_data_without_samples_or_events_is_refused_by_every_constructor(self, build):
        with pytest.raises(DatasetError, match="a data set needs at least one sample and one"):
            build()


class TestGenotypeCounts:
    def test_each_genotype_is_repeated_as_often_as_it_was_observed(self):
        data = Dataset.from_genotypes({"10": 2, "0?": 1, "11": 0}, ["a", "b"])
        assert entries(data) == [[1, 0], [1, 0], [0, None]]

    @pytest.mark.parametrize("genotype", ["1", "101", "1x", "1 ", "12"])
    def test_a_genotype_of_wrong_length_or_letters_is_refused(self, genotype):
        with pytest.raises(
            DatasetError, match=rf"^genotype '{genotype}' must be 2 characters of 0, 1 and \?$"
        ):
            Dataset.from_genotypes({genotype: 1}, "ab")

    @pytest.mark.parametrize("times", [-1, 1.5, float("nan"), float("inf"), "two"])
    def test_the_number_of_a_genotype_must_be_whole(self, times):
        with pytest.raises(
            DatasetError, match=rf"^genotype '10' must be seen 0 or more times, got {times}$"
        ):
            Dataset.from_genotypes({"10": times}, "ab")

    @given(datasets())
    def test_the_data_can_be_rebuilt_from_distinct_genotypes_and_their_numbers(self, data):
        distinct, times = data.genotypes()
        again = Dataset.from_genotypes(
            dict(zip(distinct.samples, times.tolist(), strict=True)), data.events
        )
        assert again.digest == data.digest

    @given(datasets())
    def test_genotypes_are_those_of_a_plain_count(self, data):
        distinct, times = data.genotypes()
        found = {
            tuple(row): int(number) for row, number in zip(entries(distinct), times, strict=True)
        }
        assert found == Counter(map(tuple, entries(data)))
        assert len(found) == len(times)

    @given(datasets())
    def test_the_name_of_a_genotype_is_its_entries(self, data):
        distinct, _ = data.genotypes()
        symbols = {0: "0", 1: "1", None: "?"}
        spelled = ("".join(symbols[entry] for entry in row) for row in entries(distinct))
        assert distinct.samples == tuple(spelled)


@st.composite
def shuffled(draw):
    """A data set, and the same with its rows and columns in another order."""
    data = draw(datasets())
    order = draw(st.permutations(range(len(data.samples))))
    return data, data.take_samples(order).take_events(draw(st.permutations(data.events)))


class TestDigest:
    @given(shuffled())
    def test_the_order_of_rows_and_columns_does_not_matter(self, pair):
        data, other = pair
        assert other.digest == data.digest

    @given(shuffled())
    def test_the_order_of_genotypes_does_not_depend_on_rows_and_columns(self, pair):
        data, other = pair
        (distinct, times), (distinct_other, times_other) = data.genotypes(), other.genotypes()
        assert entries(distinct_other.take_events(data.events)) == entries(distinct)
        assert times_other.tolist() == times.tolist()

    @given(datasets(), st.data())
    def test_any_other_entry_gives_another_digest(self, data, draw):
        table = entries(data)
        row = draw.draw(st.integers(0, len(table) - 1))
        column = draw.draw(st.integers(0, len(table[0]) - 1))
        other = {0: 1, 1: None, None: 0}[table[row][column]]
        table[row][column] = other
        assert Dataset.from_rows(table, data.events).digest != data.digest

    @given(datasets())
    def test_an_additional_sample_gives_another_digest(self, data):
        again = data.take_samples([*range(len(data.samples)), 0])
        assert again.digest != data.digest

    def test_another_name_gives_another_digest(self):
        table = [[1, 0], [0, 0]]
        digests = {Dataset.from_rows(table, events).digest for events in ("ab", "ac", "ba", "bc")}
        assert len(digests) == 4

    def test_swapping_two_names_gives_another_digest(self):
        table = [[1, 0], [1, 1]]
        assert Dataset.from_rows(table, "ab").digest != Dataset.from_rows(table, "ba").digest

    def test_one_name_is_not_confused_with_two(self):
        one = Dataset.from_rows([[1]], ["a\0b"])
        assert one.digest != Dataset.from_rows([[1, None]], ["a", "b"]).digest

    def test_any_text_has_a_digest(self):
        for name in ("\udc80", "a\0", "a\n", "事"):
            data = Dataset.from_rows([[1, 0]], ["a", name])
            assert data.digest == data.take_events([name, "a"]).digest

    def test_names_of_samples_do_not_matter(self):
        table = [[1, 0], [1, 1]]
        assert Dataset.from_rows(table, "ab").digest == Dataset.from_rows(table, "ab", "pq").digest

    def test_unknown_is_not_absent(self):
        assert (
            Dataset.from_rows([[1, None]], "ab").digest != Dataset.from_rows([[1, 0]], "ab").digest
        )


class TestTaking:
    @given(datasets(), st.data())
    def test_samples_are_taken_as_from_a_list(self, data, draw):
        chosen = draw.draw(st.lists(st.integers(0, len(data.samples) - 1), min_size=1))
        taken = data.take_samples(chosen)
        assert entries(taken) == [entries(data)[k] for k in chosen]
        assert taken.events == data.events

    @given(datasets(), st.data())
    def test_events_are_taken_as_from_a_list(self, data, draw):
        chosen = draw.draw(
            st.lists(st.sampled_from(range(len(data.events))), min_size=1, unique=True)
        )
        taken = data.take_events([data.events[k] for k in chosen])
        assert entries(taken) == [[row[k] for k in chosen] for row in entries(data)]
        assert taken.events == tuple(data.events[k] for k in chosen)
        assert taken.samples == data.samples

    def test_samples_may_be_taken_by_a_mask(self):
        assert small().take_samples([True, False, True]).samples == ("p", "r")

    def test_a_sample_taken_again_is_numbered(self):
        assert small().take_samples([0, 1, 0, 0]).samples == ("p", "q", "p.2", "p.3")

    def test_a_numbered_name_skips_existing_names(self):
        data = Dataset.from_rows([[1], [0]], "a", samples=["p", "p.2"])
        assert data.take_samples([0, 0, 0, 1]).samples == ("p", "p.3", "p.4", "p.2")
        assert data.take_samples([1, 0, 1, 0]).samples == ("p.2", "p", "p.2.2", "p.3")

    def test_without_unknown_entries_there_is_no_mask(self):
        assert small().take_samples([0, 2]).known is None
        assert small().take_events(["8q+"]).known is None

    def test_a_missing_event_is_named(self):
        with pytest.raises(DatasetError, match=r"^there is no event '9p-'$"):
            small().take_events(["8q+", "9p-"])

    def test_no_event_is_too_few(self):
        with pytest.raises(DatasetError, match="at least one sample and one event, got 3 x 0"):
            small().take_events([])


class TestFrames:
    EXPECTED = ([[1, 0], [None, 1], [0, None]], ("8q+", "Xp-"))

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}),
            pd.DataFrame({"8q+": [1.0, np.nan, 0.0], "Xp-": [0, 1, np.nan]}, dtype="float32"),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype="Int64"),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype="UInt8"),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype="Float64"),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype="boolean"),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype=object),
            pd.DataFrame({"8q+": [True, pd.NA, False], "Xp-": [0, 1, np.nan]}, dtype=object),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype="int8[pyarrow]"),
            pd.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}, dtype="bool[pyarrow]"),
            pl.DataFrame({"8q+": [1, None, 0], "Xp-": [0, 1, None]}),
            pl.DataFrame({"8q+": [True, None, False], "Xp-": [False, True, None]}),
            pl.DataFrame({"8q+": [1.0, float("nan"), 0.0], "Xp-": [0.0, 1.0, None]}),
            pl.DataFrame({"8q+": [1, None, 0], "Xp-": [False, True, None]}).cast({"8q+": pl.UInt8}),
            pa.table({"8q+": [1, None, 0], "Xp-": [0, 1, None]}),
            pa.table({"8q+": [True, None, False], "Xp-": [False, True, None]}),
            pa.table({"8q+": [1.0, float("nan"), 0.0], "Xp-": pa.array([0, 1, None], pa.int8())}),
        ],
    )
    def test_booleans_numbers_nulls_and_nan_of_every_library_are_read(self, frame):
        data = Dataset.from_frame(frame)
        assert (entries(data), data.events) == self.EXPECTED
        assert data.samples == ("1", "2", "3")

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame({"id": ["p", "q"], "a": [1, 0]}),
            pl.DataFrame({"id": ["p", "q"], "a": [1, 0]}),
            pa.table({"id": ["p", "q"], "a": [1, 0]}),
        ],
    )
    def test_a_column_may_hold_the_names_of_samples(self, frame):
        assert Dataset.from_frame(frame, samples="id") == Dataset.from_rows([[1], [0]], "a", "pq")

    def test_names_of_samples_may_be_numbers(self):
        frame = pl.DataFrame({"a": [1, 0], "id": [17, 4]})
        assert Dataset.from_frame(frame, samples="id").samples == ("17", "4")

    def test_a_pandas_index_of_names_names_the_samples(self):
        frame = pd.DataFrame({"a": [1, 0]}, index=["p", "q"])
        assert Dataset.from_frame(frame).samples == ("p", "q")

    def test_a_named_column_has_priority_over_the_index(self):
        frame = pd.DataFrame({"a": [1, 0], "id": ["x", "y"]}, index=["p", "q"])
        assert Dataset.from_frame(frame, samples="id").samples == ("x", "y")

    def test_a_range_index_does_not_name_the_samples(self):
        assert Dataset.from_frame(pd.DataFrame({"a": [1, 0]}, index=range(5, 7))).samples == (
            "1",
            "2",
        )

    @given(datasets())
    def test_all_three_libraries_give_the_same_data(self, data):
        columns = {event: [row[k] for row in entries(data)] for k, event in enumerate(data.events)}
        expected = Dataset(data.values, data.events, known=data.known)
        assert Dataset.from_frame(pd.DataFrame(columns, dtype="Int8")) == expected
        assert (
            Dataset.from_frame(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int8)))
            == expected
        )
        assert (
            Dataset.from_frame(
                pa.table({event: pa.array(column, pa.int8()) for event, column in columns.items()})
            )
            == expected
        )

    def test_columns_that_are_not_named_by_text_become_text(self):
        data = Dataset.from_frame(pd.DataFrame([[1, 0], [1, 1]], columns=[1, 0]))
        assert data == Dataset.from_rows([[1, 0], [1, 1]], ["1", "0"])

    def test_a_missing_column_of_samples_is_named(self):
        with pytest.raises(DatasetError, match=r"^the frame has no column 'id' of sample names$"):
            Dataset.from_frame(pl.DataFrame({"a": [1]}), samples="id")

    @pytest.mark.parametrize(("entry", "shown"), [(2, "2"), ("2", "'2'"), ("perhaps", "'perhaps'")])
    def test_a_wrong_entry_is_named_with_column_and_row(self, entry, shown):
        frame = pd.DataFrame({"a": [1, 0], "b": [0, entry]}, dtype=object)
        rule = "entries must be 0, 1, true, false, yes, no or missing"
        with pytest.raises(DatasetError, match=f"^column 'b', row 2: {rule}, got {shown}"):
            Dataset.from_frame(frame)

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame([[1, 0]], columns=["a", "a"]),
            pa.Table.from_arrays([pa.array([1]), pa.array([0])], names=["a", "a"]),
        ],
    )
    def test_two_columns_with_the_same_name_are_refused(self, frame):
        with pytest.raises(DatasetError, match="event name 'a' appears 2 times; names must differ"):
            Dataset.from_frame(frame)


class TestTablesOfAnyKind:
    EXPECTED = Dataset.from_rows([[1, 0], [None, 1]], ["8q+", "Xp-"])

    def test_a_data_set_is_returned_as_it_is(self):
        data = small()
        assert Dataset.of(data) is data

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame({"8q+": [1, None], "Xp-": [0, 1]}),
            pd.DataFrame({"8q+": [True, None], "Xp-": [False, True]}, dtype="boolean"),
            pl.DataFrame({"8q+": [1, None], "Xp-": [0, 1]}),
            pa.table({"8q+": [1, None], "Xp-": [0, 1]}),
        ],
        ids=["pandas", "pandas boolean", "polars", "pyarrow"],
    )
    def test_the_names_and_unknown_entries_of_a_frame_are_kept(self, frame):
        assert Dataset.of(frame) == self.EXPECTED

    def test_the_index_of_a_frame_names_the_samples(self):
        frame = pd.DataFrame({"a": [1, 0]}, index=["p", "q"])
        assert Dataset.of(frame).samples == ("p", "q")

    @pytest.mark.parametrize(
        "table",
        [
            np.array([[1, 0], [0, 1]]),
            np.array([[True, False], [False, True]]),
            np.array([[1.0, 0.0], [0.0, 1.0]]),
            [[1, 0], [0, 1]],
            ((1, 0), (0, 1)),
            [np.array([1, 0]), np.array([0, 1])],
        ],
    )
    def test_events_of_arrays_and_lists_are_numbered(self, table):
        assert Dataset.of(table) == Dataset.from_rows([[1, 0], [0, 1]], ["e1", "e2"])

    def test_numbered_events_are_in_alphabetical_order(self):
        events = Dataset.of(np.eye(12)).events
        assert (events[0], events[-1]) == ("e01", "e12")
        assert list(events) == sorted(events)

    @pytest.mark.parametrize(
        "table", [[[1, None], [0, 1]], np.array([[1, np.nan], [0, 1]]), ((1, None), (0, 1))]
    )
    def test_none_and_nan_are_unknown(self, table):
        assert entries(Dataset.of(table)) == [[1, None], [0, 1]]

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            (np.array([1, 0, 1]), r"values must be samples x events, got 1 dimension\(s\)"),
            (np.ones((2, 2, 2)), r"values must be samples x events, got 3 dimension\(s\)"),
            (np.ones((0, 2)), "a data set needs at least one sample and one event, got 0 x 2"),
            ([], "a data set needs at least one sample and one event, got 0 x 0"),
            ([1, 0], "rows must be a sequence of rows, each a sequence of entries"),
            ([[1, 0], [1]], "row 2 has 1 entries, row 1 has 2"),
            ([[1, 2]], r"entries must be 0 or 1, got 2 at \(0, 1\)"),
            (pd.DataFrame({"a": [2]}), "column 'a', row 1: entries must be 0, 1, true, false, yes"),
        ],
    )
    def test_a_bad_table_is_refused(self, table, message):
        with pytest.raises(DatasetError, match=f"^{message}"):
            Dataset.of(table)

    @pytest.mark.parametrize(
        ("other", "name"),
        [(None, "NoneType"), ("data.csv", "str"), ({"a": [1]}, "dict"), (7, "int")],
    )
    def test_what_is_not_a_table_is_refused_by_its_type(self, other, name):
        message = (
            "^data must be a Dataset, rows of 0 and 1, or a pandas, polars or pyarrow frame, "
            f"got {name}(;|$)"
        )
        with pytest.raises(DatasetError, match=message):
            Dataset.of(other)

    def test_a_lazy_frame_is_refused(self):
        with pytest.raises(DatasetError, match=r"got LazyFrame$"):
            Dataset.of(pl.DataFrame({"a": [1]}).lazy())


class TestToFrame:
    @given(datasets())
    def test_the_frame_gives_the_data_back(self, data):
        assert Dataset.from_frame(data.to_frame()) == data
        assert Dataset.of(data.to_frame()) == data

    def test_rows_are_samples_columns_events_and_unknown_entries_missing(self):
        frame = small().to_frame()
        assert list(frame.columns) == ["8q+", "Xp-"]
        assert list(frame.index) == ["p", "q", "r"]
        assert frame["8q+"].tolist() == [1, 1, 0]
        assert frame.loc["q", "Xp-"] is pd.NA

    def test_the_type_of_the_columns_does_not_depend_on_unknown_entries(self):
        complete = small().take_samples([0, 2]).to_frame()
        assert set(map(str, [*complete.dtypes, *small().to_frame().dtypes])) == {"Int8"}

    def test_writing_to_the_frame_does_not_change_the_data(self):
        data = small()
        frame = data.to_frame()
        frame.loc["p", "8q+"] = 0
        assert entries(data) == [[1, 0], [1, None], [0, 0]]


class TestValue:
    def test_writing_raises(self):
        data = small()
        for array in (data.values, data.known, data.genotypes()[0].values):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = False
        with pytest.raises(AttributeError):
            data.events = ("x", "y")

    def test_later_changes_of_the_table_do_not_change_the_data(self):
        values, known = np.eye(2, dtype=bool), np.array([[True, True], [False, True]])
        data = Dataset(values, ("a", "b"), known=known)
        values[:] = True
        known[:] = True
        assert entries(data) == [[1, 0], [None, 1]]

    def test_later_changes_through_a_read_only_view_do_not_change_the_data(self):
        values = np.eye(2, dtype=bool)
        view = values.view()
        view.flags.writeable = False
        data = Dataset(view, ("a", "b"))
        values[:] = True
        assert entries(data) == [[1, 0], [0, 1]]

    @given(datasets(), datasets())
    def test_data_sets_are_equal_if_every_field_is(self, one, other):
        def content(data):
            return entries(data), data.events, data.samples

        assert (one == other) == (content(one) == content(other))
        assert one == Dataset.from_rows(*content(one))
        assert hash(one) == hash(Dataset.from_rows(*content(one)))
        assert one != "something else"

    def test_each_field_counts(self):
        data = small()
        others = [
            Dataset.from_rows([[1, 0], [0, None], [0, 0]], ["8q+", "Xp-"], "pqr"),
            Dataset.from_rows([[1, 0], [1, 0], [0, 0]], ["8q+", "Xp-"], "pqr"),
            Dataset.from_rows([[1, 0], [1, None], [0, 0]], ["8q+", "Xq-"], "pqr"),
            Dataset.from_rows([[1, 0], [1, None], [0, 0]], ["8q+", "Xp-"], "pqs"),
        ]
        assert len({data, *others}) == 5

    @pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
    def test_a_copy_is_equal_and_of_the_same_digest(self, again):
        data = small()
        assert again(data) == data
        assert again(data).digest == data.digest

    @pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
    def test_a_copy_cannot_be_written_either(self, again):
        for array in (again(small()).values, again(small()).known):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = True


def test_entries_instead_of_rows_are_refused():
    with pytest.raises(DatasetError, match="rows must be a sequence of rows, each a sequence of"):
        Dataset.from_rows([1, 0], "ab")


def test_taking_no_samples_is_refused():
    with pytest.raises(DatasetError, match="a data set needs at least one sample and one event"):
        Dataset.from_rows([[1]], "a").take_samples([])


def test_sample_names_may_be_an_array():
    assert Dataset([[1], [0]], ("a",), np.array(["p", "q"])).samples == ("p", "q")
