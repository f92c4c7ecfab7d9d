import zlib
from itertools import combinations

import numpy as np
import pytest

import caprese
from caprese import (
    MHN,
    BayesForest,
    Caprese,
    Dataset,
    LikelihoodForest,
    OrderedFit,
    bootstrap,
    compare_groups,
    datasets,
    known_orders,
)
from caprese.assessment.group_comparison import MOST_GROUPS, default_permutations, distances
from caprese.data.patients import Patients
from caprese.errors import DatasetError, ModelError, ParameterError
from caprese.models.forest import ROOT, Forest
from caprese.text.groups import group_sentences
from caprese.text.sentences import plain

BAYES = BayesForest(chains=1, draws=20, warm_up=20)
OVARIAN = datasets.ovarian()
HALVES = {name: "AB"[k % 2] for k, name in enumerate(OVARIAN.samples)}


def chain(events, reverse):
    """Samples of the forest a -> b -> c, or c -> b -> a."""
    parents = (1, 2, ROOT) if reverse else (ROOT, 0, 1)
    return Forest(events, parents, (0.8, 0.8, 0.8))


def two_orders(samples=120):
    rng = np.random.default_rng(4)
    halves = [chain(tuple("abc"), reverse).sample(samples // 2, rng) for reverse in (False, True)]
    values = np.concatenate([half.values for half in halves])
    names = tuple(f"s{k}" for k in range(samples))
    groups = {name: "forwards" if k < samples // 2 else "back" for k, name in enumerate(names)}
    return Dataset(values, tuple("abc"), names), groups


def distance_definition(one, other, i, j):
    """Half the summed differences of the three outcomes: i first, j first, neither."""
    first, second = one[i, j] - other[i, j], one[j, i] - other[j, i]
    return (abs(first) + abs(second) + abs(first + second)) / 2


def definition(method, data, groups, permutations, seed):
    """Each permutation on its own, with counts in plain loops, of two groups."""
    first, second = sorted(set(groups.values()))
    rows = [row for row in data.sample_order if groups.get(data.samples[row])]
    size = sum(groups[data.samples[row]] == first for row in rows)
    parts = [[row for row in rows if groups[data.samples[row]] == name] for name in (first, second)]

    def matrix(part, numbers):
        part = data.take_samples(np.array(part))
        fit = method.fit(part)
        if not isinstance(fit, OrderedFit) or fit.method == BAYES:
            return known_orders(fit).probabilities
        draws = int(np.random.default_rng(numbers).integers(2**31))
        return bootstrap(method, part, replicates=100, seed=draws).ancestors / 100

    pairs = list(combinations(range(len(data.events)), 2))

    def distances_of(parts, numbers):
        one, other = (matrix(part, numbers) for part in parts)
        return [distance_definition(one, other, i, j) for i, j in pairs]

    observed = distances_of(parts, [seed, 0])
    reached, overall = [0] * len(pairs), 0
    columns = sorted(range(len(data.events)), key=lambda column: data.events[column])
    content = zlib.crc32(np.packbits(data.values[rows][:, columns]).tobytes())
    for number in range(permutations):
        numbers = [seed, number + 1, content]
        drawn = np.random.default_rng(numbers).permutation(rows).tolist()
        found = distances_of((drawn[:size], drawn[size:]), numbers)
        for k in range(len(pairs)):
            reached[k] += found[k] >= observed[k] - 1e-9
        overall += sum(found) >= sum(observed) - 1e-9
    return observed, reached, overall


@pytest.mark.parametrize(
    ("method", "number"), [(Caprese(), 12), (MHN(penalty_strength=0.1), 5), (BAYES, 3)], ids=str
)
def test_distances_and_counts_are_those_of_the_definition(method, number):
    data = OVARIAN.take_events(OVARIAN.events[:4])
    found = compare_groups(method, data, HALVES, permutations=number, seed=3, jobs=1)
    observed, reached, overall = definition(method, data, HALVES, number, 3)
    one, other = np.triu_indices(4, 1)
    assert found.distances[0, one, other].tolist() == pytest.approx(observed)
    assert found.reached[0, one, other].tolist() == reached
    assert found.reached_overall.tolist() == [overall]
    assert found.p_values[0, one, other].tolist() == [(1 + k) / (number + 1) for k in reached]
    assert found.overall.tolist() == [(1 + overall) / (number + 1)]


def test_the_distance_is_the_total_variation_of_three_outcomes():
    rng = np.random.default_rng(1)
    one, other = rng.dirichlet((1, 1, 1), (2, 5, 5))[..., 0] / 2
    found = distances(one, other)
    for i, j in combinations(range(5), 2):
        assert found[i, j] == found[j, i] == pytest.approx(distance_definition(one, other, i, j))
    assert not np.diag(found).any()


def test_opposite_orders_are_found_and_named():
    data, groups = two_orders()
    found = compare_groups(Caprese(), data, groups, permutations=99)
    assert found.groups == ("back", "forwards")
    assert found.overall[0] == 1 / 100
    first = found.table().iloc[0]
    assert first["p_value"] == 1 / 100
    assert first["adjusted"] < 0.05
    assert abs(first["probability"] - first["other_probability"]) > 0.9


def test_the_same_samples_in_both_groups_do_not_differ():
    values = np.concatenate([OVARIAN.values, OVARIAN.values])
    names = tuple(f"s{k}" for k in range(len(values)))
    groups = {name: "AB"[k >= len(OVARIAN.samples)] for k, name in enumerate(names)}
    found = compare_groups(
        Caprese(), Dataset(values, OVARIAN.events, names), groups, permutations=19
    )
    assert not found.distances.any()
    assert (found.p_values == 1).all()
    assert found.overall.tolist() == [1]


def test_the_order_of_rows_and_columns_and_the_workers_change_nothing():
    data = OVARIAN.take_events(OVARIAN.events[:5])
    rng = np.random.default_rng(6)
    moved = data.take_samples(rng.permutation(len(data.samples)))
    moved = moved.take_events(tuple(reversed(data.events)))
    first = compare_groups(Caprese(), data, HALVES, permutations=40, jobs=1)
    again = compare_groups(Caprese(), moved, HALVES, permutations=40, jobs=2)
    columns = ["group", "other_group", "distance", "p_value", "adjusted"]
    keys = [sorted(map(tuple, found.table()[columns].to_numpy())) for found in (first, again)]
    assert keys[0] == keys[1]
    assert first.overall.tolist() == again.overall.tolist()
    assert first.seed != compare_groups(Caprese(), data, HALVES, permutations=1, seed=2).seed


def test_three_groups_are_compared_two_by_two_and_adjusted_together():
    groups = {name: "ABC"[k % 3] for k, name in enumerate(OVARIAN.samples)}
    found = compare_groups(Caprese(), OVARIAN, groups, permutations=19)
    assert found.pairs == ((0, 1), (0, 2), (1, 2))
    assert len(found.table()) == 3 * 21
    one, other = np.triu_indices(7, 1)
    p_values = np.sort(found.p_values[:, one, other].ravel())
    assert found.adjusted.min() == min(1, (p_values * 63 / np.arange(1, 64)).min())
    alone = {name: group for name, group in groups.items() if group != "C"}
    pair = compare_groups(Caprese(), OVARIAN, alone, permutations=19)
    assert pair.reached.tolist() == found.reached[:1].tolist()
    assert pair.left_out == 29


def test_samples_without_a_group_do_not_count():
    some = {name: HALVES[name] for name in OVARIAN.samples[:60]}
    found = compare_groups(Caprese(), OVARIAN, some | {"nobody": "A"}, permutations=5)
    assert (found.sizes, found.left_out) == ((30, 30), 27)


def test_methods_that_only_need_counts_are_permuted_more_often():
    assert default_permutations(Caprese()) == 999
    assert default_permutations(LikelihoodForest()) == 99


def test_a_method_without_an_order_says_the_same_of_all_groups():
    found = compare_groups(caprese.IndependentEvents(), OVARIAN, HALVES, permutations=5)
    assert not found.before.any()
    assert (found.p_values == 1).all()


@pytest.mark.parametrize("names", [["A"], [], [f"g{k}" for k in range(MOST_GROUPS + 1)]])
def test_two_to_six_groups_are_needed(names):
    groups = {name: names[k % len(names)] for k, name in enumerate(OVARIAN.samples) if names}
    with pytest.raises(DatasetError, match="two to 6 groups of samples are compared, there are"):
        compare_groups(Caprese(), OVARIAN, groups)


def test_groups_of_fewer_than_five_samples_are_refused():
    groups = dict(zip(OVARIAN.samples, ["few"] * 4 + ["many"] * 20, strict=False))
    with pytest.raises(DatasetError, match="at least 5 samples are compared, 'few' has 4 samples"):
        compare_groups(Caprese(), OVARIAN, groups)


def test_several_samples_of_a_patient_are_refused():
    data = OVARIAN.with_patients(Patients(("Ada", "Ada", *("",) * (len(OVARIAN.samples) - 2))))
    with pytest.raises(DatasetError, match="some patients have several samples, which cannot be"):
        compare_groups(Caprese(), data, HALVES)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"permutations": 0}, "permutations must be"),
        ({"seed": -1}, "seed must be"),
        ({"groups": ["A"]}, "groups must be the group of each sample by its name"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, message):
    with pytest.raises(ParameterError, match=message):
        compare_groups(Caprese(), OVARIAN, **({"groups": HALVES} | settings))


def test_counts_beyond_the_permutations_are_refused():
    with pytest.raises(ModelError, match="reached must be at most the number of permutations"):
        caprese.GroupComparison(
            ("a",), ("x", "y"), (1, 1), 0, np.zeros((2, 1, 1)), ((0, 1),), [[[4]]], [0], 3
        )


@pytest.mark.parametrize(
    ("overall", "expected"),
    [
        (0, "differs between x (20 samples) and y (20 samples) by more than chance (p = 0.001). "
         "Beyond chance after adjustment: b before a."),
        (400, "does not differ between x (20 samples) and y (20 samples) by more than chance "
         "(p = 0.4). Single pairs do after adjustment, but not all together: b before a."),
    ],
)  # fmt: skip
def test_a_pair_that_differs_alone_does_not_contradict_the_whole(overall, expected):
    before = np.array([[[0.5, 0.9], [0.1, 0.5]], [[0.5, 0.2], [0.8, 0.5]]])
    found = caprese.GroupComparison(
        ("a", "b"),
        ("x", "y"),
        (20, 20),
        0,
        before,
        ((0, 1),),
        [[[999, 0], [0, 999]]],
        [overall],
        999,
    )
    (said,) = map(plain, group_sentences(found))
    assert said == f"The order of events {expected}"
