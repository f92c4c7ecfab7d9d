"""Pair counts of 1,000,000 x 200, compared with chunked BLAS and with plain popcount.

    .venv/bin/python benchmarks/pair_counts.py [SAMPLES EVENTS]

Prints seconds, the ratio to the faster of the two, and the memory as a multiple of the data.
"""

import resource
import sys
import time

import numpy as np

from caprese import Counts, Dataset
from caprese.kernels import bits

ROWS = 8192


def blas(values):
    product = np.zeros((values.shape[1], values.shape[1]))
    for start in range(0, len(values), ROWS):
        part = values[start : start + ROWS].astype(np.float32)
        product += part.T @ part
    return product.astype(np.int64)


def best_of(repeats, work, *arguments):
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = work(*arguments)
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main():
    samples, events = map(int, sys.argv[1:3] or (1_000_000, 200))
    rng = np.random.default_rng(1)
    values = np.empty((samples, events), dtype=bool)
    for start in range(0, samples, ROWS):
        part = values[start : start + ROWS]
        part[:] = rng.random(part.shape, dtype=np.float32) < 0.3
    values.flags.writeable = False
    data = Dataset(values, tuple(f"e{k}" for k in range(events)))
    bits.pair_counts(values[:1000])  # compile or load
    before = peak_memory()
    ours, counts = best_of(5, Counts.of, data)
    grown = peak_memory() - before
    popcount, _ = best_of(5, bits.pair_counts, values)
    product, expected = best_of(3, blas, values)
    assert (counts.joint == expected).all()
    print(f"{samples} samples x {events} events")
    print(f"  Counts.of            {ours:8.3f} s")
    print(f"  packed-bit popcount  {popcount:8.3f} s  ratio {ours / popcount:.2f}")
    print(f"  chunked BLAS         {product:8.3f} s  ratio {ours / product:.2f}")
    print(f"  within {ours / min(popcount, product):.2f}x of the better rival")
    print(f"  peak memory grew by {grown / values.nbytes:.2f}x the data")


if __name__ == "__main__":
    main()
