"""False relations and false edges of CAPRI where events are independent.

    python verify/capri.py

Frequencies are drawn evenly from (0.05, 0.6). Printed are means, with standard errors, of the
candidates (relations that are prima facie) and of the edges of a data set of 10 events, decided by
the share of 100 resamples, by rank tests of them, or by the data itself.
"""

import numpy as np
from common import options, shown

from caprese import Capri, Dataset
from caprese.fitting.prima_facie import Outcome

EVENTS = 10
SAMPLES = (50, 100, 250, 1000)
DECISIONS = {
    "share": {},
    "rank tests": {"decide": "rank"},
    "rank tests, 1000 resamples": {"decide": "rank", "resamples": 1000},
    "data": {"resamples": 0},
}


def simulated(samples, seed):
    rng = np.random.default_rng(seed)
    values = rng.random((samples, EVENTS)) < rng.uniform(0.05, 0.6, EVENTS)
    return Dataset(values, tuple(f"e{k:02d}" for k in range(EVENTS)))


def counted(method, data):
    outcome = method.fit(data).evidence.outcome
    return (outcome >= Outcome.SCORE).sum(), (outcome == Outcome.PARENT).sum()


def main():
    given = options(__doc__, 200, 20).parse_args()
    for samples in SAMPLES:
        data = [simulated(samples, [given.seed, samples, k]) for k in range(given.data_sets)]
        for name, settings in DECISIONS.items():
            found = {
                score: np.array([counted(Capri(score=score, **settings), each) for each in data])
                for score in ("bic", "aic")
            }
            candidates = shown(found["bic"][:, 0])
            edges = ", ".join(f"{score} {shown(found[score][:, 1])}" for score in found)
            print(f"{samples} samples, {name}: candidates {candidates}, edges {edges}", flush=True)


if __name__ == "__main__":
    main()
