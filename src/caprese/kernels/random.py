"""Random numbers with an independent stream for each replicate, whatever the number of threads.

SplitMix64 (Steele, Lea and Flood 2014): the bits of a counter are mixed; a stream starts at the
mixed number of its replicate.
"""

import numpy as np

from caprese.kernels.compiling import inlined, kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_STEPS = 2.0**53


@inlined
def random_bits(state):  # type: ignore[no-untyped-def]
    """Return the 64 random bits of a state."""
    bits = (state ^ (state >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


@kernel
def stream(seed, replicate):  # type: ignore[no-untyped-def]
    """Return the first state of the stream of a replicate."""
    return random_bits(
        np.uint64(seed) + random_bits(_GAMMA * (np.uint64(replicate) + np.uint64(1)))
    )


@inlined
def next_state(state):  # type: ignore[no-untyped-def]
    """Return the next state of a stream."""
    return state + _GAMMA


@kernel
def threshold(probability):  # type: ignore[no-untyped-def]
    """Return the number that the upper 53 random bits are below with this probability."""
    return np.uint64(probability * _STEPS)


@kernel
def random_indices(state, below, out):  # type: ignore[no-untyped-def]
    """Fill `out` with uniform integers in [0, below); return the next state."""
    bound = np.uint64(below)
    unfair = (np.uint64(1 << 32) - bound) % bound
    for k in range(len(out)):
        while True:
            state = next_state(state)
            product = (random_bits(state) >> np.uint64(32)) * bound
            if (product & _LOW) >= unfair:
                break
        out[k] = np.int64(product >> np.uint64(32))
    return state
