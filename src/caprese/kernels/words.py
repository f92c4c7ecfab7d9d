"""Words of 64 bits: counting their bits, and drawing random ones.

Random numbers are those of SplitMix64 (Steele, Lea and Flood 2014): the bits of a counter are
mixed. A replicate has a stream of its own, which starts at its mixed number, so that the answer is
the same whatever the number of threads.

Kernels have these functions inline, from ``words.pxd``. Here they are as Python runs them.
"""

_WORD = (1 << 64) - 1
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def popcount(word: int) -> int:
    """Return how many bits of a word are set."""
    return (int(word) & _WORD).bit_count()


def trailing_zeros(word: int) -> int:
    """Return the place of the lowest bit that is set; 64 if there is none."""
    word = int(word) & _WORD
    return (word & -word).bit_length() - 1 if word else 64


def random_bits(state: int) -> int:
    """Return the 64 random bits of a state."""
    bits = int(state)
    bits = (bits ^ bits >> 30) * _FIRST & _WORD
    bits = (bits ^ bits >> 27) * _SECOND & _WORD
    return bits ^ bits >> 31


def next_state(state: int) -> int:
    """Return the next state of a stream."""
    return int(state) + _STEP & _WORD


def stream_of(seed: int, replicate: int) -> int:
    """Return the first state of the stream of a replicate."""
    return random_bits(int(seed) + random_bits(_STEP * (int(replicate) + 1) & _WORD) & _WORD)
