"""Forest: against Definition 1, genotype by genotype."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import definitions
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, ModelError
from caprese.models.forest import ROOT, Forest
from shapes import SHAPES, SMALL, permuted, random_forest
from strategies import entries, forests

pytestmark = pytest.mark.slow

NAN = float("nan")


def plain(forest):
    return forest.parents.tolist(), forest.probabilities.tolist()


def long_chain(events=3000, probability=0.999):
    """A chain listed from its last event to its first."""
    parents = [*range(1, events), ROOT]
    return Forest(tuple(f"e{k}" for k in range(events)), parents, [probability] * events)


class TestRefusals:
    def test_every_refusal_is_a_caprese_error_and_a_value_error(self):
        assert issubclass(ModelError, CapreseError)
        assert issubclass(ModelError, ValueError)

    @pytest.mark.parametrize(
        ("events", "parents", "probabilities", "message"),
        [
            ("", (), (), "a progression needs at least one event"),
            ("aba", (ROOT,) * 3, (0.5,) * 3, "event name 'a' appears 2 times; names must differ"),
            (("a", ""), (ROOT, 0), (0.5, 0.5), "event 2 has an empty name"),
            ("ab", (ROOT,), (0.5, 0.5), "parents must be one per event, 2, got 1"),
            ("ab", (ROOT, 0, 0), (0.5, 0.5), "parents must be one per event, 2, got 3"),
            ("ab", (ROOT, 0), (0.5,), "probabilities must be one per event, 2, got 1"),
            ("ab", (ROOT, 0.0), (0.5, 0.5), "parents must be positions of events or -1, got "),
            ("ab", (ROOT, None), (0.5, 0.5), "parents must be positions of events or -1, got "),
            ("ab", (False, True), (0.5, 0.5), "parents must be positions of events or -1, got "),
            ("ab", (ROOT, 2), (0.5, 0.5), "the parent of 'b' must be an event or the root, got 2"),
            ("ab", (-2, 0), (0.5, 0.5), "the parent of 'a' must be an event or the root, got -2"),
            ("ab", (ROOT, 0), (0.5, 1.5), "probabilities must be in [0, 1], got 1.5 for 'b'"),
            ("ab", (ROOT, 0), (-0.1, 1), "probabilities must be in [0, 1], got -0.1 for 'a'"),
            ("ab", (ROOT, 0), (0.5, NAN), "probabilities must be in [0, 1], got nan for 'b'"),
            ("a", (0,), (0.5,), "the parents form a cycle among or above 'a'"),
            (
                "abcd",
                (1, 0, ROOT, 0),
                (0.5,) * 4,
                "the parents form a cycle among or above 'a', 'b', 'd'",
            ),
        ],
    )
    def test_the_message_names_the_event_and_the_rule(
        self, events, parents, probabilities, message
    ):
        with pytest.raises(ModelError, match=f"^{re.escape(message)}"):
            Forest(tuple(events), parents, probabilities)

    def test_a_name_no_data_set_would_take_is_refused(self):
        with pytest.raises(ModelError, match="event 1 has an empty name"):
            Forest((" ",), (ROOT,), (0.5,))

    @pytest.mark.parametrize("genotypes", [[[1]], [1], [[1, 0, 1]]])
    def test_genotypes_of_another_number_of_events_are_refused(self, genotypes):
        forest = Forest(("a", "b"), (ROOT, 0), (0.5, 0.5))
        with pytest.raises(ValueError, match="event"):
            forest.genotype_probabilities(genotypes)


class TestShape:
    @given(forests())
    def test_edges_are_the_pairs_of_parent_and_child(self, forest):
        parents, _ = plain(forest)
        assert forest.edges == tuple(
            (forest.events[p], forest.events[k]) for k, p in enumerate(parents) if p != ROOT
        )

    @given(forests())
    def test_in_order_each_parent_comes_before_its_children(self, forest):
        place = {event: k for k, event in enumerate(forest.order.tolist())}
        assert sorted(place) == list(range(len(forest.events)))
        for child, parent in enumerate(forest.parents.tolist()):
            assert parent == ROOT or place[parent] < place[child]

    @given(forests())
    def test_ancestors_are_the_events_on_the_path_from_the_root(self, forest):
        parents, _ = plain(forest)
        n = range(len(parents))
        above = [{parent for parent, _ in definitions.path(parents, k)} for k in n]
        assert forest.ancestors().tolist() == [[i in above[j] for j in n] for i in n]


class TestProbabilities:
    @given(forests())
    def test_each_genotype_has_the_probability_of_definition_1(self, forest):
        induced = definitions.distribution(*plain(forest))
        found = forest.genotype_probabilities(list(induced))
        assert found == pytest.approx(np.array([float(p) for p in induced.values()]), abs=1e-15)

    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_of_each_shape_to_a_dozen_digits(self, shape):
        induced = definitions.distribution(*plain(shape))
        found = shape.genotype_probabilities(list(induced))
        assert found == pytest.approx(np.array([float(p) for p in induced.values()]), rel=1e-12)
        assert ((found == 0) == [p == 0 for p in induced.values()]).all()

    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    def test_all_genotypes_together_are_certain(self, shape):
        n = len(shape.events)
        everything = np.arange(2**n)[:, None] >> np.arange(n) & 1
        assert shape.genotype_probabilities(everything).sum() == pytest.approx(1, rel=1e-12)

    def test_one_genotype_gives_one_number(self):
        forest = SHAPES["chain"]
        assert forest.genotype_probabilities([1, 0, 0, 0]) == pytest.approx(0.9 * 0.2)
        assert np.ndim(forest.genotype_probabilities([1, 0, 0, 0])) == 0
        assert forest.genotype_probabilities(np.zeros((2, 3, 4))).shape == (2, 3)

    @given(forests())
    def test_marginals_are_sums_over_genotypes(self, forest):
        induced = definitions.distribution(*plain(forest))
        expected = [
            float(definitions.pair_probability(induced, k, k)) for k in range(len(forest.events))
        ]
        assert forest.marginals() == pytest.approx(np.array(expected), rel=1e-12, abs=1e-300)

    @given(forests(least=1e-3))
    def test_pair_probabilities_are_sums_over_genotypes(self, forest):
        induced = definitions.distribution(*plain(forest))
        n = range(len(forest.events))
        expected = [[float(definitions.pair_probability(induced, i, j)) for j in n] for i in n]
        assert forest.pair_probabilities() == pytest.approx(np.array(expected), rel=1e-12)

    @given(forests())
    def test_also_with_events_that_are_impossible_or_certain(self, forest):
        induced = definitions.distribution(*plain(forest))
        n = range(len(forest.events))
        expected = [[float(definitions.pair_probability(induced, i, j)) for j in n] for i in n]
        assert forest.pair_probabilities() == pytest.approx(np.array(expected), abs=1e-15)

    @given(forests())
    def test_an_event_meets_its_ancestor_exactly_as_often_as_it_occurs(self, forest):
        pairs, above = forest.pair_probabilities(), forest.ancestors()
        marginal = np.broadcast_to(forest.marginals(), pairs.shape)
        assert (pairs[above] == marginal[above]).all()
        assert (np.diagonal(pairs) == forest.marginals()).all()
        assert (pairs == pairs.T).all()

    @given(forests())
    def test_events_of_different_trees_are_independent_to_the_last_bit(self, forest):
        parents, _ = plain(forest)
        tops = [definitions.path(parents, k)[-1] for k in range(len(parents))]
        apart = np.array([[a != b for b in tops] for a in tops])
        marginal = forest.marginals()
        assert (forest.pair_probabilities() == np.outer(marginal, marginal))[apart].all()

    def test_siblings_far_from_the_root_do_not_underflow(self):
        """Under a chain of 600 coins, two more: together a quarter as probable as the last."""
        chain = long_chain(600, 0.5)
        events = (*chain.events, "left", "right")
        forest = Forest(events, (*chain.parents, 0, 0), (*chain.probabilities, 0.5, 0.5))
        assert forest.pair_probabilities()[-1, -2] == forest.marginals()[0] / 4 > 0


class TestSampling:
    @pytest.mark.parametrize("shape", SMALL.values(), ids=SMALL)
    def test_genotypes_are_as_frequent_as_they_are_probable(self, shape):
        samples = 20_000
        induced = {
            genotype: float(chance) * samples
            for genotype, chance in definitions.distribution(*plain(shape)).items()
        }
        distinct, times = shape.sample(samples, np.random.default_rng(11)).genotypes()
        seen = dict(zip(map(tuple, entries(distinct)), times.tolist(), strict=True))
        assert all(induced[genotype] > 0 for genotype in seen)
        assert_as_expected(seen, induced)

    def test_a_wrong_distribution_would_be_noticed(self):
        """The bound is a real one: probabilities off by 0.02 do not pass."""
        shape = SHAPES["chain"]
        wrong = Forest(shape.events, shape.parents, shape.probabilities - 0.02)
        samples = 20_000
        distinct, times = wrong.sample(samples, np.random.default_rng(11)).genotypes()
        seen = dict(zip(map(tuple, entries(distinct)), times.tolist(), strict=True))
        induced = definitions.distribution(*plain(shape))
        with pytest.raises(AssertionError):
            assert_as_expected(seen, {g: float(p) * samples for g, p in induced.items()})

    @given(forests(), st.randoms(use_true_random=False))
    def test_the_order_of_events_does_not_change_what_is_drawn(self, forest, random):
        order = list(range(len(forest.events)))
        random.shuffle(order)
        one = forest.sample(20, np.random.default_rng(12))
        other = permuted(forest, np.array(order)).sample(20, np.random.default_rng(12))
        assert other.take_events(forest.events) == one

    def test_one_stream_gives_one_data_set_and_another_gives_another(self):
        draws = [SHAPES["star"].sample(50, np.random.default_rng(seed)) for seed in (1, 1, 2)]
        assert draws[0] == draws[1] != draws[2]

    def test_certain_events_always_occur_and_impossible_ones_never(self):
        forest = Forest(("a", "b", "c"), (ROOT, 0, 0), (1, 1, 0))
        drawn = forest.sample(100, np.random.default_rng(3))
        assert drawn.values.tolist() == [[True, True, False]] * 100

    def test_the_data_are_a_complete_data_set_of_the_events(self):
        drawn = SHAPES["caterpillar"].sample(7, np.random.default_rng(4))
        assert isinstance(drawn, Dataset)
        assert drawn.events == SHAPES["caterpillar"].events
        assert (drawn.values.shape, drawn.known) == ((7, 7), None)


def assert_as_expected(seen, expected):
    """Pearson's chi-square within five standard deviations; rare genotypes are taken together."""
    rare = [genotype for genotype, number in expected.items() if number < 5]
    cells = [(seen.get(g, 0), number) for g, number in expected.items() if number >= 5]
    rest = sum(expected[g] for g in rare)
    if rest >= 5:
        cells.append((sum(seen.get(g, 0) for g in rare), rest))
    statistic = sum((number - mean) ** 2 / mean for number, mean in cells)
    freedom = max(1, len(cells) - 1)
    assert statistic < freedom + 5 * (2 * freedom) ** 0.5


class TestSize:
    def test_a_chain_of_three_thousand_events_is_no_trouble(self):
        forest = long_chain()
        expected = 0.999 ** np.arange(3000, 0, -1)
        assert forest.marginals() == pytest.approx(expected, rel=1e-11)
        assert forest.order.tolist() == list(range(2999, -1, -1))
        assert len(forest.edges) == 2999
        above = forest.ancestors()
        assert above[2999, 0]
        assert above.sum() == 3000 * 2999 / 2
        pairs = forest.pair_probabilities()
        assert (pairs == np.minimum.outer(forest.marginals(), forest.marginals())).all()
        drawn = forest.sample(5, np.random.default_rng(5)).values
        assert (np.diff(drawn.astype(int), axis=1) >= 0).all()
        assert forest.genotype_probabilities(np.ones(3000)) == pytest.approx(expected[0])

    def test_a_chain_so_long_that_probabilities_vanish_is_no_trouble(self):
        forest = long_chain(probability=0.5)
        assert forest.marginals()[0] == 0
        pairs = forest.pair_probabilities()
        assert (pairs == np.minimum.outer(forest.marginals(), forest.marginals())).all()


class TestValue:
    @given(forests())
    def test_repr_evaluates_back(self, forest):
        assert eval(repr(forest), {"Forest": Forest}) == forest

    @given(forests(), forests())
    def test_equal_means_equal_in_every_field(self, one, other):
        same = (one.events, plain(one)) == (other.events, plain(other))
        assert (one == other) == same
        again = Forest(list(one.events), *plain(one))
        assert one == again
        assert hash(one) == hash(again)
        assert one != plain(one)

    def test_zero_is_zero_with_either_sign(self):
        assert Forest(("a",), (ROOT,), (-0.0,)) == Forest(("a",), (ROOT,), (0.0,))

    def test_each_field_counts(self):
        forests = {
            Forest(("a", "b"), (ROOT, 0), (0.5, 0.25)),
            Forest(("a", "c"), (ROOT, 0), (0.5, 0.25)),
            Forest(("a", "b"), (ROOT, ROOT), (0.5, 0.25)),
            Forest(("a", "b"), (ROOT, 0), (0.5, 0.2)),
        }
        assert len(forests) == 4

    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    def test_a_pickled_forest_is_equal_and_works(self, shape):
        shape.order  # noqa: B018  remembered from now on
        again = pickle.loads(pickle.dumps(shape))
        assert again == shape
        assert (again.marginals() == shape.marginals()).all()

    def test_writing_raises(self):
        forest = Forest(("a", "b"), np.array([ROOT, 0]), np.array([0.5, 0.5]))
        for array in (forest.parents, forest.probabilities, forest.order):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        with pytest.raises(AttributeError):
            forest.parents = (0, 0)

    def test_what_the_caller_does_to_his_arrays_does_not_reach_the_forest(self):
        parents, probabilities = np.array([ROOT, 0]), np.array([0.5, 0.25])
        forest = Forest(("a", "b"), parents, probabilities)
        parents[1], probabilities[1] = ROOT, 1
        assert plain(forest) == ([ROOT, 0], [0.5, 0.25])

    @pytest.mark.parametrize("again", [lambda f: pickle.loads(pickle.dumps(f)), copy.deepcopy])
    def test_a_copy_cannot_be_written_either(self, again):
        forest = again(SHAPES["chain"])
        for array in (forest.parents, forest.probabilities, forest.order):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0


class TestZoo:
    """What other tests rely on."""

    @pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
    def test_each_shape_has_distinct_probabilities_strictly_between_0_and_1(self, shape):
        assert len(set(shape.probabilities.tolist())) == len(shape.events)
        assert len(set(shape.marginals().tolist())) == len(shape.events)
        assert ((shape.marginals() > 0) & (shape.marginals() < 1)).all()

    @pytest.mark.parametrize("trees", [1, 3])
    def test_random_forests_follow_the_recipe(self, trees):
        rng = np.random.default_rng(6)
        backward = 0
        for _ in range(50):
            forest = random_forest(rng, 20, trees)
            depth = forest.ancestors().sum(axis=0)
            tops = forest.parents == ROOT
            assert tops.sum() == trees
            assert (forest.probabilities[tops] == 0.95).all()
            assert depth.max() == (2 if trees == 1 else 1)  # three levels, or two of 7 events each
            assert (forest.probabilities[~tops] >= 0.05).all()
            assert (forest.probabilities[~tops] <= 0.95).all()
            assert forest.marginals().min() >= 0.05 * 0.95
            backward += (forest.parents > np.arange(20)).sum()
        assert backward > 0
