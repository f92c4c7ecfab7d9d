"""The compiled sampler against the same sampler in Python, draw by draw."""

from types import SimpleNamespace

import numpy as np
import pytest

from caprese.fitting.forest_ascent import ForestPrior
from caprese.kernels import forest_ascent, forest_messages, forest_sampler, sweep_room
from uncompiled import uncompiled

pytestmark = pytest.mark.slow

COMPILED = forest_sampler, forest_messages, forest_ascent, sweep_room
PLAIN = tuple(map(uncompiled, ("forest_sampler", "forest_messages", "forest_ascent", "sweep_room")))


def chain(
    modules, components, events, genotypes, *, free=True, draws=0, ordered=False, dirichlet=0.5
):
    """Return a table, and a chain of which nothing is moved yet, of some kernels."""
    sampler, messages, ascent, room = modules
    rng = np.random.default_rng([components, events, genotypes])
    codes = rng.choice(3, (events, genotypes), p=[0.5, 0.4, 0.1]).astype(np.uint8)
    times = np.sort(rng.choice([1.0, 1.0, 1.0, 2.0, 5.0], genotypes))
    arrays = SimpleNamespace(
        parents=np.full((components, events), -1),
        theta=rng.uniform(0.2, 0.8, (components, events)),
        rates=np.tile([0.05, 0.1], (components, 1)),
        log_weights=np.full(components, -np.log(components)),
        members=np.tile(times / components, (components, 1)),
        stream=np.array([rng.integers(2**63)], dtype=np.uint64),
        proposal=np.tile([0.0, -2.0, -1.5, 0.3, 0.1, 0.3, 0.0], (components + 1, 1)),
        tried=np.zeros(7, dtype=np.int64),
        accepted=np.zeros(7, dtype=np.int64),
        dirichlet=np.array([dirichlet or 0.1]),
        common=np.array([0.05, 0.1]),
        own=np.zeros(components, dtype=np.int64),
    )
    records = SimpleNamespace(
        parents=np.zeros((draws, components, events), dtype=np.int32),
        theta=np.zeros((draws, components, events)),
        rates=np.zeros((draws, components, 2)),
        weights=np.zeros((draws, components)),
        root_probability=np.zeros((draws, components)),
        log_likelihood=np.zeros(draws),
    )
    prior = ForestPrior()
    forests = [prior.forest_log_probability(events, roots) for roots in range(1, events + 1)]
    table = messages.Table.of(codes, times)
    if ordered:
        see_orders(table, events, rng)
    return SimpleNamespace(
        table=table,
        state=room.State(**vars(arrays)),
        settings=room.Settings(
            ascent.Prior(0.1, 0.1, prior.uniform(events), 1.0, 20.0, np.array([0.0, *forests])),
            free, dirichlet, 3, 1, 2,
        ),
        records=sampler.Records(**vars(records)),
        arrays=arrays,
        kept=records,
    )  # fmt: skip


def see_orders(table, events, rng):
    """Let each genotype have up to three seen orders."""
    starts = np.concatenate([[0], rng.integers(0, 4, len(table.times)).cumsum()])
    pairs = np.array([rng.permutation(events)[:2] for _ in range(starts[-1])], dtype=np.int64)
    sure = rng.uniform(0.5, 0.99, starts[-1])
    gains = np.log(2 * np.column_stack([sure, 1 - sure]))
    pooled = rng.normal(size=(events, events))
    table.see_orders(pooled, starts, pairs.reshape(-1, 2), gains.reshape(-1, 2))


def assert_alike(one, other):
    for name, values in vars(one).items():
        np.testing.assert_allclose(values, getattr(other, name), rtol=1e-12, err_msg=name)


SHAPES = [(1, 1, 1), (1, 2, 0), (1, 3, 7), (1, 6, 17), (2, 4, 9), (3, 3, 8), (3, 1, 1)]


@pytest.mark.parametrize(("components", "events", "genotypes"), SHAPES)
@pytest.mark.parametrize(("free", "ordered"), [(True, False), (False, False), (True, True)])
def test_compiled_chains_are_those_of_python(components, events, genotypes, free, ordered):
    ordered = ordered and events > 1
    ran = []
    for modules in (COMPILED, PLAIN):
        made, *hotter = (
            chain(
                modules,
                components,
                events,
                genotypes,
                free=free,
                draws=3,
                ordered=ordered,
                dirichlet=0.5 * (events % 2),
            )
            for _ in range(3)
        )
        rungs, powers = [made.state, *(each.state for each in hotter)], np.array([1, 0.6, 0.3])
        for start, stop, learning in ((0, 3, True), (3, 6, False)):
            modules[0].run(
                made.table, rungs, powers, made.settings, made.records, start, stop, 2, learning
            )
        ran.append((made, hotter[1]))
    for one, other in zip(*ran, strict=True):
        assert_alike(one.arrays, other.arrays)
    assert_alike(ran[0][0].kept, ran[1][0].kept)
    ran = [made for made, _ in ran]
    assert ran[0].arrays.stream != chain(COMPILED, components, events, genotypes).arrays.stream
    assert (ran[0].kept.weights.sum(axis=1) > 0.999).all()


@pytest.mark.parametrize(("components", "events", "genotypes"), SHAPES)
def test_compiled_draws_of_components_are_those_of_python(components, events, genotypes):
    drawn = []
    for modules in (COMPILED, PLAIN):
        made = chain(modules, components, events, genotypes)
        modules[3].draw_component(made.state, components - 1, made.settings.prior)
        modules[0].draw_weights(made.state, 0.7)
        modules[0].sweep(made.table, made.state, made.settings)
        made.arrays.likelihood = modules[0].state_log_likelihood(
            made.table, made.state, made.settings
        )
        drawn.append(made.arrays)
    assert_alike(*drawn)
    assert np.exp(drawn[0].log_weights).sum() == pytest.approx(1)


def test_events_that_are_nearly_always_together_are_reversed_and_inserted():
    made = chain(COMPILED, 1, 3, 0)
    codes = np.array([[1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 1, 1]], dtype=np.uint8)
    table = forest_messages.Table.of(codes, np.array([20.0, 30.0, 2.0, 2.0]))
    made.arrays.members = np.array([table.times])
    state = sweep_room.State(**vars(made.arrays))
    for _ in range(300):
        forest_sampler.sweep(table, state, made.settings)
    accepted, tried = made.arrays.accepted[3:5], made.arrays.tried[3:5]
    assert (accepted > 0.05 * tried).all()


def test_hot_chains_are_those_of_fewer_samples():
    """A power of 1/2 of the likelihood of twice as many samples is the likelihood itself."""
    found = []
    for times, power in ((1.0, 1.0), (2.0, 0.5)):
        made = chain(COMPILED, 1, 4, 9)
        table = forest_messages.Table.of(np.asarray(made.table.codes), np.full(9, times))
        run_alone(made, table, power)
        found.append(made.arrays)
    assert_alike(*(SimpleNamespace(**{**vars(each), "members": 0}) for each in found))
    assert (found[0].parents >= 0).any()


def run_alone(made, table, power):
    records = made.records
    forest_sampler.run(
        table, [made.state], np.array([power]), made.settings, records, 0, 6, 10, False
    )


def test_members_are_all_samples():
    made = chain(COMPILED, 3, 4, 40)
    for _ in range(5):
        forest_sampler.sweep(made.table, made.state, made.settings)
        np.testing.assert_array_equal(made.arrays.members.sum(axis=0), made.table.times)


def test_the_likelihood_of_a_mixture_is_the_sum_over_its_components():
    made = chain(COMPILED, 2, 3, 5)
    made.arrays.log_weights[:] = np.log([0.3, 0.7])
    made.arrays.rates[1] = 0.2, 0.01
    codes, times = np.asarray(made.table.codes), np.asarray(made.table.times)
    total = 0.0
    for d in range(5):
        one = forest_messages.Table.of(codes[:, d : d + 1], np.ones(1))
        parts = [
            weight * np.exp(forest_messages.forest_log_likelihood(one, parents, theta, rates))
            for weight, parents, theta, rates in zip(
                (0.3, 0.7), made.arrays.parents, made.arrays.theta, made.arrays.rates, strict=True
            )
        ]
        total += times[d] * np.log(sum(parts))
    found = forest_sampler.state_log_likelihood(made.table, made.state, made.settings)
    assert found == pytest.approx(total)


def test_moves_that_are_not_asked_for_are_not_tried():
    made = chain(COMPILED, 1, 3, 8, free=False)
    forest_sampler.sweep(made.table, made.state, made.settings)
    assert made.arrays.tried[2] == 0
    assert made.arrays.rates.tolist() == [[0.05, 0.1]]
