"""Forests: branchings, likelihoods, their numbers by EM, ascents and sweeps of the sampler."""

import networkx as nx
import numpy as np
from measure import Rival, Row, Section, exponent, fastest, in_turns, simulated

from caprese import BayesForest, Counts, ForestRecipe, Noise, NoisyForest, fit_forest
from caprese.fitting.forest_ascent import most_probable_forest
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.fitting.structure import maximum_branching
from caprese.models.forest import ROOT
from caprese.models.hazards import Hazards

SWEEPS = {(20, 250): 400, (50, 500): 40, (100, 1000): 8}


def log_weights(events):
    """Return Desper's weights of simulated data, in which some events are tied."""
    counts = Counts.of(simulated(events, 250))
    both = np.log(np.maximum(counts.joint, 0.5)) - np.log(counts.first + counts.second + 0.5)
    frequency = np.log(np.maximum(counts.frequency, 1e-3))
    return both - frequency, frequency - np.log1p(np.exp(frequency))


def networkx_branching(weights, root_weights):
    graph = nx.DiGraph()
    n = len(root_weights)
    graph.add_weighted_edges_from(("root", j, root_weights[j]) for j in range(n))
    graph.add_weighted_edges_from(
        (i, j, weights[i, j]) for i in range(n) for j in range(n) if i != j
    )
    return nx.maximum_spanning_arborescence(graph).size(weight="weight")


def branchings(quick):
    sizes = [100, 200, 400] if quick else [100, 200, 400, 800]
    maximum_branching(*log_weights(5))
    rows = []
    for events in sizes:
        given = log_weights(events)
        _, tied = maximum_branching(*given)
        ours = fastest(lambda given=given: maximum_branching(*given))
        rival = None
        if events == 100:
            rival = Rival(
                name="networkx, one branching without its ties",
                seconds=fastest(lambda given=given: networkx_branching(*given), 1),
            )
        rows.append(
            Row(
                what=f"{events} events",
                seconds=ours,
                rival=rival,
                found=f"{tied.sum()} tied",
            )
        )
    growth = {"events": exponent(sizes, [row.seconds for row in rows])}
    return Section(title="heaviest branching, with its ties", rows=tuple(rows), growth=growth)


def numpy_log_likelihood(model, data):
    """Sum over what is hidden from the leaves to the root, all samples at once."""
    forest, noise = model.forest, model.noise
    seen = data.values.T
    yes = np.where(seen, 1 - noise.false_negative, noise.false_negative)
    no = np.where(seen, noise.false_positive, 1 - noise.false_positive)
    total = np.zeros(len(data.samples))
    for event in forest.order[::-1]:
        chance, parent = forest.probabilities[event], forest.parents[event]
        either = chance * yes[event] + (1 - chance) * no[event]
        if parent == ROOT:
            total += np.log(either)
        else:
            scale = yes[parent] * either + no[parent] * no[event]
            yes[parent] *= either / scale
            no[parent] *= no[event] / scale
            total += np.log(scale)
    return total.sum()


def likelihoods(quick):
    sizes = [250, 500] if quick else [250, 500, 1000]
    rows = []
    for events in sizes:
        rng = np.random.default_rng(1)
        model = NoisyForest(ForestRecipe(events=events).draw(rng), Noise(0.05, 0.05))
        data = model.sample(2000, rng)
        ours, theirs = in_turns(
            lambda model=model, data=data: model.log_likelihood(data),
            lambda model=model, data=data: numpy_log_likelihood(model, data),
        )
        found = model.log_likelihood(data)
        assert np.isclose(found, numpy_log_likelihood(model, data))
        rival = Rival(name="numpy, all samples at once", seconds=theirs)
        rows.append(
            Row(
                what=f"{events} events x 2,000",
                seconds=ours,
                rival=rival,
                found=f"log-likelihood {found:.3f}",
            )
        )
    growth = {"events": exponent(sizes, [row.seconds for row in rows])}
    return Section(title="log-likelihood of a forest", rows=tuple(rows), growth=growth)


def numbers(quick):
    sizes = [100, 250] if quick else [250, 500, 1000]
    rows = []
    for events in sizes:
        rng = np.random.default_rng(1)
        forest = ForestRecipe(events=events).draw(rng)
        model = NoisyForest(forest, Noise.uniform(0.05))
        data = model.sample(250, rng)
        fit_forest(forest, data)
        best = fit_forest(forest, data)
        ours, theirs = in_turns(
            lambda forest=forest, data=data: fit_forest(forest, data),
            lambda model=model, data=data: numpy_log_likelihood(model, data),
            repeats=2,
        )
        rounds = 9 * len(best.history)  # three starts, about as long; three likelihoods a round
        rival = Rival(
            name=f"numpy, {rounds} log-likelihoods without expectations", seconds=rounds * theirs
        )
        rows.append(
            Row(
                what=f"{events} events x 250",
                seconds=ours,
                rival=rival,
                found=f"log-likelihood {best.log_likelihood:.3f}",
            )
        )
    growth = {"events": exponent(sizes, [row.seconds for row in rows])}
    return Section(title="numbers of a forest, by EM", rows=tuple(rows), growth=growth)


def ascents(quick):
    most_probable_forest(simulated(5, 20))
    sizes = [(20, 250), (50, 500)] if quick else [(20, 250), (50, 500), (100, 1000)]
    rows = []
    for events, samples in sizes:
        data = simulated(events, samples, noise=0.1)
        seconds = fastest(lambda data=data: most_probable_forest(data, perturbed=0), 2)
        found = most_probable_forest(data, perturbed=0).log_likelihood
        rows.append(
            Row(
                what=f"{events} x {samples}, from one start",
                seconds=seconds,
                found=f"log-likelihood {found:.3f}",
            )
        )
    growth = {"events": exponent([size[0] for size in sizes], [row.seconds for row in rows])}
    return Section(title="likeliest forest", rows=tuple(rows), growth=growth)


def sweeps(quick):
    rows = []
    for (events, samples), number in list(SWEEPS.items())[: 2 if quick else 3]:
        data = simulated(events, samples, noise=0.1)
        start = [most_probable_forest(data, perturbed=0).forest.parents]
        chains = Chains(
            chains=1, draws=1, thin=1, warm_up=number - 1,
            swaps=0, slices=0, joints=0, tempered=False,
        )  # fmt: skip
        work = lambda data=data, chains=chains, start=start: RunningChains(  # noqa: E731
            data, seed=1, chains=chains, jobs=1, starts=start
        ).finished()
        work()
        rows.append(
            Row(
                what=f"{events} x {samples}, a sweep",
                seconds=fastest(work, 2) / number,
            )
        )
    return Section(title="sampler of forests", rows=tuple(rows))


def hazards(events, samples):
    """Samples of a random network with exclusive events, which no forest explains."""
    rng = np.random.default_rng([events, samples])
    effects = np.diag(rng.normal(-1.2, 0.9, events))
    others = (rng.random((events, events)) < 0.25) & ~np.eye(events, dtype=bool)
    effects[others] = rng.normal(0.6, 1.0, others.sum())
    one, other = rng.choice(events, 2, replace=False)
    effects[one, other] = effects[other, one] = -3.5
    names = tuple(f"e{event}" for event in range(events))
    return Hazards.from_log_theta(names, effects).sample(samples, rng)


def posteriors(quick):
    rows = []
    for samples, events in ((500, 12), (2500, 15))[: 1 if quick else 2]:
        data = hazards(events, samples)
        for subtypes in (1, "auto"):
            fits = []
            work = lambda data=data, fits=fits, subtypes=subtypes: fits.append(  # noqa: E731
                BayesForest(subtypes=subtypes).fit(data)
            )
            rows.append(
                Row(
                    what=f"{samples:,} x {events}, subtypes {subtypes}",
                    seconds=fastest(work, 1),
                    found="chains agree" if fits[0].evidence.diagnostics.agree else "chains differ",
                )
            )
    return Section(title="posterior forests, whole fits", rows=tuple(rows))


SECTIONS = (branchings, likelihoods, numbers, ascents, sweeps, posteriors)
