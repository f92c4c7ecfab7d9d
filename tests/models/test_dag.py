"""Conjunctive DAGs: probabilities, samples and ancestors."""

import numpy as np
import pytest

from caprese.errors import ModelError
from caprese.models.dag import ConjunctiveDag


class TestConjunctiveDag:
    #  a   b
    #   \\ / \\
    #    c   d     c has the parents a and b
    #     \\ /
    #      e
    dag = ConjunctiveDag(tuple("abcde"), ((), (), (0, 1), (1,), (2, 3)), (0.9, 0.8, 0.7, 0.6, 0.5))

    def test_the_probability_of_an_event_is_the_product_over_its_ancestors(self):
        expected = [0.9, 0.8, 0.9 * 0.8 * 0.7, 0.8 * 0.6, 0.9 * 0.8 * 0.7 * 0.6 * 0.5]
        assert self.dag.marginals() == pytest.approx(expected)

    def test_samples_have_these_frequencies_and_no_event_without_its_parents(self):
        data = self.dag.sample(40_000, np.random.default_rng(1))
        assert data.values.mean(axis=0) == pytest.approx(self.dag.marginals(), abs=0.01)
        a, b, c, d, e = data.values.T
        assert not (c & ~(a & b)).any()
        assert not (e & ~(c & d)).any()

    def test_ancestors_are_direct_and_indirect(self):
        above = self.dag.ancestors()
        assert above[:, 4].tolist() == [True, True, True, True, False]
        assert above[:, 3].tolist() == [False, True, False, False, False]
        assert self.dag.adjacency().sum() == len(self.dag.edges) == 5

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (((), (), ()), "a progression needs at least one event"),
            ((("a",), ((), ()), (0.5,)), "parent_sets must be one set per event, 1, got 2"),
            ((("a",), ((3,),), (0.5,)), r"parents of 'a' must be positions of events, got \(3,\)"),
            ((("a",), ((),), (1.5,)), r"probabilities must be in \[0, 1\], got 1.5 for 'a'"),
            ((("a", "b"), ((1,), (0,)), (0.5, 0.5)), "the parents form a cycle among or above 'a'"),
        ],
    )
    def test_a_bad_dag_is_refused(self, arguments, message):
        with pytest.raises(ModelError, match=f"^{message}"):
            ConjunctiveDag(*arguments)
