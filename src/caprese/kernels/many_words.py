"""Many words at once: the bits that rows have in common, and random bits of a given probability.

Kernels have these functions inline, from ``many_words.pxd``. Here they are as Python runs them.
"""

from caprese._core.arrays import WordArray
from caprese.kernels.words import next_state, popcount, random_bits


def common_bits(
    one: WordArray, i: int, other: WordArray, j: int, start: int, stop: int
) -> tuple[int, int, int, int]:
    """Return the common bits of rows (i, j), (i, j + 1), (i + 1, j) and (i + 1, j + 1).

    Row i is of `one`, row j of `other`; after the last row comes the last one again. Counted are
    their words from `start` to `stop`.
    """
    b, d = min(i + 1, len(one) - 1), min(j + 1, len(other) - 1)

    def common(row: int, column: int) -> int:
        return sum(popcount(one[row, k] & other[column, k]) for k in range(start, stop))

    return common(i, j), common(i, d), common(b, j), common(b, d)


def bits_below(state: int, number: int, limit: int, other_limit: int) -> tuple[int, int, int]:
    """Return the next state, and for each of two limits the bits of the draws below it.

    There are `number` draws, up to 64, of 53 random bits each; limits are up to 2 ** 53.
    """
    bits, other_bits = 0, 0
    for place in range(number):
        state = next_state(state)
        draw = random_bits(state) >> 11
        bits |= (draw < limit) << place
        other_bits |= (draw < other_limit) << place
    return state, bits, other_bits


def fill_with_share(state: int, of_256: int, words: WordArray, row: int) -> int:
    """Fill a row with random bits, of 256 so many on average; return the next state."""
    for word in range(words.shape[1]):
        bits = 0
        for place in range(8):  # of the share as a binary number, from the last
            state = next_state(state)
            if of_256 >> place & 1:
                bits |= random_bits(state)
            else:
                bits &= random_bits(state)
        words[row, word] = bits
    return state
