"""Time and memory of placing samples in a forest, as ratios to reading them from a table.

    python benchmarks/patients.py

20 events, 1,000 to 100,000 samples, of which a third to nine tenths have a genotype of their own.
The rival is pandas, which reads the same samples from a CSV file in memory.
"""

import io
import resource
import time
import tracemalloc

import numpy as np
import pandas as pd

from caprese import ForestRecipe, Noise, NoisyForest, place


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak(work):
    """Return the most memory that Python and numpy held at a time, in MB, beside what was there."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    """Print seconds, their ratio to pandas, and memory, for growing numbers of samples."""
    rng = np.random.default_rng(1)
    model = NoisyForest(ForestRecipe(events=20).draw(rng), Noise(0.05, 0.05))
    place(model, model.sample(10, rng))  # compiles
    print("samples  distinct  place   pandas.read_csv  ratio   memory")
    for samples in (1_000, 10_000, 100_000):
        data = model.sample(samples, rng)
        text = pd.DataFrame(data.values.astype(int), columns=data.events).to_csv()
        distinct = len(data.distinct()[0].samples)
        rival = min(seconds(lambda: pd.read_csv(io.StringIO(text))) for _ in range(3))  # noqa: B023
        ours = min(seconds(lambda: place(model, data)) for _ in range(3))  # noqa: B023
        memory = peak(lambda: place(model, data))  # noqa: B023
        print(
            f"{samples:7}  {distinct:8}  {ours:.2f} s  {rival:.3f} s          {ours / rival:5.1f}  "
            f"{memory:6.0f} MB"
        )
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak of the whole process: {whole:.0f} MB")


if __name__ == "__main__":
    main()
