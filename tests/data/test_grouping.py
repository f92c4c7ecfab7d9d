"""Equal rows, and the digest made of them: against their literal definitions."""

import hashlib

import numpy as np
import pytest
from hypothesis import given

from caprese.data import grouping
from caprese.data.dataset import Dataset
from caprese.data.grouping import ROWS_AT_ONCE, distinct_rows
from strategies import datasets


def literal_rows(data, order):
    """The first row of each kind and the kind of each row, by sorting rows of codes."""
    rows = [tuple(row) for row in data.codes()[:, order].tolist()]
    kinds = sorted(set(rows))
    return [rows.index(kind) for kind in kinds], [kinds.index(row) for row in rows]


def literal_digest(data):
    """The digest as files of earlier versions hold it."""
    order = sorted(range(len(data.events)), key=data.events.__getitem__)
    first, kinds = literal_rows(data, order)
    known = np.ones_like(data.values) if data.known is None else data.known
    content = repr(sorted(data.events)).encode("utf-8", "surrogatepass")
    for table in (data.values, known):
        content += np.packbits(table[first][:, order]).tobytes()
    content += np.array([kinds.count(kind) for kind in range(len(first))], dtype="<i8").tobytes()
    return hashlib.sha256(content).hexdigest()


def wide(samples, events, unknown, seed):
    """Few distinct rows of many columns, most of which agree in their first hundred."""
    rng = np.random.default_rng(seed)
    values = np.repeat(rng.random((1, events)) < 0.3, 8, axis=0)
    values[:, events // 2 :] ^= rng.random((8, events - events // 2)) < 0.05
    drawn = rng.integers(8, size=samples)
    known = rng.random((8, events)) >= unknown
    return Dataset(values[drawn], tuple(f"e{k}" for k in range(events)), known=known[drawn])


@given(datasets())
def test_distinct_rows_are_those_of_the_sorted_codes(data):
    order = np.arange(len(data.events))[::-1]
    first, kinds = distinct_rows(data.values, data.known, order)
    assert (first.tolist(), kinds.tolist()) == literal_rows(data, order)


@pytest.mark.parametrize("unknown", [0, 0.02])
@pytest.mark.parametrize("events", [1, 7, 32, 33, 64, 65, 200])
def test_rows_of_several_words_are_sorted_too(events, unknown):
    data = wide(50, events, unknown, seed=events)
    order = np.arange(events)
    first, kinds = distinct_rows(data.values, data.known, order)
    assert (first.tolist(), kinds.tolist()) == literal_rows(data, order)


@given(datasets())
def test_the_digest_is_that_of_earlier_versions(data):
    assert data.digest == literal_digest(data)


@pytest.mark.parametrize("unknown", [0, 0.02])
def test_the_digest_of_more_rows_than_are_packed_at_once_is_the_same(unknown):
    rng = np.random.default_rng(3)
    values = rng.random((ROWS_AT_ONCE + 11, 13)) < 0.5
    known = rng.random(values.shape) >= unknown
    events = tuple("badcfehgjilkm")
    data = Dataset(values, events, known=known)
    codes = np.ascontiguousarray(data.codes()[:, np.argsort(events)])
    kinds, times = np.unique(codes, axis=0, return_counts=True)
    content = repr(sorted(events)).encode()
    content += np.packbits(kinds == 1).tobytes() + np.packbits(kinds != 2).tobytes()
    assert data.digest == hashlib.sha256(content + times.astype("<i8").tobytes()).hexdigest()


def test_the_digest_of_the_ovarian_data_is_the_one_that_files_hold():
    from caprese.data.datasets import EMBEDDED

    assert EMBEDDED["ovarian"]().digest == DIGEST_OF_OVARIAN


DIGEST_OF_OVARIAN = "44b574726bd883690f0114265c1044d9ea662caf76e94b875225c89fb4cccd6f"


@pytest.mark.parametrize("seed", range(20))
def test_equal_columns_are_those_with_the_same_bytes(seed, monkeypatch):
    monkeypatch.setattr(grouping, "ROWS_AT_ONCE", 8)
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 40))
    distinct = rng.random((2, rows, 4)) < rng.choice([0.02, 0.5])
    tables = distinct[:, :, rng.integers(0, 4, 9)]
    found = grouping.equal_columns(*tables)
    content = [tables[:, :, column].tobytes() for column in range(9)]
    expected = [[k for k in range(9) if content[k] == content[first]] for first in range(9)]
    assert sorted(found) == sorted({tuple(e): e for e in expected if len(e) > 1}.values())
