"""Words of 64 bits as Python runs them, beside definitions; kernels show that theirs are equal."""

import numpy as np
import pytest

from caprese.kernels.words import next_state, popcount, random_bits, stream_of, trailing_zeros

WORDS = [0, 1, 2, 3, 1 << 63, (1 << 64) - 1, 0x0F0F_0000_1234_8000]


@pytest.mark.parametrize("word", WORDS)
def test_bits_are_counted_and_found(word):
    written = f"{word:064b}"
    assert popcount(word) == popcount(np.uint64(word)) == written.count("1")
    assert trailing_zeros(word) == len(written) - len(written.rstrip("0"))


def test_random_bits_are_those_of_splitmix64():
    """The first numbers for seed 1234567, as its authors' program prints them."""
    state, drawn = 1234567, []
    for _ in range(3):
        state = next_state(state)
        drawn.append(random_bits(state))
    assert drawn == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_streams_of_replicates_start_apart():
    assert len({stream_of(seed, replicate) for seed in range(20) for replicate in range(20)}) == 400
    assert all(0 <= stream_of(seed, 3) < 1 << 64 for seed in WORDS)
