"""How long an atlas takes: processor time of single simulated cohorts, 500 samples x 15 events.

Of three kinds: with an order, with an order and a tenth of the entries unknown, and without one.
16 cohorts, as many of each kind as given below, take the sum of these times, shared by the cores.

    python benchmarks/atlas.py [--budget 20s]
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from caprese import ROOT, Dataset, Forest, write_atlas, write_dataset

SAMPLES, EVENTS = 500, 15
KINDS = {"order": 8, "order, unknown entries": 5, "no order": 3}  # of 16 cohorts


def cohort(kind: str, seed: int) -> Dataset:
    """Return a cohort with 8 % of the events missed, and 2 % seen wrongly."""
    rng = np.random.default_rng(seed)
    names = tuple(f"G{k:02d}" for k in range(EVENTS))
    parents = [ROOT, *(int(rng.integers(-1, k)) for k in range(1, EVENTS))]
    chances = rng.uniform(0.25, 0.7, EVENTS)
    if kind == "no order":
        parents, chances = [ROOT] * EVENTS, rng.uniform(0.05, 0.4, EVENTS)
    drawn = Forest(names, tuple(parents), tuple(chances)).sample(SAMPLES, rng).values
    seen = np.where(drawn, rng.random(drawn.shape) > 0.08, rng.random(drawn.shape) < 0.02)
    known = rng.random(drawn.shape) > (0.1 if "unknown" in kind else 0.0)
    return Dataset(seen, names, (), known)


def seconds_of(kind: str, budget: str, seed: int) -> float:
    """Return the processor time of an atlas of one cohort."""
    with TemporaryDirectory() as folder:
        table = Path(folder, "cohort.csv")
        write_dataset(cohort(kind, seed), table)
        started = process_time()
        write_atlas([str(table)], Path(folder, "site"), budget=budget, seed=1, jobs=1)
        return process_time() - started


def main() -> None:
    """Print the processor time of a cohort of each kind, and what 16 add to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", default="20s")
    budget = parser.parse_args().budget
    total = 0.0
    for seed, (kind, number) in enumerate(KINDS.items(), start=3):
        own = seconds_of(kind, budget, seed)
        total += number * own
        print(f"{kind:24} {own:6.1f} s", flush=True)
    print(f"16 cohorts: {total:.0f} s of processor time, {total / 120:.1f} minutes on two cores")


if __name__ == "__main__":
    main()
