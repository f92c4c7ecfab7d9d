import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import ROOT, ModelError
from caprese.models.dag import ConjunctiveDag
from caprese._core.names import event_names
from caprese.simulation.recipes import DagRecipe, ForestRecipe


def depths(forest):
    depth = np.zeros(len(forest.events), dtype=int)
    for event in forest.order:
        depth[event] = 1 if forest.parents[event] == ROOT else depth[forest.parents[event]] + 1
    return depth


@given(events=st.integers(2, 40), trees=st.integers(1, 4), seed=st.integers(0, 1000))
def test_a_random_forest_is_as_its_recipe_says(events, trees, seed):
    recipe = ForestRecipe(events=events, trees=min(trees, events))
    forest = recipe.draw(np.random.default_rng(seed))
    tops = forest.parents == ROOT
    assert tops.sum() == recipe.trees
    assert (forest.probabilities[tops] == 0.95).all()
    assert forest.marginals().min() >= 0.05 * 0.95**2  # below an event as rare as can be
    assert forest.probabilities.max() <= 0.95
    assert forest.probabilities.min() >= 0.05
    assert depths(forest).max() <= max(2, round(np.log(events)))


def test_twenty_events_have_three_levels_none_of_them_empty():
    for seed in range(50):
        forest = ForestRecipe(events=20).draw(np.random.default_rng(seed))
        assert set(depths(forest)) == {1, 2, 3}


def test_the_levels_can_be_told():
    forest = ForestRecipe(events=6, levels=6).draw(np.random.default_rng(1))
    assert sorted(depths(forest)) == [1, 2, 3, 4, 5, 6]


def test_positions_tell_nothing_of_the_order():
    firsts = [
        int(
            np.flatnonzero(ForestRecipe(events=5).draw(np.random.default_rng(k)).parents == ROOT)[0]
        )
        for k in range(100)
    ]
    assert set(firsts) == {0, 1, 2, 3, 4}


def test_the_same_stream_gives_the_same_forest():
    one, other = (ForestRecipe().draw(np.random.default_rng(4)) for _ in range(2))
    assert one == other


@given(events=st.integers(1, 15), parents=st.integers(1, 4), seed=st.integers(0, 1000))
def test_a_random_dag_is_as_its_recipe_says(events, parents, seed):
    dag = DagRecipe(events=events, max_parents=parents).draw(np.random.default_rng(seed))
    assert max(map(len, dag.parents)) <= parents
    assert sum(not above for above in dag.parents) == 1
    assert dag.marginals().min() >= 0.05**2


def test_all_numbers_of_parents_occur():
    numbers = {
        len(above)
        for seed in range(20)
        for above in DagRecipe().draw(np.random.default_rng(seed)).parents
    }
    assert numbers == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: ForestRecipe(events=0), "events must be at least 1, got 0"),
        (lambda: ForestRecipe(events=3, trees=4), r"trees must be in \[1, events\], got 4"),
        (lambda: ForestRecipe(levels=1), "levels must be at least 2, got 1"),
        (lambda: ForestRecipe(top=1.5), r"top must be in \[0, 1\], got 1.5"),
        (lambda: ForestRecipe(least=0.9, most=0.1), "least must be at most most, 0.1, got 0.9"),
        (lambda: DagRecipe(max_parents=0), "parents must be at least 1, got 0"),
        (lambda: DagRecipe(events=0), "events must be at least 1, got 0"),
    ],
)
def test_a_bad_recipe_is_refused_by_name(build, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        build()


def test_names_sort_as_they_count():
    assert list(event_names(120)) == sorted(event_names(120))


class TestConjunctiveDag:
    #  a   b
    #   \\ / \\
    #    c   d     c waits for both a and b
    #     \\ /
    #      e
    dag = ConjunctiveDag(tuple("abcde"), ((), (), (0, 1), (1,), (2, 3)), (0.9, 0.8, 0.7, 0.6, 0.5))

    def test_an_event_is_as_probable_as_all_it_waits_for(self):
        expected = [0.9, 0.8, 0.9 * 0.8 * 0.7, 0.8 * 0.6, 0.9 * 0.8 * 0.7 * 0.6 * 0.5]
        assert self.dag.marginals() == pytest.approx(expected)

    def test_samples_have_these_frequencies_and_nothing_comes_too_early(self):
        data = self.dag.sample(40_000, np.random.default_rng(1))
        assert data.values.mean(axis=0) == pytest.approx(self.dag.marginals(), abs=0.01)
        a, b, c, d, e = data.values.T
        assert not (c & ~(a & b)).any()
        assert not (e & ~(c & d)).any()

    def test_ancestors_are_all_that_an_event_waits_for(self):
        above = self.dag.ancestors()
        assert above[:, 4].tolist() == [True, True, True, True, False]
        assert above[:, 3].tolist() == [False, True, False, False, False]
        assert self.dag.adjacency().sum() == len(self.dag.edges) == 5

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (((), (), ()), "a progression needs at least one event"),
            ((("a",), ((), ()), (0.5,)), "parents must be one set per event, 1, got 2"),
            ((("a",), ((3,),), (0.5,)), r"parents of 'a' must be positions of events, got \(3,\)"),
            ((("a",), ((),), (1.5,)), r"probabilities must be in \[0, 1\], got 1.5 for 'a'"),
            ((("a", "b"), ((1,), (0,)), (0.5, 0.5)), "the parents form a cycle among or above 'a'"),
        ],
    )
    def test_what_is_no_dag_is_refused(self, arguments, message):
        with pytest.raises(ModelError, match=f"^{message}"):
            ConjunctiveDag(*arguments)
