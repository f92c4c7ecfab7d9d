"""Counts, and the kernel that makes them, against plain counting."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese.data.counts import Counts, order_by_counts
from caprese.data.dataset import Dataset
from caprese.kernels import bits
from caprese.kernels.bits import pack, upper_counts
from shapes import SHAPES, SMALL
from strategies import datasets, entries
from uncompiled import uncompiled

SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 1000, 64 * 256 - 1, 64 * 256 + 1, 64 * 256 * 3 + 17]


def product(*tables):
    """Pair counts as a plain product of whole numbers."""
    table = np.hstack(tables).astype(np.int64)
    return table.T @ table


def counted(data, entry):
    """A matrix of how often entry(row, i, j) holds among the rows in which both are known."""
    rows, n = entries(data), len(data.events)
    return [
        [sum(entry(row, i, j) for row in definitions.known(rows, i, j)) for j in range(n)]
        for i in range(n)
    ]


class TestKernel:
    @pytest.mark.parametrize("samples", SIZES)
    @pytest.mark.parametrize("columns", [1, 2, 7])
    def test_packed_bits_give_the_counts_of_a_matrix_product(self, samples, columns):
        table = np.random.default_rng([samples, columns]).random((samples, columns)) < 0.6
        assert (bits.pair_counts(table) == product(table)).all()

    @pytest.mark.parametrize("samples", SIZES)
    def test_several_tables_are_counted_as_one(self, samples):
        rng = np.random.default_rng(samples)
        tables = [rng.random((samples, columns)) < 0.4 for columns in (3, 1, 4)]
        assert (bits.pair_counts(*tables) == product(*tables)).all()

    @pytest.mark.parametrize("samples", [63, 64, 65])
    def test_full_words_are_counted_to_the_last_bit(self, samples):
        assert bits.pair_counts(np.ones((samples, 2), dtype=bool)).tolist() == [[samples] * 2] * 2

    def test_any_memory_layout_is_accepted(self):
        table = np.random.default_rng(1).random((200, 12)) < 0.5
        for view in (np.asfortranarray(table), table[::2], table[:, ::3], table[::-1], table.T):
            assert (bits.pair_counts(view) == product(view)).all()

    def test_more_workers_than_words_are_accepted(self, monkeypatch):
        table = np.random.default_rng(2).random((130, 3)) < 0.5
        monkeypatch.setattr(bits, "_WORTH_A_THREAD", 0)
        for workers in (1, 2, 64):
            monkeypatch.setattr("caprese.kernels.threads.cores", lambda workers=workers: workers)
            assert (bits.pair_counts(table) == product(table)).all()

    @pytest.mark.parametrize("samples", [0, 1, 63, 65, 260, 1100])  # around 1, 4 and 16 words
    @pytest.mark.parametrize("columns", [1, 2, 5])
    def test_compiled_counts_are_those_of_python(self, samples, columns):
        table = np.random.default_rng([4, samples]).random((samples, columns)) < 0.5
        words = (samples + 63) // 64
        packed, expected = np.zeros((2, columns, words), dtype=np.uint64)
        pack(table.view(np.uint8), packed, 0, words)
        uncompiled("bits").pack(table.view(np.uint8), expected, 0, words)
        assert packed.tolist() == expected.tolist()
        counted = uncompiled("bits").upper_counts(packed, 0, words)
        assert upper_counts(packed, 0, words).tolist() == counted.tolist()
        assert uncompiled("bits").pair_counts(table).tolist() == bits.pair_counts(table).tolist()

    @given(datasets())
    def test_known_and_unknown_entries_are_counted_as_defined(self, data):
        known = np.ones_like(data.values) if data.known is None else data.known
        stacked = bits.pair_counts(data.values, known)
        n = len(data.events)
        assert stacked[:n, :n].tolist() == counted(data, lambda row, i, j: row[i] * row[j])
        assert stacked[:n, n:].tolist() == counted(data, lambda row, i, _: row[i])
        assert stacked[n:, n:].tolist() == counted(data, lambda *_: 1)


class TestOfData:
    @given(datasets())
    def test_pairs_are_counted_where_both_are_known(self, data):
        counts = Counts.of(data)
        assert counts.events == data.events
        assert counts.joint.tolist() == counted(data, lambda row, i, j: row[i] * row[j])
        assert counts.first.tolist() == counted(data, lambda row, i, _: row[i])
        assert counts.second.tolist() == counted(data, lambda row, _, j: row[j])
        assert counts.total.tolist() == counted(data, lambda *_: 1)

    @given(datasets())
    def test_single_events_are_counted_where_they_are_known(self, data):
        counts, rows, n = Counts.of(data), entries(data), range(len(data.events))
        alone = [definitions.known(rows, i) for i in n]
        assert counts.present.tolist() == [sum(row[i] for row in alone[i]) for i in n]
        assert counts.known.tolist() == [len(alone[i]) for i in n]
        assert counts.frequency.tolist() == [float(definitions.probability(rows, i)) for i in n]
        assert counts.never.tolist() == [definitions.never(rows, i) for i in n]
        assert counts.always.tolist() == [definitions.always(rows, i) for i in n]

    def test_counts_of_data_are_whole_numbers(self):
        for data in (
            Dataset.from_rows([[1, 0]], "ab"),
            Dataset.from_rows([[1, None]], "ab"),
        ):
            counts = Counts.of(data)
            for array in (counts.joint, counts.first, counts.total, counts.present, counts.known):
                assert array.dtype == np.int64

    @pytest.mark.parametrize("samples", [5, 64, 8191, 8192, 8193, 20_000, 700_000])
    @pytest.mark.slow
    def test_pairs_are_those_of_a_matrix_product(self, samples):
        data = Dataset(np.random.default_rng(samples).random((samples, 3)) < 0.5, tuple("abc"))
        assert (Counts.of(data).joint == product(data.values)).all()


@st.composite
def resamples(draw):
    """A data set and a few draws of its samples with replacement."""
    data = draw(datasets())
    position = st.integers(0, len(data.samples) - 1)
    draws = st.lists(st.lists(position, min_size=1, max_size=15), min_size=1, max_size=4)
    return data, draw(draws)


class TestOfResamples:
    @given(resamples())
    def test_a_batch_has_the_counts_of_each_resample(self, drawn):
        data, draws = drawn
        weights = np.array([np.bincount(k, minlength=len(data.samples)) for k in draws])
        batch = Counts.of_resamples(data, weights)
        for b, chosen in enumerate(draws):
            one = Counts.of(data.take_samples(chosen))
            for name in ("joint", "first", "second", "total", "present", "known", "frequency"):
                assert getattr(batch, name)[b].tolist() == getattr(one, name).tolist(), name
            assert batch.never[b].tolist() == one.never.tolist()
            assert batch.always[b].tolist() == one.always.tolist()

    @given(datasets())
    def test_each_sample_once_gives_the_counts_of_the_data(self, data):
        ones = np.ones(len(data.samples), dtype=np.int64)
        assert Counts.of_resamples(data, ones) == Counts.of(data)

    @pytest.mark.parametrize("unknown", [False, True])
    def test_a_batch_may_have_several_axes(self, unknown):
        rng = np.random.default_rng(4)
        known = rng.random((30, 4)) < 0.8 if unknown else None
        data = Dataset(rng.random((30, 4)) < 0.5, tuple("abcd"), known=known)
        weights = rng.integers(0, 5, (2, 3, 30))
        batch = Counts.of_resamples(data, weights)
        assert batch.joint.shape == (2, 3, 4, 4)
        for a in range(2):
            flat = Counts.of_resamples(data, weights[a])
            for name in ("joint", "first", "total", "present", "known"):
                assert (getattr(batch, name)[a] == getattr(flat, name)).all()

    @pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64])
    def test_weights_of_any_integer_type_are_accepted(self, dtype):
        data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], "ab")
        batch = Counts.of_resamples(data, np.array([[100, 50, 50]], dtype=dtype))
        assert batch.joint.tolist() == [[[150, 100], [100, 100]]]
        assert batch.total.tolist() == [[[200, 200], [200, 200]]]

    @pytest.mark.parametrize(
        "weights", [[[1, -1]], [[0.5, 0.5]], [[float("nan"), 1]], [["a", "b"]]]
    )
    def test_weights_that_are_not_whole_or_negative_are_refused(self, weights):
        data = Dataset.from_rows([[1], [1]], "a")
        with pytest.raises(ValueError, match=r"^weights must be whole numbers, none of them negat"):
            Counts.of_resamples(data, np.array(weights))

    def test_there_must_be_a_weight_for_every_sample(self):
        data = Dataset.from_rows([[1], [1]], "a")
        with pytest.raises(ValueError, match=r"^weights must be one per sample, 2, got \(1, 3"):
            Counts.of_resamples(data, np.array([[1, 1, 1]]))

    def test_weights_too_large_for_exact_counts_are_refused(self):
        data = Dataset.from_rows([[1], [1]], "a")
        below = Counts.of_resamples(data, np.array([[2**53 - 2, 1]]))
        assert below.joint.tolist() == [[[2**53 - 1]]]
        with pytest.raises(
            ValueError, match=r"^weights must be .* sum to less than 9007199254740992,"
        ):
            Counts.of_resamples(data, np.array([[2**53 - 1, 1]]))


class TestOfModels:
    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_expected_counts_are_the_probabilities_of_pairs(self, shape):
        induced = definitions.distribution(shape.parents.tolist(), shape.probabilities.tolist())
        counts = Counts.expected(shape)
        n = range(len(shape.events))
        expected = [[float(definitions.pair_probability(induced, i, j)) for j in n] for i in n]
        assert counts.joint == pytest.approx(np.array(expected), rel=1e-12)
        assert (counts.first == np.diagonal(counts.joint)[:, None]).all()
        assert (counts.total == 1).all()

    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    def test_no_event_of_a_shape_is_constant(self, shape):
        counts = Counts.expected(shape)
        assert not (counts.never | counts.always).any()
        assert (counts.frequency == shape.marginals()).all()


class TestValue:
    def counts(self):
        return Counts.of(Dataset.from_rows([[1, 1], [1, None], [0, 0]], "ab"))

    def test_writing_raises(self):
        for counts in (self.counts(), Counts.expected(SHAPES["chain"])):
            for name in ("joint", "first", "total", "second", "present", "known"):
                with pytest.raises(ValueError, match="read-only"):
                    getattr(counts, name)[0] = 1
        with pytest.raises(AttributeError):
            self.counts().joint = np.zeros((2, 2))

    def test_later_changes_of_the_matrix_do_not_change_the_counts(self):
        joint = np.array([[2, 1], [1, 1]])
        counts = Counts.complete(("a", "b"), joint, 3)
        joint[:] = 99
        assert counts.joint.tolist() == [[2, 1], [1, 1]]
        assert counts.first.tolist() == [[2, 2], [1, 1]]

    def test_counts_are_equal_if_every_field_is(self):
        rows = [[1, 1], [1, 0], [0, 0]]
        counts = Counts.of(Dataset.from_rows(rows, "ab"))
        assert counts == Counts.of(Dataset.from_rows(rows[::-1], "ab"))
        assert hash(counts) == hash(Counts.of(Dataset.from_rows(rows[::-1], "ab")))
        others = [
            Counts.of(Dataset.from_rows(rows, "ac")),
            Counts.of(Dataset.from_rows([*rows, [0, 0]], "ab")),
            Counts.of(Dataset.from_rows([[1, 0], [1, 1], [0, 1]], "ab")),
            Counts.of(Dataset.from_rows([[1, 1], [1, None], [0, 0]], "ab")),
        ]
        assert len({counts, *others}) == 5

    def test_pickled_counts_are_equal(self):
        assert pickle.loads(pickle.dumps(self.counts())) == self.counts()

    @pytest.mark.parametrize("again", [lambda c: pickle.loads(pickle.dumps(c)), copy.deepcopy])
    def test_a_copy_cannot_be_written_either(self, again):
        for name in ("joint", "first", "total"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(again(self.counts()), name)[0] = 1


class TestIdenticalEvents:
    def test_they_are_in_exactly_the_same_samples(self):
        data = Dataset.from_rows([[1, 1, 0, 1], [0, 0, 1, 0], [1, 1, 1, 0]], events="abcd")
        expected = np.zeros((4, 4), dtype=bool)
        expected[0, 1] = expected[1, 0] = True
        assert Counts.of(data).identical.tolist() == expected.tolist()

    def test_one_within_the_other_is_not_enough(self):
        data = Dataset.from_rows([[1, 1], [1, 0], [0, 0]], events="ab")
        assert not Counts.of(data).identical.any()
        assert not Counts.of(data.take_events("ba")).identical.any()

    def test_events_never_seen_are_not(self):
        data = Dataset.from_rows([[0, 0], [0, 0]], events="ab")
        assert not Counts.of(data).identical.any()

    def test_only_samples_in_which_both_are_known_count(self):
        data = Dataset.from_rows([[1, 1], [0, 0], [1, None], [None, 1]], events="ab")
        assert Counts.of(data).identical.tolist() == [[False, True], [True, False]]


def test_an_event_known_in_one_sample_and_in_none_can_be_constant():
    data = Dataset.from_rows([[1, 0, None], [None, None, None]], events="abc")
    counts = Counts.of(data)
    assert counts.always.tolist() == [True, False, False]
    assert counts.never.tolist() == [False, True, True]


def test_events_are_ordered_by_their_counts_the_most_frequent_first():
    data = Dataset.from_rows([[0, 1, 1], [1, 1, 1], [0, 0, 1], [0, 0, 0]], events="abc")
    assert order_by_counts(Counts.of(data)).tolist() == [2, 1, 0]
    # Of b and c, equally frequent, b occurs less often together with another event.
    data = Dataset.from_rows([[1, 0, 1], [1, 0, 1], [1, 1, 0], [0, 1, 0]], events="acb")
    assert order_by_counts(Counts.of(data)).tolist() == [0, 1, 2]
