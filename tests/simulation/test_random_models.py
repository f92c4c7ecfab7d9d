import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caprese import ROOT
from caprese._core.names import event_names
from caprese.simulation.random_models import DagRecipe, ForestRecipe


def depths(forest):
    depth = np.zeros(len(forest.events), dtype=int)
    for event in forest.order:
        depth[event] = 1 if forest.parents[event] == ROOT else depth[forest.parents[event]] + 1
    return depth


@given(events=st.integers(2, 40), trees=st.integers(1, 4), seed=st.integers(0, 1000))
def test_a_random_forest_follows_its_recipe(events, trees, seed):
    recipe = ForestRecipe(events=events, trees=min(trees, events))
    forest = recipe.draw(np.random.default_rng(seed))
    tops = forest.parents == ROOT
    assert tops.sum() == recipe.trees
    assert (forest.probabilities[tops] == 0.95).all()
    assert (
        forest.marginals().min() >= 0.05 * 0.95**2
    )  # the child of an event of the least probability
    assert forest.probabilities.max() <= 0.95
    assert forest.probabilities.min() >= 0.05
    assert depths(forest).max() <= max(2, round(np.log(events)))


def test_twenty_events_have_three_levels_none_of_which_is_empty():
    for seed in range(50):
        forest = ForestRecipe(events=20).draw(np.random.default_rng(seed))
        assert set(depths(forest)) == {1, 2, 3}


def test_the_number_of_levels_can_be_given():
    forest = ForestRecipe(events=6, levels=6).draw(np.random.default_rng(1))
    assert sorted(depths(forest)) == [1, 2, 3, 4, 5, 6]


def test_positions_contain_no_information_about_the_order():
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
def test_a_random_dag_follows_its_recipe(events, parents, seed):
    dag = DagRecipe(events=events, max_parents=parents).draw(np.random.default_rng(seed))
    assert max(map(len, dag.parent_sets)) <= parents
    assert sum(not above for above in dag.parent_sets) == 1
    assert dag.marginals().min() >= 0.05**2


def test_all_numbers_of_parents_occur():
    numbers = {
        len(above)
        for seed in range(20)
        for above in DagRecipe().draw(np.random.default_rng(seed)).parent_sets
    }
    assert numbers == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: ForestRecipe(events=0), "events must be a whole number of at least 1, got 0"),
        (
            lambda: ForestRecipe(events=3, trees=4),
            "trees must be .* from 1 to 3, got 4",
        ),
        (lambda: ForestRecipe(levels=1), "levels must be a whole number of at least 2, got 1"),
        (lambda: ForestRecipe(top=1.5), r"top must be in \[0, 1\], got 1.5"),
        (lambda: ForestRecipe(least=0.9, most=0.1), "least must be at most most, 0.1, got 0.9"),
        (
            lambda: DagRecipe(max_parents=0),
            "max_parents must be a whole number .* 1, got 0",
        ),
        (lambda: DagRecipe(events=0), "events must be a whole number of at least 1, got 0"),
    ],
)
def test_a_bad_recipe_is_refused_by_name(build, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        build()


def test_the_alphabetical_order_of_event_names_is_the_numerical_one():
    assert list(event_names(120)) == sorted(event_names(120))
