"""Random numbers of which every replicate has its own stream, however the work is shared out.

SplitMix64 (Steele, Lea and Flood 2014): a counter that is scrambled; the start of a stream is the
scrambled number of the replicate.
"""

import numpy as np
from numba import njit

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_STEPS = 2.0**53


@njit(cache=True, nogil=True, inline="always")
def scrambled(state):  # type: ignore[no-untyped-def]
    """Return the 64 random bits that belong to a state."""
    bits = (state ^ (state >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


@njit(cache=True, nogil=True)
def stream(seed, replicate):  # type: ignore[no-untyped-def]
    """Return the state in which the stream of a replicate starts."""
    return scrambled(np.uint64(seed) + scrambled(_GAMMA * (np.uint64(replicate) + np.uint64(1))))


@njit(cache=True, nogil=True, inline="always")
def advanced(state):  # type: ignore[no-untyped-def]
    """Return the next state of a stream."""
    return state + _GAMMA


@njit(cache=True, nogil=True)
def threshold(probability):  # type: ignore[no-untyped-def]
    """Return the number below which the upper 53 bits of a draw fall with this probability."""
    return np.uint64(probability * _STEPS)


@njit(cache=True, nogil=True)
def indices(state, below, out):  # type: ignore[no-untyped-def]
    """Fill `out` with whole numbers in [0, below), all equally likely; return the next state."""
    bound = np.uint64(below)
    unfair = (np.uint64(1 << 32) - bound) % bound
    for k in range(len(out)):
        while True:
            state = advanced(state)
            product = (scrambled(state) >> np.uint64(32)) * bound
            if (product & _LOW) >= unfair:
                break
        out[k] = np.int64(product >> np.uint64(32))
    return state
