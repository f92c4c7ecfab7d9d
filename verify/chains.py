"""How often do the chains agree, with the lengths a fit takes by default?

    python verify/chains.py

Data of the paper's recipe, one tree and three, noise 0 to 0.2 in turn. Before that whole fits, of
one forest and with subtypes `auto`, to data that may have several modes: mixtures of forests,
hazard networks with exclusive events, growing tumours, and the embedded cohorts; each by two seeds,
whose probabilities of parents are compared.
"""

from time import process_time

import numpy as np
from common import growth, options, shown, simulated

from caprese import BayesForest, datasets
from caprese._core.names import event_names
from caprese.data.dataset import Dataset
from caprese.fitting.diagnostics import LEAST_EFFECTIVE, MOST_R_HAT, diagnostics
from caprese.fitting.forest_ascent import most_probable_forest, pairwise_starts
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.models.hazards import Hazards
from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe

SIZES = ((10, 100), (20, 50), (20, 250))
NOISE = (0.0, 0.05, 0.1, 0.2)
MIXTURES = ((2, 250, 8), (2, 400, 10), (2, 600, 12), (3, 250, 10), (3, 400, 12), (3, 600, 8),
            (2, 500, 12), (3, 500, 12))  # fmt: skip
NETWORKS = ((250, 8), (400, 10), (600, 12), (500, 12), (300, 12))
TUMOURS = ((250, 8), (500, 8), (400, 10))


def mixture(forests, samples, events):
    """Samples of several forests of two trees each, noise 0.06."""
    rng = np.random.default_rng([forests, samples, events, 1])
    recipe, kind = ForestRecipe(events=events, trees=2), rng.integers(0, forests, samples)
    rows = np.empty((samples, events), dtype=bool)
    for number in range(forests):
        drawn = Noise.uniform(0.06).corrupt(recipe.draw(rng).sample(samples, rng), rng)
        rows[kind == number] = drawn.values[kind == number]
    return Dataset(rows, drawn.events)


def network(samples, events):
    """Samples of a hazard network with exclusive events, which no forest explains."""
    rng = np.random.default_rng([events, samples, 0])
    effects = np.diag(rng.normal(-1.2, 0.9, events))
    others = (rng.random((events, events)) < 0.25) & ~np.eye(events, dtype=bool)
    effects[others] = rng.normal(0.6, 1.0, others.sum())
    one, other = rng.choice(events, 2, replace=False)
    effects[one, other] = effects[other, one] = -3.5
    return Hazards.from_log_theta(event_names(events), effects).sample(samples, rng)


def tumours(samples, events):
    rng = np.random.default_rng([events, samples, 1])
    return growth(events, rng)(samples, rng)[0]


def most_frequent(data, events):
    order = np.argsort(-data.values.mean(axis=0), kind="stable")[:events]
    return data.take_events([data.events[event] for event in np.sort(order)])


def multimodal(most):
    """Yield names and data sets, at most so many of each kind."""
    for draw, sizes in ((mixture, MIXTURES), (network, NETWORKS), (tumours, TUMOURS)):
        for size in sizes[:most]:
            yield f"{draw.__name__} {' x '.join(map(str, size))}", draw(*size)
    cohorts = {
        "ovarian": datasets.ovarian(),
        "acml, 17 events": datasets.acml_selected17(),
        "acml": datasets.acml(),
        "aml_trees, 12 events": most_frequent(datasets.aml_trees(), 12),
    }
    yield from list(cohorts.items())[:most]


def whole_fits(subtypes, most):
    """Fit all data sets by two seeds, and say how often the chains and the seeds agree."""
    checks, apart, errors, spent = [], [], [], []
    for name, data in multimodal(most):
        before = process_time()
        fits = [BayesForest(subtypes=subtypes, seed=seed).fit(data) for seed in (1, 2)]
        spent.append((process_time() - before) / 2)
        found = [fit.evidence.diagnostics for fit in fits]
        checks += [(each.r_hat, each.effective, not each.doubt) for each in found]
        chances = np.array([fit.evidence.parent_probabilities for fit in fits])
        size = max(1.0, min(each.effective for each in found))
        error = np.sqrt(2 * chances.mean(axis=0) * (1 - chances.mean(axis=0)) / size)
        gap = np.abs(chances[0] - chances[1])
        apart.append(gap.max())
        errors.append((gap / np.maximum(error, 1 / size)).max())
        told = "; ".join(each.doubt or "converged" for each in found)
        print(
            f"  {name}: R-hat {found[0].r_hat:.2f} {found[1].r_hat:.2f}, effective size "
            f"{found[0].effective:.0f} {found[1].effective:.0f}, apart by {gap.max():.3f}, "
            f"{spent[-1]:.1f} s of one core: {told}",
            flush=True,
        )
    r_hat, effective, converged = np.array(checks).T
    print(
        f"subtypes {subtypes}: R-hat at most {MOST_R_HAT} {shown(r_hat <= MOST_R_HAT)}, at most "
        f"1.2 {shown(r_hat <= 1.2)}, converged {shown(converged)}, median effective size "
        f"{np.median(effective):.0f}; two seeds apart by at most 0.1 "
        f"{shown(np.array(apart) <= 0.1)}, within four Monte Carlo errors "
        f"{shown(np.array(errors) <= 4)}; {np.sum(spent):.0f} s of one core",
        flush=True,
    )


def main():
    parser = options(__doc__, 40, 8)
    parser.add_argument("--whole-fits", action="store_true", help="only the second part")
    given = parser.parse_args()
    for subtypes in ("auto", 1):
        whole_fits(subtypes, 2 if given.data_sets < 40 else 8)
    for events, samples in () if given.whole_fits else SIZES:
        rows = []
        for number in range(given.data_sets):
            recipe = ForestRecipe(events=events, trees=(1, 3)[number % 2])
            nu = NOISE[number // 2 % len(NOISE)]
            _, data = simulated(recipe, nu, samples, [given.seed, events, samples, number])
            starts = pairwise_starts(data)
            starts = [most_probable_forest(data, starts=starts).forest.parents, *starts]
            before = process_time()
            running = RunningChains(data, seed=number, jobs=1, chains=Chains(), starts=starts)
            found = running.finished()
            spent = process_time() - before
            check = diagnostics(found)
            rows.append((check.r_hat, check.effective, spent))
        r_hat, effective, spent = np.array(rows).T
        print(
            f"{events} x {samples}: R-hat at most {MOST_R_HAT} {shown(r_hat <= MOST_R_HAT)}, "
            f"effective size at least {LEAST_EFFECTIVE:.0f} {shown(effective >= LEAST_EFFECTIVE)}, "
            f"both {shown((r_hat <= MOST_R_HAT) & (effective >= LEAST_EFFECTIVE))}; "
            f"median effective size {np.median(effective):.0f}, "
            f"{np.median(spent):.1f} s of one core",
            flush=True,
        )


if __name__ == "__main__":
    main()
