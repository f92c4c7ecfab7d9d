"""An atlas of a folder with small cohorts: with and without an order, and files that are none."""

import numpy as np
import pytest

from caprese import ROOT, Dataset, Forest, datasets, write_atlas, write_dataset
from hostile_names import HOSTILE

BUDGET = "0.2s"


def chain(samples, seed):
    """Samples of a chain of three events, with an event beside it."""
    truth = Forest(("TP53", "KRAS", "APC", "MYC"), (ROOT, 0, 1, ROOT), (0.8, 0.7, 0.6, 0.5))
    drawn = truth.sample(samples, np.random.default_rng(seed))
    return Dataset(drawn.values, drawn.events, tuple(f"P{seed}-{k}" for k in range(samples)))


def hostile():
    rng = np.random.default_rng(5)
    nested = rng.random((60, 1)) < np.linspace(0.9, 0.2, 5)
    return Dataset(nested ^ (rng.random(nested.shape) < 0.05), HOSTILE[:5])


@pytest.fixture(scope="session")
def cohorts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas") / "cohorts"
    folder.mkdir()
    write_dataset(chain(150, 1), folder / "chain.csv")
    write_dataset(datasets.acml(), folder / "acml.csv")
    write_dataset(hostile(), folder / "<b>odd & 'name.tsv")
    write_dataset(chain(3, 2), folder / "few.csv")
    (folder / "notes.md").write_text("These are notes.\n")
    (folder / "broken.csv").write_text("sample,TP53\np,perhaps\n")
    (folder / ".hidden.csv").write_text("not looked at\n")
    return folder


@pytest.fixture(scope="session")
def made(cohorts):
    """The folder of the site, and the atlas."""
    site = cohorts.parent / "site"
    return site, write_atlas(cohorts, site, budget=BUDGET, jobs=1)
