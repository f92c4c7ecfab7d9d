"""Mutual hazard networks here and by the public package mhn, on one thread each, in one run.

    python benchmarks/mhn.py [PYTHON]
    python benchmarks/mhn.py --reference [PYTHON]

The first compares the time of the likelihood with its gradient and of a whole fit with the same
penalty, and prints how it grows with the events of a sample. Times are those of the processor, so
that other work on the machine counts little. The second writes numbers of mhn on
the embedded data to tests/reference/mhn_expected.json. PYTHON is an interpreter that has mhn; by
default one is made, as in mhn_rival.py.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402  after the number of threads is set
from mhn_rival import environment  # noqa: E402

from caprese import MHN, Dataset, Hazards, datasets  # noqa: E402
from caprese.fitting.hazards_ascent import Objective, Observations, log_likelihood  # noqa: E402

SIZES = ((12, 500, 12), (12, 1000, 12), (12, 4000, 12), (20, 250, 12))
GROWTH = (4, 6, 8, 10, 12, 14, 16)
PENALTIES = ("l1", "l2", "symmetric")
EXPECTED = Path(__file__).parents[1] / "tests" / "reference" / "mhn_expected.json"
RIVAL = """
import json, sys, time, platform
import numpy as np, scipy
from importlib.metadata import version
from mhn.optimizers import cMHNOptimizer, oMHNOptimizer, Penalty
from mhn.training import likelihood_cmhn, likelihood_omhn
from mhn.training.state_containers import StateContainer

PENALTY = {"l1": Penalty.L1, "l2": Penalty.L2, "symmetric": Penalty.SYM_SPARSE}
likelihood = {False: likelihood_cmhn, True: likelihood_omhn}
optimizer = {False: cMHNOptimizer, True: oMHNOptimizer}
found = []
for task in json.load(open(sys.argv[1])):
    rows = np.array(task["rows"], dtype=np.int32)
    kind = task["observation"]
    if task["what"] == "score":
        states, theta = StateContainer(rows), np.array(task["theta"])
        evaluate = likelihood[kind].cpu_gradient_and_score
        gradient, score = evaluate(theta, states)
        spent, times = [], 0
        while sum(spent) < task.get("seconds", 0.0) or not spent:
            start = time.process_time()
            evaluate(theta, states)
            spent.append(time.process_time() - start)
        found.append({"score": score, "gradient": gradient.tolist(), "seconds": min(spent)})
    else:
        trained = optimizer[kind]()
        trained.load_data_matrix(rows)
        trained.set_device(trained.Device.CPU)
        trained.set_penalty(PENALTY[task["penalty"]])
        start = time.process_time()
        model = trained.train(lam=task["strength"], round_result=False)
        spent = time.process_time() - start
        found.append({"log_theta": model.log_theta.tolist(), "seconds": spent})
versions = {name: version(name) for name in ("mhn", "numpy", "scipy")}
versions["python"] = platform.python_version()
json.dump({"versions": versions, "found": found}, open(sys.argv[2], "w"))
"""


def rival(python, tasks):
    """Return what mhn finds for each task, and the versions it ran with."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder, "given.json"), Path(folder, "found.json")
        given.write_text(json.dumps(tasks))
        subprocess.run([python, "-W", "ignore", "-c", RIVAL, given, found], check=True)
        answer = json.loads(found.read_text())
    return answer["found"], answer["versions"]


def score_task(data, model, seconds=0.0):
    theta = model.log_theta()
    return {
        "what": "score",
        "rows": data.values.astype(int).tolist(),
        "observation": len(theta) > len(model.events),
        "theta": theta.tolist(),
        "seconds": seconds,
    }


def train_task(data, penalty, strength, observation):
    return {
        "what": "train",
        "rows": data.values.astype(int).tolist(),
        "observation": observation,
        "penalty": penalty,
        "strength": strength,
    }


def random_hazards(events, rng, *, observation=False, spread=1.0):
    """Return a model with base rates around a quarter, and a third of the effects."""
    n = len(events)
    effects = np.where(rng.random((n, n)) < 1 / 3, rng.normal(0, spread, (n, n)), 0.0)
    np.fill_diagonal(effects, 0.0)
    biased = np.exp(rng.normal(0, 0.5, n)) if observation else np.empty(0)
    return Hazards(events, np.exp(rng.normal(-1.4, 0.7, n)), np.exp(effects), biased)


def simulated(events, samples, most, seed):
    """Return a model and data drawn from it, of samples with at most so many events."""
    rng = np.random.default_rng(seed)
    model = random_hazards(tuple(f"e{k:02}" for k in range(events)), rng)
    drawn = model.sample(20 * samples, rng)
    kept = np.flatnonzero(drawn.values.sum(axis=1) <= most)[:samples]
    return model, drawn.take_samples(kept)


def our_score_seconds(data, model, seconds):
    """Return the least time of one likelihood with its gradient."""
    seen = Observations.of(data)
    theta = model.log_theta()
    n = len(theta[0])
    parameters = np.hstack([theta[:n].T, theta[n:].T])
    spent = []
    while sum(spent) < seconds or len(spent) < 2:
        start = time.process_time()
        log_likelihood(parameters, seen, seen.times)
        spent.append(time.process_time() - start)
    return min(spent)


def compare(python):
    """Print times of both."""
    cases = [simulated(events, samples, most, 7) for events, samples, most in SIZES]
    tasks = [
        task
        for model, data in cases
        for task in (
            score_task(data, model, 1.0),
            train_task(data, "l1", 1 / len(data.samples), False),
        )
    ]
    theirs, versions = rival(python, tasks)
    MHN(penalty_strength=0.1).fit(datasets.acml())  # compiles
    print(f"mhn {versions['mhn']} on the CPU, one thread each; CPU time in ms")
    print("events samples most  gradient: mhn  ours  ratio   fit: mhn     ours  ratio  objective")
    for place, (model, data) in enumerate(cases):
        score, trained = theirs[2 * place : 2 * place + 2]
        ours = our_score_seconds(data, model, 0.5)
        strength = 1 / len(data.samples)
        start = time.process_time()
        fit = MHN(penalty_strength=strength).fit(data)
        spent = time.process_time() - start
        gain = objective(fit.model, data, "l1", strength) - objective(
            Hazards.from_log_theta(data.events, trained["log_theta"]), data, "l1", strength
        )
        print(
            f"{len(data.events):6} {len(data.samples):7} {data.values.sum(axis=1).max():4} "
            f"{1e3 * score['seconds']:14.2f} {1e3 * ours:5.2f} {score['seconds'] / ours:6.0f} "
            f"{1e3 * trained['seconds']:10.0f} {1e3 * spent:8.0f} "
            f"{trained['seconds'] / spent:6.1f}  ours {gain:+.1e}"
        )
    growth(python)


def growth(python):
    """Print the time of a gradient by the number of events of a sample, among 20."""
    model = random_hazards(tuple(f"e{k:02}" for k in range(20)), np.random.default_rng(3))
    samples = [
        Dataset.from_rows([[int(event < carried) for event in range(20)]], model.events)
        for carried in GROWTH
    ]
    theirs, _ = rival(python, [score_task(data, model, 0.2) for data in samples])
    print("\none sample of 20 events, CPU time of a gradient in us")
    print("carried       mhn      ours  ratio  ns/state")
    for carried, data, their in zip(GROWTH, samples, theirs, strict=True):
        ours = our_score_seconds(data, model, 0.2)
        print(
            f"{carried:7} {1e6 * their['seconds']:9.1f} {1e6 * ours:9.1f} "
            f"{their['seconds'] / ours:6.1f} {1e9 * ours / 2**carried:9.0f}"
        )


def objective(model, data, penalty, strength):
    """Return the penalised log-likelihood per sample of a model."""
    theta = model.log_theta()
    n = len(model.events)
    parameters = np.hstack([theta[:n].T, theta[n:].T])
    seen = Observations.of(data)
    rule = Objective(penalty, strength, len(theta) > n)
    return rule.value(parameters, seen, seen.times)[0]


def reference(python):
    """Write numbers of mhn on the embedded data."""
    tasks, labels = [], []
    for name in ("ovarian", "acml"):
        data = getattr(datasets, name)()
        for observation in (False, True):
            for seed in (1, 2):
                rng = np.random.default_rng(seed)
                model = random_hazards(data.events, rng, observation=observation)
                tasks.append(score_task(data, model))
                labels.append({"data": name, "theta": tasks[-1]["theta"]})
            for penalty in PENALTIES:
                for times in (1.0, 4.0):
                    strength = times / len(data.samples)
                    tasks.append(train_task(data, penalty, strength, observation))
                    labels.append({"data": name, "penalty": penalty, "strength": strength})
    found, versions = rival(python, tasks)
    cases = {"score": [], "train": []}
    for task, label, answer in zip(tasks, labels, found, strict=True):
        answer.pop("seconds")
        cases[task["what"]].append({**label, "observation": task["observation"], **answer})
    text = json.dumps({"made by": "benchmarks/mhn.py --reference", "versions": versions, **cases})
    EXPECTED.write_text(text.replace('{"data"', '\n{"data"') + "\n")
    print(f"{EXPECTED}: {len(tasks)} answers of mhn {versions['mhn']}")


def main():
    """Compare, or write the reference."""
    arguments = sys.argv[1:]
    job = reference if "--reference" in arguments else compare
    given = [each for each in arguments if not each.startswith("--")]
    if given:
        job(Path(given[0]))
        return
    with tempfile.TemporaryDirectory() as folder:
        job(environment(Path(folder)))


if __name__ == "__main__":
    main()
