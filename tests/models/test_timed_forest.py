from itertools import product

import numpy as np
import pytest

from caprese import ROOT, Dataset, Noise
from caprese.data.courses import courses
from caprese.data.visits import Visits
from caprese.errors import ModelError
from caprese.kernels.timed_forests import Tables, expectations, fill, log_probabilities, undo
from caprese.models.base import has_clock
from caprese.models.poset import NoisyPoset, TimedPoset
from caprese.models.states import States
from caprese.models.timed_forest import NoisyTimedForest, TimedForest
from timed_definitions import history_probability

NAN = np.nan
TREE = TimedForest(("a", "b", "c", "d"), (ROOT, 0, 0, ROOT), (0.8, 3.0, 0.2, 40.0))
CHAIN = TimedForest(("a", "b", "c"), (2, ROOT, 1), (0.5, 2.0, 0.1))
EMPTY = TimedForest(("a", "b", "c"), (ROOT, ROOT, ROOT), (1.0, 0.01, 5.0))
FORESTS = pytest.mark.parametrize("forest", [TREE, CHAIN, EMPTY], ids=["tree", "chain", "empty"])
ERRORS = pytest.mark.parametrize("noise", [Noise(), Noise(0.04, 0.2)], ids=["exact", "errors"])


def filled(forest, noise, visits, **more):
    work = courses(visits, **more)
    tables = Tables(work.histories)
    up = np.ascontiguousarray(forest.order[::-1])
    total = fill(tables, forest.parents, forest.rates, noise.rates, up)
    found = np.empty(len(work.order))
    found[work.order] = np.exp(log_probabilities(tables))
    return tables, total, found


def all_genotypes(forest, unknown=False):
    codes = product((0, 1, 2) if unknown else (0, 1), repeat=len(forest.events))
    entries = np.array([[np.nan if code == 2 else code for code in row] for row in codes])
    return Dataset.from_rows(entries, forest.events)


@FORESTS
@ERRORS
def test_snapshots_are_those_of_the_chain_over_genotypes(forest, noise):
    data = all_genotypes(forest, unknown=True)
    model = NoisyTimedForest(forest, noise)
    expected = [history_probability(forest, noise, [codes], [NAN]) for codes in data.codes()]
    assert model.probabilities(data) == pytest.approx(expected, rel=1e-4, abs=1e-12)


@FORESTS
def test_probabilities_of_all_genotypes_sum_to_one(forest):
    model = NoisyTimedForest(forest, Noise(0.1, 0.2))
    assert model.probabilities(all_genotypes(forest)).sum() == pytest.approx(1, abs=1e-12)


@FORESTS
@ERRORS
@pytest.mark.parametrize(
    "elapsed", [[0.3], [2.5], [NAN, 0.7], [0.1, 1.9], [NAN, 0.004, 3.0], [1.0, 0.2, 0.2]]
)
def test_series_are_those_of_the_chain_over_genotypes(forest, noise, elapsed):
    n, rng = len(forest.events), np.random.default_rng(1)
    later = np.sort(rng.random((12, len(elapsed), n)) < 0.5, axis=1).astype(np.uint8)
    later[:4] = rng.integers(0, 3, size=later[:4].shape)
    codes, first = np.unique(later.reshape(12, -1), axis=0), len(elapsed)
    starts = np.arange(len(codes) + 1) * first
    rows, one = codes.reshape(-1, n), np.ones(len(codes), dtype=int)
    visits = Visits(forest.events, rows, np.tile(elapsed, len(codes)), starts, one)
    expected = [
        history_probability(forest, noise, rows[start : start + first], elapsed)
        for start in starts[:-1]
    ]
    _, total, found = filled(forest, noise, visits)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-10)
    if noise != Noise():
        assert total == pytest.approx(np.log(expected).sum(), abs=1e-2)


@FORESTS
def test_unknown_times_between_visits_are_exponential(forest):
    n, noise = len(forest.events), Noise(0.05, 0.1)
    codes = np.random.default_rng(2).integers(0, 2, size=(8, n)).astype(np.uint8)
    visits = Visits(forest.events, codes, np.full(8, NAN), np.arange(0, 9, 2), np.ones(4))
    expected = [
        history_probability(forest, noise, codes[k : k + 2], [NAN, NAN], gap_rate=2.0)
        for k in range(0, 8, 2)
    ]
    assert filled(forest, noise, visits, gap=0.5)[2] == pytest.approx(expected, rel=0.05)
    visits = Visits(forest.events, codes[:3], np.full(3, NAN), [0, 3], [1])
    one = history_probability(forest, noise, codes[:3], [NAN] * 3, gap_rate=2.0)
    assert filled(forest, noise, visits, gap=0.5)[2] == pytest.approx([one], rel=0.2)


def test_the_gradient_is_that_of_the_likelihood():
    noise, rng = Noise(0.04, 0.2), np.random.default_rng(3)
    codes = rng.integers(0, 3, size=(30, 4)).astype(np.uint8)
    elapsed = np.where(np.arange(30) % 3 == 0, NAN, rng.exponential(size=30))
    visits = Visits(TREE.events, codes, elapsed, np.arange(0, 31, 3), np.arange(1, 11))
    tables, _, _ = filled(TREE, noise, visits)
    expectations(tables, TREE.order)
    found = np.asarray(tables.occurred) - np.asarray(tables.risked)
    seen, step = np.asarray(tables.seen), 1e-5

    def total(rates, errors):
        changed = TimedForest(TREE.events, TREE.parents, rates)
        return filled(changed, Noise(*errors), visits)[1]

    for event in range(4):
        up, down = (TREE.rates * np.exp(sign * step * np.eye(4)[event]) for sign in (1, -1))
        slope = (total(up, noise.rates) - total(down, noise.rates)) / (2 * step)
        assert found[event] == pytest.approx(slope, abs=1e-5)
    for error in range(2):
        up, down = (noise.rates + sign * step * np.eye(2)[error] for sign in (1, -1))
        slope = (total(TREE.rates, up) - total(TREE.rates, down)) / (2 * step)
        rate = noise.rates[error]
        expected = seen[error, 1 - error] / rate - seen[error, error] / (1 - rate)
        assert expected == pytest.approx(slope, rel=1e-5)


def test_a_proposal_that_is_undone_changes_nothing():
    noise, rng = Noise(0.04, 0.2), np.random.default_rng(4)
    codes = rng.integers(0, 2, size=(20, 4)).astype(np.uint8)
    visits = Visits(TREE.events, codes, np.full(20, NAN), np.arange(21), np.ones(20))
    tables, total, _ = filled(TREE, noise, visits)
    turned = np.array([3, 0, 0, ROOT])
    path = np.array([0, 3])
    changed = fill(tables, turned, TREE.rates, noise.rates, path)
    moved = TimedForest(TREE.events, turned, TREE.rates)
    assert changed == pytest.approx(filled(moved, noise, visits)[1], abs=1e-10)
    undo(tables, TREE.parents, path)
    again = fill(tables, TREE.parents, TREE.rates, noise.rates, path[:0])
    assert again == total != changed


@FORESTS
@ERRORS
def test_events_are_there_as_the_list_of_genotypes_says(forest, noise):
    data = all_genotypes(forest, unknown=True)
    model = NoisyTimedForest(forest, noise)
    states = States(*forest.states(), noise)
    expected = states.averages(data.codes(), states.present.astype(float))
    possible = np.isfinite(model.log_probabilities(data))
    found = model.event_probabilities(data)
    assert found[possible] == pytest.approx(expected[possible], abs=1e-4)
    assert np.isnan(found[~possible]).all()
    assert possible.all() or noise == Noise()


@FORESTS
def test_all_else_is_as_of_the_poset_with_the_same_order(forest):
    parents = tuple(tuple(above) for above in forest.all_parents())
    poset = TimedPoset(forest.events, parents, forest.rates)
    model, same = NoisyTimedForest(forest, Noise(0.1, 0.1)), NoisyPoset(poset, 0.1)
    data = all_genotypes(forest, unknown=True).take_events(forest.events[::-1])
    assert has_clock(model)
    assert model.next_probabilities(data) == pytest.approx(same.next_probabilities(data))
    assert model.waiting_medians(data) == pytest.approx(same.waiting_medians(data), nan_ok=True)
    assert (model.likeliest_genotypes(data) == same.likeliest_genotypes(data)).all()
    full = Dataset.from_rows([[1] * len(forest.events)], forest.events)
    pairs = np.array([[0, 0, 1], [0, 2, 0], [0, 1, 2]])
    expected = same.order_probabilities(full, pairs)
    assert model.order_probabilities(full, pairs) == pytest.approx(expected)
    assert forest.marginals() == pytest.approx(poset.marginals(), rel=1e-4)


def test_samples_are_distributed_as_probabilities_say():
    data = NoisyTimedForest(TREE, Noise(0.05, 0.1)).sample(40_000, np.random.default_rng(5))
    distinct, times = data.genotypes()
    expected = NoisyTimedForest(TREE, Noise(0.05, 0.1)).probabilities(distinct) * 40_000
    assert ((times - expected) ** 2 / expected).sum() < 40  # 15 degrees of freedom


def test_many_events_have_probabilities_and_events():
    n = 45
    forest = TimedForest(tuple(f"e{k}" for k in range(n)), np.arange(n) // 2 - 1, np.ones(n))
    data = NoisyTimedForest(forest, Noise(0.01, 0.01)).sample(50, np.random.default_rng(6))
    model = NoisyTimedForest(forest, Noise(0.01, 0.01))
    there = model.event_probabilities(data)
    assert np.isfinite(model.log_probabilities(data)).all()
    assert ((there > 0.5) == data.values).mean() > 0.9


@pytest.mark.parametrize(
    ("parents", "rates", "message"),
    [
        ((ROOT, 2), (1, 1), "the parent of 'b' must be an event or the root, got 2"),
        ((ROOT, 0), (1, -1), r"rates must be in \[0, inf\], got -1.0 for 'b'"),
        ((ROOT, 0), (1, np.inf), "rates must be finite"),
        ((1, 0), (1, 1), "form a cycle"),
    ],
)
def test_a_timed_forest_that_cannot_be_is_refused(parents, rates, message):
    with pytest.raises(ModelError, match=message):
        TimedForest(("a", "b"), parents, rates)
