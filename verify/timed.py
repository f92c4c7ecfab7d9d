"""How well timed forests are found, and what known times and series add.

    python verify/timed.py PART [--data-sets N] [--quick]

`rates`: of a given forest of 8 events and 250 patients, the numbers of highest likelihood, where
no, half or all times are known: the mean error of logarithms of rates, their mean square error
beside that which the curvature predicts (the inverse information), and the gain over snapshots. An
event that no sample has, or all that have its parent, has no finite rate of highest likelihood, and
with few such samples the inverse information is not the variance: the errors are of the events that
the true forest lets expect in 20 samples, and missing after their parent in 20. Of the others the
share is printed that has no finite rate.
`orders`: the posterior, with no, half or all of the patients in series of two with known gaps: the
share of pairs of events in new samples whose order is called rightly, the mean probability stated.
`next-KIND`: the log-probability of the event that comes next in new samples, less that of `hcbn`,
of forests without a clock and of frequencies, on timed forests, timed posets, and the hazards and
the growth of `patients.py`; then with the gate: where the judgement of `timed` does not let it,
nothing is said of the next event, as by frequencies. `calibration`: 3 events drawn from the prior:
ranks of the true rates among the draws, which are uniform if the sampler is right. `speed`: series
of 5,000 patients with 15 events. Standard errors, over data sets, in parentheses.
"""

import time

import numpy as np
from common import gain, options, shown
from scipy.stats import kstest

from caprese import (
    HCBN,
    ROOT,
    BayesForest,
    Caprese,
    Dataset,
    IndependentEvents,
    LikelihoodForest,
    Noise,
    Patients,
    TimedForest,
    TimedForests,
    TimedPoset,
    judge,
)
from caprese._core.names import event_names
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.timed_likelihood import FLAT, TimedLikelihood, TimedPrior
from caprese.fitting.timed_sampler import TimedChains, sample_timed_forests
from caprese.fitting.timed_walk import search
from caprese.patients.predictor import predictor
from patients import KINDS

EVENTS, PATIENTS, NEW = 8, 250, 200
STEP = 0.02  # of a difference
LEAST = 20  # samples that are expected to tell of a rate
ERRORS = Noise(0.02, 0.05)
BRIEF = {"chains": 2, "draws": 60, "warm_up": 100, "thin": 2}
OTHERS = {
    "hcbn": HCBN(restarts=3),
    "caprese": Caprese(),
    "likelihood": LikelihoodForest(),
    "bayes": BayesForest(**BRIEF),
    "frequencies": IndependentEvents(),
}


def forest(rng, events=EVENTS):
    """Return a random timed forest: each event follows one of those before it, or the root."""
    parents = np.array([rng.integers(-1, event) if event else ROOT for event in range(events)])
    return TimedForest(event_names(events), parents, np.exp(rng.normal(0.0, 0.7, events)))


def patients(model, rng, *, number=PATIENTS, known=0.0, twice=0.0, noise=None):
    """Return samples, of which a share has known times, or a second one after a known gap."""
    times, first = model.event_times(number, rng), rng.exponential(size=number)
    second = first[: int(twice * number)] + rng.exponential(size=int(twice * number))
    at = np.concatenate([first, second])
    who = np.concatenate([np.arange(number), np.arange(len(second))])
    data = Dataset(times[who] <= at[:, None], model.events)
    seen = data if noise is None else noise.corrupt(data, rng)
    dated = np.arange(len(at)) < known * number if known else who < len(second)
    return seen.with_patients(Patients(tuple(map(str, who)), times=np.where(dated, at, np.nan)))


def rates(rng):
    """Return mean and mean square error of the rates, and the variance by the curvature.

    Then of all events the share that count here, and that have no finite rate.
    """
    true, found, infinite = forest(rng), [], []
    there = true.marginals()
    above = np.where(true.parents == ROOT, 1.0, there[true.parents])
    told = PATIENTS * np.minimum(there, above - there) >= LEAST
    if not told.any():
        return rates(rng)
    for known in (0.0, 0.5, 1.0):
        data = patients(true, rng, known=known)
        waited = np.where(true.parents == ROOT, True, data.values[:, true.parents])
        finite = data.values.any(axis=0) & (waited & ~data.values).any(axis=0)
        likelihood = TimedLikelihood(data, "known" if known else "unknown", Noise(), true.parents)
        tables = likelihood.tables()
        start = likelihood.start(likelihood.table.inward(true.parents))
        best = likelihood.maximum(tables, start, FLAT).point
        model = likelihood.model(best, data.events).forest
        scale = 1 / likelihood.unit if known else 1.0
        error = np.log(model.rates * scale / true.rates)[told & finite]
        inward = likelihood.table.positions
        variance = curvature(likelihood, tables, best, np.flatnonzero(finite[inward]))
        counted = told[inward][finite[inward]]
        found += [error.mean(), (error**2).mean(), variance[counted].mean()]
        infinite.append(~finite)
    return [*found, told.mean(), np.mean(infinite)]


def curvature(likelihood, tables, point, events):
    """Return the variance of the logarithm of the rate of each event by the inverse information."""
    matrix, steps = np.zeros((len(events),) * 2), np.eye(likelihood.events)[events] * STEP

    def height(step):
        moved = point._replace(logarithms=point.logarithms + step)
        return likelihood.height(tables, moved, FLAT)

    for i, one in enumerate(steps):
        for j, other in enumerate(steps[: i + 1]):
            across = height(one + other) + height(-one - other)
            second = across - height(one - other) - height(other - one)
            matrix[i, j] = matrix[j, i] = -second / (4 * STEP**2)
    return np.linalg.inv(matrix).diagonal()


def orders(rng):
    """Return the share of pairs called rightly and the mean probability stated, for each share."""
    true, found = forest(rng), []
    for twice in (0.0, 0.5, 1.0):
        data = patients(true, rng, twice=twice, noise=ERRORS)
        fit = TimedForests(times="gaps" if twice else "unknown", **BRIEF).fit(data)
        times, at = true.event_times(NEW, rng), rng.exponential(size=(NEW, 1))
        new = Dataset(times <= at, true.events)
        asked = [
            (row, i, j)
            for row, there in enumerate(new.values)
            for i in np.flatnonzero(there)
            for j in np.flatnonzero(there)
            if i < j
        ]
        stated = fit.predictive.order_probabilities(new, np.array(asked))
        came = np.array([times[row, i] < times[row, j] for row, i, j in asked])
        found += [np.mean((stated > 0.5) == came), np.mean(np.maximum(stated, 1 - stated))]
    return found


def drawn(kind, rng):
    """Return a random model of a kind."""
    if kind == "forests":
        return forest(rng)
    sets = [
        tuple(rng.choice(event, size=min(event, rng.integers(0, 3)), replace=False).tolist())
        for event in range(EVENTS)
    ]
    return TimedPoset(event_names(EVENTS), tuple(sets), np.exp(rng.normal(0, 0.7, EVENTS)))


def with_a_model(kind):
    """Return what draws data, and new samples with the chances of their next events."""

    def draw(rng):
        true = drawn(kind, rng)
        data = ERRORS.corrupt(true.sample(PATIENTS, rng), rng)
        truth = true.sample(NEW, rng)
        chances = true.next_rates(truth.values)
        return data, ERRORS.corrupt(truth, rng), chances

    return draw


def by_process(kind):
    """Return the same for a process of `patients.py`, of which the next events are drawn."""

    def draw(rng):
        samples = KINDS[kind](rng)
        data, _ = samples(PATIENTS, rng)
        new, after = samples(NEW, rng)
        return data, new, after[:, None] == np.arange(len(new.events))

    return draw


def following(draw):
    """Return what measures the log-probability of the next event, relative to other methods."""

    def gains(rng):
        data, new, chances = draw(rng)
        going = chances.sum(axis=1) > 0
        share = chances[going] / chances[going].sum(axis=1, keepdims=True)

        def score(model):
            said = np.maximum(model.next_probabilities(new)[going], 1e-4)
            return (share * np.log(said / said.sum(axis=1, keepdims=True))).sum(axis=1).mean()

        method = TimedForests(**BRIEF)
        own = score(method.fit(data).predictive)
        found = [own - score(each.fit(data).predictive) for each in OTHERS.values()]
        named = {"timed": method}
        says = predictor(judge(named, data), named, data).place(new).timed
        return [*found, found[-1] * says, says]

    return gains


def calibration(rng):
    """Return the rank of the true rate of one of 3 events among draws, from 0 to 1."""
    names = event_names(3)
    every = [p for p in np.ndindex(4, 4, 4) if _is_forest(np.array(p) - 1)]
    prior = ForestPrior()
    chances = np.exp([prior.log_probability(np.array(p) - 1) for p in every])
    parents = np.array(every[rng.choice(len(every), p=chances / chances.sum())]) - 1
    logits = rng.logistic(size=3)
    errors = [_below_half(rng), _below_half(rng)]
    model = TimedForest(names, parents, np.exp(logits))
    data = Noise(*errors).corrupt(model.sample(60, rng), rng)
    likelihood = TimedLikelihood(data, "unknown", None, np.full(3, ROOT))
    mode = search(likelihood, TimedPrior(), prior, [np.full(3, ROOT)])
    draws, _ = sample_timed_forests(
        likelihood, names, mode.point, prior=TimedPrior(), forests=prior,
        chains=TimedChains(chains=1, draws=60, warm_up=100, thin=8), seed=int(rng.integers(2**31)),
    )  # fmt: skip
    chance = np.exp(logits) / (1 + np.exp(logits))
    ranks = (draws.probabilities[0, :, 0] < chance).sum(axis=0)
    wrong = (draws.mean_rates[0] < errors).sum(axis=0)
    same = (draws.parents[0, :, 0] == parents).all(axis=1).mean()
    return [*((np.append(ranks, wrong) + rng.random(5)) / 61), same]


def _is_forest(parents):
    for event in range(3):
        steps, above = 0, event
        while above >= 0 and steps < 4:
            above, steps = parents[above], steps + 1
        if steps == 4:
            return False
    return True


def _below_half(rng):
    while True:
        rate = rng.beta(1, 20)
        if rate < 0.5:
            return rate


def speed(given):
    """Print how long the most probable forest of many series takes."""
    rng = np.random.default_rng(given.seed)
    number, events = (500, 8) if given.data_sets else (5000, 15)
    data = patients(forest(rng, events), rng, number=number, twice=1.0, noise=ERRORS)
    begin, cpu = time.perf_counter(), time.process_time()
    likelihood = TimedLikelihood(data, "gaps", None, np.full(events, ROOT))
    tables = likelihood.tables()
    point = likelihood.start(np.full(events, ROOT))
    likelihood.maximum(tables, point, TimedPrior())
    print(f"{number} series of two x {events} events: the numbers of a given forest", end=" ")
    print(f"{time.perf_counter() - begin:.0f} s, {time.process_time() - cpu:.0f} s of a core")


PARTS = {
    "rates": (rates, 200, [*(f"{name} with {k} % of times" for k in (0, 50, 100)
                             for name in ("mean error", "square", "predicted")),
                           "share of events that count", "share without a finite rate"]),
    "orders": (orders, 50, [f"{name} with {k} % in series" for k in (0, 50, 100)
                            for name in ("right", "stated")]),
    **{f"next-{kind}": (following(draw(kind)), 50, [*(f"over {name}" for name in OTHERS),
                        "over frequencies with the gate", "share of data sets that pass"])
       for draw, kinds in ((with_a_model, ("forests", "posets")),
                           (by_process, ("hazards", "growth"))) for kind in kinds},
    "calibration": (calibration, 400, [*(f"rank of rate {k}" for k in (1, 2, 3)),
                                       "rank of false positive", "rank of false negative",
                                       "share of the true forest"]),
}  # fmt: skip


def main():
    """Print one part, from fewer data sets with --quick."""
    parser = options(__doc__, data_sets=0, quick=5)
    parser.add_argument("part", choices=[*PARTS, "speed"])
    given = parser.parse_args()
    if given.part == "speed":
        return speed(given)
    measure, usual, names = PARTS[given.part]
    number = given.data_sets or usual
    rows = []
    for replicate in range(number):
        rows.append(measure(np.random.default_rng([given.seed, 61, replicate])))
        if (replicate + 1) % 10 == 0 or replicate + 1 == number:
            print(f"{replicate + 1} data sets")
            report(names, np.array(rows))
    return None


def report(names, rows):
    """Print the mean of each column; of ranks also the test of uniformity."""
    for name, column in zip(names, rows.T, strict=True):
        uniform = f", uniform with p = {kstest(column, 'uniform').pvalue:.2f}" * ("rank" in name)
        print(f"  {name}: {shown(column)}{uniform}")
    if "predicted with 0 % of times" in names:
        for k in (1, 2):
            gains = [gain(rows[:, c], rows[:, c + 3 * k]) for c in (1, 2)]
            print("  gain {}, predicted {}".format(*gains))
    print(flush=True)


if __name__ == "__main__":
    main()
