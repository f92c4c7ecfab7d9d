"""Random draws for the samplers; each chain has a stream of its own, an array of one state."""

import cython
from cython.cimports.caprese.kernels.elementary import exp, log, sqrt
from cython.cimports.caprese.kernels.words import next_state, random_bits

from caprese._core.arrays import FloatArray, IntArray, Integer, WordArray

_STEP = 2.0**-52
_INFINITE = float("inf")


def uniform(stream: WordArray) -> float:
    """Draw from (0, 1), neither end included."""
    stream[0] = next_state(stream[0])
    return ((random_bits(stream[0]) >> 12) + 0.5) * _STEP  # one bit more would be rounded up to 1


def below(stream: WordArray, bound: Integer) -> int:
    """Draw a whole number in [0, bound)."""
    drawn: cython.Py_ssize_t = int(uniform(stream) * bound)
    return min(drawn, bound - 1)


def normal(stream: WordArray) -> float:
    """Draw from the standard normal distribution (the polar method of Marsaglia)."""
    while True:
        x = 2.0 * uniform(stream) - 1.0
        y = 2.0 * uniform(stream) - 1.0
        square = x * x + y * y
        if square < 1.0:
            return x * sqrt(-2.0 * log(square) / square)


def log_gamma_draw(stream: WordArray, shape: float) -> float:
    """Draw the logarithm of a Gamma variable (Marsaglia and Tsang), for any shape."""
    boost = 0.0
    if shape < 1.0:
        boost = log(uniform(stream)) / shape
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = normal(stream)
        root = 1.0 + c * x
        v = root * root * root
        if v > 0.0 and log(uniform(stream)) < 0.5 * x * x + d - d * v + d * log(v):
            return log(d * v) + boost


def log_gamma(x: float) -> float:
    """Return the logarithm of the Gamma function of a positive number, by Stirling's series."""
    below = 0.0
    while x < 8.0:
        below += log(x)
        x += 1.0
    square = 1.0 / (x * x)
    series = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x
    return (x - 0.5) * log(x) - x + 0.9189385332046727 + series - below


def beta_draw(stream: WordArray, first: float, second: float) -> float:
    """Draw from a Beta distribution."""
    odds = log_gamma_draw(stream, first) - log_gamma_draw(stream, second)
    return 1.0 / (1.0 + exp(-odds))


def choice(stream: WordArray, log_weights: FloatArray, length: Integer) -> int:
    """Draw a position with probability proportional to the exponential of its weight."""
    most: float = -_INFINITE
    for k in range(length):
        most = max(most, log_weights[k])
    total = 0.0
    for k in range(length):
        total += exp(log_weights[k] - most)
    rest = uniform(stream) * total
    chosen = 0
    for k in range(length):
        weight = exp(log_weights[k] - most)
        if weight > 0.0:
            chosen = k
            rest -= weight
            if rest <= 0.0:
                break
    return chosen


def forest_draw(stream: WordArray, root_probability: float, parents: IntArray) -> None:
    """Fill `parents` with a forest of probability r^(roots - 1) ((1 - r) / n)^(n - roots).

    The number of roots less one is binomial, any events are equally likely to be the roots, and
    the rest follows by Wilson's algorithm: each event walks at random until it meets the forest;
    loops are forgotten, as the walk overwrites where it went.
    """
    n = len(parents)
    left: cython.Py_ssize_t = 1  # roots to be drawn
    for _ in range(n - 1):
        left += uniform(stream) < root_probability
    for event in range(n):
        if uniform(stream) * (n - event) < left:
            parents[event] = -1
            left -= 1
        else:
            parents[event] = n  # an event that is not in the forest yet has n added to its parent
    for start in range(n):
        event = start
        while parents[event] >= n:
            parents[event] = n + below(stream, n)
            event = parents[event] - n
        event = start
        while parents[event] >= n:
            parents[event] -= n
            event = parents[event]
