"""Are samples placed where they are, and does what is told to come next come next?

    python verify/patients.py

By default: truths of five kinds (timed forests and posets, hazard networks, tumours that grow and
are seen by their size, independent events), 8 events, 250 samples without errors; the log score of
the event that truly comes next in 500 other samples, over that of the frequencies. It must not be
below zero by more than two standard errors in any kind, and positive in three; stated
probabilities must be right within 0.05 in each tenth of 500 predictions. With 2 % and 10 % errors,
genotypes must not be worse than they were observed.

    python verify/patients.py --kind growth --determined --data-sets 40

How far a cohort determines what comes next: networks with effects on observation and without are
fitted to 4,000 samples, by which both make them as probable, and compared in what they say.

Standard errors are over data sets.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from common import growth, mean_and_error, options, shown

from caprese import judge
from caprese._core.names import event_names
from caprese.data.dataset import Dataset
from caprese.fitting.forest_sampler import Chains
from caprese.methods import HCBN, MHN, BayesForest, Caprese, LikelihoodForest, Stack
from caprese.methods.independence import IndependentEvents
from caprese.methods.registry import parse_method
from caprese.models.forest import NoisyForest
from caprese.models.hazards import Hazards
from caprese.models.noise import Noise
from caprese.models.poset import TimedPoset
from caprese.patients.place import place
from caprese.patients.predictor import predictor
from caprese.simulation.random_models import DagRecipe, ForestRecipe

EVENTS, SAMPLES = 10, 250
TENTHS = np.linspace(0, 1, 11)
BRIEF = Chains(chains=2, draws=250, thin=2, warm_up=150)
BAYES = BayesForest(
    chains=BRIEF.chains, draws=BRIEF.draws, thin=BRIEF.thin, warm_up=BRIEF.warm_up, keep=200
)
METHODS = {"caprese": Caprese(), "likelihood": LikelihoodForest(), "bayes": BAYES}


TIMED = METHODS | {"hcbn": HCBN(restarts=2)}


def models_for(truth, data, methods=METHODS):
    """Return the true model, and those of each method."""
    return {"the model itself": truth} | {
        name: method.fit(data).predictive for name, method in methods.items()
    }


def tenths(stated, true):
    """Return how many there are in each tenth, what was stated and what was true, as sums."""
    place = np.minimum(np.digitize(stated.ravel(), TENTHS) - 1, 9)
    weights = (np.ones(stated.size), stated.ravel(), true.ravel())
    return np.array([np.bincount(place, each, minlength=10) for each in weights])


def show_tenths(title, sums):
    """Print stated and true shares; sums is data sets x 3 x tenths."""
    sums = np.array(sums)
    total = sums.sum(axis=0)
    print(f"{title}: stated, came true (standard error), cases")
    for k in np.flatnonzero(total[0]):
        share = total[2, k] / total[0, k]
        error = np.sqrt(((sums[:, 2, k] - share * sums[:, 0, k]) ** 2).sum()) / total[0, k]
        print(f"  {total[1, k] / total[0, k]:.3f}  {share:.3f} ({error:.3f})  {int(total[0, k])}")
    worst = np.abs(total[1] - total[2])[total[0] > 500] / total[0][total[0] > 500]
    print(f"  largest difference in a tenth of over 500 cases: {worst.max():.3f}", flush=True)


def corrections(data_sets, seed):
    """Print calibration of event probabilities, and wrong entries before and after."""
    wrong = {nu: {} for nu in (0.05, 0.1, 0.2)}
    calibration = {}
    for nu in wrong:
        for number in range(data_sets):
            rng = np.random.default_rng([seed, 1, round(1000 * nu), number])
            forest = ForestRecipe(events=EVENTS, trees=1 + number % 3).draw(rng)
            before = forest.sample(SAMPLES, rng)
            data = Noise.uniform(nu).corrupt(before, rng)
            given = {"bayes, rates given": replace(BAYES, noise=Noise.uniform(nu))}
            models = models_for(NoisyForest(forest, Noise.uniform(nu)), data, METHODS | given)
            wrong[nu].setdefault("as observed", []).append((data.values != before.values).mean())
            for name, model in models.items():
                placed = place(model, data, simulated=10, corrected=True)
                wrong[nu].setdefault(name, []).append((placed.genotypes != before.values).mean())
                sums = tenths(placed.event_probabilities, before.values)
                calibration.setdefault(name, []).append(sums)
    print(f"share of wrong entries, {EVENTS} events x {SAMPLES} samples (standard error)")
    for name in wrong[0.05]:
        print(f"  {name:18}", *(f"nu {nu}: {shown(wrong[nu][name])}" for nu in wrong))
    for name, sums in calibration.items():
        show_tenths(f"events truly there, {name}", sums)


def trajectory(poset, samples, rng):
    """Return genotypes at the time of observation, and the event that comes next (-1: none)."""
    observed = rng.exponential(size=samples)
    times = rng.exponential(size=(samples, len(poset.events))) / poset.rates
    for event in poset.order:
        if poset.parent_sets[event]:
            times[:, event] += times[:, list(poset.parent_sets[event])].max(axis=1)
    later = np.where(times > observed[:, None], times, np.inf)
    following = np.where(np.isfinite(later).any(axis=1), later.argmin(axis=1), -1)
    return Dataset(times <= observed[:, None], poset.events), following


def timed(order, rng):
    rates = np.exp(rng.uniform(np.log(0.3), np.log(5), len(order.events)))
    sets = tuple(tuple(np.flatnonzero(column)) for column in order.adjacency().T)
    return TimedPoset(order.events, sets, rates)


def next_scores(model, data, following):
    """Return the mean log score of the next event, and the sums for its calibration."""
    return scores_of(model.next_probabilities(data), following)


def scores_of(chances, following):
    chances = np.maximum(chances, 1e-4)
    rows = np.flatnonzero(following >= 0)
    hits = np.zeros(chances.shape)
    hits[rows, following[rows]] = 1
    return np.log(chances[rows, following[rows]]).mean(), tenths(chances[rows], hits[rows])


def next_events(kind, recipe, data_sets, seed):
    """Print the gain of next-event predictions over the most frequent absent event."""
    gains, calibration = {}, {}
    for number in range(data_sets):
        rng = np.random.default_rng([seed, 2, len(kind), number])
        truth = timed(recipe.draw(rng), rng)
        data, _ = trajectory(truth, SAMPLES, rng)
        test, after = trajectory(truth, SAMPLES, rng)
        base, _ = next_scores(IndependentEvents().fit(data).predictive, test, after)
        for name, model in models_for(truth, data, TIMED).items():
            score, sums = next_scores(model, test, after)
            gains.setdefault(name, []).append(score - base)
            calibration.setdefault(name, []).append(sums)
    print(f"next event, {kind}: gain in nats over the most frequent absent event (standard error)")
    for name, values in gains.items():
        print(f"  {name:17} {shown(values)}")
    for name, sums in calibration.items():
        show_tenths(f"next event, {kind}, {name}", sums)


def of_forest(rng):
    return partial(trajectory, timed(ForestRecipe(events=FEW, trees=2).draw(rng), rng))


def of_poset(rng):
    return partial(trajectory, timed(DagRecipe(events=FEW, max_parents=3).draw(rng), rng))


def of_hazards(rng):
    shape = (FEW, FEW)
    effects = np.where(rng.random(shape) < 1 / 3, rng.normal(0, 1, shape), 0)
    np.fill_diagonal(effects, 0.0)
    model = Hazards(event_names(FEW), np.exp(rng.normal(-0.7, 0.7, FEW)), np.exp(effects))

    def draw(samples, rng):
        data = model.sample(samples, rng)
        return data, chosen(model.next_rates(data.values), rng)

    return draw


def of_independent(rng):
    """Events of independent times, seen at the same time in all samples."""
    rates = -np.log1p(-rng.uniform(0.05, 0.6, FEW))

    def draw(samples, rng):
        there = rng.random((samples, FEW)) < -np.expm1(-rates)
        return Dataset(there, event_names(FEW)), chosen(np.where(there, 0, rates), rng)

    return draw


def chosen(rates, rng):
    """Return the event that comes next by its rate in each row; -1 if none may."""
    times = rng.exponential(size=rates.shape) / np.maximum(rates, 1e-300)
    return np.where((rates > 0).any(axis=1), times.argmin(axis=1), -1)


FEW, TESTED, MANY = 8, 500, 4000
KINDS = {
    "forest": of_forest,
    "poset": of_poset,
    "hazards": of_hazards,
    "growth": partial(growth, FEW),
    "independent": of_independent,
}


JUDGED = ("independence", "caprese", "mhn", "mhn:observation=yes")
SHORT = "bayes:chains=2:draws=125:warm_up=100"


def by_default(data, noise=None):
    """Return what samples are placed by without a method, as `caprese patients` has it.

    The methods are those it takes, but with brief chains and without subtypes.
    """
    methods = {name: parse_method(name) for name in (*JUDGED[1:], SHORT, "hcbn", "cbn")}
    methods["stack"] = Stack(parts=(*JUDGED, SHORT))
    return predictor(judge(methods, data), methods, data, noise=noise)


def next_by_default(kind, data_sets, seed):
    """Print the gain of next events, by default and by single methods, over frequencies.

    Where nothing is said of the next event, it is by the frequencies, and the gain is 0.
    """
    gains, calibration, silent = {}, {}, 0
    for number in range(data_sets):
        rng = np.random.default_rng([seed, 3, list(KINDS).index(kind), number])
        draw = KINDS[kind](rng)
        data, _ = draw(SAMPLES, rng)
        test, after = draw(TESTED, rng)
        frequencies = IndependentEvents().fit(data).predictive
        base, _ = next_scores(frequencies, test, after)
        placed = by_default(data).place(test)
        silent += not placed.timed
        chances = {
            "by default": placed.next_probabilities
            if placed.timed
            else frequencies.next_probabilities(test)
        }
        for name, method in TIMED.items():
            chances[name] = method.fit(data).predictive.next_probabilities(test)
        for name, own in chances.items():
            score, sums = scores_of(own, after)
            gains.setdefault(name, []).append(score - base)
            calibration.setdefault(name, []).append(sums)
    print(f"next event, {kind}: gain in nats over frequencies; nothing said in {silent} data sets")
    for name, values in gains.items():
        print(f"  {name:17} {shown(values)}")
    show_tenths(f"next event, {kind}, by default", calibration["by default"])


def determined(kind, data_sets, seed):
    """Print what networks with and without effects on observation say after many samples."""
    rows = {name: [] for name in ("log-likelihood", "difference", "gain without", "gain with")}
    for number in range(data_sets):
        rng = np.random.default_rng([seed, 3, list(KINDS).index(kind), number])
        draw = KINDS[kind](rng)
        data, _ = draw(MANY, rng)
        test, after = draw(3000, rng)
        base, _ = next_scores(IndependentEvents().fit(data).predictive, test, after)
        fits = [
            MHN(penalty_strength=4 / MANY, observation=each).fit(data).model
            for each in (False, True)
        ]
        said = np.array([model.next_probabilities(test) for model in fits])
        likely = [model.log_probabilities(data).mean() for model in fits]
        rows["log-likelihood"].append(likely[1] - likely[0])
        rows["difference"].append(abs(said[1] - said[0])[after >= 0].sum(axis=1).mean() / 2)
        for name, own in zip(("gain without", "gain with"), said, strict=True):
            rows[name].append(scores_of(own, after)[0] - base)
    print(
        f"{kind}, {MANY} samples, networks with and without effects on observation: log-likelihood"
    )
    print("per sample, total variation of the next event, and gain over frequencies")
    for name, values in rows.items():
        print(f"  {name:17} {np.mean(values):.4f} ({mean_and_error(values)[1]:.4f})")


def corrections_by_default(kind, data_sets, seed):
    """Print the share of wrong entries before and after, with 2 % and 10 % errors."""
    wrong, noise = {}, Noise(0.02, 0.1)
    for number in range(data_sets):
        rng = np.random.default_rng([seed, 4, list(KINDS).index(kind), number])
        before, _ = KINDS[kind](rng)(SAMPLES, rng)
        data = noise.corrupt(before, rng)
        estimated, given = by_default(data), by_default(data, noise)
        for name, placed in (
            ("by default", estimated.place(data)),
            ("rates given", given.place(data)),
            ("mhn, rates given", place(MHN(noise=noise).fit(data), data, corrected=True)),
            ("rates estimated", place(estimated.fit, data, corrected=True)),
        ):
            wrong.setdefault(name, []).append((placed.genotypes != before.values).mean())
        wrong.setdefault("as observed", []).append((data.values != before.values).mean())
    print(f"share of wrong entries, {kind}")
    for name, values in wrong.items():
        print(f"  {name:17} {shown(values)}")


def hidden_entries(data_sets, seed):
    """Print how much better a hidden entry is predicted than by the frequency of its event."""
    gains = {}
    for number in range(data_sets):
        rng = np.random.default_rng([seed, 3, number])
        forest = ForestRecipe(events=EVENTS, trees=1 + number % 3).draw(rng)
        noise = Noise.uniform(0.1)
        data = noise.corrupt(forest.sample(SAMPLES, rng), rng)
        test = noise.corrupt(forest.sample(SAMPLES, rng), rng)
        known = rng.random(test.values.shape) >= 0.2
        partly = Dataset(test.values, test.events, known=known)
        frequency = IndependentEvents().fit(data).predictive.frequencies
        base = hidden_score(np.broadcast_to(frequency, known.shape), test.values, ~known)
        for name, model in models_for(NoisyForest(forest, noise), data).items():
            truth = place(model, partly, simulated=10).event_probabilities
            seen = seen_probability(model, truth)
            gains.setdefault(name, []).append(hidden_score(seen, test.values, ~known) - base)
    print("a fifth of the entries hidden, nu 0.1: gain in nats over the frequency, per entry")
    for name, values in gains.items():
        mean, error = mean_and_error(values)
        print(f"  {name:17} {mean:.3f} ({error:.3f})")


def seen_probability(model, truth):
    """Return the probability to observe an event that is there with this probability."""
    noise = model.noise
    return noise.false_positive + noise.signal * truth


def hidden_score(chance, values, hidden):
    chance = np.clip(chance, 1e-6, 1 - 1e-6)
    return np.log(np.where(values, chance, 1 - chance))[hidden].mean()


def main():
    parser = options(__doc__, 100, 5)
    parser.add_argument("--kind", choices=KINDS, help="only what is said of it by default")
    parser.add_argument("--determined", action="store_true", help="of this kind, only that")
    given = parser.parse_args()
    if given.determined:
        determined(given.kind or "growth", given.data_sets // 5, given.seed)
        return
    for kind in [given.kind] if given.kind else KINDS:
        next_by_default(kind, given.data_sets // 5, given.seed)
        corrections_by_default(kind, max(2, given.data_sets // 20), given.seed)
    if given.kind:
        return
    corrections(given.data_sets, given.seed)
    next_events("forest", ForestRecipe(events=EVENTS, trees=2), given.data_sets, given.seed)
    next_events("poset", DagRecipe(events=EVENTS, max_parents=3), given.data_sets, given.seed)
    hidden_entries(given.data_sets, given.seed)


if __name__ == "__main__":
    main()
