"""Are subtypes told apart where there are some, and only one found where there is one?

    python verify/subtypes.py

Two forests of the paper's recipe, 10 events in two trees each, are mixed half and half. Their
separation is the mean log-likelihood ratio, in nats a sample, of the true forest against the
other. `auto` is to find one subtype with more than 5 % of the samples in data of one forest in at
least 90 of 100.

And what partially pooled error rates are worth, where the rates of two subtypes are the same, and
where they are not: how much worse new samples are predicted than by the truth.
"""

import numpy as np
from common import options, shown, simulated

from caprese import BayesForest
from caprese.data.dataset import Dataset
from caprese.fitting.forest_sampler import AUTO_COMPONENTS, Chains, RunningChains
from caprese.models.forest import NoisyForest
from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe

NU = 0.05


def adjusted_rand_index(one, other):
    """Agreement of two partitions, 0 on average by chance (Hubert and Arabie 1985)."""
    table = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(table, (one, other), 1)

    def pairs(x):
        return (x * (x - 1) / 2).sum()

    rows, columns = pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    expected = rows * columns / pairs(np.array([table.sum()]))
    return float((pairs(table) - expected) / ((rows + columns) / 2 - expected))


def two_subtypes(seed, samples, events):
    rng = np.random.default_rng(seed)
    recipe = ForestRecipe(events=events, trees=2)
    forests = recipe.draw(rng), recipe.draw(rng)
    noise = Noise.uniform(NU)
    kind = rng.permutation(np.arange(samples) % 2)
    parts = [noise.corrupt(forest.sample(samples, rng), rng) for forest in forests]
    data = Dataset(np.where(kind[:, None], parts[1].values, parts[0].values), parts[0].events)
    heights = [NoisyForest(forest, noise).log_probabilities(data) for forest in forests]
    ratio = np.where(kind, heights[1] - heights[0], heights[0] - heights[1])
    return data, kind, ratio.mean(), (heights[1] > heights[0]).astype(int)


def best_chain_members(found, data):
    """Return the most probable component of each sample, in the chain of highest likelihood."""
    chains, draws = found.log_likelihood.shape
    best = found.log_likelihood.mean(axis=1).argmax()
    shares = found.component_probabilities(data).reshape(chains, draws, found.components, -1)
    return shares[best].mean(axis=0).argmax(axis=0)


RATES = {
    "the same rates": (Noise(0.05, 0.08), Noise(0.05, 0.08)),
    "different rates": (Noise(0.01, 0.03), Noise(0.12, 0.2)),
}


def pooled_rates(data_sets, seed, samples=300, new=1000):
    """Print the loss of prediction of each kind, and how often draws have rates of their own."""
    for name, noises in RATES.items():
        losses, apart = [], []
        for number in range(data_sets):
            rng = np.random.default_rng([seed, 11, number])
            recipe = ForestRecipe(events=10, trees=2)
            truth = [NoisyForest(recipe.draw(rng), noise) for noise in noises]
            parts = [each.sample((samples + new) // 2, rng) for each in truth]
            data = Dataset(np.vstack([part.values for part in parts]), parts[0].events)
            order = rng.permutation(samples + new)
            train, rest = data.take_samples(order[:samples]), data.take_samples(order[samples:])
            fit = BayesForest(subtypes=2, seed=number).fit(train)
            right = np.logaddexp(*(each.log_probabilities(rest) for each in truth)) - np.log(2)
            losses.append((right - fit.predictive.log_probabilities(rest)).mean())
            rates = fit.posterior.rates
            apart.append((rates[..., 0, :] != rates[..., 1, :]).any(axis=-1).mean())
        print(
            f"{name}: {shown(losses)} nats a sample worse than the truth; rates differ in "
            f"{np.mean(apart):.2f} of the draws",
            flush=True,
        )


def main():
    parser = options(__doc__, 100, 10)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--rates", action="store_true", help="only partially pooled rates")
    given = parser.parse_args()
    pooled_rates(max(3, given.data_sets // 10), given.seed)
    if given.rates:
        return
    chains = Chains(draws=60, thin=3, warm_up=200)
    rows = []
    for number in range(max(1, given.data_sets // 5)):
        data, kind, separation, oracle = two_subtypes([given.seed, number], given.samples, 10)
        indices = [separation, adjusted_rand_index(oracle, kind)]
        for components, dirichlet in ((2, 1.0), (AUTO_COMPONENTS, None)):
            found = RunningChains(
                data, seed=number, components=components, dirichlet=dirichlet, jobs=1,
                chains=chains,
            ).finished()  # fmt: skip
            indices.append(adjusted_rand_index(best_chain_members(found, data), kind))
            indices.append(float((found.weights > 0.05).sum(axis=-1).mean()))
            indices.append(float(np.ptp(found.log_likelihood.mean(axis=1))))
        rows.append(indices)
        print(number, np.round(rows[-1], 2), flush=True)
    rows = np.array(rows)
    order = np.argsort(rows[:, 0])
    print("separation, adjusted Rand index: of the true forests, K = 2, auto; subtypes in use")
    for part in np.array_split(order, min(4, len(order))):
        print("  ".join(f"{value:.2f}" for value in rows[part][:, [0, 1, 2, 5, 6]].mean(axis=0)))
    ones = []
    for number in range(given.data_sets):
        recipe = ForestRecipe(events=10, trees=1 + number % 2)
        samples = (200, 350, 500)[number % 3]
        _, data = simulated(recipe, 0.1, samples, [given.seed, 7, number])
        found = RunningChains(
            data, seed=number, components=AUTO_COMPONENTS, dirichlet=None, jobs=1,
            chains=chains,
        ).finished()  # fmt: skip
        ones.append(np.median((found.weights > 0.05).sum(axis=-1)) == 1)
    if ones:
        print(f"one subtype found in data of one forest: {shown(ones)} of {len(ones)}")


if __name__ == "__main__":
    main()
