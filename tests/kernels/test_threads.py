"""Threads: the pieces are the whole, in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese.kernels.threads import over_spans


@given(st.integers(0, 1000), st.integers(0, 50))
def test_the_pieces_are_consecutive_and_complete(length, least):
    spans = over_spans(range, length, least)
    assert [k for span in spans for k in span] == list(range(length))


@pytest.mark.parametrize(
    ("cores", "least", "pieces"), [(4, 10, 4), (4, 40, 2), (4, 101, 1), (1, 1, 1)]
)
def test_there_are_as_many_pieces_as_cores_unless_they_would_be_too_short(
    cores, least, pieces, monkeypatch
):
    monkeypatch.setattr("caprese.kernels.threads.cores", lambda: cores)
    spans = over_spans(lambda start, stop: stop - start, 100, least)
    assert len(spans) == pieces
    assert min(spans) >= min(least, 100)


def test_an_error_in_a_thread_is_raised():
    def work(start, stop):
        raise ValueError(f"{start} to {stop}")

    with pytest.raises(ValueError, match="0 to "):
        over_spans(work, 10)
