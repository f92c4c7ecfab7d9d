"""What known times and series of samples add to fits of mutual hazard networks.

    python verify/timed_hazards.py [--data-sets 200] [--quick]

Networks of 8 events: logarithms of base rates with mean -0.5 and deviation 0.5, of effects normal
with deviation 0.5, the prior of the fits (a penalty on squares, of the strength that belongs to
it). Of 250 patients each is sampled once at an exponential time, of which 0, 50 or 100 % are known;
or 0, 50 or 100 % of the patients twice, with the time between unknown. Printed for each: the mean
error of the logarithms of base rates, in the unit of the true times, and their root mean square
error beside that which the curvature at the fit predicts (the inverse information); the same for
effects; the gain, the ratio of mean squared errors to those of snapshots, beside that predicted;
and over 200 new samples of each network the share of pairs of events whose order is called rightly,
beside the mean probability that is stated. Standard errors, over data sets, in parentheses.
"""

import numpy as np
from common import gain, options, shown

from caprese import Dataset, Hazards, Patients
from caprese._core.names import event_names
from caprese.fitting.hazards_ascent import Objective, Observations, as_hazards, observations

EVENTS, PATIENTS, NEW = 8, 250, 200
DEVIATION = 0.5  # of effects, as logarithms
STEP = 1e-4
CASES = (
    ("snapshots", "unknown", 0.0),
    ("50 % of times known", "known", 0.5),
    ("all times known", "known", 1.0),
    ("50 % in series of two", "order", 0.5),
    ("all in series of two", "order", 1.0),
)


def truth(rng):
    """Return a network drawn from the prior."""
    effects = rng.normal(0, DEVIATION, (EVENTS, EVENTS))
    np.fill_diagonal(effects, 0)
    return Hazards(event_names(EVENTS), np.exp(rng.normal(-0.5, 0.5, EVENTS)), np.exp(effects))


def walked(model, start, times, rng):
    """Let events come to each genotype for a time of its own."""
    found, left, going = start.copy(), times.copy(), np.arange(len(times))
    while going.size:
        rates = model.next_rates(found[going]).cumsum(axis=1)
        wait = rng.exponential(size=going.size) / np.maximum(rates[:, -1], 1e-300)
        comes = wait < left[going]
        going, rates = going[comes], rates[comes]
        left[going] -= wait[comes]
        drawn = rng.random(going.size) * rates[:, -1]
        found[going, (drawn[:, None] >= rates).sum(axis=1)] = True
    return found


def histories(model, times, share, rng):
    """Return the data of patients, of which a share has known times or a second sample."""
    first = rng.exponential(size=PATIENTS)
    rows = walked(model, np.zeros((PATIENTS, EVENTS), dtype=bool), first, rng)
    names = tuple(map(str, range(PATIENTS)))
    chosen = np.arange(PATIENTS) < share * PATIENTS
    if times != "order":
        data = Dataset(rows, model.events)
        return data.with_patients(Patients(names, times=np.where(chosen, first, np.nan)))
    later = walked(model, rows[chosen], rng.exponential(size=chosen.sum()), rng)
    data = Dataset(np.vstack([rows, later]), model.events)
    at = np.concatenate([np.zeros(PATIENTS), np.ones(chosen.sum())])
    return data.with_patients(Patients((*names, *np.array(names)[chosen]), times=at))


def fitted(data, times):
    """Return the network, its unit of time, and the variances that the curvature predicts."""
    seen = observations(data) if times == "unknown" else Observations.in_time(data, times)
    objective = Objective("l2", 1 / (2 * PATIENTS * DEVIATION**2), observation=False)
    found = objective.maximum(seen, seen.times).parameters
    first, (low, high) = objective.start_and_bounds(seen, seen.times)
    free = np.flatnonzero(low.ravel() < high.ravel())
    curvature = []
    for place in free.tolist():
        step = np.zeros(first.size)
        step[place] = STEP
        sides = [
            objective.value(found + way * step.reshape(first.shape), seen, seen.times)[1]
            for way in (1, -1)
        ]
        curvature.append((sides[1] - sides[0]).ravel()[free] / (2 * STEP) * PATIENTS)
    variances = np.full(first.size, np.nan)
    variances[free] = np.linalg.inv((np.array(curvature) + np.array(curvature).T) / 2).diagonal()
    model = as_hazards(seen.events, seen.stated(found)).in_order(data.events)
    unit = seen.series.mean_time(seen.pace(found)) if times == "known" else 1.0
    return model, unit, variances.reshape(first.shape)[:, :EVENTS]


def of_orders(model, true, rng):
    """Return the share of pairs whose order is called rightly, and the mean probability stated."""
    drawn = true.trajectories(NEW, rng)
    rows, first, second = [], [], []
    for row, times in enumerate(drawn.times):
        there = np.flatnonzero(~np.isnan(times))
        for i in there:
            for j in there[there > i]:
                rows.append((row, i, j))
                first.append(times[i])
                second.append(times[j])
    stated = model.order_probabilities(drawn.data, np.array(rows))
    came = np.array(first) < np.array(second)
    return np.mean((stated > 0.5) == came), np.mean(np.maximum(stated, 1 - stated))


def measured(model, case, rng):
    """Return what is asked of one fit."""
    _, times, share = case
    found, unit, variances = fitted(histories(model, times, share, rng), times)
    rates = np.log(found.rates / unit / model.rates)
    among = ~np.eye(EVENTS, dtype=bool)
    effects = np.log(found.effects / model.effects)[among]
    return np.array(
        [
            rates.mean(),
            (rates**2).mean(),
            variances.diagonal().mean(),
            (effects**2).mean(),
            variances[among].mean(),
            *of_orders(found, model, rng),
        ]
    )


def main():
    """Print the table, from fewer data sets with --quick."""
    given = options(__doc__, data_sets=200, quick=5).parse_args()
    found = {name: [] for name, *_ in CASES}
    for replicate in range(given.data_sets):
        for case in CASES:
            rng = np.random.default_rng([given.seed, 35, replicate])
            found[case[0]].append(measured(truth(rng), case, rng))
        if (replicate + 1) % 20 == 0 or replicate + 1 == given.data_sets:
            print(f"{replicate + 1} data sets")
            report({name: np.array(rows) for name, rows in found.items()})


def report(found):
    """Print a table of all cases."""
    plain = found[CASES[0][0]]
    for name, rows in found.items():
        error, square, variance, of_effects, stated, right, sure = rows.T
        print(name)
        print(f"  base rates: mean error {shown(error)}")
        print(f"  root mean square {np.sqrt(square.mean()):.3f}, by the curvature", end=" ")
        print(f"{np.sqrt(variance.mean()):.3f}; effects {np.sqrt(of_effects.mean()):.3f}", end=", ")
        print(f"by the curvature {np.sqrt(stated.mean()):.3f}")
        gains = [gain(plain[:, k], rows[:, k]) for k in (1, 2, 3, 4)]
        print("  gain: base rates {}, predicted {}; effects {}, {}".format(*gains))
        print(f"  orders called rightly {shown(right)}, stated {shown(sure)}", flush=True)


if __name__ == "__main__":
    main()
