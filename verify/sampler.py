"""Is the sampler right? Enumeration, a joint (Geweke) test, simulation-based calibration.

    python verify/sampler.py

Everything printed should look like chance: total variation distances of the size Monte Carlo
error has, z-scores like standard normal ones, ranks spread evenly, intervals covering in 90 %.
"""

from collections import Counter

import numpy as np
from common import BRIEF, codes_draw, dataset, options, prior_draw
from scipy.stats import chi2, kstest

import forest_definitions as definitions
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.kernels.forest_messages import Table
from caprese.kernels.forest_sampler import sweep
from caprese.kernels.sweep_room import Settings, State
from caprese.models.forest import Forest
from caprese.models.noise import Noise


def enumeration(seed):
    """Five events without errors: all 1,296 forests against the closed form."""
    rng = np.random.default_rng(seed)
    prior = ForestPrior()
    for parents in ((-1, 0, 0, -1, 3), (-1, -1, -1, -1, -1), (-1, 0, 1, 2, 3)):
        forest = Forest(tuple("abcde"), parents, rng.uniform(0.5, 0.95, 5))
        data = forest.sample(8, rng)
        exact = definitions.error_free_posterior(
            data.values.astype(int), prior.first, prior.second, prior.uniform(5)
        )
        samples = RunningChains(
            data, seed=seed, noise=Noise(0, 0), prior=prior, jobs=1,
            chains=Chains(chains=4, draws=50_000, thin=1, warm_up=500),
        ).finished()  # fmt: skip
        drawn = samples.parents.reshape(-1, 5)
        found = Counter(map(tuple, drawn.tolist()))
        distance = 0.5 * sum(abs(found[key] / len(drawn) - value) for key, value in exact.items())
        possible = sum(value > 0 for value in exact.values())
        print(
            f"five events, {possible:4d} possible forests: total variation {distance:.4f}",
            flush=True,
        )


def joint_test(events, samples, rounds, components, dirichlet, seed, prior):
    """Alternate data given parameters and parameters given data; compare with prior draws."""
    rng = np.random.default_rng(seed)
    parents, theta, rates, weights = prior_draw(prior, events, seed, components, dirichlet)
    with np.errstate(divide="ignore"):
        log_weights = np.maximum(np.log(weights), -700)
    state = State(
        parents, theta, rates, log_weights, np.zeros((components, samples)),
        np.array([seed], dtype=np.uint64),
        np.tile([0.0, 0, 0, 1.0, 0.0, 1.0, -0.5], (components + 1, 1)),
        np.zeros(7, dtype=np.int64), np.zeros(7, dtype=np.int64),
        np.array([dirichlet or 0.1]), np.array(rates[0]), np.zeros(components, dtype=np.int64),
    )  # fmt: skip
    settings = Settings(prior.kernel_prior(events), True, dirichlet, 2, 1, 2)
    chain = np.empty((rounds, len(_statistics(parents, theta, rates, weights))))
    for number in range(rounds):
        weights = np.exp(log_weights)
        codes = codes_draw(parents, theta, rates, weights / weights.sum(), samples, rng)
        sweep(Table.of(np.ascontiguousarray(codes.T), np.ones(samples)), state, settings)
        chain[number] = _statistics(parents, theta, rates, np.exp(log_weights))
    direct = np.array(
        [
            _statistics(*prior_draw(prior, events, [seed, number], components, dirichlet))
            for number in range(rounds)
        ]
    )
    batches = chain.reshape(50, -1, chain.shape[1]).mean(axis=1)
    error = np.hypot(batches.std(axis=0, ddof=1) / 50**0.5, direct.std(axis=0) / rounds**0.5)
    accepted = np.asarray(state.accepted)[5:] / np.maximum(state.tried, 1)[5:]
    return (chain.mean(axis=0) - direct.mean(axis=0)) / np.maximum(error, 1e-12), accepted


NAMES = ("fp", "fn", "fp^2", "fn^2", "fp fn", "theta", "theta^2", "roots", "roots^2", "1 above 0",
         "theta fp", "largest weight", "alike", "fp of two", "edges of the heaviest")  # fmt: skip


def _statistics(parents, theta, rates, weights):
    roots = (parents < 0).sum(axis=1)
    first, heaviest = rates[0], np.argmax(weights)
    return np.array(
        [
            first[0], first[1], first[0] ** 2, first[1] ** 2, first[0] * first[1],
            theta[:, 0].mean(), (theta[:, 0] ** 2).mean(), roots.mean(), (roots**2).mean(),
            (parents[:, 0] == 1).mean() if parents.shape[1] > 1 else 0, theta[0, 0] * first[0],
            max(weights), first[0] == rates[-1, 0], first[0] * rates[-1, 0],
            (parents[heaviest] >= 0).sum(),
        ]
    )  # fmt: skip


def geweke(rounds, seed):
    for components, dirichlet in ((1, 1.0), (2, 1.0), (3, 0.3), (2, 0.0)):
        for prior in (ForestPrior(), ForestPrior(first=0.5, second=2, cost=0, rate_second=5)):
            z, accepted = joint_test(3, 12, rounds, components, dirichlet, seed, prior)
            pairs = ", ".join(f"{name} {value:+.1f}" for name, value in zip(NAMES, z, strict=True))
            print(
                f"joint test, {components} component(s), Dirichlet {dirichlet}, z-scores: {pairs}"
                f"; accepted switches of rates {accepted[0]:.3f}, splits and unions "
                f"{accepted[1]:.4f}",
                flush=True,
            )


def calibration(data_sets, events, samples, seed, prior):
    """Ranks of the truth among the draws, for parameters drawn from the prior."""
    names = ("false positive", "false negative", "theta of event 1", "roots", "log-likelihood")
    ranks, covered = [], []
    for number in range(data_sets):
        truth = prior_draw(prior, events, [seed, number])
        rng = np.random.default_rng([seed, number, 1])
        data = dataset(codes_draw(*truth, samples, rng))
        found = RunningChains(data, seed=number, prior=prior, jobs=1, chains=BRIEF).finished()
        height = definitions_height(data, truth)
        values = (*truth[2][0], truth[1][0, 0], (truth[0] < 0).sum(), height)
        draws = (
            found.rates[..., 0, 0], found.rates[..., 0, 1], found.probabilities[:, :, 0, 0],
            (found.parents[:, :, 0] < 0).sum(axis=-1), found.log_likelihood,
        )  # fmt: skip
        ranks.append([_rank(value, drawn, rng) for value, drawn in zip(values, draws, strict=True)])
        ends = np.quantile(found.mean_rates, [0.05, 0.95], axis=(0, 1))
        covered.append((ends[0] <= truth[2][0]) & (truth[2][0] <= ends[1]))
    ranks, covered = np.array(ranks), np.array(covered)
    print(f"{data_sets} data sets of {events} events x {samples} samples from the prior:")
    for k, name in enumerate(names):
        counts = np.histogram(ranks[:, k], bins=10, range=(0, 1))[0]
        p = chi2.sf(((counts - data_sets / 10) ** 2 / (data_sets / 10)).sum(), 9)
        ks = kstest(ranks[:, k], "uniform").pvalue
        print(f"  ranks of {name:18s} {counts}  chi-square p {p:.3f}  KS p {ks:.3f}")
    for k, name in enumerate(names[:2]):
        share = covered[:, k].mean()
        error = (share * (1 - share) / data_sets) ** 0.5
        print(f"  90 % interval of {name}: covers {share:.3f} ({error:.3f})")


def definitions_height(data, truth):
    from caprese.models.forest import NoisyForest

    forest = Forest(data.events, truth[0][0], truth[1][0])
    return NoisyForest(forest, Noise(*truth[2][0])).log_likelihood(data)


def _rank(value, drawn, rng):
    """Return the rank of a value among draws as a share; ties are broken at random."""
    below, equal = (drawn < value).sum(), (drawn == value).sum()
    return (below + rng.random() * (equal + 1)) / (drawn.size + 1)


def main():
    parser = options(__doc__, 500, 50)
    parser.add_argument("--rounds", type=int, default=20_000)
    given = parser.parse_args()
    enumeration(given.seed)
    geweke(given.rounds, given.seed)
    calibration(given.data_sets, 8, 100, given.seed, ForestPrior())


if __name__ == "__main__":
    main()
