"""Write a folder of small cohorts for `caprese atlas`: two that are embedded, and two simulated.

In one simulated cohort TP53 starts the progression, in the other it is late. The genes are real,
the data is not.

    python examples/make_cohorts.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

from caprese import ROOT, Dataset, Forest, datasets, write_dataset

SEED = 2014
SAMPLES = 250
FALSE_POSITIVE, FALSE_NEGATIVE = 0.01, 0.05

#   early: TP53 ─┬─ KRAS ─── SMAD4        late: APC ─┬─ KRAS ─── PIK3CA ─── TP53
#                └─ APC ─── PIK3CA                   └─ SMAD4
TRUTHS = {
    "early": Forest(
        ("TP53", "KRAS", "SMAD4", "APC", "PIK3CA"),
        (ROOT, 0, 1, 0, 3),
        (0.85, 0.6, 0.55, 0.55, 0.5),
    ),
    "late": Forest(
        ("APC", "KRAS", "PIK3CA", "TP53", "SMAD4"),
        (ROOT, 0, 1, 2, 0),
        (0.85, 0.75, 0.7, 0.6, 0.45),
    ),
}


def cohorts(seed: int = SEED) -> dict[str, Dataset]:
    """Return the cohorts by name."""
    rng = np.random.default_rng(seed)
    found = {"ovarian": datasets.ovarian(), "acml": datasets.acml()}
    for name, truth in TRUTHS.items():
        drawn = truth.sample(SAMPLES, rng)
        missed = rng.random(drawn.values.shape) < FALSE_NEGATIVE
        wrong = rng.random(drawn.values.shape) < FALSE_POSITIVE
        found[name] = Dataset(np.where(drawn.values, ~missed, wrong), truth.events)
    return found


def write(folder: Path, seed: int = SEED) -> None:
    """Write each cohort as a table."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in cohorts(seed).items():
        write_dataset(data, folder / f"{name}.csv")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("cohorts"))
