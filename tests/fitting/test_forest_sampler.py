"""The sampler against posteriors that are known: enumeration, quadrature, and the joint test."""

from collections import Counter, namedtuple
from dataclasses import replace

import numpy as np
import pytest

import forest_definitions as definitions
from caprese._core.progress import listening
from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
from caprese.fitting import forest_sampler
from caprese.fitting.diagnostics import diagnostics
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.kernels.forest_messages import Table
from caprese.kernels.forest_sampler import sweep
from caprese.kernels.sweep_room import Settings, State, draw_component
from caprese.models.forest import Forest, NoisyForest
from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe

pytestmark = pytest.mark.slow

LONG = Chains(chains=2, draws=10_000, thin=1, warm_up=200)
SHORT = Chains(chains=2, draws=20, thin=1, warm_up=20)


def distance(samples, exact):
    """Total variation distance between the forests drawn and the exact posterior."""
    drawn = samples.parents.reshape(-1, samples.parents.shape[-1])
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) <= {forest for forest, value in exact.items() if value > 0}
    return 0.5 * sum(abs(counts[key] / len(drawn) - value) for key, value in exact.items())


@pytest.mark.parametrize(("uniform", "tempered"), [(0.5, False), (0.0, False), (0.5, True)])
def test_without_errors_forests_are_drawn_as_the_closed_form_says(uniform, tempered, monkeypatch):
    monkeypatch.setattr(forest_sampler, "_FREE", 2.0)  # so that few samples need a ladder
    rng = np.random.default_rng(3)
    data = Forest(tuple("abcd"), (-1, 0, 0, -1), (0.7, 0.5, 0.6, 0.4)).sample(8, rng)
    prior = ForestPrior(first=0.3, second=2, cost=-np.log(1 - uniform) / 4)
    exact = definitions.error_free_posterior(data.values.astype(int), 0.3, 2, uniform)
    samples = RunningChains(
        data, seed=1, noise=Noise(0, 0), prior=prior, chains=replace(LONG, tempered=tempered)
    ).finished()
    assert sum(value > 0.001 for value in exact.values()) > 5
    assert distance(samples, exact) < 0.02


def test_with_given_errors_and_unknown_entries_draws_agree_with_quadrature():
    rng = np.random.default_rng(3)
    forest = Forest(tuple("abc"), (-1, 0, 1), (0.7, 0.5, 0.6))
    seen = Noise(0.1, 0.15).corrupt(forest.sample(15, rng), rng)
    known = np.ones((15, 3), dtype=bool)
    known[3, 1], known[7] = False, False
    rows = np.where(known, seen.values, 2)
    exact, mean = definitions.quadrature_posterior(rows, 0.1, 0.15, 0.1, 0.1, 0.5)
    samples = RunningChains(
        Dataset(seen.values, seen.events, (), known),
        seed=2,
        noise=Noise(0.1, 0.15),
        chains=LONG,
        prior=ForestPrior(first=0.1, second=0.1, cost=np.log(2) / 3),
    ).finished()
    assert distance(samples, exact) < 0.025
    np.testing.assert_allclose(samples.probabilities.mean(axis=(0, 1, 2)), mean, atol=0.012)


@pytest.mark.parametrize("tempered", [False, True])
def test_two_orders_that_are_equally_good_have_equal_shares(tempered):
    rows = [[1, 1]] * 200 + [[0, 0]] * 200 + [[1, 0]] * 10 + [[0, 1]] * 10
    chains = Chains(chains=4, draws=500, thin=2, tempered=tempered)
    samples = RunningChains(Dataset.from_rows(rows, "ab"), seed=2, chains=chains).finished()
    before = samples.ancestor_probabilities()
    assert before[0, 1] == pytest.approx(before[1, 0], abs=0.06)
    assert before.sum() == pytest.approx(1, abs=0.01)


def test_powers_of_a_ladder_fall_to_where_sixty_samples_count():
    powers = forest_sampler.ladder(1000, 12)
    assert powers[0] == 1
    np.testing.assert_allclose(np.diff(np.log(powers)), -1.1 / 7**0.5)
    assert powers[-1] <= 0.06 < powers[-2]
    assert len(forest_sampler.ladder(60, 12)) == 1
    assert len(forest_sampler.ladder(10**6, 200)) == 12


def test_stretches_of_chains_disagree_if_a_parent_is_in_some_only():
    one = np.array([[0.0, 0.9], [0.1, 0.0], [0.9, 0.1]])
    other = np.array([[0.0, 0.1], [0.1, 0.0], [0.9, 0.9]])
    assert not forest_sampler._disagree([one, one, one])
    assert forest_sampler._disagree([one, other, one])


def seen_orders(data, rng, share=0.7, sure=(0.6, 1.0)):
    """Orders of random pairs of events, in random directions, and as lists of each sample."""
    rows, lists = [], [[] for _ in data.samples]
    for sample, values in enumerate(data.values):
        for one, other in np.argwhere(np.triu(np.outer(values, values), 1)).tolist():
            if rng.random() < share:
                earlier, later = (one, other) if rng.random() < 0.5 else (other, one)
                confidence = float(rng.uniform(*sure))
                names = data.samples[sample], data.events[earlier], data.events[later]
                rows.append((*names, confidence))
                lists[sample].append((earlier, later, confidence))
    return SeenOrders.from_rows(rows).within(data.samples, data.events), lists


def test_seen_orders_count_as_the_closed_form_says():
    rng = np.random.default_rng(5)
    data = Forest(tuple("abcd"), (-1, 0, 0, -1), (0.7, 0.5, 0.6, 0.4)).sample(8, rng)
    orders, lists = seen_orders(data, rng)
    seen = [order for each in lists for order in each]
    assert len(seen) > 6
    rows = data.values.astype(int)
    exact = definitions.error_free_posterior(rows, 0.3, 2, 0.5, seen)
    without = definitions.error_free_posterior(rows, 0.3, 2, 0.5)
    assert 0.5 * sum(abs(exact[forest] - without[forest]) for forest in exact) > 0.2
    prior = ForestPrior(first=0.3, second=2, cost=np.log(2) / 4)
    samples = RunningChains(
        data, seed=1, noise=Noise(0, 0), prior=prior, chains=LONG, orders=orders
    ).finished()
    assert distance(samples, exact) < 0.02


def test_certain_orders_are_clipped_and_count_with_errors_too():
    rng = np.random.default_rng(4)
    forest = Forest(tuple("abc"), (-1, 0, 1), (0.7, 0.5, 0.6))
    data = Noise(0.1, 0.15).corrupt(forest.sample(15, rng), rng)
    both = data.values[:, [0, 2]].all(axis=1)
    rows = [(data.samples[k], "c", "a") for k in np.flatnonzero(both)]
    orders = SeenOrders.from_rows(rows).within(data.samples, data.events)
    exact, mean = definitions.quadrature_posterior(
        data.values.astype(int), 0.1, 0.15, 0.1, 0.1, 0.5, orders=[(2, 0, 1.0)] * len(rows)
    )
    samples = RunningChains(
        data,
        seed=2,
        noise=Noise(0.1, 0.15),
        chains=LONG,
        prior=ForestPrior(first=0.1, second=0.1, cost=np.log(2) / 3),
        orders=orders,
    ).finished()
    assert distance(samples, exact) < 0.025
    np.testing.assert_allclose(samples.probabilities.mean(axis=(0, 1, 2)), mean, atol=0.012)


def test_orders_go_with_the_component_of_their_sample():
    rng = np.random.default_rng(2)
    data = Dataset.from_rows([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [1, 0, 0]], "abc")
    orders, lists = seen_orders(data, rng, share=1, sure=(0.9, 0.95))
    lists[1] = [(later, earlier, sure) for earlier, later, sure in lists[0]]
    rows = [
        (data.samples[k], data.events[earlier], data.events[later], sure)
        for k, own in enumerate(lists)
        for earlier, later, sure in own
    ]
    orders = SeenOrders.from_rows(rows).within(data.samples, data.events)
    exact = definitions.error_free_mixture_posterior(
        data.values.astype(int), lists, 0.3, 2, 0.5, 0.7
    )
    samples = RunningChains(
        data,
        seed=3,
        noise=Noise(0, 0),
        components=2,
        dirichlet=0.7,
        chains=Chains(chains=2, draws=30_000, thin=2, warm_up=200),
        prior=ForestPrior(first=0.3, second=2, cost=np.log(2) / 3),
        orders=orders,
    ).finished()
    drawn = samples.parents.reshape(-1, 2, 3).tolist()
    counts = Counter((tuple(one), tuple(other)) for one, other in drawn)
    found = sum(abs(counts[pair] / len(drawn) - value) for pair, value in exact.items()) / 2
    assert found < 0.03
    without = definitions.error_free_mixture_posterior(
        data.values.astype(int), [[]] * 5, 0.3, 2, 0.5, 0.7
    )
    assert sum(abs(counts[pair] / len(drawn) - value) for pair, value in without.items()) > 0.2


def test_forests_of_a_mixture_are_drawn_as_the_closed_form_says():
    rows = [[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [1, 0, 0], [0, 0, 1]]
    exact = definitions.error_free_mixture_posterior(
        np.array(rows), [[]] * len(rows), 0.3, 2, 0.5, 0.7
    )
    samples = RunningChains(
        Dataset.from_rows(rows, "abc"),
        seed=4,
        noise=Noise(0, 0),
        components=2,
        dirichlet=0.7,
        chains=Chains(chains=2, draws=20_000, thin=2, warm_up=200),
        prior=ForestPrior(first=0.3, second=2, cost=np.log(2) / 3),
    ).finished()
    drawn = samples.parents.reshape(-1, 2, 3).tolist()
    counts = Counter(tuple(sorted(map(tuple, pair))) for pair in drawn)
    either = Counter()
    for pair, value in exact.items():
        either[tuple(sorted(pair))] += value
    found = sum(abs(counts[pair] / len(drawn) - value) for pair, value in either.items()) / 2
    assert found < 0.02
    assert samples.acceptance[-1] > 0.01  # of splits and unions


def test_a_ladder_of_one_rung_is_not_used(monkeypatch):
    _, data = noisy(3, samples=50)
    monkeypatch.setattr(forest_sampler, "_disagree", lambda _: True)
    running = RunningChains(data, seed=1, chains=SHORT)
    running.finished()
    assert not running.tempered
    assert running._worked == SHORT.sweeps


@pytest.mark.parametrize(("effective", "thin"), [(200.0, 2), (2.0, 8), (1.0, 12)])
def test_mixtures_that_move_slowly_are_drawn_after_more_sweeps(monkeypatch, effective, thin):
    _, data = noisy(3)
    found = namedtuple("Found", "effective")(effective)
    monkeypatch.setattr(forest_sampler, "diagnostics", lambda _: found)
    chains = Chains(chains=2, draws=2, thin=6, warm_up=67)  # 20 sweeps of each tell
    running = RunningChains(data, seed=1, components=2, chains=chains)
    running.finished()
    assert running._running[0].thin == thin
    assert running._worked == running._work


def test_a_crowd_is_resampled_by_its_weights():
    class Walker:
        def __init__(self, place):
            self.place = place

        def follow(self, other):
            self.place = other.place

    for offset in (0.0, 0.4, 0.99):
        crowd = [Walker(place) for place in range(5)]
        shares = np.array([0.1, 0.5, 0.0, 0.25, 0.15])
        chosen = forest_sampler._resampled(crowd, shares, 4, offset)
        times = Counter(each.place for each in chosen)
        assert len({id(each) for each in chosen}) == 4
        assert [times[1], times[3], times[0] + times[4]] == [2, 1, 1]


@pytest.mark.parametrize("components", [1, 2])
def test_the_log_likelihood_of_a_draw_has_its_orders(components):
    rng = np.random.default_rng(6)
    _, data = noisy(5, events=5, samples=30)
    orders, lists = seen_orders(data, rng, share=0.3)
    samples = RunningChains(
        data, seed=1, chains=SHORT, orders=orders, components=components
    ).finished()
    for draw in (0, 19):
        total = np.zeros(30)
        for part in range(components):
            parents = samples.parents[1, draw, part]
            forest = Forest(data.events, parents, samples.probabilities[1, draw, part])
            noise = Noise(*samples.rates[1, draw, part])
            likely = NoisyForest(forest, noise).probabilities(data)
            seen = [definitions.log_of_orders(own, parents.tolist()) for own in lists]
            total += samples.weights[1, draw, part] * likely * np.exp(seen)
        assert samples.log_likelihood[1, draw] == pytest.approx(np.log(total).sum())


@pytest.mark.parametrize("components", [1, 2])
def test_draws_with_orders_do_not_depend_on_the_order_of_samples_and_events(components):
    _, data = noisy(3)
    rng = np.random.default_rng(1)
    orders, _ = seen_orders(data, rng, share=0.2, sure=(0.55, 0.95))
    order = rng.permutation(8)
    shuffled = data.with_orders(orders).take_samples(rng.permutation(100))
    shuffled = shuffled.take_events([data.events[k] for k in order])
    one, two = (
        RunningChains(
            each, seed=3, chains=SHORT, orders=each.orders, components=components
        ).finished()
        for each in (data.with_orders(orders), shuffled)
    )
    np.testing.assert_array_equal(one.rates, two.rates)
    np.testing.assert_array_equal(one.probabilities[..., order], two.probabilities)
    assert one.log_likelihood.tolist() == two.log_likelihood.tolist()


@pytest.mark.parametrize("components", [1, 2])
def test_orders_that_say_nothing_change_nothing(components):
    _, data = noisy(3)
    rng = np.random.default_rng(1)
    orders, _ = seen_orders(data, rng, share=0.2, sure=(0.5, 0.5))
    assert len(orders) > 20
    one, two = (
        RunningChains(data, seed=3, chains=SHORT, orders=each, components=components).finished()
        for each in (None, orders)
    )
    assert one == two


ORDERED = ((0, 1, 0.8), (1, 2, 0.7))  # pairs of events of which each sample shows the order


@pytest.mark.parametrize("ordered", [(), ORDERED], ids=["genotypes", "orders"])
@pytest.mark.parametrize(("components", "dirichlet"), [(1, 1.0), (2, 0.5), (2, 0.0)])
def test_data_given_parameters_and_parameters_given_data_leave_the_prior_as_it_is(
    components, dirichlet, ordered
):
    """Geweke's joint test: in the long run, parameters are distributed as in the prior."""
    rng = np.random.default_rng(7)
    n, samples, rounds = 3, 5, 6000
    prior = ForestPrior(first=0.5, second=1, cost=np.log(2) / 3, rate_second=5)
    parents, theta = np.full((components, n), -1), np.full((components, n), 0.5)
    rates, log_weights = np.full((components, 2), 0.1), np.full(components, -np.log(components))
    tried, accepted = np.zeros(7, dtype=np.int64), np.zeros(7, dtype=np.int64)
    own = np.zeros(components, dtype=np.int64)
    state = State(
        parents,
        theta,
        rates,
        log_weights,
        np.zeros((components, samples)),
        np.array([1], dtype=np.uint64),
        np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 1.0, -0.5], (components + 1, 1)),
        tried,
        accepted,
        np.array([dirichlet or 0.1]),
        np.full(2, 0.1),
        own,
    )
    settings = Settings(prior.kernel_prior(n), True, dirichlet, 2, 1, 2)
    for component in range(components):
        draw_component(state, component, settings.prior)
    chain = np.empty((rounds, 9))
    for number in range(rounds):
        codes, kind = seen_codes(parents, theta, rates, np.exp(log_weights), samples, rng)
        table = Table.of(codes, np.ones(samples))
        if ordered:
            see_orders(table, parents, kind, ordered, rng)
        sweep(table, state, settings)
        chain[number] = statistics(parents, theta, rates, log_weights, own)
    expected = prior_means(prior, components, dirichlet)
    batches = chain.reshape(30, -1, chain.shape[1]).mean(axis=1)
    error = batches.std(axis=0, ddof=1) / 30**0.5 + 1e-9
    assert (np.abs(chain.mean(axis=0) - expected) < 4.5 * error + 2e-3).all()
    kinds = 5 if components == 1 else 6 if ordered else 7  # of moves that are tried
    assert (accepted > 0)[:kinds].all()
    assert (accepted <= tried).all()


def seen_codes(parents, theta, rates, weights, samples, rng):
    kind = rng.choice(len(weights), samples, p=weights / weights.sum())
    truth = rng.random((samples, parents.shape[1])) < theta[kind]
    for _ in range(3):
        for event in range(truth.shape[1]):
            above = parents[kind, event]
            truth[:, event] &= (above < 0) | truth[np.arange(samples), above]
    chance = rng.random(truth.shape)
    seen = np.where(truth, chance >= rates[kind, 1:], chance < rates[kind, :1])
    return np.ascontiguousarray(seen.T.astype(np.uint8)), kind


def see_orders(table, parents, kind, ordered, rng):
    """Let a table see, of each sample, orders that are drawn by what its forest says of them."""
    n, pairs, gains = parents.shape[1], [], []
    pooled = np.zeros((n, n))
    for own in kind:
        for one, other, sure in ordered:
            forest = parents[own].tolist()
            first = definitions.comes_before(forest, one, other)
            open_pair = not first and not definitions.comes_before(forest, other, one)
            chance = 0.5 if open_pair else sure if first else 1 - sure
            earlier, later = (one, other) if rng.random() < chance else (other, one)
            pairs.append((earlier, later))
            gains.append((np.log(2 * sure), np.log(2 * (1 - sure))))
            pooled[earlier, later] += gains[-1][0]
            pooled[later, earlier] += gains[-1][1]
    starts = np.arange(len(kind) + 1) * len(ordered)
    table.see_orders(pooled, starts, np.array(pairs), np.array(gains))


def statistics(parents, theta, rates, log_weights, own):
    roots = (parents < 0).sum(axis=1)
    weight = np.exp(2 * log_weights).sum()
    first = (parents[:, 0] == 1).mean()
    alike, both = (rates[0] == rates[-1]).all(), own.prod()
    rate, square = rates.mean(axis=0), (rates[0] * rates[-1])[0]
    return np.array([*rate, theta[:, 0].mean(), roots.mean(), first, weight, alike, both, square])


def prior_means(prior, components, dirichlet):
    rates = np.linspace(0, 0.5, 100_001)[:-1]
    density = (1 - rates) ** (prior.rate_second - 1)
    rate = (rates * density).sum() / density.sum()
    roots, first = 0.0, 0.0
    for forest in definitions.all_forests(3):
        chance = np.exp(definitions.log_prior(forest, prior.first, prior.second, prior.uniform(3)))
        roots += chance * forest.count(-1)
        first += chance * (forest[0] == 1)
    # Learnt parameters are uniform on the logarithmic scale.
    learnt = np.geomspace(0.001, 1, 100_001)
    each = np.array([dirichlet]) if dirichlet else learnt
    weight = ((each + 1) / (components * each + 1)).mean()
    # Of two components 0, 1, or 2 have rates of their own, equally probably.
    alike, both = (1, 0) if components == 1 else (1 / 3, 1 / 3)
    square = alike * (rates**2 * density).sum() / density.sum() + (1 - alike) * rate**2
    return np.array([rate, rate, 0.5, roots, first, weight, alike, both, square])


def noisy(seed, events=8, samples=100, nu=0.1):
    rng = np.random.default_rng(seed)
    forest = ForestRecipe(events=events).draw(rng)
    return forest, Noise.uniform(nu).corrupt(forest.sample(samples, rng), rng)


def test_chains_from_different_starts_agree():
    truth, data = noisy(1)
    chains = Chains(chains=4, draws=500, thin=2, warm_up=300)
    found = diagnostics(
        RunningChains(data, seed=1, chains=chains, starts=[truth.parents]).finished()
    )
    assert found.r_hat < 1.05
    assert found.effective > 100


def test_draws_do_not_depend_on_the_number_of_workers():
    _, data = noisy(2)
    for components in (1, 3):
        one, two = (
            RunningChains(
                data, seed=3, chains=SHORT, jobs=workers, components=components
            ).finished()
            for workers in (1, 2)
        )
        assert one == two


def test_draws_do_not_depend_on_the_order_of_samples_and_events():
    _, data = noisy(3)
    rng = np.random.default_rng(1)
    order = rng.permutation(8)
    names = [data.events[k] for k in order]
    shuffled = data.take_samples(rng.permutation(100)).take_events(names)
    one = RunningChains(data, seed=3, chains=SHORT).finished()
    two = RunningChains(shuffled, seed=3, chains=SHORT).finished()
    np.testing.assert_array_equal(one.rates, two.rates)
    np.testing.assert_array_equal(one.probabilities[..., order], two.probabilities)
    np.testing.assert_allclose(
        one.parent_probabilities()[np.ix_([*order, 8], order)], two.parent_probabilities()
    )


def test_another_seed_gives_other_draws_and_the_same_seed_the_same():
    _, data = noisy(4)
    one, same, other = (
        RunningChains(data, seed=seed, chains=SHORT).finished() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_the_log_likelihood_of_a_draw_is_that_of_its_forest():
    _, data = noisy(5)
    samples = RunningChains(data, seed=1, chains=SHORT).finished()
    for draw in (0, 19):
        forest = Forest(data.events, samples.parents[1, draw, 0], samples.probabilities[1, draw, 0])
        exact = NoisyForest(forest, Noise(*samples.rates[1, draw, 0])).log_likelihood(data)
        assert samples.log_likelihood[1, draw] == pytest.approx(exact)


DEGENERATE = {
    "one event": [[1], [0], [1]],
    "one sample": [[1, 0, 1]],
    "never and always": [[0, 1, 1], [0, 1, 0], [0, 1, 1]],
    "identical events": [[1, 1], [0, 0], [1, 1], [0, 0]],
    "unknown entries": [[1, None], [None, 0], [None, None], [1, 1]],
    "nothing known of an event": [[None, 1], [None, 0]],
}


@pytest.mark.parametrize("rows", DEGENERATE.values(), ids=DEGENERATE.keys())
@pytest.mark.parametrize("noise", [None, Noise(0, 0), Noise(0, 0.1)])
@pytest.mark.parametrize("components", [1, 2])
def test_every_data_set_can_be_sampled(rows, noise, components):
    data = Dataset.from_rows(rows, events="abc"[: len(rows[0])])
    samples = RunningChains(
        data, seed=1, noise=noise, components=components, chains=SHORT
    ).finished()
    assert np.isfinite(samples.log_likelihood).all()
    assert ((samples.probabilities > 0) & (samples.probabilities < 1)).all()
    if noise is not None:
        assert (samples.rates == [noise.false_positive, noise.false_negative]).all()
    for parents in samples.parents.reshape(-1, len(data.events)):
        assert definitions.is_forest(parents.tolist())


def test_identical_events_share_their_parents_evenly():
    column = np.arange(30) % 3 > 0
    data = Dataset(np.column_stack([column, column]), ("a", "b"))
    samples = RunningChains(data, seed=1, chains=LONG).finished()
    edges = samples.parent_probabilities()
    assert edges[0, 1] == pytest.approx(edges[1, 0], abs=0.05)
    assert edges[0, 1] > 0.4


def test_progress_is_told_and_may_interrupt():
    _, data = noisy(6)
    told = []
    with listening(lambda _what, *done: told.append(done)):
        RunningChains(data, seed=1, chains=SHORT).finished()
    assert told[-1][0] == told[-1][1] >= 80
    assert [done for done, _ in told] == sorted({done for done, _ in told})

    def interrupt(_what, _done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(interrupt):
        RunningChains(data, seed=1, chains=SHORT).finished()


def test_two_subtypes_far_apart_are_told_apart():

    rng = np.random.default_rng(1)
    names = tuple("abcdef")
    one = Forest(names, (-1, 0, 1, -1, -1, -1), (0.95, 0.9, 0.9, 0.02, 0.02, 0.02)).sample(60, rng)
    two = Forest(names, (-1, -1, -1, -1, 3, 4), (0.02, 0.02, 0.02, 0.95, 0.9, 0.9)).sample(60, rng)
    data = Dataset(np.concatenate([one.values, two.values]), names)
    samples = RunningChains(
        data, seed=1, components=2, chains=Chains(chains=2, draws=200)
    ).finished()
    shares = samples.component_probabilities(data).reshape(2, 200, 2, 120)
    for chain in shares.mean(axis=1):
        kind = chain.argmax(axis=0)
        agree = (kind == (np.arange(120) >= 60)).mean()
        assert max(agree, 1 - agree) > 0.9


@pytest.mark.parametrize("components", [1, 2])
def test_chains_that_are_looked_at_are_those_of_fewer_draws(components):
    _, data = noisy(1)
    chains = Chains(chains=2, draws=6, thin=3, warm_up=5)
    running = RunningChains(data, seed=4, chains=chains, components=components)
    seen = {done: running.posterior for done in running if done}
    assert max(seen) == 6
    for done, posterior in seen.items():
        shorter = replace(chains, draws=done)
        assert (
            posterior
            == RunningChains(data, seed=4, chains=shorter, components=components).finished()
        )


@pytest.mark.parametrize("sweeps", [15, 20, 34, 50])
def test_chains_that_are_interrupted_keep_whole_draws(sweeps):
    _, data = noisy(1)
    chains = Chains(chains=1, draws=9, thin=7, warm_up=4)
    running = RunningChains(data, seed=4, chains=chains)

    def interrupt(_what, done, _total):
        if done >= sweeps:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), listening(interrupt):
        list(running)
    assert 0 < running.draws < 9
    shorter = replace(chains, draws=running.draws)
    assert running.posterior == RunningChains(data, seed=4, chains=shorter).finished()
