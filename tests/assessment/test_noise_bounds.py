import numpy as np
import pytest

from caprese import ROOT, Caprese, Counts, Forest, Noise
from caprese.assessment.noise_bounds import corollary_noise_bound, noise_tolerance
from shapes import SHAPES, random_forest

# a (.95) -> b (.6) -> c (.3), by marginal probability
CHAIN = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.95, 0.6 / 0.95, 0.5))


def comes_back(forest, shrinkage, nu=0.0):
    seen = Noise.uniform(nu).corrupt_counts(Counts.expected(forest))
    return bool((Caprese(shrinkage=shrinkage).infer_parents(seen) == forest.parents).all())


def test_the_papers_bound_for_its_rarest_event_is_a_noise_of_three_tenths():
    assert corollary_noise_bound(0.05) == pytest.approx(0.3090, abs=1e-4)


@pytest.mark.parametrize("p_min", [0, -0.1, 1.5])
def test_a_bound_needs_a_probability(p_min):
    with pytest.raises(ValueError, match=r"p_min must be in \(0, 1\], got"):
        corollary_noise_bound(p_min)


def test_the_corollary_fails_for_a_chain_of_three():
    assert corollary_noise_bound(0.3) > 0.52
    assert noise_tolerance(CHAIN) < 0.15
    seen = Noise.uniform(0.15).corrupt_counts(Counts.expected(CHAIN))
    assert Caprese(shrinkage=0.01).infer_parents(seen).tolist() == [ROOT, ROOT, 1]


@pytest.mark.parametrize("name", SHAPES)
def test_a_forest_stands_just_below_its_tolerance_and_falls_just_above(name):
    forest = SHAPES[name]
    tolerance = noise_tolerance(forest)
    assert comes_back(forest, 0.01, nu=max(0, tolerance - 1e-6))
    assert tolerance + 1e-6 >= 1 or not comes_back(forest, 0.01, nu=tolerance + 1e-6)


def test_a_forest_lost_without_noise_tolerates_none():
    two_alike = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.5, 1.0, 0.5))
    assert noise_tolerance(two_alike) == 0


@pytest.mark.parametrize("shrinkage", [1e-6, 0.01, 0.5, 0.9, 0.999])
def test_theorem_3_holds_for_every_shrinkage_strictly_between_0_and_1(shrinkage):
    rng = np.random.default_rng(3)
    assert all(comes_back(random_forest(rng, 20), shrinkage) for _ in range(50))


def test_theorem_3_fails_at_0_where_all_ancestors_tie_and_at_1_where_siblings_do():
    chain = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.9, 0.8, 0.7))
    star = Forest(("a", "b", "c"), (ROOT, 0, 0), (0.75, 0.5, 0.25))
    assert not comes_back(chain, 0)
    assert comes_back(chain, 1)
    assert not comes_back(star, 1)
    assert comes_back(star, 0)
