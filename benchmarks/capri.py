"""CAPRI: one fit, the search for parents and the bootstrap, as ratios to rivals in the same run.

    .venv/bin/python benchmarks/capri.py

The rivals are hill climbing over sets of parents, as in R, and all sets, both in numpy; and the
floor: the pair counts of the resamples alone, without which no fit is possible. R's seconds (TRONCO
2.41.1, R 4.2.2, bnlearn 4.9, measured on 2026-11-15 on a similar, busy machine as CPU seconds): 1.7
for one fit with 100 resamples of 250 samples x 20 events, 12.8 for 500 x 50, and 158 for 100
bootstraps of 250 x 20. Times here are CPU seconds too.
"""

import time
from itertools import combinations

import numpy as np

from caprese import Capri, ForestRecipe, Noise, bootstrap
from caprese.fitting.parent_search import best_parent_sets
from caprese.fitting.prima_facie import Outcome
from caprese.simulation.replicates import Resamples

R_SECONDS = {(250, 20): 1.7, (500, 50): 12.8}
R_BOOTSTRAP = 158.0


def seconds(work, repeats):
    work()  # compiles
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def simulated(samples, events):
    rng = np.random.default_rng(1)
    forest = ForestRecipe(events=events).draw(rng)
    return Noise.uniform(0.1).corrupt(forest.sample(samples, rng), rng)


def set_score(values, parents, child):
    """BIC score of a set of parents."""
    states = values[:, list(parents)] @ (1 << np.arange(len(parents)))
    size = 2 ** len(parents)
    total = np.bincount(states, minlength=size)
    carriers = np.bincount(states[values[:, child]], minlength=size)
    parts = [carriers, total - carriers]
    likelihood = sum((part * np.log(np.maximum(part, 1))).sum() for part in parts)
    likelihood -= (total * np.log(np.maximum(total, 1))).sum()
    return likelihood - np.log(len(values)) / 2 * size


def climb(values, candidates, child):
    parents, now = (), set_score(values, (), child)
    while True:
        moves = [(*parents, k) for k in candidates if k not in parents]
        moves += [tuple(p for p in parents if p != k) for k in parents]
        scored = max(((set_score(values, move, child), move) for move in moves), default=(now, ()))
        if scored[0] <= now + 1.49e-8:
            return now
        now, parents = scored


def all_sets(values, candidates, child, most=5):
    sets = (s for k in range(most + 1) for s in combinations(candidates, min(k, len(candidates))))
    return max(set_score(values, own, child) for own in sets)


def fits():
    for (samples, events), theirs in R_SECONDS.items():
        data = simulated(samples, events)
        for label, method in (("share", Capri()), ("rank", Capri(decide="rank"))):
            ours = seconds(lambda method=method, data=data: method.fit(data), 10)
            print(
                f"{samples} x {events}, {label}: {1e3 * ours:.1f} ms a fit, R {theirs / ours:.0f}x"
            )
        floor = seconds(lambda data=data: Resamples.of(data, 1).counts(0, 100), 10)
        ours = seconds(lambda data=data: Capri().fit(data), 10)
        print(
            f"  floor, pair counts of 100 resamples: {1e3 * floor:.2f} ms; fit {ours / floor:.1f}x"
        )


def search():
    data = simulated(250, 20)
    candidates = Capri(resamples=0).fit(data).evidence.outcome >= Outcome.SCORE
    ours = seconds(lambda: best_parent_sets(data.values, None, data.events, candidates, "bic"), 10)
    own = [np.flatnonzero(column).tolist() for column in candidates.T]
    best = sum(
        each.score for each in best_parent_sets(data.values, None, data.events, candidates, "bic")
    )
    for name, rival in (("hill climbing", climb), ("all sets up to 5 parents", all_sets)):
        start = time.process_time()
        reached = sum(rival(data.values, own[child], child) for child in range(len(own)))
        taken = time.process_time() - start
        print(
            f"search, 250 x 20, up to {max(map(len, own))} candidates: {1e3 * ours:.2f} ms; {name} "
            f"{taken / ours:.0f}x, {best - reached:.3f} worse"
        )


def bootstraps():
    data = simulated(250, 20)
    ours = seconds(lambda: bootstrap(Capri(), data, replicates=100, jobs=1), 3)
    print(f"100 bootstraps of 250 x 20: {ours:.3f} s, R {R_BOOTSTRAP / ours:.0f}x")


def main():
    fits()
    search()
    bootstraps()


if __name__ == "__main__":
    main()
