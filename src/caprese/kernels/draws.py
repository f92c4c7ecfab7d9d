"""Random draws for the samplers; each chain has a stream of its own, an array of one state."""

import numpy as np

from caprese.kernels.compiling import inlined, kernel
from caprese.kernels.random import next_state, random_bits

_STEP = 2.0**-53


@inlined
def uniform(stream):  # type: ignore[no-untyped-def]
    """Draw from (0, 1), neither end included."""
    stream[0] = next_state(stream[0])
    return ((random_bits(stream[0]) >> np.uint64(11)) + 0.5) * _STEP


@kernel(borrows=True)
def below(stream, bound):  # type: ignore[no-untyped-def]
    """Draw a whole number in [0, bound)."""
    return min(int(uniform(stream) * bound), bound - 1)


@kernel(borrows=True)
def normal(stream):  # type: ignore[no-untyped-def]
    """Draw from the standard normal distribution (Box and Muller)."""
    radius = np.sqrt(-2.0 * np.log(uniform(stream)))
    return radius * np.cos(2.0 * np.pi * uniform(stream))


@kernel
def log_gamma_draw(stream, shape):  # type: ignore[no-untyped-def]
    """Draw the logarithm of a Gamma variable (Marsaglia and Tsang), for any shape."""
    boost = 0.0
    if shape < 1.0:
        boost = np.log(uniform(stream)) / shape
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / np.sqrt(9.0 * d)
    while True:
        x = normal(stream)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and np.log(uniform(stream)) < 0.5 * x * x + d - d * v + d * np.log(v):
            return np.log(d * v) + boost


@kernel
def beta_draw(stream, first, second):  # type: ignore[no-untyped-def]
    """Draw from a Beta distribution."""
    odds = log_gamma_draw(stream, first) - log_gamma_draw(stream, second)
    return 1.0 / (1.0 + np.exp(-odds))


@kernel(borrows=True)
def choice(stream, log_weights, length):  # type: ignore[no-untyped-def]
    """Draw a position with probability proportional to the exponential of its weight."""
    most = -np.inf
    for k in range(length):
        most = max(most, log_weights[k])
    total = 0.0
    for k in range(length):
        total += np.exp(log_weights[k] - most)
    rest = uniform(stream) * total
    chosen = 0
    for k in range(length):
        weight = np.exp(log_weights[k] - most)
        if weight > 0.0:
            chosen = k
            rest -= weight
            if rest <= 0.0:
                break
    return chosen


@kernel
def forest_draw(stream, root_probability, parents):  # type: ignore[no-untyped-def]
    """Fill `parents` with a forest of probability r^(roots - 1) ((1 - r) / n)^(n - roots).

    The number of roots less one is binomial, any events are equally likely to be the roots, and
    the rest follows by Wilson's algorithm: each event walks at random until it meets the forest;
    loops are forgotten, as the walk overwrites where it went.
    """
    n = len(parents)
    roots = 1
    for _ in range(n - 1):
        roots += uniform(stream) < root_probability
    placed = np.zeros(n, dtype=np.bool_)
    left = roots
    for event in range(n):
        if uniform(stream) * (n - event) < left:
            parents[event] = -1
            placed[event] = True
            left -= 1
    for start in range(n):
        event = start
        while not placed[event]:
            parents[event] = below(stream, n)
            event = parents[event]
        event = start
        while not placed[event]:
            placed[event] = True
            event = parents[event]
