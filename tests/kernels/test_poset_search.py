"""Searches over posets, compiled against uncompiled."""

import numpy as np
import pytest

from caprese.kernels import poset_em, poset_search, true_counts
from poset_observations import drawn_genotypes, drawn_parents
from uncompiled import uncompiled

COMPILED = (poset_search, poset_em, true_counts)
PLAIN = tuple(map(uncompiled, ("poset_search", "poset_em", "true_counts")))


def started(modules, events, free, seed=0, density=0.1):
    """Return a search that has fitted its start, and its limits."""
    rng = np.random.default_rng([events, seed])
    genotypes, parents = drawn_genotypes(rng, events, 25), drawn_parents(rng, events, density)
    search, em, counts = modules
    place = search.Place(parents, np.append(np.ones(events), 0.1), -np.inf)
    begun = search.Search(place, free, counts.Observations(events, *genotypes), 11 + seed)
    limits = em.Limits(True, 1e-2, 100)
    search.fit_best(begun, limits)
    return begun, limits


def reached(found):
    return np.asarray(found.best.parents).tolist(), found.best.log_likelihood


def assert_same(one, other):
    assert reached(one)[0] == reached(other)[0]
    assert reached(one)[1] == pytest.approx(reached(other)[1], rel=1e-12)


@pytest.mark.parametrize(("events", "free"), [(2, [0, 1]), (4, [0, 1, 2, 3]), (5, [0, 2, 3])])
def test_compiled_searches_are_those_of_python(events, free):
    both = []
    for modules in (COMPILED, PLAIN):
        search, limits = started(modules, events, np.array(free))
        modules[0].anneal(search, np.linspace(2, 0.1, 12), limits)
        annealed = reached(search)
        modules[0].fit_best(search, limits)
        all_failed = modules[0].climb(search, 15, limits, False)
        both.append((annealed[0], all_failed, search))
    assert both[0][:2] == both[1][:2]
    assert_same(both[0][2], both[1][2])


def test_a_climb_in_parts_is_a_climb():
    free = np.arange(4)
    whole, limits = started(COMPILED, 4, free)
    assert poset_search.climb(whole, 10_000, limits, False)
    parts, limits = started(COMPILED, 4, free)
    while not poset_search.climb(parts, 3, limits, False):
        pass
    assert_same(whole, parts)


def test_no_move_improves_where_a_climb_ends():
    search, limits = started(COMPILED, 4, np.arange(4), seed=1)
    before = search.best.log_likelihood
    assert poset_search.climb(search, 10_000, limits, False)
    end = reached(search)
    assert end[1] >= before
    assert poset_search.climb(search, 10_000, limits, False)
    assert reached(search) == end


def test_a_thorough_climb_tries_every_move_from_a_second_start():
    """EM from the rates of the poset before ends lower for some posets: 0.002 here and more."""
    higher = 0
    for seed in range(12):
        ends = []
        for thorough in (False, True):
            search, limits = started(COMPILED, 5, np.arange(5), seed=seed)
            assert poset_search.climb(search, 10_000, limits, thorough)
            ends.append(search.best.log_likelihood)
        higher += ends[1] > ends[0] + 0.02
    assert higher >= 1


def test_only_free_events_move():
    search, limits = started(COMPILED, 5, np.array([1, 3]), density=0)
    passed = set()
    for _ in range(30):
        poset_search.anneal(search, np.array([50.0]), limits)
        passed.add(tuple(search.current.parents))
    assert passed == {(0, 0, 0, 0, 0), (0, 8, 0, 0, 0), (0, 0, 0, 2, 0)}


def test_the_starting_place_is_left_alone():
    search, _ = started(COMPILED, 4, np.arange(4))
    place = search.best
    before = reached(search)
    other = poset_search.Search(place, np.arange(4), data_of(4), 5)
    poset_search.anneal(other, np.full(20, 9.0), poset_em.Limits(True, 1e-2, 100))
    assert reached(search) == before


def data_of(events):
    genotypes = drawn_genotypes(np.random.default_rng(events), events, 25)
    return true_counts.Observations(events, *genotypes)
