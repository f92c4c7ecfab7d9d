"""Mutual hazard networks of the public package mhn beside the methods here, on the same folds.

    python benchmarks/mhn_rival.py [PYTHON]

The package mhn needs a numpy older than 2, so it gets a virtual environment of its own in a
temporary folder, where pip installs it; or PYTHON, an interpreter that has it. Its penalty is
chosen by cross-validation within each training part, as its documentation recommends.
"""

import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

from caprese import MHN, BayesForest, Caprese, LikelihoodForest, Oncotree, datasets, judge
from caprese.assessment.held_out import fold_numbers, in_fixed_order

FOLDS, SEED = 10, 1
METHODS = {
    "caprese": Caprese(),
    "oncotree": Oncotree(),
    "likelihood": LikelihoodForest(),
    "bayes": BayesForest(),
    "mhn, ours": MHN(),
    "mhn, ours, observation": MHN(observation=True),
}
RIVAL = """
import json, sys
import numpy as np
from mhn.optimizers import oMHNOptimizer

given = json.load(open(sys.argv[1]))
rows, fold = np.array(given["rows"], dtype=np.int32), np.array(given["fold"])
found = np.empty(len(rows))
for each in np.unique(fold):
    np.random.seed(1)
    optimizer = oMHNOptimizer()
    optimizer.load_data_matrix(rows[fold != each])
    model = optimizer.train(lam=optimizer.lambda_from_cv())
    for row in np.flatnonzero(fold == each):
        found[row] = np.log(model.compute_marginal_likelihood(rows[row]))
json.dump(found.tolist(), open(sys.argv[2], "w"))
"""


def environment(folder: Path) -> Path:
    """Return the interpreter of a new virtual environment that has mhn."""
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / "bin" / "python"
    wanted = ("mhn==1.2.3", "numpy<2")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
    return python


def rival(python: Path, folder: Path, rows, fold):
    """Return the log-probability of each held-out sample by mhn, and the seconds it took."""
    given, found = folder / "given.json", folder / "found.json"
    given.write_text(json.dumps({"rows": rows.astype(int).tolist(), "fold": fold.tolist()}))
    start = time.perf_counter()
    subprocess.run([python, "-W", "ignore", "-c", RIVAL, given, found], check=True)
    return np.array(json.loads(found.read_text())), time.perf_counter() - start


def main() -> None:
    """Print the log-probability per held-out sample of mhn and of the methods here."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        python = Path(sys.argv[1]) if len(sys.argv) > 1 else environment(folder)
        for name in ("ovarian", "acml"):
            compare(name, python, folder)


def compare(name: str, python: Path, folder: Path) -> None:
    """Print both on one embedded data set; differences are paired over samples."""
    data, _ = in_fixed_order(getattr(datasets, name)())
    samples = len(data.samples)
    (fold,) = fold_numbers(data, np.arange(samples), folds=FOLDS, repeats=1, seed=SEED)
    theirs, seconds = rival(python, folder, data.values, fold)
    start = time.perf_counter()
    ours = judge(METHODS, data, folds=FOLDS, seed=SEED)
    print(f"{name}, {samples} x {len(data.events)}, {FOLDS} folds, log-probability per sample")
    print(f"  {'mhn':<22} {theirs.mean():.3f}, in {seconds:.1f} s")
    for method, own in zip(ours.methods, ours.log_probabilities, strict=True):
        difference = own - theirs
        error = difference.std(ddof=1) / samples**0.5
        print(f"  {method:<22} {own.mean():.3f}, minus mhn: {difference.mean():.3f} +- {error:.3f}")
    print(f"  all of ours in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
