"""Posets: orders of events, waiting times, and the lattice of their states."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad_vec
from scipy.linalg import expm
from scipy.stats import chisquare

from caprese import ConjunctiveDag, ModelError, Poset, TimedPoset
from caprese.models.states import as_sets, check_lattice, from_sets
from shapes import SHAPES

# a -+-> c -> d      b comes before c as well
# b -+
DIAMOND = Poset(("a", "b", "c", "d"), ((), (), (0, 1), (2,)))

SMALL = {
    "nothing waits": ((), (), ()),
    "a chain": ((), (0,), (1,)),
    "a fork": ((), (0,), (0,)),
    "a join": ((), (), (0, 1)),
    "a chain and one alone": ((), (0,), ()),
}


@st.composite
def posets(draw, most=6):
    n = draw(st.integers(1, most))
    order = draw(st.permutations(range(n)))
    parents = [()] * n
    for place, event in enumerate(order):
        parents[event] = tuple(i for i in order[:place] if draw(st.booleans()))
    return Poset(tuple(f"e{k}" for k in range(n)), tuple(parents))


def genotypes(n):
    return (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)


def by_integration(poset):
    """Solve the master equation at each time, and integrate over the time of observation."""
    n = len(poset.events)
    generator = np.zeros((2**n, 2**n))
    for state in range(2**n):
        for event in range(n):
            if not state >> event & 1 and all(state >> i & 1 for i in poset.parent_sets[event]):
                generator[state, state | 1 << event] += poset.rates[event]
                generator[state, state] -= poset.rates[event]
    at_time = lambda t: np.exp(-t) * expm(generator * t)[0]  # noqa: E731
    return quad_vec(at_time, 0, np.inf, epsabs=1e-10)[0]


class TestPoset:
    def test_keeps_only_what_says_something_new(self):
        assert Poset("abc", ((), (0,), (0, 1))).parent_sets == ((), (0,), (1,))
        assert Poset("abcd", ((), (), (0, 1), (0, 1, 2))) == Poset("abcd", DIAMOND.parent_sets)

    @given(poset=posets())
    def test_no_parent_comes_before_another_and_the_order_is_the_same(self, poset):
        above = poset.ancestors()
        for parents in poset.parent_sets:
            assert not any(above[i, j] for i in parents for j in parents)
        assert Poset(poset.events, tuple(tuple(np.flatnonzero(c)) for c in above.T)) == poset

    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_forest_converts(self, shape):
        poset = Poset.of(SHAPES[shape])
        assert (poset.adjacency() == SHAPES[shape].adjacency()).all()
        assert (poset.ancestors() == SHAPES[shape].ancestors()).all()

    def test_a_dag_converts_to_its_order(self):
        dag = ConjunctiveDag("abc", ((), (0,), (0, 1)), (0.5, 0.5, 0.5))
        assert Poset.of(dag).edges == (("a", "b"), ("b", "c"))

    @pytest.mark.parametrize(
        ("events", "parents", "message"),
        [
            ("", (), "a progression needs at least one event"),
            ("ab", ((),), "parent_sets must be one set per event, 2, got 1"),
            ("ab", ((), (2,)), "parents of 'b' must be positions of events, got (2,)"),
            ("ab", ((1,), (0,)), "the parents form a cycle among or above 'a', 'b'"),
            ("aa", ((), ()), "event name 'a' appears 2 times; names must differ"),
        ],
    )
    def test_what_is_no_poset_is_refused(self, events, parents, message):
        with pytest.raises(ModelError, match=f"^{re.escape(message)}$"):
            Poset(events, parents)


class TestTimedPoset:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", SMALL)
    def test_the_lattice_agrees_with_integration(self, name):
        poset = TimedPoset("abc", SMALL[name], (0.7, 2.5, 11.0))
        found = poset.genotype_probabilities(genotypes(3))
        assert found == pytest.approx(by_integration(poset), abs=1e-8)

    @given(poset=posets(), data=st.data())
    def test_the_states_share_out_all_probability(self, poset, data):
        n = len(poset.events)
        rates = data.draw(st.lists(st.floats(0, 1e3), min_size=n, max_size=n))
        timed = TimedPoset(poset.events, poset.parent_sets, rates)
        likely = timed.genotype_probabilities(genotypes(n))
        assert likely.sum() == pytest.approx(1)
        above = poset.ancestors()
        for genotype, probability in zip(genotypes(n), likely, strict=True):
            early = any(genotype[j] and not genotype[above[:, j]].all() for j in range(n))
            assert probability == 0 if early else probability >= 0
        assert timed.marginals() == pytest.approx(likely @ genotypes(n))

    @pytest.mark.parametrize("seed", range(5))
    def test_samples_are_as_frequent_as_the_lattice_says(self, seed):
        rng = np.random.default_rng([71, seed])
        n = 2 + seed
        parents = [tuple(np.flatnonzero(rng.random(event) < 0.4)) for event in range(n)]
        poset = TimedPoset(tuple("abcdef"[:n]), tuple(parents), rng.uniform(0.2, 5, n))
        drawn = poset.sample(20_000, rng)
        seen = np.bincount(as_sets(drawn.values), minlength=2**n)
        expected = 20_000 * poset.genotype_probabilities(genotypes(n))
        assert (seen[expected == 0] == 0).all()
        often = expected >= 5
        pooled = [np.append(each[often], each[~often].sum()) for each in (seen, expected)]
        telling = pooled[1] > 0
        assert chisquare(pooled[0][telling], pooled[1][telling]).pvalue > 1e-3

    def test_the_order_of_events_does_not_matter_to_a_stream(self):
        one = TimedPoset("abc", ((), (0,), (0,)), (1, 2, 3))
        other = TimedPoset("cba", ((2,), (2,), ()), (3, 2, 1))
        first = one.sample(50, np.random.default_rng(4))
        second = other.sample(50, np.random.default_rng(4))
        assert (first.values == second.take_events("abc").values).all()

    def test_a_single_edge_has_the_chance_of_a_race(self):
        """Once the parent is there, the child races the observation: rate / (1 + rate)."""
        poset = TimedPoset("ab", ((), (0,)), (3, 0.5))
        assert poset.marginals() == pytest.approx([3 / 4, 3 / 4 * 0.5 / 1.5])

    @pytest.mark.parametrize(
        ("rates", "message"),
        [
            ((1,), "rates must be one per event, 2, got 1"),
            ((1, -1), "rates must be in [0, inf], got -1.0 for 'b'"),
            ((1, np.nan), "rates must be in [0, inf], got nan for 'b'"),
            ((1, np.inf), "rates must be finite"),
        ],
    )
    def test_what_are_no_rates_is_refused(self, rates, message):
        with pytest.raises(ModelError, match=f"^{re.escape(message)}$"):
            TimedPoset("ab", ((), (0,)), rates)

    def test_genotypes_of_another_width_are_refused(self):
        with pytest.raises(ModelError, match=r"a genotype must have 2 events, got shape \(3,\)"):
            TimedPoset("ab", ((), ()), (1, 1)).genotype_probabilities([0, 0, 1])

    def test_too_many_events_are_refused_with_what_they_would_take(self):
        poset = TimedPoset(tuple(f"e{k}" for k in range(30)), ((),) * 30, np.ones(30))
        with pytest.raises(
            ModelError, match=r"30 events has up to 2\^30 states.* take 130 GiB; the"
        ):
            poset.marginals()


def test_sets_turn_into_rows_and_back():
    rows = np.array([[True, False, True], [False, False, False], [True, True, True]])
    assert as_sets(rows).tolist() == [5, 0, 7]
    assert (from_sets(as_sets(rows), 3) == rows).all()


def test_twenty_events_fit_in_memory_and_one_more_does_not():
    check_lattice(20)
    with pytest.raises(
        ModelError,
        match=r"21 events has up to 2\^21 states, which take [\d.]+ GiB; the most is 20 events",
    ):
        check_lattice(21)
